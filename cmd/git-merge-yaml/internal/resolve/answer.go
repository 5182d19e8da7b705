package resolve

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// take decides questions alike, as far as each can be decided so, and saves
// the files. It reports whether the one at hand was.
func (s *session) take(v *view, a merge.Answer, also ...*question) (bool, error) {
	step := step{at: s.at}
	var changed []*unmergedFile
	for _, q := range append([]*question{v.question}, also...) {
		before := q.known().Answer
		err := s.decide(q, a, q == v.question)
		if errors.Is(err, errNotTaken) {
			if q == v.question {
				return false, nil
			}
			continue
		}
		if err != nil {
			return false, err
		}
		step.before = append(step.before, earlier{q, before})
		if !slices.Contains(changed, q.file) {
			changed = append(changed, q.file)
		}
	}
	s.steps = append(s.steps, step)
	if extreme := a.Take == merge.TakeHighest || a.Take == merge.TakeLowest; extreme || len(step.before) > 1 {
		for i, e := range step.before {
			if i == mostTold && len(step.before) > mostTold+1 {
				s.say(fmt.Sprintf("... and at %d more", len(step.before)-i))
				break
			}
			s.say(s.tree.Rel(e.question.file.Path) + ": " + e.question.known().Path + ": " + e.question.took())
		}
	}
	for _, f := range changed {
		s.saveFile(f)
	}
	return true, nil
}

// mostTold is of how many conflicts with one answer it is said what was taken.
const mostTold = 3

// took says what an answer has taken: `took theirs: image: web:1.10.0`.
func (q *question) took() string {
	k := q.known()
	side, text := string(k.Answer.Take), ""
	for _, c := range q.file.asked.Result().Resolved {
		if c.Path == k.Path && c.By == side && c.Took != "" {
			side = c.Took
		}
	}
	switch side {
	case "ours":
		text = k.Ours.Text
	case "theirs":
		text = k.Theirs.Text
	case "base":
		text = k.Base.Text
	}
	text, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if more != "" {
		text += " ..."
	}
	return "took " + strings.TrimSuffix(side+": "+text, ": ")
}

// errNotTaken says that an answer was refused; why has been said.
var errNotTaken = errors.New("not taken")

// decide answers a question, and says why where that is refused. What is YAML
// but cannot be proven is taken if a person says so.
func (s *session) decide(q *question, a merge.Answer, confirm bool) error {
	err := q.file.decide(q.index, a)
	refusal, ok := errors.AsType[*merge.AnswerError](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return err
	case !confirm:
		s.say(s.tree.Rel(q.file.Path) + ": " + q.known().Path + ": left: " + refusal.Error())
		return errNotTaken
	case !refusal.Unproven:
		s.say("That cannot be taken: " + refusal.Error())
		if refusal.Anchor != "" {
			s.say("Decide the conflict with that anchor first: skip this one, and run this again for it.")
		}
		return errNotTaken
	}
	s.say("It is YAML then, but cannot be proven to be right outside of this conflict:")
	s.say(refusal.Msg)
	yes, err := s.asker.Yes("Take it all the same")
	if err != nil {
		return err
	}
	if !yes {
		return errNotTaken
	}
	a.Unproven = true
	return q.file.decide(q.index, a)
}

// saveFile writes a file as it is answered so far, and stages it if nothing is
// left. A file that cannot be written is left out from now on.
func (s *session) saveFile(f *unmergedFile) {
	err := f.save()
	switch {
	case errors.Is(err, errChanged):
		f.skip = "edited while it was asked about; run this again to go on with what is left in it"
	case err != nil:
		f.skip = err.Error()
	case f.staged:
		s.say(s.tree.Rel(f.Path) + ": resolved and staged" + f.doubt())
	}
}
