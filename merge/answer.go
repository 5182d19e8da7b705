package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
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

// unprovenKey returns the key of r in Resolution.unproven, which has the faults that the user accepted. All faults of
// one question have the same key; only a fault of no known question is identified by its message.
func (r fault) unprovenKey() unprovenKey {
	if r.question >= 0 {
		return unprovenKey{question: r.question}
	}
	return unprovenKey{r.question, r.Msg}
}

// checkAnswers returns why answers, one for each question, are not accepted, or nil. With them, and with ours or theirs
// at undecided conflicts, the file must be readable, have no duplicate mapping key, and be a merge of the versions
// outside of the conflicts. Only faults of the first of these kinds are returned. changed are the sorted numbers of the
// questions with new answers, which are blamed; nil means all.
func (x *Resolution) checkAnswers(answers []Answer, changed []int) (faults []fault) {
	if x.mayBeUnreadable {
		return nil // there is nothing to verify: the file was not YAML before either
	}
	for _, s := range three.Sides {
		f := x.buildFile(answers, s)
		st, err := parseFile(f.bytes)
		if err != nil {
			return []fault{x.findSyntaxError(answers, s, changed)}
		}
		// of git's merge by lines, only the syntax and changes outside of the conflicts are checked
		if x.draft.Merged.Method == engine.Delegated {
			if s == three.Dest {
				faults = x.findOutsideChanges(answers, x.findNonSideAnswers(answers, changed), s)
			}
			continue
		}
		if duplicates := x.duplicateKeyErrors(st, f, changed); len(duplicates) > 0 {
			return duplicates
		}
		if len(faults) == 0 { // otherwise those of the file with ours are enough
			faults = x.verifyAnswers(f, changed)
		}
	}
	return faults
}

// verifyAnswers returns a fault for each point in which f is not a merge of the versions outside of its conflicts. The
// user may accept these faults (Unproven). changed are the sorted numbers of the questions with new answers; nil means
// all.
func (x *Resolution) verifyAnswers(f answeredFile, changed []int) (faults []fault) {
	refuse := func(bad *verify.Violation) {
		faults = append(faults, fault{x.findQuestionOf(bad, f), &AnswerError{Msg: bad.Error(), Unproven: true}})
	}
	// 1. the file with its side in place of everything that is not the text of a side: some answers, and versions of
	// the policy next
	withoutNext := *x
	withoutNext.byRules = maps.Clone(x.byRules)
	maps.DeleteFunc(withoutNext.byRules, func(_ *page.Conflict, v page.Verdict) bool { return v.Side == "" })
	nonSide := x.findNonSideAnswers(f.answers, nil)
	sidesOnly := withoutNext.buildFile(replaceAnswers(f.answers, nonSide, Answer{}), f.side)
	for _, bad := range x.draft.Proof.AnswerViolations(sidesOnly.bytes, x.chosenVersions(f.answers, f.side, f.side)) {
		refuse(bad)
	}
	if len(nonSide) == 0 || len(faults) > 0 {
		return faults
	}
	// 2. if that found nothing, the file with these answers, without comments and the inside of their conflicts
	for _, bad := range x.draft.Proof.Findings(f.bytes, x.chosenVersions(f.answers, f.side, verify.Result)) {
		isInside := func(i int) bool { return isInConflict(bad.At, x.questions[i].Spans) }
		// a text may have any comments; it cannot change comments elsewhere
		if bad.Rule != verify.RuleComment && !slices.ContainsFunc(nonSide, isInside) {
			refuse(bad)
		}
	}
	// 3. new answers that change something outside of their conflicts
	return append(faults, x.findOutsideChanges(f.answers, x.findNonSideAnswers(f.answers, changed), f.side)...)
}

// isInConflict reports whether an error of a result is inside a conflict. at are the places of the error in base, ours,
// theirs and the result. Those in base, ours and theirs that are not empty must be inside the place of the conflict in
// the same version. It returns false if all three are empty.
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

// findNonSideAnswers returns the sorted numbers of the questions whose answer is not the text of a side: a text of the
// user, the base, a next version, or the merged edits of both sides in a conflict about access. TakeBoth in other
// conflicts is left out, too. If among, which must be sorted, is not nil, only these questions are considered.
func (x *Resolution) findNonSideAnswers(answers []Answer, among []int) (all []int) {
	for i, a := range answers {
		isNonSide := a.Take == TakeText || a.Take == TakeBase || a.Take == TakeNext || a.Take == TakeBoth && x.questions[i].BothEdits != nil
		_, isAmong := slices.BinarySearch(among, i)
		if isNonSide && (isAmong || among == nil) {
			all = append(all, i)
		}
	}
	return all
}

// findOutsideChanges returns a fault for each answer that changes something outside of its conflict, such as a text
// that continues the value in the line before it. The user may accept these faults (Unproven). nonSide are the numbers
// of the answers to check, and s is the side at undecided conflicts. It returns nil if the file cannot be parsed.
func (x *Resolution) findOutsideChanges(answers []Answer, nonSide []int, s three.Version) (faults []fault) {
	if len(nonSide) == 0 {
		return nil
	}
	// fillFile returns the file with these answers, and with the places of the answers to check.
	fillFile := func(answers []Answer) (filled filledFile, err error) {
		f := x.buildFile(answers, s)
		for _, i := range nonSide {
			filled.Places = append(filled.Places, x.answerPlace(i, f))
		}
		filled.Stream, err = parseFile(f.bytes)
		return filled, err
	}
	got, err := fillFile(answers)
	if err != nil {
		return nil // the syntax error was reported before
	}
	var versions []filledFile // with ours, theirs or base in place of all of these answers
	for _, take := range []Take{TakeOurs, TakeTheirs, TakeBase} {
		if f, err := fillFile(replaceAnswers(answers, nonSide, Answer{Take: take})); err == nil {
			versions = append(versions, f)
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

// setPlace sets the position of e to a byte offset in file f. answer is the place of the answer in f. If it contains
// the offset, e.Line (counted from the start of the answer) and e.Column are set; otherwise e.FileLine is.
func (e *AnswerError) setPlace(f *text.File, offset int, answer text.Span) {
	pos := f.Position(offset)
	if answer.Start <= offset && offset < answer.End {
		e.Line, e.Column = 1+pos.Line-f.Line(answer.Start), pos.Column
	} else {
		e.FileLine = pos.Line
	}
}

// findQuestionOf returns the number of the question that a violation in f is about, or -1: the first question whose
// answer overlaps the violation in f or, if there is none, the first whose conflict overlaps it in ours or theirs.
// Questions without an answer are skipped.
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

// lastChangedBefore returns the last number in changed, sorted numbers of questions, whose answer starts at the offset
// off of f or before it. If there is none, it returns the first number, or -1 if changed is empty.
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

// duplicateKeyErrors returns a fault with its position for each field of f that repeats a key of its mapping. It blames
// the last answer of changed before the field (see lastChangedBefore). st is f, parsed. The user may accept the faults
// (Unproven) if a version has a duplicate mapping key, too.
func (x *Resolution) duplicateKeyErrors(st *syntax.Stream, f answeredFile, changed []int) (faults []fault) {
	duplicates := st.DuplicateKeys()
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
		err.setPlace(st.File, e.Start, x.answerPlace(i, f))
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

// findSyntaxError returns the fault of a file that cannot be parsed: the file with answers, and with side s at
// undecided conflicts. Of the new answers that are not the text of a side, it blames the first with which the file can
// no longer be parsed. If none is to blame, it blames the only new answer, or no question (-1). changed are the sorted
// numbers of the questions with new answers; nil means all.
func (x *Resolution) findSyntaxError(answers []Answer, s three.Version, changed []int) fault {
	nonSide := x.findNonSideAnswers(answers, changed)
	// buildWithFirst builds the file without the answers in nonSide, except for the first n of them.
	buildWithFirst := func(n int) answeredFile { return x.buildFile(replaceAnswers(answers, nonSide[n:], Answer{}), s) }
	// n is the smallest number of them with which the file cannot be parsed.
	n := sort.Search(len(nonSide), func(n int) bool { return !isReadable(buildWithFirst(n).bytes) })
	f, blamed := buildWithFirst(n), -1
	switch {
	case n > 0:
		blamed = nonSide[n-1]
	case len(changed) == 1:
		blamed = changed[0]
	}
	_, err := parseFile(f.bytes)
	return fault{blamed, newUnreadableError(err, f.bytes, x.answerPlace(blamed, f))}
}

// newUnreadableError returns the error for a file that cannot be parsed, with the line at which the user should look.
// err is the error of the parser, and answer the place in file of the answer to blame. The line is one of the answer
// (Line), unless the answer is empty or longer than maxLinesToLocate; then it is the one that the parser reports in the
// file (FileLine).
func newUnreadableError(err error, file []byte, answer text.Span) *AnswerError {
	e := &AnswerError{Msg: err.Error()}
	if known, ok := errors.AsType[*syntax.Error](err); ok {
		e.Msg, e.FileLine, e.Anchor = known.Msg, known.Line, known.Anchor
	}
	lines := slices.Collect(bytes.Lines(file[answer.Start:answer.End]))
	if len(lines) == 0 || len(lines) > maxLinesToLocate {
		return e
	}
	ends := make([]int, len(lines)+1) // ends[n] is the offset in file after n lines of the answer
	ends[0] = answer.Start
	for i, l := range lines {
		ends[i+1] = ends[i] + len(l)
	}
	// The parser often reports the start of the mapping that contains the error. The first line of the answer up to
	// which the file cannot be parsed is nearer: dropped is the number of lines at the end without which it can be.
	dropped := sort.Search(len(lines), func(dropped int) bool { return isReadable(file[:ends[len(lines)-dropped]]) })
	wrong := len(lines) - dropped
	if dropped == 0 { // the error shows only after the answer
		wrong--
		e.Msg = "invalid YAML after this line: " + e.Msg
	}
	blanks := len(lines[wrong]) - len(bytes.TrimLeft(lines[wrong], " \t"))
	e.Line, e.Column, e.FileLine = wrong+1, blanks+1, 0
	return e
}

// maxLinesToLocate is the maximum number of lines of an answer for which newUnreadableError locates the error.
const maxLinesToLocate = 200

// isReadable reports whether b can be parsed as YAML, JSON or a template.
func isReadable(b []byte) bool {
	_, err := parseFile(b)
	return err == nil
}

// parseFile parses b as YAML, JSON or a template with template actions. An empty b is a file with one empty document.
// If it fails, the stream is nil, and the error is a *syntax.Error if the parser knows the position.
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
}

// buildFile returns the file with answers in place of the conflicts, with the texts of the team's rules in place of
// those that they decide, and with side s at undecided conflicts.
func (x *Resolution) buildFile(answers []Answer, s three.Version) answeredFile {
	f := answeredFile{answers: answers, side: s, places: map[*page.Conflict]text.Span{}}
	decide := x.newDecider(answers)
	for _, p := range x.draft.Page.Parts {
		if p.Conflict == nil {
			f.bytes = append(f.bytes, p.Text...)
			continue
		}
		filling := p.Conflict.Texts[s]
		if v, ok := decide(p.Conflict); ok {
			filling = v.Text
		}
		start := len(f.bytes)
		f.bytes = append(f.bytes, filling...)
		f.places[p.Conflict] = text.Span{Start: start, End: len(f.bytes)}
	}
	return f
}

// chosenVersions returns the conflicts for the verification of the file, each with the version that its answer or the
// team's rules chose: s if it is undecided, and nonSideVersion if the answer is not the text of one side. A conflict in
// which TakeBoth keeps the texts of both sides is left out, because both edits must then be in the file. If a side is
// taken field by field, there is a conflict for each field.
func (x *Resolution) chosenVersions(answers []Answer, s, nonSideVersion three.Version) (open []verify.Conflict) {
	for _, c := range x.draft.Page.Conflicts() {
		take := Take(cmp.Or(x.byRules[c].Side, string(TakeNext))) // only the policy next takes no side
		if i, isQuestion := x.questionIndex[c]; isQuestion {
			take = answers[i].Take
		}
		chosen := nonSideVersion
		switch take {
		case TakeNone:
			chosen = s
		case TakeHighest, TakeLowest: // the side that has this value
			chosen, _ = extremeSide(c, take)
		case TakeBoth:
			if c.BothEdits == nil {
				continue // not a conflict for verification: the edits of both sides must be there
			}
			// otherwise the user decided that the fields may grant what neither side granted
		case TakeOurs, TakeTheirs:
			chosen = sideOf(take)
			if v, ok := c.TakeFields(x.draft.Inputs.Streams, chosen, team.Decision{}); ok {
				for _, at := range v.Fields {
					open = append(open, verify.Conflict{At: at, Chosen: chosen})
				}
				continue
			}
		}
		open = append(open, verify.Conflict{At: c.Spans, Chosen: chosen})
	}
	return open
}

// sideOf returns the side that t takes: dest for TakeOurs, and updated for TakeTheirs, the only other value that it is
// called with.
func sideOf(t Take) three.Version {
	if t == TakeOurs {
		return three.Dest
	}
	return three.Updated
}

// newDecider returns a function that decides conflicts of x: it returns the text in place of a conflict, chosen by the
// team's rules (.git-merge-yaml.yaml) or, if they do not decide it, by its answer. answers has one for each question.
// The function returns false for a conflict that neither decides.
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

// applyAnswer returns the text that replaces c if the user gives answer a; v.By has a.Take. In a mapping on one line,
// TakeOurs and TakeTheirs decide only the fields in conflict; TakeHighest and TakeLowest take the whole text of the
// side. ok is false if a leaves the conflict undecided (TakeNone). a must have passed checkAnswer.
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

// applyNext returns the text that replaces c if the user answers TakeNext: a version for the user's own release after
// that of the other side. For example, it is 1.1.1 if base is 1.0.0, the own side 1.0.1 and the other side 1.1.0. ok is
// false if c is not about a value, if the user's own side is not known, or if there is no such version.
func (x *Resolution) applyNext(c *page.Conflict) (v page.Verdict, ok bool) {
	if c.Entry == nil || c.Kind != plan.ConflictValue {
		return v, false
	}
	own, ok := x.draft.OwnSide()
	if !ok {
		return v, false
	}
	return bump.DecideNext(c, own, x.draft.Inputs.Streams, team.Decision{})
}

// extremeSide returns the side with the highest value in c if t is TakeHighest, or with the lowest if t is TakeLowest.
// It returns dest if the values are equal. ok is false if c is not about the value of a field or item, or if the values
// cannot be compared.
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

// Resume replaces all answers in x by those in file, the bytes of Result as the user edited them. A conflict with
// unchanged markers, in any style, is undecided; any other text in its place is the answer, even if it fails
// verification. The questions may get other numbers.
//
// If Resume fails, x does not change. ErrEdited means that lines outside of the conflicts differ from the merge,
// ErrHalfResolved that an edited conflict still has markers, and an *AnswerError is about a syntax error.
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
		err := x.resumeWithMarkers(file, k)
		if err == nil {
			x.draft.Markers = k // later results have the style of file
			return nil
		}
		if failed == ErrEdited { // the first other error says more
			failed = err
		}
	}
	return failed
}

// resumeWithMarkers does what Resume does, for a file whose unchanged conflicts have the markers k.
func (x *Resolution) resumeWithMarkers(file []byte, k text.Markers) error {
	r, hasBOM := x.draft.Renderer, x.draft.Inputs.MergedFormat.HasBOM
	if found := r.Find(x.draft.Page, file, k, hasBOM, false); found != nil {
		return x.adoptAnswers(found)
	}
	if r.Find(x.draft.Page, file, k, hasBOM, true) != nil { // with remaining markers in edited conflicts
		return ErrHalfResolved
	}
	return ErrEdited
}

// adoptAnswers replaces all answers of x by those in found, the conflicts of a file that the user edited. A conflict
// that the team's rules decided becomes a question if the file has another text for it. Answers that fail verification
// are accepted, and recorded in x.unproven. It fails with an *AnswerError, and x does not change, if the file cannot be
// parsed with the answers, although it could before.
func (x *Resolution) adoptAnswers(found *page.FoundConflicts) error {
	y := *x
	y.byRules, y.questions, y.answers, y.questionIndex = map[*page.Conflict]page.Verdict{}, nil, nil, map[*page.Conflict]int{}
	for _, c := range x.draft.Page.Conflicts() {
		a := x.recognizeAnswer(found, c)
		if v, ok := x.byRules[c]; ok && (a.Take == TakeNone || found.Text(c) == string(v.Text)) {
			y.byRules[c] = v
			continue
		}
		y.addQuestion(c)
		y.answers = append(y.answers, a)
	}
	if err := y.checkReadable(found); err != nil {
		return err
	}
	y.unproven = map[unprovenKey]bool{}
	for _, r := range y.checkAnswers(y.answers, nil) {
		y.unproven[r.unprovenKey()] = true
	}
	y.bothPossible = nil
	*x = y
	return nil
}

// checkReadable returns an *AnswerError if the file cannot be parsed with the answers of x, and with ours or theirs at
// undecided conflicts. FileLine is in the file that the user edited, whose conflicts are found, if an answer is to
// blame. It returns nil without parsing if x.mayBeUnreadable is set.
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
		for _, c := range x.draft.Page.Conflicts() {
			if !isReadable(f.bytes[:f.places[c].End]) {
				e := newUnreadableError(err, f.bytes, f.places[c])
				e.FileLine, e.Line = found.Line(c)+max(e.Line, 1)-1, 0 // Line counts from 1
				return e
			}
		}
		return newUnreadableError(err, f.bytes, text.Span{})
	}
	return nil
}

// recognizeAnswer returns the answer to c that f, a file edited by the user, has in its place: the zero Answer if the
// markers are still there, and TakeOurs, TakeTheirs, TakeBase or TakeBoth if that would write the same text. Otherwise
// it is TakeText with the text, which is "" if the lines were deleted.
func (x *Resolution) recognizeAnswer(f *page.FoundConflicts, c *page.Conflict) Answer {
	if f.Open[c] {
		return Answer{}
	}
	found := f.Text(c)
	textOf := func(s three.Version) string {
		return string(c.TakeInConflict(x.draft.Inputs.Streams, s, team.Decision{}).Text)
	}
	switch {
	case found == textOf(three.Dest):
		return Answer{Take: TakeOurs}
	case found == textOf(three.Updated):
		return Answer{Take: TakeTheirs}
	case found == string(c.Texts[three.Original]):
		return Answer{Take: TakeBase}
	case c.CanKeepBoth() && found == string(c.BothTexts(x.draft.Renderer.LineBreak)):
		return Answer{Take: TakeBoth}
	}
	return Answer{Take: TakeText, Text: found}
}
