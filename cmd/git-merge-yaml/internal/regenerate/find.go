package regenerate

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/maker"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// largest is the size of files that are not looked into for marks.
const largest = 8 << 20

// Find looks for files that programs make and that no rule is for, among the YAML and JSON
// files, lock files and Markdown that git knows in the work tree, and returns an entry of the
// team's file for each program. An entry has no command where nobody can tell it.
func Find(s *session.Session) ([]team.GeneratedEntry, error) {
	tree, err := s.WorkTree()
	if err != nil {
		return nil, err
	}
	rules, err := s.Rules()
	if err != nil {
		return nil, s.FirstMistake()
	}
	out, err := s.Git.Run("ls-files", "-z", "--cached", "--deduplicate")
	if err != nil {
		out, err = s.Git.Run("ls-files", "-z", "--cached") // git before 2.31
	}
	if err != nil {
		return nil, err
	}
	paths := slices.Compact(strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }))
	paths = slices.DeleteFunc(paths, func(p string) bool { return !mayBeMade(p) })
	values, err := s.Git.Attributes(paths, maker.AttributeName)
	if err != nil {
		return nil, err
	}
	var made []group
	for i, p := range paths {
		if _, known := session.RuleFor(rules, p); known {
			continue
		}
		m, ok := makerOf(tree.File(p), p)
		if v := values[i][maker.AttributeName]; !ok && (v == "set" || v == "true") {
			m, ok = maker.Attribute, true
		}
		if ok {
			made = add(made, m, p)
		}
	}
	return entries(made, paths), nil
}

func mayBeMade(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yaml", ".yml", ".json", ".md":
		return true
	}
	return maker.IsLock(p)
}

func makerOf(file, p string) (m maker.Maker, ok bool) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largest {
		return m, false
	}
	data, err := os.ReadFile(file)
	if err != nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return m, false
	}
	return maker.Of(p, data)
}

// A group is the files that one command makes, as far as it is known.
type group struct {
	maker.Maker
	paths []string
}

func add(all []group, m maker.Maker, p string) []group {
	i := slices.IndexFunc(all, func(g group) bool { return g.Program == m.Program && g.Command == m.Command })
	if i < 0 {
		i = len(all)
		all = append(all, group{Maker: m})
	}
	all[i].paths = append(all[i].paths, p)
	return all
}

func entries(made []group, paths []string) (all []team.GeneratedEntry) {
	for _, g := range made {
		others := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(g.paths, p) })
		about := terminal.Count(len(g.paths), "file") + " " + g.Maker.String()
		if g.Command == "" {
			about += "; write the command behind by, and what it reads as from"
		}
		all = append(all, team.GeneratedEntry{
			Comment: about, Files: maker.Patterns(g.paths, others), From: g.From, By: g.Command,
		})
	}
	return all
}
