package ident

import (
	"maps"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// joinSwapped swaps, in the classes, the indexes in s of two elements of which s swapped the identities: except for the
// identity, each now has the leaves of the other one. Together they must have at least three leaves that not all
// elements have; otherwise s may have swapped the values. Elements are left out if the other side seems to have swapped
// them, too: their identities then match. So are fields of mappings, because programs know a field by its name.
//
//	original                                 s
//	- {name: web, image: web:1, port: 80}    - {name: web, image: proxy:1}
//	- {name: proxy, image: proxy:1}          - {name: proxy, image: web:1, port: 80}
func (k *Keyed) joinSwapped(s three.Version) {
	var edited []int
	for n, c := range k.Classes {
		if o, x := c.Index[three.Original], c.Index[s]; o >= 0 && x >= 0 && k.Elems[s][x].IsKeyField != nil && !k.Hasher.Equal(k.Elems[three.Original][o].Node, k.Elems[s][x].Node) {
			edited = append(edited, n)
		}
	}
	if len(edited) < 2 || len(edited)*len(edited) > MaxComparisons {
		return
	}
	ownLeaves := k.ownLeavesFunc()
	var before, after [][]uint64 // the own leaves of each edited element in the original and in s
	for _, n := range edited {
		before = append(before, ownLeaves(k.Elems[three.Original][k.Classes[n].Index[three.Original]]))
		after = append(after, ownLeaves(k.Elems[s][k.Classes[n].Index[s]]))
	}
	leavesOfOther := func(i int) []uint64 {
		if x := k.Classes[edited[i]].Index[s.Other()]; x >= 0 {
			return ownLeaves(k.Elems[s.Other()][x])
		}
		return nil
	}
	isSwapped := func(i, j int) bool {
		if len(before[i])+len(before[j]) < minEvidence || !slices.Equal(before[i], after[j]) || !slices.Equal(before[j], after[i]) {
			return false
		}
		// the other side, which edited one of them, may have swapped them, too
		x, y := leavesOfOther(i), leavesOfOther(j)
		kept := syntax.CountCommon(before[i], x) + syntax.CountCommon(before[j], y)
		return kept >= syntax.CountCommon(before[i], y)+syntax.CountCommon(before[j], x)
	}
	for _, p := range UniquePairs(len(edited), len(edited), isSwapped) {
		if i, j := p[0], p[1]; i < j {
			a, b := &k.Classes[edited[i]], &k.Classes[edited[j]]
			a.Index[s], b.Index[s] = b.Index[s], a.Index[s]
			a.How, b.How = ByLeaves, ByLeaves
			k.ClassOf[s][a.Index[s]], k.ClassOf[s][b.Index[s]] = edited[i], edited[j]
		}
	}
}

// joinLeftovers makes one class of an element that a side removed and of one that it added under another identity, if
// the two are certainly one thing by their leaves or lines. An element that the other side added under the new identity
// joins the class, too. The class of the added element remains without an index in the side. Nothing is joined here,
// because dest renamed b to c, and updated renamed a to c:
//
//	original   dest    updated
//	a: 1       a: 1    c: 1
//	b: 2       c: 2
func (k *Keyed) joinLeftovers() {
	for _, find := range [...]struct {
		how   How
		pairs func(three.Version) map[int]int
	}{{ByLeaves, k.findRenames}, {ByLines, k.findReplacements}, {ByLeaves, k.findRenamesOfBoth}} {
		var found [3]map[int]int
		for _, s := range three.Sides {
			found[s] = find.pairs(s)
		}
		for _, s := range three.Sides {
			other := s.Other()
			for _, removed := range slices.Sorted(maps.Keys(found[s])) {
				added := found[s][removed]
				_, byBoth := found[other][removed]
				byBoth = byBoth && k.Classes[added].Index[other] < 0 // three identities of one element
				switch {
				case !k.isFree(s, removed, added):
				case find.how == ByLeaves && k.Classes[added].Index[other] >= 0 && pairsDifferently(found[other], removed, added):
				case find.how == ByLeaves || byBoth || k.mayFollow(s, removed, added):
					k.joinClasses(s, removed, added, find.how)
				}
			}
		}
	}
}

// isFree reports whether neither of the two elements was joined with another one in s: one that s removed, and one that s
// added. Both are given as indexes into k.Classes.
func (k *Keyed) isFree(s three.Version, removed, added int) bool {
	return k.Classes[removed].Index[s] < 0 && k.Classes[added].Index[s] >= 0
}

// pairsDifferently reports whether renames, which maps removed elements to added ones, has removed with another value
// than added, or another key with added as its value. It returns false if neither occurs in it.
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

// findRenames returns the elements that s renamed, as a map from the element that s removed to the one that s added,
// both as indexes into k.Classes. Most leaves of the two, without their identity, are equal; if they have fewer than
// three, all are, and the place is the same (numberGaps). Neither could be paired with another element.
func (k *Keyed) findRenames(s three.Version) map[int]int {
	gapOf, ownLeaves := sync.OnceValue(func() map[int]int { return k.numberGaps(s) }), k.ownLeavesFunc()
	return k.pairLeftovers(s, func(r, a int) bool {
		same, _, larger := k.compareLeaves(s, r, a)
		if larger >= minEvidence {
			o, x := k.Elems[three.Original][k.Classes[r].Index[three.Original]], k.Elems[s][k.Classes[a].Index[s]]
			return hasMost(same, larger) && syntax.CountCommon(ownLeaves(o), ownLeaves(x)) > 0
		}
		// one or two leaves may be equal by chance: the place must be the same as well
		return larger > 0 && same == larger && gapOf()[r] == gapOf()[a]
	})
}

// findRenamesOfBoth returns the elements that both sides removed and added under one new identity, as a map like that
// of findRenames. At least half of the leaves of the smaller one must be equal.
func (k *Keyed) findRenamesOfBoth(s three.Version) map[int]int {
	return k.pairLeftovers(s, func(r, a int) bool {
		same, smaller, _ := k.compareLeaves(s, r, a)
		return same > 0 && hasHalf(same, smaller) && k.isFree(s.Other(), r, a)
	})
}

// pairLeftovers returns the pairs of an element that s removed and one that it added for which isSame returns true, and
// that cannot be paired with others, as a map of indexes into k.Classes. It returns nil if there are more than
// MaxComparisons pairs to compare.
func (k *Keyed) pairLeftovers(s three.Version, isSame func(removed, added int) bool) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	if len(removed)*len(added) > MaxComparisons {
		return nil
	}
	pairs := map[int]int{}
	for _, p := range UniquePairs(len(removed), len(added), func(i, j int) bool { return isSame(removed[i], added[j]) }) {
		pairs[removed[p[0]]] = added[p[1]]
	}
	return pairs
}

// ownLeavesFunc returns a function that returns the sorted leaves of an element, without those of its key and those
// that all elements of the original have in common, if it has several.
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

// numberGaps returns, for each element that only one of the original and s has, the number of elements before it that
// both have. Elements are given as indexes into k.Classes. A removed and an added element with the same number, such as
// b and x here, may be one element under two names:
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

// joinClasses makes one class of an element that s removed and of one that it added; removed and added are indexes into
// k.Classes. The index in s moves from the class added to the class removed, and so does that in the other side if it
// added the element, too. It does nothing if the other side has both elements.
//
//	           before                     after
//	removed    original 0, dest -1        original 0, dest 2
//	added      original -1, dest 2        original -1, dest -1
func (k *Keyed) joinClasses(s three.Version, removed, added int, how How) {
	from := &k.Classes[added]
	if other := from.Index[s.Other()]; other >= 0 && k.Classes[removed].Index[s.Other()] >= 0 {
		return // the other side has both elements: they are two things
	}
	k.Classes[removed].Index[s], k.Classes[removed].How = from.Index[s], how
	k.ClassOf[s][from.Index[s]] = removed
	from.Index[s] = -1
	if other := from.Index[s.Other()]; other >= 0 {
		// both sides renamed it in the same way
		k.Classes[removed].Index[s.Other()] = other
		k.ClassOf[s.Other()][other] = removed
		from.Index[s.Other()] = -1
	}
}

// findReplacements returns the elements that s added in place of elements that it removed, as a map from the removed
// element to the added one, both as indexes into k.Classes. They are paired by their lines (Lines.pairByLines), unless
// s added another element with the same leaves that has no partner: either could be the replacement. The map is nil if
// k.Lines is. It may set k.Lines.MayDependOnElided.
func (k *Keyed) findReplacements(s three.Version) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	if k.Lines == nil || len(removed) == 0 || len(added) == 0 {
		return nil
	}
	elemsOf := func(v three.Version, classes []int) (elems []Elem) {
		for _, n := range classes {
			elems = append(elems, k.Elems[v][k.Classes[n].Index[v]])
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

// mayFollow reports whether the other side's edits of an element that s removed may be made in one that s added.
// removed and added are indexes into k.Classes. The elements must be of one kind, and the added one must not wrap the
// removed one. Edits of a mapping field only follow if the other side added the new field, too.
func (k *Keyed) mayFollow(s three.Version, removed, added int) bool {
	o, x := k.Elems[three.Original][k.Classes[removed].Index[three.Original]], k.Elems[s][k.Classes[added].Index[s]]
	if o.Node.Kind != x.Node.Kind || k.Hasher.Wraps(x.Node, o.Node) {
		return false
	}
	return k.Classes[added].Index[s.Other()] >= 0 || k.Classes[removed].Index[s.Other()] >= 0 && !o.IsField
}

// compareLeaves returns the number of leaves that are equal in an element that s removed and one that it added, and the
// number of leaves of the smaller and of the larger one. Fields that are part of the identity do not count. The
// elements are given as indexes into k.Classes. All results are 0 if the elements have different kinds.
func (k *Keyed) compareLeaves(s three.Version, removed, added int) (same, smaller, larger int) {
	o, x := k.Elems[three.Original][k.Classes[removed].Index[three.Original]], k.Elems[s][k.Classes[added].Index[s]]
	if o.Node.Kind != x.Node.Kind {
		return 0, 0, 0
	}
	return k.Hasher.leavesWithoutKey(o).compare(k.Hasher.leavesWithoutKey(x))
}
