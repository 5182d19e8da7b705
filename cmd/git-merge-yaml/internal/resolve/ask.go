package resolve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A conflict is one of a file, decided or not.
type conflict struct {
	*unmergedFile
	index int // among those of the file
}

// question is what is known of the conflict now.
func (c *conflict) question() merge.Question { return c.questions()[c.index] }

func (c *conflict) isOpen() bool {
	return c.skip == "" && c.question().Answer.Take == merge.Undecided
}

// A step is the conflict that was answered or skipped, and what was answered before to all
// those that changed with it.
type step struct {
	at     int
	before []earlier
}

type earlier struct {
	*conflict
	answer merge.Answer
}

// interactive asks about what is left in the files, until nothing is or somebody quits.
func (r *resolver) interactive() error {
	r.asker = &terminal.Asker{In: r.Stdin, Out: &terminal.Painter{W: r.Stdout, Colours: r.Colours}}
	r.gather()
	err := r.askAll()
	if errors.Is(err, terminal.ErrQuit) || errors.Is(err, io.EOF) {
		return nil // what is answered is saved
	}
	return err
}

func (r *resolver) askAll() error {
	for _, f := range r.files {
		if !f.byHand || !f.clean() || !r.Stage {
			continue
		}
		yes, err := r.asker.AskYesNo(f.name() + " has no conflicts left. Stage it")
		if err != nil {
			return err
		}
		if yes {
			f.settle()
		}
	}
	for r.at < len(r.conflicts) {
		if c := r.conflicts[r.at]; !c.isOpen() {
			r.at++
		} else if err := r.ask(c); err != nil {
			return err
		}
	}
	for _, d := range r.deleted {
		if err := r.askDeletion(d); err != nil {
			return err
		}
	}
	return nil
}

// ask shows one conflict and does as it is told, until that is done.
func (r *resolver) ask(c *conflict) error {
	shortened, err := r.show(c, false)
	if err != nil {
		return err
	}
	for {
		word, err := r.asker.Choose("Take", r.keys(c, shortened))
		if err != nil {
			return err
		}
		done := true
		switch word {
		case "edit":
			done, err = r.edit(c)
		case "all":
			done, err = r.all(c)
		case "view":
			done = false
			_, err = r.show(c, true)
		case "skip":
			r.steps = append(r.steps, step{at: r.at})
			r.at++
		case "undo":
			err = r.undo()
		default:
			done, err = r.take(merge.Answer{Take: merge.Take(word)}, c)
		}
		if err != nil || done {
			return err
		}
	}
}

// skipKey leaves a question.
var skipKey = terminal.Choice{Letter: "s", Word: "skip", Help: "skip it, for a later run"}

// sideKeys are the keys for what can be taken of c. Their words are those of merge.Take.
func (c *conflict) sideKeys() []terminal.Choice {
	offers := c.asked.Offers(c.index)
	both := "keep both, ours first"
	if c.question().Kind == merge.ConflictMultiplied {
		both = "merge both, and grant what they grant only together"
	}
	return slices.DeleteFunc([]terminal.Choice{
		{Letter: "o", Word: "ours", Help: "take ours"},
		{Letter: "t", Word: "theirs", Help: "take theirs"},
		{Letter: "b", Word: "base", Help: "take what base has"},
		{Letter: "k", Word: "both", Help: both},
		{Letter: "h", Word: "highest", Help: "take the higher one of ours and theirs"},
		{Letter: "l", Word: "lowest", Help: "take the lower one of ours and theirs"},
	}, func(k terminal.Choice) bool { return !slices.Contains(offers, merge.Take(k.Word)) })
}

// keys are those that a conflict offers.
func (r *resolver) keys(c *conflict, shortened bool) []terminal.Choice {
	all, view := "use one answer for all conflicts like this", "view all of its lines, whole"
	if n := len(r.alike(c)); n > 0 {
		all = fmt.Sprintf("use one answer for this and %d more at %s", n, c.field())
	}
	keys := c.sideKeys()
	for _, k := range []struct {
		offered bool
		terminal.Choice
	}{
		{true, terminal.Choice{Letter: "e", Word: "edit", Help: "edit it"}},
		{c.question().Field != "", terminal.Choice{Letter: "a", Word: "all", Help: all}},
		{shortened, terminal.Choice{Letter: "v", Word: "view", Help: view}},
		{true, skipKey},
		{len(r.steps) > 0, terminal.Choice{Letter: "u", Word: "undo", Help: "undo the last answer"}},
	} {
		if k.offered {
			keys = append(keys, k.Choice)
		}
	}
	return keys
}

// alike are the open conflicts about the same field under the same kind of
// resource as c is, c aside.
func (r *resolver) alike(c *conflict) (all []*conflict) {
	q := c.question()
	for _, x := range r.conflicts {
		if x == c || !x.isOpen() {
			continue
		}
		o := x.question()
		if o.Field == q.Field && o.Resource == q.Resource && (o.Resource != "" || x.unmergedFile == c.unmergedFile) {
			all = append(all, x)
		}
	}
	return all
}

// field names the field that conflicts have in common.
func (c *conflict) field() string {
	q := c.question()
	if q.Resource == "" {
		return q.Field + " of this file"
	}
	return q.Field + " of " + q.Resource
}

// all asks what to take for all conflicts like c, and takes it.
func (r *resolver) all(c *conflict) (bool, error) {
	also := r.alike(c)
	prompt := fmt.Sprintf("For %s at %s take", terminal.CountNoun(1+len(also), "conflict"), c.field())
	word, err := r.asker.Choose(prompt, append(c.sideKeys(), terminal.Choice{Letter: "n", Word: "none", Help: "none of it"}))
	if err != nil || word == "none" {
		return false, err
	}
	done, err := r.take(merge.Answer{Take: merge.Take(word)}, c, also...)
	if done && err == nil {
		r.say("%s: %s taken at %s", c.field(), word, terminal.CountNoun(len(r.steps[len(r.steps)-1].before), "conflict"))
	}
	return done, err
}

// take decides the conflict at hand and others alike, as far as each can be decided so, and saves
// the files. It reports whether the one at hand was: what is YAML but cannot be proven is taken if
// a person says so.
func (r *resolver) take(a merge.Answer, at *conflict, also ...*conflict) (bool, error) {
	step := step{at: r.at}
	for _, c := range append([]*conflict{at}, also...) {
		before := c.question()
		err := c.try(a)
		refusal, refused := errors.AsType[*merge.AnswerError](err)
		switch {
		case refused && c != at:
			c.say(before.Path + ": left: " + refusal.Error())
			continue
		case refused && !refusal.Unproven:
			r.say("That cannot be taken: %v", refusal)
			if refusal.Anchor != "" {
				r.say("Decide the conflict with that anchor first: skip this one, and run this again for it.")
			}
			return false, nil
		case refused:
			r.say("It is YAML then, but cannot be proven to be right outside of this conflict:")
			r.say("%s", refusal.Msg)
			if yes, err := r.asker.AskYesNo("Take it all the same"); err != nil || !yes {
				return false, err
			}
			unproven := a
			unproven.Unproven = true
			err = c.try(unproven)
		}
		if err != nil {
			return false, err
		}
		step.before = append(step.before, earlier{c, before.Answer})
	}
	r.steps = append(r.steps, step)
	for _, e := range step.before {
		if a.Take == merge.TakeHighest || a.Take == merge.TakeLowest {
			e.say(e.question().Path + ": " + e.took())
		}
	}
	settleFiles(step.before)
	return true, nil
}

// took says what an answer has taken: `took theirs: image: web:1.10.0`.
func (c *conflict) took() string {
	q := c.question()
	side := string(q.Answer.Take)
	for _, x := range c.asked.Result().Resolved {
		if x.Path == q.Path && x.By.Side == side && x.Took != "" {
			side = x.Took
		}
	}
	text := map[string]string{"ours": q.Ours.Text, "theirs": q.Theirs.Text, "base": q.Base.Text}[side]
	text, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if more != "" {
		text += " ..."
	}
	return "took " + strings.TrimSuffix(side+": "+text, ": ")
}

// undo takes the last answer back.
func (r *resolver) undo() error {
	last := r.steps[len(r.steps)-1]
	r.steps = r.steps[:len(r.steps)-1]
	r.at = last.at
	for _, e := range last.before {
		if e.skip != "" {
			continue
		}
		e.answer.Unproven = true
		if err := e.try(e.answer); err != nil {
			return err
		}
	}
	settleFiles(last.before)
	return nil
}

// settleFiles settles each file of questions once.
func settleFiles[Q question](all []Q) {
	settled := map[*unmergedFile]bool{}
	for _, q := range all {
		if f := q.of(); f.skip == "" && !settled[f] {
			settled[f] = true
			q.settle()
		}
	}
}

// settle writes a file as it is answered so far, and stages it if nothing is
// left. A file that cannot be written is left out from now on.
func (f *unmergedFile) settle() {
	f.result = f.asked.Result()
	err := f.prepare()
	if err == nil {
		err = f.write(f)
	}
	switch {
	case err != nil:
		f.skip = err.Error()
	case f.skip == errChanged.Error():
		f.skip = "edited while it was asked about; run this again to go on with what is left in it"
	case f.skip != "":
	case f.staged && f.byLines():
		f.say("resolved and staged, but not verified: it is merged by lines")
	case f.staged:
		f.say("resolved and staged")
	}
}

// scissors is the line in an edited file below which nothing counts, as in
// git's own.
const scissors = "# ------------------------ >8 ------------------------"

const editHelp = `
# Write above this line what is to stand in the place of the conflict, without
# the markers, and indented as it is. To leave the thing out, remove all lines;
# to leave the conflict as it was, change nothing.
`

// edit lets a person write what stands in the place of a conflict, until that is taken, or until the
// person gives up. An empty text is asked about.
func (r *resolver) edit(c *conflict) (done bool, err error) {
	name, err := r.editFile(c)
	if err != nil {
		return false, err
	}
	defer os.Remove(name)
	before, err := readEdited(name)
	if err != nil {
		return false, err
	}
	for {
		if err := r.tree.OpenInEditor(name, r.Stdin, r.Stdout, r.Stderr); err != nil {
			r.say("%v", err)
			return false, nil
		}
		text, err := readEdited(name)
		if err != nil {
			return false, err
		}
		if text == before {
			r.say("Nothing was changed, so it stays as it is.")
			return false, nil
		}
		if text == "" {
			if yes, err := r.asker.AskYesNo("Leave it out altogether"); err != nil || !yes {
				return false, err
			}
		}
		if done, err = r.take(merge.Answer{Take: merge.TakeText, Text: text}, c); done || err != nil {
			return done, err
		}
		if again, err := r.asker.AskYesNo("Edit it again (no drops the text)"); err != nil || !again {
			return false, err
		}
	}
}

// editFile writes the conflict into a file of its own, within .git.
func (r *resolver) editFile(c *conflict) (name string, err error) {
	dir, err := r.tree.Line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "conflict-*.yaml")
	if err != nil {
		return "", err
	}
	q, size := c.question(), c.merger("").MarkerSize
	marked := merge.MarkedConflict{
		Markers: merge.Markers{Style: merge.StyleDiff3, Size: size, Base: "base", Ours: "ours", Theirs: "theirs"},
		Base:    []byte(q.Base.Text), Ours: []byte(q.Ours.Text), Theirs: []byte(q.Theirs.Text),
	}
	_, err = f.Write(append(marked.Append(nil), scissors+editHelp...))
	return f.Name(), errors.Join(err, f.Close())
}

// readEdited reads what stands above the scissors, in whole lines.
func readEdited(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	text, _, cut := strings.Cut("\n"+string(b), "\n"+scissors)
	text = strings.TrimPrefix(text, "\n")
	if cut && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, nil
}
