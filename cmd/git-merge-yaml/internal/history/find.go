package history

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// engine is one of the two that merge.
type engine int

const (
	byLine  engine = iota // git
	byField               // git with the driver
	engines
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

	over    []git.ID        // the ancestor of a pick
	trees   [engines]git.ID // with ours where both sides changed a file
	files   []file          // that both sides changed
	alike   []string        // those that both made the same, about which git asks nobody
	diff    map[string]git.Difference
	cases   []*Case
	checked []Checked
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

// A file is one that both sides changed, as each engine has it: over several ancestors they
// may have different bases, and one of them may have nothing to merge.
type file struct {
	path string
	by   [engines]*git.Unmerged
}

// sizes are how many merges git is given at once: a few first, so that there is soon
// something to show.
var sizes = []int{4, 512}

// chunks gives the merges to each, once it is known of them what git makes of them, until it
// returns false. Git is at work on the next ones meanwhile.
func (w *walk) chunks(each func(*Merge) bool) error {
	type chunk struct {
		merges []*Merge
		err    error
	}
	found, over := make(chan chunk), make(chan struct{})
	defer func() {
		close(over)
		for range found {
		} // until git is at work no more
	}()
	go func() {
		defer close(found)
		for i, rest := 0, w.merges; len(rest) > 0; i++ {
			n := min(len(rest), sizes[min(i, len(sizes)-1)])
			err := w.find(rest[:n])
			select {
			case found <- chunk{rest[:n], err}:
			case <-over:
				return
			}
			rest = rest[n:]
		}
	}()
	for c := range found {
		if c.err != nil {
			return c.err
		}
		for _, m := range c.merges {
			if !each(m) {
				return nil
			}
		}
	}
	return nil
}

// find asks git about merges.
func (w *walk) find(merges []*Merge) error {
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *Merge) bool { return m.Octopus })
	pairs := make([][2]git.ID, len(merges))
	for i, m := range merges {
		pairs[i] = [2]git.ID{m.Ours, m.Theirs}
	}
	bases, err := w.git.MergeBases(pairs)
	if err != nil {
		return err
	}
	var simple, tangled, ahead []*Merge
	for i, m := range merges {
		m.Bases = bases[i]
		if m.CutOff, err = w.isCutOff(m); err != nil {
			return err
		}
		switch {
		case m.CutOff:
		case m.ahead() != "":
			ahead = append(ahead, m)
		case len(m.Bases) > 1:
			tangled = append(tangled, m)
		default:
			simple = append(simple, m)
		}
	}
	// A driver that only fails leaves all that both sides changed, as binary does; the
	// ancestors of several are merged by another one.
	fails := []string{"-c", "merge.default=fails", "-c", "merge.fails.driver=exit 1", "-c", "merge.fails.recursive=text"}
	config := w.Session.Config
	if config != "" {
		if config, err = filepath.Abs(config); err != nil {
			return err
		}
	}
	drives := gitattrs.Driver{
		Name: "drives", Program: w.Program, Rules: w.Session.RuleSet, Into: w.Session.Into, Own: w.Session.Options.Own, Config: config,
	}
	for _, x := range []struct {
		merges  []*Merge
		options []string
		engines []engine
	}{
		{simple, []string{"-c", "merge.default=binary"}, []engine{byLine, byField}},
		{tangled, fails, []engine{byLine}},
		{tangled, append(fails[:4:4], "-c", "merge.fails.recursive=drives", "-c", drives.Key("driver")+"="+drives.Quiet()), []engine{byField}},
	} {
		if err := w.merge(x.merges, x.options, x.engines); err != nil {
			return err
		}
	}
	if err := w.takeAhead(ahead); err != nil {
		return err
	}
	for _, m := range merges {
		if m.over != nil {
			m.Bases = m.over
		}
	}
	if err := w.findAlike(merges); err != nil {
		return err
	}
	if err := w.compare(slices.DeleteFunc(slices.Clone(merges), func(m *Merge) bool { return m.trees[byLine] == "" || m.Open })); err != nil {
		return err
	}
	return w.readAttributes(merges)
}

// ahead is the side of m that has the other one in its history, "" if neither has: nothing is
// to be merged then.
func (m *Merge) ahead() git.ID {
	switch {
	case len(m.Bases) != 1:
		return ""
	case m.Bases[0] == m.Ours:
		return m.Theirs
	case m.Bases[0] == m.Theirs:
		return m.Ours
	}
	return ""
}

// takeAhead gives merges the tree of the side that is ahead.
func (w *walk) takeAhead(merges []*Merge) error {
	var sides []git.ID
	for _, m := range merges {
		sides = append(sides, m.ahead())
	}
	trees, err := w.git.TreesOf(sides)
	for i, tree := range trees {
		merges[i].trees = [engines]git.ID{tree, tree}
	}
	return err
}

// isCutOff reports whether a shallow clone lacks commits that only one side of m has.
func (w *walk) isCutOff(m *Merge) (cut bool, err error) {
	if len(w.shallow) == 0 || m.Pick {
		return false, nil
	}
	err = w.git.Commits([]string{m.Ours.String() + "..." + m.Theirs.String(), "--"}, func(c git.Commit) bool {
		cut = w.shallow[c.ID]
		return !cut
	})
	return cut, err
}

// merge has git merge, and takes the files that are left for engines.
func (w *walk) merge(merges []*Merge, options []string, of []engine) error {
	pairs := make([][2]git.ID, len(merges))
	for i, m := range merges {
		pairs[i] = [2]git.ID{m.Ours, m.Theirs}
	}
	return w.git.MergeTrees(options, pairs, func(i int, t git.MergedTree) error {
		merges[i].take(t, of, w.Want)
		return nil
	})
}

// take takes what git made of m for engines.
func (m *Merge) take(t git.MergedTree, of []engine, want func(string) bool) {
	if t.Failed != "" {
		m.Err = cmp.Or(m.Err, error(&git.Error{Args: []string{"merge-tree"}, Stderr: t.Failed}))
		return
	}
	collided := map[string]bool{} // two files have one name, and are not merged alone
	for _, said := range t.Messages {
		kind, conflict := strings.CutPrefix(said.Kind, "CONFLICT (")
		if kind = strings.TrimSuffix(kind, ")"); !conflict || kind == "contents" || kind == "binary" {
			continue
		}
		for _, p := range said.Paths {
			collided[p] = collided[p] || kind == Collision
		}
		if path := said.Paths[0]; of[0] == byLine && want(path) {
			m.Names = append(m.Names, Name{Path: path, Kind: kind})
		}
	}
	for i, n := range m.Names {
		if k := slices.IndexFunc(t.Unmerged, func(u git.Unmerged) bool { return u.Path == n.Path }); k >= 0 {
			m.Names[i].stages = t.Unmerged[k]
		}
	}
	for _, e := range of {
		m.trees[e] = t.Tree
	}
	for _, u := range t.Unmerged {
		if u.Ours.Mode.IsFile() && u.Theirs.Mode.IsFile() && !collided[u.Path] && want(u.Path) {
			m.add(&u, of)
		}
	}
}

// add notes a file that engines merge.
func (m *Merge) add(u *git.Unmerged, of []engine) {
	i, known := slices.BinarySearchFunc(m.files, u.Path, func(f file, path string) int { return strings.Compare(f.path, path) })
	if !known {
		m.files = slices.Insert(m.files, i, file{path: u.Path})
	}
	for _, e := range of {
		m.files[i].by[e] = u
	}
}

// compare asks what was committed otherwise than git merges.
func (w *walk) compare(merges []*Merge) error {
	pairs := make([][2]git.ID, len(merges))
	for i, m := range merges {
		pairs[i] = [2]git.ID{m.trees[byLine], m.Tree}
	}
	diffs, err := w.git.DiffTrees(pairs)
	for i := range diffs {
		merges[i].diff = diffs[i]
	}
	return err
}

// findAlike finds the files that both sides made the same, where the policy next may be for
// one: two releases may have one version there.
func (w *walk) findAlike(merges []*Merge) error {
	rules, err := w.Session.Rules()
	if err != nil || rules == nil {
		return nil
	}
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *Merge) bool { return len(m.Bases) == 0 || m.CutOff || m.ahead() != "" })
	ours, err := w.sinceBase(merges, func(m *Merge) git.ID { return m.Ours })
	if err != nil {
		return err
	}
	bumped := func(path string, d git.Difference) bool {
		return d.From.Mode.IsFile() && d.To.Mode.IsFile() && w.Want(path) && rules.Bumps(path)
	}
	var both []*Merge
	of := map[*Merge]map[string]git.Difference{}
	for i, m := range merges {
		for path, d := range ours[i] {
			if bumped(path, d) {
				both, of[m] = append(both, m), ours[i]
				break
			}
		}
	}
	theirs, err := w.sinceBase(both, func(m *Merge) git.ID { return m.Theirs })
	if err != nil {
		return err
	}
	for i, m := range both {
		for path, d := range of[m] {
			if d == theirs[i][path] && bumped(path, d) && differsIn(folder(path), of[m], theirs[i]) {
				m.alike = append(m.alike, path)
			}
		}
		slices.Sort(m.alike)
	}
	return nil
}

// sinceBase is what a side of each merge changed of the base.
func (w *walk) sinceBase(merges []*Merge, side func(*Merge) git.ID) ([]map[string]git.Difference, error) {
	var commits []git.ID
	for _, m := range merges {
		commits = append(commits, m.Bases[0], side(m))
	}
	trees, err := w.git.TreesOf(commits)
	if err != nil {
		return nil, err
	}
	var pairs [][2]git.ID
	for p := range slices.Chunk(trees, 2) {
		pairs = append(pairs, [2]git.ID(p))
	}
	return w.git.DiffTrees(pairs)
}

// folder is that of a path, with its slash; "" is the top.
func folder(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// differsIn reports whether two sides made a folder different things: one that they made
// the same is one release.
func differsIn(folder string, ours, theirs map[string]git.Difference) bool {
	for _, of := range [][2]map[string]git.Difference{{ours, theirs}, {theirs, ours}} {
		for path, d := range of[0] {
			if strings.HasPrefix(path, folder) && d != of[1][path] {
				return true
			}
		}
	}
	return false
}

// readAttributes asks for the merge attributes of what may be merged.
func (w *walk) readAttributes(merges []*Merge) error {
	if w.Attributes == nil {
		return nil
	}
	var paths []string
	known := map[string]bool{}
	for _, m := range merges {
		for _, f := range m.files {
			paths = append(paths, f.path)
		}
		paths = append(paths, m.alike...)
		for path := range m.diff {
			paths = append(paths, path)
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		_, before := w.attributes.Load(p)
		again := known[p] || before || !w.Want(p)
		known[p] = true
		return again
	})
	all, err := w.Attributes(paths)
	for i, a := range all {
		w.attributes.Store(paths[i], a["merge"])
	}
	return err
}

// attribute is the merge attribute of a path, "" if that is not asked for.
func (w *walk) attribute(path string) string {
	value, _ := w.attributes.Load(path)
	s, _ := value.(string)
	return s
}

// committed is what was committed at a path; false where there is no file.
func (m *Merge) committed(f file) (id git.ID, ok bool) {
	d, differs := m.diff[f.path]
	switch {
	case m.Open:
		return "", false
	case differs:
		return d.To.ID, d.To.Mode.IsFile()
	case f.by[byLine] != nil:
		return f.by[byLine].Ours.ID, true
	}
	return "", false
}

// otherwise are the paths at which something else was committed than git merges, sorted.
func (m *Merge) otherwise() []string { return slices.Sorted(maps.Keys(m.diff)) }
