package elide

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// inWord says which characters stand in words: plain keys, and plain scalars in brackets.
var inWord = func() (t [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$+()~=^@-") {
		t[c] = true
	}
	return t
}()

// starts reports whether a plain scalar may start with b.
func starts(b []byte) bool { return len(b) > 0 && inWord[b[0]] && b[0] != '@' && b[0] != '-' }

// maxKey bounds the length of keys: YAML has a limit of 1024.
const maxKey = 500

// isEnd reports whether a token may end where b follows.
func isEnd(b []byte) bool { return len(b) == 0 || b[0] == ' ' }

// readKey reads a key from the start of b: the key without quotes, and how long it is with
// its colon; 0 if there is no such key.
func readKey(b []byte) (key []byte, n int) {
	n = word(b)
	if key = b[:n]; n > 0 && !inWord[b[0]] {
		key = inner(key)
	}
	if len(key) == 0 || n > maxKey || n == len(b) || b[n] != ':' || !isEnd(b[n+1:]) || isNull(b[:n]) {
		return nil, 0
	}
	return key, n + 1
}

func isNull(b []byte) bool {
	return string(b) == "~" || bytes.EqualFold(b, []byte("null"))
}

// readInline reads a value of one line, behind which a comment may stand: how long it is, 0
// if it is not sure to be one, and its text, if it is a scalar that has one.
func readInline(b []byte) (word text.Span, n int) {
	switch b[0] {
	case '"', '\'':
		n = quoted(b)
		if inner(b[:n]) != nil {
			word = text.Span{Start: 1, End: n - 1}
		}
	case '[', '{':
		n = flow(b)
	default:
		if n = readPlain(b); !isNull(b[:n]) {
			word = text.Span{End: n}
		}
	}
	rest := b[n:]
	if behind := rest[indent(rest):]; !isEnd(rest) || len(behind) > 0 && behind[0] != '#' {
		return text.Span{}, 0
	}
	return word, n
}

// readPlain returns the length of the plain scalar of one line that b starts with, 0 if it
// is not sure to be one.
func readPlain(b []byte) int {
	if !starts(b) && (b[0] != '-' || isEnd(b[1:])) {
		return 0
	}
	for i, c := range b {
		if c == ':' && isEnd(b[i+1:]) {
			return 0
		}
		if c == '#' && b[i-1] == ' ' {
			b = b[:i]
			break
		}
	}
	return len(bytes.TrimRight(b, " "))
}

// quoted returns the length of the quoted text that b starts with, which may have escapes
// of one character in it; 0 if it does not end or has others.
func quoted(b []byte) int {
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

// inner is what stands in quotes; nil if that is nothing, or may have escapes.
func inner(b []byte) []byte {
	if len(b) < 3 || bytes.ContainsAny(b[1:len(b)-1], `\'`) {
		return nil
	}
	return b[1 : len(b)-1]
}

// flow returns the length of the flow collection of scalars that b starts with, 0 if it is
// not sure to be one.
func flow(b []byte) int {
	end := b[0] + 2 // of ] and }
	if len(b) > 1 && b[1] == end {
		return 2
	}
	for n := 1; n < len(b); n++ {
		n += indent(b[n:])
		if b[0] == '{' {
			_, key := readKey(b[n:])
			if key == 0 {
				return 0
			}
			n += key + indent(b[n+key:])
		}
		dashes := len(b[n:]) - len(bytes.TrimLeft(b[n:], "-"))
		value := word(b[n+dashes:])
		if n += dashes; dashes > 0 && !starts(b[n:]) {
			return 0
		}
		n += value
		n += indent(b[n:])
		switch {
		case value == 0 || n == len(b):
			return 0
		case b[n] == end:
			return n + 1
		case b[n] != ',':
			return 0
		}
	}
	return 0
}

// word returns the length of the key, or scalar in brackets, that b starts with, 0 if it is
// not sure to be one.
func word(b []byte) (n int) {
	switch {
	case len(b) > 0 && (b[0] == '"' || b[0] == '\''):
		return quoted(b)
	case !starts(b):
		return 0
	}
	for n < len(b) && (inWord[b[n]] || b[n] == ':' && n+1 < len(b) && inWord[b[n+1]]) {
		n++
	}
	return n
}

// printable reports whether nothing in b, which is UTF-8, is a control character, a tab, a
// line break of YAML or what a YAML parser might refuse.
func printable(b []byte) bool {
	for i, c := range b {
		if c-0x20 > 0x5e {
			return c > 0x7f && bytes.IndexFunc(b[i:], func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}
	}
	return true
}

// indent returns the number of spaces that b starts with.
func indent(b []byte) int {
	n := 0
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}
