package merge

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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
	file = x.unify(file)
	failed := ErrEdited
	for _, style := range x.styles() {
		k := x.m.markers()
		k.Style = style
		r, err := x.read(file, k)
		if err == nil {
			err = x.adopt(r)
		}
		switch {
		case err == nil:
			x.m.opts.Markers = func() Markers { return k }
			return nil
		case failed == ErrEdited:
			failed = err
		}
	}
	return failed
}

// unify gives a file the form in which the page is written.
func (x *Resolution) unify(file []byte) []byte {
	merged, f := x.m.in.Merged, read.FormOf(file)
	if x.merged.Method == Delegated {
		return merged.Breaks(file, f)
	}
	return merged.Unify(file, f)
}

// read finds the conflicts in a file that marks them as k says.
func (x *Resolution) read(file []byte, k Markers) (*reader, error) {
	for _, loose := range []bool{false, true} {
		r := &reader{x: x, markers: k, file: file, loose: loose, at: map[*page.Conflict]text.Span{}, open: map[*page.Conflict]bool{}, failed: map[[2]int]bool{}}
		switch {
		case !r.from(0, 0):
		case loose:
			return nil, ErrHalfResolved
		default:
			return r, nil
		}
	}
	return nil, ErrEdited
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
	loose   bool                         // there may be markers in an answer
	at      map[*page.Conflict]text.Span // what stands in the place of a conflict
	open    map[*page.Conflict]bool      // its markers stand there
	failed  map[[2]int]bool              // part and offset
}

// from reports whether the file from off on is the parts from i on.
func (r *reader) from(i, off int) bool {
	parts := r.x.page.Parts
	switch {
	case i == len(parts):
		return off == len(r.file)
	case r.failed[[2]int{i, off}]:
		return false
	}
	if t := parts[i].Text; parts[i].Conflict == nil {
		return bytes.HasPrefix(r.file[off:], t) && r.from(i+1, off+len(t))
	}
	for j, end := range r.ends(i, off) {
		if !r.from(j, end) {
			continue
		}
		r.at[parts[i].Conflict] = text.Span{Start: off, End: end}
		for _, p := range parts[i+1 : j] {
			r.at[p.Conflict] = text.Span{Start: end, End: end}
		}
		return true
	}
	r.failed[[2]int{i, off}] = true
	return false
}

// ends yields up to which part, and where, the text in the place of the conflicts
// from i on may end that starts at off: first the conflicts that follow
// each other between their markers, as many as there are; then what likely
// stands for the first of them; then, for all of them, what stands before any line
// up to the next marker.
func (r *reader) ends(i, off int) iter.Seq2[int, int] {
	parts, rest := r.x.page.Parts, r.file[off:]
	last := i + 1
	for last < len(parts) && parts[last].Conflict != nil {
		last++
	}
	return func(yield func(int, int) bool) {
		for j := last; j > i; j-- {
			if known := r.marked(parts[i:j]); bytes.HasPrefix(rest, known) {
				r.mark(parts[i:j], true)
				if !yield(j, off+len(known)) {
					return
				}
				r.mark(parts[i:j], false)
			}
		}
		for _, known := range parts[i].Conflict.Likely(r.x.r.Break) {
			if bytes.HasPrefix(rest, known) && !yield(i+1, off+len(known)) {
				return
			}
		}
		for end, next := off, 1; next > 0; end += next {
			if !yield(last, end) {
				return
			}
			next = bytes.IndexByte(r.file[end:], '\n') + 1
			if !r.loose && r.x.m.markerIn(r.file[end:end+next]) > 0 {
				return
			}
		}
	}
}

// mark notes whether the markers of the conflicts in parts were found.
func (r *reader) mark(parts []page.Part, open bool) {
	for _, p := range parts {
		r.open[p.Conflict] = open
	}
}

// marked is conflicts that follow each other, between markers.
func (r *reader) marked(parts []page.Part) []byte {
	bom := r.x.m.in.Merged.Bom && parts[0].Conflict == r.x.page.Parts[0].Conflict
	return r.x.r.Write(&page.Page{Parts: parts}, lineMarkers(r.markers), bom).Bytes
}

// adopt takes the answers from what was found. Where the team's rules decide
// otherwise, the file counts.
func (x *Resolution) adopt(r *reader) error {
	y := *x
	y.ruled, y.clashes, y.answers = map[*page.Conflict]page.Verdict{}, nil, nil
	for _, c := range x.page.Conflicts() {
		a := r.answer(c)
		if v, ok := x.ruled[c]; ok && (a.Take == Undecided || r.found(c) == string(v.Text)) {
			y.ruled[c] = v
			continue
		}
		y.clashes, y.answers = append(y.clashes, c), append(y.answers, a)
	}
	for _, s := range three.Sides {
		if x.unread {
			break
		}
		b, at := y.chosen(y.answers, s)
		if _, err := syntax.Parse(text.New(b)); err != nil {
			return r.unreadable(err, b, at)
		}
	}
	*x = y
	return nil
}

// unreadable is the error for a file that is no YAML with what was found: b is
// that file with one side at what is open, and at the conflicts in it.
func (r *reader) unreadable(err error, b []byte, at map[*page.Conflict]text.Span) *AnswerError {
	for _, c := range r.x.page.Conflicts() {
		if readable(b[:at[c].End]) {
			continue
		}
		e := unreadable(err, b, at[c])
		e.FileLine = bytes.Count(r.file[:r.at[c].Start], []byte("\n")) + max(e.Line, 1)
		e.Line = 0
		return e
	}
	return unreadable(err, b, text.Span{})
}

// found is what stands in the place of c.
func (r *reader) found(c *page.Conflict) string { return string(r.file[r.at[c].Start:r.at[c].End]) }

// answer tells the answer to c from what was found.
func (r *reader) answer(c *page.Conflict) Answer {
	if r.open[c] {
		return Answer{}
	}
	switch found := r.found(c); found {
	case string(c.Alt[three.Dest]):
		return Answer{Take: TakeOurs}
	case string(c.Alt[three.Updated]):
		return Answer{Take: TakeTheirs}
	case string(c.Alt[three.Original]):
		return Answer{Take: TakeBase}
	case string(c.Both(r.x.r.Break)):
		if c.BothMayStand() {
			return Answer{Take: TakeBoth}
		}
		fallthrough
	default:
		return Answer{Take: TakeText, Text: found}
	}
}
