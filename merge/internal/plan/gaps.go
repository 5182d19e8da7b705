package plan

import (
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

// A gap says whose blank lines stand above an entry in the place of its own. One of its fields is set.
type gap struct {
	// placed is, of an entry that the result has where the other side has it, that one.
	placed *syntax.Entry
	// behind is, of an entry that stands behind such ones, the first of these.
	behind *syntax.Entry
	// original says of an entry that stands behind such ones that the original has it behind the same entry, or as its
	// first one too.
	original bool
}

// gapsOf returns the gaps of the entries of the collections v that steps pair; nil if there are none. An entry that is placed
// elsewhere together with the one above it has none.
func gapsOf(steps []pair.Step, v three.Nodes) map[*syntax.Entry]gap {
	isPlaced := func(st pair.Step) bool { return st.Cause == pair.NoCause && st.PlacedBy != three.Original }
	if !slices.ContainsFunc(steps, isPlaced) {
		return nil
	}
	pairs, placed := map[*syntax.Entry]three.Entries{}, map[*syntax.Entry]*syntax.Entry{}
	for _, st := range steps {
		at := st.Entries(v)
		for _, e := range at {
			if e != nil {
				pairs[e] = at
			}
		}
		if isPlaced(st) {
			placed[at[st.PlacedBy.Other()]] = at[st.PlacedBy]
		}
	}
	above := map[*syntax.Entry]*syntax.Entry{}
	for _, n := range v {
		if n != nil {
			for i := range n.Entries[min(1, len(n.Entries)):] {
				above[n.Entries[i+1]] = n.Entries[i]
			}
		}
	}
	isPair := func(a, b *syntax.Entry) bool { return (a == nil) == (b == nil) && pairs[a] == pairs[b] }
	gaps := map[*syntax.Entry]gap{}
	for _, s := range three.Sides {
		var last, first *syntax.Entry // above the entry at hand: the last one that stays, and the first behind it that does not
		for _, e := range v[s].Entries {
			if there := placed[e]; there != nil {
				if first = cmp.Or(first, e); above[e] == nil || !isPair(above[e], above[there]) {
					gaps[e] = gap{placed: there}
				}
				continue
			}
			switch o := pairs[e][three.Original]; {
			case first == nil:
			case o != nil && isPair(last, above[o]):
				gaps[e] = gap{original: true}
			default:
				gaps[e] = gap{behind: first}
			}
			last, first = e, nil
		}
	}
	return gaps
}

// respaced reports whether a version of an entry has blank lines above it that are not its own.
func (in scope) respaced(at three.Entries) bool {
	return len(in.gaps) > 0 && slices.ContainsFunc(at[:], func(e *syntax.Entry) bool { return in.gaps[e] != gap{} })
}

// lead gathers what stands above the versions of an entry, with the blank lines that in.gaps says. Behind entries that are
// placed elsewhere these are those of the original, if that has the same entry above, else the fewer of those above and
// below these entries.
func (w *Walker) lead(at three.Entries, in scope) Slot {
	t := w.Lead(at, in.of)
	if len(in.gaps) == 0 {
		return t
	}
	own := t
	for _, s := range three.Sides {
		g := in.gaps[at[s]]
		switch {
		case g.placed != nil:
			t.Lines[s] = own.spacedAs(s, own.Lines[s.Other()])
		case g.original:
			t.Lines[s] = own.spacedAs(s, own.Lines[three.Original])
		case g.behind != nil:
			var above three.Entries
			above[s] = g.behind
			if ls := w.Lead(above, in.of).Lines[s]; blankLines(ls) < blankLines(own.Lines[s]) {
				t.Lines[s] = own.spacedAs(s, ls)
			}
		}
	}
	return t
}

// spacedAs returns the lines of s with the blank lines that like starts with in the place of those that they start with. In
// the file of s the new ones are empty, and stand where its own ones end.
func (t Slot) spacedAs(s three.Side, like []Line) []Line {
	ls := t.Lines[s][blankLines(t.Lines[s]):]
	end := t.Spans[s].End
	if len(ls) > 0 {
		end = ls[0].at.Start
	}
	blank := slices.Clone(like[:blankLines(like)])
	for i := range blank {
		blank[i].at = text.Span{Start: end, End: end}
	}
	return append(blank, ls...)
}

// blankLines returns how many blank lines ls starts with.
func blankLines(ls []Line) int {
	if n := slices.IndexFunc(ls, func(l Line) bool { return !l.blank() }); n >= 0 {
		return n
	}
	return len(ls)
}
