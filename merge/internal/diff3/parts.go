package diff3

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
)

// A Part is a piece of a line merge: text that is certain, or a conflict.
type Part struct {
	Text     []byte
	Conflict *Conflict // nil for text
}

// A Conflict is one question of a line merge, with all that its answer
// replaces. Where a style cuts what both sides changed into several conflicts,
// or joins what stands apart, they are one question: only so has it a base.
type Conflict struct {
	Original, Dest, Updated Range // of bytes, whole lines
	Marked                  [3]Marked
}

// Marked is how a style writes a question: with one conflict or more, as
// MergeLines does.
type Marked struct {
	Text  []byte
	Opens []int // where in Text the opening markers are
}

// Parts returns the line merge that Merge gives in parts. Joined, with
// their conflicts as the style of the options marks them, they are its bytes;
// with one side at every conflict, those with that Favor. The options' own
// Favor does not count.
func (v *Versions) Parts(opts Options) ([]Part, error) {
	coarse := opts
	coarse.Markers.Style = conflict.StyleDiff3 // its conflicts are those that compare finds
	m, err := v.compared(coarse)
	if err != nil {
		return nil, err
	}
	m.Markers.Style = opts.Markers.Style
	p := newPartition(m)
	w := writer{lineMerge: m}
	var parts []Part
	for i := 0; i < len(m.hunks); {
		if m.hunks[i].take != takeNone {
			w.hunk(m.hunks[i])
			i++
			continue
		}
		q, n := p.question(m.hunks[i:])
		i += n
		c := p.conflict(q)
		if len(c.Marked[opts.Markers.Style].Opens) == 0 {
			continue // both sides are alike, so that it is no conflict in this style
		}
		w.upTo(q.dest.Start)
		parts = append(parts, Part{Text: w.out}, Part{Conflict: c})
		w.out, w.at = nil, q.dest.End
	}
	w.upTo(m.dest.len())
	parts = append(parts, Part{Text: w.out})
	return slices.DeleteFunc(parts, func(p Part) bool { return p.Conflict == nil && len(p.Text) == 0 }), nil
}

// A partition finds how the styles write the conflicts of a merge, which are
// asked about in order.
type partition struct {
	*lineMerge
	styled [3]*lineMerge // by style
	next   [3]int        // the hunk of each that is not passed yet
	joined []hunk        // the conflicts in merge style, those not passed yet
}

func newPartition(m *lineMerge) *partition {
	p := &partition{lineMerge: m}
	for style := range p.styled {
		s := *m
		s.hunks, s.Markers.Style = slices.Clone(m.hunks), conflict.Style(style)
		s.refine()
		p.styled[style] = &s
	}
	p.joined = p.styled[conflict.StyleMerge].hunks
	return p
}

// question returns what is to be asked about together: the first of hunks, a
// conflict, and those behind it that merge style joins with it, n in all.
func (p *partition) question(hunks []hunk) (q hunk, n int) {
	q = hunks[0]
	for n = 1; n < len(hunks) && hunks[n].take == takeNone && p.joins(q, hunks[n]); n++ {
		next := hunks[n]
		q.original.End, q.dest.End, q.updated.End = next.original.End, next.dest.End, next.updated.End
	}
	return q, n
}

// joins reports whether a conflict in merge style holds all between a and b.
func (p *partition) joins(a, b hunk) bool {
	for len(p.joined) > 0 && p.joined[0].dest.End < b.dest.Start {
		p.joined = p.joined[1:]
	}
	if len(p.joined) == 0 {
		return false
	}
	h := p.joined[0]
	return h.take == takeNone && h.dest.Start <= a.dest.End && b.dest.Start <= h.dest.End &&
		h.updated.Start <= a.updated.End && b.updated.Start <= h.updated.End
}

// conflict describes the question q, and how each style writes it.
func (p *partition) conflict(q hunk) *Conflict {
	c := &Conflict{Original: p.original.bytes(q.original), Dest: p.dest.bytes(q.dest), Updated: p.updated.bytes(q.updated)}
	for style, m := range p.styled {
		c.Marked[style] = m.marked(q, &p.next[style])
	}
	return c
}

// bytes returns where the lines of r stand.
func (l *lines) bytes(r Range) Range { return Range{int(l.at[r.Start]), int(l.at[r.End])} }

// marked writes the hunks that are within q; next is the first that may be, and
// then the first behind.
func (m *lineMerge) marked(q hunk, next *int) Marked {
	for *next < len(m.hunks) && (m.hunks[*next].dest.Start < q.dest.Start || m.hunks[*next].updated.Start < q.updated.Start) {
		*next++
	}
	w := writer{lineMerge: m, at: q.dest.Start}
	var opens []int
	for ; *next < len(m.hunks); *next++ {
		h := m.hunks[*next]
		if h.dest.End > q.dest.End || h.updated.End > q.updated.End {
			break
		}
		w.upTo(h.dest.Start)
		if h.take == takeNone {
			opens = append(opens, len(w.out))
		}
		w.hunk(h)
	}
	w.upTo(q.dest.End)
	return Marked{Text: w.out, Opens: opens}
}
