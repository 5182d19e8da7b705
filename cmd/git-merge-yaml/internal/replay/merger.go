package replay

import "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"

// mergeKind says what a merge commit is to the replay.
type mergeKind int

const (
	replayed mergeKind = iota
	octopus            // more than two parents: git calls no driver
	cutOff             // the common ancestor is not in this shallow clone
)

// A merger replays one merge at a time.
type merger struct {
	*run
	bases *git.Bases
}

func (m *merger) merge(commit int) found {
	parents := m.graph.Parents(commit)
	if len(parents) != 2 {
		return found{kind: octopus}
	}
	ours, theirs := int(parents[0]), int(parents[1])
	bases := m.bases.Of([]int{ours}, []int{theirs})
	switch {
	case len(bases) == 1 && (bases[0] == ours || bases[0] == theirs):
		return found{}
	case len(bases) == 0 && m.shallow:
		return found{kind: cutOff}
	}
	cases, deleted, err := m.files(commit, ours, theirs, bases)
	return found{cases: cases, deleted: deleted, err: err}
}

// files merges the files that both parents of a merge changed.
func (m *merger) files(commit, ours, theirs int, bases []int) (cases []*Case, deleted int, err error) {
	roots, s, err := m.ancestors(bases)
	if err != nil {
		return nil, 0, err
	}
	if v, ok := s.(*virtual); ok {
		defer v.close()
	}
	w := &walk{store: s, want: m.Want, bases: roots}
	v := versions{ours: folder(m.graph.Tree(ours)), theirs: folder(m.graph.Tree(theirs))}
	for e, root := range roots {
		v.base[e] = folder(root)
	}
	if !v.contested() {
		return nil, 0, nil
	}
	if err := w.tree("", v); err != nil {
		return nil, 0, err
	}
	if deleted, err = w.renamed(sides{roots[byLine], v.ours.ID, v.theirs.ID}); err != nil {
		return nil, 0, err
	}
	about := Case{Merge: m.graph.ID(commit), Parents: [2]git.ID{m.graph.ID(ours), m.graph.ID(theirs)}}
	for _, b := range bases {
		about.Bases = append(about.Bases, m.graph.ID(b))
	}
	for _, f := range w.files {
		c := about
		if err := m.judge(&c, f, s, m.graph.Tree(commit)); err != nil {
			return nil, 0, err
		}
		cases = append(cases, &c)
	}
	return cases, deleted, nil
}
