package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// keyed pairs elements by their keys and puts them in order.
//
// The order is dest's, or updated's where updated alone reordered, or where both
// reordered and updated alone changed the blocks of a template around the elements. What the
// other side added stands after the element that it followed there, and after
// what dest inserted at that place.
type keyed struct {
	v     [3][]elem
	steps []Step
	id    [3][]int // step of each element
	sums  *sums
	lines *Lines
	wraps map[int]bool // the steps of wrappers and of what they wrap; see wrap.go
}

// Pair pairs elements by their keys; with sums, it also looks for renames, and with lines too
// for those that only lines tell.
func (m *Matcher) Pair(v [3][]elem) []Step {
	k := &keyed{v: v, sums: m.Sums, lines: m.Lines}
	k.match()
	if k.sums != nil {
		k.rename()
	}
	if k.sums != nil && k.lines != nil {
		for _, s := range three.Sides {
			k.moved(s)
			k.aligned(s)
		}
		k.renamedAlike()
	}
	if k.sums != nil {
		k.wrapped()
	}
	lead := k.lead()
	order := k.weave(lead)
	k.sort(order)
	k.setPlacedBy(lead)
	return k.replaceGaps(order)
}

// match makes one step per key.
func (k *keyed) match() {
	most := max(len(k.v[0]), len(k.v[1]), len(k.v[2]))
	index := make(map[string]int, most)
	k.steps = make([]Step, 0, most)
	for s := range k.v {
		k.id[s] = make([]int, len(k.v[s]))
		for i, e := range k.v[s] {
			n, ok := index[e.key]
			if !ok {
				n = len(k.steps)
				index[e.key] = n
				k.steps = append(k.steps, Triple(-1, -1, -1))
			}
			k.steps[n].At[s] = i
			k.id[s][i] = n
		}
	}
}

// lead returns the side whose order the elements have. A block is around a run of elements in the order of the side
// that has the block: in another order it would hold others.
func (k *keyed) lead() three.Version {
	dest, updated := k.inOrder(three.Dest), k.inOrder(three.Updated)
	if !updated && (dest || !k.reguarded(three.Dest) && k.reguarded(three.Updated)) {
		return three.Updated
	}
	return three.Dest
}

// reguarded reports whether s has other blocks around an element that all versions have than the original has.
func (k *keyed) reguarded(s three.Version) bool {
	return slices.ContainsFunc(k.steps, func(st Step) bool {
		o, at := st.At[three.Original], st.At[s]
		return o >= 0 && at >= 0 && st.At[s.Other()] >= 0 && k.v[three.Original][o].guard != k.v[s][at].guard
	})
}

// inOrder reports whether s has the elements that all versions have in the
// original's order.
func (k *keyed) inOrder(s three.Version) bool {
	last := -1
	for _, n := range k.id[three.Original] {
		st := k.steps[n]
		if st.At[three.Dest] < 0 || st.At[three.Updated] < 0 {
			continue
		}
		if st.At[s] < last {
			return false
		}
		last = st.At[s]
	}
	return true
}

// weave puts the other side's elements between those of lead.
func (k *keyed) weave(lead three.Version) []int {
	other := lead.Other()
	head := len(k.steps)
	next := slices.Repeat([]int{-1}, head+1) // a linked list; the last element is its head
	at := head
	for _, n := range k.id[lead] {
		next[at] = n
		at = n
	}
	at = head
	before := k.anchors(lead)
	anchor := -1
	for i, n := range k.id[other] {
		switch st := k.steps[n]; {
		case st.At[lead] < 0:
			if lead == three.Dest {
				at = k.skipNew(next, at, k.block(other, i), k.v[other][i].guard)
			}
			next[n] = next[at]
			next[at] = n
		case st.At[three.Original] >= 0:
			anchor = n
		case before[n] != anchor: // both added it, each at another place
			continue
		}
		at = n
	}
	out := make([]int, 0, len(k.steps))
	for n := next[head]; n >= 0; n = next[n] {
		out = append(out, n)
	}
	return out
}

// anchors are, of the elements that both sides added, the last ones before them in s that all
// versions have, by their steps; -1 where there is none.
func (k *keyed) anchors(s three.Version) map[int]int {
	before, last := map[int]int{}, -1
	for _, n := range k.id[s] {
		switch st := k.steps[n]; {
		case st.At[s.Other()] < 0:
		case st.At[three.Original] >= 0:
			last = n
		default:
			before[n] = last
		}
	}
	return before
}

// block is the block of a template in which element i of s stands with the one before it; "" if
// there is none.
func (k *keyed) block(s three.Version, i int) string {
	if i == 0 {
		return ""
	}
	return template.SharedBlock(k.v[s][i].guard, k.v[s][i-1].guard)
}

// skipNew moves from at past the elements that only dest has, for one with a guard; not past those
// outside of the block in which that stands with the element at, which would stand in it else, and not
// into a block around elements of dest in which it does not stand:
//
//	base  ours  theirs      result
//	a: 1  a: 1  {{ if .x }} {{ if .x }}
//	      b: 2  a: 1        a: 1
//	            c: 3        c: 3
//	            {{ end }}   {{ end }}
//	                        b: 2
func (k *keyed) skipNew(next []int, at int, block, guard string) int {
	dest := func(n int) string { return k.v[three.Dest][k.steps[n].At[three.Dest]].guard }
	for n := next[at]; n >= 0; n = next[n] {
		st := k.steps[n]
		if st.At[three.Dest] < 0 || st.At[three.Original] >= 0 || st.At[three.Updated] >= 0 || !template.InBlock(dest(n), block) {
			break
		}
		f := next[n]
		if f < 0 || k.steps[f].At[three.Dest] < 0 || template.InBlock(guard, template.SharedBlock(dest(n), dest(f))) {
			at = n
		}
	}
	return at
}

// ByKey pairs elements by their keys alone: none is renamed, none is in conflict. Where
// destLeads, the order is dest's even if updated alone reordered.
func ByKey(v [3][]elem, destLeads bool) []Step {
	k := &keyed{v: v}
	k.match()
	lead := three.Dest
	if !destLeads {
		lead = k.lead()
	}
	out := make([]Step, 0, len(k.steps))
	for _, n := range k.weave(lead) {
		out = append(out, k.steps[n])
	}
	return out
}

// replaceGaps turns every gap in which both sides removed the same element and
// added different ones into one conflict: both renamed or replaced one thing.
func (k *keyed) replaceGaps(order []int) []Step {
	gaps := k.gaps()
	inGap := map[int]int{} // step to gap in conflict
	for g := range gaps {
		if !k.contested(&gaps[g]) {
			continue
		}
		for s := range gaps[g].Runs {
			for _, i := range gaps[g].Runs[s] {
				inGap[k.id[s][i]] = g
			}
		}
	}
	out := make([]Step, 0, len(order))
	done := map[int]bool{}
	for _, n := range order {
		g, in := inGap[n]
		switch {
		case !in:
			out = append(out, k.steps[n])
		case !done[g]:
			done[g] = true
			gaps[g].At = [3]int{-1, -1, -1}
			if gaps[g].Cause == NoCause {
				gaps[g].Cause = Replaced
			}
			out = append(out, gaps[g])
		}
	}
	return out
}

// stable returns which steps all versions have in one order, and how many these are.
func (k *keyed) stable() (stable []bool, count int) {
	stable = make([]bool, len(k.steps))
	lastD, lastU := -1, -1
	for _, n := range k.id[three.Original] {
		at := k.steps[n].At
		if at[three.Dest] > lastD && at[three.Updated] > lastU {
			stable[n] = true
			lastD, lastU = at[three.Dest], at[three.Updated]
			count++
		}
	}
	return stable, count
}

// setPlacedBy sets PlacedBy of the steps that both sides have behind different elements of those that all versions have
// in one order, if the side other than lead added or moved them.
func (k *keyed) setPlacedBy(lead three.Version) {
	stable, _ := k.stable()
	unstable := func(n int) bool {
		at := k.steps[n].At
		return !stable[n] && at[three.Dest] >= 0 && at[three.Updated] >= 0
	}
	if !slices.ContainsFunc(k.id[lead], unstable) {
		return
	}
	var behind [3][]int // of each step, in each version
	for v := range k.v {
		behind[v] = make([]int, len(k.steps))
		last := -1
		for _, n := range k.id[v] {
			if behind[v][n] = last; stable[n] {
				last = n
			}
		}
	}
	for _, n := range k.id[lead] {
		st := &k.steps[n]
		there := behind[lead.Other()][n]
		left := st.At[three.Original] >= 0 && behind[three.Original][n] == there
		if unstable(n) && there != behind[lead][n] && !left {
			st.PlacedBy = three.Some(lead)
		}
	}
}

// gaps cuts the three versions at the elements that all have in one order, and
// returns what stands between. An element that moved belongs to no gap.
func (k *keyed) gaps() []Step {
	stable, count := k.stable()
	gaps := make([]Step, count+1)
	for s := range k.v {
		g := 0
		for i, n := range k.id[s] {
			at := k.steps[n].At
			switch {
			case stable[n]:
				g++
			case at[three.Original] < 0 || at[three.Dest] < 0 || at[three.Updated] < 0:
				gaps[g].Runs[s] = append(gaps[g].Runs[s], i)
			}
		}
	}
	return gaps
}

// contested reports whether both sides removed one element in common and
// added elements that differ, or whether a wrapper is in g, or an element that a side wraps; the cause of g is then Wrapped. A document without identity is known by what is in it alone: where one
// side deleted it, and the other has another one there, that may be it, with all of it changed.
func (k *keyed) contested(g *Step) bool {
	for s, run := range g.Runs {
		if slices.ContainsFunc(run, func(i int) bool { return k.wraps[k.id[s][i]] }) {
			g.Cause = Wrapped
			return true
		}
	}
	removed, bare := false, false
	for _, i := range g.Runs[three.Original] {
		at := k.steps[k.id[three.Original][i]].At
		if at[three.Dest] < 0 && at[three.Updated] < 0 {
			removed, bare = true, bare || k.v[three.Original][i].bare
		}
	}
	if !removed {
		return false
	}
	var added [3]int
	replaced := false
	for _, s := range three.Sides {
		for _, i := range g.Runs[s] {
			at := k.steps[k.id[s][i]].At
			if at[three.Original] < 0 && at[s.Other()] < 0 {
				added[s]++
				replaced = replaced || bare && k.v[s][i].bare
			}
		}
	}
	return replaced || added[three.Dest] > 0 && added[three.Updated] > 0
}
