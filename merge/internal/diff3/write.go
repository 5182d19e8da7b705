package diff3

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A writer writes a merged text.
type writer struct {
	*lineMerge
	out       []byte
	at        int // the line of dest up to which all is written
	conflicts int
}

// write returns the merged text and the number of conflicts in it.
func (m *lineMerge) write() ([]byte, int) {
	w := writer{lineMerge: m, out: make([]byte, 0, m.size())}
	for _, h := range m.hunks {
		if h.take == takeNone {
			h.take = [...]take{takeNone, takeDest, takeUpdated, takeBoth}[m.Favor]
		}
		w.hunk(h)
	}
	w.upTo(m.dest.len())
	return w.out, w.conflicts
}

// size returns about how long the merged text will be.
func (m *lineMerge) size() int {
	n := len(m.dest.data)
	for _, h := range m.hunks {
		n += len(m.updated.text(h.updated))
		if h.take == takeNone {
			n += len(m.original.text(h.original)) + 160
		}
	}
	return n
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
