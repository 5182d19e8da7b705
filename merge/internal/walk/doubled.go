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
	values := valuesOfDoubled(v)
	for key, all := range values {
		if _, ok := three.PickFunc(*all, w.equalAll); ok || len(all[0]) == len(all[1]) && len(all[0]) == len(all[2]) {
			delete(values, key)
		}
	}
	if len(values) == 0 {
		return
	}
	for _, c := range kids {
		if values[tree.FieldKey(c.At[c.At.First()])] == nil {
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

// valuesOfDoubled are the values that each version has under every key that one of them has
// several times; not under <<, which may stand several times.
func valuesOfDoubled(v three.Nodes) map[string]*[3][]*syntax.Node {
	values := map[string]*[3][]*syntax.Node{}
	for _, n := range v {
		if n != nil {
			for e := range tree.DoubledFields(n.Entries) {
				values[tree.FieldKey(e)] = new([3][]*syntax.Node)
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if all := values[tree.FieldKey(e)]; all != nil && !tree.MergeKey(e) {
				all[s] = append(all[s], e.Value)
			}
		}
	}
	return values
}
