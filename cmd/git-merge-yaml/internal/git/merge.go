package git

import (
	"errors"
	"fmt"
)

// A Merge is a merge commit with its two parents, or what is like one: a picked
// commit, or what stopped, whose Commit is "".
type Merge struct {
	Commit, Ours, Theirs ID
	Bases                []ID // the best common ancestors, maybe none
}

// ErrParents says that a commit has not two parents.
var ErrParents = errors.New("is not a merge of two branches")

// Merge returns the merge commit that name names.
func (g Git) Merge(name string) (m Merge, err error) {
	line, err := g.asIs().Line("rev-list", "--parents", "--max-count=1", name, "--")
	if err != nil {
		return m, err
	}
	ids, err := parseIDs(line)
	if err != nil {
		return m, err
	}
	if len(ids) != 3 {
		return m, g.noMerge(name, ids)
	}
	m.Commit, m.Ours, m.Theirs = ids[0], ids[1], ids[2]
	m.Bases, err = g.mergeBases(m.Ours, m.Theirs)
	return m, err
}

// noMerge says why a commit, with its parents behind it, is no merge.
func (g Git) noMerge(name string, ids []ID) error {
	if shallow, err := g.Shallow(); err == nil && len(ids) == 1 && shallow[ids[0]] {
		return fmt.Errorf("what %s merged is not here: %w", name, ErrShallow)
	}
	parents := "parents"
	if len(ids) == 2 {
		parents = "parent"
	}
	return fmt.Errorf("%s %w: it has %d %s", name, ErrParents, max(0, len(ids)-1), parents)
}

// mergeBases returns the best common ancestors of two commits.
func (g Git) mergeBases(ours, theirs ID) ([]ID, error) {
	out, err := g.asIs().Run("merge-base", "--all", ours.String(), theirs.String())
	if err != nil && ExitCode(err) != 1 { // 1: there is none
		return nil, err
	}
	return parseIDs(string(out))
}
