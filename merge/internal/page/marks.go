package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// lined is the versions of a conflict as lines.
type lined struct {
	alt   [3][]byte
	lines [3][]string
	at    [3][]int // where each line starts, and the end
}

func byLines(alt [3][]byte) *lined {
	v := &lined{alt: alt}
	for s, b := range alt {
		v.at[s] = append(v.at[s], 0)
		for line := range strings.Lines(string(b)) {
			v.lines[s] = append(v.lines[s], line)
			v.at[s] = append(v.at[s], v.at[s][len(v.lines[s])-1]+len(line))
		}
	}
	return v
}

// len is how many lines each version has.
func (v *lined) len() [3]int { return [3]int{len(v.lines[0]), len(v.lines[1]), len(v.lines[2])} }

// text is the lines from from up to to.
func (v *lined) text(from, to [3]int) (alt [3][]byte) {
	for s, n := range v.len() {
		start, end := v.at[s][min(from[s], n)], v.at[s][min(to[s], n)]
		alt[s] = v.alt[s][start:end:end]
	}
	return alt
}

// lineRanges are the lines of a chunk in each version.
func lineRanges(k diff3.Chunk) (from, to [3]int) {
	return [3]int{k.Original.Start, k.Dest.Start, k.Updated.Start}, [3]int{k.Original.End, k.Dest.End, k.Updated.End}
}

// hunk is a stretch of lines of a conflict: the same in every version that
// is shown, or to be marked.
type hunk struct {
	alt      [3][]byte
	from, to [3]int // lines of the conflict
	same     bool
}

// apart is how many lines must be the same between two hunks: fewer would
// only break one conflict into crumbs. Git joins at the same distance.
const apart = 4

// hunks cuts a conflict at the lines that all its versions share. Whichever
// side is chosen, at all hunks alike, the file is the same as without the
// cuts. The base does not count where it has nothing, or is not shown; where it
// is shown with less than all that it has (zdiff3), it goes to the one hunk
// that is left between the edges.
//
// Nor is an item cut that a side added: items are those of the conflict.
func (v *lined) hunks(style text.Style, items [3][]int) (out []hunk) {
	var at [3]int
	add := func(to [3]int, same bool) {
		if at != to {
			out = append(out, hunk{v.text(at, to), at, to, same})
			at = to
		}
	}
	cut := func(from, to [3]int, edge bool) {
		if edge || to[three.Dest]-from[three.Dest] >= apart {
			add(from, false)
			add(to, true)
		}
	}
	o, d, u := v.lines[three.Original], v.lines[three.Dest], v.lines[three.Updated]
	all := v.len()
	if style == text.StyleDiff3 && len(o) > 0 {
		for _, c := range diff3.ChunksOf(v.lines) {
			if from, to := lineRanges(c); c.Kind == diff3.Same {
				cut(from, to, from == [3]int{} || to == all)
			}
		}
		add(all, false)
		return out
	}
	zealous := style == text.StyleZdiff3
	runs := diff3.Match(d, u)
	if zealous && len(o) > 0 {
		runs = diff3.EdgeRuns(d, u)
	}
	for _, r := range runs {
		if r = between(r, items); r.Len == 0 {
			continue
		}
		first := r.A == 0 && r.B == 0
		last := r.A+r.Len == len(d) && r.B+r.Len == len(u)
		from, to := [3]int{len(o), r.A, r.B}, [3]int{len(o), r.A + r.Len, r.B + r.Len}
		switch common := d[r.A : r.A+r.Len]; {
		case first && zealous: // the base may start with some of them
			from[three.Original], to[three.Original] = 0, 0
			for i := 0; i < min(len(o), len(common)) && o[i] == common[i]; i++ {
				to[three.Original]++
			}
		case first:
			from[three.Original], to[three.Original] = 0, 0
		case zealous && last: // or end with some
			for i := len(o) - 1; i >= at[three.Original] && len(o)-i <= len(common) && o[i] == common[len(common)-len(o)+i]; i-- {
				from[three.Original]--
			}
		}
		cut(from, to, first || last)
	}
	add(all, false)
	return out
}

// fewShared is how many lines that both sides share stand between markers for the sake of an
// item: more would have to be read for nothing.
const fewShared = 8

// between is what of r, lines that both sides share, begins and ends between items, if that is
// not much less.
func between(r diff3.Run, items [3][]int) diff3.Run {
	if items[three.Dest] == nil {
		return r
	}
	at := func(i int) bool {
		return slices.Contains(items[three.Dest], r.A+i) && slices.Contains(items[three.Updated], r.B+i)
	}
	from, to := 0, r.Len
	for from < to && !at(from) {
		from++
	}
	for from < to && !at(to) {
		to--
	}
	if r.Len-(to-from) > fewShared {
		return r
	}
	return diff3.Run{A: r.A + from, B: r.B + from, Len: to - from}
}

// Whole is how many lines of both sides stand between markers, as style has them, only so
// that no item is cut.
func (p *Page) Whole(style text.Style) (n int) {
	marked := func(all []hunk) (n int) {
		for _, h := range all {
			if !h.same {
				n += bytes.Count(h.alt[three.Dest], lf) + bytes.Count(h.alt[three.Updated], lf)
			}
		}
		return n
	}
	for _, c := range p.Conflicts() {
		if c.Items[three.Dest] != nil {
			v := byLines(c.Alt)
			n += marked(v.hunks(style, c.Items)) - marked(v.hunks(style, [3][]int{}))
		}
	}
	return n
}

// Split puts pieces in the place of their conflicts.
func (p *Page) Split(pieces map[*Conflict][]Part) *Page {
	out := &Page{}
	for _, x := range p.Parts {
		if x.Conflict != nil && pieces[x.Conflict] != nil {
			out.Parts = append(out.Parts, pieces[x.Conflict]...)
			continue
		}
		out.Parts = append(out.Parts, x)
	}
	return out
}

// Pieces cuts a conflict by lines: what one side alone changed is merged. It
// returns nil where nothing is gained: no such lines, or nothing left in conflict;
// and where the versions are not the bytes of the inputs as they stand there.
func (r *Renderer) Pieces(c *Conflict) (parts []Part) {
	if c.Kind == plan.ConflictEncrypted {
		return nil
	}
	at := [3]int{}
	for s, sp := range c.At {
		if at[s] = sp.Start; !bytes.Equal(c.Alt[s], r.bytes(three.Side(s), sp)) {
			return nil
		}
	}
	v := byLines(c.Alt)
	gained, left := false, false
	for _, k := range diff3.ChunksOf(v.lines) {
		piece := *c
		piece.Alt, piece.Behind = v.text(lineRanges(k)), nil
		for s, b := range piece.Alt {
			piece.At[s] = text.Span{Start: at[s], End: at[s] + len(b)}
			at[s] = piece.At[s].End
		}
		took := three.Dest
		if k.Kind == diff3.UpdatedChanged {
			took = three.Updated
		}
		n := len(parts)
		switch {
		case k.Kind != diff3.BothChanged || bytes.Equal(piece.Alt[three.Dest], piece.Alt[three.Updated]):
			gained = gained || k.Kind != diff3.Same
			parts = append(parts, Part{Text: piece.Alt[took]})
		case n >= 2 && parts[n-2].Conflict != nil && bytes.Count(parts[n-1].Text, lf) < apart: // one with that above, and the few lines between
			above := parts[n-2].Conflict
			for s := range above.Alt {
				above.At[s].End = at[s]
				above.Alt[s] = r.bytes(three.Side(s), above.At[s])
			}
			parts = parts[:n-1]
		default:
			left = true
			parts = append(parts, Part{Conflict: &piece})
		}
	}
	if !gained || !left {
		return nil
	}
	return parts
}

// Marked writes a page as git writes conflicts: markers at column 0 around
// whole lines.
type Marked struct {
	text.Markers
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
func (r *Renderer) Write(p *Page, m text.Markers, bom bool) *Marked {
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
	marked := text.Conflict{
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
