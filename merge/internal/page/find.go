package page

import (
	"bytes"
	"iter"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FoundConflicts are the places of a page's conflicts in a file that was written from the page and edited.
type FoundConflicts struct {
	// Open reports for each conflict whether its markers are still in the file.
	Open  map[*Conflict]bool
	spans map[*Conflict]text.Span // the text that replaced a conflict
	file  []byte
}

// Text returns the text that replaced c.
func (f *FoundConflicts) Text(c *Conflict) string {
	return string(f.file[f.spans[c].Start:f.spans[c].End])
}

// Line returns the line, from 1, at which the text that replaced c starts.
func (f *FoundConflicts) Line(c *Conflict) int {
	return 1 + bytes.Count(f.file[:f.spans[c].Start], []byte("\n"))
}

// Find returns the places of p's conflicts in a file that was written from p with the markers m and then edited. It
// returns nil if the file differs outside of the conflicts. If allowMarkers is set, the text that replaced a conflict
// may contain markers. bom is the argument with which the file was written; see Write.
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

// finder finds the parts of a page in a file, one after the other, with backtracking.
type finder struct {
	FoundConflicts
	r            *Renderer
	page         *Page
	markers      text.Markers
	bom          bool
	allowMarkers bool
	failed       map[[2]int]bool // part and offset
}

// matchFrom reports whether the file from offset off consists of the parts from index i. If so, it records the spans
// of their conflicts.
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
	for j, end := range f.candidateEnds(i, off) {
		if !f.matchFrom(j, end) {
			continue
		}
		f.spans[parts[i].Conflict] = text.Span{Start: off, End: end}
		for _, p := range parts[i+1 : j] {
			f.spans[p.Conflict] = text.Span{Start: end, End: end}
		}
		return true
	}
	f.failed[[2]int{i, off}] = true
	return false
}

// candidateEnds yields places at which the text that replaced the conflicts from part i may end. The text starts at
// off. Each place is the index of the next part and an offset. The likeliest places come first: consecutive conflicts
// with their markers, as many as there are; then likely texts of the first conflict; then any number of lines for all
// of the conflicts.
func (f *finder) candidateEnds(i, off int) iter.Seq2[int, int] {
	parts, rest := f.page.Parts, f.file[off:]
	last := i + 1
	for last < len(parts) && parts[last].Conflict != nil {
		last++
	}
	return func(yield func(int, int) bool) {
		for j := last; j > i; j-- {
			if known := f.writeMarked(parts[i:j]); bytes.HasPrefix(rest, known) {
				f.setOpen(parts[i:j], true)
				if !yield(j, off+len(known)) {
					return
				}
				f.setOpen(parts[i:j], false)
			}
		}
		for _, known := range parts[i].Conflict.likelyTexts(f.r.LineBreak) {
			if bytes.HasPrefix(rest, known) && !yield(i+1, off+len(known)) {
				return
			}
		}
		for end, next := off, 1; next > 0; end += next {
			if !yield(last, end) {
				return
			}
			next = bytes.IndexByte(f.file[end:], '\n') + 1
			if !f.allowMarkers && text.FirstMarkerLine(f.file[end:end+next], f.markers.Size) > 0 {
				return
			}
		}
	}
}

// setOpen records whether the markers of the conflicts in parts were found.
func (f *finder) setOpen(parts []Part, open bool) {
	for _, p := range parts {
		f.Open[p.Conflict] = open
	}
}

// writeMarked returns the text of consecutive conflicts with their markers.
func (f *finder) writeMarked(parts []Part) []byte {
	bom := f.bom && parts[0].Conflict == f.page.Parts[0].Conflict
	return f.r.Write(&Page{Parts: parts}, f.markers, bom).Bytes
}
