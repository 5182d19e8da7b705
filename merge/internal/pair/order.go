package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Pair pairs elements by their keys, and finds renames.
func (m *Matcher) Pair(v [3][]elem) []Step { return Keyed(v, m.Sums, m.Lines) }

// ByKey pairs elements by their keys alone: none is renamed, none is in conflict. Where
// destLeads, the order is dest's even if updated alone reordered.
func ByKey(v [3][]elem, destLeads bool) []Step {
	k := &keyed{v: v}
	k.match()
	order := k.order()
	if destLeads {
		order = k.weave(three.Dest)
	}
	out := make([]Step, 0, len(order))
	for _, n := range order {
		out = append(out, k.steps[n])
	}
	return out
}
