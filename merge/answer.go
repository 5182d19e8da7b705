package merge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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

// A refusal is why answers do not hold, and the question whose answer is to blame; -1 if that is not known.
type refusal struct {
	question int
	*AnswerError
}

// A doubt is what cannot be proven: the answer to a question, or what is known of no question.
type doubt struct {
	question int
	about    string // "" if the question is known
}

func (r refusal) doubt() doubt {
	if r.question >= 0 {
		return doubt{question: r.question}
	}
	return doubt{r.question, r.Msg}
}

// prove returns why the file may not be written with these answers, of which some were changed, whichever side is taken at the
// conflicts that are left: it is no YAML, or has a key twice, or
//
//   - the file does not pass the verifier as a page does, with a side in place of each text and base;
//   - it does not pass with these either, where what they are about is left to a person, as in Check;
//   - a text or base is more than a decision about the entries in conflict in its place.
//
// Of a line merge, only the first and the last is asked, and nothing where it was no YAML before.
func (x *Resolution) prove(answers []Answer, changed []int) (refused []refusal) {
	for _, s := range three.Sides {
		if x.unread {
			break
		}
		b, at := x.chosen(answers, s)
		st, err := parseFile(b)
		if err != nil {
			return []refusal{x.unreadable(answers, s, changed)}
		}
		if x.merged.Method == Delegated {
			if s == three.Dest {
				refused = x.strays(answers, x.written(answers, changed), s)
			}
			continue
		}
		if all := st.DuplicateKeys(); len(all) > 0 {
			return x.twice(all, st.File, at, changed)
		}
		if len(refused) > 0 {
			continue
		}
		refused = x.judged(answers, s, b, at, changed)
	}
	return refused
}

// judged returns what cannot be proven of b, the file with side s at what is left.
func (x *Resolution) judged(answers []Answer, s three.Version, b []byte, at places, changed []int) (refused []refusal) {
	refuse := func(question int, msg string) {
		refused = append(refused, refusal{question, &AnswerError{Msg: msg, Unproven: true}})
	}
	written := x.written(answers, nil)
	plain, open := b, x.taken(answers, s, s)
	if len(written) > 0 {
		sides := slices.Clone(answers)
		for _, i := range written {
			sides[i] = Answer{}
		}
		plain, _ = x.chosen(sides, s)
	}
	for _, bad := range x.m.proof.AnswerViolations(plain, open, false) {
		refuse(x.blamed(bad, answers, at), bad.Error())
	}
	if len(written) == 0 || len(refused) > 0 {
		return refused
	}
	for _, bad := range x.m.proof.AnswerViolations(b, x.taken(answers, s, verify.Result), true) {
		isAbout := func(i int) bool { return isInConflict(bad.At, x.open[i].At) }
		if bad.Rule == "comment" || slices.ContainsFunc(written, isAbout) {
			continue // a text may have any comments, and those elsewhere are where they were
		}
		refuse(x.blamed(bad, answers, at), bad.Error())
	}
	return append(refused, x.strays(answers, x.written(answers, changed), s)...)
}

// isInConflict reports whether all that the versions have of a violation is in conflict.
func isInConflict(at [4]text.Span, conflict [3]text.Span) bool {
	there := false
	for s, c := range conflict {
		if at[s].Empty() {
			continue
		}
		if there = c.Contains(at[s]); !there {
			return false
		}
	}
	return there
}

// written returns the questions, among those given or all, whose answers are no side's: texts, what base has, and
// both edits of multiplied fields.
func (x *Resolution) written(answers []Answer, among []int) (all []int) {
	for i, a := range answers {
		if a.Take != TakeText && a.Take != TakeBase && (a.Take != TakeBoth || x.open[i].Merged == nil) {
			continue
		}
		if _, ok := slices.BinarySearch(among, i); ok || among == nil {
			all = append(all, i)
		}
	}
	return all
}

// strays returns the written answers that decide about more than what is in conflict in their place.
func (x *Resolution) strays(answers []Answer, written []int, s three.Version) (refused []refusal) {
	filled := func(fill func(i int) Answer) (f proof.FilledFile, err error) {
		with := slices.Clone(answers)
		for _, i := range written {
			with[i] = fill(i)
		}
		b, at := x.chosen(with, s)
		for _, i := range written {
			f.Places = append(f.Places, at[x.open[i]])
		}
		f.Stream, err = parseFile(b)
		return f, err
	}
	if len(written) == 0 {
		return nil
	}
	got, err := filled(func(i int) Answer { return answers[i] })
	if err != nil {
		return nil // which was refused before
	}
	var versions []proof.FilledFile
	for _, take := range []Take{TakeOurs, TakeTheirs, TakeBase} {
		if f, err := filled(func(int) Answer { return Answer{Take: take} }); err == nil {
			versions = append(versions, f)
		}
	}
	for _, stray := range proof.FindOutsideChanges(got, versions) {
		err := &AnswerError{Msg: stray.Detail, Unproven: true}
		if stray.Offset >= 0 {
			err.place(got.Stream.File, stray.Offset, got.Places[stray.Place])
		}
		refused = append(refused, refusal{written[stray.Place], err})
	}
	return refused
}

// place makes off, of a file in which the text of the answer is at at, the place of e.
func (e *AnswerError) place(f *text.File, off int, at text.Span) {
	pos := f.Position(off)
	if at.Start <= off && off < at.End {
		e.Line, e.Column = 1+pos.Line-f.Line(at.Start), pos.Column
	} else {
		e.FileLine = pos.Line
	}
}

// blamed returns the answered question that bad is about, by where it is in the result or else in the versions; -1 if it is none.
func (x *Resolution) blamed(bad *verify.Violation, answers []Answer, at places) int {
	answered := func(about func(i int) bool) int {
		for i, a := range answers {
			if a.Take != Undecided && about(i) {
				return i
			}
		}
		return -1
	}
	if i := answered(func(i int) bool { return bad.At[verify.Result].Overlaps(at[x.open[i]]) }); i >= 0 {
		return i
	}
	return answered(func(i int) bool {
		return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool { return bad.At[s].Overlaps(x.open[i].At[s]) })
	})
}

// nearest returns the changed question whose answer has off, or is the last one before it.
func (x *Resolution) nearest(off int, at places, changed []int) int {
	best := -1
	for _, i := range changed {
		if start := at[x.open[i]].Start; best < 0 || start <= off {
			best = i
		}
	}
	return best
}

// twice returns the errors for keys that are in one mapping twice; they can be accepted where a
// version of the file has one twice already.
func (x *Resolution) twice(all []*syntax.Entry, f *text.File, at places, changed []int) (refused []refusal) {
	had := func(st *syntax.Stream) bool { return st.DuplicateKey() != nil }
	before := slices.IndexFunc(x.m.in.Streams[:], had)
	for _, e := range all {
		err := &AnswerError{Msg: fmt.Sprintf("the key %q occurs twice in its mapping", e.Key.Value)}
		if before >= 0 {
			err.Unproven = true
			err.Msg += ", as one does in " + three.Names[before] + " already"
		}
		i := x.nearest(e.Start, at, changed)
		err.place(f, e.Start, x.placeOf(i, at))
		refused = append(refused, refusal{i, err})
	}
	return refused
}

// placeOf returns the place of question i, nowhere if that is -1.
func (x *Resolution) placeOf(i int, at places) text.Span {
	if i < 0 {
		return text.Span{}
	}
	return at[x.open[i]]
}

// unreadable returns why the file with side s at what is left is no YAML, and the changed question with whose answer it stops being
// that; -1 if it is none without any of them.
func (x *Resolution) unreadable(answers []Answer, s three.Version, changed []int) refusal {
	written := x.written(answers, changed)
	with := func(n int) []Answer { // n of the written answers, and the others
		some := slices.Clone(answers)
		for _, i := range written[n:] {
			some[i] = Answer{}
		}
		return some
	}
	n := sort.Search(len(written), func(n int) bool {
		b, _ := x.chosen(with(n), s)
		return !readable(b)
	})
	b, at := x.chosen(with(n), s)
	i := -1
	switch {
	case n > 0:
		i = written[n-1]
	case len(changed) == 1:
		i = changed[0]
	}
	_, err := parseFile(b)
	return refusal{i, unreadable(err, b, x.placeOf(i, at))}
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
	ends := make([]int, len(lines)+1) // of the first n lines
	ends[0] = at.Start
	for i, l := range lines {
		ends[i+1] = ends[i] + len(l)
	}
	n := len(lines) - sort.Search(len(lines), func(i int) bool { return readable(file[:ends[len(lines)-i]]) })
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
	_, err := parseFile(b)
	return err == nil
}

// parseFile returns the tree of a file, in whatever language it is; see read.Open.
func parseFile(b []byte) (*syntax.Stream, error) {
	_, files, err := read.Open(b)
	if err != nil {
		return nil, err
	}
	return files[0].Stream, nil
}

// places are where in a file the answers to conflicts are.
type places = map[*page.Conflict]text.Span

// chosen is the file with the answers, and side s at what is left, and where
// in it each conflict stands.
func (x *Resolution) chosen(answers []Answer, s three.Version) (b []byte, at places) {
	at = places{}
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

// taken returns what was taken at the conflicts, with side s at what is left, and written for answers that are no side's.
func (x *Resolution) taken(answers []Answer, s, written three.Version) (open []verify.Conflict) {
	for _, c := range x.page.Conflicts() {
		o := verify.Conflict{At: c.At}
		take := Take(x.ruled[c].Took)
		if i, asked := x.number[c]; asked {
			take = answers[i].Take
		}
		switch take {
		case Undecided:
			o.Chosen = s
		case TakeBoth:
			if c.Merged == nil {
				continue // as if nothing had been in conflict
			}
			o.Chosen = written // a person decided that it grants what neither side granted
		case TakeHighest, TakeLowest:
			side, _ := extreme(c, take)
			o.Chosen = side
		case TakeOurs:
			o.Chosen = three.Dest
		case TakeTheirs:
			o.Chosen = three.Updated
		default:
			o.Chosen = written
		}
		open = append(open, o)
	}
	return open
}

// judge decides as the rules and the answers do.
func (x *Resolution) judge(answers []Answer) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		if v, ok := x.ruled[c]; ok {
			return v, true
		}
		return x.verdict(c, answers[x.number[c]])
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
func extreme(c *page.Conflict, t Take) (three.Version, bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
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
	y.ruled, y.open, y.answers, y.number = map[*page.Conflict]page.Verdict{}, nil, nil, map[*page.Conflict]int{}
	for _, c := range x.page.Conflicts() {
		a := x.answer(f, c)
		if v, ok := x.ruled[c]; ok && (a.Take == Undecided || f.Text(c) == string(v.Text)) {
			y.ruled[c] = v
			continue
		}
		y.ask(c)
		y.answers = append(y.answers, a)
	}
	for _, s := range three.Sides {
		if x.unread {
			break
		}
		b, at := y.chosen(y.answers, s)
		_, err := parseFile(b)
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
	y.unproven = map[doubt]bool{}
	for _, r := range y.prove(y.answers, nil) {
		y.unproven[r.doubt()] = true
	}
	y.both = nil
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
