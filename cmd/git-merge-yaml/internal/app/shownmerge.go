package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A shownMerge is one merge that a command is about.
type shownMerge struct {
	replay.Options
	name string // for people
	open bool   // it is no commit yet
}

// mergeToShow finds a merge commit, or a commit that was picked. "" is the merge
// that stopped here, or HEAD.
func mergeToShow(s *session.Session, name string) (m shownMerge, err error) {
	g := s.Git
	m.Session = s
	if s.RuleSet == "" {
		m.RuleSetOf = ruleSetOf(s)
	}
	if name == "" {
		if open, ok := s.Situation([3]string{}).Stopped(); ok {
			m.name, m.open = "the merge that stopped", true
			m.Picks = []git.Merge{open}
			return m, nil
		}
	}
	found, err := g.Merge(cmp.Or(name, "HEAD"))
	switch {
	case err == nil:
		m.Merge, m.name = found.Commit.String(), found.Commit.Short()
		return m, nil
	case !errors.Is(err, git.ErrParents):
		return m, err
	}
	picks, failed := g.Picks()
	id, failed2 := g.Line("rev-parse", "--verify", cmp.Or(name, "HEAD")+"^{commit}")
	for _, p := range picks {
		if failed == nil && failed2 == nil && p.Commit.String() == id {
			m.Picks, m.name = []git.Merge{p}, p.Commit.Short()
			return m, nil
		}
	}
	return m, err
}

// ruleSetOf tells the rule set that the merge attribute of a path says. In a work tree
// git is asked once, about all YAML files.
func ruleSetOf(s *session.Session) func(path string) string {
	sets := func(paths ...string) map[string]string {
		known := map[string]string{}
		attributes, err := s.Git.Attributes(paths, "merge")
		for i, a := range attributes {
			if set, _ := driver.RulesOf(a["merge"]); err == nil && set != "" {
				known[paths[i]] = set
			}
		}
		return known
	}
	if _, err := s.WorkTree(); err != nil {
		return func(path string) string { return sets(path)[path] }
	}
	known := sync.OnceValue(func() map[string]string {
		files, _ := s.Files() // without them, the default rules
		return sets(slices.DeleteFunc(files, func(path string) bool { return !driver.IsYAML(path) })...)
	})
	return func(path string) string { return known()[path] }
}

// caseOf is a file of a merge, as seen from the current directory.
func caseOf(m shownMerge, file string) (found *replay.Case, err error) {
	prefix, err := git.Git{}.Line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	name := path.Join(prefix, filepath.ToSlash(file))
	m.Want, m.File = func(p string) bool { return p == name }, name
	s, err := replay.Run(context.Background(), m.Options, func(c *replay.Case) error { found = c; return nil })
	switch {
	case err != nil:
		return nil, err
	case s.Err != nil:
		return nil, s.Err
	case found == nil:
		return nil, fmt.Errorf("%s: not both sides have %s", m.name, name)
	}
	return found, nil
}
