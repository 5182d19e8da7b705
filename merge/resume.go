package merge

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Why a file cannot be resumed.
var (
	// ErrEdited says that it differs from the merge outside of the conflicts.
	ErrEdited = errors.New("edited outside of its conflicts")
	// ErrHalfResolved says that markers of a conflict stand in it that is not
	// as the merge left it.
	ErrHalfResolved = errors.New("a conflict in it is resolved in part")
)

// Resume takes the answers from a file that Result wrote and that people went
// on with: a conflict whose markers are as they were written is open, in
// whichever style, and what stands in the place of the others is their answer.
// The labels and the size of the markers have to be those of the options.
//
// The error is ErrEdited or ErrHalfResolved, or says where the file is no YAML
// as an *AnswerError; all is as it was then.
func (x *Resolution) Resume(file []byte) error {
	if x.page == nil {
		return ErrEdited
	}
	file = x.m.in.merged.unify(file, frameOf(file))
	failed := ErrEdited
	for _, style := range x.styles() {
		k := x.m.markers()
		k.Style = style
		answers, err := x.read(file, k)
		switch {
		case err == nil:
			x.m.opts.Markers = func() Markers { return k }
			x.answers = answers
			return nil
		case failed == ErrEdited:
			failed = err
		}
	}
	return failed
}

// read reads the answers from a file in which conflicts are marked as k says.
func (x *Resolution) read(file []byte, k Markers) ([]Answer, error) {
	r := &reader{x: x, markers: k, file: file, texts: map[*marked]string{}, failed: map[[2]int]bool{}}
	if !r.from(0, 0) {
		return nil, ErrEdited
	}
	return r.answers()
}

// styles are the styles of conflicts, that of the options first.
func (x *Resolution) styles() []Style {
	first := x.m.markers().Style
	all := []Style{StyleMerge, StyleDiff3, StyleZdiff3}
	return append([]Style{first}, slices.DeleteFunc(all, func(s Style) bool { return s == first })...)
}

// A reader finds the parts of a page in a file that was written from it.
type reader struct {
	x       *Resolution
	markers Markers
	file    []byte
	texts   map[*marked]string // what stands in the place of a conflict
	failed  map[[2]int]bool    // part and offset
}

// from reports whether the file from off on is the parts from i on.
func (r *reader) from(i, off int) bool {
	parts := r.x.page.parts
	switch {
	case i == len(parts):
		return off == len(r.file)
	case r.failed[[2]int{i, off}]:
		return false
	}
	if t := parts[i].text; parts[i].clash == nil {
		return bytes.HasPrefix(r.file[off:], t) && r.from(i+1, off+len(t))
	}
	for end := range r.ends(i, off) {
		if r.from(i+1, end) {
			r.texts[parts[i].clash] = string(r.file[off:end])
			return true
		}
	}
	r.failed[[2]int{i, off}] = true
	return false
}

// ends yields where the text in the place of conflict i may end that starts
// at off: the likely ones first, then before any line, unless another conflict
// follows at once.
func (r *reader) ends(i, off int) iter.Seq[int] {
	parts := r.x.page.parts
	c, rest := parts[i].clash, r.file[off:]
	adjacent := i+1 < len(parts) && parts[i+1].clash != nil
	return func(yield func(int) bool) {
		for _, known := range [][]byte{r.marked(c), c.alt[dest], c.alt[updated], c.alt[original], slices.Concat(c.alt[dest], c.alt[updated])} {
			if bytes.HasPrefix(rest, known) && !yield(off+len(known)) {
				return
			}
		}
		for end, next := off, 1; !adjacent && next > 0; end += next {
			if !yield(end) {
				return
			}
			next = bytes.IndexByte(r.file[end:], '\n') + 1
		}
	}
}

// marked is c between markers.
func (r *reader) marked(c *marked) []byte {
	bom := r.x.m.in.merged.bom && c == r.x.page.parts[0].clash
	b, _ := r.x.r.write(&page{parts: []part{{clash: c}}}, r.markers, bom)
	return b
}

// answers tells the answers from what was found.
func (r *reader) answers() ([]Answer, error) {
	x := r.x
	answers := make([]Answer, len(x.clashes))
	for i, c := range x.clashes {
		found := r.texts[c]
		switch {
		case found == string(r.marked(c)):
			continue
		case x.m.markerIn([]byte(found)) > 0:
			return nil, ErrHalfResolved
		case found == string(c.alt[dest]):
			answers[i].Take = TakeOurs
		case found == string(c.alt[updated]):
			answers[i].Take = TakeTheirs
		case found == string(c.alt[original]):
			answers[i].Take = TakeBase
		case c.bothMayStand() && found == string(c.alt[dest])+string(c.alt[updated]):
			answers[i].Take = TakeBoth
		default:
			answers[i] = Answer{Take: TakeText, Text: found}
		}
	}
	for c, v := range x.ruled {
		if r.texts[c] != string(v.text) {
			return nil, ErrEdited
		}
	}
	for _, s := range sides {
		b, _ := x.chosen(answers, s)
		if _, err := syntax.Parse(text.New(b)); err != nil {
			return nil, unreadable(err, b, text.Span{})
		}
	}
	return answers, nil
}
