package resolve

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// answer takes what a person answers, and the same at each question to come that is no
// other one; people answer those alike.
func (s *session) answer(v *view, a merge.Answer) (bool, error) {
	if done, err := s.take(v, a); !done || err != nil {
		return done, err
	}
	return true, s.repeat(v, a)
}

// repeat takes an answer again wherever the question of v comes again.
func (s *session) repeat(v *view, a merge.Answer) error {
	var same []*question
	for _, q := range s.questions[min(s.at+1, len(s.questions)):] {
		if !v.question.alone && !q.alone && q.open() && again(v.Question, q.known(), a.Take) {
			same = append(same, q)
		}
	}
	if len(same) == 0 {
		return nil
	}
	if _, err := s.takeAll(step{at: s.at, repeated: true}, a, nil, same); err != nil {
		return err
	}
	taken := s.steps[len(s.steps)-1].before
	if len(taken) == 0 {
		s.steps = s.steps[:len(s.steps)-1]
		return nil
	}
	for i, e := range taken {
		if i == 3 && len(taken) > 4 {
			s.say(fmt.Sprintf("... and at %d more", len(taken)-i))
			break
		}
		s.say(fmt.Sprintf("%s: %s: the same question, and the same answer (u takes it back)", s.tree.Rel(e.question.file.Path), e.question.known().Path))
	}
	return nil
}

// takeBack asks, where no question came after answers that were taken again, whether they
// are to stand; it reports whether they were taken back.
func (s *session) takeBack() (bool, error) {
	if len(s.steps) == 0 || !s.steps[len(s.steps)-1].repeated {
		return false, nil
	}
	for {
		answer, err := s.asker.Ask("That was all. Keep the same answers [y,u,q,?]?")
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		}
		switch answer {
		case "y", "yes", "q", "quit":
			return false, nil
		case "u", "undo":
			return s.undo()
		}
		s.say("y - yes, they stay (yes)")
		s.say("u - undo them, and ask about each (undo)")
		s.say("q - quit; they stay (quit)")
	}
}

// again reports whether one question is another one again, as far as an answer goes: all
// three versions are alike or, for a side, the versions or tags are that these have.
func again(q, o merge.Question, t merge.Take) bool {
	switch {
	case q.Kind != o.Kind:
		return false
	case q.Base.Text == o.Base.Text && q.Ours.Text == o.Ours.Text && q.Theirs.Text == o.Theirs.Text:
		return true
	case t == merge.TakeText:
		return false
	}
	a, b := texts(q), texts(o)
	if a == b {
		return true
	}
	bump, bumped := bumpOf(a)
	other, ok := bumpOf(b)
	return bumped && ok && bump == other && q.Kind == merge.ConflictValue
}

// texts are the three versions without the indent that they have in common.
func texts(q merge.Question) (all [3]string) {
	for i, text := range []string{q.Base.Text, q.Ours.Text, q.Theirs.Text} {
		all[i] = strings.ReplaceAll(text, "\r\n", "\n")
		indent := len(all[i]) - len(strings.TrimLeft(all[i], " "))
		lines := strings.SplitAfter(all[i], "\n")
		for j, l := range lines {
			lines[j] = strings.TrimPrefix(l, strings.Repeat(" ", indent))
		}
		all[i] = strings.Join(lines, "")
	}
	return all
}

// bumpOf is the version or the tag of each of three lines, if they differ in nothing else.
func bumpOf(lines [3]string) (bump [3]string, ok bool) {
	for _, form := range []string{`v?[0-9]+(?:\.[0-9]+)+(?:[-+][0-9A-Za-z.+-]+)?`, `[:@][0-9A-Za-z_][0-9A-Za-z_.-]*`} {
		around := ""
		ok = true
		re := regexp.MustCompile(form)
		for i, l := range lines {
			found := re.FindAllString(l, -1)
			rest := re.ReplaceAllString(l, "\x00")
			if ok = ok && len(found) == 1 && strings.Count(l, "\n") <= 1 && (i == 0 || rest == around); ok {
				bump[i], around = found[0], rest
			}
		}
		if ok {
			return bump, true
		}
	}
	return bump, false
}
