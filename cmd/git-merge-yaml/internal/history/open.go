package history

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A Shown is what to explain: Picks, or files of the index.
type Shown struct {
	Picks []git.Merge
	// Unmerged are the files of the index, where git left nothing else: of a stash, of a
	// patch.
	Unmerged []git.Unmerged
	Name     string // for people
	Open     bool   // it is no commit yet
}

// Find finds the merge that name names: a merge commit, or one that a rebase, a cherry-pick or a
// revert made. "" is what stopped here, or HEAD, or what made HEAD: all commits of a rebase.
func Find(s *session.Session, name string) (Shown, error) {
	g := s.Git
	if name == "" {
		if m, ok := s.Situation([3]string{}).Stopped(); ok {
			return Shown{Picks: []git.Merge{m}, Name: "the merge that stopped", Open: true}, nil
		}
		if tree, err := s.WorkTree(); err == nil {
			if all, err := tree.Unmerged(nil); err != nil || len(all) > 0 {
				return Shown{Unmerged: all, Name: "what is unmerged", Open: true}, err
			}
		}
	}
	m, err := g.Merge(cmp.Or(name, "HEAD"))
	if err == nil {
		return Shown{Picks: []git.Merge{m}, Name: m.Commit.Short()}, nil
	}
	if !errors.Is(err, git.ErrParents) {
		return Shown{}, err
	}
	line, failed := g.Line("rev-parse", "--verify", cmp.Or(name, "HEAD")+"^{commit}")
	id, failed2 := git.ParseID(line)
	if failed != nil || failed2 != nil {
		return Shown{}, err
	}
	if m, ok := g.Reverted(id); ok {
		return Shown{Picks: []git.Merge{m}, Name: id.Short()}, nil
	}
	all, last, failed := g.Picks()
	for i, p := range all {
		switch {
		case failed != nil || p.Commit != id:
		case name == "" && i == 0 && last > 1:
			return Shown{Picks: all[:last], Name: fmt.Sprintf("%s and %d more", id.Short(), last-1)}, nil
		default:
			return Shown{Picks: []git.Merge{p}, Name: id.Short()}, nil
		}
	}
	return Shown{}, err
}

// Of is the merge of a file that stands alone: of the index, or of files by hand.
func Of(f session.File) *Case {
	c := &Case{Path: f.Path, File: f, Open: true, Content: Content{GitBase: f.Base, Base: f.Base, Ours: f.Ours, Theirs: f.Theirs}}
	c.line()
	c.field()
	c.Review = c.review()
	c.make()
	if found := f.Twice(c.Result.Bytes); len(found) > 0 {
		c.Review = Review{Twice, found}
	}
	return c
}

// Stages merges the files that are unmerged in the index, but those that not both sides have:
// of these it returns why they are in conflict.
func Stages(s *session.Session, unmerged []git.Unmerged, want func(path string) bool) (all []*Case, names []Name, err error) {
	paths := make([]string, len(unmerged))
	for i, u := range unmerged {
		paths[i] = u.Path
	}
	attributes, err := s.Git.Attributes(paths, "merge")
	if err != nil {
		return nil, nil, err
	}
	objects := s.Git.Objects()
	defer objects.Close()
	for i, u := range unmerged {
		rules, ours := driver.RulesOf(attributes[i]["merge"])
		isYAML := ours || driver.IsYAML(u.Path)
		said := ofNames(u)
		if isYAML && IsDeletion(u) && (want == nil || want(u.Path)) {
			v, err := objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
			if err != nil {
				return nil, nil, err
			}
			f := s.File(u.Path, v[0], v[1], v[2], nil)
			names = append(names, Name{Path: u.Path, Kind: Deleted, File: &f})
			continue
		}
		switch {
		case want != nil && !want(u.Path):
			continue
		case said != "" || !isYAML:
			if !isYAML {
				said = ""
			}
			names = append(names, Name{Path: u.Path, Kind: said})
			continue
		}
		v, err := objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
		if err != nil {
			return nil, nil, err
		}
		f := s.File(u.Path, v[0], v[1], v[2], nil).Now([3]string{}, false)
		if s.RuleSet == "" {
			f.RuleSet = rules
		}
		c := Of(f)
		c.Number = len(all) + 1
		all = append(all, c)
	}
	return all, names, nil
}

// ofNames says what is in conflict about a path that not both sides have a file at, ""
// of one that they have.
func ofNames(u git.Unmerged) string {
	for _, s := range []git.Stage{u.Base, u.Ours, u.Theirs} {
		if s.ID != "" && !s.Mode.IsFile() {
			return "a symbolic link or a submodule on a side, which is no YAML"
		}
	}
	switch ours, theirs := u.Ours.ID != "", u.Theirs.ID != ""; {
	case ours && theirs:
		return ""
	case ours:
		return "only ours has a file of this name"
	case theirs:
		return "only theirs has a file of this name"
	}
	return "neither side has the file under this name any more"
}
