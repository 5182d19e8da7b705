package diff3

import "bytes"

// lines is a text cut into lines, each with its line break. Only the last
// may have none.
type lines struct {
	data []byte
	at   []int32 // where each line starts, and the end of data
	ids  []int32 // equal lines have equal ids
}

// cut cuts data into lines, whose ids are looked up in ids, or added.
func cut(data []byte, ids map[string]int32) *lines {
	n := count(data)
	l := &lines{data: data, at: make([]int32, 1, n+1), ids: make([]int32, 0, n)}
	for line := range bytes.Lines(data) {
		id, ok := ids[string(line)]
		if !ok {
			id = int32(len(ids))
			ids[string(line)] = id
		}
		l.ids = append(l.ids, id)
		l.at = append(l.at, l.at[len(l.at)-1]+int32(len(line)))
	}
	return l
}

// count is the number of lines of data.
func count(data []byte) int {
	n := bytes.Count(data, lf)
	if len(data) > 0 && !bytes.HasSuffix(data, lf) {
		n++
	}
	return n
}

func (l *lines) len() int { return len(l.ids) }

// line returns line i.
func (l *lines) line(i int) []byte { return l.data[l.at[i]:l.at[i+1]] }

// text returns the lines of r.
func (l *lines) text(r Range) []byte { return l.data[l.at[r.Start]:l.at[r.End]] }

// ending is how a line ends.
type ending uint8

const (
	unknown ending = iota
	endLF
	endCRLF
)

// ending returns how line i ends; the last line, if it has no line break,
// counts as the one before it.
func (l *lines) ending(i int) ending {
	if i < l.len() && !bytes.HasSuffix(l.line(i), lf) {
		i--
	}
	switch {
	case i < 0 || i >= l.len():
		return unknown
	case bytes.HasSuffix(l.line(i), crlf):
		return endCRLF
	}
	return endLF
}

var (
	lf   = []byte("\n")
	crlf = []byte("\r\n")
)
