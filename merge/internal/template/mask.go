package template

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A masker makes YAML of a file, byte for byte: directive lines become comments,
// actions on other lines plain text. In the text of a block scalar everything
// stays as it is; but a directive line that stands left of it is moved in.
type masker struct {
	data    []byte
	masked  []byte
	actions []action
	next    int // the first action that is not masked yet
	// The block scalar that the lines are in: the column of what holds it, and
	// that of its text; parent is -1 outside of one.
	parent, column int
	// quote is the quote that is open at the end of the line, 0 if none is.
	quote byte
	// limit is the greatest column that a comment may start in behind a block
	// scalar, without being its text.
	limit int
	// The line up to which directive lines were looked over, and the column of
	// its first character.
	ahead       line
	aheadColumn int
	// closed are the lines that became comments whatever they hold.
	closed []text.Span
	// directives are the lines that became comments, texts are those of block
	// scalars, by their starts.
	directives []line
	texts      map[int]bool
	// places are the columns in which the actions want their lines to start.
	places []int
	err    error
}

// A line is a line of a file, or several that one action joins.
type line struct {
	text.Span
	first, last int  // its actions, [first, last)
	remark      bool // it is a comment to YAML as it stands
}

const (
	noText  = -1
	noLimit = 1 << 30
)

// mask masks data. All lines of the blocks that are closed become comments.
func mask(data []byte, actions []action, closed []text.Span, places []int) *masker {
	m := &masker{
		data: data, masked: bytes.Clone(data), actions: actions, closed: closed, places: places,
		parent: noText, limit: noLimit, texts: map[int]bool{},
	}
	for at := 0; at < len(data) && m.err == nil; {
		l := m.line(at, m.next)
		m.next = l.last
		if m.isClosed(l) {
			m.parent = noText
			m.toComment(l, false, natural)
		} else {
			m.take(l)
		}
		at = l.End
	}
	return m
}

// isClosed reports whether l is a line of a closed block.
func (m *masker) isClosed(l line) bool {
	for len(m.closed) > 0 && m.closed[0].End <= l.Start {
		m.closed = m.closed[1:]
	}
	return len(m.closed) > 0 && l.End > m.closed[0].Start
}

// line returns the line that starts at start; first is its first action.
func (m *masker) line(start, first int) line {
	l := line{Span: text.Span{Start: start, End: lineOf(m.data, start).End}, first: first, last: first}
	for l.last < len(m.actions) && m.actions[l.last].Start < l.End {
		if end := m.actions[l.last].End; end > l.End {
			l.End = lineOf(m.data, end-1).End
		}
		l.last++
	}
	return l
}

// take masks a line.
func (m *masker) take(l line) {
	shape, indent := m.shape(l)
	switch {
	case shape == blank:
		return
	case m.quote != 0:
		m.opaque(l)
		return
	case m.parent != noText && (indent > m.parent || shape == directive && (m.prints(l) || m.goesOn(l))):
		m.inText(l)
		return
	}
	m.parent = noText
	switch shape {
	case directive, remark:
		m.toComment(l, shape == remark, min(m.limit, m.place(l, indent)))
	case content:
		m.limit = noLimit
		m.opaque(l)
	}
}

// shape is what a line is.
type shape uint8

const (
	blank shape = iota
	remark
	directive
	content
)

// shape returns what l is, and the column of its first character.
func (m *masker) shape(l line) (s shape, indent int) {
	at := l.Start
	indent = l.Len()
	actions := m.actions[l.first:l.last]
	for at < l.End {
		if len(actions) > 0 && at == actions[0].Start {
			indent = min(indent, at-l.Start)
			at, actions, s = actions[0].End, actions[1:], max(s, directive)
			continue
		}
		switch c := m.data[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '#' && s != content:
			return max(s, remark), min(indent, at-l.Start)
		default:
			return content, min(indent, at-l.Start)
		}
		at++
	}
	return s, indent
}

func (m *masker) shapeOf(l line) shape {
	s, _ := m.shape(l)
	return s
}

// prints reports whether the directive line l prints into the block scalar that m
// is in.
func (m *masker) prints(l line) bool {
	return l.last == l.first+1 && m.actions[l.first].kind == output && m.places[l.first] > m.parent
}

// goesOn reports whether the block scalar that m is in has more text behind the
// directive line l, which stands left of it.
func (m *masker) goesOn(l line) bool {
	m.lookAhead(l)
	return m.aheadColumn > m.parent
}

// lookAhead finds the first line behind l that is neither blank nor a directive.
func (m *masker) lookAhead(l line) {
	if l.End >= m.ahead.End {
		m.ahead, m.aheadColumn = l, noText
		for m.aheadColumn == noText && m.ahead.End < len(m.data) {
			m.ahead = m.line(m.ahead.End, m.ahead.last)
			if shape, indent := m.shape(m.ahead); shape != blank && shape != directive {
				m.aheadColumn = indent
			}
		}
	}
}

// inText masks what stands left of the text of a block scalar.
func (m *masker) inText(l line) {
	m.texts[l.Start] = true
	for at := l.Start; at < l.End; {
		end := lineOf(m.data, at).End
		body := bytes.TrimRight(m.data[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " "))
		switch {
		case indent == len(body) || indent > m.parent:
		case len(body) <= m.column:
			m.fail(at, "an action in a text stands left of it, and is too short")
			return
		default:
			fill(m.masked[at:at+m.column], ' ')
			fill(m.masked[at+m.column:at+len(body)], opaque)
		}
		at = end
	}
}

// place is the column in which a directive line that stands in another one wants
// to start: that of its first action which wants one.
func (m *masker) place(l line, indent int) int {
	for _, p := range m.places[l.first:l.last] {
		if p == underneath {
			m.lookAhead(l)
			return min(indent, max(m.aheadColumn, 0))
		}
		if p != natural {
			return p
		}
	}
	return indent
}

// toComment makes comments of the lines of l, but not of the first one if that
// is a comment. They start in a column, if they reach so far.
func (m *masker) toComment(l line, remark bool, column int) {
	if l.first < l.last || !remark && m.shapeOf(l) != blank {
		m.directives = append(m.directives, line{l.Span, l.first, l.last, remark})
	}
	for at := l.Start; at < l.End; {
		end := lineOf(m.data, at).End
		body := bytes.TrimRight(m.masked[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " \t"))
		switch {
		case indent == len(body) || body[indent] == '#':
		case column == natural:
			comment(body, indent)
		default:
			comment(body, min(column, len(bytes.TrimRight(body, " \t"))-1))
		}
		at = end
	}
}

// comment makes a comment of a line, from a column on.
func comment(body []byte, column int) {
	for column > 0 && body[column]&0xc0 == 0x80 {
		column-- // within a character
	}
	fill(body[:column], ' ')
	fill(body[column:column+runeLen(body[column:])], '#')
}

// opaque is what stands for an action in a key or scalar.
const opaque = 'x'

// opaque masks the actions of l, and looks whether a block scalar starts there.
func (m *masker) opaque(l line) {
	for _, a := range m.actions[l.first:l.last] {
		for i := a.Start; i < a.End; i++ {
			if c := m.data[i]; c != '\n' && c != '\r' && (c != ' ' || l.End == lineOf(m.data, l.Start).End) {
				m.masked[i] = opaque
			}
		}
	}
	if m.quote = openQuote(m.masked[l.Start:l.End], m.quote); m.quote != 0 {
		return
	}
	if parent, ok := header(m.masked[l.Start:l.End]); ok {
		m.parent = parent
		m.column = m.textColumn(l)
		m.limit = m.column - 1
		return
	}
	m.beside(l)
}

// beside makes a comment of an action that stands for the value of l where more
// of the value follows on the next lines.
func (m *masker) beside(l line) {
	if l.first == l.last {
		return
	}
	a := m.actions[l.last-1]
	before := bytes.TrimRight(m.masked[l.Start:a.Start], " \t")
	rest := bytes.TrimSpace(m.masked[a.End:l.End])
	if len(rest) > 0 || len(before) == a.Start-l.Start || !bytes.HasSuffix(before, []byte(":")) && !bytes.HasSuffix(before, []byte("-")) {
		return
	}
	if bytes.HasSuffix(before, []byte(":")) && printsAt(m.actions[l.last-1].said) == natural {
		return
	}
	if m.lookAhead(l); m.aheadColumn > holder(string(before)) {
		m.masked[a.Start] = '#'
	}
}

// textColumn is the column of the text of the block scalar that starts on l; one
// behind what holds it if it has none.
func (m *masker) textColumn(l line) int {
	for l.End < len(m.data) {
		l = m.line(l.End, l.last)
		switch shape, indent := m.shape(l); {
		case shape == blank:
		case indent > m.parent:
			return indent
		case shape == directive && m.prints(l):
			return m.places[l.first]
		case shape != directive:
			return m.parent + 1
		}
	}
	return m.parent + 1
}

func (m *masker) fail(off int, msg string) {
	if m.err == nil {
		m.err = fail(m.data, off, msg)
	}
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

func runeLen(b []byte) int {
	n := 1
	for n < len(b) && b[0] >= 0x80 && b[n]&0xc0 == 0x80 {
		n++
	}
	return n
}
