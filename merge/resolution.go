package merge

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/dialog"
)

// A Resolution is a merge that the user completes conflict by conflict. Each answer is verified; see Decide. For a
// Delegated result, the verification covers only the YAML syntax, and changes by an answer outside of its conflict. A
// Resolution is not safe for concurrent use.
type Resolution struct {
	dialog *dialog.Resolution
	raw    [3][]byte
}

// Take is the text that replaces a conflict.
type Take string

// The values of Take. Undecided, the zero value, leaves the conflict.
const (
	Undecided   Take = ""
	TakeOurs    Take = "ours"
	TakeTheirs  Take = "theirs"
	TakeBase    Take = "base"
	TakeBoth    Take = "both"    // ours, then theirs; for a ConflictMultiplied, the edits of both
	TakeHighest Take = "highest" // the higher value of ours and theirs, as by the policy highest
	TakeLowest  Take = "lowest"  // the lower value
	TakeNext    Take = "next"    // the version of the next release, as by the policy next
	TakeText    Take = "text"    // Answer.Text
)

// An Answer is the decision about a conflict. The zero value leaves the conflict open.
type Answer struct {
	// Take is what replaces the conflict.
	Take Take `json:"take"`
	// Text are the lines for TakeText. "" deletes the entry. It is ignored for other values of Take.
	Text string `json:"text,omitempty"`
	// Unproven accepts the answer although it cannot be verified: the file is YAML, but it lacks an edit outside of
	// the conflict, or has an additional one.
	Unproven bool `json:"unproven,omitempty"`
}

// A Question is a conflict and the information that the user needs to decide it.
type Question struct {
	// Conflict has the complete versions. Its Line is the line of its first marker in the bytes of Result, or 0 if it
	// is decided.
	Conflict
	// Answer is the answer to the question. It is the zero value if the question is open.
	Answer Answer `json:"answer,omitzero"`
	// Resource is the kind of the resource that contains the conflict, as a team's file selects it, for example
	// apps/Deployment or core/Service. It is empty if there is none.
	Resource string `json:"resource,omitempty"`
	// Field is the path of the conflict as a team's file writes it, for example
	// spec.template.spec.containers[*].image. It is empty if no policy can decide the conflict.
	Field string `json:"field,omitempty"`
	// Before and After are the lines before and after the conflict, at most three, without line breaks. Other conflicts
	// in them have the lines of ours, or of the answer.
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
}

// An AnswerError is the reason why an answer to a question is refused.
type AnswerError struct {
	// Line and Column are the position of the error in the text of the answer, from 1. Columns count characters. They
	// are 0 if the error is elsewhere.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// FileLine is the line of the error in the file that the answer would make, from 1, if the error is not in the text
	// of the answer. At conflicts that are not decided, that file has one side. For Resume, it is the line of the file.
	// It is 0 if it is not known.
	FileLine int `json:"file_line,omitempty"`
	// Msg is the message.
	Msg string `json:"msg"`
	// Anchor is the name of an anchor that the file would lack because its conflict is not decided yet. Otherwise it is
	// empty.
	Anchor string `json:"anchor,omitempty"`
	// Unproven means that the file is YAML nevertheless, and that Answer.Unproven accepts the answer.
	Unproven bool `json:"unproven,omitempty"`
}

// Error returns the message, after the position if it is known.
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

// NewResolution merges as Merge does, and returns the conflicts that the team's rules do not decide as questions.
// Options.Resolve is ignored.
//
// If the versions cannot be merged as YAML, the questions are the conflicts of the line merge. There are no questions
// if a version contains conflict markers itself. NewResolution returns an error where Merge does.
func NewResolution(base, ours, theirs []byte, opts Options) (*Resolution, error) {
	opts.Resolve = ResolveNone
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

// Result returns the result of the merge with the answers so far. It is clean if all questions are answered.
func (x *Resolution) Result() Result { return fromEngine(x.raw, x.dialog.Result()) }

// Questions returns all questions in the order of the file, including those that are answered. Conflicts that the
// team's rules decide are not questions.
func (x *Resolution) Questions() []Question {
	c := converter{raw: x.raw}
	var all []Question
	for _, q := range x.dialog.Questions() {
		all = append(all, Question{c.conflict(q.Conflict), answerFrom(q.Answer), q.Resource, q.Field, q.Before, q.After})
	}
	return all
}

// Offers returns the answers that are possible for question i, from 0, except TakeText. These are ours, theirs and
// base; both, if Decide accepts it; highest and lowest, if the values can be compared; next,
// if both sides raised a version and Options.Own is known. For a ConflictEncrypted there
// are none. To know about both, Offers verifies the file. It panics if there is no question i.
func (x *Resolution) Offers(i int) []Take {
	var all []Take
	for _, t := range x.dialog.Offers(i) {
		all = append(all, Take(t))
	}
	return all
}

// HasAnswer reports whether question i, from 0, has an answer that yields the same text as answer a. It returns false
// if a is not valid for the question. It panics if there is no question i.
func (x *Resolution) HasAnswer(i int, a Answer) bool { return x.dialog.HasAnswer(i, a.toDialog()) }

// Decide answers question i, from 0. The zero Answer makes it open again.
//
// An answer is refused if, with either side at the conflicts that are not decided, the file would not be YAML, would
// have a duplicate mapping key, or would not contain exactly the edits of both sides outside of the conflicts. If the
// result is Delegated, an answer is refused only if the file would not be YAML, or if the answer changes something
// outside of its conflict. The error is then an *AnswerError, and x does not change.
//
// If AnswerError.Unproven is true, the same answer with Answer.Unproven is accepted. Decide panics if there is no
// question i.
func (x *Resolution) Decide(i int, a Answer) error { return x.DecideAll(map[int]Answer{i: a}) }

// DecideAll answers several questions together, as Decide does for one. It is needed for answers that are valid only
// together, such as those about an alias and about its anchor. Either all answers are accepted or none.
func (x *Resolution) DecideAll(all map[int]Answer) error {
	return errorFrom(x.dialog.DecideAll(toDialog(all)))
}

// DecideSome answers the questions whose answers are accepted together, and returns the errors for the others, by
// question. An answer is verified without the others before it is refused. If many are refused, it gives up after
// verifying the file 32 times; valid answers may then be refused, and can be given again.
func (x *Resolution) DecideSome(all map[int]Answer) (refused map[int]error) {
	refused = x.dialog.DecideSome(toDialog(all))
	for i, err := range refused {
		refused[i] = errorFrom(err)
	}
	return refused
}

// Resume reads answers from file, which was written from the bytes of Result and may have been edited by the user. A
// conflict is open if its markers and lines are unchanged, in any style. Otherwise the text in its place is the
// answer. The labels and the size of the markers must be those of the options.
//
// The style in which the conflicts were found becomes the style of x. Answers that cannot be verified are accepted.
//
// It returns ErrEdited, ErrHalfResolved, or an *AnswerError with the position of a syntax error. Then x does not
// change.
func (x *Resolution) Resume(file []byte) error { return errorFrom(x.dialog.Resume(file)) }

// toDialog converts an answer.
func (a Answer) toDialog() dialog.Answer {
	return dialog.Answer{Take: dialog.Take(a.Take), Text: a.Text, Unproven: a.Unproven}
}

// toDialog converts answers.
func toDialog(all map[int]Answer) map[int]dialog.Answer {
	out := map[int]dialog.Answer{}
	for i, a := range all {
		out[i] = a.toDialog()
	}
	return out
}

// answerFrom converts an answer.
func answerFrom(a dialog.Answer) Answer { return Answer{Take(a.Take), a.Text, a.Unproven} }

// errorFrom returns err as an *AnswerError if it is one of the dialog.
func errorFrom(err error) error {
	if e, ok := errors.AsType[*dialog.AnswerError](err); ok {
		out := AnswerError(*e)
		return &out
	}
	return err
}
