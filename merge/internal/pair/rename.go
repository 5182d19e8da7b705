package pair

import (
	"bytes"
	"maps"
	"slices"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// joinRenamed pairs an element that a side removed with the same element under the new identity that the side gave it:
// both get one step in k.steps, with the index of the element in each version. The other step remains, without an index
// in that side. Two elements are the same if most of their content is equal. If the other side added an element under
// the new identity, it becomes part of that step too, unless the other side renamed another element to it:
//
//	original   dest    updated
//	a: 1       a: 1    c: 1
//	b: 2       c: 2
//
// Dest renamed b to c, and updated renamed a to c. Nothing is paired.
func (k *keyPairing) joinRenamed() {
	var renames [3]map[int]int
	for _, s := range three.Sides {
		renames[s] = k.findRenames(s)
	}
	for _, s := range three.Sides {
		other := s.Other()
		for _, removed := range slices.Sorted(maps.Keys(renames[s])) {
			added := renames[s][removed]
			if k.steps[added].Index[s] < 0 || k.steps[removed].Index[s] >= 0 {
				continue // the other side's rename has joined it
			}
			if k.steps[added].Index[other] >= 0 && pairsDifferently(renames[other], removed, added) {
				continue
			}
			k.joinSteps(s, removed, added)
		}
	}
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

// findRenames returns the elements that s renamed, as a map from the element that s removed to the one that s added.
// Both are given as indexes into k.steps, which has one step for each element. Two elements are paired if they are
// surely one thing, and neither could be paired with another element. It depends on the leaves (scalars, aliases or
// empty collections) of the larger of the two:
//
//	three leaves or more    one thing if three quarters of them are equal
//	one or two              one thing if all are equal, and both are between the same two elements that the original and s
//	                        have in common
//	none                    not one thing
//
// Fields that are part of the identity are not compared. findRenames returns nil if s removed or added nothing, or if
// there are more than 10,000 pairs to compare. Otherwise the map may be empty.
func (k *keyPairing) findRenames(s three.Version) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > 10000 {
		return nil
	}
	renames, gapOf := map[int]int{}, k.numberGaps(s)
	for i, j := range uniquePairs(len(removed), len(added), func(i, j int) bool {
		same, _, larger := k.compareLeaves(s, removed[i], added[j])
		if larger >= 3 {
			return 4*same >= 3*larger
		}
		return larger > 0 && same == larger && gapOf[removed[i]] == gapOf[added[j]]
	}) {
		renames[removed[i]] = added[j]
	}
	return renames
}

// findRemovedAndAdded returns the elements of the original that s lacks, and the elements of s that the original lacks,
// as indexes into k.steps (which has one step for each identity). Both are nil if there are none, and in the order of
// their version. An added element may be one that the other side added under the same identity as well.
func (k *keyPairing) findRemovedAndAdded(s three.Version) (removed, added []int) {
	for _, n := range k.stepOf[three.Original] {
		if k.steps[n].Index[s] < 0 {
			removed = append(removed, n)
		}
	}
	for _, n := range k.stepOf[s] {
		if k.steps[n].Index[three.Original] < 0 {
			added = append(added, n)
		}
	}
	return removed, added
}

// numberGaps returns for each element that only one of the original and s has, where it is: the number of elements
// before it that both versions have. Elements are given as indexes into k.steps. A removed and an added element with
// the same number may be one element under two names:
//
//	original   a   b   c
//	s          a   x   c
//
// Both b and x have the number 1. An element that both versions have is not in the map.
func (k *keyPairing) numberGaps(s three.Version) map[int]int {
	gapOf := map[int]int{}
	for _, v := range [2]three.Version{three.Original, s} {
		g := 0
		for _, n := range k.stepOf[v] {
			if k.steps[n].Index[three.Original] >= 0 && k.steps[n].Index[s] >= 0 {
				g++
				continue
			}
			gapOf[n] = g
		}
	}
	return gapOf
}

// joinSteps makes one element of two: an element that s removed, and one that s added. k.steps has one step for each
// element, with its index in each version; removed and added are the indexes of the two steps. The index in s moves
// from the step added to the step removed, and so does the index in the other side, if that added the element too.
// joinSteps does nothing if the other side has both elements, because they are then two things. k.stepOf is changed,
// too.
//
//	           before                     after
//	removed    original 0, dest -1        original 0, dest 2
//	added      original -1, dest 2        original -1, dest -1
func (k *keyPairing) joinSteps(s three.Version, removed, added int) {
	from := &k.steps[added]
	if other := from.Index[s.Other()]; other >= 0 && k.steps[removed].Index[s.Other()] >= 0 {
		return // the other side has both elements: they are two things
	}
	k.steps[removed].Index[s] = from.Index[s]
	k.stepOf[s][from.Index[s]] = removed
	from.Index[s] = -1
	if other := from.Index[s.Other()]; other >= 0 {
		// both sides renamed it in the same way
		k.steps[removed].Index[s.Other()] = other
		k.stepOf[s.Other()][other] = removed
		from.Index[s.Other()] = -1
	}
}

// joinByLines pairs elements that s removed with elements that s added in their place under another identity, if the
// two have at least half of their lines in common. Both get one step in k.steps, with the index of the element in each
// version. It depends on the other side:
//
//	other side                                        what is paired
//	replaced the same element, under a third          the three elements become one step
//	  identity
//	added an element under the same new identity      the removed and both added elements become one step
//	still has the removed element                     the two become one step, but not if they are fields: programs that
//	                                                  read a field know it by its name
//	anything else                                     nothing
//
// In the second and third case, nothing is paired if the old and the new element have different kinds, or if the new
// one contains the old one. An element is not paired if its side added a second one with the same content, and this one
// has no counterpart: it is then unknown which of them replaced the removed element. k.lines must not be nil;
// joinByLines may set k.lines.MayDependOnElided.
func (k *keyPairing) joinByLines(s three.Version) {
	other := s.Other()
	replacements, otherReplacements := k.findReplacements(s), k.findReplacements(other)
	for _, r := range slices.Sorted(maps.Keys(replacements)) {
		a := replacements[r]
		b, both := otherReplacements[r]
		if both = both && k.steps[b].Index[other] >= 0; both { // not joined with another element yet
			both = k.steps[a].Index[other] < 0 && k.steps[b].Index[s] < 0
		}
		if k.hasUnpairedTwin(s, a, replacements) || both && k.hasUnpairedTwin(other, b, otherReplacements) {
			continue
		}
		if both || k.shouldFollow(s, r, a) {
			k.joinSteps(s, r, a)
		}
		if both {
			k.joinSteps(other, r, b)
		}
	}
}

// findReplacements returns the elements that s added in place of elements that it removed, as a map from the removed
// element to the added one. Both are given as indexes into k.steps, which has one step for each element. An added
// element replaces a removed one if git's diff of the files aligns at least three lines of the two, and at least half
// of the lines of the smaller one. findReplacements returns nil if s removed or added nothing. Otherwise the map may be
// empty, and it sets k.lines.MayDependOnElided, because lines that were left out for speed could change the result.
func (k *keyPairing) findReplacements(s three.Version) map[int]int {
	removed, added := k.findRemovedAndAdded(s)
	if len(removed) == 0 || len(added) == 0 {
		return nil
	}
	elemsAt := func(s three.Version, steps []int) (at []elem) {
		for _, n := range steps {
			at = append(at, k.elems[s][k.steps[n].Index[s]])
		}
		return at
	}
	replacements := map[int]int{}
	for i, j := range k.lines.pairByLines(s, k.hasher, elemsAt(three.Original, removed), elemsAt(s, added)) {
		if j >= 0 {
			replacements[removed[i]] = added[j]
		}
	}
	return replacements
}

// hasUnpairedTwin reports whether s added a second element with the same content as the element added, and the second
// one does not replace a removed element. It is then unknown which of the two replaced the removed element. Fields of
// the identity are not compared. replacements maps removed elements to those that s added in their place. All elements
// are given as indexes into k.steps.
func (k *keyPairing) hasUnpairedTwin(s three.Version, added int, replacements map[int]int) bool {
	x := k.elems[s][k.steps[added].Index[s]]
	return slices.ContainsFunc(k.stepOf[s], func(n int) bool {
		if n == added || k.steps[n].Index[three.Original] >= 0 || !slices.Equal(k.hasher.leavesWithoutKey(x).all, k.hasher.leavesWithoutKey(k.elems[s][k.steps[n].Index[s]]).all) {
			return false
		}
		for _, a := range replacements {
			if a == n {
				return false
			}
		}
		return true
	})
}

// shouldFollow reports whether an element that s removed and one that s added under another identity are to be treated
// as one element. The other side's edits of the removed one are then made in the added one. removed and added are
// indexes into k.steps. The first of these rules that applies decides:
//
//	they have different kinds, such as a scalar and a list                   false
//	the added element contains the removed one at some depth                 false
//	the other side added an element under the new identity, too              true
//	the other side has the removed element, and it is not a mapping field    true
//	otherwise                                                                false
//
// Fields are excluded because programs that read a field know it by its name.
func (k *keyPairing) shouldFollow(s three.Version, removed, added int) bool {
	o, x := k.elems[three.Original][k.steps[removed].Index[three.Original]], k.elems[s][k.steps[added].Index[s]]
	if o.node.Kind != x.node.Kind || k.hasher.Wraps(x.node, o.node) {
		return false
	}
	return k.steps[added].Index[s.Other()] >= 0 || k.steps[removed].Index[s.Other()] >= 0 && !o.isField
}

// joinRenamedByBoth pairs an element that both sides removed with an element that both added under one identity: both
// get one step in k.steps, with the index of the element in each version. Both sides then renamed the element, and
// leaves (scalars, aliases or empty collections) that one side deleted in it stay deleted. Two elements are paired if
// all of these are true:
//
//	in each side, at least one leaf is equal in the two
//	in each side, at least half of the leaves of the smaller of the two are equal
//	neither element could be paired with another one in this way
//
// It does nothing if there are no such elements, or if there are more than 10,000 pairs to compare.
func (k *keyPairing) joinRenamedByBoth() {
	var removed, added []int
	for n, st := range k.steps {
		deleted := st.Index[three.Dest] < 0 && st.Index[three.Updated] < 0
		switch {
		case st.Index[three.Original] >= 0 && deleted:
			removed = append(removed, n)
		case st.Index[three.Original] < 0 && st.Index[three.Dest] >= 0 && st.Index[three.Updated] >= 0:
			added = append(added, n)
		}
	}
	if len(removed) == 0 || len(removed)*len(added) > 10000 {
		return
	}
	sharesHalf := func(s three.Version, r, a int) bool {
		same, smaller, _ := k.compareLeaves(s, r, a)
		return same > 0 && 2*same >= smaller
	}
	for i, j := range uniquePairs(len(removed), len(added), func(i, j int) bool {
		return sharesHalf(three.Dest, removed[i], added[j]) && sharesHalf(three.Updated, removed[i], added[j])
	}) {
		k.joinSteps(three.Dest, removed[i], added[j])
	}
}

// compareLeaves compares the leaves (scalars, aliases and empty collections) of an element that s removed with those of
// one that s added. The elements are given as indexes into k.steps. same is the number of leaves that are equal in
// both; smaller and larger are the numbers of leaves of the smaller and of the larger element. Fields that are part of
// the identity, such as metadata.name of a resource, do not count. Neither do leaves that often are equal by chance
// (apiVersion, kind and nulls), if both elements have them. All results are 0 if the elements have different kinds,
// such as a mapping and a list.
func (k *keyPairing) compareLeaves(s three.Version, removed, added int) (same, smaller, larger int) {
	o, x := k.elems[three.Original][k.steps[removed].Index[three.Original]], k.elems[s][k.steps[added].Index[s]]
	if o.node.Kind != x.node.Kind {
		return 0, 0, 0
	}
	return k.hasher.leavesWithoutKey(o).compare(k.hasher.leavesWithoutKey(x))
}

// leavesWithoutKey returns the hashes of the leaves of e (scalars, aliases and empty collections), without the fields
// that are part of its identity, such as metadata.name of a resource.
func (h *hasher) leavesWithoutKey(e elem) leafHashes {
	if e.isKeyField == nil {
		return h.leavesOf(e.node)
	}
	return h.hashLeaves(e.node, e.isKeyField)
}

// Lines aligns the lines of the versions as git's diff does. It is used to pair elements with different identities that
// have most lines in common.
type Lines struct {
	Files [3]*text.File
	// Placeholder is a text that the sort key of each placeholder contains. A placeholder is an entry that replaces
	// entries that were left out of the versions for speed (elided). Placeholder is "" if nothing is elided.
	Placeholder string
	// MayDependOnElided is set if the steps might be different if no entries had been left out. The caller of the merge
	// then discards its result and merges the complete versions.
	MayDependOnElided bool

	trimmed *diff3.Versions // the lines of Files without leading and trailing blanks, which a formatter may change
	matches [3][]int        // for dest and updated: the line there of each line of the original, or -1
}

// matchLines returns, for each line of the original's file, the line of the file of s that git's diff aligns it with,
// or -1. Lines are counted from 0 and compared without the blanks at their start and end. It sets l.MayDependOnElided:
// if lines were left out of the files for speed, the result could be another one without that. The slice is kept for
// later calls and must not be changed.
func (l *Lines) matchLines(s three.Version) []int {
	l.MayDependOnElided = true
	if l.matches[s] != nil {
		return l.matches[s]
	}
	if l.trimmed == nil {
		var v [3][]byte
		for s, f := range l.Files {
			for line := range bytes.Lines(f.Bytes()) {
				v[s] = append(append(v[s], bytes.TrimSpace(line)...), '\n')
			}
		}
		l.trimmed = diff3.NewVersions(v[0], v[1], v[2])
	}
	runs, withUpdated := l.trimmed.Align(diff3.Merge)
	if s == three.Updated {
		runs = withUpdated
	}
	matches := slices.Repeat([]int{-1}, l.Files[three.Original].Line(len(l.Files[three.Original].Bytes())))
	for _, r := range runs {
		for i := range r.Len {
			matches[r.A+i] = r.B + i
		}
	}
	l.matches[s] = matches
	return matches
}

// lineRange returns the lines of the file of version s on which the bytes of the span are, counted from 0. The range is
// empty if the span is.
func (l *Lines) lineRange(s three.Version, span text.Span) diff3.Range {
	if span.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.Files[s].Line(span.Start) - 1, End: l.Files[s].Line(span.End - 1)}
}

// minSharedLines is the minimum number of lines that two elements need to have in common to be paired by lines.
const minSharedLines = 3

// entryLines has the range of lines of an element in its file, counted from 0.
type entryLines struct {
	diff3.Range
	// evidence has the lines that may show that two elements are one thing. A line is not evidence if it has
	// neither a letter nor a digit, or if it has a mapping key and no value except boilerplate and the element's
	// identity:
	//
	//	kind: ConfigMap
	//	metadata:
	//	  name: mail      # part of the identity of a resource
	evidence map[int]bool
}

// linesOf returns, for each of elems, which are elements of version s, its range of lines in the file and its lines of
// evidence: those that may show that two elements are one thing. All lines are numbered from 0. The first row that is
// true of a line decides:
//
//	a value that counts begins on it        evidence
//	a mapping key begins on it              no evidence
//	it has a letter or a digit              evidence, such as a further line of a text
//	otherwise                               no evidence
//
// A value is a scalar, an alias or an empty collection. It counts unless it is null, an apiVersion or a kind, or part
// of the element's identity, such as the name of a resource. The map evidence has only the lines of evidence, each with
// true. An element with an empty span has no lines.
func (l *Lines) linesOf(s three.Version, hasher *hasher, elems []elem) []entryLines {
	all := make([]entryLines, len(elems))
	for i, e := range elems {
		lines := entryLines{l.lineRange(s, e.span), map[int]bool{}}
		for n := lines.Start; n < lines.End; n++ {
			line := l.Files[s].Slice(text.Span{Start: l.Files[s].LineOffset(n + 1), End: l.Files[s].LineOffset(n + 2)})
			lines.evidence[n] = bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
		forEachKey(e.node, func(key *syntax.Node) { delete(lines.evidence, l.Files[s].Line(key.Span.Start)-1) })
		hasher.forEachLeaf(e.node, e.isKeyField, func(x leaf) {
			if !x.boilerplate { // further lines of a scalar have no key, and are in evidence already
				lines.evidence[l.lineRange(s, x.node.Span).Start] = true
			}
		})
		maps.DeleteFunc(lines.evidence, func(_ int, isEvidence bool) bool { return !isEvidence })
		all[i] = lines
	}
	return all
}

// forEachKey calls f for each mapping key in n, at all depths, in document order. The entries of a key that is a
// collection are not visited.
func forEachKey(n *syntax.Node, f func(key *syntax.Node)) {
	for _, e := range n.Entries {
		if e.Key != nil {
			f(e.Key)
		}
		forEachKey(e.Value, f)
	}
}

// sharedLines is the number of lines of evidence that an element of the original and one of a side have in
// common: the total, and in the longest run of consecutive lines.
type sharedLines struct{ total, longestRun int }

// pairByLines pairs elements of the original with elements of s that have most lines in common with them, as git's diff
// aligns the two files. It returns, for each of originals, the index in candidates (the elements of s), or -1. A
// candidate is paired with one element at most.
//
// An element is paired with the candidate with which it has the most lines of evidence in common. These are lines that
// may show that two elements are one thing, unlike "spec:" or "kind: Job". At least three such lines, and half of those
// of the smaller element, have to be in common. They also have to be consecutive, unless the contents are nearly equal
// (more than two thirds of at least three leaves). The first or last line of the shorter element has to be aligned with
// a line of the other. If several elements would be paired with one candidate, the one with the most lines in common
// is, or the first one of these.
//
// It sets l.MayDependOnElided: if entries were left out of the files for speed, the result could be another one without
// that.
func (l *Lines) pairByLines(s three.Version, hasher *hasher, originals, candidates []elem) []int {
	matches := l.matchLines(s)
	originalLines, sideLines := l.linesOf(three.Original, hasher, originals), l.linesOf(s, hasher, candidates)
	ownerOf := map[int]int{}
	for j, p := range sideLines {
		for n := p.Start; n < p.End; n++ {
			ownerOf[n] = j
		}
	}
	best, shared := make([]int, len(originals)), map[[2]int]sharedLines{}
	partnerOf := map[int]int{}
	for i, p := range originalLines {
		best[i] = -1
		run := 0
		for n := p.Start; n < p.End; n++ {
			j, ok := ownerOf[matches[n]]
			if !ok {
				continue
			}
			if n == p.Start || matches[n] != matches[n-1]+1 || ownerOf[matches[n-1]] != j {
				run = 0
			}
			if !p.evidence[n] {
				continue
			}
			run++
			k := shared[[2]int{i, j}]
			shared[[2]int{i, j}] = sharedLines{k.total + 1, max(k.longestRun, run)}
			if best[i] < 0 || k.total+1 > shared[[2]int{i, best[i]}].total {
				best[i] = j
			}
		}
		j := best[i]
		if j < 0 {
			continue
		}
		hasNearlyEqualLeaves := func() bool {
			same, n, _ := hasher.leavesWithoutKey(originals[i]).compare(hasher.leavesWithoutKey(candidates[j]))
			return isNearlyEqual(same, n)
		}
		if !shareEnoughLines(matches, p, sideLines[j], shared[[2]int{i, j}], hasNearlyEqualLeaves) {
			best[i] = -1
			continue
		}
		if k, ok := partnerOf[j]; ok && shared[[2]int{k, j}].total >= shared[[2]int{i, j}].total {
			best[i] = -1
			continue
		} else if ok {
			best[k] = -1
		}
		partnerOf[j] = i
	}
	return best
}

// KeepsMostLines reports whether s still has more than half of the original's lines in span, anywhere in its file, as
// git's diff aligns the two files. It returns false if span is empty. It sets l.MayDependOnElided: if entries were left
// out of the files for speed, the result could be another one without that.
func (l *Lines) KeepsMostLines(s three.Version, span text.Span) bool {
	matches, kept := l.matchLines(s), 0
	r := l.lineRange(three.Original, span)
	for n := r.Start; n < r.End; n++ {
		if matches[n] >= 0 {
			kept++
		}
	}
	return 2*kept > r.Len()
}

// shareEnoughLines reports whether an element of the original and one of a side have enough lines in common to be
// paired:
//
//   - At least minSharedLines lines of evidence (lines that may show that two elements are one thing, unlike "spec:")
//     are in common, and at least half of those of the smaller element.
//   - These lines are consecutive, or hasNearlyEqualLeaves returns true.
//   - The first or the last line of the shorter element is aligned with a line of the longer one.
//
// matches has, for each line of the original's file, the line of the side's file that git's diff aligns it with, or -1.
// shared has the number of lines of evidence that are aligned with each other. hasNearlyEqualLeaves is only called if
// it matters.
func shareEnoughLines(matches []int, original, side entryLines, shared sharedLines, hasNearlyEqualLeaves func() bool) bool {
	size := min(len(original.evidence), len(side.evidence))
	isEnough := func(n int) bool { return n >= minSharedLines && 2*n >= size }
	if !isEnough(shared.longestRun) && !(isEnough(shared.total) && hasNearlyEqualLeaves()) {
		return false
	}
	first, last := matches[original.Start], matches[original.End-1]
	if original.Len() <= side.Len() {
		return isInRange(first, side.Range) || isInRange(last, side.Range)
	}
	for i := original.Start; i < original.End; i++ {
		if matches[i] == side.Start || matches[i] == side.End-1 {
			return true
		}
	}
	return false
}

// isInRange reports whether r contains n.
func isInRange(n int, r diff3.Range) bool { return r.Start <= n && n < r.End }
