package resolve

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A session walks a person, or answers from outside, through the conflicts of files.
type session struct {
	*resolver
	asker        *terminal.Asker // nil for answers from outside
	situation    *situation.Situation
	ours, theirs situation.Side
	files        []*unmergedFile // with something to ask
	questions    []*question
	at           int    // the question at hand
	steps        []step // what undo takes back
}

// A question is one conflict of a file.
type question struct {
	file  *unmergedFile
	index int  // among those of the file
	shown bool // a person asked for what sops decrypted of it
}

// known is what is known of the question now.
func (q *question) known() merge.Question { return q.file.questions()[q.index] }

// open reports whether a question can be asked.
func (q *question) open() bool {
	return q.file.skip == "" && q.known().Answer.Take == merge.Undecided
}

// answers are the words that can answer q.
func (q *question) answers() []merge.Take {
	all := q.file.asked.Offers(q.index)
	if q.file.opened == nil { // nobody writes ciphertext
		all = append(all, merge.TakeText)
	}
	return all
}

// A step is the question that was answered or skipped, and what was answered before to all
// those that changed with it.
type step struct {
	at     int
	before []earlier
}

type earlier struct {
	question *question
	answer   merge.Answer
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

// interactive asks about what is left in the files, until nothing is or somebody quits, and
// says how they ended.
func (r *resolver) interactive(files []*unmergedFile, deleted []*deletion) error {
	s := r.session(files)
	s.asker = &terminal.Asker{In: r.Stdin, Out: &terminal.Painter{W: r.Stdout, Colours: r.Colours}}
	err := s.stageByHand(files)
	for err == nil && s.at < len(s.questions) {
		if q := s.questions[s.at]; q.open() {
			err = s.ask(q)
		} else {
			s.at++
		}
	}
	for i := 0; err == nil && i < len(deleted); i++ {
		err = s.askDeletion(deleted[i])
	}
	s.tellLeft(files, deleted)
	if errors.Is(err, terminal.ErrQuit) || errors.Is(err, io.EOF) {
		return nil // what is answered is saved
	}
	return err
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

// stageByHand offers to stage files that were resolved by hand.
func (s *session) stageByHand(files []*unmergedFile) error {
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

// ask shows one conflict and does as it is told, until that is done.
func (s *session) ask(q *question) error {
	v := s.view(q)
	if err := v.write(s.asker.Out, terminal.ScreenSize(s.Stdout)); err != nil {
		return err
	}
	for {
		word, err := s.asker.Choose("Take", s.keys(v))
		if err != nil {
			return err
		}
		done := true
		switch word {
		case "edit":
			done, err = s.edit(v)
		case "all":
			done, err = s.all(v)
		case "view":
			v.whole, q.shown, done = true, true, false
			err = v.write(s.asker.Out, terminal.ScreenSize(s.Stdout))
		case "skip":
			s.steps = append(s.steps, step{at: s.at})
			s.at++
		case "undo":
			err = s.undo()
		default:
			done, err = s.take(merge.Answer{Take: merge.Take(word)}, q)
		}
		if err != nil || done {
			return err
		}
	}
}

// takes are the keys of what can be taken. Their words are those of merge.Take.
var takes = []terminal.Key{
	{Key: "o", Word: "ours", Help: "take ours"},
	{Key: "t", Word: "theirs", Help: "take theirs"},
	{Key: "b", Word: "base", Help: "take what base has"},
	{Key: "k", Word: "both", Help: "keep both, ours first"},
	{Key: "h", Word: "highest", Help: "take the higher one of ours and theirs"},
	{Key: "l", Word: "lowest", Help: "take the lower one of ours and theirs"},
}

// skipKey leaves a question.
var skipKey = terminal.Key{Key: "s", Word: "skip", Help: "skip it, for a later run"}

// sideKeys are the keys for what can be taken of v.
func sideKeys(v *view) (keys []terminal.Key) {
	offers := v.question.file.asked.Offers(v.question.index)
	for _, k := range takes {
		if slices.Contains(offers, merge.Take(k.Word)) {
			keys = append(keys, k)
		}
	}
	return keys
}

// keys are those that a question offers.
func (s *session) keys(v *view) []terminal.Key {
	keys := sideKeys(v)
	sealed := v.question.file.opened != nil
	if !sealed { // nobody writes ciphertext
		keys = append(keys, terminal.Key{Key: "e", Word: "edit", Help: "edit it"})
	}
	if v.Field != "" {
		help := "use one answer for all conflicts like this"
		if n := len(s.alike(v)); n > 0 {
			help = fmt.Sprintf("use one answer for this and %d more at %s", n, v.fieldText())
		}
		keys = append(keys, terminal.Key{Key: "a", Word: "all", Help: help})
	}
	if v.shortened {
		help := "view all of its lines, whole"
		if sealed {
			help = "view all of its lines, with what sops decrypted"
		}
		keys = append(keys, terminal.Key{Key: "v", Word: "view", Help: help})
	}
	keys = append(keys, skipKey)
	if len(s.steps) > 0 {
		keys = append(keys, terminal.Key{Key: "u", Word: "undo", Help: "undo the last answer"})
	}
	return keys
}

// alike are the open questions about the same field under the same kind of
// resource as v is, v aside.
func (s *session) alike(v *view) (all []*question) {
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

// fieldText names the field that conflicts have in common.
func (v *view) fieldText() string {
	if v.Resource == "" {
		return v.Field + " of this file"
	}
	return v.Field + " of " + v.Resource
}

// all asks what to take for all conflicts like v, and takes it.
func (s *session) all(v *view) (bool, error) {
	also := s.alike(v)
	prompt := fmt.Sprintf("For %s at %s take", terminal.Count(1+len(also), "conflict"), v.fieldText())
	word, err := s.asker.Choose(prompt, append(sideKeys(v), terminal.Key{Key: "n", Word: "none", Help: "none of it"}))
	if err != nil || word == "none" {
		return false, err
	}
	done, err := s.take(merge.Answer{Take: merge.Take(word)}, v.question, also...)
	if done && err == nil {
		s.say(fmt.Sprintf("%s: %s taken at %s", v.fieldText(), word, terminal.Count(len(s.steps[len(s.steps)-1].before), "conflict")))
	}
	return done, err
}

// errNotTaken says that an answer was refused; why has been said.
var errNotTaken = errors.New("not taken")

// take decides the question at hand and others alike, as far as each can be decided so, and saves
// the files. It reports whether the one at hand was.
func (s *session) take(a merge.Answer, asked *question, also ...*question) (bool, error) {
	const mostTold = 3 // of so many conflicts it is said what was taken
	step := step{at: s.at}
	for _, q := range append([]*question{asked}, also...) {
		before := q.known().Answer
		err := s.decide(q, a, q == asked)
		switch {
		case errors.Is(err, errNotTaken) && q != asked:
			continue
		case errors.Is(err, errNotTaken):
			return false, nil
		case err != nil:
			return false, err
		}
		step.before = append(step.before, earlier{q, before})
	}
	s.steps = append(s.steps, step)
	if len(step.before) > 1 || a.Take == merge.TakeHighest || a.Take == merge.TakeLowest {
		for i, e := range step.before {
			if i == mostTold && len(step.before) > mostTold+1 {
				s.say(fmt.Sprintf("... and at %d more", len(step.before)-i))
				break
			}
			s.say(s.tree.Rel(e.question.file.Path) + ": " + e.question.known().Path + ": " + e.question.took())
		}
	}
	s.saveFiles(step)
	return true, nil
}

// took says what an answer has taken: `took theirs: image: web:1.10.0`.
func (q *question) took() string {
	k := q.known()
	side := string(k.Answer.Take)
	for _, c := range q.file.asked.Result().Resolved {
		if c.Path == k.Path && c.By == side && c.Took != "" {
			side = c.Took
		}
	}
	text := map[string]string{"ours": k.Ours.Text, "theirs": k.Theirs.Text, "base": k.Base.Text}[side]
	text, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if more != "" {
		text += " ..."
	}
	return "took " + strings.TrimSuffix(side+": "+text, ": ")
}

// decide answers a question, and says why where that is refused. What is YAML
// but cannot be proven is taken if a person says so.
func (s *session) decide(q *question, a merge.Answer, confirm bool) error {
	err := q.file.decide(q.index, a)
	refusal, ok := errors.AsType[*merge.AnswerError](err)
	switch {
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

// undo takes the last answer back.
func (s *session) undo() error {
	last := s.steps[len(s.steps)-1]
	s.steps = s.steps[:len(s.steps)-1]
	s.at = last.at
	for _, e := range last.before {
		if e.question.file.skip != "" {
			continue
		}
		e.answer.Unproven = true
		if err := e.question.file.decide(e.question.index, e.answer); err != nil {
			return err
		}
	}
	s.saveFiles(last)
	return nil
}

// saveFiles saves each file of a step once.
func (s *session) saveFiles(step step) {
	var saved []*unmergedFile
	for _, e := range step.before {
		if f := e.question.file; f.skip == "" && !slices.Contains(saved, f) {
			saved = append(saved, f)
			s.saveFile(f)
		}
	}
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
		doubt := ""
		if f.byLines() {
			doubt = ", but not verified: it is merged by lines"
		}
		s.say(s.tree.Rel(f.Path) + ": resolved and staged" + doubt)
	}
}
