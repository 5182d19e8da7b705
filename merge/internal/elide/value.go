package elide

import (
	"bytes"
	"strings"
)

// class says where a character may stand.
type class uint8

const (
	inKey class = 1 << iota // in a plain key
	first                   // at the start of a plain key or value
	flow                    // in a plain scalar in brackets
)

var classes = makeClasses()

func makeClasses() (t [256]class) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			t[c] = inKey | first | flow
		}
	}
	for _, c := range "_./$+()~=^" {
		t[c] |= inKey | first | flow
	}
	for _, c := range "@-" {
		t[c] |= inKey | flow
	}
	for _, c := range "<>*;&" {
		t[c] |= flow
	}
	for _, c := range "<;" {
		t[c] |= first
	}
	t[':'] |= inKey
	return t
}

// maxKey bounds the length of keys: YAML has a limit of 1024.
const maxKey = 500

// readKey reads a key with its colon from the start of b: the key without
// quotes, and where its value starts; 0 if there is no such key.
func readKey(b []byte) (key []byte, n int) {
	if b[0] == '"' || b[0] == '\'' {
		n = quoted(b)
		if n < 3 || n > maxKey || n == len(b) || b[n] != ':' {
			return nil, 0
		}
		key = b[1 : n-1]
	} else {
		if classes[b[0]]&first == 0 || b[0] == '<' || b[0] == ';' {
			return nil, 0
		}
		for n < len(b) && classes[b[n]]&inKey != 0 && (b[n] != ':' || n+1 < len(b) && b[n+1] != ' ') {
			n++
		}
		if n > maxKey || n == len(b) || b[n] != ':' || isNull(b[:n]) {
			return nil, 0
		}
		key = b[:n]
	}
	if n+1 < len(b) && b[n+1] != ' ' {
		return nil, 0
	}
	return key, n + 1
}

func isNull(b []byte) bool {
	return string(b) == "~" || len(b) == 4 && string(bytes.ToLower(b)) == "null"
}

// quoted returns the length of the quoted text that b starts with, 0 if it
// does not end or has escapes in it.
func quoted(b []byte) int {
	n := 1 + bytes.IndexByte(b[1:], b[0])
	switch {
	case n == 0, b[0] == '\'' && n+1 < len(b) && b[n+1] == '\'', b[0] == '"' && bytes.IndexByte(b[1:n], '\\') >= 0:
		return 0
	}
	return n + 1
}

// escaped returns the length of the quoted text that b starts with, which may have escapes
// of one character in it; 0 if it does not end or has others.
func escaped(b []byte) int {
	for n := 1; n < len(b); n++ {
		switch {
		case b[n] == '\\' && b[0] == '"':
			if n++; n == len(b) || strings.IndexByte(`\"/ntr0abefv`, b[n]) < 0 {
				return 0
			}
		case b[n] != b[0]:
		case b[0] == '\'' && n+1 < len(b) && b[n+1] == '\'':
			n++
		default:
			return n + 1
		}
	}
	return 0
}

// readValue says what the value b is, which starts behind a colon or a dash.
func readValue(b []byte) value {
	n := indent(b)
	switch rest := b[n:]; {
	case len(rest) == 0:
		return none
	case rest[0] == '#' && n > 0:
		return none
	default:
		return readScalar(rest)
	}
}

func readScalar(b []byte) value {
	switch c := b[0]; {
	case c == '"' || c == '\'':
		return ended(b, escaped(b))
	case c == '{' || c == '[':
		return ended(b, bracketed(b, 0))
	case c == '|' || c == '>':
		if len(b) == 1 || len(b) == 2 && b[1] == '-' {
			return header
		}
		return unsure
	case classes[c]&first != 0, c == '-' && len(b) > 1 && b[1] != ' ':
		return plain(b)
	}
	return unsure
}

// ended is inline if nothing but a comment follows the n bytes of a value, none
// of which mean that it is no value.
func ended(b []byte, n int) value {
	if n == 0 {
		return unsure
	}
	rest := b[n:]
	blanks := indent(rest)
	if blanks == len(rest) || blanks > 0 && rest[blanks] == '#' {
		return inline
	}
	return unsure
}

// plain reads a plain scalar.
func plain(b []byte) value {
	for i, c := range b {
		switch {
		case c == ':' && (i+1 == len(b) || b[i+1] == ' '):
			return unsure
		case c == '#' && b[i-1] == ' ':
			return inline
		}
	}
	return inline
}

// goesOn reports whether b, a complete value, may go on in the next line: it is plain,
// and no comment follows it.
func goesOn(b []byte) bool {
	b = b[indent(b):]
	return (classes[b[0]]&first != 0 || b[0] == '-') && !bytes.Contains(b, []byte(" #"))
}

// continues reports whether b, a line without the blanks before it, can be nothing but more
// of a plain scalar that stands left of it.
func continues(b []byte) bool {
	return classes[b[0]]&first != 0 && plain(b) == inline && goesOn(b)
}

// maxDepth and maxFields bound what is read in brackets.
const (
	maxDepth  = 4
	maxFields = 16
)

// bracketed returns the length of the flow collection that b starts with, 0 if
// it is not sure to be one.
func bracketed(b []byte, depth int) int {
	end := b[0] + 2 // of ] and }
	mapping := b[0] == '{'
	var keys [][]byte
	n := 1 + indent(b[1:])
	if n < len(b) && b[n] == end {
		return n + 1
	}
	for n < len(b) && depth < maxDepth {
		if mapping {
			key, m := flowKey(b[n:])
			if m == 0 || len(keys) == maxFields || contains(keys, key) {
				return 0
			}
			keys = append(keys, key)
			n += m
		}
		m := flowValue(b[n:], depth)
		if m == 0 {
			return 0
		}
		n += m
		n += indent(b[n:])
		switch {
		case n == len(b):
			return 0
		case b[n] == end:
			return n + 1
		case b[n] != ',':
			return 0
		}
		n++
		n += indent(b[n:])
	}
	return 0
}

func contains(keys [][]byte, key []byte) bool {
	for _, k := range keys {
		if bytes.Equal(k, key) {
			return true
		}
	}
	return false
}

// flowKey reads a key with its colon and the blank behind it.
func flowKey(b []byte) (key []byte, n int) {
	if b[0] == '"' || b[0] == '\'' {
		if n = quoted(b); n < 3 {
			return nil, 0
		}
		key = b[1 : n-1]
	} else {
		if n = flowPlain(b); n == 0 || isNull(b[:n]) || string(b[:n]) == "<<" {
			return nil, 0
		}
		key = b[:n]
	}
	if n > maxKey || n+1 >= len(b) || b[n] != ':' || b[n+1] != ' ' {
		return nil, 0
	}
	return key, n + 1 + indent(b[n+1:])
}

func flowValue(b []byte, depth int) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"', '\'':
		return quoted(b)
	case '{', '[':
		return bracketed(b, depth+1)
	}
	return flowPlain(b)
}

// flowPlain returns the length of the plain scalar without blanks that b
// starts with.
func flowPlain(b []byte) int {
	if classes[b[0]]&first == 0 && (b[0] != '-' || len(b) < 2 || classes[b[1]]&flow == 0) {
		return 0
	}
	n := 0
	for n < len(b) && (classes[b[n]]&flow != 0 || b[n] == ':' && n+1 < len(b) && classes[b[n+1]]&flow != 0) {
		n++
	}
	return n
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
