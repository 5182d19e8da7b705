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

// joinRenamed joins the step of an element that a side removed with the step of the same element under a new
// identity, which findRenames finds. If the other side added an element under the new identity, it is joined
// too, unless the other side renamed another element to it:
//
//	original   dest    updated
//	a: 1       a: 1    c: 1
//	b: 2       c: 2
//
// Dest renamed b to c, and updated renamed a to c. Nothing is joined.
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

// pairsDifferently reports whether renames pairs one of from and to with another element.
func pairsDifferently(renames map[int]int, removed, added int) bool {
	for from, to := range renames {
		if (from == removed) != (to == added) {
			return true
		}
	}
	return false
}

// findRenames returns the elements that s renamed: the step under the new identity by the step that s removed.
// Two elements are paired if they are surely one thing, and neither could be paired with another element. They
// are one thing if the larger one has at least three leaves and three quarters of them are equal. Smaller
// elements have to be equal and in the same gap. findRenames returns nil if s removed or added nothing, or if
// there are more than 10,000 pairs to compare.
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

// findRemovedAndAdded returns the steps of the original's elements that s lacks, and those of the elements of s
// that the original lacks. The other side may have added an element too.
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

// numberGaps returns the gap of each step that the original has and s lacks, or the reverse. Gaps are counted by
// the elements before them that both versions have.
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

// joinSteps moves the element of s from the step added to the step removed. If the other side added the element
// too, its element is moved as well. joinSteps does nothing if the other side has both elements, because they
// are then two things.
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

// joinByLines joins the elements that s removed with the elements that s added in their place, as found by
// findReplacements. If the other side replaced the same element by one with another identity, it is joined too.
// Without that, shouldFollow has to be true. An element with an unpaired twin is not joined: see
// hasUnpairedTwin.
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

// findReplacements returns the elements that s added in place of elements that it removed, as their lines show
// (see pairByLines): the added step by the removed one.
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

// hasUnpairedTwin reports whether s added another element that has the same leaves as the added one, except for
// the key, and that does not replace a removed element by replacements. It is then unknown which of the two
// replaced the removed element.
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

// shouldFollow reports whether the other side's edits of an element are to follow it to the identity that s gave
// it. They do if the other side gave it the same identity. They also do if the other side still has the element
// and it is not a field of a mapping: whatever reads a field knows it by its name. shouldFollow returns false if
// the two elements have different kinds, or if the added one wraps the removed one (see Wraps).
func (k *keyPairing) shouldFollow(s three.Version, removed, added int) bool {
	o, x := k.elems[three.Original][k.steps[removed].Index[three.Original]], k.elems[s][k.steps[added].Index[s]]
	if o.node.Kind != x.node.Kind || k.hasher.Wraps(x.node, o.node) {
		return false
	}
	return k.steps[added].Index[s.Other()] >= 0 || k.steps[removed].Index[s.Other()] >= 0 && !o.isField
}

// joinRenamedByBoth joins an element that both sides removed with an element that both added under one identity.
// In each side, at least half of the leaves of the smaller of the two have to be equal, and neither element may
// have another such partner. Both sides then renamed the element, and leaves that one side deleted in it stay
// deleted. It does nothing if there are more than 10,000 pairs to compare.
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

// compareLeaves compares the leaves of an element that s removed with those of one that s added, without the
// fields of their keys. The results are those of leafHashes.compare, or 0 if the two have different kinds.
func (k *keyPairing) compareLeaves(s three.Version, removed, added int) (same, smaller, larger int) {
	o, x := k.elems[three.Original][k.steps[removed].Index[three.Original]], k.elems[s][k.steps[added].Index[s]]
	if o.node.Kind != x.node.Kind {
		return 0, 0, 0
	}
	return k.hasher.leavesWithoutKey(o).compare(k.hasher.leavesWithoutKey(x))
}

// leavesWithoutKey returns the hashes of the leaves of e, without the fields that are part of its identity.
func (h *hasher) leavesWithoutKey(e elem) leafHashes {
	if e.isKeyField == nil {
		return h.leavesOf(e.node)
	}
	return h.hashLeaves(e.node, e.isKeyField)
}

// Lines aligns the lines of the versions as git's diff does. It is used to pair elements that no name pairs.
type Lines struct {
	Files [3]*text.File
	// Placeholder is a text that the sort keys of placeholders of elided entries contain (see package elide). It is ""
	// if nothing is elided.
	Placeholder string
	// MayDependOnElided is set if the steps might be different without elision.
	MayDependOnElided bool

	trimmed *diff3.Versions // the lines of Files without leading and trailing blanks, which a formatter may change
	matches [3][]int        // for dest and updated: the line there of each line of the original, or -1
}

// matchLines returns the line of s that each line of the original is aligned with, or -1. It sets
// l.MayDependOnElided.
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

// lineRange returns the lines of the span in version s, from 0. It is empty if the span is.
func (l *Lines) lineRange(s three.Version, span text.Span) diff3.Range {
	if span.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.Files[s].Line(span.Start) - 1, End: l.Files[s].Line(span.End - 1)}
}

// minSharedLines is the minimum number of lines that two elements need to have in common to be paired by lines.
const minSharedLines = 3

// entryLines has the lines of an element.
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

// linesOf returns the lines of elements of version s.
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

// forEachKey calls f for each mapping key in n.
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

// pairByLines pairs elements of the original, from, with elements of s, to. It returns the index in to for each
// of from, or -1. It pairs an element with the one that has the most lines of evidence in common with it, if
// these are enough: see shareEnoughLines. If several elements would be paired with one, the one with the most
// lines in common is, and of equals the first. It sets l.MayDependOnElided.
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

// KeepsMostLines reports whether s has more than half of the original's lines in span, as git's diff aligns
// them. It sets l.MayDependOnElided.
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

// shareEnoughLines reports whether two elements have enough lines in common to be paired. Their common lines of
// evidence have to be at least minSharedLines and half of those of the smaller element. They also have to be
// consecutive, unless hasNearlyEqualLeaves returns true. Finally, the first or last line of the shorter element
// has to be aligned with a line of the longer one. a is the element of the original; matches are the lines of
// the side.
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
