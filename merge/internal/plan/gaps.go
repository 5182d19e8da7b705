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

// The blank lines above an entry are about what stands above it. Where a side has an entry at one place and the result
// has it at that of the other side, the blank lines that came with it have to stay behind:
//
//	base  ours  theirs  result     c of theirs is placed elsewhere: its blank line is that of ours, and a of
//	a: 1  a: 1  c: 1    a: 1       theirs, which stands behind it, has the blank line of base, which has none
//	b: 1  b: 1          b: 1
//	      c: 1  a: 1    c: 1
//	            b: 1
//
// So it is with documents, which have blank lines above and below.

// A blankLineSource says whose blank lines stand above an entry or a document, T, in the place of its own. One of its fields is set.
type blankLineSource[T any] struct {
	// counterpart is, of one that the result has where the other side has it, that one.
	counterpart *T
	// firstPlaced is, of one that stands behind such ones, the first of these.
	firstPlaced *T
	// fromOriginal says of one that stands behind such ones that the original has it behind the same, or as its first one too.
	fromOriginal bool
}

// findPlaced returns the three versions of each element that steps pair, and, of those elements that the result has where the
// other side has them, the one of that side. The latter is nil if there are none, and so is the former then.
func findPlaced[T any](steps []pair.Step, of [3][]*T) (pairs map[*T][3]*T, placed map[*T]*T) {
	isPlaced := func(st pair.Step) bool { return st.Conflict == pair.NoConflict && st.PlacedBy != three.Optional{} }
	if !slices.ContainsFunc(steps, isPlaced) {
		return nil, nil
	}
	pairs, placed = map[*T][3]*T{}, map[*T]*T{}
	for _, st := range steps {
		at := pair.Elements(st, of)
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

// findBlankLineSources returns the gaps of the elements of the collections of, as placements has them. An element that is placed elsewhere
// together with the one above it has none. In reversed collections these are the gaps below.
func findBlankLineSources[T any](pairs map[*T][3]*T, placed map[*T]*T, of [3][]*T) map[*T]blankLineSource[T] {
	if placed == nil {
		return nil
	}
	above := map[*T]*T{}
	for _, all := range of {
		for i := 1; i < len(all); i++ {
			above[all[i]] = all[i-1]
		}
	}
	isPair := func(a, b *T) bool { return (a == nil) == (b == nil) && pairs[a] == pairs[b] }
	gaps := map[*T]blankLineSource[T]{}
	for _, s := range three.Sides {
		var last, first *T // above the element at hand: the last one that stays, and the first behind it that does not
		for _, e := range of[s] {
			if there := placed[e]; there != nil {
				if first = cmp.Or(first, e); above[e] == nil || !isPair(above[e], above[there]) {
					gaps[e] = blankLineSource[T]{counterpart: there}
				}
				continue
			}
			switch o := pairs[e][three.Original]; {
			case first == nil:
			case o != nil && isPair(last, above[o]):
				gaps[e] = blankLineSource[T]{fromOriginal: true}
			default:
				gaps[e] = blankLineSource[T]{firstPlaced: first}
			}
			last, first = e, nil
		}
	}
	return gaps
}

// hasForeignBlankLines reports whether a version of an element has blank lines that are not its own.
func hasForeignBlankLines[T any](gaps map[*T]blankLineSource[T], at [3]*T) bool {
	return len(gaps) > 0 && slices.ContainsFunc(at[:], func(e *T) bool { return gaps[e] != blankLineSource[T]{} })
}

// withBlankLines returns t, what stands above the versions of an element, with the blank lines that gaps says. Behind elements that
// are placed elsewhere these are those of the original, if that has the same element above, else the fewer of those above and
// below these elements. Lines gathers what stands above an element, and run is where its blank lines are.
func withBlankLines[T any](t Slot, at [3]*T, gaps map[*T]blankLineSource[T], lines func([3]*T) Slot, findBlank func([]Line) (from, to int)) Slot {
	if !hasForeignBlankLines(gaps, at) {
		return t
	}
	own := t
	for _, s := range three.Sides {
		var model []Line
		switch g := gaps[at[s]]; {
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

// copyBlankLines returns the lines of s with the blank lines of like in the place of its own, both where run says. In the file of s
// the new ones are empty, and stand where its own ones end.
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

// leadingBlankLines returns where the blank lines are that ls starts with.
func leadingBlankLines(ls []Line) (from, to int) {
	if n := slices.IndexFunc(ls, func(l Line) bool { return !l.isBlank() }); n >= 0 {
		return 0, n
	}
	return 0, len(ls)
}

// blankLinesAfterMarker returns where the blank lines are behind the last --- of ls, or at its start if there is none.
func blankLinesAfterMarker(ls []Line) (from, to int) {
	for i, l := range ls {
		if bytes.HasPrefix(l.Text, []byte("---")) {
			from = i + 1
		}
	}
	_, n := leadingBlankLines(ls[from:])
	return from, from + n
}

// trailingBlankLines returns where the blank lines are that ls ends with.
func trailingBlankLines(ls []Line) (from, to int) {
	for from = len(ls); from > 0 && ls[from-1].isBlank(); {
		from--
	}
	return from, len(ls)
}

// entryBlankLineSources returns the gaps of the entries of the collections v that steps pair; nil if there are none.
func entryBlankLineSources(steps []pair.Step, v three.Nodes) map[*syntax.Entry]blankLineSource[syntax.Entry] {
	var of [3][]*syntax.Entry
	for s, n := range v {
		if n != nil {
			of[s] = n.Entries
		}
	}
	pairs, placed := findPlaced(steps, of)
	return findBlankLineSources(pairs, placed, of)
}

// leadWithBlankLines gathers what stands above the versions of an entry, with the blank lines that in.gaps says.
func (w *Walker) leadWithBlankLines(at three.Entries, sc scope) Slot {
	lines := func(at [3]*syntax.Entry) Slot { return w.LeadSlot(at, sc.collections) }
	return withBlankLines(w.LeadSlot(at, sc.collections), at, sc.blankLineSources, lines, leadingBlankLines)
}

// documentBlankLineSources are the gaps above and below documents.
type documentBlankLineSources struct {
	above, below map[*syntax.Document]blankLineSource[syntax.Document]
}

func findDocumentBlankLineSources(steps []pair.Step, docs [3][]*syntax.Document) documentBlankLineSources {
	pairs, placed := findPlaced(steps, docs)
	above := findBlankLineSources(pairs, placed, docs)
	for s := range docs {
		docs[s] = slices.Clone(docs[s])
		slices.Reverse(docs[s])
	}
	return documentBlankLineSources{above, findBlankLineSources(pairs, placed, docs)}
}

// hasForeignBlankLines reports whether a version of a document has blank lines above or below it that are not its own.
func (g documentBlankLineSources) hasForeignBlankLines(at [3]*syntax.Document) bool {
	return hasForeignBlankLines(g.above, at) || hasForeignBlankLines(g.below, at)
}
