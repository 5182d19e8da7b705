package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// markers writes a page as git writes conflicts: markers at column 0 around
// whole lines.
type markers struct {
	Markers
	r    *renderer
	out  []byte
	line int // of the end of out, from 1
	bom  bool
	open []Conflict
	of   []*marked // what each of open is of
}

// write writes the file with its conflicts marked.
// What stands in a conflict on the first line starts with a byte order mark if
// bom says so, as markers have to start their line.
func (r *renderer) write(p *page, m Markers, bom bool) *markers {
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
		w.open = append(w.open, w.r.conflict(c.clash, c.hunk, w.line))
		w.of = append(w.of, c.clash)
	}
	if w.bom && len(w.out) == 0 {
		h.alt = withBOM(h.alt)
	}
	w.marker('<', w.Ours)
	w.text(w.ended(h.alt[dest]))
	if w.Style != StyleMerge {
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

// conflict describes the hunk h of c, whose opening marker stands at line.
func (r *renderer) conflict(c *marked, h hunk, line int) Conflict {
	return Conflict{
		Path: c.path.String(), Kind: c.kind, Line: line,
		Base:   r.version(original, c, h),
		Ours:   r.version(dest, c, h),
		Theirs: r.version(updated, c, h),
	}
}

// version is what one input has at a hunk.
func (r *renderer) version(s side, c *marked, h hunk) Version {
	if c.open[s] == (text.Span{}) {
		return Version{}
	}
	return Version{Text: string(h.alt[s]), Line: r.w.files[s].Line(c.open[s].Start) + h.skip[s]}
}

func (w *markers) marker(c byte, label string) {
	b := bytes.Repeat([]byte{c}, w.Size)
	if label != "" {
		b = append(append(b, ' '), label...)
	}
	w.text(append(b, w.r.nl...))
}

// startsMarked reports whether the first line of b is an opening marker.
func startsMarked(b []byte, k Markers) bool {
	return bytes.HasPrefix(b, bytes.Repeat([]byte{'<'}, max(k.Size, 1)))
}

// endsMarked reports whether the last line of b is a closing marker.
func endsMarked(b []byte, k Markers) bool {
	last := bytes.TrimRight(b, "\r\n")
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	return bytes.HasPrefix(last, bytes.Repeat([]byte{'>'}, max(k.Size, 1)))
}

// opens returns where the conflicts of a page stand in the inputs.
func opens(p *page) [][3]text.Span {
	var o [][3]text.Span
	for _, c := range p.clashes() {
		o = append(o, c.open)
	}
	return o
}
