package diff3

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// refine makes the conflicts smaller, as far as the style allows. In merge
// style the two sides are compared with each other: what they have in common
// is no conflict. With a base between the markers that would not make sense;
// zdiff3 takes only common lines at the edges out.
func (m *lineMerge) refine() {
	switch m.Markers.Style {
	case text.StyleMerge:
		m.divide()
		m.join()
	case text.StyleZdiff3:
		m.trim()
	}
}

// divide replaces each conflict by what differs between its two sides, if anything does.
func (m *lineMerge) divide() {
	hunks := m.hunks
	m.hunks = make([]hunk, 0, len(hunks))
	for _, h := range hunks {
		if h.take != takeNone || h.dest.Empty() || h.updated.Empty() {
			m.hunks = append(m.hunks, h)
			continue
		}
		dest, updated := m.changed(h)
		differing := patches(match(dest, updated, m.As.how()), len(dest), len(updated))
		if len(differing) == 0 {
			h.take = takeDest
			m.hunks = append(m.hunks, h)
		}
		for _, p := range differing {
			m.hunks = append(m.hunks, hunk{
				dest:    Range{h.dest.Start + p.of.Start, h.dest.Start + p.of.End},
				updated: Range{h.updated.Start + p.by.Start, h.updated.Start + p.by.End},
			})
		}
	}
}

// join makes one conflict of conflicts that follow one another and have
// little between them.
func (m *lineMerge) join() {
	joined := m.hunks[:0]
	for _, h := range m.hunks {
		if n := len(joined) - 1; n >= 0 && m.near(joined[n], h) {
			joined[n].dest.End, joined[n].updated.End = h.dest.End, h.updated.End
			continue
		}
		joined = append(joined, h)
	}
	m.hunks = joined
}

// near reports whether a and the next hunk b are conflicts to be joined.
func (m *lineMerge) near(a, b hunk) bool {
	if a.take != takeNone || b.take != takeNone {
		return false
	}
	gap := Range{a.dest.End, b.dest.Start}
	return gap.Len() < Between || m.As == MergeFile && !bytes.ContainsFunc(m.dest.text(gap), alnum)
}

func alnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// trim takes lines that are equal on both sides off the edges of conflicts.
func (m *lineMerge) trim() {
	for i := range m.hunks {
		h := &m.hunks[i]
		if h.take != takeNone {
			continue
		}
		head, tail := edges(m.changed(*h))
		h.dest = Range{h.dest.Start + head, h.dest.End - tail}
		h.updated = Range{h.updated.Start + head, h.updated.End - tail}
	}
}

// changed returns the ids of the lines of both sides of h.
func (m *lineMerge) changed(h hunk) (dest, updated []int32) {
	return m.dest.ids[h.dest.Start:h.dest.End], m.updated.ids[h.updated.Start:h.updated.End]
}

// A writer writes a merged text.
type writer struct {
	*lineMerge
	out       []byte
	at        int // the line of dest up to which all is written
	conflicts int
}

// write returns the merged text and the number of conflicts in it.
func (m *lineMerge) write() ([]byte, int) {
	size := len(m.dest.data) + max(0, len(m.updated.data)-len(m.original.data)) // where nothing is in conflict, about
	w := writer{lineMerge: m, out: make([]byte, 0, size)}
	for _, h := range m.hunks {
		if h.take == takeNone {
			h.take = [...]take{takeNone, takeDest, takeUpdated, takeBoth}[m.Favor]
		}
		w.hunk(h)
	}
	w.upTo(m.dest.len())
	return w.out, w.conflicts
}

// upTo writes dest up to line i.
func (w *writer) upTo(i int) {
	w.out = append(w.out, w.dest.text(Range{w.at, i})...)
	w.at = i
}

func (w *writer) hunk(h hunk) {
	w.upTo(h.dest.Start)
	switch h.take {
	case takeNone:
		w.conflict(h)
	case takeDest:
		w.upTo(h.dest.End)
	case takeUpdated:
		w.out = append(w.out, w.updated.text(h.updated)...)
	case takeBoth:
		ours := w.dest.text(h.dest)
		if w.out = append(w.out, ours...); len(ours) > 0 && !bytes.HasSuffix(ours, lf) {
			w.out = append(w.out, w.lineBreak(h)...)
		}
		w.out = append(w.out, w.updated.text(h.updated)...)
	}
	w.at = h.dest.End
}

// conflict writes h with its markers.
func (w *writer) conflict(h hunk) {
	w.conflicts++
	c := text.Conflict{
		Markers: w.Markers, Break: w.lineBreak(h),
		Base: w.original.text(h.original), Ours: w.dest.text(h.dest), Theirs: w.updated.text(h.updated),
	}
	w.out = c.Append(w.out)
}

// lineBreak returns the line break of the markers of h. It is CR LF if the
// first line of original has that, and the lines before h do not end in LF.
func (w *writer) lineBreak(h hunk) []byte {
	if w.original.ending(0) == endCRLF &&
		w.dest.ending(max(h.dest.Start-1, 0)) != endLF &&
		w.updated.ending(max(h.updated.Start-1, 0)) != endLF {
		return crlf
	}
	return lf
}

// A Merged is a line merge, with what it knows of the versions.
type Merged struct {
	Conflicts int
	Bytes     []byte   // the merged text, if there are no conflicts
	Shared    []Shared // what nobody changed, in order
}

// A Shared is whole lines that all three versions have, aligned with each
// other: where they start in each, in bytes, and how many bytes they are.
type Shared struct {
	Original, Dest, Updated int
	// Merged is where they start in the merged text, if that has no conflicts.
	Merged int
	Len    int
}

// Shared is Merge for who does not need the text of a merge with
// conflicts. It marks and decides none.
func (v *Versions) Shared(as As) (*Merged, error) {
	m, err := v.compared(Options{As: as})
	if err != nil {
		return nil, err
	}
	res := &Merged{Shared: m.shared()}
	for _, h := range m.hunks {
		if h.take == takeNone {
			res.Conflicts++
		}
	}
	if res.Conflicts == 0 {
		res.Bytes, _ = m.write()
	}
	return res, nil
}

// shared returns the chunks that nobody changed. In a merge without conflicts
// they stand between the hunks.
func (m *lineMerge) shared() []Shared {
	all := make([]Shared, 0, len(m.same))
	hunks, shift := m.hunks, 0
	for _, c := range m.same {
		s := Shared{
			Original: int(m.original.at[c.Original.Start]),
			Dest:     int(m.dest.at[c.Dest.Start]),
			Updated:  int(m.updated.at[c.Updated.Start]),
			Len:      len(m.original.text(c.Original)),
		}
		for len(hunks) > 0 && hunks[0].dest.End <= c.Dest.Start {
			shift += m.growth(hunks[0])
			hunks = hunks[1:]
		}
		s.Merged = s.Dest + shift
		all = append(all, s)
	}
	return all
}

// growth is how much longer than dest's the text at a hunk is.
func (m *lineMerge) growth(h hunk) int {
	if h.take != takeUpdated {
		return 0
	}
	return len(m.updated.text(h.updated)) - len(m.dest.text(h.dest))
}

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
	merged := *m
	merged.hunks, merged.Markers.Style = slices.Clone(m.hunks), text.StyleMerge
	merged.refine()
	joined := merged.hunks
	joins := func(a, b hunk) bool { // whether a conflict in merge style holds all between
		for len(joined) > 0 && joined[0].dest.End < b.dest.Start {
			joined = joined[1:]
		}
		return len(joined) > 0 && joined[0].take == takeNone && joined[0].touches(a, b)
	}
	w := writer{lineMerge: m}
	var parts []Part
	for i := 0; i < len(m.hunks); {
		q, first := m.hunks[i], i
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
		for style := range c.Marked {
			c.Marked[style] = m.marked(q, m.hunks[first:i], text.Style(style))
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

// marked writes q, which holds the conflicts of, in a style.
func (m *lineMerge) marked(q hunk, of []hunk, style text.Style) (x Marked) {
	one := *m
	one.hunks, one.Markers.Style = slices.Clone(of), style
	one.refine()
	w := writer{lineMerge: &one, at: q.dest.Start}
	for _, h := range one.hunks {
		w.upTo(h.dest.Start)
		if h.take == takeNone {
			x.Opens = append(x.Opens, len(w.out))
		}
		w.hunk(h)
	}
	w.upTo(q.dest.End)
	x.Text = w.out
	return x
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
