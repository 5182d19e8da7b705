package ident

import (
	"maps"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// joinLeftovers makes one class of an element before and after a side renamed it, if enough of its leaves or lines are
// equal. It joins a and b here, because dest renamed a to b:
//
//	original             dest
//	a: {x: 1, y: 2}      b: {x: 1, y: 2}
//
// Elements that exchanged their identities are joined first. It joins nothing here, because dest renamed b to c, and
// updated renamed a to c:
//
//	original   dest    updated
//	a: 1       a: 1    c: 1
//	b: 2       c: 2
func (k *Keyed) joinLeftovers() {
	k.joinExchanged()
	// the most certain pairs of both sides first
	k.joinPairs(ByLeaves, k.findRenames)
	k.joinPairs(ByLines, k.findReplacements)
	k.joinPairs(ByLeaves, k.findRenamesOfBoth)
}

// joinPairs makes one class of each pair of an element that a side removed and one that it added. how is the reason,
// and find returns a side's pairs as a map from removed to added elements, as indexes into k.Classes. A pair is skipped
// if one of its elements was joined before, or if the other side contradicts it (canJoin).
func (k *Keyed) joinPairs(how How, find func(three.Version) map[int]int) {
	var pairs [3]map[int]int
	for _, s := range three.Sides {
		pairs[s] = find(s)
	}
	for _, s := range three.Sides {
		for _, removed := range slices.Sorted(maps.Keys(pairs[s])) {
			added := pairs[s][removed]
			isJoined := k.has(s, removed) || !k.has(s, added)
			if !isJoined && k.canJoin(s, removed, added, how, pairs[s.Other()]) {
				k.joinClasses(s, removed, added, how)
			}
		}
	}
}

// canJoin reports whether the other side's changes allow to treat removed, which s removed, and added, which s added,
// as one thing. The other side must
//
//   - not have given the old identity to another element (reusesIdentity)
//   - for a pair by leaves: not have the added one too and pair one of the two differently
//   - for a pair by lines: have renamed the element differently, or allow to make its edits (mayFollow)
//
// Elements are indexes into k.Classes. otherPairs are the other side's pairs.
func (k *Keyed) canJoin(s three.Version, removed, added int, how How, otherPairs map[int]int) bool {
	if k.reusesIdentity(s.Other(), removed) {
		return false
	}
	_, isRenamedByOther := otherPairs[removed]
	isAddedByOther := k.has(s.Other(), added)
	if how == ByLeaves {
		isContradicted := isAddedByOther && pairsDifferently(otherPairs, removed, added)
		return !isContradicted
	}
	isRenamedDifferently := isRenamedByOther && !isAddedByOther
	return isRenamedDifferently || k.mayFollow(s, removed, added)
}

// reusesIdentity reports whether s gave the identity of item n of the original to another item: in s, item n has
// exactly the leaves of that item, which s deleted or changed. Identity and shared leaves are ignored. It is false for
// fields.
//
//	original                             s
//	- {path: /a, from: x}                - {path: /a, from: y}    # true: from: y was at /b
//	- {path: /b, from: y}
func (k *Keyed) reusesIdentity(s three.Version, n int) bool {
	if !k.has(s, n) || k.elem(s, n).IsField {
		return false
	}
	ownLeaves := k.ownLeavesFunc()
	before, after := ownLeaves(three.Original, n), ownLeaves(s, n)
	if len(after) == 0 || syntax.CountCommon(before, after) > 0 {
		return false
	}
	for other := range k.Classes {
		if slices.Equal(ownLeaves(three.Original, other), after) && !slices.Equal(ownLeaves(s, other), after) {
			return true
		}
	}
	return false
}

// pairsDifferently reports whether pairs, a map from removed to added elements, contradicts that removed and added are
// one element: it pairs one of the two with another element.
//
//	pairs           removed, added   result
//	{1: 5}          1, 5             false
//	{1: 6}          1, 5             true
//	{2: 5}          1, 5             true
//	{2: 6}          1, 5             false
func pairsDifferently(pairs map[int]int, removed, added int) bool {
	for from, to := range pairs {
		if (from == removed) != (to == added) {
			return true
		}
	}
	return false
}

// joinExchanged makes one class of an item or document before and after a side exchanged its identity with that of
// another one, as here the class of the item with the image web:1. If the other side's exchanges contradict one of a
// side, none of this side is joined.
//
//	original                         side
//	- {name: web, image: web:1}      - {name: web, image: proxy:1}
//	- {name: proxy, image: proxy:1}  - {name: proxy, image: web:1}
func (k *Keyed) joinExchanged() {
	var pairs [3]map[int]int // from old to new classes
	for _, s := range three.Sides {
		pairs[s] = k.findExchanged(s)
	}
	for _, s := range three.Sides {
		oldClasses := slices.Sorted(maps.Keys(pairs[s]))
		isContradicted := func(oldClass int) bool {
			return pairsDifferently(pairs[s.Other()], oldClass, pairs[s][oldClass])
		}
		if slices.ContainsFunc(oldClasses, isContradicted) {
			continue
		}
		index := map[int]int{} // of each element in s, by its old class; joinClasses moves elements to other classes
		for _, oldClass := range oldClasses {
			index[oldClass] = k.Classes[pairs[s][oldClass]].Index[s]
		}
		for _, oldClass := range oldClasses {
			// an earlier join may have put the element into another class, in a cycle even into the right one
			if newClass := k.ClassOf[s][index[oldClass]]; newClass != oldClass {
				k.joinClasses(s, oldClass, newClass, ByLeaves)
			}
		}
	}
}

// findExchanged returns the items and documents to which s gave the identities of others (see joinExchanged), as a map
// from the old to the new identity, both as indexes into k.Classes. Such an element must have kept all leaves that are
// not part of the identity, and these must be enough to recognize it. Exchanges that the other side made, too, are left
// out.
func (k *Keyed) findExchanged(s three.Version) map[int]int {
	ownLeaves := k.ownLeavesFunc()
	leavesIn := func(v three.Version, class int) []uint64 { // nil for a field, and without the element
		if !k.has(v, class) || k.elem(v, class).IsKeyField == nil {
			return nil
		}
		return ownLeaves(v, class)
	}
	before, after := map[int][]uint64{}, map[int][]uint64{} // the leaves in the original and in s, by class
	var changed []int
	for n := range k.Classes {
		if k.has(three.Original, n) && k.has(s, n) && k.Hasher.Equal(k.elem(three.Original, n).Node, k.elem(s, n).Node) {
			continue // most elements
		}
		before[n], after[n] = leavesIn(three.Original, n), leavesIn(s, n)
		if !slices.Equal(before[n], after[n]) {
			changed = append(changed, n)
		}
	}
	// with few leaves, and without a name beside the identity, s may have changed the values instead
	isCertain := func(oldClass, newClass int) bool {
		name := syntax.NameOf(k.elem(three.Original, oldClass).Node)
		hasSameName := name != "" && name == syntax.NameOf(k.elem(s, newClass).Node)
		return hasSameName || len(before[oldClass])+max(len(before[newClass]), 1) >= MinEvidence
	}
	// if the other side made the same exchange, the elements of the sides have equal identities already
	isExchangedByOther := func(oldClass, newClass int) bool {
		underOld, underNew := leavesIn(s.Other(), oldClass), leavesIn(s.Other(), newClass)
		return syntax.CountCommon(before[oldClass], underOld) < syntax.CountCommon(before[oldClass], underNew)
	}
	pairs := pairUniquely(changed, changed, func(oldClass, newClass int) bool {
		keepsLeaves := len(before[oldClass]) > 0 && slices.Equal(before[oldClass], after[newClass])
		return keepsLeaves && isCertain(oldClass, newClass) && !isExchangedByOther(oldClass, newClass)
	})
	k.keepExchanges(pairs)
	return pairs
}

// keepExchanges removes those of pairs that are no exchange. pairs maps the old to the new identity of elements that a
// side may have renamed, as indexes into k.Classes. In an exchange, each element has the identity that the next one
// had. The last one has that of the first or, if there are at least two, an identity that the original lacks.
//
//	pairs, of which only the class 9 is not in the original   kept
//	{1: 2, 2: 1}, {1: 2, 2: 9}                                all
//	{1: 9}, {1: 2}                                            none
func (k *Keyed) keepExchanges(pairs map[int]int) {
	for count := -1; len(pairs) != count; { // without a removed pair, the rest of its chain may be no exchange
		count = len(pairs)
		isTarget := map[int]bool{}
		for _, newClass := range pairs {
			isTarget[newClass] = true
		}
		maps.DeleteFunc(pairs, func(oldClass, newClass int) bool {
			if !k.has(three.Original, newClass) {
				return !isTarget[oldClass] // a chain of one element: s only renamed it
			}
			_, isVacated := pairs[newClass]
			return !isVacated // the element with this identity kept it
		})
	}
}

// findRenames returns the elements that s renamed: a map from removed to added elements, as indexes into k.Classes. Two
// elements are a pair if most leaves are equal, without the identity:
//
//	leaves of the larger one    equal leaves
//	MinEvidence or more         three quarters; one of them is not in all elements of the original
//	fewer                       all; the gap is the same (numberGaps), and either the other side did not change the
//	                            element, or no other element has one of the leaves
//
// An element with several possible partners has none.
func (k *Keyed) findRenames(s three.Version) map[int]int {
	gapOf, ownLeaves := sync.OnceValue(func() map[int]int { return k.numberGaps(s) }), k.ownLeavesFunc()
	return k.pairLeftovers(s, func(removed, added int) bool {
		same, _, larger := k.compareLeaves(s, removed, added)
		if larger >= MinEvidence {
			return hasMost(same, larger) && syntax.CountCommon(ownLeaves(three.Original, removed), ownLeaves(s, added)) > 0
		}
		if larger == 0 || same < larger {
			return false
		}
		// one or two leaves may be equal by chance: the place must be the same as well, and no edit follows a doubtful rename
		isCertain := func() bool { return k.hasUniqueLeaf(k.Classes[removed].Index[three.Original]) }
		return gapOf()[removed] == gapOf()[added] && (!k.editsOrDeletes(s.Other(), removed) || isCertain())
	})
}

// hasUniqueLeaf reports whether element i of the original has a leaf, not counting its identity, that no other element
// of the original has.
func (k *Keyed) hasUniqueLeaf(i int) bool {
	originals := k.Elems[three.Original]
	return slices.ContainsFunc(k.Hasher.leavesWithoutKey(originals[i]).all, func(hash uint64) bool {
		for j, e := range originals {
			if j != i && k.Hasher.leavesWithoutKey(e).has(hash) {
				return false
			}
		}
		return true
	})
}

// findRenamesOfBoth returns the elements that both sides renamed to the same identity, as a map from the removed
// element to the added one in s, both as indexes into k.Classes. Here it is enough if the two have half of the leaves
// of the smaller one in common.
func (k *Keyed) findRenamesOfBoth(s three.Version) map[int]int {
	return k.pairLeftovers(s, func(removed, added int) bool {
		same, smaller, _ := k.compareLeaves(s, removed, added)
		isRenamedByOther := !k.has(s.Other(), removed) && k.has(s.Other(), added)
		return isRenamedByOther && same > 0 && hasHalf(same, smaller)
	})
}

// pairLeftovers pairs the elements that s removed with those that it added, as a map of indexes into k.Classes: those
// for which isSame returns true, if neither has another possible partner. The map is nil if there are too many elements
// to compare (MaxComparisons).
func (k *Keyed) pairLeftovers(s three.Version, isSame func(removed, added int) bool) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	return pairUniquely(removed, added, isSame)
}

// pairUniquely returns pairs of a number in from and one in to, as a map: those for which isSame returns true, if
// neither has another possible partner. The map is nil if there are more than MaxComparisons pairs to compare.
func pairUniquely(from, to []int, isSame func(from, to int) bool) map[int]int {
	if len(from)*len(to) > MaxComparisons {
		return nil
	}
	pairs := map[int]int{}
	for _, p := range UniquePairs(len(from), len(to), func(i, j int) bool { return isSame(from[i], to[j]) }) {
		pairs[from[p[0]]] = to[p[1]]
	}
	return pairs
}

// ownLeavesFunc returns a function that takes a version and an index in k.Classes. It returns the sorted hashes of the
// leaves that are this element's own: without its identity, and without the leaves that all elements of the original
// share, if the original has several. It returns nil if the version lacks the element.
func (k *Keyed) ownLeavesFunc() func(v three.Version, class int) []uint64 {
	shared := sync.OnceValue(func() (l leafHashes) {
		if originals := k.Elems[three.Original]; len(originals) > 1 {
			l.all = slices.Clone(k.Hasher.leavesWithoutKey(originals[0]).all)
			for _, e := range originals[1:] {
				leaves := k.Hasher.leavesWithoutKey(e)
				l.all = slices.DeleteFunc(l.all, func(hash uint64) bool { return !leaves.has(hash) })
			}
		}
		return l
	})
	return func(v three.Version, class int) []uint64 {
		if !k.has(v, class) {
			return nil
		}
		return slices.DeleteFunc(slices.Clone(k.Hasher.leavesWithoutKey(k.elem(v, class)).all), shared().has)
	}
}

// findRemovedAndAdded returns the elements of the original that s lacks, and the elements of s that the original lacks,
// as indexes into k.Classes, in the order of their version. The other side may have added such an element, too.
func (k *Keyed) findRemovedAndAdded(s three.Version) (removed, added []int) {
	for _, n := range k.ClassOf[three.Original] {
		if !k.has(s, n) {
			removed = append(removed, n)
		}
	}
	for _, n := range k.ClassOf[s] {
		if !k.has(three.Original, n) {
			added = append(added, n)
		}
	}
	return removed, added
}

// numberGaps returns, for each element that only one of the original and s has, the number of shared elements before
// it: its gap. Elements are given as indexes into k.Classes. A removed and an added element in the same gap, such as b
// and x here, may be one element under two names:
//
//	original   a   b   c
//	s          a   x   c
func (k *Keyed) numberGaps(s three.Version) map[int]int {
	gapOf := map[int]int{}
	for _, v := range [2]three.Version{three.Original, s} {
		gap := 0
		for _, n := range k.ClassOf[v] {
			if k.has(three.Original, n) && k.has(s, n) {
				gap++
				continue
			}
			gapOf[n] = gap
		}
	}
	return gapOf
}

// joinClasses records that s renamed an element, for the reason how: it moves the element of s from newClass, the class
// of its new identity, to oldClass, or swaps two exchanged elements. It does the same for the other side if both renamed
// the element, and nothing if the other side has both elements. Classes are indexes into k.Classes.
//
//	           before                     after
//	oldClass   original 0, dest -1        original 0, dest 2
//	newClass   original -1, dest 2        original -1, dest -1
func (k *Keyed) joinClasses(s three.Version, oldClass, newClass int, how How) {
	other, isExchange := s.Other(), k.has(three.Original, newClass)
	isAddedByBoth, otherHasOld := !isExchange && k.has(other, newClass), k.has(other, oldClass)
	if isAddedByBoth && otherHasOld && k.Hasher.Equal(k.elem(s, newClass).Node, k.elem(other, newClass).Node) {
		return // the other side added the new element and kept the old one: these are two things
	}
	if isAddedByBoth && !otherHasOld { // both sides renamed it in the same way
		k.swapElems(other, oldClass, newClass)
	}
	k.swapElems(s, oldClass, newClass)
	k.Classes[oldClass].How = how
	if isExchange {
		k.Classes[newClass].How = how
	}
}

// swapElems exchanges the elements that version v has in two classes. v may lack one of them.
func (k *Keyed) swapElems(v three.Version, class1, class2 int) {
	i, j := &k.Classes[class1].Index[v], &k.Classes[class2].Index[v]
	*i, *j = *j, *i
	if *i >= 0 {
		k.ClassOf[v][*i] = class1
	}
	if *j >= 0 {
		k.ClassOf[v][*j] = class2
	}
}

// findReplacements returns the elements that s added in place of removed ones: a map from removed to added elements, as
// indexes into k.Classes. Two elements are a pair if git's diff aligns enough of their lines (Lines.pairByLines). If s
// also added an unpaired element with the same leaves, it is unknown which of the two is the replacement, and neither
// is returned. The map is nil without k.Lines. It may set k.Lines.MayDependOnElided.
func (k *Keyed) findReplacements(s three.Version) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	if k.Lines == nil || len(removed) == 0 || len(added) == 0 {
		return nil
	}
	elemsOf := func(v three.Version, classes []int) (elems []Elem) {
		for _, n := range classes {
			elems = append(elems, k.elem(v, n))
		}
		return elems
	}
	candidates := elemsOf(s, added)
	partners := k.Lines.pairByLines(s, k.Hasher, elemsOf(three.Original, removed), candidates)
	leavesOf := func(candidate int) uint64 { return k.Hasher.leavesWithoutKey(candidates[candidate]).hash() }
	unpaired := map[uint64]int{} // the number of candidates without a partner, by their leaves
	for j := range candidates {
		unpaired[leavesOf(j)]++
	}
	for _, j := range partners {
		if j >= 0 {
			unpaired[leavesOf(j)]--
		}
	}
	replacements := map[int]int{}
	for i, j := range partners {
		if j >= 0 && unpaired[leavesOf(j)] == 0 { // otherwise, it is not certain which twin replaces the element
			replacements[removed[i]] = added[j]
		}
	}
	return replacements
}

// mayFollow reports whether the other side's edits of removed, an element that s removed, may be made in added, which s
// put in its place. The two must be of one kind, and added must not contain removed (Wraps). The other side must have
// added, too, or still have removed. The latter is not enough for a field, because programs know fields by their keys.
func (k *Keyed) mayFollow(s three.Version, removed, added int) bool {
	before, after := k.elem(three.Original, removed), k.elem(s, added)
	if before.Node.Kind != after.Node.Kind || k.Hasher.Wraps(after.Node, before.Node) {
		return false
	}
	return k.has(s.Other(), added) || k.has(s.Other(), removed) && !before.IsField
}

// compareLeaves returns the number of equal leaves of an element that s removed and one that it added, and those of the
// smaller and the larger one. The identity and common boilerplate do not count. Nodes of different kinds have 0, 0 and
// 0.
func (k *Keyed) compareLeaves(s three.Version, removed, added int) (same, smaller, larger int) {
	before, after := k.elem(three.Original, removed), k.elem(s, added)
	if before.Node.Kind != after.Node.Kind {
		return 0, 0, 0
	}
	return k.Hasher.leavesWithoutKey(before).compare(k.Hasher.leavesWithoutKey(after))
}
