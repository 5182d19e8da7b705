package app

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A session walks a person through the conflicts of files, one by one.
type session struct {
	*resolver
	ask       *terminal.Asker
	operation git.Operation
	files     []*unmergedFile // with something to ask
	questions []*question
	at        int    // the question at hand
	steps     []step // what undo takes back
	policies  []policy
}

// A question is one conflict of a file.
type question struct {
	file  *unmergedFile
	index int // among those of the file
}

// known is what is known of the question now.
func (q *question) known() merge.Question { return q.file.questions()[q.index] }

// A step is what one answer changed: to which questions what had been
// answered before.
type step struct {
	at       int
	before   []earlier
	policies []policy
}

type earlier struct {
	question *question
	answer   merge.Answer
}

// interactive asks about what is left in the files, and says how they ended.
func (r *resolver) interactive(files []*unmergedFile) error {
	s := &session{resolver: r}
	for _, f := range files {
		if len(f.questions()) > 0 {
			s.files = append(s.files, f)
		}
		for i := range f.questions() {
			s.questions = append(s.questions, &question{f, i})
		}
	}
	keys, err := r.singleKey()
	if err != nil {
		return err
	}
	s.ask = &terminal.Asker{In: r.app.Stdin, Out: terminal.NewPainter(r.app.Stdout), Keys: keys}
	if s.operation, err = r.tree.Operation(); err != nil {
		return err
	}
	if err = s.finished(files); err == nil {
		err = s.walk()
	}
	if err == nil || errors.Is(err, errQuit) {
		err = s.offerPolicies()
	}
	for _, f := range files {
		if !f.staged {
			s.tell(f)
		}
	}
	return ended(err)
}

// errQuit says that a person has enough for now.
var errQuit = errors.New("quit")

// ended is nil where a person ended the session: all that is answered is saved.
func ended(err error) error {
	if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// singleKey reports whether answers are to be keys without Enter.
func (r *resolver) singleKey() (bool, error) {
	if !terminal.Is(r.app.Stdin) {
		return false, nil
	}
	return r.tree.Bool("interactive.singleKey")
}

// finished offers to stage files that were resolved by hand.
func (s *session) finished(files []*unmergedFile) error {
	for _, f := range files {
		if !f.byHand || !f.clean() || !s.stage {
			continue
		}
		yes, err := s.ask.Yes(s.tree.Rel(f.Path) + " has no conflicts left. Stage it")
		if err != nil {
			return err
		}
		if yes {
			if err := f.save(); err != nil {
				s.say(s.tree.Rel(f.Path) + ": " + err.Error())
			}
		}
	}
	return nil
}

// walk asks until nothing is left, or somebody quits.
func (s *session) walk() error {
	for s.at < len(s.questions) {
		q := s.questions[s.at]
		if q.file.skip != "" || q.known().Answer.Take != merge.Undecided {
			s.at++
			continue
		}
		if err := s.question(q); err != nil {
			return err
		}
	}
	return nil
}

// question shows one conflict and does as it is told, until that is done.
func (s *session) question(q *question) error {
	v := s.view(q)
	if err := v.write(s.ask.Out, terminal.ScreenSize(s.app.Stdout)); err != nil {
		return err
	}
	for {
		answer, err := s.ask.Ask("Take " + v.keys() + "?")
		if err != nil {
			return err
		}
		k, ok := v.key(answer)
		if !ok {
			v.help(s.ask.Out)
			continue
		}
		if done, err := k.do(s, v); err != nil || done {
			return err
		}
	}
}

// take decides questions alike, as far as each can be decided so, and saves
// the files. It reports whether the one at hand was.
func (s *session) take(v *view, a merge.Answer, also ...*question) (bool, error) {
	step := step{at: s.at, policies: slices.Clone(s.policies)}
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
	for _, f := range changed {
		s.saveFile(f)
	}
	return true, nil
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
		if strings.Contains(refusal.Msg, "unknown anchor") {
			s.say("Decide the conflict with that anchor first: skip this one, and run this again for it.")
		}
		return errNotTaken
	}
	s.say("It is YAML then, but cannot be proven to be right outside of this conflict:")
	s.say(refusal.Msg)
	yes, err := s.ask.Yes("Take it all the same")
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
		s.say(s.tree.Rel(f.Path) + ": resolved and staged")
	}
}

// save writes the file and, if nothing is left to decide, stages it; if there
// is again, it takes that back.
func (f *unmergedFile) save() error {
	f.result = f.asked.Result()
	if err := f.write(); err != nil {
		return err
	}
	switch {
	case f.staged && !f.clean():
		f.staged = false
		return f.tree.Unstage(f.Unmerged)
	case f.clean() && f.stage && !f.staged:
		changed, err := f.tree.Stage([]git.Staged{f.toStage()})
		if err == nil && len(changed) > 0 {
			err = errors.New(stagesChanged)
		}
		f.staged = err == nil
		return err
	}
	return nil
}

// undo takes the last answer back.
func (s *session) undo() (bool, error) {
	if len(s.steps) == 0 {
		s.say("Nothing was answered yet in this run. All conflicts of a file come back with git checkout -m -- PATH.")
		return false, nil
	}
	last := s.steps[len(s.steps)-1]
	s.steps = s.steps[:len(s.steps)-1]
	s.at, s.policies = last.at, last.policies
	var changed []*unmergedFile
	for _, e := range last.before {
		f := e.question.file
		if f.skip != "" {
			continue
		}
		e.answer.Unproven = true
		if err := f.decide(e.question.index, e.answer); err != nil {
			return false, err
		}
		if !slices.Contains(changed, f) {
			changed = append(changed, f)
		}
	}
	for _, f := range changed {
		s.saveFile(f)
	}
	return true, nil
}

// alike are the open questions about the same field under the same kind of
// resource as v is, v aside.
func (s *session) alike(v *view) []*question {
	var all []*question
	if v.Field == "" {
		return nil
	}
	for _, q := range s.questions {
		if q.file.skip != "" || q == v.question {
			continue
		}
		o := q.known()
		if o.Answer.Take == merge.Undecided && o.Field == v.Field && o.Resource == v.Resource && (o.Resource != "" || q.file == v.question.file) {
			all = append(all, q)
		}
	}
	return all
}

// all asks what to take for all conflicts like v, and takes it.
func (s *session) all(v *view) (bool, error) {
	also := s.alike(v)
	k, err := s.askSide(v, fmt.Sprintf("For %s at %s take", terminal.Count(1+len(also), "conflict"), v.fieldText()))
	if err != nil || k.take == merge.Undecided {
		return false, err
	}
	done, err := s.take(v, merge.Answer{Take: k.take}, also...)
	if done && err == nil {
		s.say(fmt.Sprintf("%s: %s taken at %s", v.fieldText(), k.take, terminal.Count(len(s.steps[len(s.steps)-1].before), "conflict")))
		s.remember(policy{take: k.take, field: v.Field, resource: v.Resource, file: v.question.file.Path})
	}
	return done, err
}

// askSide asks which side to take, or none.
func (s *session) askSide(v *view, question string) (reply, error) {
	keys := ""
	for _, k := range v.replies() {
		if k.take != merge.Undecided {
			keys += k.key + ","
		}
	}
	for {
		answer, err := s.ask.Ask(question + " [" + keys + "n,q]?")
		switch {
		case err != nil || answer == "n" || answer == "none":
			return reply{}, err
		case answer == "q" || answer == "quit":
			return reply{}, errQuit
		}
		if k, ok := v.key(answer); ok && k.take != merge.Undecided {
			return k, nil
		}
		for _, k := range v.replies() {
			if k.take != merge.Undecided {
				s.say(k.text())
			}
		}
		s.say("n - none of it (none)")
		s.say("q - quit; what is answered stays (quit)")
	}
}
