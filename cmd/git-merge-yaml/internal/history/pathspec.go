package history

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// A Pathspec selects paths as git does: by a path, a folder, or a pattern
// whose * matches slashes too. Of git's magic it knows exclude (:!), top
// (:/), glob and literal.
type Pathspec struct{ include, exclude []magic }

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
		m.pattern = strings.TrimPrefix(path.Clean("/"+m.pattern), "/")
		if m.exclude {
			p.exclude = append(p.exclude, m)
		} else {
			p.include = append(p.include, m)
		}
	}
	return p, nil
}

// Match reports whether p selects a path from the top of the repository.
func (p Pathspec) Match(path string) bool {
	matches := func(m magic) bool { return m.match(path) }
	if slices.ContainsFunc(p.exclude, matches) {
		return false
	}
	return len(p.include) == 0 || slices.ContainsFunc(p.include, matches)
}

// Selects reports whether p selects a file to be merged as YAML: of files that are not
// named so, those that a pattern of their extension names, as *.json does.
func (p Pathspec) Selects(file string) bool {
	if driver.IsYAML(file) || !p.Match(file) {
		return p.Match(file)
	}
	ext := path.Ext(file)
	return slices.ContainsFunc(p.include, func(m magic) bool { return ext != "" && path.Ext(m.pattern) == ext && m.match(file) })
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

// match reports whether path is the pattern itself, stands below it, or is
// what it matches.
func (m magic) match(path string) bool {
	if m.pattern == "" {
		return true
	}
	if rest, ok := strings.CutPrefix(path, m.pattern); ok && (rest == "" || rest[0] == '/') {
		return true
	}
	switch {
	case m.literal:
		return false
	case m.glob:
		return wildmatch.MatchPath(strings.Split(m.pattern, "/"), strings.Split(path, "/"))
	}
	return wildmatch.Match(m.pattern, path)
}
