package template

import (
	"bytes"
)

// comments makes comments of the lines that are to be some, in the columns in
// which the actions want them, and returns them.
func (m *masker) comments(places []int) (directives []line) {
	directives = make([]line, 0, m.toComment)
	for i := range m.lines {
		l := &m.lines[i]
		switch l.use {
		case asComment:
			if l.first < l.last {
				directives = append(directives, *l)
			}
			m.comment(l, min(l.limit, m.place(i, places)))
		case asClosed:
			if l.first < l.last || l.shape != blank {
				directives = append(directives, *l)
			}
			m.comment(l, natural)
		}
	}
	return directives
}

// place is the column in which a directive line wants to start: that of its first
// action which wants one, else where it stands. What prints below a key without a
// value belongs to that.
func (m *masker) place(i int, places []int) int {
	l := &m.lines[i]
	for _, p := range places[l.first:l.last] {
		if p == underneath {
			return min(l.column, max(m.columnAhead(l), 0))
		}
		if p != natural {
			return p + 1
		}
	}
	if i > 0 && m.isOutput(l) {
		if before := &m.lines[i-1]; before.shape == content && before.use == asItIs {
			masked := bytes.TrimRight(m.masked[before.Start:before.End], " \t\r\n")
			if column := holder(string(masked)); bytes.HasSuffix(masked, []byte(":")) {
				return max(l.column, column+1)
			}
		}
	}
	return l.column
}

// isOutput reports whether l is one action that prints.
func (m *masker) isOutput(l *line) bool {
	return l.last == l.first+1 && m.actions[l.first].kind == output && m.actions[l.first].said != ""
}

// comment makes comments of the lines of l, but not of the first one if that
// is a comment. They start in a column, if they reach so far.
func (m *masker) comment(l *line, column int) {
	if l.shape == remark && l.first == l.last {
		return
	}
	for at := l.Start; at < l.End; {
		end := breakAfter(m.data, at)
		body := bytes.TrimRight(m.masked[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " \t"))
		switch {
		case indent == len(body) || body[indent] == '#':
		case column == natural:
			commentFrom(body, indent)
		default:
			commentFrom(body, min(column, len(bytes.TrimRight(body, " \t"))-1))
		}
		at = end
	}
}

// commentFrom makes a comment of a line, from a column on.
func commentFrom(body []byte, column int) {
	for column > 0 && body[column]&0xc0 == 0x80 {
		column-- // within a character
	}
	fill(body[:column], ' ')
	fill(body[column:column+runeLen(body[column:])], '#')
}

func runeLen(b []byte) int {
	n := 1
	for n < len(b) && b[0] >= 0x80 && b[n]&0xc0 == 0x80 {
		n++
	}
	return n
}

// Where the comment that stands for a directive line starts says what it belongs
// to. What opens a block belongs to the entry below, what closes it to the
// entry above; what prints belongs where it prints to.

// places is printing, and of those of blocks.
func (r *Reading) places(printing []int) []int {
	for opening, column := range r.columns {
		b := r.nest.blocks[opening]
		for i, a := range b.actions {
			printing[a] = underneath
			if i == len(b.actions)-1 {
				printing[a] = column
			}
		}
	}
	return printing
}
