package page

import (
	"bytes"
	"iter"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Found says where the conflicts of a page stand in a file that was written from it
// and edited.
type Found struct {
	// Open says of which conflicts the markers stand there.
	Open map[*Conflict]bool
	at   map[*Conflict]text.Span // what stands in the place of a conflict
	file []byte
}

// Text is what stands in the place of c.
func (f *Found) Text(c *Conflict) string { return string(f.file[f.at[c].Start:f.at[c].End]) }

// Line is the line, from 1, at which that starts.
func (f *Found) Line(c *Conflict) int { return 1 + bytes.Count(f.file[:f.at[c].Start], []byte("\n")) }

// Find returns where p stands in a file that was written from it with the markers
// m; nil if the file differs outside of the conflicts. With loose, what replaced a
// conflict may hold markers.
func (r *Renderer) Find(p *Page, file []byte, m text.Markers, bom, loose bool) *Found {
	f := &finder{
		Found: Found{Open: map[*Conflict]bool{}, at: map[*Conflict]text.Span{}, file: file},
		r:     r, page: p, markers: m, bom: bom, loose: loose, failed: map[[2]int]bool{},
	}
	if !f.from(0, 0) {
		return nil
	}
	return &f.Found
}

// finder finds the parts of a page one after the other.
type finder struct {
	Found
	r       *Renderer
	page    *Page
	markers text.Markers
	bom     bool
	loose   bool
	failed  map[[2]int]bool // part and offset
}

// from reports whether the file from off on is the parts from i on.
func (f *finder) from(i, off int) bool {
	parts := f.page.Parts
	switch {
	case i == len(parts):
		return off == len(f.file)
	case f.failed[[2]int{i, off}]:
		return false
	}
	if t := parts[i].Text; parts[i].Conflict == nil {
		return bytes.HasPrefix(f.file[off:], t) && f.from(i+1, off+len(t))
	}
	for j, end := range f.ends(i, off) {
		if !f.from(j, end) {
			continue
		}
		f.at[parts[i].Conflict] = text.Span{Start: off, End: end}
		for _, p := range parts[i+1 : j] {
			f.at[p.Conflict] = text.Span{Start: end, End: end}
		}
		return true
	}
	f.failed[[2]int{i, off}] = true
	return false
}

// ends yields where the text may end that replaced the conflicts from part i on and
// starts at off: the part behind them, and the offset. It tries the likeliest first:
// the conflicts as they were marked, as many in a row as there are; one of the texts
// that most people choose for the first; any number of lines for all of them.
func (f *finder) ends(i, off int) iter.Seq2[int, int] {
	parts, rest := f.page.Parts, f.file[off:]
	last := i + 1
	for last < len(parts) && parts[last].Conflict != nil {
		last++
	}
	return func(yield func(int, int) bool) {
		for j := last; j > i; j-- {
			if known := f.marked(parts[i:j]); bytes.HasPrefix(rest, known) {
				f.mark(parts[i:j], true)
				if !yield(j, off+len(known)) {
					return
				}
				f.mark(parts[i:j], false)
			}
		}
		for _, known := range parts[i].Conflict.likely(f.r.Break) {
			if bytes.HasPrefix(rest, known) && !yield(i+1, off+len(known)) {
				return
			}
		}
		for end, next := off, 1; next > 0; end += next {
			if !yield(last, end) {
				return
			}
			next = bytes.IndexByte(f.file[end:], '\n') + 1
			if !f.loose && text.FirstMarkerLine(f.file[end:end+next], f.markers.Size) > 0 {
				return
			}
		}
	}
}

// mark notes whether the markers of the conflicts in parts were found.
func (f *finder) mark(parts []Part, open bool) {
	for _, p := range parts {
		f.Open[p.Conflict] = open
	}
}

// marked is conflicts that follow each other, between markers.
func (f *finder) marked(parts []Part) []byte {
	bom := f.bom && parts[0].Conflict == f.page.Parts[0].Conflict
	return f.r.Write(&Page{Parts: parts}, f.markers, bom).Bytes
}
