package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A keyPairing brings the elements of three versions of a collection, which were matched by identity, into the order of
// the result.
//
// The order is that of dest or updated (see orderingSide). An element that only the other side added follows the
// element that precedes it in the other side.
type keyPairing struct {
	*ident.Keyed
	steps []Step // of the classes, with the same indexes
	// orderMatters means that the order of the elements has a meaning, as in initContainers.
	orderMatters bool
}

// newKeyPairing returns a keyPairing with one step for each class of k.
func newKeyPairing(k *ident.Keyed, orderMatters bool) *keyPairing {
	p := &keyPairing{Keyed: k, steps: make([]Step, len(k.Classes)), orderMatters: orderMatters}
	for n, c := range k.Classes {
		p.steps[n].Index = c.Index
	}
	return p
}

// Pair pairs elements (fields, items or documents) by identity, and also as renamed if m.Hasher is set (see
// ident.Table.MatchKeyed). It returns one step for each element, with its index in each version that has it, in the
// order of the result. An element that only one side deleted has a step, one that both deleted has none. A step can
// also be a conflict over several elements, BothReplaced or Wrapped. It may set m.Lines.MayDependOnElided.
func (m *Matcher) Pair(v [3][]ident.Elem) []Step { return orderKeyed(m.MatchKeyed(v), false) }

// PairFields pairs the fields of the mappings v at path p, as Pair does.
func (m *Matcher) PairFields(v three.Nodes, p *three.Path) []Step {
	return orderKeyed(m.MatchMapping(v, p).Keyed, false)
}

// orderKeyed returns one step for each class of elements, or one conflict for several, in the order of the result.
// orderMatters is true if the order of the elements has a meaning, as in initContainers. It may set MayDependOnElided
// of the lines.
func orderKeyed(classes *ident.Keyed, orderMatters bool) []Step {
	k := newKeyPairing(classes, orderMatters)
	lead := k.orderingSide()
	order := k.mergeOrder(lead)
	k.sortAdded(order)
	k.setPlacedBy(lead)
	return k.insertConflicts(order)
}

// orderingSide returns the side whose order the result has: the only one that reordered the elements, or dest. If both
// did, it is updated only in one case:
//
//	k.orderMatters      updated also has all changes of dest to the order
//	not k.orderMatters  updated changed the guard of an element
//
// The guard of an element is the template conditions that enclose it, such as {{ if .a }}. A block encloses consecutive
// elements; in another order, it would enclose other elements.
func (k *keyPairing) orderingSide() three.Version {
	switch {
	case k.keepsOrder(three.Updated):
		return three.Dest
	case k.keepsOrder(three.Dest), k.orderMatters && k.hasReorderingOfDest(), !k.orderMatters && k.updatedChangesGuards():
		return three.Updated
	}
	return three.Dest
}

// hasReorderingOfDest reports whether updated contains all changes that dest made to the order of the elements: any two
// that dest has in another order than the original are also in that order in updated. Only elements that all versions
// have are compared.
//
//	original   dest       updated
//	a, b, c    b, a, c    b, c, a    true: b is before a
//	a, b, c    b, a, c    a, c, b    false
func (k *keyPairing) hasReorderingOfDest() bool {
	for i, x := range k.ClassOf[three.Original] {
		for _, y := range k.ClassOf[three.Original][:i] {
			before, after := k.steps[y].Index, k.steps[x].Index
			if min(slices.Min(before[:]), slices.Min(after[:])) >= 0 && before[three.Dest] > after[three.Dest] && before[three.Updated] < after[three.Updated] {
				return false
			}
		}
	}
	return true
}

// updatedChangesGuards reports whether updated changed the guard of an element that all versions have: the template
// conditions that enclose it, such as {{ if .a }}.
func (k *keyPairing) updatedChangesGuards() bool {
	return slices.ContainsFunc(k.steps, func(st Step) bool {
		e := Elements(st, k.Elems)
		return slices.Min(st.Index[:]) >= 0 && e[three.Original].Guard != e[three.Updated].Guard
	})
}

// keepsOrder reports whether the elements that all versions have are in the original's order in s. It returns true if
// there are no such elements.
func (k *keyPairing) keepsOrder(s three.Version) bool {
	last := -1
	for _, n := range k.ClassOf[three.Original] {
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

// mergeOrder returns the order of the elements in the result, as indexes into k.steps. The elements of lead, one of the
// two sides, keep their order. An element that only the other side has follows the nearest element before it in that
// side, except those that both sides added at different places. If lead is dest, the elements that dest added there
// come first, as far as their template blocks allow it. Elements that neither side has are left out.
//
//	dest (lead)   updated   result
//	a, x, b       a, y, b   a, x, y, b
func (k *keyPairing) mergeOrder(lead three.Version) []int {
	other := lead.Other()
	head := len(k.steps)
	next := slices.Repeat([]int{-1}, head+1) // a linked list of steps; its head is the last element of the slice
	at := head
	for _, n := range k.ClassOf[lead] {
		next[at] = n
		at = n
	}
	at = head
	predecessors := k.findPredecessors(func(n int) bool { return slices.Min(k.steps[n].Index[:]) >= 0 })
	for i, n := range k.ClassOf[other] {
		switch st := k.steps[n]; {
		case st.Index[lead] < 0:
			if lead == three.Dest {
				at = k.insertionPoint(next, at, k.sharedBlock(other, i), k.Elems[other][i].Guard)
			}
			next[n] = next[at]
			next[at] = n
		case st.Index[three.Original] < 0 && predecessors[lead][n] != predecessors[other][n]: // the sides added it at different positions
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

// minSortedLen is the number of fields that each version of a mapping needs to count as sorted. Shorter ones are too
// often in order by chance.
const minSortedLen = 3

// sortAdded sorts order, the fields of a mapping in the order of the result, if both sides added fields at one place and
// every version has minSortedLen or more fields, sorted by key. It sets k.Lines.MayDependOnElided if both sides added
// fields at one place, and does nothing if k.Lines is nil.
//
//	original   dest     updated   result
//	ant: 1     ant: 1   ant: 1    ant: 1
//	cat: 1     bee: 1   bat: 1    bat: 1
//	dog: 1     cat: 1   cat: 1    bee: 1
//	           dog: 1   dog: 1    cat: 1
//	                              dog: 1
func (k *keyPairing) sortAdded(order []int) {
	isAddedBy := func(n int, s three.Version) bool { v, ok := k.steps[n].addedBy(); return ok && v == s }
	isAdjacent := false
	for i := 1; i < len(order); i++ {
		isAdjacent = isAdjacent || isAddedBy(order[i-1], three.Dest) && isAddedBy(order[i], three.Updated)
	}
	if !isAdjacent || k.Lines == nil || slices.ContainsFunc(k.Elems[:], func(elems []ident.Elem) bool { return len(elems) == 0 || !elems[0].IsField }) {
		return
	}
	k.Lines.MayDependOnElided = true // it is unknown where entries that were left out for speed belong
	for _, elems := range k.Elems {
		byKey := func(a, b ident.Elem) int { return strings.Compare(a.Identity, b.Identity) }
		if len(elems) < minSortedLen || !slices.IsSortedFunc(elems, byKey) {
			return
		}
	}
	key := func(n int) (key string) {
		for v, i := range k.steps[n].Index {
			if i >= 0 {
				key = k.Elems[v][i].Identity
			}
		}
		return key
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(key(a), key(b)) })
}

// findPredecessors returns, for each version and each step, the last step before it in that version for which isCounted
// returns true. It is -1 if there is none, and -2 if the version lacks the element of the step. With a, b in the original
// and a, x, b in both sides, that of x is a in both sides and -2 in the original.
func (k *keyPairing) findPredecessors(isCounted func(n int) bool) (predecessors [3][]int) {
	for v := range k.Elems {
		predecessors[v] = slices.Repeat([]int{-2}, len(k.steps))
		last := -1
		for _, n := range k.ClassOf[v] {
			if predecessors[v][n] = last; isCounted(n) {
				last = n
			}
		}
	}
	return predecessors
}

// sharedBlock returns the innermost template block, such as {{ if .a }}, that encloses both element i of s and the
// element before it, or "". The result is the opening actions of this block and of those around it, one a line, with
// the outermost first: "if .x\nif .y".
func (k *keyPairing) sharedBlock(s three.Version, i int) string {
	if i == 0 {
		return ""
	}
	return template.SharedBlock(k.Elems[s][i].Guard, k.Elems[s][i-1].Guard)
}

// insertionPoint returns the index in k.steps of the element after which an element that only updated added is
// inserted: at, its predecessor in updated, or the last of the elements directly after at that only dest added. It does
// not go past an element outside of block, the template block that the new element shares with its predecessor. Nor is
// it between two elements of dest in a block that does not enclose the new element; guard has the blocks that do.
//
// Here the new element is c, and block is {{ if .x }}, so that c stays in front of b:
//
//	original  dest  updated     result
//	a: 1      a: 1  {{ if .x }} {{ if .x }}
//	          b: 2  a: 1        a: 1
//	                c: 3        c: 3
//	                {{ end }}   {{ end }}
//	                            b: 2
//
// next is the order so far, as a linked list: next[n] is the index of the element after n, or -1.
func (k *keyPairing) insertionPoint(next []int, at int, block, guard string) int {
	guardOf := func(n int) string { return k.Elems[three.Dest][k.steps[n].Index[three.Dest]].Guard }
	for n := next[at]; n >= 0; n = next[n] {
		st := k.steps[n]
		if st.Index[three.Original] >= 0 || st.Index[three.Updated] >= 0 || !template.IsInBlock(guardOf(n), block) {
			break
		}
		following := next[n]
		if following < 0 || k.steps[following].Index[three.Dest] < 0 || template.IsInBlock(guard, template.SharedBlock(guardOf(n), guardOf(following))) {
			at = n
		}
	}
	return at
}

// PairByKey pairs elements (fields, items or documents) that have the same identity, and returns one step for each
// element of a side, with its index in each version that has it. It finds no renamed elements and no conflicts. The
// elements of dest keep their order if destLeads is true, otherwise those of the side that orderingSide gives. Those
// that only the other side has follow their predecessors in it.
func PairByKey(v [3][]ident.Elem, destLeads bool) []Step {
	k := newKeyPairing(new(ident.Table).MatchKeyed(v), false)
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

// insertConflicts returns the steps of k in the given order (indexes into k.steps). One conflict step takes the place
// of all elements of a gap (see findGaps) if these are in conflict, where the first of them would be, with their
// indexes in Runs. Its reason is Wrapped if a side moved an element of the gap into another one, and otherwise
// BothReplaced.
func (k *keyPairing) insertConflicts(order []int) []Step {
	gaps := k.findGaps()
	inGap := map[int]int{} // the conflicting gap of a step
	for g := range gaps {
		if gaps[g].Conflict = k.conflictIn(&gaps[g]); gaps[g].Conflict == NoConflict {
			continue
		}
		for s := range gaps[g].Runs {
			for _, i := range gaps[g].Runs[s] {
				inGap[k.ClassOf[s][i]] = g
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
			out = append(out, gaps[g])
		}
	}
	return out
}

// findStable returns the stable elements, which all versions have in the same order. They are chosen in the original's
// order: an element is stable if it comes after the last stable one in both sides. stable[n] is true if the element of
// k.steps[n] is one, and count is their number.
//
//	original   dest      updated   stable
//	a, b, c    c, a, b   a, b, c   a, b
//	a, b, c    b, c, a   a, b, c   a
func (k *keyPairing) findStable() (stable []bool, count int) {
	stable = make([]bool, len(k.steps))
	lastDest, lastUpdated := -1, -1
	for _, n := range k.ClassOf[three.Original] {
		at := k.steps[n].Index
		if at[three.Dest] > lastDest && at[three.Updated] > lastUpdated {
			stable[n] = true
			lastDest, lastUpdated = at[three.Dest], at[three.Updated]
			count++
		}
	}
	return stable, count
}

// setPlacedBy sets the field PlacedBy of elements that both sides have at different positions to lead, the side whose
// order the result has. It is not set if only lead moved the element. The position of an element is given by the last
// stable element before it (see findStable).
//
//	original   lead      other     PlacedBy is set for
//	a, b       a, b, x   a, x, b   x: both sides added it
//	a, b, c    c, a, b   a, c, b   c: both sides moved it
//	a, b, c    c, a, b   a, b, c   no element: only lead moved c
func (k *keyPairing) setPlacedBy(lead three.Version) {
	stable, _ := k.findStable()
	predecessors := k.findPredecessors(func(n int) bool { return stable[n] })
	for _, n := range k.ClassOf[lead] {
		inOther := predecessors[lead.Other()][n]
		if k.steps[n].Index[lead.Other()] >= 0 && inOther != predecessors[lead][n] && inOther != predecessors[three.Original][n] {
			k.steps[n].PlacedBy = three.Some(lead)
		}
	}
}

// findGaps returns the gaps between the elements that all versions have in the same order: one before the first of
// them, one after each. A gap is a Step with only the field Runs set: Runs[s] has the indexes in version s of the gap's
// elements that a version lacks. An element that all versions have, but that a side moved, is in no gap.
//
//	original   dest       updated    gaps
//	a, b, c    a, x, c    a, y, c    before a: empty; after a: b, x and y; after c: empty
func (k *keyPairing) findGaps() []Step {
	stable, count := k.findStable()
	gaps := make([]Step, count+1)
	for s := range k.Elems {
		g := 0
		for i, n := range k.ClassOf[s] {
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

// conflictIn returns the conflict of the elements of a gap, with their indexes in g.Runs, or NoConflict: Wrapped if a
// side wrapped an element, and BothReplaced if both sides deleted an element and each added another one, or if an
// element would get above the heading that it was added below (leavesHeading).
func (k *keyPairing) conflictIn(g *Step) ConflictReason {
	for s, run := range g.Runs {
		// a side moved an element into another one that it added, and the other side edited or deleted it
		if slices.ContainsFunc(run, func(i int) bool { return k.Classes[k.ClassOf[s][i]].IsWrap }) {
			return Wrapped
		}
	}
	// whether there are elements that only version v has, and whether one of them is a document without kind and name
	findAlone := func(v three.Version) (any, document bool) {
		for _, i := range g.Runs[v] {
			alone := [3]int{-1, -1, -1}
			if alone[v] = i; k.steps[k.ClassOf[v][i]].Index == alone {
				any, document = true, document || k.Elems[v][i].IsUnidentifiedDoc
			}
		}
		return any, document
	}
	removed, removedDocument := findAlone(three.Original)
	byDest, destDocument := findAlone(three.Dest)
	byUpdated, updatedDocument := findAlone(three.Updated)
	// a removed document and an added one are perhaps the same one, with all of its content changed
	if removed && byDest && byUpdated || removedDocument && (destDocument || updatedDocument) {
		return BothReplaced
	}
	for _, s := range three.Sides {
		isDeleted := func(i int) bool { return k.steps[k.ClassOf[three.Original][i]].Index[s] < 0 }
		if !slices.ContainsFunc(g.Runs[three.Original], isDeleted) && k.leavesHeading(s, g.Runs[s]) {
			return BothReplaced
		}
	}
	return NoConflict
}

// leavesHeading reports whether the result would have an element that s added above a comment that s has it below, such
// as a heading of several fields, because the other side kept the comment and deleted the elements between the two. run
// has the indexes of the elements of s in a gap.
//
//	original   s         other side
//	a: 1       a: 1      a: 1
//	# extra    # extra   # extra
//	b: 1       b: 1
//	           c: 1
func (k *keyPairing) leavesHeading(s three.Version, run []int) bool {
	if k.Lines == nil || len(run) == 0 {
		return false
	}
	isBelow := false // a comment without the element that it was above
	for i := run[0]; i <= run[len(run)-1]; i++ {
		switch at := k.steps[k.ClassOf[s][i]].Index; {
		case at[s.Other()] >= 0:
			isBelow = false
		case at[three.Original] >= 0:
			isBelow = isBelow || k.Lines.KeepsCommentAbove(s.Other(), k.Elems[three.Original][at[three.Original]].Span.Start)
		case isBelow:
			return true
		}
	}
	return false
}
