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
// whose * matches slashes too. Of git's magic it knows :! (not) and :/ (from the top).
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
	top, exclude bool
	pattern      string
}

func parseMagic(s string) (m magic, err error) {
	rest, ok := strings.CutPrefix(s, ":")
	if !ok {
		return magic{pattern: s}, nil
	}
	if strings.HasPrefix(rest, "(") {
		return m, fmt.Errorf("pathspec %s: words in brackets are not known here; want :!PATH or :/PATH", s)
	}
	m.pattern = strings.TrimLeft(rest, "!^/")
	signs := strings.TrimSuffix(rest, m.pattern)
	m.top, m.exclude = strings.Contains(signs, "/"), strings.ContainsAny(signs, "!^")
	m.pattern = strings.TrimPrefix(m.pattern, ":")
	return m, nil
}

// match reports whether path is the pattern itself, stands below it, or is
// what it matches.
func (m magic) match(path string) bool {
	rest, ok := strings.CutPrefix(path, m.pattern)
	below := ok && (rest == "" || rest[0] == '/')
	return m.pattern == "" || below || wildmatch.Match(m.pattern, path)
}
