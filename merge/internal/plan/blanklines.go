package plan

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Blank lines above an entry separate it from the entry above. If the result has an entry of one side at its place in
// the other side, the blank lines of that first place are not copied:
//
//	base  ours  theirs  result
//	a: 1  a: 1  c: 1    a: 1
//	b: 1  b: 1          b: 1
//	      c: 1  a: 1    c: 1
//	            b: 1
//
// Here c is written at its place in ours, with the blank lines of ours (there are none). In theirs, a follows c. It is
// written with the blank lines of base (again none). The same applies to documents, which have blank lines above and
// below.

// A blankLineSource determines which blank lines are written above an entry or a document of type T, instead of its
// own. One of the fields is set.
type blankLineSource[T any] struct {
	// counterpart is set for an element that the result has at its place in the other side. It is the element in
	// that side, and its blank lines are used.
	counterpart *T
	// firstPlaced is set for an element that follows elements with a counterpart. It is the first of them. The fewer
	// of its blank lines and of the element's own ones are used.
	firstPlaced *T
	// fromOriginal is set for an element that follows elements with a counterpart, if the element has the same
	// predecessor in the original when these are left out. The blank lines of the original are used.
	fromOriginal bool
}

// findPlaced returns two maps. pairs maps each element in steps to its three versions. placed maps each element that
// the result has at its place in the other side to the element in that side. Both are nil if there are no such
// elements.
func findPlaced[T any](steps []pair.Step, collections [3][]*T) (pairs map[*T][3]*T, placed map[*T]*T) {
	isPlaced := func(st pair.Step) bool { return st.Conflict == pair.NoConflict && st.PlacedBy != three.Optional{} }
	if !slices.ContainsFunc(steps, isPlaced) {
		return nil, nil
	}
	pairs, placed = map[*T][3]*T{}, map[*T]*T{}
	for _, st := range steps {
		at := pair.Elements(st, collections)
		for _, e := range at {
			if e != nil {
				pairs[e] = at
			}
		}
		if s, _ := st.PlacedBy.Get(); isPlaced(st) {
			placed[at[s.Other()]] = at[s]
		}
	}
	return pairs, placed
}

// findBlankLineSources returns the sources of blank lines for the elements of the collections, given the maps of
// findPlaced. An element with a counterpart is left out if the element above it is the same in both places. If the
// collections are reversed, the sources are for the blank lines below the elements.
func findBlankLineSources[T any](pairs map[*T][3]*T, placed map[*T]*T, collections [3][]*T) map[*T]blankLineSource[T] {
	if placed == nil {
		return nil
	}
	above := map[*T]*T{}
	for _, all := range collections {
		for i := 1; i < len(all); i++ {
			above[all[i]] = all[i-1]
		}
	}
	isPair := func(a, b *T) bool { return (a == nil) == (b == nil) && pairs[a] == pairs[b] }
	sources := map[*T]blankLineSource[T]{}
	for _, s := range three.Sides {
		// The last element above without a counterpart, and the first one after it with a counterpart.
		var last, firstPlaced *T
		for _, e := range collections[s] {
			if counterpart := placed[e]; counterpart != nil {
				if firstPlaced = cmp.Or(firstPlaced, e); above[e] == nil || !isPair(above[e], above[counterpart]) {
					sources[e] = blankLineSource[T]{counterpart: counterpart}
				}
				continue
			}
			switch o := pairs[e][three.Original]; {
			case firstPlaced == nil:
			case o != nil && isPair(last, above[o]):
				sources[e] = blankLineSource[T]{fromOriginal: true}
			default:
				sources[e] = blankLineSource[T]{firstPlaced: firstPlaced}
			}
			last, firstPlaced = e, nil
		}
	}
	return sources
}

// hasForeignBlankLines reports whether a version of an element is written with blank lines that are not its own.
func hasForeignBlankLines[T any](sources map[*T]blankLineSource[T], at [3]*T) bool {
	return len(sources) > 0 && slices.ContainsFunc(at[:], func(e *T) bool { return sources[e] != blankLineSource[T]{} })
}

// withBlankLines returns t, the trivia above an element, with the blank lines that sources determines for each side.
// lines returns the trivia above an element, and findBlank the range of its blank lines. t is unchanged.
func withBlankLines[T any](t Slot, at [3]*T, sources map[*T]blankLineSource[T], lines func([3]*T) Slot, findBlank func([]Line) (from, to int)) Slot {
	if !hasForeignBlankLines(sources, at) {
		return t
	}
	own := t
	for _, s := range three.Sides {
		var model []Line
		switch g := sources[at[s]]; {
		case g.counterpart != nil:
			model = own.Lines[s.Other()]
		case g.fromOriginal:
			model = own.Lines[three.Original]
		case g.firstPlaced != nil:
			var first [3]*T
			first[s] = g.firstPlaced
			model = lines(first).Lines[s]
			from, to := findBlank(model)
			if ownFrom, ownTo := findBlank(own.Lines[s]); to-from >= ownTo-ownFrom {
				continue
			}
		default:
			continue
		}
		t.Lines[s] = own.copyBlankLines(s, model, findBlank)
	}
	return t
}

// copyBlankLines returns the lines of side s with the blank lines of model instead of its own. findBlank returns the
// range of the blank lines. The copied lines get an empty span at the end of the lines that they replace.
func (t Slot) copyBlankLines(s three.Version, model []Line, findBlank func([]Line) (from, to int)) []Line {
	ls := t.Lines[s]
	from, to := findBlank(ls)
	end := t.Spans[s].End
	if to < len(ls) {
		end = ls[to].span.Start
	}
	likeFrom, likeTo := findBlank(model)
	blank := slices.Clone(model[likeFrom:likeTo])
	for i := range blank {
		blank[i].span = text.Span{Start: end, End: end}
	}
	return slices.Concat(ls[:from], blank, ls[to:])
}

// leadingBlankLines returns the range of the blank lines at the start of ls.
func leadingBlankLines(ls []Line) (from, to int) {
	if n := slices.IndexFunc(ls, func(l Line) bool { return !l.isBlank() }); n >= 0 {
		return 0, n
	}
	return 0, len(ls)
}

// blankLinesAfterMarker returns the range of the blank lines after the last "---" of ls, or at the start of ls if
// there is none.
func blankLinesAfterMarker(ls []Line) (from, to int) {
	for i, l := range ls {
		if bytes.HasPrefix(l.Text, []byte("---")) {
			from = i + 1
		}
	}
	_, n := leadingBlankLines(ls[from:])
	return from, from + n
}

// trailingBlankLines returns the range of the blank lines at the end of ls.
func trailingBlankLines(ls []Line) (from, to int) {
	for from = len(ls); from > 0 && ls[from-1].isBlank(); {
		from--
	}
	return from, len(ls)
}

// entryBlankLineSources returns the sources of blank lines for the entries of the collections v. It returns nil if
// all entries keep their own blank lines.
func entryBlankLineSources(steps []pair.Step, v three.Nodes) map[*syntax.Entry]blankLineSource[syntax.Entry] {
	var entries [3][]*syntax.Entry
	for s, n := range v {
		if n != nil {
			entries[s] = n.Entries
		}
	}
	pairs, placed := findPlaced(steps, entries)
	return findBlankLineSources(pairs, placed, entries)
}

// leadWithBlankLines returns the trivia above an entry, with the blank lines that sc.blankLineSources determines.
func (w *Walker) leadWithBlankLines(at three.Entries, sc scope) Slot {
	lines := func(at [3]*syntax.Entry) Slot { return w.LeadSlot(at, sc.collections) }
	return withBlankLines(w.LeadSlot(at, sc.collections), at, sc.blankLineSources, lines, leadingBlankLines)
}

// documentBlankLineSources are the sources of the blank lines above and below documents.
type documentBlankLineSources struct {
	above, below map[*syntax.Document]blankLineSource[syntax.Document]
}

// findDocumentBlankLineSources returns the sources of blank lines for the documents that steps pair.
func findDocumentBlankLineSources(steps []pair.Step, docs [3][]*syntax.Document) documentBlankLineSources {
	pairs, placed := findPlaced(steps, docs)
	above := findBlankLineSources(pairs, placed, docs)
	for s := range docs {
		docs[s] = slices.Clone(docs[s])
		slices.Reverse(docs[s])
	}
	return documentBlankLineSources{above, findBlankLineSources(pairs, placed, docs)}
}

// hasForeignBlankLines reports whether a version of a document is written with blank lines above or below it that are
// not its own.
func (g documentBlankLineSources) hasForeignBlankLines(at [3]*syntax.Document) bool {
	return hasForeignBlankLines(g.above, at) || hasForeignBlankLines(g.below, at)
}
