package merge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// An AnswerError says why the answer to a question is not accepted.
type AnswerError struct {
	// Line and Column, from 1, are the place in the text of the answer; 0 where
	// it is not there.
	Line, Column int
	// FileLine is then the line of the file as the answer would make it, with
	// one side at every conflict that is left; 0 if there is none. Of Resume,
	// it is the line of the file.
	FileLine int
	Msg      string
	// Anchor is one that the file lacks then, because its conflict is not decided.
	Anchor string
	// Unproven says that the file is YAML all the same: Answer.Unproven
	// accepts it.
	Unproven bool
}

// Error says why, behind the place if there is one.
func (e *AnswerError) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("line %d, column %d of the text: %s", e.Line, max(e.Column, 1), e.Msg)
	case e.FileLine > 0:
		return fmt.Sprintf("line %d of the file: %s", e.FileLine, e.Msg)
	}
	return e.Msg
}

// prove returns why the file may not be written with these answers, the last
// of which is that to c; with either side at the conflicts that are left.
func (x *Resolution) prove(answers []Answer, c *page.Conflict) (unproven *AnswerError) {
	for _, s := range three.Sides {
		if x.unread {
			break
		}
		b, at := x.chosen(answers, s)
		st, err := treeOf(b)
		switch {
		case err != nil:
			return unreadable(err, b, at[c])
		case c.Lines != nil:
			continue
		}
		if e := st.DoubledKey(); e != nil {
			return x.twice(e, st.File, at[c])
		}
		if r := x.judged(answers, s, st, at); r != nil && unproven == nil {
			unproven = &AnswerError{Msg: r.Error(), Unproven: true}
		}
	}
	return unproven
}

// twice is the error for a key that stands twice; it can be accepted where a
// version of the file has one twice already.
func (x *Resolution) twice(e *syntax.Entry, f *text.File, at text.Span) *AnswerError {
	err := &AnswerError{Msg: fmt.Sprintf("the key %q occurs twice in its mapping", e.Key.Value)}
	had := func(st *syntax.Stream) bool { return st.DoubledKey() != nil }
	if s := slices.IndexFunc(x.m.in.Streams[:], had); s >= 0 {
		err.Unproven = true
		err.Msg += ", as one does in " + three.Names[s] + " already"
	}
	pos := f.Position(e.Start)
	if at.Contains(text.Span{Start: e.Start, End: e.Start}) && !at.Empty() {
		err.Line, err.Column = 1+pos.Line-f.Line(at.Start), pos.Column
	} else {
		err.FileLine = pos.Line
	}
	return err
}

// unreadable is the error for a file that is no YAML with the text at at. The
// parser often names the start of the mapping that it is in; so the line is
// the one that the file stops to be YAML with, where it ends there.
func unreadable(err error, file []byte, at text.Span) *AnswerError {
	e := &AnswerError{Msg: err.Error()}
	if known, ok := errors.AsType[*syntax.Error](err); ok {
		e.Msg, e.FileLine, e.Anchor = known.Msg, known.Line, known.Anchor
	}
	lines := slices.Collect(bytes.Lines(file[at.Start:at.End]))
	if len(lines) == 0 || len(lines) > maxLocated {
		return e
	}
	n, end := len(lines), at.End
	for n > 0 && !readable(file[:end]) {
		n--
		end -= len(lines[n])
	}
	if n == len(lines) {
		n--
		e.Msg = "what follows does not fit: " + e.Msg
	}
	blanks := len(lines[n]) - len(bytes.TrimLeft(lines[n], " \t"))
	e.Line, e.Column, e.FileLine = n+1, blanks+1, 0
	return e
}

// maxLocated is how many lines a text may have for its mistake to be looked for.
const maxLocated = 200

func readable(b []byte) bool {
	_, err := treeOf(b)
	return err == nil
}

// treeOf reads a file on its own: as YAML, as JSON with what YAML has not, or as a template if it is
// none of these or has entries in blocks that stand in comments. The error is that of YAML.
func treeOf(b []byte) (*syntax.Stream, error) {
	if masked, _, ok := text.JSON(b); ok && !bytes.Equal(masked, b) {
		return syntax.ParseAs(text.New(b), masked, nil)
	}
	st, err := syntax.Parse(text.New(b))
	if err == nil && !template.BlocksInComments(b) || !template.Holds(b) {
		return st, err
	}
	if r, bad := template.Read(text.New(b)); bad == nil && (err != nil || r.HasGuards()) {
		return r.Stream, nil
	}
	return st, err
}

// chosen is the file with the answers, and side s at what is left, and where
// in it each conflict stands.
func (x *Resolution) chosen(answers []Answer, s three.Side) (b []byte, at map[*page.Conflict]text.Span) {
	at = map[*page.Conflict]text.Span{}
	judge := x.judge(answers)
	for _, p := range x.page.Parts {
		if p.Conflict == nil {
			b = append(b, p.Text...)
			continue
		}
		start := len(b)
		if v, ok := judge(p.Conflict); ok {
			b = append(b, v.Text...)
		} else {
			b = append(b, p.Conflict.Alt[s]...)
		}
		at[p.Conflict] = text.Span{Start: start, End: len(b)}
	}
	return b, at
}

// judged is what the verifier says of st, the file with side s at what is left.
func (x *Resolution) judged(answers []Answer, s three.Side, st *syntax.Stream, at map[*page.Conflict]text.Span) *verify.Violation {
	var open []verify.Conflict
	for _, c := range x.page.Conflicts() {
		o := verify.Conflict{At: c.At}
		take := Take(x.ruled[c].Took)
		if i := slices.Index(x.open, c); i >= 0 {
			take = answers[i].Take
		}
		switch take {
		case Undecided:
			o.Taken = s
		case TakeBoth:
			continue // as if nothing had been in conflict
		case TakeHighest, TakeLowest:
			side, _ := extreme(c, take)
			o.Taken = side
		case TakeOurs:
			o.Taken = three.Dest
		case TakeTheirs:
			o.Taken = three.Updated
		default:
			o.Taken, o.Result = verify.Result, at[c]
		}
		open = append(open, o)
	}
	return verify.Check(x.m.proof.Claim(st, open...))
}

// judge decides as the rules and the answers do.
func (x *Resolution) judge(answers []Answer) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		if v, ok := x.ruled[c]; ok {
			return v, true
		}
		return x.verdict(c, answers[slices.Index(x.open, c)])
	}
}

// verdict is what an answer says at c.
func (x *Resolution) verdict(c *page.Conflict, a Answer) (v page.Verdict, ok bool) {
	switch a.Take {
	case TakeOurs:
		v = c.Taken(three.Dest, Decision{})
	case TakeTheirs:
		v = c.Taken(three.Updated, Decision{})
	case TakeHighest, TakeLowest:
		s, _ := extreme(c, a.Take)
		if v, ok = c.Valued(x.m.in.Streams, s, Decision{}); !ok {
			v = c.Taken(s, Decision{})
		}
	case TakeBase:
		v = page.Verdict{Text: c.Alt[three.Original]}
	case TakeBoth:
		v = page.Verdict{Text: c.Both(x.r.Break)}
	case TakeText:
		v = page.Verdict{Text: x.lines(a.Text)}
	default:
		return v, false
	}
	v.By = Decision{Side: string(a.Take)}
	return v, true
}

// extreme returns the side whose value is the highest or lowest; false where
// that cannot be told.
func extreme(c *page.Conflict, t Take) (three.Side, bool) {
	if c.Child == nil || c.Kind != plan.ConflictValue {
		return three.Original, false
	}
	return c.Preferred(schema.Policy(t))
}

// lines is a text of a person in whole lines, with the breaks of the file.
func (x *Resolution) lines(text string) []byte {
	if text == "" {
		return nil
	}
	if !strings.HasSuffix(text, "\n") {
		text += string(x.r.Break)
	}
	if nl := x.m.in.Merged.Newline; nl != "" { // the file's lines all end so
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", nl)
	}
	return []byte(text)
}

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
	merged, f := x.m.in.Merged, read.FormOf(file)
	if x.merged.Method == Delegated {
		file = merged.Breaks(file, f)
	} else {
		file = merged.Unify(file, f)
	}
	failed := ErrEdited
	k := x.m.markers()
	for _, style := range []Style{k.Style, StyleMerge, StyleDiff3, StyleZdiff3} {
		k.Style = style
		err := ErrEdited
		if found := x.r.Find(x.page, file, k, merged.Bom, false); found != nil {
			err = x.adopt(found)
		} else if x.r.Find(x.page, file, k, merged.Bom, true) != nil {
			err = ErrHalfResolved
		}
		if err == nil {
			x.m.opts.Markers = func() Markers { return k }
			return nil
		}
		if failed == ErrEdited {
			failed = err
		}
	}
	return failed
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
		_, err := treeOf(b)
		if err == nil {
			continue
		}
		for _, c := range x.page.Conflicts() { // the first with which it stops being YAML
			if !readable(b[:at[c].End]) {
				e := unreadable(err, b, at[c])
				e.FileLine, e.Line = f.Line(c)+max(e.Line, 1)-1, 0
				return e
			}
		}
		return unreadable(err, b, text.Span{})
	}
	*x = y
	return nil
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
