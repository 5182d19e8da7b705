package ident

import (
	"cmp"
	"fmt"
	"maps"
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
	Apart     []Apart      // items that are one thing, but at such different places that Match does not have them
	namesakes [3]namesakes // for dest and updated: the namesakes in the whole lists
}

// MatchItems returns the items of the lists v, ordered lists without keys, with their matches. l is the schema's rule
// for the lists. t.Hasher must not be nil.
func (t *Table) MatchItems(v three.Nodes, l schema.List) *Items {
	a := &Items{Table: t, Lists: v, Elems: t.orderedElems(v), Rule: l}
	a.matchItems()
	return a
}

// matchItems sets a.Match, a.Back and a.Apart: which of the original's items are one thing with which items of each
// side. Equal items are matched first, then the most similar ones between them. Doubtful matches are removed. Then it
// calls a.AfterMatch, which may change a.Match, and adds items that one side moved and the other deleted to a.Apart.
// Here b and x are not similar:
//
//	original   dest     a.Match[three.Dest]   a.Back[three.Dest]
//	[a, b]     [x, a]   {1, -1}               {-1, 0}
func (a *Items) matchItems() {
	var hashes [3][]uint64
	for s := range a.Elems {
		hashes[s] = Hashes(a.Elems[s])
	}
	for _, s := range three.Sides {
		all := section{diff3.Range{End: len(a.Elems[three.Original])}, diff3.Range{End: len(a.Elems[s])}}
		a.namesakes[s] = a.findNamesakes(s, all)
		a.Match[s] = slices.Repeat([]int{-1}, len(a.Elems[three.Original]))
		a.matchRuns(s, all, diff3.Match(hashes[three.Original], hashes[s]), a.matchSimilar)
	}
	a.setBack() // for unmatchDisagreements
	a.unmatchDisagreements()
	a.setBack() // for unmatchSplits
	a.unmatchSplits()
	if a.AfterMatch != nil {
		a.AfterMatch(Children{Items: a})
	}
	a.setBack() // for the caller
	a.findMovedAndDeleted()
}

// setBack sets a.Back to the inverse of a.Match. Items of a side without a match get -1.
func (a *Items) setBack() {
	for _, s := range three.Sides {
		a.Back[s] = slices.Repeat([]int{-1}, len(a.Elems[s]))
		for i, j := range a.Match[s] {
			if j >= 0 {
				a.Back[s][j] = i
			}
		}
	}
}

// Apart is an item that the versions have at different places, so that Items.Match, whose matches are in order, does
// not have it. It is merged as one item all the same, at the place that it has in the side PlacedBy.
type Apart struct {
	Class
	PlacedBy three.Version
}

// findMovedAndDeleted adds items to a.Apart that one side moved and the other side deleted, so that the deletion is not
// lost. a.Apart has the items that are one thing, but at such different places that a.Match, whose matches are in
// order, lacks them. Such an item has a name, as name=a, and
//
//   - neither side has a match of the original's item
//   - one side has exactly one item with this name, which has no match either
//   - the other side has no item with this name
//
// If the original has several, it is the one that equals the side's, or else the first. The class has an index for each
// version:
//
//	original               dest           updated                   class
//	- {name: a, run: x}    - {name: b}    - {name: b}               0, -1, 1
//	- {name: b}                           - {name: a, run: y}
func (a *Items) findMovedAndDeleted() {
	var named [3]map[string][]int // the indexes of the unmatched items of each name in the original, and of all in a side
	for s, elems := range a.Elems {
		named[s] = map[string][]int{}
		for i, e := range elems {
			isMatched := s == int(three.Original) && (a.Match[three.Dest][i] >= 0 || a.Match[three.Updated][i] >= 0)
			if name := syntax.StableNameOf(e.Node); name != "" && !isMatched {
				named[s][name] = append(named[s][name], i)
			}
		}
	}
	for _, s := range three.Sides {
		for _, name := range slices.Sorted(maps.Keys(named[three.Original])) {
			originals, inSide := named[three.Original][name], named[s][name]
			if len(inSide) != 1 || len(named[s.Other()][name]) > 0 || a.Back[s][inSide[0]] >= 0 {
				continue
			}
			isEqual := func(i int) bool { return a.Elems[three.Original][i].Hash == a.Elems[s][inSide[0]].Hash }
			c := Class{Index: [3]int{originals[max(0, slices.IndexFunc(originals, isEqual))], -1, -1}}
			c.Index[s] = inSide[0]
			a.Apart = append(a.Apart, Apart{c, s})
		}
	}
}

// unmatchDisagreements removes a side's match of an item that both sides have, but not the original, if the other side
// matches that item or its partner differently: both sides probably added it. Here it is {x, 1}, which only updated
// matches with {b, 1}. A certain match (IsSameThing) remains. The item may become one of a.Apart.
//
//	original   dest       updated
//	- {a, 1}   - {a, 1}   - {a, 1}
//	- {b, 1}   - {x, 1}   - {x, 1}
//	           - {b, 1}
func (a *Items) unmatchDisagreements() {
	for _, added := range a.addedByBoth() {
		for _, s := range three.Sides {
			// the original's items with which s and the other side match the added one, or -1
			partner, partnerOfOther := a.Back[s][added[s]], a.Back[s.Other()][added[s.Other()]]
			if partner < 0 || partner == partnerOfOther {
				continue // there is no match, or the sides agree
			}
			isCertain := a.Hasher.IsSameThing(a.Elems[three.Original][partner].Node, a.Elems[s][added[s]].Node)
			otherMatchesNeither := partnerOfOther < 0 && a.Match[s.Other()][partner] < 0
			if isCertain || otherMatchesNeither {
				continue
			}
			a.Match[s][partner] = -1
			if partnerOfOther < 0 && !a.Rule.OrderMatters {
				a.Apart = append(a.Apart, Apart{Class{Index: added}, s})
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
		isUniqueInDest := added[three.Dest][e.Hash] == d
		if u, ok := added[three.Updated][e.Hash]; ok && u >= 0 && isUniqueInDest {
			all = append(all, [3]int{-1, d, u})
		}
	}
	return all
}

// unmatchSplits removes a side's match of an item that this side split in two, if the other side edited the item: the
// edit belongs to both parts, and must not be made in one of them only. hasSecondPart says what counts as a part.
//
//	original                                side
//	- {verbs: [get], resources: [a, b]}     - {verbs: [get], resources: [a]}
//	                                        - {verbs: [get], resources: [b]}
func (a *Items) unmatchSplits() {
	for _, s := range three.Sides {
		for i, j := range a.Match[s] {
			if a.IsEdited(s, i) && a.IsEdited(s.Other(), i) && a.hasSecondPart(s, i, j) {
				a.Match[s][i] = -1
			}
		}
	}
}

// hasSecondPart detects an item that s split in two. It reports whether item j of s and an item of s without a match
// are parts of the original's item i. Each part has
//   - at least half of the leaves (scalars) of the original's item
//   - no other leaves
//   - a leaf that the other part lacks
func (a *Items) hasSecondPart(s three.Version, i, j int) bool {
	whole, first := a.Hasher.leavesOf(a.Elems[three.Original][i].Node), a.Hasher.leavesOf(a.Elems[s][j].Node)
	isPart := func(part leafHashes) bool {
		return part.countShared(whole) == len(part.all) && hasHalf(len(part.all), len(whole.all))
	}
	if !isPart(first) {
		return false
	}
	for x, match := range a.Back[s] {
		if match >= 0 {
			continue
		}
		second := a.Hasher.leavesOf(a.Elems[s][x].Node)
		if isPart(second) && second.countShared(first) < min(len(second.all), len(first.all)) {
			return true
		}
	}
	return false
}

// A section is a range of the original's items and a range of the items of a side, which are compared with each other.
type section struct{ original, side diff3.Range }

// matchRuns matches the items in runs, and has the items between them matched by matchGap. runs pair successive items
// of the original with successive items of s, as indexes from the start of the section c. They are matched one by one,
// in a.Match[s]. matchGap is called for each part of c before, between or after the runs, even an empty one.
func (a *Items) matchRuns(s three.Version, c section, runs []diff3.Run, matchGap func(three.Version, section)) {
	gap := c
	// an empty run at the end of the section ends the last gap
	for _, r := range append(runs, diff3.Run{A: c.original.Len(), B: c.side.Len()}) {
		i, j := c.original.Start+r.A, c.side.Start+r.B // the start of the run in both lists
		gap.original.End, gap.side.End = i, j
		matchGap(s, gap)
		for n := range r.Len {
			a.Match[s][i+n] = j + n
		}
		gap.original.Start, gap.side.Start = i+r.Len, j+r.Len
	}
}

// elemsIn returns the items of a section in the original and in side s.
func (a *Items) elemsIn(s three.Version, c section) (original, side []Elem) {
	return a.Elems[three.Original][c.original.Start:c.original.End], a.Elems[s][c.side.Start:c.side.End]
}

// Hashes returns the hash of the value of each element of v, in order.
func Hashes(v []Elem) []uint64 {
	hashes := make([]uint64, len(v))
	for i := range v {
		hashes[i] = v[i].Hash
	}
	return hashes
}

// matchSimilar matches the similar items of section c in a.Match[s], in the same order in both versions. In a large
// section, only items with the same name and items in small gaps between them are matched. It may set
// a.Lines.MayDependOnElided.
func (a *Items) matchSimilar(s three.Version, c section) {
	isTooLarge := func(c section) bool { return c.original.Len()*c.side.Len() > MaxComparisons }
	if !isTooLarge(c) {
		a.matchMostSimilar(s, c)
		return
	}
	original, side := a.Hasher.roughNames(a.elemsIn(s, c))
	a.matchRuns(s, c, diff3.Match(original, side), func(s three.Version, gap section) {
		if !isTooLarge(gap) {
			a.matchMostSimilar(s, gap)
		}
	})
}

// roughNames returns a name for each item of two lists, of the original and of a side, that are too long to compare all
// pairs. Items with equal names are then matched first. The name is the first of these that exists:
//   - the item's name, such as name=web
//   - the text before a version in its value (textBeforeVersion)
//   - its first leaf that occurs exactly twice in both lists together, probably once in each
//   - a text that no other item has
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

// matchMostSimilar matches similar items of section c (a range of the original's items and one of those of s), in
// a.Match[s]. The pairs have the same order in both versions and, together, the highest possible score (scoreAll). It
// may set a.Lines.MayDependOnElided.
func (a *Items) matchMostSimilar(s three.Version, c section) {
	if c.original.Empty() || c.side.Empty() {
		return
	}
	for i, j := range pairInOrder(a.scoreAll(s, c)) {
		if j >= 0 {
			a.Match[s][c.original.Start+i] = c.side.Start + j
		}
	}
}

// pairInOrder pairs rows with columns of scores so that the sum of the scores of the pairs is the highest possible.
// Only positive scores count, and later rows have later columns. It returns the column of each row, or -1 if it has
// none. There must be at least one row.
//
//	scores           result
//	{9, 1}, {2, 8}   {0, 1}
//	{1, 9}, {2, 7}   {1, -1}
func pairInOrder(scores [][]float64) []int {
	rows, columns := len(scores), len(scores[0])
	width := columns + 1
	best := make([]float64, (rows+1)*width) // the highest sum of the rows from i and the columns from j on
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			sum := max(best[(i+1)*width+j], best[i*width+j+1])
			if score := scores[i][j]; score > 0 {
				sum = max(sum, score+best[(i+1)*width+j+1])
			}
			best[i*width+j] = sum
		}
	}
	partners := slices.Repeat([]int{-1}, rows)
	for i, j := 0, 0; i < rows && j < columns; {
		switch score := scores[i][j]; {
		case score > 0 && best[i*width+j] == score+best[(i+1)*width+j+1]:
			partners[i] = j
			i++
			j++
		case best[i*width+j] == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
	return partners
}

// scoreAll returns the score of each of the original's items in section c, the rows, with each item of s there, the
// columns, for pairInOrder. The score is the similarity (compareAll), plus a bonus if git's diff aligns the lines of
// the two items, plus a tiny bonus for the same position. It may set a.Lines.MayDependOnElided.
func (a *Items) scoreAll(s three.Version, c section) [][]float64 {
	scores := a.compareAll(s, c)
	if a.Lines != nil {
		original, side := a.elemsIn(s, c)
		for i, j := range a.Lines.pairByLines(s, a.Hasher, original, side) {
			if j >= 0 && scores[i][j] >= 0 {
				scores[i][j] += linesBonus
			}
		}
	}
	for i := range min(c.original.Len(), c.side.Len()) {
		if scores[i][i] > 0 {
			scores[i][i] += positionBonus
		}
	}
	return scores
}

// compareAll returns the similarity of each of the original's items in section c, the rows, with each item of s there,
// the columns (see Hasher.similarity). Two values have another meaning: 0 if one of the two probably belongs to another
// item (hasNamesakeElsewhere), and -1, which forbids the pair, if each of the two is more similar to another item.
func (a *Items) compareAll(s three.Version, c section) [][]float64 {
	original, side := a.elemsIn(s, c)
	similarity := make([][]float64, len(original))
	nearby := a.findNamesakes(s, c)
	bestOfOriginal, bestOfSide := make([]float64, len(original)), make([]float64, len(side))
	for i := range original {
		similarity[i] = make([]float64, len(side))
		for j := range side {
			x := 0.0
			if !a.hasNamesakeElsewhere(s, c.original.Start+i, c.side.Start+j, nearby) {
				x = a.Hasher.similarity(original[i].Node, side[j].Node)
			}
			similarity[i][j] = x
			bestOfOriginal[i], bestOfSide[j] = max(bestOfOriginal[i], x), max(bestOfSide[j], x)
		}
	}
	for i, row := range similarity {
		for j, x := range row {
			if x < bestOfOriginal[i] && x < bestOfSide[j] { // a side changed the order
				row[j] = -1
			}
		}
	}
	return similarity
}

// namesakes has pairs of an item of the original and an item of a side that probably are one thing, although their
// values may differ: they have a label in common that no other of the compared items has. A label is a field that may
// identify an item, with its value, such as "name=web". An item can have several namesakes, by different labels.
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

// findNamesakes finds the namesakes in section c: an item of the original and one of s with a label in common, such as
// "name=web", that no other item of the section has, neither in the original nor in s. Indexes in the result count from
// the start of the whole lists.
func (a *Items) findNamesakes(s three.Version, c section) namesakes {
	found := namesakes{map[int][]namesake{}, map[int][]namesake{}}
	original, side := a.elemsIn(s, c)
	inOriginal, inSide := indexLabels(original), indexLabels(side)
	for i := range original {
		for _, l := range original[i].Labels {
			j, ok := inSide[l.Text]
			if !ok || j < 0 || inOriginal[l.Text] < 0 {
				continue
			}
			o, x := c.original.Start+i, c.side.Start+j
			found.ofOriginal[o] = append(found.ofOriginal[o], namesake{x, l.IsGuess})
			found.ofSide[x] = append(found.ofSide[x], namesake{o, l.IsGuess})
		}
	}
	return found
}

// indexLabels returns the index of the item with each label, such as "name=web", or -1 for a label of several items.
func indexLabels(items []Elem) map[string]int {
	index := map[string]int{}
	for i := range items {
		for _, l := range items[i].Labels {
			recordUnique(index, l.Text, i)
		}
	}
	return index
}

// hasNamesakeElsewhere reports whether the original's item i and item j of s are probably two things, because one has
// the same label (name=web) as another item. A guessed label counts only for i, and if the two share enough leaves.
// nearby has such items in the section.
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
		return false // i and j are namesakes of each other
	case slices.ContainsFunc(ofOriginal, isCertain), slices.ContainsFunc(ofSide, isCertain):
		return true
	case len(ofSide) > 0: // a guessed label of j may have been swapped with that of another item
		return false
	}
	// a guessed namesake of i must also have enough leaves in common with i, compared with those that j has
	return slices.ContainsFunc(ofOriginal, func(n namesake) bool {
		return hasHalf(a.countSharedLeaves(s, i, n.index), a.countSharedLeaves(s, i, j))
	})
}

// countSharedLeaves returns the number of leaves that the original's item i and item j of s have in common.
func (a *Items) countSharedLeaves(s three.Version, i, j int) int {
	return a.Hasher.leavesOf(a.Elems[three.Original][i].Node).countShared(a.Hasher.leavesOf(a.Elems[s][j].Node))
}

// classes returns one class for each item, in this order: the original's items with their matches, those that dest
// added, those that updated added. If both sides added the same number of items, the first ones are one class, the
// second ones, and so on.
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
	if len(added[three.Dest]) == len(added[three.Updated]) {
		for n, d := range added[three.Dest] {
			all = append(all, Class{Index: [3]int{-1, d, added[three.Updated][n]}})
		}
		return all
	}
	for _, d := range added[three.Dest] {
		all = append(all, Class{Index: [3]int{-1, d, -1}})
	}
	for _, u := range added[three.Updated] {
		all = append(all, Class{Index: [3]int{-1, -1, u}})
	}
	return all
}

// IsEdited reports whether s edited the original's item i: it still has the item, but with another value. It returns
// false if s deleted the item.
func (a *Items) IsEdited(s three.Version, i int) bool {
	j := a.Match[s][i]
	return j >= 0 && a.Elems[s][j].Hash != a.Elems[three.Original][i].Hash
}
