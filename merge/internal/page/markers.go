package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Marked writes a page as git writes conflicts: markers at column 0 around
// whole lines.
type Marked struct {
	conflict.Markers
	r     *Renderer
	Bytes []byte
	line  int // of the end of out, from 1
	bom   bool
	Marks []Mark
}

// A Mark is where a conflict, or a hunk of one, stands in the file, and what the
// versions have there.
type Mark struct {
	Of       *Conflict
	Line     int // of the opening marker, from 1; 0 if there is none
	Versions [3]version
}

// version is what one input has at a mark: its text, and the line at which that
// starts there, 0 if unknown.
type version struct {
	Text string
	Line int
}

// Write writes the file with its conflicts marked.
// What stands in a conflict on the first line starts with a byte order mark if
// bom says so, as markers have to start their line.
func (r *Renderer) Write(p *Page, m conflict.Markers, bom bool) *Marked {
	w := &Marked{Markers: m, r: r, line: 1, bom: bom}
	var touching []hunkOf
	for _, x := range p.Parts {
		if x.Conflict == nil {
			w.join(touching)
			w.text(x.Text)
			touching = nil
			continue
		}
		touching = w.conflict(x.Conflict, touching)
	}
	w.join(touching)
	return w
}

// conflict writes one conflict behind the hunks that it touches: its versions
// side by side, cut into hunks where they agree. The last hunks are left to be
// joined with what follows.
func (w *Marked) conflict(c *Conflict, touching []hunkOf) []hunkOf {
	if c.Kind == plan.ConflictEncrypted {
		w.join(touching)
		w.join([]hunkOf{{c, hunk{alt: c.Alt}}})
		return nil
	}
	if c.Lines != nil {
		w.join(touching)
		w.asGit(c)
		return nil
	}
	for _, h := range byLines(c.Alt).hunks(w.Style, c.Items) {
		if !h.same {
			touching = append(touching, hunkOf{c, h})
			continue
		}
		w.join(touching)
		w.text(h.alt[three.Dest])
		touching = nil
	}
	return touching
}

func (w *Marked) text(b []byte) {
	w.Bytes = append(w.Bytes, b...)
	w.line += bytes.Count(b, []byte("\n"))
}

// asGit writes a conflict of the line merge as git does.
func (w *Marked) asGit(c *Conflict) {
	git := c.Lines[w.Style]
	written := 0
	for _, at := range git.Opens {
		w.text(git.Text[written:at])
		written = at
		w.Marks = append(w.Marks, w.r.Whole(c, w.line))
	}
	w.text(git.Text[written:])
}

// hunk writes the hunk h, in which the conflicts of of stand.
func (w *Marked) hunk(of []hunkOf, h hunk) {
	for _, c := range of {
		w.Marks = append(w.Marks, w.r.mark(c.clash, c.hunk, w.line))
	}
	if w.bom && len(w.Bytes) == 0 {
		for s, b := range h.alt {
			if len(b) > 0 {
				h.alt[s] = slices.Concat(read.BOM, b)
			}
		}
	}
	marked := conflict.Conflict{
		Markers: w.Markers, Break: w.r.Break,
		Base: h.alt[three.Original], Ours: h.alt[three.Dest], Theirs: h.alt[three.Updated],
	}
	w.text(marked.Append(nil))
}

// mark describes the hunk h of c, whose opening marker stands at line.
func (r *Renderer) mark(c *Conflict, h hunk, line int) Mark {
	m := Mark{Of: c, Line: line}
	for s, at := range c.At {
		if at != (text.Span{}) {
			m.Versions[s] = version{Text: string(h.alt[s]), Line: r.Files[s].Line(at.Start) + h.from[s]}
		}
	}
	return m
}

// Whole describes all of c, which is not marked or whose marker stands at line.
func (r *Renderer) Whole(c *Conflict, line int) Mark { return r.mark(c, hunk{alt: c.Alt}, line) }

// A hunkOf is a hunk of a conflict.
type hunkOf struct {
	clash *Conflict
	hunk
}

// join marks hunks that touch as one, as git does: they are mostly one change to
// people (a version and its checksum), and whoever reads them wants to see the
// lines of a side together. Each conflict stays a question of its own.
func (w *Marked) join(run []hunkOf) {
	var alt [3][]byte
	starts := make([][3]int, 1, len(run)+1) // the line at which each starts, in each version, and the end
	for i, c := range run {
		starts = append(starts, starts[i])
		for s, b := range c.alt {
			alt[s] = append(alt[s], b...)
			starts[i+1][s] += c.to[s] - c.from[s]
		}
	}
	if len(run) < 2 || bytes.Equal(alt[three.Dest], alt[three.Updated]) {
		for _, c := range run {
			w.hunk([]hunkOf{c}, c.hunk)
		}
		return
	}
	v := byLines(alt)
	for _, h := range v.hunks(w.Style, [3][]int{}) {
		if h.same {
			w.text(h.alt[three.Dest])
			continue
		}
		for len(run) > 0 && !ahead(starts[1], h.from) { // it ends before h
			run, starts = run[1:], starts[1:]
		}
		var in []hunkOf
		for i := 0; i < len(run) && ahead(h.to, starts[i]); i++ {
			part := run[i]
			var from, to [3]int
			for s := range alt {
				from[s] = max(starts[i][s], h.from[s])
				to[s] = max(from[s], min(starts[i+1][s], h.to[s]))
				part.from[s] += from[s] - starts[i][s]
			}
			if part.alt = v.text(from, to); from != to {
				in = append(in, part)
			}
		}
		w.hunk(in, h)
	}
}

// ahead reports whether a is further than b in a version.
func ahead(a, b [3]int) bool {
	return a[three.Original] > b[three.Original] || a[three.Dest] > b[three.Dest] || a[three.Updated] > b[three.Updated]
}
