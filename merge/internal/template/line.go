package template

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A line is a line of a file, or several that one action joins.
type line struct {
	text.Span
	first, last int // its actions, [first, last)
	column      int // of its first character
	ahead       int // the next line that is neither blank nor a directive, by its index
	limit       int // in which column it may start at most, as a comment of the mask
	shape       shape
	use         use  // what the mask makes of it
	remark      bool // it is a comment to YAML as it stands
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

// header returns the column of what holds the block scalar whose | or > ends a
// line; it reports false where none does.
func header(line []byte) (parent int, ok bool) {
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, '>') < 0 {
		return 0, false
	}
	body := string(bytes.TrimRight(line, " \t\r\n"))
	if i := strings.Index(body, " #"); i >= 0 {
		body = strings.TrimRight(body[:i], " \t")
	}
	i := strings.LastIndexAny(body, " \t")
	if !isHeader(body[i+1:]) || i < 0 {
		return 0, false
	}
	before := strings.TrimRight(body[:i], " \t")
	for {
		i := strings.LastIndexAny(before, " \t")
		if word := before[i+1:]; word == "" || word[0] != '!' && word[0] != '&' {
			break
		}
		before = strings.TrimRight(before[:max(i, 0)], " \t")
	}
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "-") {
		return 0, false
	}
	return holder(before), true
}

// isHeader reports whether a word is that of a block scalar: |, >-, |2.
func isHeader(word string) bool {
	return word != "" && (word[0] == '|' || word[0] == '>') && len(word) <= 3 && strings.Trim(word[1:], "+-123456789") == ""
}

// holder is the column of the key or dash that holds what follows the line
// before.
func holder(before string) int {
	at := len(before) - len(strings.TrimLeft(before, " "))
	for {
		rest, ok := strings.CutPrefix(before[at:], "-")
		if !ok || strings.TrimLeft(rest, " ") == rest {
			return at
		}
		at += 1 + len(rest) - len(strings.TrimLeft(rest, " "))
	}
}

// openQuote returns the quote that is open at the end of a line, 0 if none is;
// open is the one at its start. Only quotes in which a value starts count.
func openQuote(line []byte, open byte) byte {
	if open == 0 && bytes.IndexByte(line, '"') < 0 && bytes.IndexByte(line, '\'') < 0 {
		return 0
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case open == '"' && c == '\\':
			i++
		case c == open:
			open = 0
		case open != 0 || c != '"' && c != '\'':
			if open == 0 && c == '#' && i > 0 && line[i-1] == ' ' {
				return 0
			}
		case i == 0 || bytes.IndexByte([]byte(" [{,"), line[i-1]) >= 0 && startsValue(line[:i]):
			open = c
		}
	}
	return open
}

// startsValue reports whether a value or a key starts behind the line before.
func startsValue(before []byte) bool {
	before = bytes.TrimRight(before, " ")
	return len(before) == 0 || bytes.IndexByte([]byte(":-[{,"), before[len(before)-1]) >= 0
}
