package history

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A Shown is what to explain.
type Shown struct {
	Picks []git.Merge // none where git left nothing but unmerged files: of a stash, of a patch
	Name  string      // for people
	Open  bool        // it is no commit yet
}

// Find finds the merge that name names: a merge commit, or one that a rebase, a cherry-pick or a
// revert made. "" is what stopped here, or HEAD, or what made HEAD: all commits of a rebase.
func Find(s *session.Session, name string) (Shown, error) {
	if name == "" {
		if m, ok := s.Situation([3]string{}).Stopped(); ok {
			return Shown{Picks: []git.Merge{m}, Name: "the merge that stopped", Open: true}, nil
		}
		if tree, err := s.WorkTree(); err == nil {
			if all, err := tree.Unmerged(nil); err != nil || len(all) > 0 {
				return Shown{Name: "what is unmerged", Open: true}, err
			}
		}
	}
	all, err := s.Git.Made(name)
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{Picks: all, Name: all[0].Commit.Short()}
	if len(all) > 1 {
		shown.Name += fmt.Sprintf(" and %d more", len(all)-1)
	}
	return shown, nil
}

// A Selection returns those of paths, from the top of the repository, that are merged.
type Selection func(paths []string) ([]string, error)

// Every selects all of them.
func Every(paths []string) ([]string, error) { return paths, nil }

// YAML selects the files that are named so.
func YAML(paths []string) ([]string, error) {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !driver.IsYAML(path) }), nil
}

// Select selects the files that pathspecs name to git, as seen from the current directory. Of
// those that are not named as YAML, it selects such as a pathspec of their extension names, as
// *.json does. Of no pathspecs it is nil.
func Select(pathspecs []string) Selection {
	if len(pathspecs) == 0 {
		return nil
	}
	return func(paths []string) ([]string, error) {
		folder, err := disk.TempFolder()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		named, err := git.Git{}.Selected(paths, pathspecs, filepath.Join(folder, "index"))
		return slices.DeleteFunc(named, func(p string) bool {
			ext := path.Ext(p)
			byExt := func(spec string) bool { return ext != "" && path.Ext(spec) == ext }
			return !driver.IsYAML(p) && !slices.ContainsFunc(pathspecs, byExt)
		}), err
	}
}

// Stages merges the files that are unmerged in the index, but those that not both sides have:
// of these it returns why they are in conflict. The nil Selection is all of them.
func Stages(s *session.Session, unmerged []git.Unmerged, want Selection) ([]*Case, []Name, error) {
	if want == nil {
		want = Every
	}
	w := newWalk(Options{Session: s, Want: want, Here: true})
	w.objects = s.Git.Objects()
	defer w.objects.Close()
	m := &Merge{Commit: git.Commit{Parents: make([]git.ID, 2)}, Open: true}
	var err error
	if m.known, err = w.readPaths(nil, []merged{{MergedTree: git.MergedTree{Unmerged: unmerged}}}); err != nil {
		return nil, nil, err
	}
	for _, u := range unmerged {
		_, ours := driver.RulesOf(m.known[u.Path])
		switch kind := ofNames(u); {
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
