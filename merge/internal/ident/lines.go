package ident

import (
	"bytes"
	"maps"
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
	// MayDependOnElided is set if the steps might be different with the entries that were left out for speed (elided).
	// The caller of the merge then discards its result and merges the complete versions.
	MayDependOnElided bool

	trimmed *diff3.Versions // the lines of Files without leading and trailing blanks, which a formatter may change
	matches [3][]int        // for dest and updated: the line there of each line of the original, or -1
}

// matchLines returns, for each line of the original's file, the line of the file of s that git's diff aligns it with,
// or -1. Lines are counted from 0, and compared without the blanks at their start and end. It sets l.MayDependOnElided.
// The caller must not change the slice.
func (l *Lines) matchLines(s three.Version) []int {
	l.MayDependOnElided = true
	if l.matches[s] != nil {
		return l.matches[s]
	}
	if l.trimmed == nil {
		var v [3][]byte
		for s, f := range l.Files {
			v[s] = make([]byte, 0, len(f.Bytes())+1)
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
	l.matches[s] = diff3.Partners(runs, l.Files[three.Original].Line(len(l.Files[three.Original].Bytes())))
	return l.matches[s]
}

// lineRange returns the lines of the file of version s on which the bytes of the span are, counted from 0.
func (l *Lines) lineRange(s three.Version, span text.Span) diff3.Range {
	if span.Empty() {
		return diff3.Range{}
	}
	return diff3.Range{Start: l.Files[s].Line(span.Start) - 1, End: l.Files[s].Line(span.End - 1)}
}

// entryLines has the range of lines of an element in its file, counted from 0.
type entryLines struct {
	diff3.Range
	// evidence has the lines that may show that two elements are one thing: those on which a value begins, and lines
	// without a mapping key that have a letter or a digit, such as further lines of a text. Boilerplate and the
	// element's identity are not such values. These lines are not evidence:
	//
	//	kind: ConfigMap
	//	metadata:
	//	  name: mail      # part of the identity of a resource
	evidence map[int]bool
}

// linesOf returns, for each of elems, its range of lines in the file of version s, and which of these lines are
// evidence (see entryLines).
func (l *Lines) linesOf(s three.Version, hasher *Hasher, elems []Elem) []entryLines {
	all := make([]entryLines, len(elems))
	for i, e := range elems {
		lines := entryLines{l.lineRange(s, e.Span), map[int]bool{}}
		for n := lines.Start; n < lines.End; n++ {
			lines.evidence[n] = hasLetterOrDigit(l.lineAt(s, n))
		}
		forEachKey(e.Node, func(key *syntax.Node) { delete(lines.evidence, l.Files[s].Line(key.Span.Start)-1) })
		hasher.forEachLeaf(e.Node, e.IsKeyField, func(x leaf) {
			if !x.boilerplate { // further lines of a scalar have no key, and are in evidence already
				lines.evidence[l.lineRange(s, x.node.Span).Start] = true
			}
		})
		maps.DeleteFunc(lines.evidence, func(_ int, isEvidence bool) bool { return !isEvidence })
		all[i] = lines
	}
	return all
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

// pairByLines returns, for each of originals, elements of the original, the index of the candidate that probably
// replaced it in s, or -1. This is the candidate with the most lines of evidence in common (see entryLines), if they
// are enough (shareEnoughLines), as git's diff aligns the files. If several elements want one candidate, the one with
// the most common lines gets it, or the first of these. It sets l.MayDependOnElided.
func (l *Lines) pairByLines(s three.Version, hasher *Hasher, originals, candidates []Elem) []int {
	matches := l.matchLines(s)
	originalLines, sideLines := l.linesOf(three.Original, hasher, originals), l.linesOf(s, hasher, candidates)
	ownerOf := map[int]int{} // the candidate on each line of s
	for j, lines := range sideLines {
		for n := lines.Start; n < lines.End; n++ {
			ownerOf[n] = j
		}
	}
	best, shared := make([]int, len(originals)), map[[2]int]int{}
	partnerOf := map[int]int{} // the element of the original that has each candidate
	for i, lines := range originalLines {
		best[i] = -1
		for n := lines.Start; n < lines.End; n++ {
			j, ok := ownerOf[matches[n]]
			if !ok || !lines.evidence[n] {
				continue
			}
			shared[[2]int{i, j}]++
			if best[i] < 0 || shared[[2]int{i, j}] > shared[[2]int{i, best[i]}] {
				best[i] = j
			}
		}
		j := best[i]
		if j < 0 {
			continue
		}
		count := shared[[2]int{i, j}]
		k, isTaken := partnerOf[j]
		if !shareEnoughLines(matches, lines, sideLines[j], count) || isTaken && shared[[2]int{k, j}] >= count {
			best[i] = -1
			continue
		}
		if isTaken {
			best[k] = -1
		}
		partnerOf[j] = i
	}
	return best
}

// KeepsCommentAbove reports whether s still has, anywhere in its file, one of the comments directly above a line of the
// original, as git's diff aligns the two files. offset is a byte of that line. The comments must start in its column
// and contain no template action; blank lines between them are skipped. It may set l.MayDependOnElided.
func (l *Lines) KeepsCommentAbove(s three.Version, offset int) bool {
	columnOf := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
	below := l.Files[three.Original].Line(offset) - 1
	column := columnOf(l.lineAt(three.Original, below))
	for n := below - 1; n >= 0; n-- {
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

// CountAligned returns how many lines of an element of the original are aligned by git's diff with lines of an element
// of s. Only lines of evidence count (see entryLines). It sets l.MayDependOnElided.
func (l *Lines) CountAligned(s three.Version, hasher *Hasher, original, side Elem) (count int) {
	matches, to := l.matchLines(s), l.lineRange(s, side.Span)
	for n := range l.linesOf(three.Original, hasher, []Elem{original})[0].evidence {
		if isInRange(matches[n], to) {
			count++
		}
	}
	return count
}

// areAligned reports whether git's diff aligns the lines of a span of the original with those of a span of s, line by
// line and equally many. It sets l.MayDependOnElided, unless the span of the original is empty.
func (l *Lines) areAligned(s three.Version, original, side text.Span) bool {
	from, to := l.lineRange(three.Original, original), l.lineRange(s, side)
	for i := range from.Len() {
		if l.matchLines(s)[from.Start+i] != to.Start+i {
			return false
		}
	}
	return from.Len() == to.Len()
}

// lineAt returns a line of the file of version v. Lines are counted from 0.
func (l *Lines) lineAt(v three.Version, n int) []byte {
	return l.Files[v].Slice(text.Span{Start: l.Files[v].LineOffset(n + 1), End: l.Files[v].LineOffset(n + 2)})
}

// hasLetterOrDigit reports whether a line has a letter or a digit.
func hasLetterOrDigit(line []byte) bool {
	return bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// shareEnoughLines reports whether an element of the original and one of a side can be paired by lines. shared is the
// number of their common lines of evidence: at least MinEvidence, and half of the evidence of the element that has
// less. The first or last line of the shorter element must also be aligned with a line of the other. matches has the
// side's line for each line of the original, or -1.
func shareEnoughLines(matches []int, original, side entryLines, shared int) bool {
	if shared < MinEvidence || !hasHalf(shared, min(len(original.evidence), len(side.evidence))) {
		return false
	}
	// the first or the last line of the shorter element is aligned with a line of the other one
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
