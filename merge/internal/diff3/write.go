package diff3

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
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
		w.whole(w.dest.text(h.dest), w.lineBreak(h))
		w.out = append(w.out, w.updated.text(h.updated)...)
	}
	w.at = h.dest.End
}

// conflict writes h with its markers.
func (w *writer) conflict(h hunk) {
	w.conflicts++
	c := conflict.Conflict{
		Markers: w.Markers, Break: w.lineBreak(h),
		Base: w.original.text(h.original), Ours: w.dest.text(h.dest), Theirs: w.updated.text(h.updated),
	}
	w.out = c.Append(w.out)
}

// whole writes text, and a line break if it ends without one.
func (w *writer) whole(text, nl []byte) {
	w.out = append(w.out, text...)
	if len(text) > 0 && !bytes.HasSuffix(text, lf) {
		w.out = append(w.out, nl...)
	}
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
