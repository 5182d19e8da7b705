package page

import (
	"bytes"

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
	for _, h := range hunks(c.Alt, w.Style, c.Items) {
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
		h.alt = withBOM(h.alt)
	}
	marked := conflict.Conflict{
		Markers: w.Markers, Break: w.r.Break,
		Base: h.alt[three.Original], Ours: h.alt[three.Dest], Theirs: h.alt[three.Updated],
	}
	w.text(marked.Append(nil))
}

// withBOM puts a byte order mark before each version that has anything.
func withBOM(alt [3][]byte) [3][]byte {
	for s, b := range alt {
		if len(b) > 0 {
			alt[s] = append(bytes.Clone(read.BOM), b...)
		}
	}
	return alt
}

// mark describes the hunk h of c, whose opening marker stands at line.
func (r *Renderer) mark(c *Conflict, h hunk, line int) Mark {
	m := Mark{Of: c, Line: line}
	for s, at := range c.At {
		if at != (text.Span{}) {
			m.Versions[s] = version{Text: string(h.alt[s]), Line: r.Files[s].Line(at.Start) + h.skip[s]}
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
	for _, c := range run {
		for s, b := range c.alt {
			alt[s] = append(alt[s], b...)
		}
	}
	if len(run) < 2 || bytes.Equal(alt[three.Dest], alt[three.Updated]) {
		for _, c := range run {
			w.hunk([]hunkOf{c}, c.hunk)
		}
		return
	}
	joined := newJoined(run)
	for _, h := range hunks(alt, w.Style, [3][]int{}) {
		if h.same {
			w.text(h.alt[three.Dest])
			continue
		}
		w.hunk(joined.within(h), h)
	}
}

// joined is a run of hunks as one, and the line at which each starts in each
// version, the end of the last one included.
type joined struct {
	run []hunkOf
	at  [][3]int
}

func newJoined(run []hunkOf) *joined {
	j := &joined{run: run, at: make([][3]int, len(run)+1)}
	for i, c := range run {
		for s, b := range c.alt {
			j.at[i+1][s] = j.at[i][s] + len(lineEnds(b))
		}
	}
	return j
}

// within returns what stands of the run in the hunk h. What ends before h is not
// looked at again.
func (j *joined) within(h hunk) []hunkOf {
	var in []hunkOf
	var ends [3][]int
	end := h.skip
	for s, b := range h.alt {
		ends[s] = lineEnds(b)
		end[s] += len(ends[s])
	}
	for len(j.run) > 0 && !ahead(j.at[1], h.skip) {
		j.run, j.at = j.run[1:], j.at[1:]
	}
	for i, c := range j.run {
		if !ahead(end, j.at[i]) {
			break
		}
		part, found := hunkOf{clash: c.clash}, false
		for s := range c.alt {
			from := max(j.at[i][s], h.skip[s])
			to := max(from, min(j.at[i+1][s], end[s]))
			part.skip[s] = c.skip[s] + from - j.at[i][s]
			part.alt[s] = cutLines(h.alt[s], ends[s], from-h.skip[s], to-h.skip[s])
			found = found || to > from
		}
		if found {
			in = append(in, part)
		}
	}
	return in
}

// ahead reports whether a is further than b in a version.
func ahead(a, b [3]int) bool {
	return a[three.Original] > b[three.Original] || a[three.Dest] > b[three.Dest] || a[three.Updated] > b[three.Updated]
}

// lineEnds returns where each line of b ends.
func lineEnds(b []byte) []int {
	var ends []int
	end := 0
	for l := range bytes.Lines(b) {
		end += len(l)
		ends = append(ends, end)
	}
	return ends
}

// cutLines is the lines of b, which end at ends, from from up to to.
func cutLines(b []byte, ends []int, from, to int) []byte {
	offset := func(line int) int {
		switch {
		case line <= 0 || len(ends) == 0:
			return 0
		case line > len(ends):
			return ends[len(ends)-1]
		}
		return ends[line-1]
	}
	start := offset(from)
	return b[start:max(start, offset(to))]
}
