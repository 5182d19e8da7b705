package diff3

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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
	coarse.Markers.Style = text.StyleDiff3 // its conflicts are those that compare finds
	m, err := v.compared(coarse)
	if err != nil {
		return nil, err
	}
	m.Markers.Style = opts.Markers.Style
	var styled [3]*lineMerge
	var next [3]int // the hunk of each that is not passed yet
	for style := range styled {
		of := *m
		of.hunks, of.Markers.Style = slices.Clone(m.hunks), text.Style(style)
		of.refine()
		styled[style] = &of
	}
	joined := styled[text.StyleMerge].hunks
	joins := func(a, b hunk) bool { // whether a conflict in merge style holds all between
		for len(joined) > 0 && joined[0].dest.End < b.dest.Start {
			joined = joined[1:]
		}
		return len(joined) > 0 && joined[0].take == takeNone && joined[0].touches(a, b)
	}
	w := writer{lineMerge: m}
	var parts []Part
	for i := 0; i < len(m.hunks); {
		q := m.hunks[i]
		i++
		if q.take != takeNone {
			w.hunk(q)
			continue
		}
		for i < len(m.hunks) && m.hunks[i].take == takeNone && joins(q, m.hunks[i]) {
			q.extend(m.hunks[i])
			i++
		}
		c := &Conflict{Original: m.original.bytes(q.original), Dest: m.dest.bytes(q.dest), Updated: m.updated.bytes(q.updated)}
		for style, of := range styled {
			c.Marked[style] = of.marked(q, &next[style])
		}
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

// touches reports whether h reaches from a to b, which stands behind a, in both sides.
func (h hunk) touches(a, b hunk) bool {
	return h.dest.Start <= a.dest.End && b.dest.Start <= h.dest.End &&
		h.updated.Start <= a.updated.End && b.updated.Start <= h.updated.End
}

// extend makes h reach to the end of b, which stands behind it.
func (h *hunk) extend(b hunk) {
	h.original.End, h.dest.End, h.updated.End = b.original.End, b.dest.End, b.updated.End
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
