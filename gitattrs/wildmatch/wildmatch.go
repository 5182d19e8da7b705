// Package wildmatch matches names as git does in attributes: `*` is any text, `?` any character,
// `[a-z]`, `[!a-z]` and `[[:alpha:]]` one of some, and a backslash takes the next character as it
// is. Characters are bytes.
package wildmatch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Glob is a pattern of file names as in .gitattributes. Without a slash it matches the last
// element of a path; with one, the whole path from the top of the work tree. `**` between slashes
// is any number of directories.
type Glob struct {
	expr *regexp.Regexp
	base bool // matches the last element of a path alone
}

// Parse reads a pattern. The error says why git would never match a file with it.
func Parse(s string) (Glob, error) {
	switch {
	case s == "":
		return Glob{}, errors.New("an empty pattern matches nothing")
	case strings.HasPrefix(s, "!"):
		return Glob{}, errors.New("a pattern cannot be negated")
	case strings.HasSuffix(s, "/"):
		return Glob{}, errors.New("a directory matches no file; for all below it write " + s + "**")
	}
	g, expr := Glob{base: !strings.Contains(s, "/")}, "^"
	for seg := range strings.SplitSeq(strings.TrimPrefix(s, "/"), "/") {
		if expr != "^" && !strings.HasSuffix(expr, anyFolders) {
			expr += string(slash)
		}
		name, err := expression(seg)
		stars := strings.Contains(seg, "**") && !g.base
		switch {
		case seg == "":
			return Glob{}, errors.New("two slashes in a row match nothing")
		case seg == "." || seg == "..":
			return Glob{}, errors.New("paths start at the top of the work tree and never leave it")
		case err != nil:
			return Glob{}, err
		case stars && strings.Trim(seg, "*") != "":
			// git itself is of two minds: x**/a matches xa, y/x**/a not y/xa.
			return Glob{}, errors.New("** has to be alone between slashes")
		case stars:
			name = anyFolders
		}
		expr += name
	}
	if strings.HasSuffix(expr, anyFolders) { // at the end, one element at least
		expr += anyName
	}
	g.expr = regexp.MustCompile(expr + "$")
	return g, nil
}

// Match reports whether a slash-separated path matches. It takes time in proportion to the product
// of the lengths, whatever the pattern.
func (g Glob) Match(path string) bool {
	if g.base {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	var chars strings.Builder
	for _, c := range []byte(path) {
		if c == '/' {
			chars.WriteRune(slash)
		} else {
			chars.WriteRune(rune(c))
		}
	}
	return g.expr.MatchString(chars.String())
}

// A byte is a character to git, so that it is one here: \xff is U+00FF. A slash is none of them, so that no bracket has it.
const (
	slash      = '\u0100'
	anyChar    = `[^\x{100}]`
	anyName    = anyChar + `*`
	anyFolders = `(?:` + anyName + `\x{100})*`
)

// expression is a pattern of one element of a path as a regular expression. The error is why it
// matches nothing at all.
func expression(pattern string) (expr string, err error) {
	for i := 0; i < len(pattern); {
		n := 1
		switch pattern[i] {
		case '*':
			expr += anyName
		case '?':
			expr += anyChar
		case '[':
			class, length := bracket(pattern[i:])
			if n = length; n == 0 {
				return "", errors.New("the bracket [ is not closed, or has a class [: :] that is none")
			}
			expr += class
		default:
			if pattern[i:] == `\` {
				return "", errors.New("a backslash at its end escapes nothing")
			}
			var c byte
			c, n = char(pattern[i:])
			expr += fmt.Sprintf(`\x{%x}`, c)
		}
		i += n
	}
	return expr, nil
}

// bracket is the bracket at the start of pattern, and its length, 0 if it is none: it ends at
// the first ] that is not its first character, nor behind a backslash, in a class or the end of a
// range.
func bracket(pattern string) (class string, length int) {
	i, class := 1, "["
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i, class = 2, `[^\x{100}`
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return class + "]", i + 1
		}
		if rest, ok := strings.CutPrefix(pattern[i:], "[:"); ok {
			if name, _, ok := strings.Cut(rest, ":]"); ok && !strings.Contains(name, "]") {
				if !slices.Contains(classes, name) {
					return "", 0
				}
				class += "[:" + name + ":]"
				i += len("[::]") + len(name)
				continue
			}
		}
		lo, n := char(pattern[i:])
		i += n
		class += fmt.Sprintf(`\x{%x}`, lo)
		if rest := pattern[min(i, len(pattern)):]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			hi, n := char(rest[1:])
			i += 1 + n
			if lo <= hi {
				class += fmt.Sprintf(`-\x{%x}`, hi)
			}
		}
	}
	return "", 0
}

// char returns the first character of pattern, escaped or not, and the length
// of it.
func char(pattern string) (c byte, length int) {
	if pattern[0] == '\\' && len(pattern) > 1 {
		return pattern[1], 2
	}
	return pattern[0], 1
}

// classes are the character classes of ASCII.
var classes = []string{"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"}
