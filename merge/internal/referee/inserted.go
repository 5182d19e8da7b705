package referee

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// explainInserted looks for two items that the sides inserted, and that m is the
// merge of.
func (o *orderedList) explainInserted(m *row) bool {
	if o.of != ofItems {
		return false
	}
	for d, dr := range o.missing[dest] {
		for u, ur := range o.missing[updated] {
			t := quad{dest: dr.at[dest], updated: ur.at[updated], result: m.at[result]}
			if !oneThing(t[dest], t[updated]) || !o.try(o.at, t) {
				if o.work < 0 {
					return false
				}
				continue
			}
			o.missing[dest] = without(o.missing[dest], d)
			o.missing[updated] = without(o.missing[updated], u)
			m.at, m.pos[dest], m.pos[updated] = t, dr.pos[dest], ur.pos[updated]
			dr.at, ur.at = quad{}, quad{}
			return true
		}
	}
	return false
}

// explainContained looks for an item that the other side inserted too, that
// stands in the result and holds all that s has in r.
func (o *orderedList) explainContained(s version, r *row) bool {
	if o.of != ofItems {
		return false
	}
	for i, y := range o.standing[s.other()] {
		t := y.at
		t[s] = r.at[s]
		if !oneThing(t[dest], t[updated]) || !o.try(o.at, t) {
			if o.work < 0 {
				return false
			}
			continue
		}
		o.standing[s.other()] = without(o.standing[s.other()], i)
		return true
	}
	return false
}

// oneThing reports whether two items that both sides inserted are surely one,
// so that they may stand once: they have one name or id, or most of their leaves.
func oneThing(a, b *node) bool {
	if a.Kind != syntax.Mapping || b.Kind != syntax.Mapping {
		return false
	}
	switch n := a.name(); {
	case n != b.name():
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	x, y := a.leaves(nil, 0, nil), b.leaves(nil, 0, nil)
	slices.Sort(x)
	slices.Sort(y)
	return alike(x, y, false)
}
