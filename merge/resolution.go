package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Resolution is a merge that the user completes conflict by conflict. Each answer is verified before it is accepted:
// with it, the file must have exactly the edits of both sides outside of the conflicts (see Decide). If the result is
// MethodDelegated, which is git's merge by lines, only the YAML syntax is verified, and that an answer changes nothing
// outside of its conflict. A Resolution is not safe for concurrent use.
type Resolution struct {
	raw   [3][]byte // base, ours and theirs
	draft *engine.Draft
	// byRules are the conflicts that the team's rules decide, each with the text that replaces it. Resume may remove
	// some.
	byRules       map[*page.Conflict]page.Verdict
	questions     []*page.Conflict       // the conflicts that are questions, in the order of the file
	questionIndex map[*page.Conflict]int // the index in questions
	answers       []Answer               // the answer to each question
	// unproven are the failures of verification that the user or Resume accepted.
	unproven     map[unprovenKey]bool
	proofCount   int          // how often answers were verified
	bothPossible map[int]bool // the questions for which TakeBoth is accepted; nil if that has to be found out
	// mayBeUnreadable means that the file does not have to be YAML, so that answers are not verified: it was merged by
	// lines, and was not YAML before the first answer, or it has nothing to decide.
	mayBeUnreadable bool
}

// Take is what replaces a conflict.
type Take string

// The values of Take. TakeNone, the zero value, leaves the conflict.
const (
	TakeNone    Take = ""
	TakeOurs    Take = "ours"
	TakeTheirs  Take = "theirs"
	TakeBase    Take = "base"
	TakeBoth    Take = "both"    // ours, then theirs; for a ConflictAccess, the edits of both
	TakeHighest Take = "highest" // the higher value of ours and theirs, as by the policy highest
	TakeLowest  Take = "lowest"  // the lower value
	TakeNext    Take = "next"    // the version of the next release, as by the policy next
	TakeText    Take = "text"    // Answer.Text
)

// An Answer is the decision about a conflict. The zero value leaves the conflict undecided.
type Answer struct {
	// Take is what replaces the conflict.
	Take Take `json:"take"`
	// Text are the lines that replace the conflict if Take is TakeText. "" deletes the entry. It is ignored for other
	// values of Take.
	Text string `json:"text,omitempty"`
	// Unproven accepts the answer although it fails verification: the file is YAML, but it lacks an edit outside of
	// the conflict, or has an additional one. The zero value, false, refuses such an answer.
	Unproven bool `json:"unproven,omitempty"`
}

// A Question is a conflict and the information that the user needs to decide it.
type Question struct {
	// Conflict has all lines of the versions. Its Line is the line of its first marker in the bytes of Result, from 1,
	// or 0 if it is decided.
	Conflict
	// Answer is the answer to the question. It is the zero value if the question is not answered.
	Answer Answer `json:"answer,omitzero"`
	// Resource is the kind of the resource that contains the conflict, as a rule of the team would select it, for
	// example apps/Deployment or core/Service. It is empty if the conflict is not in a resource.
	Resource string `json:"resource,omitempty"`
	// Field is the path of the conflict as a rule of the team would select it, for example
	// spec.template.spec.containers[*].image. It is empty if no policy can decide the conflict.
	Field string `json:"field,omitempty"`
	// Before and After are the lines before and after the conflict, at most three, without line breaks. If there are
	// other conflicts in them, these are replaced by their answers, or by ours if they have no answer.
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
}

// NewResolution merges the versions, and makes a question of each conflict that opts.Rules leave, for the user to
// answer. Versions that cannot be merged as YAML are merged by lines; then the conflicts of that merge are the
// questions, or none if a version has markers. opts.Resolve is ignored. Errors are those of Merge.
func NewResolution(base, ours, theirs []byte, opts Options) (*Resolution, error) {
	opts.Resolve = TakeNone
	o, err := opts.toEngine()
	if err != nil {
		return nil, err
	}
	return newResolution([3][]byte{base, ours, theirs}, o)
}

// newResolution returns the merge of raw (base, ours and theirs), with a question for each conflict that the team's
// rules do not decide. Without such conflicts, for example because git's merge is clean, it has no questions. opts are
// options of package engine. The error is that of the merge.
func newResolution(raw [3][]byte, opts engine.Options) (*Resolution, error) {
	d, err := engine.NewDraft(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil {
		return nil, err
	}
	x := &Resolution{raw: raw, draft: d, byRules: d.ByRules, questionIndex: map[*page.Conflict]int{}, unproven: map[unprovenKey]bool{}}
	for _, c := range d.Page.Conflicts() {
		if _, ok := d.ByRules[c]; !ok {
			x.addQuestion(c)
		}
	}
	// a version is too large or has markers, or git's merge is not YAML with the lines of a side in all conflicts
	x.mayBeUnreadable = len(d.Page.Conflicts()) == 0 || d.Merged.Method == engine.Delegated &&
		(d.Inputs.Unfit() != nil || !isReadable(d.Page.Resolve(three.Dest)) || !isReadable(d.Page.Resolve(three.Updated)))
	x.answers = make([]Answer, len(x.questions))
	return x, nil
}

// addQuestion makes c the last question of x: it sets x.questions and x.questionIndex. The caller has to append its
// answer to x.answers.
func (x *Resolution) addQuestion(c *page.Conflict) {
	x.questionIndex[c] = len(x.questions)
	x.questions = append(x.questions, c)
}

// contextLines is the maximum number of lines in Question.Before and in Question.After.
const contextLines = 3

// Questions returns all questions in the order of the file, including those that are answered. Question i, as in
// Decide, has index i. Conflicts that the policies of Options.Rules (.git-merge-yaml.yaml) decided are not questions.
// The slice is new at each call, and nil if there are no questions.
func (x *Resolution) Questions() (all []Question) {
	lines, file, toPublic := x.markerLines(), x.buildFile(x.answers, three.Dest), converter{raw: x.raw}
	for i, c := range x.questions {
		q := Question{Conflict: toPublic.convert(x.draft.ConflictOf(c, lines[c])), Answer: x.answers[i]}
		q.Resource, q.Field = c.PolicyTarget()
		q.Before = lastLines(file.bytes[:file.places[c].Start], contextLines)
		q.After = firstLines(file.bytes[file.places[c].End:], contextLines)
		all = append(all, q)
	}
	return all
}

// markerLines returns the line of the first marker of each undecided conflict in the bytes of Result, from 1.
func (x *Resolution) markerLines() map[*page.Conflict]int {
	undecided, _ := x.draft.Page.Decide(x.draft.Renderer, x.newDecider(x.answers))
	lines := map[*page.Conflict]int{}
	for _, k := range x.draft.Renderer.Write(undecided, x.draft.Markers, x.draft.Inputs.MergedFormat.HasBOM).Marks {
		if lines[k.Conflict] == 0 {
			lines[k.Conflict] = k.Line
		}
	}
	return lines
}

// firstLines returns at most the first n lines of b without their line breaks (LF or CRLF). It returns nil if b is
// empty or n is 0. A last line without a line break counts as a line.
func firstLines(b []byte, n int) (all []string) {
	for line := range bytes.Lines(b) {
		if len(all) == n {
			break
		}
		all = append(all, strings.TrimRight(string(line), "\r\n"))
	}
	return all
}

// lastLines returns at most the last n lines of b without their line breaks (LF or CRLF). It returns nil if b is empty
// or n is 0. The last line of b must have a line break.
func lastLines(b []byte, n int) []string {
	start := len(b)
	for range n + 1 { // to the line break before the last n lines, or -1
		start = bytes.LastIndexByte(b[:max(start, 0)], '\n')
	}
	return firstLines(b[start+1:], n)
}

// Offers returns the values of Take that a caller can offer the user for question i, from 0, except TakeText. It is nil
// for a value that only SOPS can write. Decide may still refuse an offer. To find out about TakeBoth, Offers may verify
// the whole file. It panics if there is no question i.
func (x *Resolution) Offers(i int) []Take {
	c := x.questions[i]
	if c.Kind == plan.ConflictEncrypted {
		return nil
	}
	offers := []Take{TakeOurs, TakeTheirs, TakeBase}
	if x.acceptsBoth(i) {
		offers = append(offers, TakeBoth)
	}
	for _, t := range []Take{TakeHighest, TakeLowest} {
		if _, ok := extremeSide(c, t); ok {
			offers = append(offers, t)
		}
	}
	if _, ok := x.applyNext(c); ok {
		offers = append(offers, TakeNext)
	}
	return offers
}

// acceptsBoth reports whether TakeBoth is possible for question i. It tries TakeBoth for all questions whose conflict
// can keep both sides, together, with DecideSome on a copy of x. The results for all questions are kept in
// x.bothPossible until an answer changes.
func (x *Resolution) acceptsBoth(i int) bool {
	if x.bothPossible != nil {
		return x.bothPossible[i]
	}
	both := map[int]Answer{}
	for i, c := range x.questions {
		if c.CanKeepBoth() {
			both[i] = Answer{Take: TakeBoth}
		}
	}
	trial := *x // independent of x: decideAll replaces slices and maps, and changes none
	refused := trial.DecideSome(both)
	x.bothPossible = map[int]bool{}
	for i := range both {
		x.bothPossible[i] = refused[i] == nil
	}
	return x.bothPossible[i]
}

// HasAnswer reports whether question i, from 0, already has the text that answer a would give, even by another value of
// Take. It returns false if a is not possible for the question, for example TakeHighest for values that cannot be
// compared. It panics if there is no question i.
func (x *Resolution) HasAnswer(i int, a Answer) bool {
	c := x.questions[i]
	if x.checkAnswer(c, a) != nil {
		return false
	}
	current, answered := x.applyAnswer(c, x.answers[i])
	wanted, _ := x.applyAnswer(c, a)
	return answered && bytes.Equal(current.Text, wanted.Text)
}

// Result returns the merged file with the answers so far. Conflicts without an answer have markers; the result is clean
// if all questions are answered. Conflicts that the team's rules or an answer decided are in Resolved.
func (x *Resolution) Result() Result { return fromEngine(x.raw, x.result()) }

// result returns Result as the result of package engine.
func (x *Resolution) result() engine.Result { return x.draft.Result(x.newDecider(x.answers)) }

// Decide answers question i, from 0; the zero Answer makes it undecided. It refuses the answer with an *AnswerError,
// and changes nothing, if the file would not be YAML, would repeat a key, or would fail verification, unless the answer
// accepts that (Unproven). It panics if there is no question i.
func (x *Resolution) Decide(i int, a Answer) error { return x.DecideAll(map[int]Answer{i: a}) }

// DecideAll answers several questions, by their numbers from 0. It accepts all of the answers or, with an *AnswerError,
// none. Use it for answers that are only valid together, such as an alias and its anchor. If one of them is Unproven,
// failed verification is accepted for all. It panics for an unknown question.
func (x *Resolution) DecideAll(all map[int]Answer) error {
	if refused := x.decideAll(all); len(refused) > 0 {
		return refused[0].AnswerError
	}
	return nil
}

// decideAll gives answers, by the numbers of their questions, if the file has no faults with them. Otherwise it returns
// the faults, and changes nothing. A failed verification is no fault if one of the answers accepts it (Unproven), or if
// it was accepted before for another question. x.proofCount counts the verifications.
func (x *Resolution) decideAll(answers map[int]Answer) (faults []fault) {
	changed := slices.Sorted(maps.Keys(answers))
	newAnswers, unproven, acceptsUnproven := slices.Clone(x.answers), maps.Clone(x.unproven), false
	for _, i := range changed {
		if err := x.checkAnswer(x.questions[i], answers[i]); err != nil {
			faults = append(faults, fault{i, err})
		}
		newAnswers[i] = answers[i]
		delete(unproven, unprovenKey{question: i}) // that was about the answer before
		acceptsUnproven = acceptsUnproven || answers[i].Unproven
	}
	if len(faults) > 0 || len(answers) == 0 {
		return faults
	}
	x.proofCount++
	faults = x.checkAnswers(newAnswers, changed)
	for _, r := range faults {
		if !r.Unproven || !acceptsUnproven && !unproven[r.unprovenKey()] {
			return faults
		}
		unproven[r.unprovenKey()] = true
	}
	x.answers, x.unproven, x.bothPossible = newAnswers, unproven, nil
	return nil
}

// maxProofs is the maximum number of times that DecideSome verifies the file. It limits the time for many answers
// that are refused.
const maxProofs = 32

// DecideSome gives as many of the answers in all, by the numbers of their questions from 0, as possible. It returns an
// *AnswerError for each refused answer, in a map that is not nil. It verifies the file at most 32 times; answers left
// then are refused, and can be given again. It panics for an unknown question.
func (x *Resolution) DecideSome(all map[int]Answer) (refused map[int]error) {
	refused = map[int]error{}
	parts := []map[int]Answer{all} // answers to decide together; a part with faults is divided
	for attempt := 0; len(parts) > 0; attempt++ {
		answers := parts[0]
		parts = parts[1:]
		if attempt >= maxProofs {
			for i := range answers {
				refused[i] = cmp.Or(refused[i], errTooMany)
			}
			continue
		}
		faults := x.decideAll(answers)
		blamed := map[int]Answer{}
		for _, r := range faults {
			if a, ok := answers[r.question]; ok {
				blamed[r.question], refused[r.question] = a, r.AnswerError
			}
		}
		switch {
		case len(faults) == 0:
			for i := range answers { // some may have been blamed before, together with others
				delete(refused, i)
			}
		case len(answers) == 1:
			for i := range answers {
				refused[i] = faults[0].AnswerError
			}
		default:
			first, second := separateAnswers(answers, blamed)
			parts = slices.Insert(parts, 0, first, second)
		}
	}
	return refused
}

// separateAnswers divides all into the answers that are not blamed (first) and the blamed ones (last). If all or none
// are blamed, it divides them by the numbers of their questions instead: the lower half and the higher half.
func separateAnswers(all, blamed map[int]Answer) (first, last map[int]Answer) {
	first, last = map[int]Answer{}, map[int]Answer{}
	byNumber := len(blamed) == 0 || len(blamed) == len(all)
	for k, i := range slices.Sorted(maps.Keys(all)) {
		_, isLast := blamed[i]
		if byNumber {
			isLast = k >= len(all)/2
		}
		if isLast {
			last[i] = all[i]
		} else {
			first[i] = all[i]
		}
	}
	return first, last
}

// errTooMany is the error for an answer that DecideSome did not verify.
var errTooMany error = &AnswerError{Msg: "not checked, because too many other answers for this file were refused; repeat this answer"}

// checkAnswer returns why a is never a possible answer to c, whatever the rest of the file is:
//
//   - TakeHighest, TakeLowest: the values cannot be compared
//   - TakeNext: there is no next version
//   - TakeText: a line is a conflict marker; Line and Column are set
//   - any answer except TakeNone: the value is encrypted by SOPS
//   - an unknown value of Take
//
// Otherwise, it returns nil. It does not check whether both sides can be kept (TakeBoth).
func (x *Resolution) checkAnswer(c *page.Conflict, a Answer) *AnswerError {
	switch a.Take {
	case TakeNone:
		return nil
	case TakeOurs, TakeTheirs, TakeBase, TakeBoth:
	case TakeHighest, TakeLowest:
		if _, ok := extremeSide(c, a.Take); !ok {
			return &AnswerError{Msg: "cannot compare the two values, so the " + string(a.Take) + " is not known"}
		}
	case TakeNext:
		if _, ok := x.applyNext(c); !ok {
			return &AnswerError{Msg: "no next version; both sides must raise a version such as 1.2.3, and your own side must be known"}
		}
	case TakeText:
		if n := text.FirstMarkerLine([]byte(a.Text), x.draft.Markers.Size); n > 0 {
			return &AnswerError{Line: n, Column: 1, Msg: "unresolved conflict marker"}
		}
	default:
		return &AnswerError{Msg: fmt.Sprintf("unknown answer %q", a.Take)}
	}
	if c.Kind == plan.ConflictEncrypted {
		return &AnswerError{Msg: "encrypted by SOPS, and only SOPS can write this value"}
	}
	return nil
}
