package page

import (
	"bytes"
	"iter"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FoundConflicts holds, for each conflict of a page, the text that a user put in its place. It belongs to one file,
// which was written from the page with conflict markers and then edited.
type FoundConflicts struct {
	// Open reports for each conflict whether its markers are still in the file.
	Open  map[*Conflict]bool
	spans map[*Conflict]text.Span // the text that replaced a conflict
	file  []byte
}

// Text returns the text in the file that a user put in place of c.
func (f *FoundConflicts) Text(c *Conflict) string {
	return string(f.file[f.spans[c].Start:f.spans[c].End])
}

// Line returns the line of the file, from 1, at which the text in place of c starts.
func (f *FoundConflicts) Line(c *Conflict) int {
	return 1 + bytes.Count(f.file[:f.spans[c].Start], []byte("\n"))
}

// Find finds out what replaced each conflict of p in file. Write wrote this file with the markers m and with bom, and
// the user edited it. A conflict may be replaced by one of these:
//
//   - its hunks, unchanged
//   - the text of a version, or of both sides (likelyTexts)
//   - nothing, or any whole lines; they may look like conflict markers only with allowMarkers
//
// It returns nil if a conflict is replaced by anything else, or if text outside of the conflicts changed.
func (r *Renderer) Find(p *Page, file []byte, m text.Markers, bom, allowMarkers bool) *FoundConflicts {
	f := &finder{
		FoundConflicts: FoundConflicts{Open: map[*Conflict]bool{}, spans: map[*Conflict]text.Span{}, file: file},
		r:              r, page: p, markers: m, bom: bom, allowMarkers: allowMarkers, failed: map[[2]int]bool{},
	}
	if !f.matchFrom(0, 0) {
		return nil
	}
	return &f.FoundConflicts
}

// finder finds the conflicts of a page in a file, part by part from the start. If a part does not match, it tries the
// next possible end of the conflict before it.
type finder struct {
	FoundConflicts
	r            *Renderer
	page         *Page
	markers      text.Markers
	bom          bool
	allowMarkers bool
	failed       map[[2]int]bool // the arguments for which matchFrom failed
}

// matchFrom reports whether the rest of the file, from the offset off, matches the rest of the page, from the part with
// the index i. Text must be identical. The text in place of a conflict may end at any of the candidates; the first one
// is chosen with which the parts after it match, too. f.spans and f.Open are then set for these conflicts.
func (f *finder) matchFrom(i, off int) bool {
	parts := f.page.Parts
	switch {
	case i == len(parts):
		return off == len(f.file)
	case f.failed[[2]int{i, off}]:
		return false
	}
	if t := parts[i].Text; parts[i].Conflict == nil {
		return bytes.HasPrefix(f.file[off:], t) && f.matchFrom(i+1, off+len(t))
	}
	for c := range f.candidates(i, off) {
		if !f.matchFrom(c.next, c.end) {
			continue
		}
		f.spans[parts[i].Conflict], f.Open[parts[i].Conflict] = text.Span{Start: off, End: c.end}, c.isOpen
		for _, p := range parts[i+1 : c.next] { // the first conflict has all of the text
			f.spans[p.Conflict], f.Open[p.Conflict] = text.Span{Start: c.end, End: c.end}, c.isOpen
		}
		return true
	}
	f.failed[[2]int{i, off}] = true
	return false
}

// A candidate is a possible end of the text that replaced one or more conflicts: an offset in the file. next is the
// index of the part after these conflicts. isOpen reports whether the text is their unchanged hunks.
type candidate struct {
	next, end int
	isOpen    bool
}

// candidates yields the places in the file at which the text in place of the conflict parts[i] may end. The text starts
// at off. It may also be in place of the conflicts that follow directly. The likeliest places come first:
//
//   - the ends of unchanged hunks, of all of these conflicts or of fewer
//   - the ends of likely texts of parts[i]
//   - off, for no text, and the end of each line after it, for any lines in place of all of these conflicts
func (f *finder) candidates(i, off int) iter.Seq[candidate] {
	parts, rest := f.page.Parts, f.file[off:]
	last := i + 1
	for last < len(parts) && parts[last].Conflict != nil {
		last++
	}
	return func(yield func(candidate) bool) {
		for next := last; next > i; next-- {
			hunks := f.writeMarked(parts[i:next])
			if bytes.HasPrefix(rest, hunks) && !yield(candidate{next: next, end: off + len(hunks), isOpen: true}) {
				return
			}
		}
		for _, likely := range parts[i].Conflict.likelyTexts(f.r.Streams, f.r.LineBreak) {
			if bytes.HasPrefix(rest, likely) && !yield(candidate{next: i + 1, end: off + len(likely)}) {
				return
			}
		}
		end := off
		if !yield(candidate{next: last, end: end}) {
			return
		}
		for line := range bytes.Lines(rest) {
			isMarker := !f.allowMarkers && text.FirstMarkerLine(line, f.markers.Size) > 0
			end += len(line)
			if isMarker || !yield(candidate{next: last, end: end}) {
				return
			}
		}
	}
}

// writeMarked returns the text that Renderer.Write wrote for consecutive conflicts, with their markers.
func (f *finder) writeMarked(parts []Part) []byte {
	bom := f.bom && parts[0].Conflict == f.page.Parts[0].Conflict
	return f.r.Write(&Page{Parts: parts}, f.markers, bom).Bytes
}
