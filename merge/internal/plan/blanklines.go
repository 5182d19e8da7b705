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
// own, because the result has it, or the element above it, at another position than its version. One of the fields is
// set.
type blankLineSource[T any] struct {
	// counterpart is set for a repositioned element: the result has it at the position that it has in the other side. It
	// is the element in that side, and its blank lines are used.
	counterpart *T
	// firstRepositioned is set for an element that follows repositioned elements. It is the first of them. The fewer of
	// its blank lines and of the element's own ones are used.
	firstRepositioned *T
	// fromOriginal is set for an element that follows repositioned elements, if it has the same predecessor in the
	// original when these are left out. The blank lines of the original are used.
	fromOriginal bool
}

// findRepositioned finds the elements that the result has at another position than the one they have in one side,
// because the other side determines the position. steps pair the elements of the collections: each step has the index
// of one element in each version, or is a conflict over several elements, which is ignored. versionsOf maps each
// element of a step without a conflict to its three versions. repositioned maps each element whose position is not used
// to the same element in the other side, whose position is used. Both maps are nil if there are no such elements.
//
//	dest   updated   result
//	a      x         a
//	b      a         b
//	x      b         x       repositioned has x of updated, with the x of dest
func findRepositioned[T any](steps []pair.Step, collections [3][]*T) (versionsOf map[*T][3]*T, repositioned map[*T]*T) {
	isPlaced := func(st pair.Step) bool { return st.Conflict == pair.NoConflict && st.PlacedBy != three.Optional{} }
	if !slices.ContainsFunc(steps, isPlaced) {
		return nil, nil
	}
	versionsOf, repositioned = map[*T][3]*T{}, map[*T]*T{}
	for _, st := range steps {
		at := pair.Elements(st, collections)
		for _, e := range at {
			if e != nil {
				versionsOf[e] = at
			}
		}
		if s, _ := st.PlacedBy.Get(); isPlaced(st) {
			repositioned[at[s.Other()]] = at[s]
		}
	}
	return versionsOf, repositioned
}

// findBlankLineSources returns from where the result copies the blank lines above an element (an entry of a collection,
// or a document) that does not keep its own. These are elements that one side repositioned, because the result has them
// at the place that they have in the other side, and the elements below them. The keys of the map are elements of dest
// and updated, never of the original. An element that is not a key keeps its own blank lines:
//
//	element of a side                              blank lines in the result
//	repositioned                                   those of the same element in the other side (counterpart)
//	below repositioned elements, and below the     those of the original (fromOriginal)
//	  same element as in the original if these
//	  are left out
//	below repositioned elements, otherwise         the fewer of its own and those of the first repositioned element
//	                                                 above it (firstRepositioned)
//	repositioned, and below the same element       its own
//	  in both sides
//
// collections are the elements of each version, in order. versionsOf maps each element to its three versions.
// repositioned maps each repositioned element of a side to the same element in the other side; if it is nil, so is the
// result. To find the blank lines below elements instead, the caller passes each collection in reverse order.
func findBlankLineSources[T any](versionsOf map[*T][3]*T, repositioned map[*T]*T, collections [3][]*T) map[*T]blankLineSource[T] {
	if repositioned == nil {
		return nil
	}
	above := map[*T]*T{}
	for _, all := range collections {
		for i := 1; i < len(all); i++ {
			above[all[i]] = all[i-1]
		}
	}
	isPair := func(a, b *T) bool { return (a == nil) == (b == nil) && versionsOf[a] == versionsOf[b] }
	sources := map[*T]blankLineSource[T]{}
	for _, s := range three.Sides {
		// The last element above that is not repositioned, and the first one after it that is.
		var last, firstRepositioned *T
		for _, e := range collections[s] {
			if counterpart := repositioned[e]; counterpart != nil {
				if firstRepositioned = cmp.Or(firstRepositioned, e); above[e] == nil || !isPair(above[e], above[counterpart]) {
					sources[e] = blankLineSource[T]{counterpart: counterpart}
				}
				continue
			}
			switch o := versionsOf[e][three.Original]; {
			case firstRepositioned == nil:
			case o != nil && isPair(last, above[o]):
				sources[e] = blankLineSource[T]{fromOriginal: true}
			default:
				sources[e] = blankLineSource[T]{firstRepositioned: firstRepositioned}
			}
			last, firstRepositioned = e, nil
		}
	}
	return sources
}

// hasForeignBlankLines reports whether a version of an element, an entry or a document, is written with blank lines that
// are not its own: whether sources has an entry for it.
func hasForeignBlankLines[T any](sources map[*T]blankLineSource[T], at [3]*T) bool {
	return len(sources) > 0 && slices.ContainsFunc(at[:], func(e *T) bool { return sources[e] != blankLineSource[T]{} })
}

// withBlankLines returns a copy of t, the comments and blank lines above one element with the versions at. In the copy,
// the blank lines of a side are replaced if sources has an entry for this side's version of the element:
//
//	counterpart         those of the other side in t
//	fromOriginal        those of the original in t
//	firstRepositioned   those above that element, if they are fewer; otherwise they are not replaced
//
// The lines of the original are never replaced. lines returns the comments and blank lines above any element. findBlank
// returns the range of the blank lines that are replaced and copied, such as those at the start. For lines below
// elements, the caller passes functions for these. t is unchanged.
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
		case g.firstRepositioned != nil:
			var first [3]*T
			first[s] = g.firstRepositioned
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

// copyBlankLines returns the lines of side s in t with the blank lines of model in place of its own. findBlank returns
// the range of the blank lines that are replaced in t and copied from model, for example those at the start. If this
// range of model is empty, those of t are left out. The copied lines have no place in the file of s, so their spans are
// empty. The result is a new slice; t and model are unchanged.
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

// leadingBlankLines returns the range of the blank lines at the start of ls: ls[from:to]. from is always 0. to is 0 if
// there are none, and len(ls) if all lines are blank.
func leadingBlankLines(ls []Line) (from, to int) {
	if n := slices.IndexFunc(ls, func(l Line) bool { return !l.isBlank() }); n >= 0 {
		return 0, n
	}
	return 0, len(ls)
}

// blankLinesAfterMarker returns the range of the blank lines directly after the last line of ls that starts with "---",
// or at the start of ls if there is no such line: ls[from:to]. from equals to if there are no blank lines.
func blankLinesAfterMarker(ls []Line) (from, to int) {
	for i, l := range ls {
		if bytes.HasPrefix(l.Text, []byte("---")) {
			from = i + 1
		}
	}
	_, n := leadingBlankLines(ls[from:])
	return from, from + n
}

// trailingBlankLines returns the range of the blank lines at the end of ls: ls[from:to]. to is always len(ls), and from
// is also len(ls) if there are none.
func trailingBlankLines(ls []Line) (from, to int) {
	for from = len(ls); from > 0 && ls[from-1].isBlank(); {
		from--
	}
	return from, len(ls)
}

// entryBlankLineSources returns the entries of the collections v that the result writes with other blank lines above
// them than their own, each with the source of these blank lines. This happens if the entry, or the one above it, is
// written at another position than in its version. The keys of the map are entries of dest and of updated. steps are
// the paired entries: each step has the index of one entry in each version, or is a conflict, which is ignored. The
// result is nil or empty if all entries keep their own blank lines.
func entryBlankLineSources(steps []pair.Step, v three.Nodes) map[*syntax.Entry]blankLineSource[syntax.Entry] {
	var entries [3][]*syntax.Entry
	for s, n := range v {
		if n != nil {
			entries[s] = n.Entries
		}
	}
	versionsOf, repositioned := findRepositioned(steps, entries)
	return findBlankLineSources(versionsOf, repositioned, entries)
}

// leadWithBlankLines returns the comments and blank lines above an entry, as lines for each version, not yet merged.
// The blank lines of a version are replaced if sc.blankLineSources has others for it, because the result has the entry
// at another position than that version. A version without the entry (nil) has no lines. sc.collections are the
// collections that contain the entry.
func (w *Walker) leadWithBlankLines(at three.Entries, sc scope) Slot {
	lines := func(at [3]*syntax.Entry) Slot { return w.LeadSlot(at, sc.collections) }
	return withBlankLines(w.LeadSlot(at, sc.collections), at, sc.blankLineSources, lines, leadingBlankLines)
}

// documentBlankLineSources are the sources of the blank lines above and below documents.
type documentBlankLineSources struct {
	above, below map[*syntax.Document]blankLineSource[syntax.Document]
}

// findDocumentBlankLineSources returns the documents that the result writes with other blank lines above or below them
// than their own, each with the source of these blank lines. This happens if the document, or the one next to it, is
// written at another position than in its version. The keys of both maps are documents of dest and of updated; a map is
// nil or empty if all documents keep their own blank lines there. steps pair the documents docs of the three versions:
// each step has the index of one document in each version, or is a conflict, which is ignored. The caller's docs are
// unchanged.
func findDocumentBlankLineSources(steps []pair.Step, docs [3][]*syntax.Document) documentBlankLineSources {
	versionsOf, repositioned := findRepositioned(steps, docs)
	above := findBlankLineSources(versionsOf, repositioned, docs)
	for s := range docs {
		docs[s] = slices.Clone(docs[s])
		slices.Reverse(docs[s])
	}
	return documentBlankLineSources{above, findBlankLineSources(versionsOf, repositioned, docs)}
}

// hasForeignBlankLines reports whether a version of a document is written with blank lines above or below it that are
// not its own.
func (g documentBlankLineSources) hasForeignBlankLines(at [3]*syntax.Document) bool {
	return hasForeignBlankLines(g.above, at) || hasForeignBlankLines(g.below, at)
}
