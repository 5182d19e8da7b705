package history

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A Merge is a merge of two commits, and what git makes of it.
type Merge struct {
	git.Commit          // ours, of what is no commit yet
	Ours, Theirs git.ID // as they are merged
	Bases        []git.ID
	Octopus      bool   // more than two parents: git calls no driver
	CutOff       bool   // what is between the parents and their common ancestors is not all in this shallow clone
	Open         bool   // it is no commit yet
	Pick         bool   // a commit that was picked, rebased or reverted
	isToCome     bool   // of a branch
	Names        []Name // that are in conflict
	Err          error

	over    []git.ID       // the ancestor of a pick
	tree    git.ID         // with ours where both sides changed a file
	files   []git.Unmerged // that both sides changed
	alike   []string       // those that both made the same, about which git asks nobody
	known   known
	diff    map[string]git.Difference
	cases   []*Case
	checked []Checked
	done    chan struct{}
}

// A Name is a path that is in conflict otherwise than by its content, in the words of git:
// modify/delete, rename/rename.
type Name struct {
	Path, Kind string
	// File is one that a side deleted, which has nil for it; nil if that is not asked for.
	File *session.File
	Gone bool // people deleted it in the merge, too

	stages git.Unmerged
}

// Kinds of names in conflict: one side deleted the file and the other changed it; a side
// renamed one to a name that the other gave to something else.
const (
	Deleted   = "modify/delete"
	Collision = "rename involved in collision"
)

// known are the paths that are merged, of those that merges are about.
type known map[string]attribute

// An attribute is the merge attribute of a path, "" if that is not asked for. driven reports whether it is one of
// this program's drivers or, in a check, whether that of the work tree is.
type attribute struct {
	merge  string
	driven bool
}

func (k known) wants(path string) bool { _, ok := k[path]; return ok }

// find asks git about merges.
func (w *walk) find(merges []*Merge) error {
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *Merge) bool { return m.Octopus })
	bases, err := w.git.MergeBases(sides(merges))
	if err != nil {
		return err
	}
	var simple, tangled []*Merge // with one ancestor, or none, and with several
	for i, m := range merges {
		m.Bases = bases[i]
		if m.CutOff, err = w.isCutOff(m); err != nil {
			return err
		}
		switch {
		case m.CutOff:
		case len(m.Bases) > 1:
			tangled = append(tangled, m)
		default:
			simple = append(simple, m)
		}
	}
	made, err := w.mergeTrees(simple, tangled)
	if err != nil {
		return err
	}
	var committed []*Merge
	var pairs [][2]git.ID
	for _, m := range merges {
		if m.over != nil {
			m.Bases = m.over
		}
		if m.tree != "" && !m.Open {
			committed, pairs = append(committed, m), append(pairs, [2]git.ID{m.tree, m.Tree})
		}
	}
	diffs, err := w.git.DiffTrees(pairs)
	for i, diff := range diffs {
		committed[i].diff = diff
	}
	if err := cmp.Or(err, w.findAlike(merges)); err != nil {
		return err
	}
	all, err := w.readPaths(merges, made)
	for _, m := range merges {
		m.known = all
	}
	for _, x := range made {
		x.take()
	}
	return err
}

// sides are the two commits of merges.
func sides(merges []*Merge) (pairs [][2]git.ID) {
	for _, m := range merges {
		pairs = append(pairs, [2]git.ID{m.Ours, m.Theirs})
	}
	return pairs
}

// isCutOff reports whether a shallow clone lacks commits that only one side of m has.
func (w *walk) isCutOff(m *Merge) (cut bool, err error) {
	if len(w.shallow) == 0 || m.Pick {
		return false, nil
	}
	err = w.git.WalkCommits(nil, []string{m.Ours.String() + "..." + m.Theirs.String()}, func(c git.Commit) bool {
		cut = w.shallow[c.ID]
		return !cut
	})
	return cut, err
}

// A merged is what git made of a merge.
type merged struct {
	*Merge
	git.MergedTree
}

// mergeTrees has git merge merges with one ancestor, and those with several. A driver that only
// fails leaves all that both sides changed, as binary does; several ancestors are merged by this
// program's.
func (w *walk) mergeTrees(simple, tangled []*Merge) (all []merged, err error) {
	drives := gitattrs.Driver{Name: "drives", Rules: w.Session.RuleSet, Into: w.Session.Into, Own: w.Session.Options.Own}
	if len(tangled) > 0 {
		drives.Program, _ = driver.Program()
		if drives.Config = w.Session.Config; drives.Config != "" {
			if drives.Config, err = filepath.Abs(drives.Config); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range []struct {
		merges  []*Merge
		options []string
	}{
		{simple, []string{"-c", "merge.default=binary"}},
		{tangled, []string{
			"-c", "merge.default=fails", "-c", "merge.fails.driver=exit 1", "-c", "merge.fails.recursive=drives", "-c", drives.Key("driver") + "=" + drives.QuietLine(),
		}},
	} {
		err := w.git.MergeTrees(x.options, sides(x.merges), func(i int, t git.MergedTree) {
			m := x.merges[i]
			if t.Failure != "" {
				m.Err = cmp.Or(m.Err, error(&git.Error{Args: []string{"merge-tree"}, Stderr: t.Failure}))
				return
			}
			m.tree = t.Tree
			all = append(all, merged{m, t})
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// take takes the names in conflict and the files of a merge.
func (t merged) take() {
	m := t.Merge
	collided := map[string]bool{} // two files have one name, and are not merged alone
	for _, said := range t.Messages {
		kind, conflict := strings.CutPrefix(said.Kind, "CONFLICT (")
		if kind = strings.TrimSuffix(kind, ")"); !conflict || kind == "contents" || kind == "binary" {
			continue
		}
		for _, p := range said.Paths {
			collided[p] = collided[p] || kind == Collision
		}
		if path := said.Paths[0]; m.known.wants(path) {
			n := Name{Path: path, Kind: kind}
			if k := slices.IndexFunc(t.Unmerged, func(u git.Unmerged) bool { return u.Path == path }); k >= 0 {
				n.stages = t.Unmerged[k]
			}
			m.Names = append(m.Names, n)
		}
	}
	for _, u := range t.Unmerged {
		if u.Ours.Mode.IsFile() && u.Theirs.Mode.IsFile() && !collided[u.Path] && m.known.wants(u.Path) {
			m.files = append(m.files, u)
		}
	}
}

// findAlike finds the files that both sides made the same, where the policy next may be for
// one: two releases may have one version there.
func (w *walk) findAlike(merges []*Merge) error {
	rules, err := w.Session.Rules()
	if err != nil || rules == nil {
		return nil
	}
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *Merge) bool { return len(m.Bases) == 0 || m.CutOff })
	var commits []git.ID
	for _, m := range merges {
		commits = append(commits, m.Bases[0], m.Ours, m.Theirs)
	}
	trees, err := w.git.TreesOf(commits)
	var pairs [][2]git.ID
	for t := range slices.Chunk(trees, 3) {
		pairs = append(pairs, [2]git.ID{t[0], t[1]}, [2]git.ID{t[0], t[2]})
	}
	diffs, err2 := w.git.DiffTrees(pairs)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for i, m := range merges {
		ours, theirs := diffs[2*i], diffs[2*i+1]
		for path, d := range ours {
			if d != theirs[path] || !d.From.Mode.IsFile() || !d.To.Mode.IsFile() || !rules.Bumps(path) {
				continue
			}
			folder := path[:strings.LastIndexByte(path, '/')+1]
			if differsIn(folder, ours, theirs) || differsIn(folder, theirs, ours) {
				m.alike = append(m.alike, path)
			}
		}
	}
	return nil
}

// differsIn reports whether a side made something of a folder that the other one did not: what
// both made the same is one release.
func differsIn(folder string, side, other map[string]git.Difference) bool {
	for path, d := range side {
		if strings.HasPrefix(path, folder) && d != other[path] {
			return true
		}
	}
	return false
}

// wanted are those of paths, from the top of the repository, that are merged.
func (w *walk) wanted(paths []string) (named []string, err error) {
	switch {
	case len(w.Paths) > 0:
		index := filepath.Join(w.folder, "selected")
		defer os.Remove(index)
		named, err = git.Git{}.SelectPaths(paths, w.Paths, index)
	case w.Every:
		return paths, nil
	default:
		named = paths
	}
	return slices.DeleteFunc(named, func(p string) bool {
		ext := path.Ext(p)
		byExt := func(spec string) bool { return ext != "" && path.Ext(spec) == ext }
		return !driver.IsYAML(p) && !slices.ContainsFunc(w.Paths, byExt)
	}), err
}

// readPaths reads what has to be known of the paths that merges are about.
func (w *walk) readPaths(merges []*Merge, made []merged) (known, error) {
	var paths []string
	for _, m := range made {
		for _, u := range m.Unmerged {
			paths = append(paths, u.Path)
		}
		for _, said := range m.Messages {
			paths = append(paths, said.Paths...)
		}
	}
	for _, m := range merges {
		paths = append(paths, m.alike...)
		for path := range m.diff {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	wanted, err := w.wanted(slices.Compact(paths))
	all := known{}
	for _, path := range wanted {
		all[path] = attribute{}
	}
	for _, read := range []attributes{w.attributes, w.here} {
		if err != nil || read == nil {
			continue
		}
		var values []map[string]string
		values, err = read(wanted, "merge")
		for i, v := range values {
			a := all[wanted[i]]
			if _, a.driven = driver.RulesOf(v["merge"]); a.merge == "" {
				a.merge = v["merge"]
			}
			all[wanted[i]] = a
		}
	}
	return all, err
}
