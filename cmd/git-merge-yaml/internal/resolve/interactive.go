package resolve

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// A conflict is one conflict in the content of an unmergedFile, open or answered.
type conflict struct {
	*unmergedFile
	index int // in unmergedFile.questions()
}

// question returns the current state of c: its versions, the lines around it, and its answer if it has one.
func (c *conflict) question() merge.Question { return c.questions()[c.index] }

// isOpen reports whether c has no answer yet. It reports false if the file is skipped.
func (c *conflict) isOpen() bool {
	return c.skipReason == "" && c.question().Answer.Take == merge.TakeNone
}

// An undoStep is an action of the user that the choice "undo" can revert: an answer to one or more conflicts, or a
// skip.
type undoStep struct {
	position int              // value of resolver.current before the action
	answers  []previousAnswer // of the conflicts that the action changed; none for a skip
}

// A previousAnswer is a conflict with the answer that it had before an undoStep, which may be the zero Answer.
type previousAnswer struct {
	*conflict
	answer merge.Answer
}

// runInteractive asks the user at the terminal about all conflicts and deleted files, until each is answered or
// skipped. Each answer is saved at once. It sets r.asker, r.conflicts and r.situation. It also returns nil if the user
// quits or the input ends; the error is that of the terminal or of git.
func (r *resolver) runInteractive() error {
	r.asker = &terminal.Asker{In: r.Stdin, Out: &terminal.Painter{W: r.Stdout, Colours: r.Colours}}
	r.collectConflicts()
	err := r.promptAll()
	if errors.Is(err, terminal.ErrQuit) || errors.Is(err, io.EOF) {
		return nil // the answers given so far are saved
	}
	return err
}

// printNextCommand tells the user what to do after all conflicts are resolved. It prints how many other files are still
// unmerged, or the command that continues git's operation, or git stash drop if theirs is a stash. It prints nothing if
// none of these applies, as after git checkout --merge. The error is that of git.
func (r *resolver) printNextCommand() error {
	unmerged, err := r.tree.Unmerged(nil)
	if err != nil {
		return err
	}
	if len(unmerged) > 0 {
		r.printLine(`%s still unmerged (use "git status" to list them)`, terminal.CountNoun(len(unmerged), "file"))
		return nil
	}
	next, purpose := r.situation.ContinueCommand(), "continue"
	for _, f := range r.files {
		if stash, ok := situation.FindStash(r.tree.Git, f.Path, f.stages.Theirs); ok && next == "" {
			next, purpose = "git stash drop "+stash.Name, "drop the stash"
		}
	}
	if next != "" {
		r.printLine("all conflicts resolved (use %q to %s)", next, purpose)
	}
	return nil
}

// promptAll asks the user about everything that is open: whether to stage files in which the user resolved all
// conflicts in an editor, then about the conflicts from r.current on, then about the deleted files. Each answer is
// saved at once. It returns the first error of a prompt: terminal.ErrQuit if the user quits, io.EOF if the input ends.
func (r *resolver) promptAll() error {
	for _, f := range r.files {
		if !f.editedByUser || !f.isClean() || !r.Stage {
			continue
		}
		yes, err := r.asker.AskYesNo("Stage " + f.relPath() + " (no conflicts left)")
		if err != nil {
			return err
		}
		if yes {
			f.save()
		}
	}
	for r.current < len(r.conflicts) {
		if c := r.conflicts[r.current]; !c.isOpen() {
			r.current++
		} else if err := r.promptConflict(c); err != nil {
			return err
		}
	}
	for _, d := range r.deletions {
		if err := r.promptDeletion(d); err != nil {
			return err
		}
	}
	return nil
}

// promptConflict shows c and asks the user about it, until c is answered or skipped, or the last step is undone. It
// updates r.current, the number of the next conflict to ask about: a skip increments it, an undo sets it back, and an
// answer leaves it. Answers and skips are added to r.undoSteps. It returns an error if the user quits or the input
// ends.
func (r *resolver) promptConflict(c *conflict) error {
	shortened, err := r.showConflict(c, false)
	if err != nil {
		return err
	}
	for {
		word, err := r.asker.Choose("Take", r.choices(c, shortened))
		if err != nil {
			return err
		}
		done := true
		switch word {
		case "edit":
			done, err = r.editConflict(c)
		case "all":
			done, err = r.promptSimilar(c)
		case "view":
			done = false
			_, err = r.showConflict(c, true)
		case "skip":
			r.undoSteps = append(r.undoSteps, undoStep{position: r.current})
			r.current++
		case "undo":
			err = r.undo()
		case "manual":
			done, err = r.deleteForManualChanges(c)
		default:
			done, err = r.answerConflicts(merge.Answer{Take: merge.Take(word)}, c)
		}
		if err != nil || done {
			return err
		}
	}
}

// skipChoice leaves a decision open.
var skipChoice = terminal.Choice{Letter: "s", Word: "skip", Help: "leave unresolved for now"}

// sideChoices returns the choices for the prompt about c that take a version, or a combination of versions: ours,
// theirs, base, both, highest, lowest and next, in this order, as far as they are possible for c. The Word of each
// choice is the merge.Take of the answer. The result may be empty.
func (c *conflict) sideChoices() []terminal.Choice {
	offers := c.resolution.Offers(c.index)
	both := "keep both, ours first"
	if c.question().Kind == merge.ConflictAccess {
		both = "merge both, which together grant access that neither side grants"
	}
	return slices.DeleteFunc([]terminal.Choice{
		{Letter: "o", Word: "ours", Help: "take ours"},
		{Letter: "t", Word: "theirs", Help: "take theirs"},
		{Letter: "b", Word: "base", Help: "take base"},
		{Letter: "k", Word: "both", Help: both},
		{Letter: "h", Word: "highest", Help: "take the higher of ours and theirs"},
		{Letter: "l", Word: "lowest", Help: "take the lower of ours and theirs"},
		{Letter: "n", Word: "next", Help: "write the next version, one step of your own side after the other side's version"},
	}, func(k terminal.Choice) bool { return !slices.Contains(offers, merge.Take(k.Word)) })
}

// choices returns the choices that the prompt for c offers: the possible answers, and then actions such as edit and
// skip. The choice view is among them if shortened is true, which means that showConflict has left out something.
func (r *resolver) choices(c *conflict, shortened bool) []terminal.Choice {
	similar, viewHelp := 0, "view all lines"
	if c.question().Field != "" {
		similar = len(r.similarConflicts(c))
	}
	allHelp := fmt.Sprintf("use one answer for %s at %s", terminal.CountNoun(1+similar, "conflict"), c.fieldAndKind())
	choices := c.sideChoices()
	for _, extra := range []struct {
		offered bool
		terminal.Choice
	}{
		{true, terminal.Choice{Letter: "e", Word: "edit", Help: "edit in your editor"}},
		{c.hasFewChangesToDeleted(), terminal.Choice{Letter: "m", Word: "manual", Help: "delete the entry, and apply these changes elsewhere by hand; do not stage the file"}},
		{similar > 0, terminal.Choice{Letter: "a", Word: "all", Help: allHelp}},
		{shortened, terminal.Choice{Letter: "v", Word: "view", Help: viewHelp}},
		{true, skipChoice},
		{len(r.undoSteps) > 0, terminal.Choice{Letter: "u", Word: "undo", Help: "undo the last answer"}},
	} {
		if extra.offered {
			choices = append(choices, extra.Choice)
		}
	}
	return choices
}

// deleteForManualChanges answers c with the side that deleted the entry, so that the user can make the changes of the
// other side elsewhere by hand. The path of the entry is added to manualChanges of the file, so that the file is not
// staged. If the answer is refused, it returns false and removes the path again. The error is that of a prompt.
func (r *resolver) deleteForManualChanges(c *conflict) (answered bool, _ error) {
	deletedBy, _ := c.question().ChangesToDeleted()
	if c.manualChanges == nil {
		c.manualChanges = map[int]string{}
	}
	c.manualChanges[c.index] = c.question().Path
	done, err := r.answerConflicts(merge.Answer{Take: merge.Take(deletedBy)}, c)
	if !done {
		delete(c.manualChanges, c.index)
	}
	return done, err
}

// similarConflicts returns the other open conflicts at the same field of the same kind of resource, in all files: those
// at spec.containers[*].image of all apps/Deployments, for example. If the kind of resource is unknown, only conflicts
// of the same file are similar. The field of c (Question.Field) must be known.
func (r *resolver) similarConflicts(c *conflict) (similar []*conflict) {
	q := c.question()
	for _, x := range r.conflicts {
		if x == c || !x.isOpen() {
			continue
		}
		o := x.question()
		if o.Field == q.Field && o.Resource == q.Resource && (o.Resource != "" || x.unmergedFile == c.unmergedFile) {
			similar = append(similar, x)
		}
	}
	return similar
}

// fieldAndKind describes what similar conflicts have in common: "spec.replicas of apps/Deployment" (API group and kind
// of the resource), or "replicas of this file" if the kind is unknown. The field of c must be known.
func (c *conflict) fieldAndKind() string {
	q := c.question()
	if q.Resource == "" {
		return q.Field + " of this file"
	}
	return q.Field + " of " + q.Resource
}

// promptSimilar asks the user for one answer to c and to all similar conflicts, gives and saves it, and prints how many
// conflicts were answered. A similar conflict for which the answer is refused stays open. answered is false if the user
// cancels, or if the answer is refused for c. The error is that of a prompt, or of saving the answer.
func (r *resolver) promptSimilar(c *conflict) (answered bool, _ error) {
	similar := r.similarConflicts(c)
	prompt := fmt.Sprintf("Take for %s at %s", terminal.CountNoun(1+len(similar), "conflict"), c.fieldAndKind())
	word, err := r.asker.Choose(prompt, append(c.sideChoices(), terminal.Choice{Letter: "c", Word: "cancel", Help: "cancel, and answer only the one conflict"}))
	if err != nil || word == "cancel" {
		return false, err
	}
	done, err := r.answerConflicts(merge.Answer{Take: merge.Take(word)}, c, similar...)
	if done && err == nil {
		r.printLine("%s: took %s for %s", c.fieldAndKind(), word, terminal.CountNoun(len(r.undoSteps[len(r.undoSteps)-1].answers), "conflict"))
	}
	return done, err
}

// answerConflicts answers current, and the similar conflicts, with a, saves their files, and adds the step to
// r.undoSteps. If the answer to current cannot be verified, it asks the user whether to use it anyway. answered is
// false if that answer is refused or not used; nothing is changed then. A similar conflict that refuses the answer
// stays open. The error is that of a prompt.
func (r *resolver) answerConflicts(a merge.Answer, current *conflict, similar ...*conflict) (answered bool, _ error) {
	step := undoStep{position: r.current}
	for _, c := range append([]*conflict{current}, similar...) {
		before := c.question()
		err := c.tryAnswer(a)
		refusal, refused := errors.AsType[*merge.AnswerError](err)
		switch {
		case refused && c != current:
			c.printStatus(before.Path + ": not resolved: " + refusal.Error())
			continue
		case refused && !refusal.Unproven:
			r.printLine("invalid answer: %v", refusal)
			if refusal.Anchor != "" {
				r.printLine("resolve the conflict with the anchor %s first, and leave this conflict unresolved for now (s)", refusal.Anchor)
			}
			return false, nil
		case refused:
			r.printLine("the result is valid YAML, but verification failed outside of this conflict:")
			r.printLine("%s", refusal.Msg)
			if yes, err := r.asker.AskYesNo("Use the answer anyway"); err != nil || !yes {
				return false, err
			}
			unproven := a
			unproven.Unproven = true
			err = c.tryAnswer(unproven)
		}
		if err != nil {
			return false, err
		}
		step.answers = append(step.answers, previousAnswer{c, before.Answer})
	}
	r.undoSteps = append(r.undoSteps, step)
	for _, e := range step.answers {
		// the user does not see from these answers which version they give
		if a.Take == merge.TakeHighest || a.Take == merge.TakeLowest || a.Take == merge.TakeNext {
			e.printStatus(e.question().Path + ": " + e.describeAnswer())
		}
	}
	saveFiles(step.answers)
	return true, nil
}

// describeAnswer returns a clause about the answer to c, which must be answered. If it gives one version, the first
// line of that follows. For the answers highest and lowest, it names the side with that version.
//
//	took theirs: image: web:1.10.0
//	took next: 1.4.1
//	took both
func (c *conflict) describeAnswer() string {
	q := c.question()
	side := string(q.Answer.Take)
	for _, x := range c.resolution.Result().Resolved {
		if x.Path == q.Path && x.By.Take == q.Answer.Take && x.Took != "" {
			side = string(x.Took)
		}
		if x.Path == q.Path && x.By.Take == q.Answer.Take && x.Wrote != "" {
			return "took " + side + ": " + x.Wrote
		}
	}
	text := map[string]string{"ours": q.Ours.Text, "theirs": q.Theirs.Text, "base": q.Base.Text}[side]
	text, more, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if more != "" {
		text += " ..."
	}
	return "took " + strings.TrimSuffix(side+": "+text, ": ")
}

// undo takes back the last step of the user: it restores the answers before it, saves the files, and goes back to the
// conflict that the user was asked about. Skipped files are left out. r.undoSteps must not be empty; the step is
// removed from it in any case. If an answer cannot be restored, it returns an error and saves nothing.
func (r *resolver) undo() error {
	last := r.undoSteps[len(r.undoSteps)-1]
	r.undoSteps = r.undoSteps[:len(r.undoSteps)-1]
	r.current = last.position
	for _, e := range last.answers {
		if e.skipReason != "" {
			continue
		}
		delete(e.manualChanges, e.index)
		e.answer.Unproven = true
		if err := e.tryAnswer(e.answer); err != nil {
			return err
		}
	}
	saveFiles(last.answers)
	return nil
}

// saveFiles calls save for each file of decisions, once even if several decisions are in it. All decisions must be
// answered. Skipped files are left out. If a file cannot be written, save skips or reports it, and the others are still
// saved.
func saveFiles[Q decision](decisions []Q) {
	saved := map[*unmergedFile]bool{}
	for _, q := range decisions {
		if f := q.file(); f.skipReason == "" && !saved[f] {
			saved[f] = true
			q.save()
		}
	}
}

// save writes f with the answers given so far, which become f.result, and stages it if shouldStage allows. If f is
// staged, or if only changes by hand are left, it prints that; Run reports any other outcome at its end. If f cannot be
// written, or the user edited it meanwhile, save sets f.skipReason, so that f is ignored from then on.
func (f *unmergedFile) save() {
	f.result = f.resolution.Result()
	err := f.prepareWrite()
	if err == nil {
		err = f.writeAndStage(f)
	}
	switch {
	case err != nil:
		f.skipReason = err.Error()
	case f.skipReason == errFileChanged.Error():
		f.skipReason = `edited while you answered; run "git merge-yaml resolve -i" to continue`
	case f.skipReason != "":
	// not staged, because the user still has to make changes by hand
	case f.isClean() && len(f.manualChanges) > 0:
		paths := slices.Sorted(maps.Values(f.manualChanges))
		f.printStatus(fmt.Sprintf(`resolved, not staged; apply the changes of %s by hand, then run "git add %s"`, strings.Join(paths, ", "), terminal.QuoteForShell(f.relPath())))
	case f.staged && f.isLineMerge():
		f.printStatus("resolved and staged, not verified (merged by lines)")
	case f.staged:
		f.printStatus("resolved and staged")
	}
}

// scissors is the line in an edited file that ends the answer, as in commit messages that git lets the user edit. The
// lines below it are ignored.
const scissors = "# ------------------------ >8 ------------------------"

// editHelp is appended to scissors.
const editHelp = `
# Replace the conflict above this line, including the markers, with the resolved
# text. Keep the indentation. To delete the entry, delete all lines above. To
# leave the conflict unresolved, change nothing.
`

// editConflict opens an editor with the versions of c between conflict markers, and answers c with the text that the
// user writes there. An empty text deletes the entry, after a question. After a refused answer, the user can edit
// again. done is false, without an error, if the editor fails, the text is unchanged, or the user gives up.
func (r *resolver) editConflict(c *conflict) (done bool, err error) {
	name, err := r.createEditFile(c)
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
			r.printLine("%v", err)
			return false, nil
		}
		text, err := readEdited(name)
		if err != nil {
			return false, err
		}
		if text == before {
			r.printLine("no changes; the conflict is left unresolved")
			return false, nil
		}
		// an empty text deletes the entry
		if text == "" {
			if yes, err := r.asker.AskYesNo("Delete the entry"); err != nil || !yes {
				return false, err
			}
		}
		if done, err = r.answerConflicts(merge.Answer{Take: merge.TakeText, Text: text}, c); done || err != nil {
			return done, err
		}
		if again, err := r.asker.AskYesNo("Edit again (saying \"no\" discards the text)"); err != nil || !again {
			return false, err
		}
	}
}

// createEditFile creates a temporary file in git's directory, in which the user edits the answer to c, and returns its
// absolute path. It contains the versions of c between conflict markers in the style diff3, and a help text. The caller
// removes the file; after an error there is none.
func (r *resolver) createEditFile(c *conflict) (name string, err error) {
	dir, err := r.tree.Line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "conflict-*.yaml")
	if err != nil {
		return "", err
	}
	q, size := c.question(), c.newMerger("").MarkerSize
	marked := linemerge.Conflict{
		Markers: linemerge.Markers{Style: linemerge.StyleDiff3, Size: size, Base: "base", Ours: "ours", Theirs: "theirs"},
		Base:    []byte(q.Base.Text), Ours: []byte(q.Ours.Text), Theirs: []byte(q.Theirs.Text),
	}
	_, err = f.Write(append(marked.Append(nil), scissors+editHelp...))
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// readEdited returns the text that the user wrote in a file that was opened in an editor: the text above the line of
// scissors (# ---- >8 ----), or the whole file if there is no such line. The text above scissors ends with a line break
// unless it is empty. The error is that of reading the file.
func readEdited(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	text, _, hasScissors := strings.Cut("\n"+string(b), "\n"+scissors)
	text = strings.TrimPrefix(text, "\n")
	if hasScissors && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, nil
}
