package diff3

import (
	"bytes"

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
	return gap.Len() <= 3 || m.As == MergeFile && !bytes.ContainsFunc(m.dest.text(gap), alnum)
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
