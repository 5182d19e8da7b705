package schema

import (
	"strings"
)

// A glob is a pattern of file names as in .gitattributes. Without a slash it
// matches the last element of a path; with one, the whole path from the top
// of the work tree. `*` and `?` match no slash, `**` between slashes matches
// any number of directories, a backslash takes the next character as it is.
type glob struct {
	segments []string
	base     bool // matches the last element of a path alone
}

// errGlob is what is wrong with a pattern that can never match what it seems to.
type errGlob string

func (e errGlob) Error() string { return string(e) }

// parseGlob reads a pattern. Its errors say what is wrong.
func parseGlob(s string) (glob, error) {
	switch {
	case s == "":
		return glob{}, errGlob("an empty pattern matches nothing")
	case strings.HasPrefix(s, "!"):
		return glob{}, errGlob("a pattern cannot be negated")
	case strings.HasSuffix(s, "/"):
		return glob{}, errGlob("a directory matches no file; for all below it write " + s + "**")
	}
	g := glob{base: !strings.Contains(s, "/")}
	g.segments = strings.Split(strings.TrimPrefix(s, "/"), "/")
	for i, seg := range g.segments {
		if err := checkSegment(seg); err != nil {
			return glob{}, err
		}
		switch stars := strings.Contains(seg, "**"); {
		case stars && !g.base && strings.Trim(seg, "*") != "":
			// git itself is of two minds: x**/a matches xa, y/x**/a not y/xa.
			return glob{}, errGlob("** stands alone between slashes")
		case stars && !g.base:
			g.segments[i] = "**"
		}
	}
	return g, nil
}

// checkSegment refuses what would match nothing, or something outside the work tree.
func checkSegment(seg string) error {
	switch seg {
	case "":
		return errGlob("two slashes in a row match nothing")
	case ".", "..":
		return errGlob("paths start at the top of the work tree and never leave it")
	}
	for i := 0; i < len(seg); {
		n := atom(seg[i:])
		if n == 0 {
			return errGlob("a bracket or backslash at the end is never closed")
		}
		i += n
	}
	return nil
}

// match reports whether the slash-separated path matches. It takes time in
// proportion to the product of the lengths, whatever the pattern.
func (g glob) match(path string) bool {
	if g.base {
		return matchSegment(g.segments[0], path[strings.LastIndexByte(path, '/')+1:])
	}
	return matchPath(g.segments, strings.Split(path, "/"))
}

// matchPath matches element by element. Where it fails behind a `**`, that
// takes in one more element; an earlier one need not be tried again.
func matchPath(pattern, path []string) bool {
	p, back, from := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true // everything inside, at least one element
			}
			p++
			back, from = p, i
		case p < len(pattern) && matchSegment(pattern[p], path[i]):
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

// matchSegment matches one path element, byte by byte as git does.
func matchSegment(pattern, s string) bool {
	p, back, from := 0, -1, 0
	for i := 0; i < len(s); {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			back, from = p, i
		case p < len(pattern) && matchAtom(pattern[p:p+atom(pattern[p:])], s[i]):
			p += atom(pattern[p:])
			i++
		case back >= 0:
			from++
			p, i = back, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// atom returns the length of what matches one character at the start of
// pattern: a character, an escaped one, or a bracket; 0 if it is not closed.
func atom(pattern string) int {
	switch pattern[0] {
	case '\\':
		if len(pattern) < 2 {
			return 0
		}
		return 2
	case '[':
		return bracket(pattern)
	}
	return 1
}

// bracket returns the length of the bracket expression at the start of pattern.
func bracket(pattern string) int {
	i := 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i++
	}
	for first := true; i < len(pattern); first = false {
		switch {
		case pattern[i] == ']' && !first:
			return i + 1
		case pattern[i] == '\\':
			i += 2
		case class(pattern[i:]) > 0:
			i += class(pattern[i:])
		default:
			i++
		}
	}
	return 0
}

// class returns the length of a [:name:] at the start of pattern, 0 if none is there.
func class(pattern string) int {
	if !strings.HasPrefix(pattern, "[:") {
		return 0
	}
	end := strings.Index(pattern, ":]")
	if end < 0 || classes[pattern[2:max(2, end)]] == nil {
		return 0
	}
	return end + 2
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

// matchAtom reports whether the atom a matches c.
func matchAtom(a string, c byte) bool {
	switch a[0] {
	case '?':
		return true
	case '\\':
		return a[1] == c
	case '[':
		return matchBracket(a[1:len(a)-1], c)
	}
	return a[0] == c
}

// matchBracket matches c against what stands between the brackets.
func matchBracket(set string, c byte) bool {
	negated := set[0] == '!' || set[0] == '^'
	if negated {
		set = set[1:]
	}
	for set != "" {
		if n := class(set); n > 0 {
			if classes[set[2:n-2]](c) {
				return !negated
			}
			set = set[n:]
			continue
		}
		var lo, hi byte
		lo, set = bracketChar(set)
		hi = lo
		if len(set) > 1 && set[0] == '-' {
			hi, set = bracketChar(set[1:])
		}
		if c == lo || lo <= c && c <= hi {
			return !negated
		}
	}
	return negated
}

// bracketChar takes one character, escaped or not, off a bracket.
func bracketChar(set string) (byte, string) {
	if set[0] == '\\' && len(set) > 1 {
		return set[1], set[2:]
	}
	return set[0], set[1:]
}
