package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// trimToItems returns a function for diff3's SplitHunks that keeps list items whole between conflict markers. The
// function shortens a run of lines that both sides share until it starts and ends between items in both sides:
//
//	ours      theirs
//	- a: 1    - a: 2
//	  b: 1      b: 1       shared, but within an item: remains between the markers
//	- c: 1    - c: 1       shared: outside of the markers
//
// itemStarts is Conflict.ItemStarts. If it is not set, the result is nil, with which no run is shortened.
func trimToItems(itemStarts [3][]int) func(diff3.Run) diff3.Run {
	if itemStarts[three.Dest] == nil {
		return nil
	}
	return func(r diff3.Run) diff3.Run {
		isBetweenItems := func(line int) bool { // the line is counted from the start of r
			return slices.Contains(itemStarts[three.Dest], r.A+line) && slices.Contains(itemStarts[three.Updated], r.B+line)
		}
		start, end := 0, r.Len
		for start < end && !isBetweenItems(start) {
			start++
		}
		for start < end && !isBetweenItems(end) {
			end--
		}
		return diff3.Run{A: r.A + start, B: r.B + start, Len: end - start}
	}
}

// trimToLongEdge decides whether the lines of r, which both sides of c share, are written once, outside of the conflict
// markers. It returns r if they are more than eight lines at the start or at the end of c, which are long to read
// twice. Otherwise it returns an empty run: such conflicts are written whole, because their sides must not be mixed by
// lines. It is an argument of diff3's SplitHunks.
func (c *Conflict) trimToLongEdge(r diff3.Run) diff3.Run {
	ours, theirs := bytes.Count(c.Texts[three.Dest], lf), bytes.Count(c.Texts[three.Updated], lf)
	isAtStart := r.A == 0 && r.B == 0
	isAtEnd := r.A+r.Len == ours && r.B+r.Len == theirs
	if (isAtStart || isAtEnd) && r.Len > 8 { // long to read twice
		return r
	}
	r.Len = 0
	return r
}

// lineVersions returns the three texts of a conflict in a form that can be aligned by lines.
func lineVersions(texts [3][]byte) *diff3.Versions {
	return diff3.NewVersions(texts[three.Original], texts[three.Dest], texts[three.Updated])
}

// Marked is a page as a file with git's conflict markers: at column 0, around whole lines. Bytes is the file. Marks
// are the places of its hunks, in the order of the file.
type Marked struct {
	text.Markers
	Bytes []byte
	Marks []Mark

	r       *Renderer
	bom     bool           // whether the file has a byte order mark
	line    int            // the line at the end of Bytes, from 1
	pending []conflictHunk // the hunks at the end of the file that are not written yet
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

// Write returns the page p as a file with conflict markers in the style m.Style. Conflicts that directly follow each
// other usually share a hunk, as in git. bom says that the file has a byte order mark: at the start of the file, each
// version in a hunk then gets one. If the file starts with other text, the caller adds the mark.
func (r *Renderer) Write(p *Page, m text.Markers, bom bool) *Marked {
	w := &Marked{Markers: m, r: r, line: 1, bom: bom}
	for _, x := range p.Parts {
		if x.Conflict == nil {
			w.writeShared(x.Text)
		} else {
			w.writeConflict(x.Conflict)
		}
	}
	w.writePending()
	return w
}

// writeConflict writes the conflict c with markers, split into hunks at lines that its versions share. Hunks at its end
// may not be written yet: they remain pending, so that they can share markers with the next conflict.
func (w *Marked) writeConflict(c *Conflict) {
	switch {
	case c.LineMerge != nil: // written as git writes it, so never joined with others
		w.writePending()
		w.writeLineMergeConflict(c)
	case c.Kind == plan.ConflictEncrypted || c.Kind == plan.ConflictAccess: // the sides must not be mixed by lines
		w.writePending()
		w.addHunks(c, lineVersions(c.Texts).SplitHunks(text.StyleZdiff3, c.trimToLongEdge))
		w.writePending()
	default:
		w.addHunks(c, lineVersions(c.Texts).SplitHunks(w.Style, trimToItems(c.ItemStarts)))
	}
}

// addHunks adds the hunks of the conflict c to the pending ones, which are written together later. At a hunk of lines
// that the sides share (Same), the pending hunks are written first, and then these lines, without markers.
func (w *Marked) addHunks(c *Conflict, hunks []diff3.Hunk) {
	for _, h := range hunks {
		if h.Same {
			w.writeShared(h.Text[three.Dest])
		} else {
			w.pending = append(w.pending, conflictHunk{c, h})
		}
	}
}

// writeShared writes the pending hunks and then b, text outside of conflict markers.
func (w *Marked) writeShared(b []byte) {
	w.writePending()
	w.writeText(b)
}

// writeText appends b to the file and counts its lines.
func (w *Marked) writeText(b []byte) {
	w.Bytes = append(w.Bytes, b...)
	w.line += bytes.Count(b, []byte("\n"))
}

// writeLineMergeConflict writes the conflict c of a line merge exactly as git writes it in the style of w. c.LineMerge
// must be set. If git splits the conflict into several hunks, each gets a Mark, with the lines of the whole conflict.
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

// writeHunk writes one hunk with conflict markers, and adds Marks, the places of its conflicts. h is the hunk, with the
// text of each version; Same must not be set. shares are the lines in h that belong to each conflict: one Mark is added
// for each. If the file has a byte order mark and starts with h, each version with text gets one.
func (w *Marked) writeHunk(h diff3.Hunk, shares []conflictHunk) {
	for _, c := range shares {
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

// newMark returns the Mark of one hunk of the conflict c. h is the hunk, and line the line of its opening marker in the
// written file. A version in which c has no place gets no text and line 0.
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

// A joinedHunk is a pending hunk of a conflict, and its place in the text of all pending hunks: it has the lines from
// start up to end of this text, in each version.
type joinedHunk struct {
	conflictHunk
	start, end [3]int
}

// writePending writes the pending hunks of one or more conflicts, between which there is no text. As git does, it joins
// them, because adjacent changes usually belong together, and splits the whole again at lines that the sides share. If
// the sides are equal in total, the hunks are written one by one. Each written hunk gets a Mark for every conflict in
// it.
func (w *Marked) writePending() {
	pending := w.pending
	w.pending = nil
	texts, parts := joinHunks(pending)
	// sides that are equal in total would give a joined hunk without a difference
	if len(pending) < 2 || bytes.Equal(texts[three.Dest], texts[three.Updated]) {
		for _, c := range pending {
			w.writeHunk(c.Hunk, []conflictHunk{c})
		}
		return
	}
	joined := lineVersions(texts)
	for _, h := range joined.SplitHunks(w.Style, nil) {
		if h.Same {
			w.writeText(h.Text[three.Dest])
			continue
		}
		for len(parts) > 0 && !isGreaterInAny(parts[0].end, h.From) { // it ends before h
			parts = parts[1:]
		}
		w.writeHunk(h, cutToHunk(parts, h, joined))
	}
}

// joinHunks returns the text of the hunks, one after another, in each version, and the hunks with their place in it.
func joinHunks(hunks []conflictHunk) (texts [3][]byte, parts []joinedHunk) {
	var end [3]int
	for _, c := range hunks {
		start := end
		for s, b := range c.Text {
			texts[s] = append(texts[s], b...)
			end[s] += c.To[s] - c.From[s]
		}
		parts = append(parts, joinedHunk{c, start, end})
	}
	return texts, parts
}

// cutToHunk returns the lines that each conflict has in h, a hunk of joined conflicts, so that each can get a Mark.
// parts are the pending hunks that do not end before h, with their lines in joined, the text of all pending hunks
// together:
//
//	parts                      h            result
//	lines 0 to 3, 3 to 5       2 to 4       2 to 3 of the first, 3 to 4 of the second
func cutToHunk(parts []joinedHunk, h diff3.Hunk, joined *diff3.Versions) (cut []conflictHunk) {
	for _, part := range parts {
		if !isGreaterInAny(h.To, part.start) { // this part and the next ones start after h
			break
		}
		var from, to [3]int // the lines of joined that are in both
		c := part.conflictHunk
		for s := range from {
			from[s] = max(part.start[s], h.From[s])
			to[s] = max(from[s], min(part.end[s], h.To[s]))
			shift := part.From[s] - part.start[s] // from the lines of joined to the lines of the conflict
			c.From[s], c.To[s] = from[s]+shift, to[s]+shift
		}
		if from != to {
			c.Text = joined.Slice(from, to)
			cut = append(cut, c)
		}
	}
	return cut
}

// isGreaterInAny reports whether a is greater than b in at least one version.
func isGreaterInAny(a, b [3]int) bool { return a[0] > b[0] || a[1] > b[1] || a[2] > b[2] }
