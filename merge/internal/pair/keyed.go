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
// ident.Table.MatchKeyed). It returns the steps in the order of the result: one for each element, or a conflict over
// several, BothReplaced or Wrapped. An element that both sides deleted has none. It may set m.Lines.MayDependOnElided.
func (m *Matcher) Pair(v [3][]ident.Elem) []Step { return orderKeyed(m.MatchKeyed(v), false) }

// PairFields pairs the fields of the mappings v at path p, as Pair does.
func (m *Matcher) PairFields(v three.Nodes, p *three.Path) []Step {
	return orderKeyed(m.MatchMapping(v, p).Keyed, false)
}

// orderKeyed returns one step for each class of elements, or one conflict for several, in the order of the result.
// orderMatters is true if the order of the elements has a meaning, as in initContainers. It may set
// classes.Lines.MayDependOnElided.
func orderKeyed(classes *ident.Keyed, orderMatters bool) []Step {
	k := newKeyPairing(classes, orderMatters)
	lead := k.orderingSide()
	order := k.mergeOrder(lead)
	k.sortAdded(order)
	k.setPlacedBy(lead)
	return k.insertConflicts(order)
}

// orderingSide returns the side whose order the result has: the only one that reordered the elements, or dest, with an
// exception if both did.
func (k *keyPairing) orderingSide() three.Version {
	switch {
	case k.keepsOrder(three.Updated):
		return three.Dest
	case k.keepsOrder(three.Dest):
		return three.Updated
	case k.orderMatters:
		if k.hasReorderingOfDest() {
			return three.Updated
		}
	// a template block around elements would enclose other elements in the order of dest
	case k.updatedChangesGuards():
		return three.Updated
	}
	return three.Dest
}

// hasReorderingOfDest reports whether updated contains all changes that dest made to the order of the elements. Any two
// that dest has in another order than the original must be in that order in updated. Only elements that all versions
// have are compared.
//
//	original   dest       updated
//	a, b, c    b, a, c    b, c, a    true: b is before a
//	a, b, c    b, a, c    a, c, b    false
func (k *keyPairing) hasReorderingOfDest() bool {
	for i, x := range k.ClassOf[three.Original] {
		for _, y := range k.ClassOf[three.Original][:i] {
			before, after := k.steps[y], k.steps[x]
			isReversedIn := func(s three.Version) bool { return before.Index[s] > after.Index[s] }
			isUndone := isReversedIn(three.Dest) && !isReversedIn(three.Updated)
			if isUndone && before.isInAll() && after.isInAll() {
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
		return st.isInAll() && e[three.Original].Guard != e[three.Updated].Guard
	})
}

// keepsOrder reports whether the elements that all versions have are in the original's order in s. It returns true if
// there are no such elements.
func (k *keyPairing) keepsOrder(s three.Version) bool {
	last := -1
	for _, n := range k.ClassOf[three.Original] {
		st := k.steps[n]
		if !st.isInAll() {
			continue
		}
		if st.Index[s] < last {
			return false
		}
		last = st.Index[s]
	}
	return true
}

// mergeOrder returns the order of the elements in the result, as indexes into k.steps: that of lead, one of the two
// sides. An element that only the other side has follows the element before it in that side; if lead is dest, the
// elements that dest added there come first (see insertionPoint). Elements that neither side has are left out.
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
	predecessors := k.findPredecessors(func(n int) bool { return k.steps[n].isInAll() })
	for i, n := range k.ClassOf[other] {
		st := k.steps[n]
		switch {
		case st.Index[lead] < 0:
			if lead == three.Dest {
				at = k.insertionPoint(next, at, i)
			}
			next[n] = next[at]
			next[at] = n
		case st.Index[three.Original] < 0 && predecessors[lead][n] != predecessors[other][n]:
			continue // the sides added it at different positions, so that nothing follows it there
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

// sortAdded sorts order, the fields of a mapping in the order of the result, if both sides added fields at one place
// and every version has minSortedLen or more fields, sorted by key. It does nothing without k.Lines, and may set
// k.Lines.MayDependOnElided.
//
//	original   dest     updated   result
//	ant: 1     ant: 1   ant: 1    ant: 1
//	cat: 1     bee: 1   bat: 1    bat: 1
//	dog: 1     cat: 1   cat: 1    bee: 1
//	           dog: 1   dog: 1    cat: 1
//	                              dog: 1
func (k *keyPairing) sortAdded(order []int) {
	isAdjacent := false
	for i := 1; i < len(order); i++ {
		isAdjacent = isAdjacent || k.isAddedBy(order[i-1], three.Dest) && k.isAddedBy(order[i], three.Updated)
	}
	lacksFields := func(elems []ident.Elem) bool { return len(elems) == 0 || !elems[0].IsField }
	if !isAdjacent || k.Lines == nil || slices.ContainsFunc(k.Elems[:], lacksFields) {
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
// returns true. It is -1 if there is none, and -2 if the version lacks the element of the step. With a, b in the
// original and a, x, b in both sides, that of x is a in both sides and -2 in the original.
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

// insertionPoint returns the index in k.steps of the element after which an element goes that only updated added. This
// is at, its predecessor in updated, or the last of the elements directly after at that dest added. It stays in the
// template block that it shares with its predecessor, as c does here:
//
//	original  dest  updated     result
//	a: 1      a: 1  {{ if .x }} {{ if .x }}
//	          b: 2  a: 1        a: 1
//	                c: 3        c: 3
//	                {{ end }}   {{ end }}
//	                            b: 2
//
// i is its index in updated. next[n] is the element after n in the order so far, or -1.
func (k *keyPairing) insertionPoint(next []int, at, i int) int {
	updated := k.Elems[three.Updated]
	sharedBlock := ""
	if i > 0 {
		sharedBlock = template.SharedBlock(updated[i].Guard, updated[i-1].Guard)
	}
	guardOf := func(n int) string { return k.Elems[three.Dest][k.steps[n].Index[three.Dest]].Guard }
	for n := next[at]; n >= 0 && k.isAddedBy(n, three.Dest) && template.IsInBlock(guardOf(n), sharedBlock); n = next[n] {
		following := next[n]
		isEndOfDest := following < 0 || k.steps[following].Index[three.Dest] < 0
		// no block that encloses the two elements of dest must get the new element between them, unless it is in that
		// block
		if isEndOfDest || template.IsInBlock(updated[i].Guard, template.SharedBlock(guardOf(n), guardOf(following))) {
			at = n
		}
	}
	return at
}

// isAddedBy reports whether only s has the element of step n.
func (k *keyPairing) isAddedBy(n int, s three.Version) bool {
	by, ok := k.steps[n].addedBy()
	return ok && by == s
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

// insertConflicts returns the steps of k in the given order (indexes into k.steps), with one conflict step in place of
// all elements of a gap that are in conflict (see findGaps and conflictIn). It is where the first of them would be.
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

// findStable returns which elements all versions have in the same order, by their index in k.steps, and their number.
// An element is stable if, in both sides, it comes after the last stable element before it in the original.
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

// setPlacedBy sets PlacedBy to lead for the elements that both sides have at different positions, unless only lead
// moved them. lead is the side whose order the result has. Positions are compared by the last stable element before
// them (see findStable).
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
			switch {
			case stable[n]:
				g++
			case !k.steps[n].isInAll():
				gaps[g].Runs[s] = append(gaps[g].Runs[s], i)
			}
		}
	}
	return gaps
}

// conflictIn returns the conflict of the elements of a gap, with their indexes in g.Runs: Wrapped, BothReplaced or
// NoConflict.
func (k *keyPairing) conflictIn(g *Step) ConflictReason {
	for s, run := range g.Runs {
		// a side moved an element into another one that it added, and the other side edited or deleted it
		if slices.ContainsFunc(run, func(i int) bool { return k.Classes[k.ClassOf[s][i]].IsWrap }) {
			return Wrapped
		}
	}
	// both sides deleted an element and each added another one
	removed, removedDocument := k.hasOwn(three.Original, g.Runs[three.Original])
	byDest, destDocument := k.hasOwn(three.Dest, g.Runs[three.Dest])
	byUpdated, updatedDocument := k.hasOwn(three.Updated, g.Runs[three.Updated])
	if removed && byDest && byUpdated {
		return BothReplaced
	}
	// the two documents are perhaps the same one, with all of its content changed
	if removedDocument && (destDocument || updatedDocument) {
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

// hasOwn reports whether there are elements that only version v has, and whether one of them is a document without kind
// and name. run has the indexes of elements of v.
func (k *keyPairing) hasOwn(v three.Version, run []int) (element, document bool) {
	for _, i := range run {
		own := [3]int{-1, -1, -1}
		own[v] = i
		if k.steps[k.ClassOf[v][i]].Index == own {
			element, document = true, document || k.Elems[v][i].IsUnidentifiedDoc
		}
	}
	return element, document
}

// leavesHeading reports whether the result would have an element that s added above a comment that s has it below, such
// as a heading of several fields. This happens if the other side kept the comment and deleted the elements between the
// two. run has the indexes of the elements of s in a gap.
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
