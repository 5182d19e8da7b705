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
// The order is that of dest. It is that of updated if only updated reordered the elements, or if both sides reordered
// them and only updated changed the template blocks around them. An element that only the other side added follows the
// element that precedes it in the other side, after the elements that dest added at the same position.
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

// Pair pairs elements (fields, items or documents) by identity. It returns one step for each element, with its index in
// each version that has it, in the order of the result. An element that only one side deleted has a step too; the
// caller decides about the deletion. An element that both sides deleted has none. The result is empty, and not nil, if
// there are no elements.
//
// A step can also be a conflict over several elements. It then lists all elements involved, also those that both sides
// deleted. The reason is BothReplaced or Wrapped:
//
//	BothReplaced   both sides deleted an element, and each added another one in its place; also if both deleted a document
//	               that is not a resource, and one side added another such document
//	Wrapped        one side moved an element into another one that it added, and the other side edited or deleted it
//
// With m.Hasher, Pair also pairs an element that a side removed with one that the side added under another identity, if
// most of the content is equal: the element was renamed. With m.Lines as well, it also pairs them if they have at least
// half of their lines in common. It may set m.Lines.MayDependOnElided: the result may then be wrong if entries were
// left out of the versions for speed. If m.Hasher is nil, elements are never paired as renamed, and no reason is
// Wrapped.
func (m *Matcher) Pair(v [3][]ident.Elem) []Step { return orderKeyed(m.MatchKeyed(v), false) }

// orderKeyed returns one step for each class of elements, with its index in each version that has it, in the order of
// the result. orderMatters is true if the order of the elements has a meaning, as in initContainers. If both sides
// reordered the elements, the result then has the order of updated if updated also has all changes that dest made to the
// order, and dest does not have all of updated; otherwise that of dest.
//
// If orderMatters is false, and both sides reordered the elements, the result has the order of updated if only updated
// put elements into other template blocks; otherwise that of dest. It may set MayDependOnElided of the lines: the result
// may then be wrong if entries were left out of the versions for speed.
func orderKeyed(classes *ident.Keyed, orderMatters bool) []Step {
	k := newKeyPairing(classes, orderMatters)
	lead := k.orderingSide()
	order := k.mergeOrder(lead)
	k.sortAdded(order)
	k.setPlacedBy(lead)
	return k.insertConflicts(order)
}

// orderingSide returns the side that determines the order of the elements in the result. The guard of an element is the
// template conditions that enclose it, such as {{ if .a }}. A template block encloses consecutive elements; in another
// order, it would enclose other elements.
//
//	neither side, or only dest, reordered them           dest
//	only updated reordered them                          updated
//	both did, k.orderMatters, and updated also has all   updated
//	  changes of dest to the order, but not the reverse
//	both did, not k.orderMatters, and only updated       updated
//	  changed the guard of an element
//	both did, in all other cases                         dest
func (k *keyPairing) orderingSide() three.Version {
	dest, updated := k.keepsOrder(three.Dest), k.keepsOrder(three.Updated)
	if k.orderMatters && !dest && !updated {
		if k.hasReorderingOfOther(three.Updated) && !k.hasReorderingOfOther(three.Dest) {
			return three.Updated
		}
		return three.Dest
	}
	if !updated && (dest || !k.changesGuards(three.Dest) && k.changesGuards(three.Updated)) {
		return three.Updated
	}
	return three.Dest
}

// hasReorderingOfOther reports whether s contains all changes that the other side made to the order of the elements:
// any two elements that the other side has in another order than the original are also in that order in s. Only pairs
// of elements that all versions have are compared. It returns true if the other side did not change the order.
//
//	original   other side   s
//	a, b, c    b, a, c      b, c, a    true: b is before a
//	a, b, c    b, a, c      a, c, b    false
func (k *keyPairing) hasReorderingOfOther(s three.Version) bool {
	for i, x := range k.ClassOf[three.Original] {
		for _, y := range k.ClassOf[three.Original][:i] {
			before, after := k.steps[y].Index, k.steps[x].Index
			if min(before[s], after[s], before[s.Other()], after[s.Other()]) >= 0 && before[s.Other()] > after[s.Other()] && before[s] < after[s] {
				return false
			}
		}
	}
	return true
}

// changesGuards reports whether s changed the guard of an element that all versions have: the template conditions that
// enclose it, such as {{ if .a }}.
func (k *keyPairing) changesGuards(s three.Version) bool {
	return slices.ContainsFunc(k.steps, func(st Step) bool {
		o, at := st.Index[three.Original], st.Index[s]
		return o >= 0 && at >= 0 && st.Index[s.Other()] >= 0 && k.Elems[three.Original][o].Guard != k.Elems[s][at].Guard
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

// mergeOrder returns the order of the elements in the result, as indexes into k.steps (which has one step per element,
// with its index in each version). The elements of lead, one of the two sides, keep their order. An element that only
// the other side has is inserted directly after the element that precedes it in that side; if lead is dest, the
// elements that dest added at this position come first:
//
//	dest (lead)   updated   result
//	a, x, b       a, y, b   a, x, y, b
//
// An element that both sides added, but after different elements of the original, has the position it has in lead. The
// elements that follow it in the other side are inserted as if it were not there. Elements that neither side has are
// left out.
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
	predecessorInLead := k.findPredecessors(lead)
	predecessor := -1
	for i, n := range k.ClassOf[other] {
		switch st := k.steps[n]; {
		case st.Index[lead] < 0:
			if lead == three.Dest {
				at = k.insertionPoint(next, at, k.sharedBlock(other, i), k.Elems[other][i].Guard)
			}
			next[n] = next[at]
			next[at] = n
		case st.Index[three.Original] >= 0:
			predecessor = n
		case predecessorInLead[n] != predecessor: // the sides added it at different positions
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

// sortAdded sorts the fields of a mapping that is sorted in all versions if the two sides added fields at one place.
// order has the fields in the order of the result, as indexes into k.steps, and is changed. A field that a side renamed
// is sorted by its new key. k.Lines.MayDependOnElided is set if there are such fields: it is unknown where entries that
// were left out for speed belong.
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
	if !isAdjacent || k.Lines == nil {
		return
	}
	k.Lines.MayDependOnElided = true
	for _, elems := range k.Elems {
		byKey := func(a, b ident.Elem) int { return strings.Compare(a.Identity, b.Identity) }
		if len(elems) < minSortedLen || !elems[0].IsField || !slices.IsSortedFunc(elems, byKey) {
			return
		}
	}
	key := func(n int) (key string) {
		at := k.steps[n].Index
		for v, i := range at {
			if o := at[three.Original]; i >= 0 && (key == "" || o >= 0 && k.Elems[v][i].Identity != k.Elems[three.Original][o].Identity) {
				key = k.Elems[v][i].Identity
			}
		}
		return key
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(key(a), key(b)) })
}

// findPredecessors returns, for each element that both sides added, the last element before it in s that all three
// versions have. Both are given as indexes into k.steps. The predecessor is -1 if there is no such element. For a, b in
// the original and a, x, b in s, the predecessor of x is a, if the other side has a and x as well.
func (k *keyPairing) findPredecessors(s three.Version) map[int]int {
	predecessors, last := map[int]int{}, -1
	for _, n := range k.ClassOf[s] {
		switch st := k.steps[n]; {
		case st.Index[s.Other()] < 0:
		case st.Index[three.Original] >= 0:
			last = n
		default:
			predecessors[n] = last
		}
	}
	return predecessors
}

// sharedBlock returns the innermost template block, such as {{ if .a }}, that encloses both element i of s and the
// element before it. The result is the opening actions of this block and of those around it, one a line, with the
// outermost first: "if .x\nif .y". It is "" if there is no such block, or if i is 0.
func (k *keyPairing) sharedBlock(s three.Version, i int) string {
	if i == 0 {
		return ""
	}
	return template.SharedBlock(k.Elems[s][i].Guard, k.Elems[s][i-1].Guard)
}

// insertionPoint returns the index in k.steps of the element after which an element that only updated added is inserted
// into dest's elements. at is the index of the element that precedes the new one in updated. The new element is
// inserted after at and after the elements that follow at and that only dest added. There are two exceptions:
//
//   - It stays in the template block ({{ if .x }}) that it shares with its predecessor: block.
//   - It is not put between two elements that share a block, unless that block is one of those around the new element:
//     guard.
//
// An example of the first exception, in which the new element is c and its predecessor is a:
//
//	original  dest  updated     result
//	a: 1      a: 1  {{ if .x }} {{ if .x }}
//	          b: 2  a: 1        a: 1
//	                c: 3        c: 3
//	                {{ end }}   {{ end }}
//	                            b: 2
//
// next is the order so far, as a linked list: next[n] is the index of the element after n, or -1. It is not changed.
func (k *keyPairing) insertionPoint(next []int, at int, block, guard string) int {
	guardOf := func(n int) string { return k.Elems[three.Dest][k.steps[n].Index[three.Dest]].Guard }
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

// PairByKey pairs elements (fields, items or documents) that have the same identity, and returns one step for each
// element of a side, with its index in each version that has it. It does not look for renamed elements, and no step is
// a conflict. Elements that both sides deleted have no step. The result is empty, and not nil, if there are no
// elements.
//
// The elements of one side, the leading one, keep their order. Those that only the other side has are inserted after
// their predecessors in it. The leading side is dest, except in these cases if destLeads is false:
//
//	only updated reordered the elements                                    updated
//	both sides reordered them, and only updated changed the template       updated
//	  blocks ({{ if .x }}) around an element that all versions have
func PairByKey(v [3][]ident.Elem, destLeads bool) []Step {
	k := newKeyPairing(ident.MatchByIdentity(v), false)
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

// insertConflicts returns the steps of k in the given order, with the conflicts among them. The elements that all
// versions have in the same order divide the collection into gaps: the elements between two of them. If the elements of
// a gap are in conflict, for example because both sides replaced the same element, one conflict step takes the place of
// the steps of the gap's elements. It has their indexes in its field Runs, and is put where the first of them would be.
// Its reason is Wrapped if a side moved an element of the gap into another one, and otherwise BothReplaced. order has
// indexes into k.steps. A gap without an element in order has no conflict step. The result is never nil.
func (k *keyPairing) insertConflicts(order []int) []Step {
	gaps := k.findGaps()
	inGap := map[int]int{} // the conflicting gap of a step
	for g := range gaps {
		if !k.detectConflict(&gaps[g]) {
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
			if gaps[g].Conflict == NoConflict {
				gaps[g].Conflict = BothReplaced
			}
			out = append(out, gaps[g])
		}
	}
	return out
}

// findStable returns the stable elements: those that all versions have, in the same order. stable[n] is true if the
// element of k.steps[n] is one, and count is their number. If a side reordered elements, findStable goes through the
// original in order, and leaves out each element that precedes an earlier stable element in a side:
//
//	original   dest      updated   stable
//	a, b, c    c, a, b   a, b, c   a, b
//	a, b, c    b, c, a   a, b, c   a
//	a, b, c    a, c      a, b, c   a, c
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

// setPlacedBy sets the field PlacedBy of the steps of elements that both sides have, but at different positions. The
// position of an element is given by the last element before it that all versions have in the same order. The field is
// set to lead, the side whose order the result has, if the other side added the element or moved it. It is not set if
// only lead moved the element. All other steps are unchanged.
//
//	original   lead      other     PlacedBy is set for
//	a, b       a, b, x   a, x, b   x: both sides added it
//	a, b, c    c, a, b   a, c, b   c: both sides moved it
//	a, b, c    c, a, b   a, b, c   no element: only lead moved c
func (k *keyPairing) setPlacedBy(lead three.Version) {
	stable, _ := k.findStable()
	isUnstable := func(n int) bool {
		at := k.steps[n].Index
		return !stable[n] && at[three.Dest] >= 0 && at[three.Updated] >= 0
	}
	if !slices.ContainsFunc(k.ClassOf[lead], isUnstable) {
		return
	}
	var predecessor [3][]int // the last stable step before each step, in each version
	for v := range k.Elems {
		predecessor[v] = make([]int, len(k.steps))
		last := -1
		for _, n := range k.ClassOf[v] {
			if predecessor[v][n] = last; stable[n] {
				last = n
			}
		}
	}
	for _, n := range k.ClassOf[lead] {
		st := &k.steps[n]
		inOther := predecessor[lead.Other()][n]
		unmovedByOther := st.Index[three.Original] >= 0 && predecessor[three.Original][n] == inOther
		if isUnstable(n) && inOther != predecessor[lead][n] && !unmovedByOther {
			st.PlacedBy = three.Some(lead)
		}
	}
}

// findGaps returns the gaps between the elements that all versions have in the same order: one before the first of
// them, one after each. So there is one gap more than such elements, at least one. Each gap is returned as a Step with
// only the field Runs set: Runs[s] has the indexes in version s of the gap's elements that are missing in at least one
// version. An element that all versions have, but that a side moved, is in no gap.
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

// detectConflict reports whether the elements of a gap are in conflict. The gap consists of the elements between two
// elements that all versions have; g.Runs has their indexes in each version. There are four cases:
//
//   - A side wrapped an element: it moved the element into another one that it added, and the other side edited or
//     deleted it.
//   - Both sides deleted the same element, and each added one that the other lacks. They may have renamed or replaced
//     it.
//   - Both sides no longer have a document that is not a resource (it has no kind and name), and one side added another
//     such document. It may be the same document with all of its content changed.
//   - A side deleted nothing and added an element below one that the other side deleted, without a comment above it
//     (leavesHeading).
//
// In the first case, detectConflict sets g.Conflict to Wrapped. In the other cases, and if there is no conflict, g
// is unchanged: g.Conflict remains NoConflict, and the caller sets the reason.
func (k *keyPairing) detectConflict(g *Step) bool {
	for s, run := range g.Runs {
		if slices.ContainsFunc(run, func(i int) bool { return k.WrapClasses[k.ClassOf[s][i]] }) {
			g.Conflict = Wrapped
			return true
		}
	}
	for _, s := range three.Sides {
		isDeleted := func(i int) bool { return k.steps[k.ClassOf[three.Original][i]].Index[s] < 0 }
		if !slices.ContainsFunc(g.Runs[three.Original], isDeleted) && k.leavesHeading(s, g.Runs[s]) {
			return true
		}
	}
	removed, unidentified := false, false
	for _, i := range g.Runs[three.Original] {
		at := k.steps[k.ClassOf[three.Original][i]].Index
		if at[three.Dest] < 0 && at[three.Updated] < 0 {
			removed, unidentified = true, unidentified || k.Elems[three.Original][i].IsUnidentifiedDoc
		}
	}
	if !removed {
		return false
	}
	var added [3]int
	replaced := false
	for _, s := range three.Sides {
		for _, i := range g.Runs[s] {
			at := k.steps[k.ClassOf[s][i]].Index
			if at[three.Original] < 0 && at[s.Other()] < 0 {
				added[s]++
				replaced = replaced || unidentified && k.Elems[s][i].IsUnidentifiedDoc
			}
		}
	}
	return replaced || added[three.Dest] > 0 && added[three.Updated] > 0
}

// leavesHeading reports whether the result would have an element that s added above a comment that s has it below. The
// other side deleted the elements between the comment and the new element, and kept the comment, such as a heading of
// several fields. run has the indexes of the elements of s in a gap.
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
