package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Why a file cannot be resumed.
var (
	// ErrEdited says that lines outside of the conflicts differ from the merge.
	ErrEdited = errors.New("edited outside of its conflicts")
	// ErrHalfResolved says that a conflict has been edited, and still has markers.
	ErrHalfResolved = errors.New("a conflict in it is resolved in part")
)

// Resume reads the answers from a file that Result wrote and people edited. A
// conflict is open if its markers stand as they were written, in any style; what
// replaced the others is the answer to them. Labels and size of the markers must
// be those of the options.
//
// The error is ErrEdited, ErrHalfResolved, or an *AnswerError that says where the
// file is no YAML; the answers are unchanged then.
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

// unify gives a file the line ends, and the start and end, that the page has.
func (x *Resolution) unify(file []byte) []byte {
	merged, f := x.m.in.Merged, read.FormOf(file)
	if x.merged.Method == Delegated {
		return merged.Breaks(file, f)
	}
	return merged.Unify(file, f)
}

// read finds the conflicts in a file that marks them as k says.
func (x *Resolution) read(file []byte, k Markers) (*page.Found, error) {
	for _, loose := range []bool{false, true} {
		switch f := x.r.Find(x.page, file, k, x.m.in.Merged.Bom, loose); {
		case f == nil:
		case loose:
			return nil, ErrHalfResolved
		default:
			return f, nil
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

// adopt makes what was found the answers. Where the file and the team's rules
// disagree, the file wins.
func (x *Resolution) adopt(f *page.Found) error {
	y := *x
	y.ruled, y.open, y.answers = map[*page.Conflict]page.Verdict{}, nil, nil
	for _, c := range x.page.Conflicts() {
		a := x.answer(f, c)
		if v, ok := x.ruled[c]; ok && (a.Take == Undecided || f.Text(c) == string(v.Text)) {
			y.ruled[c] = v
			continue
		}
		y.open, y.answers = append(y.open, c), append(y.answers, a)
	}
	for _, s := range three.Sides {
		if x.unread {
			break
		}
		b, at := y.chosen(y.answers, s)
		if _, err := treeOf(b); err != nil {
			return x.unreadable(f, err, b, at)
		}
	}
	*x = y
	return nil
}

// unreadable says at which answer b stops being YAML: the file with one side at the
// open conflicts, each conflict standing at its span in at.
func (x *Resolution) unreadable(f *page.Found, err error, b []byte, at map[*page.Conflict]text.Span) *AnswerError {
	for _, c := range x.page.Conflicts() {
		if readable(b[:at[c].End]) {
			continue
		}
		e := unreadable(err, b, at[c])
		e.FileLine = f.Line(c) + max(e.Line, 1) - 1
		e.Line = 0
		return e
	}
	return unreadable(err, b, text.Span{})
}

// answer is the answer to c: a side or the base where the text is theirs.
func (x *Resolution) answer(f *page.Found, c *page.Conflict) Answer {
	if f.Open[c] {
		return Answer{}
	}
	switch found := f.Text(c); found {
	case string(c.Alt[three.Dest]):
		return Answer{Take: TakeOurs}
	case string(c.Alt[three.Updated]):
		return Answer{Take: TakeTheirs}
	case string(c.Alt[three.Original]):
		return Answer{Take: TakeBase}
	case string(c.Both(x.r.Break)):
		if c.BothMayStand() {
			return Answer{Take: TakeBoth}
		}
		fallthrough
	default:
		return Answer{Take: TakeText, Text: found}
	}
}
