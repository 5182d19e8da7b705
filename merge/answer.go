package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// An AnswerError is the reason why an answer to a question, or a file read by Resume, is not accepted.
type AnswerError struct {
	// Line and Column are the position of the error in Answer.Text, from 1. Columns count characters. They are 0 if
	// the error is elsewhere.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// FileLine is the line of the error, from 1, in the file that the answer would make, if the error is not in the
	// text of the answer. In that file, one side replaces each undecided conflict. In an error of Resume, it is the
	// line of the file that was read. It is 0 if it is not known.
	FileLine int `json:"file_line,omitempty"`
	// Msg is the message for the user. It is never empty.
	Msg string `json:"msg"`
	// Anchor is the name of an anchor to which an alias in the file refers, and which would be missing because its
	// conflict is not decided yet. Otherwise it is empty.
	Anchor string `json:"anchor,omitempty"`
	// Unproven means that the file would be YAML, but fails verification. The same answer with Answer.Unproven is
	// accepted.
	Unproven bool `json:"unproven,omitempty"`
}

// Error returns the message, after the position if that is known, as in "line 2, column 3 of the text: …" or "line 7 of
// the file: …". Line comes before FileLine if both are set; a Column of 0 is written as 1.
func (e *AnswerError) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("line %d, column %d of the text: %s", e.Line, max(e.Column, 1), e.Msg)
	case e.FileLine > 0:
		return fmt.Sprintf("line %d of the file: %s", e.FileLine, e.Msg)
	}
	return e.Msg
}

// A fault is a reason not to accept answers. question is the number of the question whose answer it is about, or -1 if
// that is not known.
type fault struct {
	question int
	*AnswerError
}

// An unprovenKey identifies a failure of verification that the user may accept: the failure of the answer to question
// or, if question is -1, the failure with the message in about.
type unprovenKey struct {
	question int
	about    string // the message; "" if the question is known
}

// unprovenKey returns the key of r in Resolution.unproven, the faults that the user accepted. All faults of one
// question have the same key. A fault without a question is identified by its message.
func (r fault) unprovenKey() unprovenKey {
	if r.question >= 0 {
		return unprovenKey{question: r.question}
	}
	return unprovenKey{r.question, r.Msg}
}

// checkAnswers builds the file with these answers, and returns its faults, or nil if it has none. It looks for a syntax
// error, then duplicate keys, then failed verification, and returns only the faults of the first kind that it finds.
// changed are the sorted numbers of the questions with new answers, nil for all: a syntax error or a duplicate key is
// blamed on one of them.
func (x *Resolution) checkAnswers(answers []Answer, changed []int) []fault {
	if x.mayBeUnreadable {
		return nil // there is nothing to verify: the file was not YAML before either
	}
	var files []answeredFile // with ours, and with theirs, at undecided conflicts
	for _, s := range three.Sides {
		f := x.buildFile(answers, s)
		var err error
		if f.stream, err = parseFile(f.bytes); err != nil {
			return []fault{x.findSyntaxError(f, changed)}
		}
		files = append(files, f)
	}
	if x.draft.Merged.Method == engine.Delegated {
		// git's line merge may have errors itself, so that only what the answers change is verified
		return x.findOutsideChanges(files[0], x.findNonSideAnswers(answers, changed))
	}
	for _, check := range []func(answeredFile, []int) []fault{x.findDuplicateKeys, x.verifyAnswers} {
		for _, f := range files {
			if faults := check(f, changed); len(faults) > 0 {
				return faults
			}
		}
	}
	return nil
}

// verifyAnswers returns a fault for each error of f as a merge: it must have exactly the edits of both sides outside of
// its conflicts, and an answer must not change anything outside of its own conflict. The user may accept these faults
// (Unproven). changed are the sorted numbers of the questions with new answers, or nil if all are new.
func (x *Resolution) verifyAnswers(f answeredFile, changed []int) []fault {
	// 1. The file with only the texts of sides, as if all other conflicts were undecided. Its violations would be found
	// again in the whole file.
	decide := x.newDecider(f.answers)
	sidesOnly, _ := x.fillConflicts(f.side, func(c *page.Conflict) (page.Verdict, bool) {
		v, ok := decide(c)
		return v, ok && !isNonSide(c, x.takeOf(c, f.answers))
	})
	violations := x.draft.Proof.AnswerViolations(sidesOnly, x.chosenVersions(f, f.side))
	nonSide := x.findNonSideAnswers(f.answers, nil)
	if len(violations) > 0 || len(nonSide) == 0 {
		return x.newFaults(violations, f)
	}
	// 2. The whole file. Violations inside the conflicts of these answers do not count: the user decided them.
	violations = x.draft.Proof.Findings(f.bytes, x.chosenVersions(f, verify.Result))
	violations = slices.DeleteFunc(violations, func(bad *verify.Violation) bool {
		// a text may have any comments, and it cannot change comments elsewhere
		return bad.Rule == verify.RuleComment || slices.ContainsFunc(nonSide, func(i int) bool { return isInConflict(bad.At, x.questions[i].Spans) })
	})
	// 3. The structure around the conflicts, as a text can continue the value before it.
	return append(x.newFaults(violations, f), x.findOutsideChanges(f, x.findNonSideAnswers(f.answers, changed))...)
}

// newFaults returns the violations in f, which verification found, as faults that the user may accept (Unproven).
func (x *Resolution) newFaults(violations []*verify.Violation, f answeredFile) (faults []fault) {
	for _, bad := range violations {
		faults = append(faults, fault{x.findQuestionOf(bad, f), &AnswerError{Msg: bad.Error(), Unproven: true}})
	}
	return faults
}

// isInConflict reports whether a violation, an error of a result, is only about the lines of one conflict, so that the
// user's answer may have caused it. at are the places of the violation in base, ours, theirs and the result, and
// conflict are the lines of the conflict in the first three. At least one place in these three must not be empty, and
// each that is not must be inside of the conflict. The place in the result does not matter.
func isInConflict(at [4]text.Span, conflict [3]text.Span) bool {
	isInside := false
	for s, c := range conflict {
		if at[s].Empty() {
			continue
		}
		if !c.Contains(at[s]) {
			return false
		}
		isInside = true
	}
	return isInside
}

// isNonSide reports whether t replaces c by a text that is not the lines of one or both sides: base, the version of the
// next release, a text of the user, or a text in which the edits of both sides are merged (TakeBoth, with c.BothEdits).
func isNonSide(c *page.Conflict, t Take) bool {
	return t == TakeText || t == TakeBase || t == TakeNext || t == TakeBoth && c.BothEdits != nil
}

// findNonSideAnswers returns the sorted numbers of the questions whose answer is not the lines of ours or theirs, but
// for example a text of the user (see isNonSide). Only these answers need a check of what they change elsewhere. among
// are sorted numbers of the questions to consider; nil means all.
func (x *Resolution) findNonSideAnswers(answers []Answer, among []int) (all []int) {
	for i, a := range answers {
		_, isAmong := slices.BinarySearch(among, i)
		if isNonSide(x.questions[i], a.Take) && (isAmong || among == nil) {
			all = append(all, i)
		}
	}
	return all
}

// findOutsideChanges finds answers in f, a parsed file, that change something outside of their conflict, such as a text
// that continues the value before it. It returns a fault for each, which the user may accept. nonSide are the sorted
// numbers of the answers to check. If the file cannot be parsed with ours, theirs or base in place of these answers, it
// returns a fault that says so.
func (x *Resolution) findOutsideChanges(f answeredFile, nonSide []int) (faults []fault) {
	if len(nonSide) == 0 {
		return nil
	}
	placesIn := func(f answeredFile) (places []text.Span) {
		for _, i := range nonSide {
			places = append(places, x.answerPlace(i, f))
		}
		return places
	}
	got := filledFile{f.stream, placesIn(f)}
	var versions []filledFile // with ours, theirs or base in place of all of these answers
	for _, take := range []Take{TakeOurs, TakeTheirs, TakeBase} {
		version := x.buildFile(replaceAnswers(f.answers, nonSide, Answer{Take: take}), f.side)
		if st, err := parseFile(version.bytes); err == nil {
			versions = append(versions, filledFile{st, placesIn(version)})
		}
	}
	if len(versions) == 0 { // other answers need this one, for example its anchor
		return []fault{{nonSide[0], &AnswerError{Msg: "the file cannot be read with ours, theirs or base in place of this answer", Unproven: true}}}
	}
	for _, change := range compareOutside(got, versions) {
		err := &AnswerError{Msg: change.Detail, Unproven: true}
		if change.Offset >= 0 {
			err.setPlace(got.Stream.File, change.Offset, got.Places[change.Place])
		}
		faults = append(faults, fault{nonSide[change.Place], err})
	}
	return faults
}

// replaceAnswers returns a copy of answers with the answer a to the questions with the given numbers.
func replaceAnswers(answers []Answer, numbers []int, a Answer) []Answer {
	replaced := slices.Clone(answers)
	for _, i := range numbers {
		replaced[i] = a
	}
	return replaced
}

// setPlace makes e point to a byte offset in file f. answer is the place of the answer in f. For an offset inside of
// the answer, it sets Line, counted from the start of the answer, and Column. For any other offset, it sets FileLine.
func (e *AnswerError) setPlace(f *text.File, offset int, answer text.Span) {
	pos := f.Position(offset)
	if answer.Start <= offset && offset < answer.End {
		e.Line, e.Column = 1+pos.Line-f.Line(answer.Start), pos.Column
	} else {
		e.FileLine = pos.Line
	}
}

// findQuestionOf returns the number of the answered question that probably caused violation, an error in f, or -1 if
// none did. It is the first question whose answer in f overlaps the violation. If there is none, it is the first one
// whose lines in ours or theirs overlap the violation there.
func (x *Resolution) findQuestionOf(violation *verify.Violation, f answeredFile) int {
	findAnswered := func(isAbout func(i int) bool) int {
		for i, a := range f.answers {
			if a.Take != TakeNone && isAbout(i) {
				return i
			}
		}
		return -1
	}
	if i := findAnswered(func(i int) bool { return violation.At[verify.Result].Overlaps(x.answerPlace(i, f)) }); i >= 0 {
		return i
	}
	return findAnswered(func(i int) bool {
		return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool { return violation.At[s].Overlaps(x.questions[i].Spans[s]) })
	})
}

// lastChangedBefore returns the new answer that probably caused an error at the offset off of f: the last of changed,
// the sorted numbers of the new answers, that starts at off or before it. If none does, it is the first of changed; if
// changed is empty, it is -1.
func (x *Resolution) lastChangedBefore(off int, f answeredFile, changed []int) int {
	for _, i := range slices.Backward(changed) {
		if x.answerPlace(i, f).Start <= off {
			return i
		}
	}
	if len(changed) == 0 {
		return -1
	}
	return changed[0]
}

// findDuplicateKeys returns a fault for each field of f, a parsed file, that repeats a key. changed are the sorted
// numbers of the new answers. The one before the field is blamed (see lastChangedBefore). The user may accept the
// faults if base, ours or theirs repeats a key, too.
func (x *Resolution) findDuplicateKeys(f answeredFile, changed []int) (faults []fault) {
	duplicates := f.stream.DuplicateKeys()
	if len(duplicates) == 0 {
		return nil
	}
	hasDuplicate := func(st *syntax.Stream) bool { return st.DuplicateKey() != nil }
	inVersion := slices.IndexFunc(x.draft.Inputs.Streams[:], hasDuplicate)
	for _, e := range duplicates {
		err := &AnswerError{Msg: fmt.Sprintf("duplicate key %q", e.Key.Value), Unproven: inVersion >= 0}
		if inVersion >= 0 {
			err.Msg += " (" + three.Names[inVersion] + " also has a duplicate key)"
		}
		i := x.lastChangedBefore(e.Start, f, changed)
		err.setPlace(f.stream.File, e.Start, x.answerPlace(i, f))
		faults = append(faults, fault{i, err})
	}
	return faults
}

// answerPlace returns the place in f of the answer to question i, or an empty span at 0 if i is -1.
func (x *Resolution) answerPlace(i int, f answeredFile) text.Span {
	if i < 0 {
		return text.Span{}
	}
	return f.places[x.questions[i]]
}

// findSyntaxError returns the fault of f, a file that cannot be parsed. It blames the new answer that makes the file
// unreadable, or none (-1) if that is not known. changed are the sorted numbers of new answers; nil means all.
func (x *Resolution) findSyntaxError(f answeredFile, changed []int) fault {
	nonSide := x.findNonSideAnswers(f.answers, changed)
	// buildWithFirst builds the file without the answers in nonSide, except for the first n of them.
	buildWithFirst := func(n int) answeredFile {
		return x.buildFile(replaceAnswers(f.answers, nonSide[n:], Answer{}), f.side)
	}
	// A later answer can mend an earlier one, for example close its quote; then n may not be the smallest number.
	isUnreadable := func(n int) bool { return !isReadable(buildWithFirst(n).bytes) }
	n := sort.Search(len(nonSide), isUnreadable)
	unreadable, blamed := buildWithFirst(n), -1
	switch {
	case n > 0: // answer n-1 makes the file unreadable; 0 means that it is so without them
		blamed = nonSide[n-1]
	case len(changed) == 1: // the only candidate
		blamed = changed[0]
	}
	_, err := parseFile(unreadable.bytes)
	return fault{blamed, newUnreadableError(err, unreadable.bytes, x.answerPlace(blamed, unreadable))}
}

// newUnreadableError returns an error for the user about file, which cannot be parsed with the error err. answer is the
// place of the answer to blame. Line is the first line of it that cannot be right, because the file can be parsed up to
// there. If answer is empty, or if this line is not found in time (maxBytesToLocate), FileLine is set instead, to the
// line that err names.
func newUnreadableError(err error, file []byte, answer text.Span) *AnswerError {
	e := &AnswerError{Msg: err.Error()}
	if known, ok := errors.AsType[*syntax.Error](err); ok {
		e.Msg, e.FileLine, e.Anchor = known.Msg, known.Line, known.Anchor
	}
	lines := slices.Collect(bytes.Lines(file[answer.Start:answer.End]))
	if len(lines) == 0 {
		return e
	}
	// The parser often reports the start of the mapping that contains the error. The line after the longest readable
	// part is nearer to it. Shorter parts may be unreadable without an error: they can end within a quoted value.
	readable, end := len(lines), answer.End // a number of lines of the answer, and where they end
	for parsed := 0; readable > 0 && !isReadable(file[:end]); {
		if parsed += end; readable > 1 && parsed >= maxBytesToLocate {
			return e
		}
		readable--
		end -= len(lines[readable])
	}
	wrong := readable
	if wrong == len(lines) { // the error shows only after the answer
		wrong--
		e.Msg = "invalid YAML after this line: " + e.Msg
	}
	blanks := len(lines[wrong]) - len(bytes.TrimLeft(lines[wrong], " \t"))
	e.Line, e.Column, e.FileLine = wrong+1, blanks+1, 0
	return e
}

// maxBytesToLocate is the number of bytes after which newUnreadableError parses no further part of a file to locate an
// error.
const maxBytesToLocate = 1 << 21

// isReadable reports whether b can be parsed as YAML, JSON or a template.
func isReadable(b []byte) bool {
	_, err := parseFile(b)
	return err == nil
}

// parseFile returns the syntax tree of b, which may be YAML, JSON or a template. An empty b is a file with one empty
// document. If it fails, the stream is nil, and the error is a *syntax.Error if the parser knows the position.
func parseFile(b []byte) (*syntax.Stream, error) {
	_, files, err := read.Open(b)
	if err != nil {
		return nil, err
	}
	return files[0].Stream, nil
}

// An answeredFile is the merged file with a text in place of each conflict: the one that the team's rules or the answer
// chose or, for an undecided conflict, that of a side.
type answeredFile struct {
	answers []Answer // one for each question
	side    three.Version
	bytes   []byte
	places  map[*page.Conflict]text.Span // of the texts in bytes; a place is empty if its text is
	stream  *syntax.Stream               // bytes, parsed by checkAnswers; otherwise nil
}

// buildFile returns the merged file with a text in place of each conflict, and the places of these texts. The text is
// chosen by the team's rules or, if they do not decide the conflict, by its answer. An undecided conflict has the lines
// of side s. answers has one for each question.
func (x *Resolution) buildFile(answers []Answer, s three.Version) answeredFile {
	f := answeredFile{answers: answers, side: s}
	f.bytes, f.places = x.fillConflicts(s, x.newDecider(answers))
	return f
}

// fillConflicts returns the merged file with a text in place of each conflict: the one that decide returns for it or,
// if decide returns false, the lines of side s. places are the spans of these texts in file.
func (x *Resolution) fillConflicts(s three.Version, decide page.Judge) (file []byte, places map[*page.Conflict]text.Span) {
	places = map[*page.Conflict]text.Span{}
	for _, p := range x.draft.Page.Parts {
		if p.Conflict == nil {
			file = append(file, p.Text...)
			continue
		}
		filling := p.Conflict.Texts[s]
		if v, ok := decide(p.Conflict); ok {
			filling = v.Text
		}
		start := len(file)
		file = append(file, filling...)
		places[p.Conflict] = text.Span{Start: start, End: len(file)}
	}
	return file, places
}

// chosenVersions returns the conflicts of f for its verification, each with the version that f should have there:
//
//	a side was taken             that side
//	undecided                    f.side
//	a text that is not a side    nonSideVersion (see isNonSide)
//	both sides were taken        left out: verification then expects the edits of both
func (x *Resolution) chosenVersions(f answeredFile, nonSideVersion three.Version) (all []verify.Conflict) {
	for _, c := range x.draft.Page.Conflicts() {
		chosen, places := nonSideVersion, [][3]text.Span{c.Spans}
		switch take := x.takeOf(c, f.answers); take {
		case TakeNone:
			chosen = f.side
		case TakeHighest, TakeLowest: // the side that has this value
			chosen, _ = extremeSide(c, take)
		case TakeOurs, TakeTheirs:
			chosen = sideOf(take)
			// in a mapping on one line, only some fields are in conflict
			if v, ok := c.TakeFields(x.draft.Inputs.Streams, chosen, team.Decision{}); ok {
				places = v.Fields
			}
		default:
			if !isNonSide(c, take) { // TakeBoth
				continue
			}
		}
		for _, at := range places {
			all = append(all, verify.Conflict{At: at, Chosen: chosen})
		}
	}
	return all
}

// takeOf returns what replaces c: the answer if c is a question, and otherwise the decision of the team's rules. For
// the policy next, whose decision has no side because it writes a version of its own, that is TakeNext.
func (x *Resolution) takeOf(c *page.Conflict, answers []Answer) Take {
	if i, isQuestion := x.questionIndex[c]; isQuestion {
		return answers[i].Take
	}
	return cmp.Or(Take(x.byRules[c].Side), TakeNext)
}

// sideOf returns the side that t takes: dest for TakeOurs, and updated for TakeTheirs, the only other value that it is
// called with.
func sideOf(t Take) three.Version {
	if t == TakeOurs {
		return three.Dest
	}
	return three.Updated
}

// newDecider returns a function with which package page decides conflicts. For a conflict, that function returns the
// text chosen by the team's rules or, if they do not decide it, by its answer. It returns false if neither decides it;
// the conflict then keeps its markers. answers has one for each question.
func (x *Resolution) newDecider(answers []Answer) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		if v, ok := x.byRules[c]; ok {
			return v, true
		}
		i, isQuestion := x.questionIndex[c]
		if !isQuestion {
			return page.Verdict{}, false
		}
		return x.applyAnswer(c, answers[i])
	}
}

// applyAnswer returns the text that replaces c for the answer a, which checkAnswer must have accepted. ok is false for
// TakeNone. In a mapping in braces, TakeOurs and TakeTheirs decide only the fields in conflict; TakeHighest and
// TakeLowest take all fields from one side.
func (x *Resolution) applyAnswer(c *page.Conflict, a Answer) (v page.Verdict, ok bool) {
	switch a.Take {
	case TakeOurs, TakeTheirs:
		v = c.TakeInConflict(x.draft.Inputs.Streams, sideOf(a.Take), team.Decision{})
	case TakeHighest, TakeLowest:
		s, _ := extremeSide(c, a.Take)
		v = c.TakeSide(s, team.Decision{})
	case TakeNext:
		v, _ = x.applyNext(c)
	case TakeBase:
		v = page.Verdict{Text: c.Texts[three.Original]}
	case TakeBoth:
		v = page.Verdict{Text: c.BothTexts(x.draft.Renderer.LineBreak)}
	case TakeText:
		v = page.Verdict{Text: x.toFileLines(a.Text)}
	default:
		return v, false
	}
	v.By = team.Decision{Side: string(a.Take)}
	return v, true
}

// applyNext returns the text that replaces c for TakeNext: the version of the user's own release, numbered after the
// release of the other side. With base 1.0.0, own 1.0.1 and the other side 1.1.0, it is 1.1.1. ok is false if c is not
// about a value, or if the own side or this number is not known.
func (x *Resolution) applyNext(c *page.Conflict) (v page.Verdict, ok bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
		return v, false
	}
	own, ok := x.draft.Own.Get()
	if !ok {
		return v, false
	}
	return bump.DecideNext(c, own, x.draft.Inputs.Streams, team.Decision{})
}

// extremeSide returns the side of c with the highest value for TakeHighest, or with the lowest for TakeLowest, which
// are the only values of t. It returns dest if the values are equal. ok is false if c is not about the value of a field
// or item, or if the values cannot be compared.
func extremeSide(c *page.Conflict, t Take) (side three.Version, ok bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
		return three.Original, false
	}
	return c.PreferredSide(team.Policy(t))
}

// toFileLines returns the text of an answer as complete lines for the file. It adds a missing line break at the end. If
// all lines of the file have the same line break, the line breaks of text become that one. It returns nil for "".
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
	ErrEdited = errors.New("edited outside of the conflicts")
	// ErrHalfResolved is returned if a conflict was edited but still has markers.
	ErrHalfResolved = errors.New("a conflict was edited, but still has markers")
)

// Resume continues with a file that the user edited: it replaces all answers of x by those in file, which was written
// from the bytes of Result. A conflict with unchanged markers is undecided. An edited decision of the rules becomes a
// question, which changes the numbers of questions. Answers may fail verification. After an error, x is unchanged:
//
//	ErrHalfResolved   an edited conflict still has markers
//	ErrEdited         lines outside of the conflicts differ
//	*AnswerError      the file cannot be parsed
func (x *Resolution) Resume(file []byte) error {
	merged, f := x.draft.Inputs.MergedFormat, read.DetectFormat(file)
	if x.draft.Merged.Method == engine.Structural {
		file = merged.Convert(file, f)
	} else {
		file = merged.ConvertLineEnds(file, f)
	}
	// git can write the markers again in another style (git checkout --conflict=diff3), so each style is tried
	failed := ErrEdited
	for _, style := range []text.Style{x.draft.Markers.Style, text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		err := x.resumeWithStyle(file, style)
		if err == nil {
			return nil
		}
		if failed == ErrEdited { // the first other error says more
			failed = err
		}
	}
	return failed
}

// resumeWithStyle replaces the answers of x by those in file, if its markers have this style; later results are then
// written in it. It returns ErrHalfResolved if a conflict was edited and still has markers, ErrEdited if the conflicts
// cannot be found in file for another reason, and otherwise the error of adoptAnswers.
func (x *Resolution) resumeWithStyle(file []byte, style text.Style) error {
	r, k, hasBOM := x.draft.Renderer, x.draft.Markers, x.draft.Inputs.MergedFormat.HasBOM
	k.Style = style
	found := r.Find(x.draft.Page, file, k, hasBOM, false)
	if found == nil {
		if r.Find(x.draft.Page, file, k, hasBOM, true) != nil { // with remaining markers in edited conflicts
			return ErrHalfResolved
		}
		return ErrEdited
	}
	if err := x.adoptAnswers(found); err != nil {
		return err
	}
	x.draft.Markers = k
	return nil
}

// adoptAnswers replaces all answers of x by those that the user wrote into the file. found has the text in place of
// each conflict in it. If the text for a decision of the rules is another one, the conflict becomes a question. It
// returns an *AnswerError if the file cannot be parsed; x does not change then. Failed verification is accepted.
func (x *Resolution) adoptAnswers(found *page.FoundConflicts) error {
	y := Resolution{
		raw: x.raw, draft: x.draft, mayBeUnreadable: x.mayBeUnreadable, proofCount: x.proofCount,
		byRules: map[*page.Conflict]page.Verdict{}, questionIndex: map[*page.Conflict]int{}, unproven: map[unprovenKey]bool{},
	}
	for _, c := range x.draft.Page.Conflicts() {
		a := x.recognizeAnswer(found, c)
		v, isByRules := x.byRules[c]
		if isUnedited := a.Take == TakeNone || found.Text(c) == string(v.Text); isByRules && isUnedited {
			y.byRules[c] = v
			continue
		}
		y.addQuestion(c)
		y.answers = append(y.answers, a)
	}
	if err := y.checkReadable(found); err != nil {
		return err
	}
	for _, r := range y.checkAnswers(y.answers, nil) {
		y.unproven[r.unprovenKey()] = true // accepted, because the user has already written these answers
	}
	*x = y
	return nil
}

// checkReadable returns an *AnswerError if the file with the answers of x cannot be parsed, with ours or with theirs at
// undecided conflicts. found is the file that the user edited: FileLine is a line of it if an answer is to blame. It
// returns nil without a check if x.mayBeUnreadable is set.
func (x *Resolution) checkReadable(found *page.FoundConflicts) error {
	if x.mayBeUnreadable {
		return nil
	}
	for _, s := range three.Sides {
		f := x.buildFile(x.answers, s)
		_, err := parseFile(f.bytes)
		if err == nil {
			continue
		}
		isUnreadableUpTo := func(c *page.Conflict) bool { return !isReadable(f.bytes[:f.places[c].End]) }
		conflicts := x.draft.Page.Conflicts()
		i := slices.IndexFunc(conflicts, isUnreadableUpTo)
		if i < 0 {
			return newUnreadableError(err, f.bytes, text.Span{})
		}
		e := newUnreadableError(err, f.bytes, f.places[conflicts[i]])
		e.Line, e.FileLine = 0, found.Line(conflicts[i])+max(e.Line, 1)-1 // Line counts from 1
		return e
	}
	return nil
}

// recognizeAnswer returns the answer that the user gave to c by editing the file f. It is the zero Answer if the
// markers are unchanged, and otherwise the first of TakeOurs, TakeTheirs, TakeBase and TakeBoth that gives the text of
// the user. Any other text, even an empty one, is TakeText.
func (x *Resolution) recognizeAnswer(f *page.FoundConflicts, c *page.Conflict) Answer {
	if f.Open[c] {
		return Answer{}
	}
	found := f.Text(c)
	for _, t := range []Take{TakeOurs, TakeTheirs, TakeBase, TakeBoth} {
		v, _ := x.applyAnswer(c, Answer{Take: t})
		if isPossible := t != TakeBoth || c.CanKeepBoth(); isPossible && found == string(v.Text) {
			return Answer{Take: t}
		}
	}
	return Answer{Take: TakeText, Text: found}
}
