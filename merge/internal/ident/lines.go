package ident

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Lines aligns the lines of the versions as git's diff does. It is used to pair elements with different identities that
// have most lines in common.
type Lines struct {
	Files [3]*text.File
	// MayDependOnElided is set if the matches might be different with the entries that were left out for speed (elided),
	// for example because git's diff was used. The caller of the merge then discards its result and merges the complete
	// versions.
	MayDependOnElided bool

	matches [3][]int // for dest and updated: the line there of each line of the original, or -1
}

// matchLines returns, for each line of the original's file, the line of s with which git's diff aligns it, or -1, both
// from 0. Indentation and blanks at the ends of lines, which a formatter may change, are ignored. It sets
// l.MayDependOnElided. The caller must not change the slice.
func (l *Lines) matchLines(s three.Version) []int {
	l.MayDependOnElided = true
	if l.matches[s] != nil {
		return l.matches[s]
	}
	var trimmed [3][]byte
	for v, f := range l.Files {
		trimmed[v] = make([]byte, 0, len(f.Bytes())+1)
		for line := range bytes.Lines(f.Bytes()) {
			trimmed[v] = append(append(trimmed[v], bytes.TrimSpace(line)...), '\n')
		}
	}
	toDest, toUpdated := diff3.NewVersions(trimmed[0], trimmed[1], trimmed[2]).Align(diff3.Merge)
	lineCount := l.lineOf(three.Original, len(l.Files[three.Original].Bytes())) + 1
	l.matches[three.Dest] = diff3.Partners(toDest, lineCount)
	l.matches[three.Updated] = diff3.Partners(toUpdated, lineCount)
	return l.matches[s]
}

// lineOf returns the line of the file of version s that contains the byte at offset off. Lines are counted from 0.
func (l *Lines) lineOf(s three.Version, off int) int { return l.Files[s].Line(off) - 1 }

// lineRange returns the lines of the file of version s on which the bytes of the span are, counted from 0. It is empty
// for an empty span.
func (l *Lines) lineRange(s three.Version, span text.Span) diff3.Range {
	if span.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.lineOf(s, span.Start), End: l.lineOf(s, span.End-1) + 1}
}

// elemLines has the range of lines of an element in its file, counted from 0, and which of them are significant.
type elemLines struct {
	diff3.Range
	significant map[int]bool // see significantLines
}

// linesOf returns, for each of elems, elements of version s, the range of its lines in the file, and which of these
// lines are significant. Significant lines may show that two elements are one thing: lines with a value or with text
// are, lines with only a key are not (significantLines). hasher finds the values of an element.
func (l *Lines) linesOf(s three.Version, hasher *Hasher, elems []Elem) []elemLines {
	all := make([]elemLines, len(elems))
	for i, e := range elems {
		all[i] = elemLines{l.lineRange(s, e.Span), l.significantLines(s, hasher, e)}
	}
	return all
}

// significantLines returns the lines of e, an element of version s, that may show that two elements are one thing:
//   - lines on which a value begins, without boilerplate, such as an API version, and without the identity of e
//   - lines without a mapping key that have a letter or a digit: comments, and further lines of a text
//
// None of these lines is significant:
//
//	kind: ConfigMap
//	metadata:
//	  name: mail      # part of the identity of a resource
func (l *Lines) significantLines(s three.Version, hasher *Hasher, e Elem) map[int]bool {
	isSignificant, hasKey := map[int]bool{}, map[int]bool{}
	hasher.forEachLeaf(e.Node, e.IsKeyField, func(x leaf) {
		if !x.boilerplate {
			isSignificant[l.lineOf(s, x.node.Span.Start)] = true
		}
	})
	forEachKey(e.Node, func(key *syntax.Node) { hasKey[l.lineOf(s, key.Span.Start)] = true })
	lines := l.lineRange(s, e.Span)
	for n := lines.Start; n < lines.End; n++ {
		if !hasKey[n] && hasLetterOrDigit(l.lineAt(s, n)) {
			isSignificant[n] = true
		}
	}
	return isSignificant
}

// forEachKey calls f for each mapping key in n, at all depths, in document order.
func forEachKey(n *syntax.Node, f func(key *syntax.Node)) {
	for _, e := range n.Entries {
		if e.Key != nil {
			f(e.Key)
		}
		forEachKey(e.Value, f)
	}
}

// pairByLines returns, for each of originals, the index of the candidate that probably replaced it in s, or -1:
//
//   - it has the most significant lines (significantLines) that git's diff aligns with lines of the original
//   - these lines are enough (shareEnoughLines)
//   - of several originals with this candidate, the first one with the most such lines gets it
//
// It sets l.MayDependOnElided.
func (l *Lines) pairByLines(s three.Version, hasher *Hasher, originals, candidates []Elem) []int {
	matches := l.matchLines(s)
	originalLines, sideLines := l.linesOf(three.Original, hasher, originals), l.linesOf(s, hasher, candidates)
	candidateOn := map[int]int{} // by line of s
	for j, lines := range sideLines {
		for n := lines.Start; n < lines.End; n++ {
			candidateOn[n] = j
		}
	}
	type pairing struct{ original, count int }
	best := map[int]pairing{} // by candidate, the original with the most lines in common with it, and their number
	for i, lines := range originalLines {
		j, count := lines.findBestCandidate(matches, candidateOn)
		if j >= 0 && count > best[j].count && shareEnoughLines(matches, lines, sideLines[j], count) {
			best[j] = pairing{i, count}
		}
	}
	partners := slices.Repeat([]int{-1}, len(originals))
	for j, p := range best {
		partners[p.original] = j
	}
	return partners
}

// findBestCandidate returns the candidate with which l, an element of the original, has the most significant lines in
// common, and their number, or -1 and 0 if there is none. If several have as many, it is the one that reaches this
// number first, from the top. matches has the side's line for each line of the original, and candidateOn the candidate
// on each line of the side.
func (l elemLines) findBestCandidate(matches []int, candidateOn map[int]int) (best, count int) {
	best = -1
	counts := map[int]int{} // by candidate
	for n := l.Start; n < l.End; n++ {
		j, ok := candidateOn[matches[n]]
		if !ok || !l.significant[n] {
			continue
		}
		counts[j]++
		if counts[j] > count {
			best, count = j, counts[j]
		}
	}
	return best, count
}

// KeepsCommentAbove reports whether side s kept the comment above a line of the original: git's diff finds one of its
// lines in s. offset is that of a byte in the line below the comment. The comment may contain blank lines. It ends at
// other text, at a comment in another column, and at one with a template action. It may set l.MayDependOnElided.
func (l *Lines) KeepsCommentAbove(s three.Version, offset int) bool {
	columnOf := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
	start := l.lineOf(three.Original, offset)
	column := columnOf(l.lineAt(three.Original, start))
	for n := start - 1; n >= 0; n-- {
		line := l.lineAt(three.Original, n)
		comment := bytes.TrimSpace(line)
		if len(comment) == 0 {
			continue
		}
		hasAction := bytes.Contains(comment, []byte("{{")) || bytes.Contains(comment, []byte("{%"))
		if comment[0] != '#' || hasAction || columnOf(line) != column {
			return false
		}
		if l.matchLines(s)[n] >= 0 {
			return true
		}
	}
	return false
}

// CountAligned returns how many significant lines of an element of the original git's diff aligns with lines of an
// element of s. Lines with a value are significant, those with only a key are not (see significantLines). It sets
// l.MayDependOnElided.
func (l *Lines) CountAligned(s three.Version, hasher *Hasher, original, side Elem) (count int) {
	matches, inSide := l.matchLines(s), l.lineRange(s, side.Span)
	for n := range l.linesOf(three.Original, hasher, []Elem{original})[0].significant {
		if isInRange(matches[n], inSide) {
			count++
		}
	}
	return count
}

// areAligned reports whether a span of the original and a span of s have equally many lines, and git's diff aligns them
// one by one. Two empty spans are aligned. It may set l.MayDependOnElided.
func (l *Lines) areAligned(s three.Version, original, side text.Span) bool {
	inOriginal, inSide := l.lineRange(three.Original, original), l.lineRange(s, side)
	for i := range inOriginal.Len() {
		if l.matchLines(s)[inOriginal.Start+i] != inSide.Start+i { // matchLines sets l.MayDependOnElided
			return false
		}
	}
	return inOriginal.Len() == inSide.Len()
}

// lineAt returns a line of the file of version v. Lines are counted from 0.
func (l *Lines) lineAt(v three.Version, n int) []byte {
	return l.Files[v].Slice(text.Span{Start: l.Files[v].LineOffset(n + 1), End: l.Files[v].LineOffset(n + 2)})
}

// hasLetterOrDigit reports whether a line has a letter or a digit.
func hasLetterOrDigit(line []byte) bool {
	return bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// shareEnoughLines reports whether an element of the original and one of a side can be paired because of shared, the
// number of their common significant lines. This must be at least MinEvidence, and half of those of the element that
// has fewer. The first or the last line of the shorter element must be aligned with a line of the other one. matches
// has the side's line for each line of the original.
func shareEnoughLines(matches []int, original, side elemLines, shared int) bool {
	if shared < MinEvidence || !hasHalf(shared, min(len(original.significant), len(side.significant))) {
		return false
	}
	if original.Len() <= side.Len() {
		first, last := matches[original.Start], matches[original.End-1]
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
