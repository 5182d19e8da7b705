package resolve

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// answer takes what a person answers, and the same at each question to come that is no
// other one; people answer those alike. The third time that a field has one answer, the
// rule is offered.
func (s *session) answer(v *view, a merge.Answer) (bool, error) {
	if done, err := s.take(v, a); !done || err != nil {
		return done, err
	}
	if err := s.repeat(v, a); err != nil {
		return true, err
	}
	return true, s.third(v, a.Take)
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
	if _, err := s.takeAll(step{at: s.at, policies: s.policies, repeated: true}, a, nil, same); err != nil {
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
		s.say(fmt.Sprintf("%s: %s: the same question, and the same answer (u takes it back)", s.tree.Rel(e.question.file.Path), e.question.path()))
	}
	return nil
}

// takeBack asks, where no question came after answers that were taken again, whether they
// are to stand; it reports whether they were taken back.
func (s *session) takeBack() (bool, error) {
	if len(s.steps) == 0 || !s.steps[len(s.steps)-1].repeated {
		return false, nil
	}
	answer, err := s.asker.Ask("That was all. Keep the same answers [y,u]?")
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil || answer != "u" && answer != "undo" {
		return false, err
	}
	return s.undo()
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

// A decision is an answer to all conflicts of one field: of resources of a kind, else of
// files of a name.
type decision struct {
	field, where string
	take         merge.Take
}

// third offers the rule for the rest where a field has one answer for the third time. The
// rule itself is offered at the end.
func (s *session) third(v *view, t merge.Take) error {
	if p := v.policy(t); v.Field == "" || t == merge.TakeText || t == merge.TakeBase || t == merge.TakeBoth && v.Items == "" || p.Take == "" {
		return nil
	}
	if s.decided == nil {
		s.decided = map[decision][]*unmergedFile{}
	}
	where := v.where()
	d := decision{v.Field, where, v.question.file.lasting(t)}
	s.decided[d] = append(s.decided[d], v.question.file)
	if len(s.decided[d]) != 3 {
		return nil
	}
	var rest []*question
	for _, q := range s.questions[min(s.at+1, len(s.questions)):] {
		if o := (&view{Question: q.known(), question: q}); !q.alone && q.open() && o.Field == v.Field && o.where() == where {
			rest = append(rest, q)
		}
	}
	if len(rest) > 0 {
		yes, err := s.asker.Yes(fmt.Sprintf("%s is taken at %s for the third time. Take it at %s too", t, v.Field+" of "+where,
			terminal.Count(len(rest), "conflict")))
		if err != nil || !yes {
			return err
		}
		if _, err := s.takeAll(step{at: s.at, policies: s.policies}, merge.Answer{Take: t}, nil, rest); err != nil {
			return err
		}
	}
	p := v.policy(t)
	if several(append(s.decided[d], files(rest)...)) {
		p.Pattern = path.Base(p.File)
	}
	s.remember(p)
	return nil
}

// where is the kind of the resource around a question, else the name of its file.
func (v *view) where() string {
	if v.Resource != "" {
		return v.Resource
	}
	return path.Base(v.question.file.Path)
}

func files(questions []*question) (all []*unmergedFile) {
	for _, q := range questions {
		all = append(all, q.file)
	}
	return all
}

// several reports whether files are not all one.
func several(all []*unmergedFile) bool {
	return slices.ContainsFunc(all, func(f *unmergedFile) bool { return f != all[0] })
}
