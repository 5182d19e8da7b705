package elide

import (
	"bytes"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// kind is what a line is.
type kind uint8

const (
	other   kind = iota // anything that is not known to be one of the rest
	blank               // nothing but spaces
	comment             // a comment of its own
	marker              // --- or ..., alone on its line
	field               // key: value
	item                // - value
	pair                // - key: value
)

// value is what stands behind the colon or dash of a line.
type value uint8

const (
	unsure value = iota
	none         // nothing, or a comment
	inline       // a complete value
	header       // the header of a literal or of folded text
)

// A line is a line of the text, with its break.
type line struct {
	text.Span
	kind  kind
	value value
	col   int       // of what stands there first
	inner int       // the column of the key of a pair
	key   text.Span // of a field or pair, without quotes
	after int       // where the value of a field or pair starts, or the blanks before it
	clean bool      // nothing but printable characters
	dash  bool      // of another line: it starts with one
	block bool      // of another line: perhaps a header of text on several lines
}

// readLine reads the line of src that starts at start; its break stands before
// end.
func readLine(src []byte, start, end int) line {
	l := line{Span: text.Span{Start: start, End: end}}
	if n := bytes.IndexByte(src[start:end], '\n'); n >= 0 {
		l.End = start + n + 1
	}
	b := src[start:l.End]
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	} else {
		l.clean = false
		l.col = indent(b)
		return l // the last line, without a break
	}
	l.clean = printable(b)
	l.col = indent(b)
	rest := b[l.col:]
	switch {
	case len(rest) == 0:
		l.kind = blank
	case rest[0] == '#':
		l.kind = comment
	case !l.clean:
	case rest[0] == '-':
		l.item(rest)
	case l.col == 0 && string(rest) == "...":
		l.kind = marker
	case l.col == 0 && rest[0] == '%':
	default:
		l.inner = l.col
		l.field(rest, field)
	}
	if l.kind == other {
		l.block = perhapsHeader(rest)
		l.dash = rest[0] == '-'
	}
	return l
}

// item reads what starts with a dash.
func (l *line) item(b []byte) {
	switch {
	case l.col == 0 && string(b) == "---":
		l.kind = marker
		return
	case len(b) < 3 || b[1] != ' ':
		return
	}
	n := 1 + indent(b[1:])
	if rest := b[n:]; len(rest) > 0 && rest[0] != '-' {
		l.inner = l.col + n
		if l.field(rest, pair); l.kind == pair {
			return
		}
		if l.value = readValue(rest); l.value == inline {
			l.kind = item
		}
	}
}

// field reads a key and its value.
func (l *line) field(b []byte, k kind) {
	key, n := readKey(b)
	if n == 0 {
		return
	}
	if v := readValue(b[n:]); v != unsure {
		at := l.Start + l.inner
		if b[0] == '"' || b[0] == '\'' {
			at++
		}
		l.after = l.Start + l.inner + n
		l.kind, l.value, l.key = k, v, text.Span{Start: at, End: at + len(key)}
	}
}

// indent returns the number of spaces that b starts with.
func indent(b []byte) int {
	for i, c := range b {
		if c != ' ' {
			return i
		}
	}
	return len(b)
}

// printable reports whether nothing in b is a control character, a tab, a line
// break of YAML or what a YAML parser might refuse.
func printable(b []byte) bool {
	for i, c := range b {
		if c-0x20 > 0x5e {
			return c > 0x7f && readable(b[i:])
		}
	}
	return true
}

func readable(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0xd800 && r < 0xe000, r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xfff0:
			return false
		}
		b = b[n:]
	}
	return true
}

// perhapsHeader reports whether b may be the header of text on several lines.
func perhapsHeader(b []byte) bool {
	if i := bytes.Index(b, []byte(" #")); i >= 0 {
		b = b[:i]
	}
	b = bytes.TrimRight(b, " \t\r+-0123456789")
	return len(b) > 0 && (b[len(b)-1] == '|' || b[len(b)-1] == '>')
}
