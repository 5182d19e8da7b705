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

// newKeyPairing returns a keyPairing with one step for each class of k: the elements of the three versions that are one
// thing because their identities are equal. orderMatters states that the order of the elements has a meaning, as in
// initContainers.
func newKeyPairing(k *ident.Keyed, orderMatters bool) *keyPairing {
	p := &keyPairing{Keyed: k, steps: make([]Step, len(k.Classes)), orderMatters: orderMatters}
	for n, c := range k.Classes {
		p.steps[n].Index = c.Index
	}
	return p
}

// Pair pairs the elements of three versions (fields, items or documents) by identity and, with m.Hasher, as renamed. It
// returns steps in the order of the result: one for each element that a side has, or a conflict over several. It may
// set m.Lines.MayDependOnElided.
func (m *Matcher) Pair(v [3][]ident.Elem) []Step { return orderKeyed(m.MatchKeyed(v), false) }

// orderKeyed returns the steps for the elements of classes, in the order of the result: one for each element, or one
// conflict for several. orderMatters states that the order of the elements has a meaning, as in initContainers. It may
// set classes.Lines.MayDependOnElided (see the package comment).
func orderKeyed(classes *ident.Keyed, orderMatters bool) []Step {
	k := newKeyPairing(classes, orderMatters)
	lead := k.orderingSide()
	order := k.mergeOrder(lead)
	k.sortAdded(order)
	k.setPlacedBy(lead)
	return k.insertConflicts(order)
}

// orderingSide returns the side whose order the result has: the only side that reordered the elements, or dest if
// neither did. If both did, it is updated in two cases, and otherwise dest:
//
//   - the order matters, and updated's reordering includes that of dest
//   - the order does not matter, and updated changed the template conditions around an element
func (k *keyPairing) orderingSide() three.Version {
	switch {
	case k.keepsOrder(three.Updated):
		return three.Dest
	case k.keepsOrder(three.Dest), k.orderMatters && k.hasReorderingOfDest():
		return three.Updated
	case !k.orderMatters && k.updatedChangesGuards():
		return three.Updated // a template block would enclose other elements in the order of dest
	}
	return three.Dest
}

// hasReorderingOfDest reports whether updated contains all changes that dest made to the order of the elements: any two
// elements that dest put into another order have this order in updated, too. Only elements that all versions have are
// compared.
//
//	original   dest       updated
//	a, b, c    b, a, c    b, c, a    true: b is before a
//	a, b, c    b, a, c    a, c, b    false
func (k *keyPairing) hasReorderingOfDest() bool {
	originals := k.ClassOf[three.Original]
	for i := range originals {
		for j := range i {
			before, after := k.steps[originals[j]], k.steps[originals[i]]
			isReversedIn := func(s three.Version) bool { return before.Index[s] > after.Index[s] }
			isUndone := isReversedIn(three.Dest) && !isReversedIn(three.Updated)
			if isUndone && before.isInAll() && after.isInAll() {
				return false
			}
		}
	}
	return true
}

// updatedChangesGuards reports whether an element that all versions have is under other template conditions, such as
// {{ if .a }}, in updated than in the original.
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
		if st := k.steps[n]; st.isInAll() {
			if st.Index[s] < last {
				return false
			}
			last = st.Index[s]
		}
	}
	return true
}

// mergeOrder returns the order of the result, as indexes into k.steps: that of the side lead. An element that only the
// other side has follows the element that precedes it there. Elements that neither side has are left out.
//
//	dest (lead)   updated   result
//	a, x, b       a, y, b   a, x, y, b
func (k *keyPairing) mergeOrder(lead three.Version) []int {
	other := lead.Other()
	predecessors := k.findPredecessors(func(n int) bool { return k.steps[n].isInAll() })
	insertions := map[int][]int{} // the steps of only the other side, by the index in lead before which they go
	place := 0
	for i, n := range k.ClassOf[other] {
		inLead := k.steps[n].Index[lead]
		isInOriginal := k.steps[n].Index[three.Original] >= 0
		switch {
		case inLead < 0:
			if lead == three.Dest { // at one place, dest's elements come first, whichever side leads
				place = k.insertionPoint(place, i)
			}
			insertions[place] = append(insertions[place], n)
		case isInOriginal || predecessors[lead][n] == predecessors[other][n]:
			place = inLead + 1
		}
		// otherwise, the sides added the element at different places, so that its successors in other do not follow it
	}
	order := make([]int, 0, len(k.steps))
	for i, n := range k.ClassOf[lead] {
		order = append(append(order, insertions[i]...), n)
	}
	return append(order, insertions[len(k.ClassOf[lead])]...)
}

// minSortedLen is the number of fields that each version of a mapping must have for sortAdded to keep it sorted. Fewer
// fields are too often in order by chance.
const minSortedLen = 3

// sortAdded keeps a mapping sorted to which both sides added fields at the same place. order has the indexes of the
// result's fields in k.steps, and is sorted by key, if the fields of all versions are sorted and each version has at
// least minSortedLen. It does nothing without k.Lines. It may set k.Lines.MayDependOnElided.
//
//	original   dest     updated   result
//	ant: 1     ant: 1   ant: 1    ant: 1
//	cat: 1     bee: 1   bat: 1    bat: 1
//	dog: 1     cat: 1   cat: 1    bee: 1
//	           dog: 1   dog: 1    cat: 1
//	                              dog: 1
func (k *keyPairing) sortAdded(order []int) {
	lacksFields := func(elems []ident.Elem) bool { return len(elems) == 0 || !elems[0].IsField }
	if k.Lines == nil || slices.ContainsFunc(k.Elems[:], lacksFields) || !k.haveAdjacentAdditions(order) {
		return
	}
	k.Lines.MayDependOnElided = true // it is unknown where entries that were left out for speed belong
	isUnsorted := func(fields []ident.Elem) bool {
		byKey := func(a, b ident.Elem) int { return strings.Compare(a.Identity, b.Identity) }
		return len(fields) < minSortedLen || !slices.IsSortedFunc(fields, byKey)
	}
	if slices.ContainsFunc(k.Elems[:], isUnsorted) {
		return
	}
	keyOf := func(n int) string {
		at := k.steps[n].Index
		if i := at[three.Updated]; i >= 0 {
			return k.Elems[three.Updated][i].Identity
		}
		return k.Elems[three.Dest][at[three.Dest]].Identity
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(keyOf(a), keyOf(b)) })
}

// haveAdjacentAdditions reports whether an element that only dest has is directly before one that only updated has, in
// the given order of indexes into k.steps.
func (k *keyPairing) haveAdjacentAdditions(order []int) bool {
	for i := 1; i < len(order); i++ {
		if k.steps[order[i-1]].isOnlyIn(three.Dest) && k.steps[order[i]].isOnlyIn(three.Updated) {
			return true
		}
	}
	return false
}

// findPredecessors returns, for each version and step, the element that precedes it in that version: the index in
// k.steps of the last step before it for which isCounted returns true. It is -1 if there is none, and -2 if the version
// lacks the element of the step. If the steps are those of a, b and c, in this order, and all are counted:
//
//	version    predecessors of a, b, c
//	b, a       1, -1, -2
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

// insertionPoint returns the index in dest before which element i of updated goes. earliest is the first possible
// index. Elements that dest added from there on come before element i, as far as the template blocks allow. Element i
// must
//   - stay in the innermost block that it shares with the element before it in updated
//   - not get into a block of dest that it is not in
//
// Here i is c:
//
//	original  dest  updated     result
//	a: 1      a: 1  {{ if .x }} {{ if .x }}
//	          b: 2  a: 1        a: 1
//	                c: 3        c: 3
//	                {{ end }}   {{ end }}
//	                            b: 2
func (k *keyPairing) insertionPoint(earliest, i int) int {
	dest, updated := k.Elems[three.Dest], k.Elems[three.Updated]
	ownBlock := "" // no block
	if i > 0 {
		ownBlock = template.SharedBlock(updated[i].Guard, updated[i-1].Guard)
	}
	point := earliest
	for j := earliest; j < len(dest) && k.stepAt(three.Dest, j).isOnlyIn(three.Dest); j++ {
		if !template.IsInBlock(dest[j].Guard, ownBlock) {
			break // after j, the element would not be in ownBlock
		}
		enteredBlock := ""
		if j+1 < len(dest) {
			enteredBlock = template.SharedBlock(dest[j].Guard, dest[j+1].Guard)
		}
		if template.IsInBlock(updated[i].Guard, enteredBlock) { // always true without a block
			point = j + 1
		}
	}
	return point
}

// PairByKey pairs the elements v of three versions that have the same identity. Unlike Matcher.Pair, it finds neither
// renamed elements nor conflicts. It returns a step for each element that a side has. They are in the order of dest if
// destLeads is true, and otherwise in that of a merge (see orderingSide).
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

// insertConflicts returns the steps of k in the given order, which has indexes into k.steps, with conflicts. Elements
// that all versions have in the same order divide the others into gaps (findGaps). If the elements of a gap are in
// conflict (conflictIn), one step replaces all of them, at the place of the first one.
//
//	original   dest   updated   result
//	a: 1       b: 2   c: 3      one conflict over a, b and c
//	z: 1       z: 1   z: 1      z
func (k *keyPairing) insertConflicts(order []int) []Step {
	conflictOf := map[int]*Step{} // by step
	gaps := k.findGaps()
	for g := range gaps {
		gap := &gaps[g]
		gap.Conflict = k.conflictIn(gap)
		if gap.Conflict == NoConflict {
			continue
		}
		for s, run := range gap.Runs {
			for _, i := range run {
				conflictOf[k.ClassOf[s][i]] = gap
			}
		}
	}
	out := make([]Step, 0, len(order))
	isInserted := map[*Step]bool{}
	for _, n := range order {
		switch gap := conflictOf[n]; {
		case gap == nil:
			out = append(out, k.steps[n])
		case !isInserted[gap]:
			isInserted[gap] = true
			out = append(out, *gap)
		}
	}
	return out
}

// findStable returns which elements all versions have in the same order, by their index in k.steps, and how many there
// are. An element is stable if, in both sides, it comes after all stable elements that precede it in the original.
// These are not always the most elements possible.
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

// setPlacedBy sets Step.PlacedBy to lead, the side whose order the result has, for each element that both sides have
// at different positions, unless only lead moved it. The position of an element is the last stable element before it
// (see findStable).
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
		isInBoth := k.steps[n].Index[lead.Other()] >= 0
		isMovedByOther := inOther != predecessors[three.Original][n] // or added
		if isInBoth && isMovedByOther && inOther != predecessors[lead][n] {
			k.steps[n].PlacedBy = three.Some(lead)
		}
	}
}

// findGaps returns the gaps between elements that all versions have in the same order: one before the first of them,
// and one after each. A gap is a Step that may become a conflict; its Runs[s] has the elements of version s that
// another version lacks.
//
//	original   dest       updated    gaps
//	a, b, c    a, x, c    a, y, c    before a: empty; after a: b, x and y; after c: empty
func (k *keyPairing) findGaps() []Step {
	stable, count := k.findStable()
	gaps := slices.Repeat([]Step{NewStep(-1, -1, -1)}, count+1)
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

// conflictIn returns the conflict over all elements of a gap, whose indexes are in gap.Runs, or NoConflict. The first
// case that applies decides:
//
//   - Wrapped, if a side moved an element into one that it added, and the other side changed the element
//   - BothReplaced, if each side may have replaced the same elements by others (bothReplaced)
//   - BothReplaced, if an element would leave its heading, a comment (leavesHeading)
//
// For example:
//
//	original   dest   updated
//	a: 1       b: 2   c: 3      BothReplaced
func (k *keyPairing) conflictIn(gap *Step) ConflictReason {
	for s, run := range gap.Runs {
		if slices.ContainsFunc(run, func(i int) bool { return k.Classes[k.ClassOf[s][i]].IsWrap }) {
			return Wrapped
		}
	}
	if k.bothReplaced(gap) || k.leavesHeading(gap, three.Dest) || k.leavesHeading(gap, three.Updated) {
		return BothReplaced
	}
	return NoConflict
}

// bothReplaced reports whether each side may have replaced the same elements of a gap by others of its own. That is so
// in two cases:
//   - both sides deleted an element, and each added one that the other lacks
//   - both deleted a document without kind and name, and one side added such a document, perhaps the same one with
//     other content
//
// For example:
//
//	original   dest   updated
//	a: 1       b: 2   c: 3      true
//	a: 1       b: 2             false
func (k *keyPairing) bothReplaced(gap *Step) bool {
	var own [3][]ident.Elem // the elements of each version that the others lack
	for v, run := range gap.Runs {
		for _, i := range run {
			if version := three.Version(v); k.stepAt(version, i).isOnlyIn(version) {
				own[v] = append(own[v], k.Elems[v][i])
			}
		}
	}
	isUnidentified := func(e ident.Elem) bool { return e.IsUnidentifiedDoc }
	deleted, byDest, byUpdated := own[three.Original], own[three.Dest], own[three.Updated]
	if slices.ContainsFunc(deleted, isUnidentified) && slices.ContainsFunc(slices.Concat(byDest, byUpdated), isUnidentified) {
		return true
	}
	return len(deleted) > 0 && len(byDest) > 0 && len(byUpdated) > 0
}

// leavesHeading reports whether an element of a gap that s added below a comment, perhaps the heading of several
// elements, would be above this comment in the result. This is so if the other side kept the comment, but deleted the
// elements below it that s kept. It returns false without k.Lines.
//
//	original   s         other side   merged without a conflict
//	a: 1       a: 1      a: 1         a: 1
//	# extra    # extra   # extra      c: 1
//	b: 1       b: 1                   # extra
//	           c: 1
func (k *keyPairing) leavesHeading(gap *Step, s three.Version) bool {
	run := gap.Runs[s]
	// an element of s is below a heading of the original only if s kept the elements there
	isDeletedByS := func(i int) bool { return k.stepAt(three.Original, i).Index[s] < 0 }
	if k.Lines == nil || len(run) == 0 || slices.ContainsFunc(gap.Runs[three.Original], isDeletedByS) {
		return false
	}
	isBelowHeading := false // the other side has the comment, but no element below it
	// between the elements of run can be some that all versions have, but that a side moved
	for i := run[0]; i <= run[len(run)-1]; i++ {
		index := k.stepAt(s, i).Index
		switch o := index[three.Original]; {
		case index[s.Other()] >= 0:
			isBelowHeading = false
		case o >= 0: // the other side deleted it
			isBelowHeading = isBelowHeading || k.Lines.KeepsCommentAbove(s.Other(), k.Elems[three.Original][o].Span.Start)
		case isBelowHeading: // s added it
			return true
		}
	}
	return false
}

// stepAt returns the step of element i of version v.
func (k *keyPairing) stepAt(v three.Version, i int) Step { return k.steps[k.ClassOf[v][i]] }
