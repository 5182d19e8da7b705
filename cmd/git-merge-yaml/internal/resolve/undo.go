package resolve

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A step is what one answer changed: to which questions what had been
// answered before.
type step struct {
	at     int
	before []earlier
}

type earlier struct {
	question *question
	answer   merge.Answer
}

// undo takes the last answer back.
func (s *session) undo() (bool, error) {
	last := s.steps[len(s.steps)-1]
	s.steps = s.steps[:len(s.steps)-1]
	s.at = last.at
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

// skip leaves the question for later.
func (s *session) skip(*view) (bool, error) {
	s.steps = append(s.steps, step{at: s.at})
	s.at++
	return true, nil
}
