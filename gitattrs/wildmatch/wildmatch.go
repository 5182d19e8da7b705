// Package wildmatch matches paths against the patterns of .gitattributes files, with the same results as
// git. It does not read such files, and it does not know the additional rules of .gitignore (negation and
// patterns for directories): [Parse] returns an error for them.
//
//	?                            any one byte
//	*                            any text within a path element, also none
//	[a-z]  [!a-z]  [[:alpha:]]   one byte of a set, or one byte that is not in it
//	\*                           the byte after the backslash
//	**                           as an element between slashes: any number of directories
//
// Example:
//
//	g, err := wildmatch.Parse("deploy/**/*.yaml")
//	g.Match("deploy/web.yaml")        // true
//	g.Match("deploy/eu/shop/db.yaml") // true
//	g.Match("web.yaml")               // false
package wildmatch

import (
	"errors"
	"fmt"
	"strings"
)

// A Glob is a parsed pattern of a .gitattributes file. A pattern without a slash is compared with the last
// element of a path, in any directory. A pattern with a slash is compared with the whole path from the
// top of the work tree; a slash at its start is dropped. The zero value matches nothing; see [Parse].
type Glob struct {
	segments     []segment
	baseNameOnly bool // the pattern has no slash
}

// A segment is a part of a pattern between slashes, which matches one element of a path, or ** for any number of them.
type segment string

// An atom is a star, which matches any number of bytes, or a part of a segment that matches exactly one byte, such as
// a, ?, [b-c] or \d.
type atom string

// maxPatternLength is the length in bytes of the longest pattern that Parse accepts. Git ignores lines of an
// attributes file with 2,048 bytes or more, and the attributes need room in the same line.
const maxPatternLength = 1900

// Parse parses a pattern. It returns an error with the reason if git would never match a file with the pattern, for
// example because it ends with a slash or a bracket is not closed, or if it has more than 1900 bytes. In a pattern with
// a slash, `**` next to other text, as in x**/a, is an error too, because git is inconsistent there.
func Parse(s string) (Glob, error) {
	switch {
	case s == "":
		return Glob{}, errors.New("empty pattern")
	case len(s) > maxPatternLength:
		return Glob{}, fmt.Errorf("longer than %d bytes (git ignores lines of 2,048 or more)", maxPatternLength)
	case strings.HasPrefix(s, "!"):
		return Glob{}, errors.New("a leading ! is not supported")
	case strings.HasSuffix(s, "/"):
		return Glob{}, errors.New("a directory does not match files, use " + s + "**")
	}
	g := Glob{baseNameOnly: !strings.Contains(s, "/")}
	for text := range strings.SplitSeq(strings.TrimPrefix(s, "/"), "/") {
		var err error
		if strings.ContainsAny(text, `[\`) { // other segments are valid
			_, err = segment(text).split()
		}
		isDoubleStar := !g.baseNameOnly && strings.Contains(text, "**")
		switch {
		case text == "":
			return Glob{}, errors.New("two slashes in a row")
		case text == "." || text == "..":
			return Glob{}, errors.New(". and .. are not allowed in a path from the top of the work tree")
		case err != nil:
			return Glob{}, err
		case isDoubleStar && strings.Trim(text, "*") != "":
			// In git, x**/a matches xa, but y/x**/a does not match y/xa.
			return Glob{}, errors.New("** must be between slashes, as in a/**/b")
		case isDoubleStar:
			text = "**"
		}
		g.segments = append(g.segments, segment(text))
	}
	if !g.baseNameOnly && g.segments[len(g.segments)-1] == "**" { // x/** needs at least one element after x
		g.segments = append(g.segments, "*")
	}
	return g, nil
}

// Match reports whether path matches. The path is relative to the top of the work tree and separated by slashes, such
// as deploy/web.yaml. Upper and lower case differ. The time is at most proportional to the product of the two lengths,
// for every pattern.
func (g Glob) Match(path string) bool {
	if g.baseNameOnly {
		return g.segments[0].matches(path[strings.LastIndexByte(path, '/')+1:])
	}
	return matchSequence(g.segments, strings.Split(path, "/"), "**", segment.matches)
}

// matches reports whether s matches all of name, an element of a path.
func (s segment) matches(name string) bool {
	const special = `*?[\`
	first := strings.IndexAny(string(s), special)
	if first < 0 {
		return string(s) == name
	}
	last := strings.LastIndexAny(string(s), special+"]")
	if !strings.HasPrefix(name, string(s[:first])) || !strings.HasSuffix(name, string(s[last+1:])) {
		return false // as for most names
	}
	atoms, _ := s.split() // Parse has checked the error
	return matchSequence(atoms, []byte(name), "*", atom.matches)
}

// matches reports whether a, which is not a star, matches the byte c.
func (a atom) matches(c byte) bool {
	switch a[0] {
	case '?':
		return true
	case '\\':
		return a[1] == c
	case '[':
		_, matches := matchBracket(string(a), c)
		return matches
	}
	return a[0] == c
}

// matchSequence reports whether pattern matches the whole list of items. An element of pattern that equals star matches
// any number of items, also none; every other element matches one item if matches returns true.
func matchSequence[P ~string, T any](pattern []P, items []T, star P, matches func(P, T) bool) bool {
	at, afterStar, starEnd := 0, -1, 0
	for i := 0; i < len(items); {
		switch {
		case at < len(pattern) && pattern[at] == star:
			at++
			afterStar, starEnd = at, i
		case at < len(pattern) && matches(pattern[at], items[i]):
			at++
			i++
		case afterStar >= 0: // extend the last star; another split of the items before it cannot help the rest of pattern
			starEnd++
			at, i = afterStar, starEnd
		default:
			return false
		}
	}
	for at < len(pattern) && pattern[at] == star {
		at++
	}
	return at == len(pattern)
}

// split returns the atoms of s: a, ?, [b-c], \d and * for a?[b-c]\d*. It fails if s ends with a backslash, or if a
// bracket is not closed or has an unknown class.
func (s segment) split() (atoms []atom, err error) {
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '\\':
			if n = 2; i+1 == len(s) {
				return nil, errors.New("backslash at the end")
			}
		case '[':
			if n, _ = matchBracket(string(s[i:]), 0); n == 0 {
				return nil, errors.New("unclosed [ or unknown class [: :]")
			}
		}
		atoms = append(atoms, atom(s[i:i+n]))
		i += n
	}
	return atoms, nil
}

// matchBracket returns the length of the bracket expression that pattern starts with, and whether it matches the byte
// c. pattern must start with [. It returns 0 and false if the bracket is not closed or names an unknown class.
//
//	[a-c]x        length 5; matches a, b and c
//	[!a]          length 4; matches all bytes except a; [^a] is the same
//	[[:digit:]]   length 11; matches 0 to 9
func matchBracket(pattern string, c byte) (length int, matches bool) {
	i, negated := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i, negated = 2, true
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return i + 1, matches != negated
		}
		if class, ok := strings.CutPrefix(pattern[i:], "[:"); ok {
			if name, _, ok := strings.Cut(class, ":]"); ok && !strings.Contains(name, "]") {
				ranges, known := classRanges[name]
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
		low, n := leadingChar(pattern[i:])
		i += n
		high := low
		if rest := pattern[min(i, len(pattern)):]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			high, n = leadingChar(rest[1:])
			i += 1 + n
		}
		matches = matches || c == low || low <= c && c <= high
	}
	return 0, false
}

// leadingChar returns the byte that pattern, which is not empty, starts with, and the number of bytes it
// takes: 2 if it is escaped by a backslash, otherwise 1.
func leadingChar(pattern string) (c byte, length int) {
	if pattern[0] == '\\' && len(pattern) > 1 {
		return pattern[1], 2
	}
	return pattern[0], 1
}

// classRanges are the bytes in each character class, by its name, for ASCII. Each value is a list of pairs:
// the first and the last byte of a range.
var classRanges = map[string]string{
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
