package elide

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The functions in this file read tokens from the start of b, the rest of a line without its line break. They
// accept a subset of YAML and report everything else as not understood.

// wordBytes has the bytes that may occur in a word: a plain key, or a plain scalar in a flow collection.
var wordBytes = func() (t [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$+()~=^@-") {
		t[c] = true
	}
	return t
}()

// startsWord reports whether b starts with a byte that may begin a word. "@" and "-" may only follow.
func startsWord(b []byte) bool { return len(b) > 0 && wordBytes[b[0]] && b[0] != '@' && b[0] != '-' }

// maxKeyLen is the largest length of a key in bytes. YAML's own limit for a key on one line is 1024 characters.
const maxKeyLen = 500

// isTokenEnd reports whether a token may end before rest: at the end of the line or before a space.
func isTokenEnd(rest []byte) bool { return len(rest) == 0 || rest[0] == ' ' }

// readKey returns the mapping key at the start of b, without quotes, and its length n with quotes and colon. It returns
// nil and 0 if there is none, or one that this package does not understand.
//
//	a: 1      key a, n 2
//	"a b": 1  key a b, n 6
//	a:1       nil, 0
//
// It understands words and quoted keys without escapes. A key must not be null, empty or longer than maxKeyLen.
func readKey(b []byte) (key []byte, n int) {
	n = wordLen(b)
	key = b[:n]
	if n > 0 && !wordBytes[b[0]] { // a quote
		key = stripQuotes(key)
	}
	hasColon := n < len(b) && b[n] == ':' && isTokenEnd(b[n+1:])
	if !hasColon || len(key) == 0 || n > maxKeyLen || isNull(b[:n]) {
		return nil, 0
	}
	return key, n + 1
}

// isNull reports whether the plain scalar b is null in YAML: ~ or null in any case.
func isNull(b []byte) bool {
	return string(b) == "~" || bytes.EqualFold(b, []byte("null"))
}

// readInlineValue returns the length n of the value at the start of b: a scalar or flow collection, after which only a
// comment may follow. n is 0 if the value is not understood, or if something else follows. content is the span of a
// scalar without its quotes.
//
//	"a b" # c  content a b, n 5
//	[a, b]     content empty, n 6
//	&x a       content empty, n 0
//
// content is also empty for null, and for quoted scalars that may have escapes. b must not be empty.
func readInlineValue(b []byte) (content text.Span, n int) {
	switch b[0] {
	case '"', '\'':
		n = quotedLen(b)
		if stripQuotes(b[:n]) != nil {
			content = text.Span{Start: 1, End: n - 1}
		}
	case '[', '{':
		n = flowLen(b)
	default:
		if n = plainLen(b); !isNull(b[:n]) {
			content = text.Span{End: n}
		}
	}
	rest := b[n:]
	trailing := rest[countIndent(rest):]
	if n == 0 || !isTokenEnd(rest) || len(trailing) > 0 && trailing[0] != '#' {
		return text.Span{}, 0
	}
	return content, n
}

// plainLen returns the length of the plain scalar at the start of b, the rest of a line in block style. Spaces at the
// end and a comment are not counted. It returns 0 for a field, for an item, and for anything that starts with neither a
// word nor a dash. b must not be empty.
//
//	a b # c   3
//	-1        2
//	- a       0
//	a: b      0
func plainLen(b []byte) int {
	if !startsWord(b) && (b[0] != '-' || isTokenEnd(b[1:])) {
		return 0
	}
	for i, c := range b {
		if c == ':' && isTokenEnd(b[i+1:]) {
			return 0
		}
		if c == '#' && b[i-1] == ' ' {
			b = b[:i]
			break
		}
	}
	return len(bytes.TrimRight(b, " "))
}

// quotedLen returns the length of the quoted scalar that b starts with, with its quotes. It returns 0 if the scalar
// does not end in b, or if double quotes have an escape that is not read here. b[0] must be a quote.
func quotedLen(b []byte) int {
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

// stripQuotes returns the content of the quoted scalar b, as a part of b. It returns nil if the content is empty, or if
// it contains a backslash or a single quote, which may be part of an escape. b may be empty; the result is then nil.
func stripQuotes(b []byte) []byte {
	if len(b) < 3 || bytes.ContainsAny(b[1:len(b)-1], `\'`) {
		return nil
	}
	return b[1 : len(b)-1]
}

// flowLen returns the length of the flow collection at the start of b, with its brackets. It may contain only quoted
// scalars and words, with or without dashes before a word. For anything else in it, and if it does not end in b, it
// returns 0. b[0] must be "[" or "{".
//
//	[a, 'b', --c]  13
//	{a: b}         6
//	{a: [b]}       0
//	[a, ]          0
//	[]             2
func flowLen(b []byte) int {
	end := b[0] + 2 // "]" for "[", "}" for "{"
	if len(b) > 1 && b[1] == end {
		return 2
	}
	for n := 1; n < len(b); n++ { // reads an entry; n++ is for the comma after it
		n += countIndent(b[n:])
		if b[0] == '{' {
			_, keyLen := readKey(b[n:])
			if keyLen == 0 {
				return 0
			}
			n += keyLen
			n += countIndent(b[n:])
		}
		valueLen := flowValueLen(b[n:])
		n += valueLen
		n += countIndent(b[n:])
		switch {
		case valueLen == 0 || n == len(b):
			return 0
		case b[n] == end:
			return n + 1
		case b[n] != ',':
			return 0
		}
	}
	return 0
}

// flowValueLen returns the length of the value in a flow collection that b starts with: a quoted scalar, or a word with
// or without dashes before it, as in --c. It returns 0 if there is none.
func flowValueLen(b []byte) int {
	dashes := len(b) - len(bytes.TrimLeft(b, "-"))
	if dashes > 0 && !startsWord(b[dashes:]) {
		return 0
	}
	return dashes + wordLen(b[dashes:])
}

// wordLen returns the length of the word or quoted scalar at the start of b, or 0 if there is none, or if the quote
// does not end. A word consists of wordBytes; it does not start with @ or -. It can contain a colon if another of these
// bytes follows, as in "http://a".
func wordLen(b []byte) (n int) {
	switch {
	case len(b) > 0 && (b[0] == '"' || b[0] == '\''):
		return quotedLen(b)
	case !startsWord(b):
		return 0
	}
	hasWordByte := func(i int) bool { return i < len(b) && wordBytes[b[i]] }
	for hasWordByte(n) || hasWordByte(n+1) && b[n] == ':' {
		n++
	}
	return n
}

// isPrintable reports whether every character of b is printable, as Go defines it, so that the lines can be elided. The
// space is the only white space that is: tabs, control characters, byte order marks and Unicode line separators are not
// printable. b must be UTF-8.
func isPrintable(b []byte) bool {
	for i, c := range b {
		if c < ' ' || c > '~' { // not printable ASCII; most lines have no such byte
			return c >= utf8.RuneSelf && bytes.IndexFunc(b[i:], func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}
	}
	return true
}

// countIndent returns the number of spaces that b starts with.
func countIndent(b []byte) int {
	n := 0
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}
