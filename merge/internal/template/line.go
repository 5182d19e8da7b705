package template

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A line is a line of a file, or several that one action joins.
type line struct {
	text.Span
	first, last int // its actions, [first, last)
	shape       shape
	column      int // of its first character
	ahead       int // the next line that is neither blank nor a directive, by its index
	// What the mask makes of it. A comment may start in limit at most; column is
	// where it stands.
	use    use
	limit  int
	remark bool // it is a comment to YAML as it stands
}

// shape is what a line is.
type shape uint8

const (
	blank shape = iota
	remark
	directive
	content
)

// use is what a line is in the mask.
type use uint8

const (
	asItIs    use = iota
	asText        // of a block scalar
	asComment     // it moves as one
	asClosed      // of a block whose lines are comments, whatever they hold
)

// linesOf cuts data into lines.
func linesOf(data []byte, actions []action) []line {
	all := make([]line, 0, bytes.Count(data, []byte("\n"))+1)
	for at, next := 0, 0; at < len(data); {
		l := line{Span: text.Span{Start: at, End: breakAfter(data, at)}, first: next, last: next}
		for l.last < len(actions) && actions[l.last].Start < l.End {
			if end := actions[l.last].End; end > l.End {
				l.End = breakAfter(data, end-1)
			}
			l.last++
		}
		l.shape, l.column = shapeOf(data, l, actions[l.first:l.last])
		all = append(all, l)
		at, next = l.End, l.last
	}
	for i, ahead := len(all)-1, len(all); i >= 0; i-- {
		all[i].ahead = ahead
		if s := all[i].shape; s == remark || s == content {
			ahead = i
		}
	}
	return all
}

// breakAfter returns the end of the line of at.
func breakAfter(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// shapeOf returns what l is, which has these actions, and the column of its first
// character.
func shapeOf(data []byte, l line, actions []action) (s shape, column int) {
	column = l.Len()
	for at := l.Start; at < l.End; at++ {
		if len(actions) > 0 && at == actions[0].Start {
			column = min(column, at-l.Start)
			at, actions, s = actions[0].End-1, actions[1:], directive
			continue
		}
		switch c := data[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '#':
			return max(s, remark), min(column, at-l.Start)
		default:
			return content, min(column, at-l.Start)
		}
	}
	return s, column
}
