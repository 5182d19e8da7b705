package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// An Explained is a merge that is told by its files.
type Explained struct {
	Name    string // of the merge
	Cases   []*Case
	Names   []Name // that are in conflict otherwise than by their content
	Summary Summary
}

// Explain merges anew the files at paths, or all, of the merge that name names: a merge commit, or
// one that a rebase, a cherry-pick or a revert made. "" is what stopped here, or HEAD, or what made
// HEAD: all commits of a rebase. Of what stopped, the index has more: the files of a stash or a
// patch, of which git says no commits, and names that are in conflict; unmerged is true to leave
// out what is merged by now.
func Explain(ctx context.Context, o Options, name string, paths []string, unmerged bool) (e Explained, err error) {
	s, stopped := o.Session, false
	var index []git.Unmerged
	if name == "" {
		if tree, none := s.WorkTree(); none == nil { // of a bare repository there is no index
			if index, err = tree.Unmerged(nil); err != nil {
				return e, err
			}
		}
		var m git.Merge
		if m, stopped = s.Situation([3]string{}).Stopped(); stopped {
			o.Picks, e.Name = []git.Merge{m}, "the merge that stopped"
		} else if stopped = len(index) > 0; stopped {
			e.Name = "what is unmerged"
		}
	}
	if !stopped {
		if o.Picks, err = s.Git.Made(name); err != nil {
			if errors.Is(err, git.ErrParents) {
				err = fmt.Errorf("%w, and no pick that git keeps a record of, which a stash is not; git log --merges lists merges", err)
			}
			return e, err
		}
		if e.Name = o.Picks[0].Commit.Short(); len(o.Picks) > 1 {
			e.Name += fmt.Sprintf(" and %d more", len(o.Picks)-1)
		}
	}
	o.Paths, o.Here = paths, true
	for _, p := range paths {
		o.Also = append(o.Also, s.RepoPath(p))
	}
	if o.Picks != nil {
		e.Summary, err = Replay(ctx, o, func(c *Case) error {
			e.Cases = append(e.Cases, c)
			return nil
		})
		if err = cmp.Or(err, e.Summary.Err); err != nil {
			return e, err
		}
		e.Names = e.Summary.Lost
	}
	if stopped {
		rest := map[string]bool{}
		for _, u := range index {
			rest[u.Path] = true
		}
		e.Cases = slices.DeleteFunc(e.Cases, func(c *Case) bool {
			isUnmerged := rest[c.Path]
			if isUnmerged && c.Alike { // a link, say
				return true
			}
			delete(rest, c.Path)
			return unmerged && !isUnmerged
		})
		more, names, err := stages(ctx, o, slices.DeleteFunc(index, func(u git.Unmerged) bool { return !rest[u.Path] }))
		if err != nil {
			return e, err
		}
		e.Cases, e.Names = append(e.Cases, more...), names
		e.Summary.Files += len(more)
		if o.Picks == nil {
			e.Summary.Lost = slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return n.File == nil })
		}
	}
	switch {
	case len(paths) > 0 && len(e.Cases)+len(e.Names) == 0:
		err = fmt.Errorf("%s: not both sides have %s", e.Name, strings.Join(paths, " "))
	case len(paths) > 0 && len(e.Cases) == 0 && e.Names[0].File == nil:
		err = fmt.Errorf("%s: %s", e.Names[0].Path, e.Names[0].Kind)
	}
	return e, err
}

// stages merges files that are unmerged in the index, but those that not both sides have: of these
// it returns why they are in conflict. Without Options.Paths it is all of them.
func stages(ctx context.Context, o Options, unmerged []git.Unmerged) ([]*Case, []Name, error) {
	o.Every, o.Also = true, nil
	w, err := newWalk(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer w.close()
	w.objects = w.git.Objects()
	m := &Merge{Commit: git.Commit{Parents: make([]git.ID, 2)}, Open: true}
	if m.known, err = w.readPaths(nil, []merged{{MergedTree: git.MergedTree{Unmerged: unmerged}}}); err != nil {
		return nil, nil, err
	}
	for _, u := range unmerged {
		_, ours := driver.RulesOf(m.known[u.Path].merge)
		switch kind := OfNames(u); {
		case !m.known.wants(u.Path):
		case !ours && !driver.IsYAML(u.Path):
			m.Names = append(m.Names, Name{Path: u.Path})
		case IsDeletion(u):
			m.Names = append(m.Names, Name{Path: u.Path, Kind: Deleted, stages: u})
		case kind != "":
			m.Names = append(m.Names, Name{Path: u.Path, Kind: kind})
		default:
			m.files = append(m.files, u)
		}
	}
	err = cmp.Or(w.readDeleted(m), w.cases(m))
	for i, c := range m.cases {
		c.Number = i + 1
	}
	return m.cases, m.Names, err
}

// OfNames says what is in conflict about a path that not both sides have a file at, ""
// of one that they have.
func OfNames(u git.Unmerged) string {
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
