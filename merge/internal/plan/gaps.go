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

// A gap says whose blank lines stand above an entry or a document, T, in the place of its own. One of its fields is set.
type gap[T any] struct {
	// placed is, of one that the result has where the other side has it, that one.
	placed *T
	// behind is, of one that stands behind such ones, the first of these.
	behind *T
	// original says of one that stands behind such ones that the original has it behind the same, or as its first one too.
	original bool
}

// placements returns the three versions of each element that steps pair, and, of those elements that the result has where the
// other side has them, the one of that side. The latter is nil if there are none, and so is the former then.
func placements[T any](steps []pair.Step, of [3][]*T) (pairs map[*T][3]*T, placed map[*T]*T) {
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

// gapsOf returns the gaps of the elements of the collections of, as placements has them. An element that is placed elsewhere
// together with the one above it has none. In reversed collections these are the gaps below.
func gapsOf[T any](pairs map[*T][3]*T, placed map[*T]*T, of [3][]*T) map[*T]gap[T] {
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
	gaps := map[*T]gap[T]{}
	for _, s := range three.Sides {
		var last, first *T // above the element at hand: the last one that stays, and the first behind it that does not
		for _, e := range of[s] {
			if there := placed[e]; there != nil {
				if first = cmp.Or(first, e); above[e] == nil || !isPair(above[e], above[there]) {
					gaps[e] = gap[T]{placed: there}
				}
				continue
			}
			switch o := pairs[e][three.Original]; {
			case first == nil:
			case o != nil && isPair(last, above[o]):
				gaps[e] = gap[T]{original: true}
			default:
				gaps[e] = gap[T]{behind: first}
			}
			last, first = e, nil
		}
	}
	return gaps
}

// respaced reports whether a version of an element has blank lines that are not its own.
func respaced[T any](gaps map[*T]gap[T], at [3]*T) bool {
	return len(gaps) > 0 && slices.ContainsFunc(at[:], func(e *T) bool { return gaps[e] != gap[T]{} })
}

// spaced returns t, what stands above the versions of an element, with the blank lines that gaps says. Behind elements that
// are placed elsewhere these are those of the original, if that has the same element above, else the fewer of those above and
// below these elements. Lines gathers what stands above an element, and run is where its blank lines are.
func spaced[T any](t Slot, at [3]*T, gaps map[*T]gap[T], lines func([3]*T) Slot, run func([]Line) (from, to int)) Slot {
	if !respaced(gaps, at) {
		return t
	}
	own := t
	for _, s := range three.Sides {
		var like []Line
		switch g := gaps[at[s]]; {
		case g.placed != nil:
			like = own.Lines[s.Other()]
		case g.original:
			like = own.Lines[three.Original]
		case g.behind != nil:
			var first [3]*T
			first[s] = g.behind
			like = lines(first).Lines[s]
			from, to := run(like)
			if ownFrom, ownTo := run(own.Lines[s]); to-from >= ownTo-ownFrom {
				continue
			}
		default:
			continue
		}
		t.Lines[s] = own.spacedAs(s, like, run)
	}
	return t
}

// spacedAs returns the lines of s with the blank lines of like in the place of its own, both where run says. In the file of s
// the new ones are empty, and stand where its own ones end.
func (t Slot) spacedAs(s three.Version, like []Line, run func([]Line) (from, to int)) []Line {
	ls := t.Lines[s]
	from, to := run(ls)
	end := t.Spans[s].End
	if to < len(ls) {
		end = ls[to].at.Start
	}
	likeFrom, likeTo := run(like)
	blank := slices.Clone(like[likeFrom:likeTo])
	for i := range blank {
		blank[i].at = text.Span{Start: end, End: end}
	}
	return slices.Concat(ls[:from], blank, ls[to:])
}

// leading returns where the blank lines are that ls starts with.
func leading(ls []Line) (from, to int) {
	if n := slices.IndexFunc(ls, func(l Line) bool { return !l.blank() }); n >= 0 {
		return 0, n
	}
	return 0, len(ls)
}

// afterMarker returns where the blank lines are behind the last --- of ls, or at its start if there is none.
func afterMarker(ls []Line) (from, to int) {
	for i, l := range ls {
		if bytes.HasPrefix(l.Text, []byte("---")) {
			from = i + 1
		}
	}
	_, n := leading(ls[from:])
	return from, from + n
}

// trailing returns where the blank lines are that ls ends with.
func trailing(ls []Line) (from, to int) {
	for from = len(ls); from > 0 && ls[from-1].blank(); {
		from--
	}
	return from, len(ls)
}

// entryGaps returns the gaps of the entries of the collections v that steps pair; nil if there are none.
func entryGaps(steps []pair.Step, v three.Nodes) map[*syntax.Entry]gap[syntax.Entry] {
	var of [3][]*syntax.Entry
	for s, n := range v {
		if n != nil {
			of[s] = n.Entries
		}
	}
	pairs, placed := placements(steps, of)
	return gapsOf(pairs, placed, of)
}

// lead gathers what stands above the versions of an entry, with the blank lines that in.gaps says.
func (w *Walker) lead(at three.Entries, in scope) Slot {
	lines := func(at [3]*syntax.Entry) Slot { return w.Lead(at, in.of) }
	return spaced(w.Lead(at, in.of), at, in.gaps, lines, leading)
}

// docGaps are the gaps above and below documents.
type docGaps struct {
	above, below map[*syntax.Document]gap[syntax.Document]
}

func docGapsOf(steps []pair.Step, docs [3][]*syntax.Document) docGaps {
	pairs, placed := placements(steps, docs)
	above := gapsOf(pairs, placed, docs)
	for s := range docs {
		docs[s] = slices.Clone(docs[s])
		slices.Reverse(docs[s])
	}
	return docGaps{above, gapsOf(pairs, placed, docs)}
}

// respaced reports whether a version of a document has blank lines above or below it that are not its own.
func (g docGaps) respaced(at [3]*syntax.Document) bool {
	return respaced(g.above, at) || respaced(g.below, at)
}
