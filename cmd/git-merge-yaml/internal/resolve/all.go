package resolve

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// alike are the open questions about the same field under the same kind of
// resource as v is, v aside.
func (s *session) alike(v *view) []*question {
	var all []*question
	if v.Field == "" {
		return nil
	}
	for _, q := range s.questions {
		if q == v.question || !q.open() {
			continue
		}
		o := q.known()
		if o.Field == v.Field && o.Resource == v.Resource && (o.Resource != "" || q.file == v.question.file) {
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
		s.remember(v.policy(k.take))
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
		answer, err := s.asker.Ask(question + " [" + keys + "n,q]?")
		switch {
		case err != nil || answer == "n" || answer == "none":
			return reply{}, err
		case answer == "q" || answer == "quit":
			return reply{}, errQuit
		}
		if k, ok := v.key(answer); ok && k.take != merge.Undecided {
			return k, nil
		}
		s.unknown(answer)
		for _, k := range v.replies() {
			if k.take != merge.Undecided {
				s.explain(k)
			}
		}
		s.say("n - none of it (none)")
		s.say("q - quit; what is answered stays (quit)")
	}
}

// allHelp says what is decided together.
func (v *view) allHelp() string {
	if v.alike == 0 {
		return "use one answer for all conflicts like this; save it as a rule at the end"
	}
	return fmt.Sprintf("use one answer for this and %d more at %s; save it as a rule at the end", v.alike, v.fieldText())
}

// fieldText names the field that conflicts have in common.
func (v *view) fieldText() string {
	if v.Resource == "" {
		return v.Field + " of this file"
	}
	return v.Field + " of " + v.Resource
}
