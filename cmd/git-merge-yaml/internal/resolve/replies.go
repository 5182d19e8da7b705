package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A reply is a key that a question offers.
type reply struct {
	key  string
	word string // another way to say it
	help string
	take merge.Take // what it takes, if it takes a side
	do   func(*session, *view) (done bool, err error)
}

// takes are the keys of what can be taken.
var takes = []reply{
	{"o", "ours", "take ours", merge.TakeOurs, nil},
	{"t", "theirs", "take theirs", merge.TakeTheirs, nil},
	{"b", "base", "take what base has", merge.TakeBase, nil},
	{"k", "both", "keep both, ours first", merge.TakeBoth, nil},
	{"h", "highest", "take the higher one of ours and theirs", merge.TakeHighest, nil},
	{"l", "lowest", "take the lower one of ours and theirs", merge.TakeLowest, nil},
}

// replies are the keys that the question offers.
func (v *view) replies() []reply {
	var all []reply
	for _, c := range takes {
		if slices.Contains(v.offers, c.take) {
			c.do = func(s *session, v *view) (bool, error) { return s.take(v, merge.Answer{Take: c.take}) }
			all = append(all, c)
		}
	}
	if v.question.file.opened == nil { // nobody writes ciphertext
		all = append(all, reply{"e", "edit", "edit it", "", (*session).edit})
	}
	if v.Field != "" {
		all = append(all, reply{"a", "all", v.allHelp(), "", (*session).all})
	}
	if v.shortened {
		all = append(all, reply{"v", "view", v.viewHelp(), "", (*session).viewWhole})
	}
	all = append(all, reply{"s", "skip", "skip it, for a later run", "", (*session).skip})
	if v.undoable {
		all = append(all, reply{"u", "undo", "undo the last answer", "", func(s *session, _ *view) (bool, error) { return s.undo() }})
	}
	return append(all,
		reply{"q", "quit", "quit; what is answered stays", "", func(*session, *view) (bool, error) { return true, terminal.ErrQuit }},
		reply{"?", "help", "show this help", "", (*session).help},
	)
}

// viewHelp says what there is to see.
func (v *view) viewHelp() string {
	if v.question.file.opened != nil {
		return "view all of its lines, with what sops decrypted"
	}
	return "view all of its lines, whole"
}

// keys are the keys for the prompt, as in [o,t,?].
func (v *view) keys() string {
	var keys []string
	for _, c := range v.replies() {
		keys = append(keys, c.key)
	}
	return "[" + strings.Join(keys, ",") + "]"
}

// key returns the reply that an answer means, a key or its word.
func (v *view) key(answer string) (reply, bool) {
	answer = strings.ToLower(answer)
	for _, c := range v.replies() {
		if answer == c.key || answer == c.word {
			return c, true
		}
	}
	return reply{}, false
}

// text is a reply in the help.
func (k reply) text() string { return fmt.Sprintf("%s - %s (%s)", k.key, k.help, k.word) }

// help says what the keys do.
func (s *session) help(v *view) (bool, error) {
	for _, c := range v.replies() {
		s.explain(c)
	}
	return false, nil
}

// explain says what a key does, in lines that fit, the later ones below the words of the first.
func (s *session) explain(k reply) {
	for line := range strings.SplitSeq(terminal.ScreenSize(s.Stdout).Wrap(k.text(), len("k - ")), "\n") {
		s.say(line)
	}
}

// unknown says that nothing goes by an answer, unless it was empty.
func (s *session) unknown(answer string) {
	if answer != "" {
		s.say(fmt.Sprintf("no such answer: %q; choose one of these:", answer))
	}
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
		answer, err := s.asker.Ask(question + " [" + keys + "n,q,?]?")
		switch {
		case err != nil || answer == "n" || answer == "none":
			return reply{}, err
		case answer == "q" || answer == "quit":
			return reply{}, terminal.ErrQuit
		}
		if k, ok := v.key(answer); ok && k.take != merge.Undecided {
			return k, nil
		}
		if answer != "?" {
			s.unknown(answer)
		}
		for _, k := range v.replies() {
			if k.take != merge.Undecided {
				s.explain(k)
			}
		}
		s.say("n - none of it (none)")
		s.say("q - quit; what is answered stays (quit)")
	}
}

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

// allHelp says what is decided together.
func (v *view) allHelp() string {
	if v.alike == 0 {
		return "use one answer for all conflicts like this"
	}
	return fmt.Sprintf("use one answer for this and %d more at %s", v.alike, v.fieldText())
}

// fieldText names the field that conflicts have in common.
func (v *view) fieldText() string {
	if v.Resource == "" {
		return v.Field + " of this file"
	}
	return v.Field + " of " + v.Resource
}
