// Package wildmatch matches names as git does in attributes: `*` is any text, `?` any character,
// `[a-z]`, `[!a-z]` and `[[:alpha:]]` one of some, and a backslash takes the next character as it
// is. Characters are bytes.
package wildmatch

import (
	"errors"
	"fmt"
	"strings"
)

// A Glob is a pattern of file names as in .gitattributes. Without a slash it matches the last
// element of a path; with one, the whole path from the top of the work tree. `**` between slashes
// is any number of directories.
type Glob struct {
	segments []string
	base     bool // matches the last element of a path alone
}

// maxLength is that of a pattern that git reads together with an attribute, in a line of 2,048 bytes.
const maxLength = 1900

// Parse reads a pattern. The error says why git would never match a file with it.
func Parse(s string) (Glob, error) {
	switch {
	case s == "":
		return Glob{}, errors.New("an empty pattern matches nothing")
	case len(s) > maxLength:
		return Glob{}, fmt.Errorf("longer than %d bytes, and git ignores lines of more than 2,048", maxLength)
	case strings.HasPrefix(s, "!"):
		return Glob{}, errors.New("a pattern cannot be negated")
	case strings.HasSuffix(s, "/"):
		return Glob{}, errors.New("a directory matches no file; for all below it write " + s + "**")
	}
	g := Glob{base: !strings.Contains(s, "/")}
	g.segments = strings.Split(strings.TrimPrefix(s, "/"), "/")
	for i, seg := range g.segments {
		_, err := atoms(seg)
		stars := strings.Contains(seg, "**")
		switch {
		case seg == "":
			return Glob{}, errors.New("two slashes in a row match nothing")
		case seg == "." || seg == "..":
			return Glob{}, errors.New("paths start at the top of the work tree and never leave it")
		case err != nil:
			return Glob{}, err
		case stars && !g.base && strings.Trim(seg, "*") != "":
			// git itself is of two minds: x**/a matches xa, y/x**/a not y/xa.
			return Glob{}, errors.New("** has to be alone between slashes")
		case stars && !g.base:
			g.segments[i] = "**"
		}
	}
	return g, nil
}

// Match reports whether a slash-separated path matches. It takes time in proportion to the product
// of the lengths, whatever the pattern.
func (g Glob) Match(path string) bool {
	if g.base {
		return matchName(g.segments[0], path[strings.LastIndexByte(path, '/')+1:])
	}
	pattern := g.segments
	if n := len(pattern); pattern[n-1] == "**" { // at the end, one element at least
		pattern = append(pattern[:n:n], "*")
	}
	return match(pattern, strings.Split(path, "/"), "**", matchName)
}

// matchName reports whether pattern matches all of s.
func matchName(pattern, s string) bool {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return pattern == s
	}
	all, err := atoms(pattern)
	return err == nil && match(all, []byte(s), "*", func(atom string, c byte) bool {
		switch atom[0] {
		case '?':
			return true
		case '\\':
			return atom[1] == c
		case '[':
			_, matches := bracket(atom, c)
			return matches
		}
		return atom[0] == c
	})
}

// match reports whether pattern matches all items, of which a star is any number. Where it
// fails behind a star, that takes in one more; an earlier one need not be tried again.
func match[T any](pattern []string, items []T, star string, matches func(string, T) bool) bool {
	p, back, from := 0, -1, 0
	for i := 0; i < len(items); {
		switch {
		case p < len(pattern) && pattern[p] == star:
			p++
			back, from = p, i
		case p < len(pattern) && matches(pattern[p], items[i]):
			p++
			i++
		case back >= 0:
			from++
			p, i = back, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == star {
		p++
	}
	return p == len(pattern)
}

// atoms cuts a pattern into what matches one character each, and stars. The error is why it matches
// nothing at all.
func atoms(pattern string) (all []string, err error) {
	for i := 0; i < len(pattern); {
		n := 1
		switch pattern[i] {
		case '\\':
			if n = 2; i+1 == len(pattern) {
				return nil, errors.New("a backslash at its end escapes nothing")
			}
		case '[':
			if n, _ = bracket(pattern[i:], 0); n == 0 {
				return nil, errors.New("the bracket [ is not closed, or has a class [: :] that is none")
			}
		}
		all = append(all, pattern[i:i+n])
		i += n
	}
	return all, nil
}

// bracket returns the length of a bracket at the start of pattern, 0 if it is none, and whether
// it matches c: it ends at the first ] that is not its first character, nor behind a backslash,
// in a class or the end of a range.
func bracket(pattern string, c byte) (length int, matches bool) {
	i, negated := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i, negated = 2, true
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return i + 1, matches != negated
		}
		if rest, ok := strings.CutPrefix(pattern[i:], "[:"); ok {
			if name, _, ok := strings.Cut(rest, ":]"); ok && !strings.Contains(name, "]") {
				ranges, known := classes[name]
				if !known {
					return 0, false
				}
				for ; ranges != ""; ranges = ranges[2:] {
					matches = matches || ranges[0] <= c && c <= ranges[1]
				}
				i += len("[::]") + len(name)
				continue
			}
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

// classes are the character classes of ASCII, as ranges: from, to, from, to.
var classes = map[string]string{
	"alnum":  "azAZ09",
	"alpha":  "azAZ",
	"blank":  "  \t\t",
	"cntrl":  "\x00\x1f\x7f\x7f",
	"digit":  "09",
	"graph":  "!~",
	"lower":  "az",
	"print":  " ~",
	"punct":  "!/:@[`{~",
	"space":  "  \t\r",
	"upper":  "AZ",
	"xdigit": "09afAF",
}
