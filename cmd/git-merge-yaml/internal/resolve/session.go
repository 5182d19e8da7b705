package resolve

import (
	"errors"
	"io"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A session walks a person through the conflicts of files, one by one.
type session struct {
	*resolver
	asker        *terminal.Asker
	situation    *situation.Situation
	ours, theirs situation.Side
	files        []*unmergedFile // with something to ask
	questions    []*question
	at           int    // the question at hand
	steps        []step // what undo takes back
}

// session has what is left in the files for questions.
func (r *resolver) session(files []*unmergedFile) *session {
	s := &session{resolver: r, situation: situation.Read(r.tree.Git, [3]string{})}
	s.ours, s.theirs = s.situation.Sides()
	for _, f := range files {
		if len(f.questions()) > 0 {
			s.files = append(s.files, f)
		}
		for i := range f.questions() {
			s.questions = append(s.questions, &question{file: f, index: i})
		}
	}
	return s
}

// interactive asks about what is left in the files, and says how they ended.
func (r *resolver) interactive(files []*unmergedFile, deleted []*deletion) error {
	s := r.session(files)
	s.asker = &terminal.Asker{In: r.Stdin, Out: &terminal.Painter{W: r.Stdout, Colours: r.Colours}}
	err := s.finished(files)
	if err == nil {
		err = s.walk()
	}
	for i := 0; err == nil && i < len(deleted); i++ {
		err = s.askDeletion(deleted[i])
	}
	s.tellLeft(files, deleted)
	return ended(err)
}

// tellLeft says how the files ended that are not staged.
func (s *session) tellLeft(files []*unmergedFile, deleted []*deletion) {
	s.tellDeleted(deleted)
	for _, f := range files {
		if !f.staged {
			s.tell(f)
		}
	}
}

// ended is nil where a person ended the session: all that is answered is saved.
func ended(err error) error {
	if errors.Is(err, terminal.ErrQuit) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// finished offers to stage files that were resolved by hand.
func (s *session) finished(files []*unmergedFile) error {
	for _, f := range files {
		if !f.byHand || !f.clean() || !s.Stage {
			continue
		}
		yes, err := s.asker.Yes(s.tree.Rel(f.Path) + " has no conflicts left. Stage it")
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
		if q := s.questions[s.at]; !q.open() {
			s.at++
		} else if err := s.question(q); err != nil {
			return err
		}
	}
	return nil
}

// question shows one conflict and does as it is told, until that is done.
func (s *session) question(q *question) error {
	v := s.view(q)
	if err := v.write(s.asker.Out, terminal.ScreenSize(s.Stdout)); err != nil {
		return err
	}
	for {
		answer, err := s.asker.Ask("Take " + v.keys() + "?")
		if err != nil {
			return err
		}
		k, ok := v.key(answer)
		if !ok {
			s.unknown(answer)
			if _, err := s.help(v); err != nil {
				return err
			}
			continue
		}
		if done, err := k.do(s, v); err != nil || done {
			return err
		}
	}
}
