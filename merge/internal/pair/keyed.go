package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A keyPairing pairs elements by identity and brings the pairs into the order of the result.
//
// The order is that of dest. It is that of updated if only updated reordered the elements, or if both sides
// reordered them and only updated changed the template blocks around them. An element that only the other side
// added follows the element that precedes it in the other side, after the elements that dest added at the same
// position.
type keyPairing struct {
	elems     [3][]elem
	steps     []Step
	stepOf    [3][]int // the index of the step of each element
	hasher    *hasher
	lines     *Lines
	wrapSteps map[int]bool // the steps of wrappers and of the elements that they wrap; see wrap.go
}

// Pair pairs elements by identity and returns the steps in the order of the result. Elements that both sides
// deleted have no step, unless they are part of a conflict. With m.Hasher, Pair also pairs elements that were
// renamed; with m.Lines as well, also those that only a comparison by lines can pair.
func (m *Matcher) Pair(v [3][]elem) []Step {
	k := &keyPairing{elems: v, hasher: m.Hasher, lines: m.Lines}
	k.matchIdentities()
	if k.hasher != nil {
		k.joinRenamed()
	}
	if k.hasher != nil && k.lines != nil {
		for _, s := range three.Sides {
			k.joinByLines(s)
		}
		k.joinRenamedByBoth()
	}
	if k.hasher != nil {
		k.markWrappers()
	}
	lead := k.orderingSide()
	order := k.mergeOrder(lead)
	k.sortSteps(order)
	k.setPlacedBy(lead)
	return k.insertConflicts(order)
}

// matchIdentities sets k.steps and k.stepOf: it makes one step for each identity.
func (k *keyPairing) matchIdentities() {
	longest := max(len(k.elems[0]), len(k.elems[1]), len(k.elems[2]))
	index := make(map[string]int, longest)
	k.steps = make([]Step, 0, longest)
	for s := range k.elems {
		k.stepOf[s] = make([]int, len(k.elems[s]))
		for i, e := range k.elems[s] {
			n, ok := index[e.identity]
			if !ok {
				n = len(k.steps)
				index[e.identity] = n
				k.steps = append(k.steps, NewStep(-1, -1, -1))
			}
			k.steps[n].Index[s] = i
			k.stepOf[s][i] = n
		}
	}
}

// orderingSide returns the side that determines the order of the elements. It is dest, or updated if only
// updated reordered the elements. If both sides reordered them, it is updated if only updated changed guards: a
// template block encloses consecutive elements, and in another order it would enclose other elements.
func (k *keyPairing) orderingSide() three.Version {
	dest, updated := k.keepsOrder(three.Dest), k.keepsOrder(three.Updated)
	if !updated && (dest || !k.changesGuards(three.Dest) && k.changesGuards(three.Updated)) {
		return three.Updated
	}
	return three.Dest
}

// changesGuards reports whether s changed the guard of an element that all versions have.
func (k *keyPairing) changesGuards(s three.Version) bool {
	return slices.ContainsFunc(k.steps, func(st Step) bool {
		o, at := st.Index[three.Original], st.Index[s]
		return o >= 0 && at >= 0 && st.Index[s.Other()] >= 0 && k.elems[three.Original][o].guard != k.elems[s][at].guard
	})
}

// keepsOrder reports whether the elements that all versions have are in the original's order in s.
func (k *keyPairing) keepsOrder(s three.Version) bool {
	last := -1
	for _, n := range k.stepOf[three.Original] {
		st := k.steps[n]
		if st.Index[three.Dest] < 0 || st.Index[three.Updated] < 0 {
			continue
		}
		if st.Index[s] < last {
			return false
		}
		last = st.Index[s]
	}
	return true
}

// mergeOrder returns the indexes of the steps in the order of the result. The elements of lead keep their order.
// Each other element is inserted after the element that precedes it in the other side (see also skipAdditions).
// An element that both sides added only counts as that predecessor if both added it after the same element of the
// original.
func (k *keyPairing) mergeOrder(lead three.Version) []int {
	other := lead.Other()
	head := len(k.steps)
	next := slices.Repeat([]int{-1}, head+1) // a linked list of steps; its head is the last element of the slice
	at := head
	for _, n := range k.stepOf[lead] {
		next[at] = n
		at = n
	}
	at = head
	anchorInLead := k.findAnchors(lead)
	anchor := -1
	for i, n := range k.stepOf[other] {
		switch st := k.steps[n]; {
		case st.Index[lead] < 0:
			if lead == three.Dest {
				at = k.skipAdditions(next, at, k.sharedBlock(other, i), k.elems[other][i].guard)
			}
			next[n] = next[at]
			next[at] = n
		case st.Index[three.Original] >= 0:
			anchor = n
		case anchorInLead[n] != anchor: // the sides added it at different positions
			continue
		}
		at = n
	}
	order := make([]int, 0, len(k.steps))
	for n := next[head]; n >= 0; n = next[n] {
		order = append(order, n)
	}
	return order
}

// findAnchors returns the anchor of each element that both sides added: the last element before it in s that all
// versions have. Elements are given by the indexes of their steps. The anchor is -1 if there is no such element.
func (k *keyPairing) findAnchors(s three.Version) map[int]int {
	anchors, last := map[int]int{}, -1
	for _, n := range k.stepOf[s] {
		switch st := k.steps[n]; {
		case st.Index[s.Other()] < 0:
		case st.Index[three.Original] >= 0:
			last = n
		default:
			anchors[n] = last
		}
	}
	return anchors
}

// sharedBlock returns the innermost template block that encloses both element i of s and the element before it,
// or "" if there is none.
func (k *keyPairing) sharedBlock(s three.Version, i int) string {
	if i == 0 {
		return ""
	}
	return template.SharedBlock(k.elems[s][i].guard, k.elems[s][i-1].guard)
}

// skipAdditions returns the step after which an element that only updated added is inserted. It starts at step
// at, the element's predecessor, and skips the following elements that only dest added. next is the linked list
// of steps. guard is the guard of the element, and block is the template block that it shares with its
// predecessor. skipAdditions does not skip elements outside block, because the new element would then leave the
// block. It also does not stop between two elements that share a block that does not enclose the new element.
//
//	original  dest  updated     result
//	a: 1      a: 1  {{ if .x }} {{ if .x }}
//	          b: 2  a: 1        a: 1
//	                c: 3        c: 3
//	                {{ end }}   {{ end }}
//	                            b: 2
func (k *keyPairing) skipAdditions(next []int, at int, block, guard string) int {
	guardOf := func(n int) string { return k.elems[three.Dest][k.steps[n].Index[three.Dest]].guard }
	for n := next[at]; n >= 0; n = next[n] {
		st := k.steps[n]
		if st.Index[three.Dest] < 0 || st.Index[three.Original] >= 0 || st.Index[three.Updated] >= 0 || !template.IsInBlock(guardOf(n), block) {
			break
		}
		following := next[n]
		if following < 0 || k.steps[following].Index[three.Dest] < 0 || template.IsInBlock(guard, template.SharedBlock(guardOf(n), guardOf(following))) {
			at = n
		}
	}
	return at
}

// PairByKey pairs elements by identity only. It does not look for renamed elements, and no step is a conflict.
// The steps are in dest's order if destLeads is true. Otherwise orderingSide determines the order.
func PairByKey(v [3][]elem, destLeads bool) []Step {
	k := &keyPairing{elems: v}
	k.matchIdentities()
	lead := three.Dest
	if !destLeads {
		lead = k.orderingSide()
	}
	out := make([]Step, 0, len(k.steps))
	for _, n := range k.mergeOrder(lead) {
		out = append(out, k.steps[n])
	}
	return out
}

// insertConflicts returns the steps in the given order, in which each gap that is in conflict (see
// detectConflict) is replaced by one conflict step, at the position of the gap's first element.
func (k *keyPairing) insertConflicts(order []int) []Step {
	gaps := k.findGaps()
	inGap := map[int]int{} // the conflicting gap of a step
	for g := range gaps {
		if !k.detectConflict(&gaps[g]) {
			continue
		}
		for s := range gaps[g].Runs {
			for _, i := range gaps[g].Runs[s] {
				inGap[k.stepOf[s][i]] = g
			}
		}
	}
	out := make([]Step, 0, len(order))
	done := map[int]bool{}
	for _, n := range order {
		g, isInGap := inGap[n]
		switch {
		case !isInGap:
			out = append(out, k.steps[n])
		case !done[g]:
			done[g] = true
			gaps[g].Index = [3]int{-1, -1, -1}
			if gaps[g].Conflict == NoConflict {
				gaps[g].Conflict = BothReplaced
			}
			out = append(out, gaps[g])
		}
	}
	return out
}

// findStable returns which steps are stable, by index, and the number of stable steps. Stable elements are in
// all versions, in the same order.
func (k *keyPairing) findStable() (stable []bool, count int) {
	stable = make([]bool, len(k.steps))
	lastDest, lastUpdated := -1, -1
	for _, n := range k.stepOf[three.Original] {
		at := k.steps[n].Index
		if at[three.Dest] > lastDest && at[three.Updated] > lastUpdated {
			stable[n] = true
			lastDest, lastUpdated = at[three.Dest], at[three.Updated]
			count++
		}
	}
	return stable, count
}

// setPlacedBy sets Step.PlacedBy of elements that both sides have at different positions. These are elements
// that are not stable and follow different stable elements in the two sides. PlacedBy is set to lead if the
// other side added or moved the element. It is not set if the other side left the element at its position in the
// original.
func (k *keyPairing) setPlacedBy(lead three.Version) {
	stable, _ := k.findStable()
	isUnstable := func(n int) bool {
		at := k.steps[n].Index
		return !stable[n] && at[three.Dest] >= 0 && at[three.Updated] >= 0
	}
	if !slices.ContainsFunc(k.stepOf[lead], isUnstable) {
		return
	}
	var predecessor [3][]int // the last stable step before each step, in each version
	for v := range k.elems {
		predecessor[v] = make([]int, len(k.steps))
		last := -1
		for _, n := range k.stepOf[v] {
			if predecessor[v][n] = last; stable[n] {
				last = n
			}
		}
	}
	for _, n := range k.stepOf[lead] {
		st := &k.steps[n]
		inOther := predecessor[lead.Other()][n]
		unmovedByOther := st.Index[three.Original] >= 0 && predecessor[three.Original][n] == inOther
		if isUnstable(n) && inOther != predecessor[lead][n] && !unmovedByOther {
			st.PlacedBy = three.Some(lead)
		}
	}
}

// findGaps divides the versions at the stable elements, and returns the gaps in between. The Runs of a gap have
// the elements that not all versions have. An element that all versions have, but that a side moved, is in no
// gap.
func (k *keyPairing) findGaps() []Step {
	stable, count := k.findStable()
	gaps := make([]Step, count+1)
	for s := range k.elems {
		g := 0
		for i, n := range k.stepOf[s] {
			at := k.steps[n].Index
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

// detectConflict reports whether the elements of a gap are in conflict. They are in three cases:
//
//   - The gap contains a wrapper or an element that a side wraps. detectConflict then sets g.Conflict to
//     Wrapped.
//   - Both sides deleted the same element, and each added one that the other lacks. They may have renamed or
//     replaced it.
//   - Both sides no longer have a document that is not a resource, and one side added another such document.
//     It may be the same document with all of its content changed.
func (k *keyPairing) detectConflict(g *Step) bool {
	for s, run := range g.Runs {
		if slices.ContainsFunc(run, func(i int) bool { return k.wrapSteps[k.stepOf[s][i]] }) {
			g.Conflict = Wrapped
			return true
		}
	}
	removed, unidentified := false, false
	for _, i := range g.Runs[three.Original] {
		at := k.steps[k.stepOf[three.Original][i]].Index
		if at[three.Dest] < 0 && at[three.Updated] < 0 {
			removed, unidentified = true, unidentified || k.elems[three.Original][i].isUnidentifiedDoc
		}
	}
	if !removed {
		return false
	}
	var added [3]int
	replaced := false
	for _, s := range three.Sides {
		for _, i := range g.Runs[s] {
			at := k.steps[k.stepOf[s][i]].Index
			if at[three.Original] < 0 && at[s.Other()] < 0 {
				added[s]++
				replaced = replaced || unidentified && k.elems[s][i].isUnidentifiedDoc
			}
		}
	}
	return replaced || added[three.Dest] > 0 && added[three.Updated] > 0
}
