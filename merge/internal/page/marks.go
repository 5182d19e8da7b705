package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// trimToItems returns a function for diff3's SplitHunks that keeps whole list items between conflict markers: it
// shortens a run of shared lines until it starts and ends between items in both sides. It returns nil if items, which
// is Conflict.ItemStarts, is not set.
//
//	ours      theirs
//	- a: 1    - a: 2
//	  b: 1      b: 1       shared, but within an item: between the markers
//	- c: 1    - c: 1       shared: outside
func trimToItems(items [3][]int) func(diff3.Run) diff3.Run {
	if items[three.Dest] == nil {
		return nil
	}
	return func(r diff3.Run) diff3.Run {
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
		return diff3.Run{A: r.A + from, B: r.B + from, Len: to - from}
	}
}

// trimToLongEdge is a function for diff3's SplitHunks. It shortens r, a run of lines that both sides share, to none, so
// that it is between the markers, and the user can only choose all lines of one side. It returns r itself if it has
// more than 8 lines and is at the start or the end of c: these would be long to read twice.
func (c *Conflict) trimToLongEdge(r diff3.Run) diff3.Run {
	ours, theirs := bytes.Count(c.Texts[three.Dest], lf), bytes.Count(c.Texts[three.Updated], lf)
	isEdge := r.A+r.B == 0 || r.A+r.Len == ours && r.B+r.Len == theirs
	if !isEdge || r.Len <= 8 {
		r.Len = 0
	}
	return r
}

// lineVersions returns the three texts of a conflict in a form that can be aligned by lines.
func lineVersions(alt [3][]byte) *diff3.Versions {
	return diff3.NewVersions(alt[three.Original], alt[three.Dest], alt[three.Updated])
}

// Marked is a page as a file with git's conflict markers: at column 0, around whole lines. Bytes is the file. Marks
// are the places of its hunks, in the order of the file.
type Marked struct {
	text.Markers
	r     *Renderer
	Bytes []byte
	line  int // the line at the end of Bytes, from 1
	bom   bool
	Marks []Mark
}

// A Mark is the place of one hunk in a file with conflict markers: its conflict, the line of its opening marker, and
// the lines that each version has in it. A conflict that is written as several hunks has several marks. Conflicts that
// share a hunk have a mark each, with the same Line.
type Mark struct {
	Conflict *Conflict
	Line     int // of the opening marker, from 1; 0 if there is none
	Versions [3]version
}

// version is the text that one version has in a hunk, and the line in the file of this version at which the text
// starts, from 1; 0 if unknown.
type version struct {
	Text string
	Line int
}

// Write returns p as a file with conflict markers. Lines that the versions of a conflict share are outside of the
// markers, depending on m.Style. Conflicts without text between them usually share a hunk, as in git. bom states that
// the merged file has a byte order mark, which Write adds to a hunk at the start, and the caller before text.
func (r *Renderer) Write(p *Page, m text.Markers, bom bool) *Marked {
	w := &Marked{Markers: m, r: r, line: 1, bom: bom}
	var pending []conflictHunk
	for _, x := range p.Parts {
		if x.Conflict == nil {
			w.writeAdjacentHunks(pending)
			w.writeText(x.Text)
			pending = nil
			continue
		}
		pending = w.writeConflict(x.Conflict, pending)
	}
	w.writeAdjacentHunks(pending)
	return w
}

// writeConflict writes the conflict c, split into hunks at lines that its versions share. It returns the hunks at the
// end of c unwritten, because git writes hunks without lines between them as one, even across conflicts: the caller
// passes them as pending with a conflict directly after c, or to writeAdjacentHunks.
func (w *Marked) writeConflict(c *Conflict, pending []conflictHunk) []conflictHunk {
	isAlone := c.LineMerge != nil || c.Kind == plan.ConflictEncrypted || c.Kind == plan.ConflictAccess
	if isAlone { // it is never joined with others
		w.writeAdjacentHunks(pending)
		w.writeConflictAlone(c)
		return nil
	}
	for _, h := range lineVersions(c.Texts).SplitHunks(w.Style, trimToItems(c.ItemStarts)) {
		if !h.Same {
			pending = append(pending, conflictHunk{c, h})
			continue
		}
		w.writeAdjacentHunks(pending)
		w.writeText(h.Text[three.Dest])
		pending = nil
	}
	return pending
}

// writeConflictAlone writes the conflict c, of a kind that is never joined with others, in the way of its kind.
func (w *Marked) writeConflictAlone(c *Conflict) {
	if c.LineMerge != nil {
		w.writeLineMergeConflict(c)
		return
	}
	// without many shared lines at the start and the end, between which the user can only choose all of one side
	for _, h := range lineVersions(c.Texts).SplitHunks(text.StyleZdiff3, c.trimToLongEdge) {
		if h.Same {
			w.writeText(h.Text[three.Dest])
		} else {
			w.writeAdjacentHunks([]conflictHunk{{c, h}})
		}
	}
}

// writeText appends b to the file and counts its lines.
func (w *Marked) writeText(b []byte) {
	w.Bytes = append(w.Bytes, b...)
	w.line += bytes.Count(b, []byte("\n"))
}

// writeLineMergeConflict writes a conflict of a line merge (c.LineMerge is not nil) with the bytes and markers that git
// writes for it in the style of w. It appends a Mark to w.Marks for each opening marker in these bytes, all with the
// lines of the whole conflict.
func (w *Marked) writeLineMergeConflict(c *Conflict) {
	git := c.LineMerge[w.Style]
	written := 0
	for _, at := range git.OpeningMarkers {
		w.writeText(git.Text[written:at])
		written = at
		w.Marks = append(w.Marks, w.r.WholeMark(c, w.line))
	}
	w.writeText(git.Text[written:])
}

// writeHunk writes the three versions of the hunk h, which must not be Same, between conflict markers. conflicts are
// those with lines in h, each with only these lines; each gets a Mark in w.Marks. At the start of a file with a byte
// order mark, each version of h that is not empty gets one.
func (w *Marked) writeHunk(conflicts []conflictHunk, h diff3.Hunk) {
	for _, c := range conflicts {
		w.Marks = append(w.Marks, w.r.newMark(c.conflict, c.Hunk, w.line))
	}
	if w.bom && len(w.Bytes) == 0 {
		for s, b := range h.Text {
			if len(b) > 0 {
				h.Text[s] = slices.Concat(text.BOM, b)
			}
		}
	}
	marked := text.Conflict{
		Markers: w.Markers, Break: w.r.LineBreak,
		Base: h.Text[three.Original], Ours: h.Text[three.Dest], Theirs: h.Text[three.Updated],
	}
	w.writeText(marked.Append(nil))
}

// newMark returns the Mark of the hunk h of c, whose opening marker is at the given line of the written file. For each
// version, it has the text of the hunk and the line in the file of the version, from 1, at which it starts, or "" and 0
// if c has no place in the version.
func (r *Renderer) newMark(c *Conflict, h diff3.Hunk, line int) Mark {
	m := Mark{Conflict: c, Line: line}
	for s, at := range c.Spans {
		if at != (text.Span{}) {
			m.Versions[s] = version{Text: string(h.Text[s]), Line: r.Files[s].Line(at.Start) + h.From[s]}
		}
	}
	return m
}

// WholeMark returns a Mark with all lines of c in each version. line is the line of its opening marker, or 0 if c is
// not written with markers.
func (r *Renderer) WholeMark(c *Conflict, line int) Mark {
	return r.newMark(c, diff3.Hunk{Text: c.Texts}, line)
}

// A conflictHunk is a hunk of a conflict: lines of each version, by their number in the conflict.
type conflictHunk struct {
	conflict *Conflict
	diff3.Hunk
}

// joinHunks returns the text of all hunks in run, one after another, in each version. The hunk run[i] has the lines
// from starts[i] up to starts[i+1] of the texts.
func joinHunks(run []conflictHunk) (texts [3][]byte, starts [][3]int) {
	starts = make([][3]int, 1, len(run)+1)
	for i, c := range run {
		end := starts[i]
		for s, b := range c.Text {
			texts[s] = append(texts[s], b...)
			end[s] += c.To[s] - c.From[s]
		}
		starts = append(starts, end)
	}
	return texts, starts
}

// cutTo returns c with only those lines that are also in h, a hunk of joined. c has the lines from start up to end of
// joined. ok is false if none of its lines is in h.
func (c conflictHunk) cutTo(h diff3.Hunk, joined *diff3.Versions, start, end [3]int) (part conflictHunk, ok bool) {
	var from, to [3]int
	for s := range from {
		from[s] = max(start[s], h.From[s])
		to[s] = max(from[s], min(end[s], h.To[s]))
		c.From[s] += from[s] - start[s]
	}
	c.Text = joined.Slice(from, to)
	return c, from != to
}

// writeAdjacentHunks writes hunks without lines between them, of one or several conflicts, as one conflict, which it
// splits anew at lines that its versions share. git does the same: such hunks are usually one change, for example a
// version and its checksum. Each written hunk adds a Mark for every conflict in it.
func (w *Marked) writeAdjacentHunks(run []conflictHunk) {
	texts, starts := joinHunks(run)
	// sides that are equal in total would give a joined hunk without a difference
	if len(run) < 2 || bytes.Equal(texts[three.Dest], texts[three.Updated]) {
		for _, c := range run {
			w.writeHunk([]conflictHunk{c}, c.Hunk)
		}
		return
	}
	joined := lineVersions(texts)
	for _, h := range joined.SplitHunks(w.Style, nil) {
		if h.Same {
			w.writeText(h.Text[three.Dest])
			continue
		}
		for len(run) > 0 && !isAhead(starts[1], h.From) { // it ends before h
			run, starts = run[1:], starts[1:]
		}
		var parts []conflictHunk
		for i := 0; i < len(run) && isAhead(h.To, starts[i]); i++ {
			if part, ok := run[i].cutTo(h, joined, starts[i], starts[i+1]); ok {
				parts = append(parts, part)
			}
		}
		w.writeHunk(parts, h)
	}
}

// isAhead reports whether a is greater than b in at least one version.
func isAhead(a, b [3]int) bool { return a[0] > b[0] || a[1] > b[1] || a[2] > b[2] }
