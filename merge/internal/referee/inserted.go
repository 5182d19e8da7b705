package referee

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// explainInserted looks for two items that the sides inserted, and that m is the
// merge of.
func (o *orderedList) explainInserted(m *row) bool {
	ds, us := &o.missing[dest], &o.missing[updated]
	if o.of != ofItems || len(ds.rows)*len(us.rows) > maxRenames {
		return false
	}
	for d := range ds.each {
		for u := range us.each {
			dr, ur := ds.rows[d], us.rows[u]
			t := quad{dest: dr.at[dest], updated: ur.at[updated], result: m.at[result]}
			if !o.oneThing(t[dest], t[updated]) || !o.try(o.at, t) {
				if o.work < 0 {
					return false
				}
				continue
			}
			ds.remove(d)
			us.remove(u)
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
	ys := &o.standing[s.other()]
	if o.of != ofItems || len(ys.rows)*len(o.missing[s].rows) > maxRenames {
		return false
	}
	for y := range ys.each {
		t := ys.rows[y].at
		t[s] = r.at[s]
		if !o.oneThing(t[dest], t[updated]) || !o.try(o.at, t) {
			if o.work < 0 {
				return false
			}
			continue
		}
		ys.remove(y)
		return true
	}
	return false
}

// oneThing reports whether two items that both sides inserted are surely one,
// so that they may stand once: they have one name or id, or most of their leaves.
func (o *orderedList) oneThing(a, b *node) bool {
	if a.Kind != syntax.Mapping || b.Kind != syntax.Mapping {
		return false
	}
	switch n := a.name(); {
	case n != b.name():
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	return alike(o.leavesOf(a), o.leavesOf(b), false)
}

// leavesOf returns the leaves of n, sorted. It keeps them, as every item may be
// compared with many.
func (o *orderedList) leavesOf(n *node) []uint64 {
	l, ok := o.leaves[n]
	if !ok {
		l = n.leaves(nil, 0, nil)
		slices.Sort(l)
		o.leaves[n] = l
	}
	return l
}
