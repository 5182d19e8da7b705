package merge

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/dialog"
)

// A Resolution is a merge that the user completes conflict by conflict. Each answer is verified before it is accepted:
// with it, the file must have exactly the edits of both sides outside of the conflicts (see Decide). If the result is
// MethodDelegated, which is git's merge by lines, only the YAML syntax is verified, and that an answer changes nothing
// outside of its conflict. A Resolution is not safe for concurrent use.
type Resolution struct {
	dialog *dialog.Resolution
	raw    [3][]byte
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
	d := dialog.AnswerError(*e)
	return d.Error()
}

// The errors of Resume.
var (
	// ErrEdited is returned if lines outside of the conflicts differ from the merge.
	ErrEdited = dialog.ErrEdited
	// ErrHalfResolved is returned if a conflict was edited but still has markers.
	ErrHalfResolved = dialog.ErrHalfResolved
)

// NewResolution merges the changes that ours and theirs made to base, and returns the merge with a question for each
// conflict that the policies of opts.Rules do not decide. If the versions cannot be merged as YAML, the questions are
// the conflicts of git's merge by lines; there are none if a version contains conflict markers. It fails in the same
// cases as Merge.
func NewResolution(base, ours, theirs []byte, opts Options) (*Resolution, error) {
	opts.Resolve = TakeNone
	o, err := opts.toEngine()
	if err != nil {
		return nil, err
	}
	d, err := dialog.New(base, ours, theirs, o)
	if err != nil {
		return nil, err
	}
	return &Resolution{d, [3][]byte{base, ours, theirs}}, nil
}

// Result returns the merged file with the answers so far. Conflicts without an answer have markers; the result is clean
// if all questions are answered. Conflicts that the team's rules or an answer decided are in Resolved.
func (x *Resolution) Result() Result { return fromEngine(x.raw, x.dialog.Result()) }

// Questions returns all questions in the order of the file, including those that are answered. Question i, as in
// Decide, has index i. Conflicts that the policies of Options.Rules (.git-merge-yaml.yaml) decided are not questions.
// The slice is new at each call, and nil if there are no questions.
func (x *Resolution) Questions() []Question {
	c := converter{raw: x.raw}
	var all []Question
	for _, q := range x.dialog.Questions() {
		all = append(all, Question{c.conflict(q.Conflict), Answer{Take(q.Answer.Take), q.Answer.Text, q.Answer.Unproven}, q.Resource, q.Field, q.Before, q.After})
	}
	return all
}

// Offers returns the answers that are possible for question i, from 0, except TakeText; nil for a value that only SOPS
// can write. Ours, theirs and base are offered even if Decide would refuse them, TakeBoth only if Decide would accept
// it. To find that out, Offers verifies the whole file. It panics if there is no question i.
func (x *Resolution) Offers(i int) []Take {
	var all []Take
	for _, t := range x.dialog.Offers(i) {
		all = append(all, Take(t))
	}
	return all
}

// HasAnswer reports whether question i, from 0, is answered with the same text as answer a would give, even if by
// another value of Take. It returns false if a is not possible for the question, for example because the values cannot
// be compared (TakeHighest). It panics if there is no question i.
func (x *Resolution) HasAnswer(i int, a Answer) bool { return x.dialog.HasAnswer(i, a.toDialog()) }

// Decide answers question i, from 0; the zero Answer makes it undecided again. It refuses an answer with an
// *AnswerError, and leaves x as it is, if the file would not be YAML, would have a duplicate mapping key, or would fail
// verification. If AnswerError.Unproven is true, the same answer with Answer.Unproven is accepted. Decide panics if
// there is no question i.
func (x *Resolution) Decide(i int, a Answer) error { return x.DecideAll(map[int]Answer{i: a}) }

// DecideAll answers several questions, by their numbers from 0: all of them or, with an *AnswerError about the first
// reason, none. Use it for answers that are valid only together, such as those about an alias and its anchor. If one
// has Unproven set, failed verification is accepted for all. It panics if one of the questions does not exist.
func (x *Resolution) DecideAll(all map[int]Answer) error {
	return errorFrom(x.dialog.DecideAll(toDialog(all)))
}

// DecideSome answers as many of several questions as possible, by their numbers from 0, and returns an *AnswerError for
// each of the others, in a map that is not nil. It verifies the file at most 32 times: answers that are left then are
// refused, though they may be valid, and can be given again. It panics if one of the questions does not exist.
func (x *Resolution) DecideSome(all map[int]Answer) (refused map[int]error) {
	refused = x.dialog.DecideSome(toDialog(all))
	for i, err := range refused {
		refused[i] = errorFrom(err)
	}
	return refused
}

// Resume replaces all answers in x by those in file, the bytes of Result as the user edited them. A conflict with
// unchanged markers is undecided; any other text in its place is the answer, even if it fails verification. The
// questions may get other numbers.
//
// If Resume fails, x does not change. ErrEdited means that lines outside of the conflicts differ from the merge,
// ErrHalfResolved that an edited conflict still has markers, and an *AnswerError is about a syntax error.
func (x *Resolution) Resume(file []byte) error { return errorFrom(x.dialog.Resume(file)) }

// toDialog returns a as an answer of package dialog.
func (a Answer) toDialog() dialog.Answer {
	return dialog.Answer{Take: dialog.Take(a.Take), Text: a.Text, Unproven: a.Unproven}
}

// toDialog converts answers, by the number of the question, to those of package dialog, in a new map.
func toDialog(all map[int]Answer) map[int]dialog.Answer {
	out := map[int]dialog.Answer{}
	for i, a := range all {
		out[i] = a.toDialog()
	}
	return out
}

// errorFrom returns err itself, or a new *AnswerError with the same fields if err is a *dialog.AnswerError or wraps
// one.
func errorFrom(err error) error {
	if e, ok := errors.AsType[*dialog.AnswerError](err); ok {
		out := AnswerError(*e)
		return &out
	}
	return err
}
