package history

import (
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

// A Selection says of paths, from the top of the repository, which are merged. The nil Selection
// is the files that are named as YAML.
type Selection func(paths []string) (map[string]bool, error)

// of is what a selection says.
func (s Selection) of(paths []string) (map[string]bool, error) {
	if s != nil {
		return s(paths)
	}
	wanted := map[string]bool{}
	for _, p := range paths {
		wanted[p] = driver.IsYAML(p)
	}
	return wanted, nil
}

// Every selects all of them.
func Every(paths []string) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, p := range paths {
		wanted[p] = true
	}
	return wanted, nil
}

// Select selects the files that pathspecs name to git, as seen from the current directory. Of
// those that are not named as YAML, it selects such as a pathspec of their extension names, as
// *.json does. Of no pathspecs it is nil.
func Select(pathspecs []string) Selection {
	if len(pathspecs) == 0 {
		return nil
	}
	return func(paths []string) (map[string]bool, error) {
		folder, err := disk.TempFolder()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		named, err := git.Git{}.Selected(paths, pathspecs, filepath.Join(folder, "index"))
		wanted := map[string]bool{}
		for _, p := range named {
			ext := path.Ext(p)
			byExt := func(spec string) bool { return ext != "" && path.Ext(spec) == ext }
			wanted[p] = driver.IsYAML(p) || slices.ContainsFunc(pathspecs, byExt)
		}
		return wanted, err
	}
}

// Stages merges the files that are unmerged in the index, but those that not both sides have:
// of these it returns why they are in conflict.
func Stages(s *session.Session, unmerged []git.Unmerged, want Selection) (all []*Case, names []Name, err error) {
	paths := make([]string, len(unmerged))
	for i, u := range unmerged {
		paths[i] = u.Path
	}
	attributes, err := s.Git.Attributes(paths, "merge")
	if err != nil {
		return nil, nil, err
	}
	var wanted map[string]bool
	if want != nil {
		if wanted, err = want(paths); err != nil {
			return nil, nil, err
		}
	}
	objects := s.Git.Objects()
	defer objects.Close()
	for i, u := range unmerged {
		rules, ours := driver.RulesOf(attributes[i]["merge"])
		said := ofNames(u)
		switch {
		case want != nil && !wanted[u.Path]:
			continue
		case !ours && !driver.IsYAML(u.Path):
			names = append(names, Name{Path: u.Path})
			continue
		case said != "" && !IsDeletion(u):
			names = append(names, Name{Path: u.Path, Kind: said})
			continue
		}
		v, err := objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
		if err != nil {
			return nil, nil, err
		}
		f := s.File(u.Path, v[0], v[1], v[2], nil)
		if IsDeletion(u) {
			names = append(names, Name{Path: u.Path, Kind: Deleted, File: &f})
			continue
		}
		if f = f.Now([3]string{}, false); s.RuleSet == "" {
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
