package replay

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A Pathspec selects paths as git does: by a path, a folder, or a pattern
// whose * matches slashes too. Of git's magic it knows exclude (:!), top
// (:/), glob and literal.
type Pathspec struct{ include, exclude []*regexp.Regexp }

// ParsePathspec reads pathspecs that are relative to the folder prefix (with
// its slash; "" is the top). None selects everything.
func ParsePathspec(prefix string, specs ...string) (Pathspec, error) {
	var p Pathspec
	for _, s := range specs {
		m, err := parseMagic(s)
		if err != nil {
			return p, err
		}
		if !m.top {
			m.pattern = prefix + m.pattern
		}
		re, err := m.compile()
		if err != nil {
			return p, fmt.Errorf("pathspec %s: %w", s, err)
		}
		if m.exclude {
			p.exclude = append(p.exclude, re)
		} else {
			p.include = append(p.include, re)
		}
	}
	return p, nil
}

// Match reports whether p selects a path from the top of the repository.
func (p Pathspec) Match(path string) bool {
	for _, re := range p.exclude {
		if re.MatchString(path) {
			return false
		}
	}
	for _, re := range p.include {
		if re.MatchString(path) {
			return true
		}
	}
	return len(p.include) == 0
}

// magic is a pathspec taken apart.
type magic struct {
	top, exclude, glob, literal bool
	pattern                     string
}

func parseMagic(s string) (m magic, err error) {
	m.pattern = s
	if !strings.HasPrefix(s, ":") {
		return m, nil
	}
	if words, pattern, ok := strings.Cut(s[1:], ")"); ok && strings.HasPrefix(words, "(") {
		m.pattern = pattern
		for w := range strings.SplitSeq(words[1:], ",") {
			if !m.set(w) {
				return m, fmt.Errorf("pathspec %s: %q is not known here; want exclude, top, glob or literal", s, w)
			}
		}
		return m, nil
	}
	rest := s[1:]
	for rest != "" && strings.IndexByte("!^/:", rest[0]) >= 0 {
		c := rest[0]
		rest = rest[1:]
		if c == ':' {
			break
		}
		m.top = m.top || c == '/'
		m.exclude = m.exclude || c != '/'
	}
	m.pattern = rest
	return m, nil
}

func (m *magic) set(word string) bool {
	switch word {
	case "exclude":
		m.exclude = true
	case "top":
		m.top = true
	case "glob":
		m.glob = true
	case "literal":
		m.literal = true
	default:
		return false
	}
	return true
}

// compile turns the pattern into an expression for what it selects: the path
// itself, what stands below it, or what it matches.
func (m magic) compile() (*regexp.Regexp, error) {
	pattern := strings.TrimPrefix(path.Clean("/"+m.pattern), "/")
	plain := regexp.QuoteMeta(pattern)
	if pattern == "" {
		return regexp.Compile("")
	}
	alternatives := plain + "(/.*)?"
	if !m.literal {
		alternatives += "|" + m.expression(pattern)
	}
	return regexp.Compile("(?s)^(" + alternatives + ")$")
}

func (m magic) expression(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		s, n := "", 1
		switch {
		case m.glob && strings.HasPrefix(rest, "**/"):
			s, n = "(.*/)?", 3
		case m.glob && rest == "**":
			s, n = ".*", 2
		case rest[0] == '*' && m.glob:
			s = "[^/]*"
		case rest[0] == '*':
			s = ".*"
		case rest[0] == '?':
			s = "."
		case rest[0] == '\\' && len(rest) > 1:
			s, n = regexp.QuoteMeta(rest[1:2]), 2
		case rest[0] == '[' && strings.IndexByte(rest[1:], ']') > 0:
			n = strings.IndexByte(rest[1:], ']') + 2
			s = "[" + strings.Replace(strings.ReplaceAll(rest[1:n-1], `\`, `\\`), "!", "^", 1) + "]"
		default:
			s = regexp.QuoteMeta(rest[:1])
		}
		b.WriteString(s)
		i += n
	}
	return b.String()
}
