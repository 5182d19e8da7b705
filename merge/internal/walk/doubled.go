package walk

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// contestDoubled makes conflicts of the fields of a key that a version has several
// times, where both sides changed them and the versions have different numbers of
// them: which is which cannot be told. Else each is a field of its own.
func (w *Walker) contestDoubled(kids []*plan.Child, v three.Nodes) {
	twice := map[string]bool{}
	for _, n := range v {
		if n != nil {
			for e := range tree.DoubledFields(n.Entries) {
				twice[tree.FieldKey(e)] = true
			}
		}
	}
	for _, c := range kids {
		key := tree.FieldKey(c.At[c.At.First()])
		if !twice[key] {
			continue
		}
		var all [3][]*syntax.Node
		for s, n := range v {
			all[s] = valuesOf(n, key)
		}
		if _, ok := three.PickFunc(all, w.equalAll); ok || len(all[0]) == len(all[1]) && len(all[0]) == len(all[2]) {
			continue
		}
		if c.Path == nil {
			c.Path = c.Name(c.At)
		}
		c.Gone = false
		c.Contest(plan.ConflictAddAdd)
	}
}

func (w *Walker) equalAll(a, b []*syntax.Node) bool { return slices.EqualFunc(a, b, w.Sums.Equal) }

// valuesOf are the values that n, which may be nil, has under key; none under <<, which
// may stand several times.
func valuesOf(n *syntax.Node, key string) (all []*syntax.Node) {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if tree.FieldKey(e) == key && !tree.MergeKey(e) {
			all = append(all, e.Value)
		}
	}
	return all
}
