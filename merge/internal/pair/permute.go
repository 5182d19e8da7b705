package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// permuted pairs the items of a list that one side only brought into another
// order, or added to, while the other side changed or deleted items of it: in
// the new order, and paired through the original. It returns nil where that is
// not so, or where an item stands twice, so that it is not sure which is which.
func (a *ordered) permuted() []Step {
	for _, s := range three.Sides {
		if steps := a.permutedBy(s); steps != nil {
			return steps
		}
	}
	return nil
}

func (a *ordered) permutedBy(s three.Side) []Step {
	from, base, other := valuesAt(a.v[s]), valuesAt(a.v[three.Original]), valuesAt(a.v[s.Other()])
	if from == nil || base == nil || other == nil || !a.reordered(from) || !a.addedAlike(s.Other(), from, base) {
		return nil
	}
	steps := make([]Step, len(a.v[s]))
	for i, e := range a.v[s] {
		st := Triple(-1, -1, -1)
		st.At[s] = i
		if o, ok := base[e.sum]; ok {
			st.At[three.Original], st.At[s.Other()] = o, a.match[s.Other()][o]
		} else if x, ok := other[e.sum]; ok {
			st.At[s.Other()] = x
		}
		steps[i] = st
	}
	return steps
}

// valuesAt tells where each value stands in v; nil if one stands there twice.
func valuesAt(v []elem) map[uint64]int {
	at := make(map[uint64]int, len(v))
	for i, e := range v {
		at[e.sum] = i
	}
	if len(at) < len(v) {
		return nil
	}
	return at
}

// reordered reports whether a side, which has its values at the places of from,
// has every item of the original as it was, and in another order.
func (a *ordered) reordered(from map[uint64]int) bool {
	last, moved := -1, false
	for _, e := range a.v[three.Original] {
		i, ok := from[e.sum]
		if !ok {
			return false
		}
		moved = moved || i < last
		last = i
	}
	return moved
}

// addedAlike reports whether s has the original's items in their order, some of
// them changed or deleted, and besides only items that the other side added too.
func (a *ordered) addedAlike(s three.Side, other, base map[uint64]int) bool {
	origin := map[int]int{}
	for o, j := range a.match[s] {
		origin[j] = o
	}
	for j, e := range a.v[s] {
		o, kept := origin[j]
		_, alike := other[e.sum]
		b, was := base[e.sum]
		if was && !(kept && o == b) || !was && kept == alike {
			return false
		}
	}
	return true
}
