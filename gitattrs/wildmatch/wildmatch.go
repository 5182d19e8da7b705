// Package wildmatch matches names as git does, in attributes and pathspecs: `*`
// is any text, `?` any character, `[a-z]`, `[!a-z]` and `[[:alpha:]]` one of
// some, and a backslash takes the next character as it is. Characters are bytes.
//
// What a slash means, and where a pattern is anchored, is for who calls it.
package wildmatch

import (
	"errors"
	"strings"
)

// Check returns why pattern matches nothing at all, nil if it may match.
func Check(pattern string) error {
	for i := 0; i < len(pattern); {
		n, _ := atom(pattern[i:], 0)
		switch {
		case n > 0:
			i += n
		case pattern[i] == '\\':
			return errors.New("a backslash at its end escapes nothing")
		default:
			return errors.New("the bracket [ is not closed, or has a class [: :] that is none")
		}
	}
	return nil
}

// MatchPath matches a path element by element. An element `**` of the pattern
// is any number of them, and at the end at least one. It takes time in
// proportion to the product of the lengths, whatever the pattern.
func MatchPath(pattern, path []string) bool {
	// Where it fails behind a `**`, that takes in one more element; an earlier one
	// need not be tried again.
	p, back, from := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true // everything inside, at least one element
			}
			p++
			back, from = p, i
		case p < len(pattern) && Match(pattern[p], path[i]):
			p++
			i++
		case back >= 0:
			from++
			p, i = back, from
		default:
			return false
		}
	}
	return p == len(pattern)
}

// Match reports whether pattern matches all of s, slashes like any other
// character.
func Match(pattern, s string) bool {
	p, back, from := 0, -1, 0
	for i := 0; i < len(s); {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			back, from = p, i
			continue
		}
		if p < len(pattern) {
			if n, ok := atom(pattern[p:], s[i]); ok {
				p += n
				i++
				continue
			}
		}
		if back < 0 {
			return false
		}
		from++
		p, i = back, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// atom returns the length of what matches one character at the start of
// pattern, and whether it matches c; 0 if nothing ever matches there.
func atom(pattern string, c byte) (length int, matches bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) < 2 {
			return 0, false
		}
		return 2, pattern[1] == c
	case '[':
		return bracket(pattern, c)
	}
	return 1, pattern[0] == c
}

// bracket is atom for a bracket: it ends at the first ] that is not its first
// character, nor behind a backslash, in a class or the end of a range.
func bracket(pattern string, c byte) (length int, matches bool) {
	i, negated := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i, negated = 2, true
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return i + 1, matches != negated
		}
		if n, holds := class(pattern[i:]); n < 0 {
			return 0, false
		} else if n > 0 {
			i += n
			matches = matches || holds(c)
			continue
		}
		lo, n := char(pattern[i:])
		i += n
		hi := lo
		if rest := pattern[min(i, len(pattern)):]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			hi, n = char(rest[1:])
			i += 1 + n
		}
		matches = matches || c == lo || lo <= c && c <= hi
	}
	return 0, false
}

// char returns the first character of pattern, escaped or not, and the length
// of it.
func char(pattern string) (c byte, length int) {
	if pattern[0] == '\\' && len(pattern) > 1 {
		return pattern[1], 2
	}
	return pattern[0], 1
}

// class returns the length of a [:name:] at the start of pattern and what is in
// it; 0 if none is there, and -1 if there is no such class.
func class(pattern string) (length int, holds func(byte) bool) {
	if !strings.HasPrefix(pattern, "[:") {
		return 0, nil
	}
	end := strings.IndexByte(pattern, ']')
	if end < 3 || pattern[end-1] != ':' {
		return 0, nil
	}
	if holds = classes[pattern[2:end-1]]; holds == nil {
		return -1, nil
	}
	return end + 1, holds
}

// classes are the character classes of ASCII.
var classes = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > 0x20 && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= 0x20 && c < 0x7f },
	"punct":  func(c byte) bool { return c > 0x20 && c < 0x7f && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
