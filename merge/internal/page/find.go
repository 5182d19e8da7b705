package page

import (
	"bytes"
	"iter"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FoundConflicts says where the conflicts of a page stand in a file that was written from it
// and edited.
type FoundConflicts struct {
	// Open says of which conflicts the markers stand there.
	Open  map[*Conflict]bool
	spans map[*Conflict]text.Span // what stands in the place of a conflict
	file  []byte
}

// Text is what stands in the place of c.
func (f *FoundConflicts) Text(c *Conflict) string {
	return string(f.file[f.spans[c].Start:f.spans[c].End])
}

// Line is the line, from 1, at which that starts.
func (f *FoundConflicts) Line(c *Conflict) int {
	return 1 + bytes.Count(f.file[:f.spans[c].Start], []byte("\n"))
}

// Find returns where p stands in a file that was written from it with the markers
// m; nil if the file differs outside of the conflicts. With loose, what replaced a
// conflict may hold markers.
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

// finder finds the parts of a page one after the other.
type finder struct {
	FoundConflicts
	r            *Renderer
	page         *Page
	markers      text.Markers
	bom          bool
	allowMarkers bool
	failed       map[[2]int]bool // part and offset
}

// matchFrom reports whether the file from off on is the parts from i on.
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

// candidateEnds yields where the text may end that replaced the conflicts from part i on and
// starts at off: the part behind them, and the offset. It tries the likeliest first:
// the conflicts as they were marked, as many in a row as there are; one of the texts
// that most people choose for the first; any number of lines for all of them.
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

// setOpen notes whether the markers of the conflicts in parts were found.
func (f *finder) setOpen(parts []Part, open bool) {
	for _, p := range parts {
		f.Open[p.Conflict] = open
	}
}

// writeMarked is conflicts that follow each other, between markers.
func (f *finder) writeMarked(parts []Part) []byte {
	bom := f.bom && parts[0].Conflict == f.page.Parts[0].Conflict
	return f.r.Write(&Page{Parts: parts}, f.markers, bom).Bytes
}
