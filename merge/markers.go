package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// markers writes a page as git writes conflicts: markers at column 0 around
// whole lines.
type markers struct {
	diff3.Markers
	r    *renderer
	out  []byte
	line int // of the end of out, from 1
	bom  bool
	open []mark
}

// A mark is where a conflict, or a hunk of one, stands in the file, and what the
// versions have there.
type mark struct {
	of       *marked
	line     int // of the opening marker, from 1; 0 if there is none
	versions [3]version
}

// version is what one input has at a mark: its text, and the line at which that
// starts there, 0 if unknown.
type version struct {
	text string
	line int
}

// write writes the file with its conflicts marked.
// What stands in a conflict on the first line starts with a byte order mark if
// bom says so, as markers have to start their line.
func (r *renderer) write(p *page, m diff3.Markers, bom bool) *markers {
	if m.Size <= 0 {
		m.Size = 7
	}
	w := &markers{Markers: m, r: r, line: 1, bom: bom}
	var touching []hunkOf
	for _, x := range p.parts {
		if x.clash == nil {
			w.join(touching)
			w.text(x.text)
			touching = nil
			continue
		}
		touching = w.conflict(x.clash, touching)
	}
	w.join(touching)
	return w
}

func (w *markers) text(b []byte) {
	w.out = append(w.out, b...)
	w.line += bytes.Count(b, []byte("\n"))
}

// conflict writes one conflict behind the hunks that it touches: its versions
// side by side, cut into hunks where they agree. The last hunks are left to be
// joined with what follows.
func (w *markers) conflict(c *marked, touching []hunkOf) []hunkOf {
	if c.kind == ConflictEncrypted {
		w.join(touching)
		w.join([]hunkOf{{c, hunk{alt: c.alt}}})
		return nil
	}
	if c.lines != nil {
		w.join(touching)
		w.asGit(c)
		return nil
	}
	for _, h := range hunks(c.alt, w.Style) {
		if !h.same {
			touching = append(touching, hunkOf{c, h})
			continue
		}
		w.join(touching)
		w.text(h.alt[dest])
		touching = nil
	}
	return touching
}

// hunk writes the hunk h, in which the conflicts of of stand.
func (w *markers) hunk(of []hunkOf, h hunk) {
	for _, c := range of {
		w.open = append(w.open, w.r.mark(c.clash, c.hunk, w.line))
	}
	if w.bom && len(w.out) == 0 {
		h.alt = withBOM(h.alt)
	}
	w.marker('<', w.Ours)
	w.text(w.ended(h.alt[dest]))
	if w.Style != diff3.StyleMerge {
		w.marker('|', w.Base)
		w.text(w.ended(h.alt[original]))
	}
	w.marker('=', "")
	w.text(w.ended(h.alt[updated]))
	w.marker('>', w.Theirs)
}

// withBOM puts a byte order mark before each version that has anything.
func withBOM(alt [3][]byte) [3][]byte {
	for s, b := range alt {
		if len(b) > 0 {
			alt[s] = append(bytes.Clone(bom), b...)
		}
	}
	return alt
}

// ended is b, ended by a line break.
func (w *markers) ended(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] != '\n' && b[n-1] != '\r' {
		b = append(bytes.Clone(b), w.r.nl...)
	}
	return b
}

// mark describes the hunk h of c, whose opening marker stands at line.
func (r *renderer) mark(c *marked, h hunk, line int) mark {
	m := mark{of: c, line: line}
	for s, at := range c.open {
		if at != (text.Span{}) {
			m.versions[s] = version{text: string(h.alt[s]), line: r.files[s].Line(at.Start) + h.skip[s]}
		}
	}
	return m
}

// whole describes all of c, which is not marked or whose marker stands at line.
func (r *renderer) whole(c *marked, line int) mark { return r.mark(c, hunk{alt: c.alt}, line) }

func (w *markers) marker(c byte, label string) {
	b := bytes.Repeat([]byte{c}, w.Size)
	if label != "" {
		b = append(append(b, ' '), label...)
	}
	w.text(append(b, w.r.nl...))
}

// startsMarked reports whether the first line of b is an opening marker.
func startsMarked(b []byte, k diff3.Markers) bool {
	return bytes.HasPrefix(b, bytes.Repeat([]byte{'<'}, max(k.Size, 1)))
}

// endsMarked reports whether the last line of b is a closing marker.
func endsMarked(b []byte, k diff3.Markers) bool {
	last := bytes.TrimRight(b, "\r\n")
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	return bytes.HasPrefix(last, bytes.Repeat([]byte{'>'}, max(k.Size, 1)))
}
