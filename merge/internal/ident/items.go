package ident

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Items has the items of three versions of an ordered list, or documents without an identity, with their matches: equal
// items first, then, between these, the most similar ones.
type Items struct {
	*Table
	Lists     three.Nodes
	Elems     [3][]Elem
	Rule      schema.List  // the schema's rule for the lists
	Match     [3][]int     // for dest and updated: the index there of each of the original's items, or -1
	Back      [3][]int     // for dest and updated: the index in the original of each item, or -1
	Apart     []Apart      // items that are one thing in several versions, but at different places
	namesakes [3]namesakes // for dest and updated: items with a label ("name=web") that is unique there and in the original
}

// MatchItems returns the items of the lists v, ordered lists without keys, with their matches. l is the schema's rule
// for the lists. t.Hasher must not be nil.
func (t *Table) MatchItems(v three.Nodes, l schema.List) *Items {
	a := &Items{Table: t, Lists: v, Elems: t.orderedElems(v), Rule: l}
	a.matchItems()
	return a
}

// matchItems matches the original's items with those of each side: equal items first, then, between these, the most
// similar ones. It sets a.Match, a.Back, a.Apart and a.namesakes, and may set a.Lines.MayDependOnElided. Doubtful
// matches are removed again (unmatchDisagreements, unmatchSplits). Here b and x are not similar, so that
// a.Match[three.Dest] is {1, -1}, and a.Back[three.Dest] is {-1, 0}:
//
//	original   [a, b]
//	dest       [x, a]
func (a *Items) matchItems() {
	var hashes [3][]uint64
	for s := range a.Elems {
		hashes[s] = Hashes(a.Elems[s])
	}
	for _, s := range three.Sides {
		a.namesakes[s] = a.findNamesakes(s, 0, len(a.Elems[three.Original]), 0, len(a.Elems[s]))
		a.Match[s] = a.matchWithOriginal(s, diff3.Match(hashes[three.Original], hashes[s]))
	}
	a.unmatchDisagreements()
	a.unmatchSplits()
	if a.AfterMatch != nil {
		a.AfterMatch(Children{Items: a})
	}
	for _, s := range three.Sides {
		a.Back[s] = invertMatch(a.Match[s], len(a.Elems[s]))
	}
	a.findMovedAndDeleted()
}

// Apart is a class of items that are not in the same order in the versions that have it, so that they are not in
// Items.Match. PlacedBy is the side whose place the item has in the result.
type Apart struct {
	Class
	PlacedBy three.Version
}

// findMovedAndDeleted finds items that one side moved and the other side deleted, and adds them to a.Apart, so that the
// deletion is not lost. Such an item has no match in either side. But it has a name (syntax.StableNameOf) that one
// side, which moved it, has once, and the other side does not have.
//
//	original               dest           updated                   class
//	- {name: a, run: x}    - {name: b}    - {name: b}               0, -1, 1
//	- {name: b}                           - {name: a, run: y}
func (a *Items) findMovedAndDeleted() {
	var named [3]map[string][]int // the indexes of the items of each name
	for s, elems := range a.Elems {
		named[s] = map[string][]int{}
		for i, e := range elems {
			if name := syntax.StableNameOf(e.Node); name != "" {
				named[s][name] = append(named[s][name], i)
			}
		}
	}
	for i, e := range a.Elems[three.Original] {
		name := syntax.StableNameOf(e.Node)
		if a.Match[three.Dest][i] >= 0 || a.Match[three.Updated][i] >= 0 {
			continue
		}
		for _, s := range three.Sides {
			if at := named[s][name]; len(at) == 1 && len(named[s.Other()][name]) == 0 {
				c := Class{Index: [3]int{i, -1, -1}}
				c.Index[s] = at[0]
				a.Apart = append(a.Apart, Apart{c, s})
			}
		}
	}
}

// unmatchDisagreements removes the match of an item that both sides added with an item of the original, if the sides
// disagree about it. Equal items of dest and updated are one thing; if only one of them has a match, they become a
// class of a.Apart instead, unless the order of the items matters. Here x is not b, because dest has both:
//
//	original   dest       updated
//	- {a, 1}   - {a, 1}   - {a, 1}
//	- {b, 1}   - {x, 1}   - {x, 1}
//	           - {b, 1}
func (a *Items) unmatchDisagreements() {
	var back [3][]int
	for _, s := range three.Sides {
		back[s] = invertMatch(a.Match[s], len(a.Elems[s]))
	}
	for _, at := range a.addedByBoth() {
		node := a.Elems[three.Dest][at[three.Dest]].Node
		for _, s := range three.Sides {
			o, otherO := back[s][at[s]], back[s.Other()][at[s.Other()]]
			if o < 0 || o == otherO || a.Hasher.IsSameThing(a.Elems[three.Original][o].Node, node) {
				continue
			}
			// the other side has another match for the added item, or for the original's
			if otherO >= 0 || a.Match[s.Other()][o] >= 0 {
				a.Match[s][o] = -1
				if otherO < 0 && !a.Rule.OrderMatters {
					a.Apart = append(a.Apart, Apart{Class{Index: at}, s})
				}
			}
		}
	}
}

// addedByBoth returns the items that both sides added with the same value, as indexes by version, in dest's order. The
// index in the original is -1. A value that the original has, or that a side has several times, is left out.
func (a *Items) addedByBoth() (all [][3]int) {
	var added [3]map[uint64]int
	for _, s := range three.Sides {
		added[s] = map[uint64]int{}
		for i, e := range a.Elems[s] {
			recordUnique(added[s], e.Hash, i)
		}
		for _, e := range a.Elems[three.Original] {
			delete(added[s], e.Hash)
		}
	}
	for d, e := range a.Elems[three.Dest] {
		if u, ok := added[three.Updated][e.Hash]; ok && u >= 0 && added[three.Dest][e.Hash] == d {
			all = append(all, [3]int{-1, d, u})
		}
	}
	return all
}

// unmatchSplits removes the match of an item that a side split in two, if the other side edited the item: this edit
// belongs to both parts. Each part has at least half of the original's leaves, and no others.
//
//	original                                side
//	- {verbs: [get], resources: [a, b]}     - {verbs: [get], resources: [a]}
//	                                        - {verbs: [get], resources: [b]}
func (a *Items) unmatchSplits() {
	for _, s := range three.Sides {
		back := invertMatch(a.Match[s], len(a.Elems[s]))
		for i, j := range a.Match[s] {
			if !a.IsEdited(s, i) || !a.IsEdited(s.Other(), i) {
				continue
			}
			o, first := a.Hasher.leavesOf(a.Elems[three.Original][i].Node), a.Hasher.leavesOf(a.Elems[s][j].Node)
			// a part has at least half of the leaves, and no others
			isPart := func(x leafHashes) bool { return x.countShared(o) == len(x.all) && hasHalf(len(x.all), len(o.all)) }
			if !isPart(first) {
				continue
			}
			for x, from := range back {
				second := a.Hasher.leavesOf(a.Elems[s][x].Node)
				// each part has a leaf that the other one lacks
				if from < 0 && isPart(second) && second.countShared(first) < min(len(second.all), len(first.all)) {
					a.Match[s][i] = -1
				}
			}
		}
	}
}

// invertMatch returns, for each of the n items of a side, the index of the original's item that is matched with it, or
// -1. match has, for each of the original's items, the index of the side's item, or -1.
func invertMatch(match []int, n int) []int {
	back := slices.Repeat([]int{-1}, n)
	for i, j := range match {
		if j >= 0 {
			back[j] = i
		}
	}
	return back
}

// matchWithOriginal returns, for each of the original's items, the index of its match in s, or -1 if s deleted the
// item. Matched items have the same order in both versions. They are the equal items, which are given as runs of
// indexes in the original (A) and in s (B), and similar items between two runs.
func (a *Items) matchWithOriginal(s three.Version, equal []diff3.Run) []int {
	match := slices.Repeat([]int{-1}, len(a.Elems[three.Original]))
	o, x := 0, 0
	for _, r := range append(equal, diff3.Run{A: len(a.Elems[three.Original]), B: len(a.Elems[s])}) {
		a.matchSimilar(s, match, o, r.A, x, r.B)
		for i := 0; i < r.Len; i++ {
			match[r.A+i] = r.B + i
		}
		o, x = r.A+r.Len, r.B+r.Len
	}
	return match
}

// Hashes returns the hash of the value of each element of v, in order.
func Hashes(v []Elem) []uint64 {
	hashes := make([]uint64, len(v))
	for i := range v {
		hashes[i] = v[i].Hash
	}
	return hashes
}

// matchSimilar matches similar items among original[o0:o1] and the items x0 to x1 (exclusive) of s, in the same order
// in both versions. It sets match[i] to the index in s of the original's item i, and leaves the other entries as they
// are. If these are too many to compare all pairs (MaxComparisons), items with the same name are matched first.
func (a *Items) matchSimilar(s three.Version, match []int, o0, o1, x0, x1 int) {
	if (o1-o0)*(x1-x0) <= MaxComparisons {
		a.matchMostSimilar(s, match, o0, o1, x0, x1)
		return
	}
	// too many pairs: those with the same name first, and then those in short ranges between them
	original, side := a.Hasher.roughNames(a.Elems[three.Original][o0:o1], a.Elems[s][x0:x1])
	o, x := o0, x0
	end := diff3.Run{A: o1 - o0, B: x1 - x0}
	for _, r := range append(diff3.Match(original, side), end) {
		if (o0+r.A-o)*(x0+r.B-x) <= MaxComparisons {
			a.matchMostSimilar(s, match, o, o0+r.A, x, x0+r.B)
		}
		o, x = o0+r.A, x0+r.B
		for range r.Len {
			match[o] = x
			o, x = o+1, x+1
		}
	}
}

// roughNames returns a text for each item of two lists. It is the name of the item, or else the text before a version
// (textBeforeVersion), or else its first leaf that occurs exactly twice in the two lists together. An item without any
// of these has a text of its own.
func (h *Hasher) roughNames(original, side []Elem) (namesOfOriginal, namesOfSide []string) {
	all := slices.Concat(original, side)
	occurrences := map[uint64]int{}
	for _, e := range all {
		h.forEachLeaf(e.Node, nil, func(x leaf) { occurrences[x.hash]++ })
	}
	names := make([]string, len(all))
	for i, e := range all {
		leafOfTwo := ""
		h.forEachLeaf(e.Node, nil, func(x leaf) {
			if leafOfTwo == "" && occurrences[x.hash] == 2 {
				leafOfTwo = fmt.Sprintf("%x", x.hash)
			}
		})
		names[i] = cmp.Or(syntax.NameOf(e.Node), textBeforeVersion(e.Node.Value), leafOfTwo, fmt.Sprintf("%p", e.Node))
	}
	return names[:len(original)], names[len(original):]
}

// matchMostSimilar matches items among original[o0:o1] with similar items x0 to x1 (exclusive) of s. The pairs have the
// same order in both versions and, together, the highest possible score (see thresholds.go). It sets match[i] to the
// index in s of the original's item i, and leaves the other entries as they are. It may set a.Lines.MayDependOnElided.
func (a *Items) matchMostSimilar(s three.Version, match []int, o0, o1, x0, x1 int) {
	n, m := o1-o0, x1-x0
	if n == 0 || m == 0 {
		return
	}
	var lineMatch []int
	if a.Lines != nil {
		lineMatch = a.Lines.pairByLines(s, a.Hasher, a.Elems[three.Original][o0:o1], a.Elems[s][x0:x1])
	}
	width := m + 1
	scores := a.compareAll(s, o0, o1, x0, x1) // not positive for items that are not matched
	best := make([]float64, (n+1)*width)      // the largest sum of scores of the items from i and j on
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score := scores[i*m+j]
			if score >= 0 && lineMatch != nil && lineMatch[i] == j {
				score += linesBonus
			}
			if score > 0 && i == j {
				score += positionBonus
			}
			scores[i*m+j] = score
			sum := max(best[(i+1)*width+j], best[i*width+j+1])
			if score > 0 {
				sum = max(sum, score+best[(i+1)*width+j+1])
			}
			best[i*width+j] = sum
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch score := scores[i*m+j]; {
		case score > 0 && best[i*width+j] == score+best[(i+1)*width+j+1]:
			match[o0+i] = x0 + j
			i++
			j++
		case best[i*width+j] == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
}

// compareAll returns the similarity of each of original[o0:o1] with each of the items x0 to x1 (exclusive) of s: first
// those of the first item of the original with all items of s, and so on. It is 0 if one of the two has a namesake
// elsewhere (hasNamesakeElsewhere), and -1 if each is more similar to another item, because a side changed the order.
func (a *Items) compareAll(s three.Version, o0, o1, x0, x1 int) (similarity []float64) {
	n, m := o1-o0, x1-x0
	similarity = make([]float64, n*m)
	nearby := a.findNamesakes(s, o0, o1, x0, x1)
	bestOfOriginal, bestOfSide := make([]float64, n), make([]float64, m)
	for k := range similarity {
		i, j := k/m, k%m
		if !a.hasNamesakeElsewhere(s, o0+i, x0+j, nearby) {
			similarity[k] = a.Hasher.similarity(a.Elems[three.Original][o0+i].Node, a.Elems[s][x0+j].Node)
			bestOfOriginal[i], bestOfSide[j] = max(bestOfOriginal[i], similarity[k]), max(bestOfSide[j], similarity[k])
		}
	}
	for k, x := range similarity {
		if x < bestOfOriginal[k/m] && x < bestOfSide[k%m] {
			similarity[k] = -1
		}
	}
	return similarity
}

// namesakes are pairs of an item of the original and an item of a side that probably are one thing, although their
// values may differ. The two items have a label in common, such as "name=web", that no other of the compared items has.
// A label is a field that may identify an item, with its value. An item can have several namesakes, by different
// labels.
//
//	original                side
//	{name: web, port: 1}    {name: web, port: 2}     # namesakes
type namesakes struct {
	ofOriginal, ofSide map[int][]namesake // the namesakes of each item, by its index
}

// A namesake is an item that has a label, such as "name=web", in common with an item of another version.
type namesake struct {
	index   int  // of the item
	isGuess bool // it is not known that the field of the label identifies items
}

// findNamesakes returns which items of the original and of side s have a label in common, such as "name=web", that no
// other compared item has. It compares original[o0:o1] with the items x0 to x1 (exclusive) of s. Indexes in the result
// count from the start of the whole lists.
func (a *Items) findNamesakes(s three.Version, o0, o1, x0, x1 int) namesakes {
	found := namesakes{map[int][]namesake{}, map[int][]namesake{}}
	labelsOf := func(v []Elem) [][]syntax.Label {
		all := make([][]syntax.Label, len(v))
		for i, e := range v {
			all[i] = e.Labels
		}
		return all
	}
	for _, l := range syntax.MatchLabels(labelsOf(a.Elems[three.Original][o0:o1]), labelsOf(a.Elems[s][x0:x1])) {
		i, j := o0+l.A, x0+l.B
		found.ofOriginal[i] = append(found.ofOriginal[i], namesake{j, l.IsGuess})
		found.ofSide[j] = append(found.ofSide[j], namesake{i, l.IsGuess})
	}
	return found
}

// hasNamesakeElsewhere reports whether the original's item i and item j of s probably are two things, because one of
// them has another namesake: an item of the other version with the same label, such as "name=web". If the label is a
// guess, that item must also have enough leaves in common. nearby has the namesakes in the compared ranges; namesakes
// in the whole lists count, too.
//
//	original     side
//	name: web    name: web-copy    # true for this item and the original's web
//	             name: web
func (a *Items) hasNamesakeElsewhere(s three.Version, i, j int, nearby namesakes) bool {
	ofOriginal := slices.Concat(nearby.ofOriginal[i], a.namesakes[s].ofOriginal[i])
	ofSide := slices.Concat(nearby.ofSide[j], a.namesakes[s].ofSide[j])
	isCertain := func(n namesake) bool { return !n.isGuess }
	switch {
	case slices.ContainsFunc(ofOriginal, func(n namesake) bool { return n.index == j }):
		return false
	case slices.ContainsFunc(ofOriginal, isCertain), slices.ContainsFunc(ofSide, isCertain):
		return true
	case len(ofSide) > 0: // a guessed label of j may have been swapped with that of another item
		return false
	}
	// a guess only counts if the namesake has enough leaves in common
	return slices.ContainsFunc(ofOriginal, func(n namesake) bool {
		return hasHalf(a.countSharedLeaves(s, i, n.index), a.countSharedLeaves(s, i, j))
	})
}

// countSharedLeaves returns the number of leaves that the original's item i and item j of s have in common.
func (a *Items) countSharedLeaves(s three.Version, i, j int) int {
	return a.Hasher.leavesOf(a.Elems[three.Original][i].Node).countShared(a.Hasher.leavesOf(a.Elems[s][j].Node))
}

// classes returns one class for each item: first the original's items with their matches, then the items that the sides
// added. If both sides added the same number of items, at whatever places, the first added items of both are one class,
// the second, and so on.
func (a *Items) classes() (all []Class) {
	for i := range a.Elems[three.Original] {
		all = append(all, Class{Index: [3]int{i, a.Match[three.Dest][i], a.Match[three.Updated][i]}})
	}
	var added [3][]int
	for _, s := range three.Sides {
		for j, i := range a.Back[s] {
			if i < 0 {
				added[s] = append(added[s], j)
			}
		}
	}
	byDest, byUpdated := added[three.Dest], added[three.Updated]
	if len(byDest) != len(byUpdated) { // each is a class of its own
		byDest, byUpdated = append(byDest, slices.Repeat([]int{-1}, len(byUpdated))...), append(slices.Repeat([]int{-1}, len(byDest)), byUpdated...)
	}
	for n := range byDest {
		all = append(all, Class{Index: [3]int{-1, byDest[n], byUpdated[n]}})
	}
	return all
}

// IsEdited reports whether s edited the original's item i: it still has the item, but with another value. It returns
// false if s deleted the item.
func (a *Items) IsEdited(s three.Version, i int) bool {
	j := a.Match[s][i]
	return j >= 0 && a.Elems[s][j].Hash != a.Elems[three.Original][i].Hash
}
