package git

import (
	"errors"
	"fmt"
)

// A Merge is a merge commit with its two parents, or what is like one: a picked
// commit, or what stopped, whose Commit is "".
type Merge struct {
	Commit, Ours, Theirs ID
	// Over is the ancestor of a pick; "" is what the history of both says.
	Over ID
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
	return Merge{Commit: ids[0], Ours: ids[1], Theirs: ids[2]}, nil
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
