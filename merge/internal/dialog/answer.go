package dialog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
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

// An AnswerError is the reason why an answer to a question is refused.
type AnswerError struct {
	// Line and Column are the position of the error in the text of the answer, from 1. They are 0 if the error is
	// elsewhere.
	Line, Column int
	// FileLine is the line of the error in the file that the answer would make, if the error is not in the text of
	// the answer. At conflicts that are not decided, that file has one side. For Resume, it is the line of the file.
	// It is 0 if it is not known.
	FileLine int
	Msg      string
	// Anchor is the name of an anchor that the file would lack because its conflict is not decided yet, or "".
	Anchor string
	// Unproven means that the file is YAML nevertheless, and that Answer.Unproven accepts the answer.
	Unproven bool
}

// Error returns the message, after the position if it is known.
func (e *AnswerError) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("line %d, column %d of the text: %s", e.Line, max(e.Column, 1), e.Msg)
	case e.FileLine > 0:
		return fmt.Sprintf("line %d of the file: %s", e.FileLine, e.Msg)
	}
	return e.Msg
}

// A refusal is an error about answers. question is the index of the question that has the refused answer, or -1 if it
// is not known.
type refusal struct {
	question int
	*AnswerError
}

// An unprovenKey identifies something that cannot be verified and that the user may accept: the answer to a question,
// or, if question is -1, the message about.
type unprovenKey struct {
	question int
	about    string // the message; "" if the question is known
}

// unprovenKey returns the key of r in Resolution.unproven.
func (r refusal) unprovenKey() unprovenKey {
	if r.question >= 0 {
		return unprovenKey{question: r.question}
	}
	return unprovenKey{r.question, r.Msg}
}

// checkAnswers checks the file that results from answers, with each side in turn at conflicts that are not decided.
// It returns the reasons to refuse the answers, or nil. changed are the sorted indices of the new answers; nil means all.
//
// Reasons are:
//
//   - The file is not YAML, or has a duplicate mapping key.
//   - The file fails verification as a page does, with a side in place of each answer that is not a side.
//   - The file with these answers fails verification as in Check, outside of their conflicts.
//   - An answer that is not a side changes something outside of its conflict (see findStrayAnswers).
//
// For a line merge (Delegated), only the syntax and the last reason are checked. Nothing is checked if
// x.mayBeUnreadable.
func (x *Resolution) checkAnswers(answers []Answer, changed []int) (refused []refusal) {
	for _, s := range three.Sides {
		if x.mayBeUnreadable {
			break
		}
		b, at := x.buildFile(answers, s)
		st, err := parseFile(b)
		if err != nil {
			return []refusal{x.findUnreadable(answers, s, changed)}
		}
		if x.draft.Merged.Method == engine.Delegated {
			if s == three.Dest {
				refused = x.findStrayAnswers(answers, x.freeAnswers(answers, changed), s)
			}
			continue
		}
		if all := st.DuplicateKeys(); len(all) > 0 {
			return x.duplicateKeyErrors(all, st.File, at, changed)
		}
		if len(refused) > 0 {
			continue
		}
		refused = x.verifyAnswers(answers, s, b, at, changed)
	}
	return refused
}

// verifyAnswers verifies b, the file with answers, and with side s at conflicts that are not decided. at are the
// places of the answers in b. It returns a refusal with Unproven set for each violation.
func (x *Resolution) verifyAnswers(answers []Answer, s three.Version, b []byte, at places, changed []int) (refused []refusal) {
	refuse := func(question int, msg string) {
		refused = append(refused, refusal{question, &AnswerError{Msg: msg, Unproven: true}})
	}
	free := x.freeAnswers(answers, nil)
	sidesOnly, open := b, x.takenVersions(answers, s, s)
	if len(free) > 0 {
		withoutFree := slices.Clone(answers)
		for _, i := range free {
			withoutFree[i] = Answer{}
		}
		sidesOnly, _ = x.buildFile(withoutFree, s)
	}
	for _, bad := range x.draft.Proof.AnswerViolations(sidesOnly, open, false) {
		refuse(x.findBlamed(bad, answers, at), bad.Error())
	}
	if len(free) == 0 || len(refused) > 0 {
		return refused
	}
	for _, bad := range x.draft.Proof.AnswerViolations(b, x.takenVersions(answers, s, verify.Result), true) {
		isAbout := func(i int) bool { return isInConflict(bad.At, x.questions[i].Spans) }
		if bad.Rule == "wrong comment" || slices.ContainsFunc(free, isAbout) {
			continue // a text may have any comments; it cannot change comments elsewhere
		}
		refuse(x.findBlamed(bad, answers, at), bad.Error())
	}
	return append(refused, x.findStrayAnswers(answers, x.freeAnswers(answers, changed), s)...)
}

// isInConflict reports whether a violation at these places of the versions is inside the conflict: at least one
// version has a place, and all places are inside the conflict's. at[verify.Result] is ignored.
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

// freeAnswers returns the indices of the answers that are not a side: texts, the base, next versions, and the edits of
// both sides to multiplied fields. If among is not nil, only these indices are considered; they must be sorted.
func (x *Resolution) freeAnswers(answers []Answer, among []int) (all []int) {
	for i, a := range answers {
		if a.Take != TakeText && a.Take != TakeBase && a.Take != TakeNext && (a.Take != TakeBoth || x.questions[i].BothEdits == nil) {
			continue
		}
		if _, ok := slices.BinarySearch(among, i); ok || among == nil {
			all = append(all, i)
		}
	}
	return all
}

// findStrayAnswers returns a refusal for each of the answers in free that changes something outside of its conflict.
// free are indices of answers. Conflicts that are not decided have side s. It returns nil if the file cannot be
// parsed.
func (x *Resolution) findStrayAnswers(answers []Answer, free []int, s three.Version) (refused []refusal) {
	fillFile := func(fill func(i int) Answer) (f proof.FilledFile, err error) {
		with := slices.Clone(answers)
		for _, i := range free {
			with[i] = fill(i)
		}
		b, at := x.buildFile(with, s)
		for _, i := range free {
			f.Places = append(f.Places, at[x.questions[i]])
		}
		f.Stream, err = parseFile(b)
		return f, err
	}
	if len(free) == 0 {
		return nil
	}
	got, err := fillFile(func(i int) Answer { return answers[i] })
	if err != nil {
		return nil // it was already refused
	}
	var versions []proof.FilledFile
	for _, take := range []Take{TakeOurs, TakeTheirs, TakeBase} {
		if f, err := fillFile(func(int) Answer { return Answer{Take: take} }); err == nil {
			versions = append(versions, f)
		}
	}
	for _, stray := range proof.FindOutsideChanges(got, versions) {
		err := &AnswerError{Msg: stray.Detail, Unproven: true}
		if stray.Offset >= 0 {
			err.setPlace(got.Stream.File, stray.Offset, got.Places[stray.Place])
		}
		refused = append(refused, refusal{free[stray.Place], err})
	}
	return refused
}

// setPlace sets the position of e to offset off of file f. That is a position in the answer if off is inside at, the
// place of the answer, and otherwise a line of the file.
func (e *AnswerError) setPlace(f *text.File, off int, at text.Span) {
	pos := f.Position(off)
	if at.Start <= off && off < at.End {
		e.Line, e.Column = 1+pos.Line-f.Line(at.Start), pos.Column
	} else {
		e.FileLine = pos.Line
	}
}

// findBlamed returns the index of the answered question that a violation is about, or -1. at are the places of the
// answers in the result. It prefers a question whose answer overlaps the violation in the result to one whose
// conflict overlaps it in a side.
func (x *Resolution) findBlamed(bad *verify.Violation, answers []Answer, at places) int {
	answered := func(about func(i int) bool) int {
		for i, a := range answers {
			if a.Take != Undecided && about(i) {
				return i
			}
		}
		return -1
	}
	if i := answered(func(i int) bool { return bad.At[verify.Result].Overlaps(at[x.questions[i]]) }); i >= 0 {
		return i
	}
	return answered(func(i int) bool {
		return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool { return bad.At[s].Overlaps(x.questions[i].Spans[s]) })
	})
}

// lastChangedBefore returns the question of changed whose answer contains offset off or is the last one before it. If
// there is none before it, it returns the first of changed, and -1 if changed is empty. at are the places of the
// answers.
func (x *Resolution) lastChangedBefore(off int, at places, changed []int) int {
	best := -1
	for _, i := range changed {
		if start := at[x.questions[i]].Start; best < 0 || start <= off {
			best = i
		}
	}
	return best
}

// duplicateKeyErrors returns a refusal for each of the entries, which are fields of file f with a duplicate mapping
// key. If a version has a duplicate mapping key, too, the refusals have Unproven set, so that the user may accept
// them.
func (x *Resolution) duplicateKeyErrors(all []*syntax.Entry, f *text.File, at places, changed []int) (refused []refusal) {
	had := func(st *syntax.Stream) bool { return st.DuplicateKey() != nil }
	before := slices.IndexFunc(x.draft.Inputs.Streams[:], had)
	for _, e := range all {
		err := &AnswerError{Msg: fmt.Sprintf("the key %q is repeated in its mapping", e.Key.Value)}
		if before >= 0 {
			err.Unproven = true
			err.Msg += ", as one does in " + three.Names[before] + " already"
		}
		i := x.lastChangedBefore(e.Start, at, changed)
		err.setPlace(f, e.Start, x.answerPlace(i, at))
		refused = append(refused, refusal{i, err})
	}
	return refused
}

// answerPlace returns the place of the answer to question i, or an empty span if i is -1.
func (x *Resolution) answerPlace(i int, at places) text.Span {
	if i < 0 {
		return text.Span{}
	}
	return at[x.questions[i]]
}

// findUnreadable returns why the file with answers cannot be parsed, and the question to blame: the first of the new
// free answers with which the file is no longer YAML, or else the only changed answer. The question is -1 if there is
// neither. Conflicts that are not decided have side s.
func (x *Resolution) findUnreadable(answers []Answer, s three.Version, changed []int) refusal {
	free := x.freeAnswers(answers, changed)
	withFirst := func(n int) []Answer { // all answers except those of free[n:]
		partial := slices.Clone(answers)
		for _, i := range free[n:] {
			partial[i] = Answer{}
		}
		return partial
	}
	n := sort.Search(len(free), func(n int) bool {
		b, _ := x.buildFile(withFirst(n), s)
		return !isReadable(b)
	})
	b, at := x.buildFile(withFirst(n), s)
	i := -1
	switch {
	case n > 0:
		i = free[n-1]
	case len(changed) == 1:
		i = changed[0]
	}
	_, err := parseFile(b)
	return refusal{i, newUnreadableError(err, b, x.answerPlace(i, at))}
}

// newUnreadableError returns the error for a file that cannot be parsed. err is the error of the parser, at the place
// of the answer to blame.
//
// The parser often reports the start of the mapping that contains the error. The position is therefore the first line
// of the answer with which the file, cut off after it, is not YAML. If the file is YAML up to the end of the answer,
// the position is the last line. The position of the parser is kept for an empty answer, and for one with more than
// maxLinesToLocate lines.
func newUnreadableError(err error, file []byte, at text.Span) *AnswerError {
	e := &AnswerError{Msg: err.Error()}
	if known, ok := errors.AsType[*syntax.Error](err); ok {
		e.Msg, e.FileLine, e.Anchor = known.Msg, known.Line, known.Anchor
	}
	lines := slices.Collect(bytes.Lines(file[at.Start:at.End]))
	if len(lines) == 0 || len(lines) > maxLinesToLocate {
		return e
	}
	ends := make([]int, len(lines)+1) // ends[n] is the offset in file after n lines of the answer
	ends[0] = at.Start
	for i, l := range lines {
		ends[i+1] = ends[i] + len(l)
	}
	n := len(lines) - sort.Search(len(lines), func(i int) bool { return isReadable(file[:ends[len(lines)-i]]) })
	if n == len(lines) {
		n--
		e.Msg = "what follows does not fit: " + e.Msg
	}
	blanks := len(lines[n]) - len(bytes.TrimLeft(lines[n], " \t"))
	e.Line, e.Column, e.FileLine = n+1, blanks+1, 0
	return e
}

// maxLinesToLocate is the maximum number of lines of an answer for which newUnreadableError locates the error.
const maxLinesToLocate = 200

// isReadable reports whether b can be parsed; see parseFile.
func isReadable(b []byte) bool {
	_, err := parseFile(b)
	return err == nil
}

// parseFile parses a file in the language that read.Open recognizes.
func parseFile(b []byte) (*syntax.Stream, error) {
	_, files, err := read.Open(b)
	if err != nil {
		return nil, err
	}
	return files[0].Stream, nil
}

// places are the spans of the answers in a file, by conflict.
type places = map[*page.Conflict]text.Span

// buildFile returns the file with answers, and with side s at conflicts that are not decided, and the place of each
// conflict in it.
func (x *Resolution) buildFile(answers []Answer, s three.Version) (b []byte, at places) {
	at = places{}
	judge := x.newJudge(answers)
	for _, p := range x.draft.Page.Parts {
		if p.Conflict == nil {
			b = append(b, p.Text...)
			continue
		}
		start := len(b)
		if v, ok := judge(p.Conflict); ok {
			b = append(b, v.Text...)
		} else {
			b = append(b, p.Conflict.Texts[s]...)
		}
		at[p.Conflict] = text.Span{Start: start, End: len(b)}
	}
	return b, at
}

// takenVersions returns the version that was taken at each conflict. It is side s at conflicts that are not decided,
// and freeVersion for answers that are not a side. Conflicts with the answer TakeBoth are omitted, except for
// multiplied fields, so that the edits of both sides are verified.
func (x *Resolution) takenVersions(answers []Answer, s, freeVersion three.Version) (open []verify.Conflict) {
	for _, c := range x.draft.Page.Conflicts() {
		o := verify.Conflict{At: c.Spans}
		take := Take(x.byRules[c].Side)
		if i, isQuestion := x.questionIndex[c]; isQuestion {
			take = answers[i].Take
		}
		switch take {
		case Undecided:
			o.Chosen = s
		case TakeBoth:
			if c.BothEdits == nil {
				continue // verify it as if it were not a conflict
			}
			o.Chosen = freeVersion // the user decided that the fields may grant what neither side granted
		case TakeHighest, TakeLowest:
			side, _ := extremeSide(c, take)
			o.Chosen = side
		case TakeOurs:
			o.Chosen = three.Dest
		case TakeTheirs:
			o.Chosen = three.Updated
		default:
			o.Chosen = freeVersion
		}
		open = append(open, o)
	}
	return open
}

// newJudge returns a function that decides conflicts by the team's rules or else by answers.
func (x *Resolution) newJudge(answers []Answer) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		if v, ok := x.byRules[c]; ok {
			return v, true
		}
		return x.verdictOf(c, answers[x.questionIndex[c]])
	}
}

// verdictOf returns the verdict of answer a about c. ok is false if the answer is Undecided.
func (x *Resolution) verdictOf(c *page.Conflict, a Answer) (v page.Verdict, ok bool) {
	switch a.Take {
	case TakeOurs:
		v = c.TakeSide(three.Dest, schema.Decision{})
	case TakeTheirs:
		v = c.TakeSide(three.Updated, schema.Decision{})
	case TakeHighest, TakeLowest:
		s, _ := extremeSide(c, a.Take)
		if v, ok = c.TakeValue(x.draft.Inputs.Streams, s, schema.Decision{}); !ok {
			v = c.TakeSide(s, schema.Decision{})
		}
	case TakeNext:
		v, _ = x.nextVerdict(c)
	case TakeBase:
		v = page.Verdict{Text: c.Texts[three.Original]}
	case TakeBoth:
		v = page.Verdict{Text: c.BothTexts(x.draft.Renderer.LineBreak)}
	case TakeText:
		v = page.Verdict{Text: x.toFileLines(a.Text)}
	default:
		return v, false
	}
	v.By = schema.Decision{Side: string(a.Take)}
	return v, true
}

// nextVerdict returns the verdict of the answer TakeNext about c. ok is false if c is not about a value, if the sides did
// not both raise a version, or if the user's own side is not known.
func (x *Resolution) nextVerdict(c *page.Conflict) (v page.Verdict, ok bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
		return v, false
	}
	own, ok := x.draft.OwnSide()
	if !ok {
		return v, false
	}
	return bump.DecideNext(c, own, x.draft.Inputs.Streams, schema.Decision{})
}

// extremeSide returns the side with the highest or lowest value. It returns false if c is not about the value of a
// field or item, or if the values cannot be compared.
func extremeSide(c *page.Conflict, t Take) (three.Version, bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
		return three.Original, false
	}
	return c.PreferredSide(schema.Policy(t))
}

// toFileLines returns the text of an answer as complete lines with the line breaks of the file.
func (x *Resolution) toFileLines(text string) []byte {
	if text == "" {
		return nil
	}
	if !strings.HasSuffix(text, "\n") {
		text += string(x.draft.Renderer.LineBreak)
	}
	if nl := x.draft.Inputs.MergedFormat.LineEnd; nl != "" { // all lines of the file have this line break
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", nl)
	}
	return []byte(text)
}

// The errors of Resume.
var (
	// ErrEdited is returned if lines outside of the conflicts differ from the merge.
	ErrEdited = errors.New("edited outside of its conflicts")
	// ErrHalfResolved is returned if a conflict was edited but still has markers.
	ErrHalfResolved = errors.New("a conflict in it is resolved in part")
)

// Resume reads answers from file, which was written from the bytes of Result and may have been edited by the user. A
// conflict is open if its markers and lines are unchanged, in any style. Otherwise the text in its place is the
// answer. The labels and the size of the markers must be those of the options.
//
// The style in which the conflicts were found becomes the style of x. Answers that cannot be verified are accepted.
//
// It returns ErrEdited, ErrHalfResolved, or an *AnswerError with the position of a syntax error. Then x does not
// change.
func (x *Resolution) Resume(file []byte) error {
	if x.draft.Page == nil {
		return ErrEdited
	}
	merged, f := x.draft.Inputs.MergedFormat, read.DetectFormat(file)
	if x.draft.Merged.Method == engine.Delegated {
		file = merged.ConvertLineEnds(file, f)
	} else {
		file = merged.Convert(file, f)
	}
	failed := ErrEdited
	k := x.draft.Markers
	for _, style := range []text.Style{k.Style, text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		k.Style = style
		err := ErrEdited
		if found := x.draft.Renderer.Find(x.draft.Page, file, k, merged.HasBOM, false); found != nil {
			err = x.adoptAnswers(found)
		} else if x.draft.Renderer.Find(x.draft.Page, file, k, merged.HasBOM, true) != nil {
			err = ErrHalfResolved
		}
		if err == nil {
			x.draft.Markers = k
			return nil
		}
		if failed == ErrEdited {
			failed = err
		}
	}
	return failed
}

// adoptAnswers replaces the answers of x by those in f. If the file differs from the decision of the team's rules,
// the conflict becomes a question with the answer from the file. It returns an *AnswerError and does not change x if
// the file is not YAML.
func (x *Resolution) adoptAnswers(f *page.FoundConflicts) error {
	y := *x
	y.byRules, y.questions, y.answers, y.questionIndex = map[*page.Conflict]page.Verdict{}, nil, nil, map[*page.Conflict]int{}
	for _, c := range x.draft.Page.Conflicts() {
		a := x.recognizeAnswer(f, c)
		if v, ok := x.byRules[c]; ok && (a.Take == Undecided || f.Text(c) == string(v.Text)) {
			y.byRules[c] = v
			continue
		}
		y.addQuestion(c)
		y.answers = append(y.answers, a)
	}
	for _, s := range three.Sides {
		if x.mayBeUnreadable {
			break
		}
		b, at := y.buildFile(y.answers, s)
		_, err := parseFile(b)
		if err == nil {
			continue
		}
		for _, c := range x.draft.Page.Conflicts() { // find the first answer with which the file is not YAML
			if !isReadable(b[:at[c].End]) {
				e := newUnreadableError(err, b, at[c])
				e.FileLine, e.Line = f.Line(c)+max(e.Line, 1)-1, 0
				return e
			}
		}
		return newUnreadableError(err, b, text.Span{})
	}
	y.unproven = map[unprovenKey]bool{}
	for _, r := range y.checkAnswers(y.answers, nil) {
		y.unproven[r.unprovenKey()] = true
	}
	y.bothPossible = nil
	*x = y
	return nil
}

// recognizeAnswer returns the answer that f has for c: a side, the base or both sides if the text equals theirs,
// otherwise the text.
func (x *Resolution) recognizeAnswer(f *page.FoundConflicts, c *page.Conflict) Answer {
	if f.Open[c] {
		return Answer{}
	}
	switch found := f.Text(c); found {
	case string(c.Texts[three.Dest]):
		return Answer{Take: TakeOurs}
	case string(c.Texts[three.Updated]):
		return Answer{Take: TakeTheirs}
	case string(c.Texts[three.Original]):
		return Answer{Take: TakeBase}
	case string(c.BothTexts(x.draft.Renderer.LineBreak)):
		if c.CanKeepBoth() {
			return Answer{Take: TakeBoth}
		}
		fallthrough
	default:
		return Answer{Take: TakeText, Text: found}
	}
}
