package ident

import (
	"maps"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// joinLeftovers finds elements that a side renamed, and makes one class of the old and the new element: one that the
// side removed and one that it added, which are certainly one thing by their leaves or lines. It also joins elements
// whose identities a side exchanged. Here it joins nothing, because dest renamed b to c, and updated renamed a to c:
//
//	original   dest    updated
//	a: 1       a: 1    c: 1
//	b: 2       c: 2
func (k *Keyed) joinLeftovers() {
	k.joinPermuted()
	// the kinds of evidence, the strongest first; each is used for both sides before the next one
	for _, evidence := range [...]struct {
		how   How
		pairs func(three.Version) map[int]int
	}{{ByLeaves, k.findRenames}, {ByLines, k.findReplacements}, {ByLeaves, k.findRenamesOfBoth}} {
		var found [3]map[int]int
		for _, s := range three.Sides {
			found[s] = evidence.pairs(s)
		}
		for _, s := range three.Sides {
			for _, from := range slices.Sorted(maps.Keys(found[s])) {
				to := found[s][from]
				if k.isFree(s, from, to) && k.canJoin(s, from, to, evidence.how, found[s.Other()]) {
					k.joinClasses(s, from, to, evidence.how)
				}
			}
		}
	}
}

// canJoin reports whether the merge may treat two elements as one: from, which s removed, and to, which s added, both
// as indexes into k.Classes. The other side must not have given one of the two identities to another element. how is
// the evidence by which they were paired; pairs by lines have more conditions (mayFollow). otherPairs has the other
// side's pairs.
func (k *Keyed) canJoin(s three.Version, from, to int, how How, otherPairs map[int]int) bool {
	if k.isReplacedBy(s.Other(), from) {
		return false // the other side's element with this identity is another one
	}
	isAddedByOther := k.Classes[to].Index[s.Other()] >= 0
	if how == ByLeaves {
		return !isAddedByOther || !pairsDifferently(otherPairs, from, to)
	}
	if _, isRenamedByBoth := otherPairs[from]; isRenamedByBoth && !isAddedByOther {
		return true // the sides gave one element two different new identities
	}
	return k.mayFollow(s, from, to)
}

// isReplacedBy reports whether s gave the identity of item n, an index into k.Classes, to another item of the original,
// which s deleted or changed. The item in s has no leaf of the original's item, and exactly the leaves of that other
// one. The identity and leaves that all items share do not count. The original must have the item. It returns false for
// a field of a mapping (see findPermuted).
//
//	original                             s
//	- {path: /a, from: x}                - {path: /a, from: y}    # true: from: y was at /b
//	- {path: /b, from: y}
func (k *Keyed) isReplacedBy(s three.Version, n int) bool {
	if k.Classes[n].Index[s] < 0 || k.elem(s, n).IsField {
		return false
	}
	ownLeaves := k.ownLeavesFunc()
	before, after := ownLeaves(k.elem(three.Original, n)), ownLeaves(k.elem(s, n))
	if len(after) == 0 || syntax.CountCommon(before, after) > 0 {
		return false
	}
	for m, c := range k.Classes {
		wasOther := c.Index[three.Original] >= 0 && slices.Equal(ownLeaves(k.elem(three.Original, m)), after)
		if wasOther && (c.Index[s] < 0 || !slices.Equal(ownLeaves(k.elem(s, m)), after)) {
			return true
		}
	}
	return false
}

// isFree reports whether two elements, given as indexes into k.Classes, can be joined in s, because neither was joined
// with another one before. Either s still lacks from and has added to, or the original and s have both, because s
// exchanged their identities.
func (k *Keyed) isFree(s three.Version, from, to int) bool {
	isAdded := k.Classes[to].Index[three.Original] < 0
	return k.Classes[to].Index[s] >= 0 && isAdded == (k.Classes[from].Index[s] < 0)
}

// pairsDifferently reports whether renames, a map from removed to added elements, contradicts that removed was renamed
// to added: it pairs one of the two with another element.
//
//	renames         removed, added   result
//	{1: 5}          1, 5             false
//	{1: 6}          1, 5             true
//	{2: 5}          1, 5             true
//	{2: 6}          1, 5             false
func pairsDifferently(renames map[int]int, removed, added int) bool {
	for from, to := range renames {
		if (from == removed) != (to == added) {
			return true
		}
	}
	return false
}

// joinPermuted makes one class of each item or document before and after a side gave it the identity of another one
// (findPermuted). It joins nothing of a side if the other side also exchanged identities and contradicts one of the
// pairs.
func (k *Keyed) joinPermuted() {
	var found [3]map[int]int
	for _, s := range three.Sides {
		found[s] = k.findPermuted(s)
	}
	for _, s := range three.Sides {
		isContested := func(from int) bool { return pairsDifferently(found[s.Other()], from, found[s][from]) }
		order, index := slices.Sorted(maps.Keys(found[s])), map[int]int{}
		if len(found[s.Other()]) > 0 && slices.ContainsFunc(order, isContested) {
			continue
		}
		for _, from := range order {
			index[from] = k.Classes[found[s][from]].Index[s]
		}
		for _, from := range order { // the element may be in another class by now
			if to := k.ClassOf[s][index[from]]; to != from {
				k.joinClasses(s, from, to, ByLeaves)
			}
		}
	}
}

// findPermuted returns the items or documents to which s gave the identities of others, as in a swap of two names. The
// map leads from the old identity of such an element to its new one, both as indexes into k.Classes. Its leaves must be
// equal, except for the identity and for leaves that all elements share. Fields of mappings are left out, because
// programs know a field by its name.
//
//	original                                 s
//	- {name: web, image: web:1, port: 80}    - {name: web, image: proxy:1}
//	- {name: proxy, image: proxy:1}          - {name: proxy, image: web:1, port: 80}
func (k *Keyed) findPermuted(s three.Version) map[int]int {
	ownLeaves := k.ownLeavesFunc()
	leavesIn := func(v three.Version, n int) []uint64 { // nil for a field, and without the element
		if k.Classes[n].Index[v] < 0 || k.elem(v, n).IsKeyField == nil {
			return nil
		}
		return ownLeaves(k.elem(v, n))
	}
	before, after := map[int][]uint64{}, map[int][]uint64{}
	var changed []int
	for n, c := range k.Classes {
		if min(c.Index[three.Original], c.Index[s]) >= 0 && k.Hasher.Equal(k.elem(three.Original, n).Node, k.elem(s, n).Node) {
			continue // most elements
		}
		before[n], after[n] = leavesIn(three.Original, n), leavesIn(s, n)
		if !slices.Equal(before[n], after[n]) {
			changed = append(changed, n)
		}
	}
	pairs := pairUniquely(changed, changed, func(n, m int) bool {
		if len(before[n]) == 0 || !slices.Equal(before[n], after[m]) {
			return false
		}
		// with fewer leaves, and without a name beside the identity, s may have changed the values
		name := syntax.NameOf(k.elem(three.Original, n).Node)
		if len(before[n])+max(len(before[m]), 1) < MinEvidence && (name == "" || name != syntax.NameOf(k.elem(s, m).Node)) {
			return false
		}
		// if the other side did the same, their identities match
		return syntax.CountCommon(before[n], leavesIn(s.Other(), n)) >= syntax.CountCommon(before[n], leavesIn(s.Other(), m))
	})
	k.keepExchanges(pairs)
	return pairs
}

// keepExchanges removes the pairs from pairs that are not part of an exchange of identities: a row of elements, each of
// which got the identity that the next one had before. The last one gets that of the first, or a new one. pairs maps old
// identities to new ones, as indexes into k.Classes.
//
//	pairs, of which only the class 9 is not in the original   kept
//	{1: 2, 2: 1}, {1: 2, 2: 9}                                all
//	{1: 9}, {1: 2}                                            none
func (k *Keyed) keepExchanges(pairs map[int]int) {
	for count := -1; len(pairs) != count; { // the rest of a row may be no exchange
		count = len(pairs)
		isTarget := map[int]bool{}
		for _, m := range pairs {
			isTarget[m] = true
		}
		maps.DeleteFunc(pairs, func(n, m int) bool {
			if _, isMoved := pairs[m]; k.Classes[m].Index[three.Original] >= 0 {
				return !isMoved
			}
			return !isTarget[n] // s only renamed it
		})
	}
}

// findRenames returns the elements that s renamed, as a map from the removed element to the added one, both as indexes
// into k.Classes. Most of their leaves without the identity must be equal, and not only leaves that all elements share.
// With fewer than three leaves, all must be equal, one must be unique in the original, and the place must be the same.
// Neither element may have a second possible partner.
func (k *Keyed) findRenames(s three.Version) map[int]int {
	gapOf, ownLeaves := sync.OnceValue(func() map[int]int { return k.numberGaps(s) }), k.ownLeavesFunc()
	return k.pairLeftovers(s, func(r, a int) bool {
		same, _, larger := k.compareLeaves(s, r, a)
		if larger >= MinEvidence {
			return hasMost(same, larger) && syntax.CountCommon(ownLeaves(k.elem(three.Original, r)), ownLeaves(k.elem(s, a))) > 0
		}
		// one or two leaves may be equal by chance: the place must be the same as well
		return larger > 0 && same == larger && gapOf()[r] == gapOf()[a] && k.hasUniqueLeaf(k.Classes[r].Index[three.Original])
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
// element to the added one in s, both as indexes into k.Classes. The two must have at least half of the leaves of the
// smaller one in common.
func (k *Keyed) findRenamesOfBoth(s three.Version) map[int]int {
	return k.pairLeftovers(s, func(r, a int) bool {
		same, smaller, _ := k.compareLeaves(s, r, a)
		return same > 0 && hasHalf(same, smaller) && k.isFree(s.Other(), r, a)
	})
}

// pairLeftovers pairs the elements that s removed with those that it added. It returns the pairs for which isSame
// returns true, as a map of indexes into k.Classes. An element with several possible partners has none. The map is nil
// if there are too many elements to compare (MaxComparisons).
func (k *Keyed) pairLeftovers(s three.Version, isSame func(removed, added int) bool) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	return pairUniquely(removed, added, isSame)
}

// pairUniquely returns the pairs of a number in from and one in to for which isSame returns true, as a map. A number
// with several possible partners has none. The map is nil if there are more than MaxComparisons pairs to compare.
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

// ownLeavesFunc returns a function that returns the sorted hashes of the leaves that are an element's own: without its
// identity, and without the leaves that all elements of the original share, if the original has several elements.
func (k *Keyed) ownLeavesFunc() func(Elem) []uint64 {
	common := sync.OnceValue(func() (l leafHashes) {
		if originals := k.Elems[three.Original]; len(originals) > 1 {
			l.all = slices.Clone(k.Hasher.leavesWithoutKey(originals[0]).all)
			for _, e := range originals[1:] {
				leaves := k.Hasher.leavesWithoutKey(e)
				l.all = slices.DeleteFunc(l.all, func(hash uint64) bool { return !leaves.has(hash) })
			}
		}
		return l
	})
	return func(e Elem) []uint64 {
		return slices.DeleteFunc(slices.Clone(k.Hasher.leavesWithoutKey(e).all), common().has)
	}
}

// findRemovedAndAdded returns the elements of the original that s lacks, and the elements of s that the original lacks,
// as indexes into k.Classes, in the order of their version. The other side may have added such an element, too.
func (k *Keyed) findRemovedAndAdded(s three.Version) (removed, added []int) {
	for _, n := range k.ClassOf[three.Original] {
		if k.Classes[n].Index[s] < 0 {
			removed = append(removed, n)
		}
	}
	for _, n := range k.ClassOf[s] {
		if k.Classes[n].Index[three.Original] < 0 {
			added = append(added, n)
		}
	}
	return removed, added
}

// numberGaps returns the gap of each element that only one of the original and s has: the number of shared elements
// before it. Elements are given as indexes into k.Classes. A removed and an added element in the same gap, such as b
// and x here, may be one element under two names:
//
//	original   a   b   c
//	s          a   x   c
func (k *Keyed) numberGaps(s three.Version) map[int]int {
	gapOf := map[int]int{}
	for _, v := range [2]three.Version{three.Original, s} {
		g := 0
		for _, n := range k.ClassOf[v] {
			if k.Classes[n].Index[three.Original] >= 0 && k.Classes[n].Index[s] >= 0 {
				g++
				continue
			}
			gapOf[n] = g
		}
	}
	return gapOf
}

// joinClasses moves the element of s in the class to, its new name, into the class from, its old name. Both are indexes
// into k.Classes. If both sides renamed the element alike, it also moves the other side's; if s exchanged two elements,
// it swaps them. It does nothing if the other side has both elements and its new one equals that of s: these are two
// things then.
//
//	        before                     after
//	from    original 0, dest -1        original 0, dest 2
//	to      original -1, dest 2        original -1, dest -1
func (k *Keyed) joinClasses(s three.Version, from, to int, how How) {
	a, b := &k.Classes[from], &k.Classes[to]
	swap := func(v three.Version) {
		a.Index[v], b.Index[v] = b.Index[v], a.Index[v]
		for _, n := range [...]int{from, to} {
			if i := k.Classes[n].Index[v]; i >= 0 {
				k.ClassOf[v][i] = n
			}
		}
	}
	other := s.Other()
	isAddedByBoth := b.Index[three.Original] < 0 && b.Index[other] >= 0
	hasBoth := isAddedByBoth && a.Index[other] >= 0
	// the other side has both elements: they are two things, unless its second one only has the same name
	if hasBoth && k.Hasher.Equal(k.elem(s, to).Node, k.elem(other, to).Node) {
		return
	}
	swap(s)
	a.How = how
	if b.Index[three.Original] >= 0 {
		b.How = how
	}
	if isAddedByBoth && !hasBoth { // both sides renamed it in the same way
		swap(other)
	}
}

// findReplacements returns the elements that s added in place of elements that it removed, as a map from the removed
// element to the added one, both as indexes into k.Classes. They are paired by their lines (Lines.pairByLines). An
// added element is left out if another one without a pair has the same leaves. Without k.Lines, the map is nil. It may
// set k.Lines.MayDependOnElided.
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
	pairs := k.Lines.pairByLines(s, k.Hasher, elemsOf(three.Original, removed), candidates)
	isPaired := map[int]bool{}
	for _, j := range pairs {
		isPaired[j] = true
	}
	replacements, unpaired := map[int]int{}, map[uint64]bool{} // the latter: the leaves of the others that s added
	for j, e := range candidates {
		if !isPaired[j] {
			unpaired[k.Hasher.leavesWithoutKey(e).hash()] = true
		}
	}
	for i, j := range pairs {
		// with an unpaired twin, it is not certain which of the two replaces the element
		if j >= 0 && !unpaired[k.Hasher.leavesWithoutKey(candidates[j]).hash()] {
			replacements[removed[i]] = added[j]
		}
	}
	return replacements
}

// mayFollow reports whether the other side's edits of an element that s removed may be made in one that s added. Both
// must have the same kind, and the added one must not wrap the removed one. The other side must have added an element
// with the same identity or, for an item or document, still have the removed one. removed and added are indexes into
// k.Classes.
func (k *Keyed) mayFollow(s three.Version, removed, added int) bool {
	o, x := k.elem(three.Original, removed), k.elem(s, added)
	if o.Node.Kind != x.Node.Kind || k.Hasher.Wraps(x.Node, o.Node) {
		return false
	}
	return k.Classes[added].Index[s.Other()] >= 0 || k.Classes[removed].Index[s.Other()] >= 0 && !o.IsField
}

// compareLeaves compares an element that s removed with one that it added, both given as indexes into k.Classes. It
// returns the number of equal leaves, and the number of leaves of the smaller and of the larger element, all without
// the identity (see leafHashes.compare). All are 0 if the elements have different kinds.
func (k *Keyed) compareLeaves(s three.Version, removed, added int) (same, smaller, larger int) {
	o, x := k.elem(three.Original, removed), k.elem(s, added)
	if o.Node.Kind != x.Node.Kind {
		return 0, 0, 0
	}
	return k.Hasher.leavesWithoutKey(o).compare(k.Hasher.leavesWithoutKey(x))
}
