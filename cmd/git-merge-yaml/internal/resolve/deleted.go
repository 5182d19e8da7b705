package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A deletion is a file that one side deleted and the other one changed. Git asks no driver
// about it; a person decides, or the team's rule.
type deletion struct {
	file  *unmergedFile
	here  here.File // with nil for the side that deleted it
	moved []moved   // where its content went
	done  string    // what became of it
}

// readDeletion reads what there is to know of it.
func (f *unmergedFile) readDeletion() (*deletion, error) {
	if err := f.readStages(); err != nil {
		return nil, err
	}
	d := &deletion{file: f, here: f.merger("").File()}
	if f.Ours.ID == "" {
		d.here.Ours = nil
	} else {
		d.here.Theirs = nil
	}
	var err error
	d.moved, err = d.findMoved()
	return d, err
}

func (d *deletion) kept() []byte {
	if d.here.Ours == nil {
		return d.here.Theirs
	}
	return d.here.Ours
}

// String says what is to be decided.
func (d *deletion) String() string {
	s := show.OneDeleted(d.here)
	if len(d.moved) > 0 {
		s += "; its content is in " + d.places()
	}
	return s
}

// byRule does what the team's rule says, and reports whether there is one that decides.
func (d *deletion) byRule() (source string, ok bool, err error) {
	rules, err := d.file.resolver.in.Rules()
	if err != nil || !d.file.Stage {
		return "", false, nil // with a mistake in them no rule counts, as in a merge
	}
	rule, ok := rules.Deleted(d.file.Path)
	own := d.here.OwnSide()
	if !ok || rule.Take == merge.DeletedAsk || own == merge.OwnUnknown {
		return "", false, nil
	}
	oursStands := (own == merge.OwnOurs) == (rule.Take == merge.DeletedOwn)
	if oursStands == (d.here.Ours == nil) {
		return rule.Source, true, d.delete()
	}
	return rule.Source, true, d.keep()
}

// unedited reports whether the file in the work tree is what git left there: that of the side
// which has it, or none.
func (d *deletion) unedited() error {
	f := d.file
	switch skip := f.read(); {
	case f.info == nil && (skip == "" || strings.HasPrefix(skip, "deleted in the work tree")):
		return nil
	case skip != "":
		return errors.New(skip)
	}
	blob, err := f.tree.Clean(f.Path, f.work)
	if err == nil && !bytes.Equal(f.text, d.kept()) && !bytes.Equal(blob, d.kept()) {
		err = errors.New("edited since git stopped: git add it, or git rm")
	}
	return err
}

// delete deletes the file, and folders that are empty then, as git does.
func (d *deletion) delete() error {
	if err := d.unedited(); err != nil {
		return err
	}
	f := d.file
	if err := f.stageAs(git.Stage{}); err != nil {
		return err
	}
	name := f.tree.File(f.Path)
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(name); dir != f.tree.Top && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	d.done = "deleted"
	return nil
}

// keep stages the file as the side has it that did not delete it.
func (d *deletion) keep() error {
	if err := d.unedited(); err != nil {
		return err
	}
	f := d.file
	if f.info == nil {
		f.result = merge.Result{Bytes: d.kept()}
		if err := f.write(); err != nil {
			return err
		}
	}
	stage := f.Ours
	if stage.ID == "" {
		stage = f.Theirs
	}
	d.done = "kept"
	return f.stageAs(stage)
}

func (f *unmergedFile) stageAs(s git.Stage) error {
	changed, err := f.tree.Stage([]git.Staged{{From: f.Unmerged, To: s}})
	if err == nil && len(changed) > 0 {
		err = errors.New(stagesChanged)
	}
	f.staged = err == nil
	return err
}

// deletions takes the files that one side deleted from files, does what rules say of them,
// and returns those that are left, and the others.
func (r *resolver) deletions(files []*unmergedFile) (left []*deletion, others []*unmergedFile) {
	byRule, sources := []string{}, []string{}
	for _, f := range files {
		if !history.IsDeletion(f.Unmerged) || f.attributes["filter"] == "lfs" {
			others = append(others, f)
			continue
		}
		d, err := f.readDeletion()
		if err != nil {
			f.failed = err.Error()
			others = append(others, f)
			continue
		}
		source, decided, err := d.byRule()
		switch {
		case err != nil:
			f.failed = err.Error()
			others = append(others, f)
		case !decided:
			left = append(left, d)
		default:
			said := r.tree.Rel(f.Path) + " " + d.done
			if d.done == "deleted" {
				said += " (" + show.Lost(d.here) + ")"
			}
			byRule = append(byRule, said)
			sources = append(sources, source)
		}
	}
	if len(byRule) > 0 {
		r.say(fmt.Sprintf("%s that one side deleted, by the rule %s: %s", terminal.Count(len(byRule), "file"), unique(sources), strings.Join(byRule, "; ")))
	}
	return left, others
}

// unique names each once.
func unique(all []string) string {
	var names []string
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s] {
			names = append(names, s)
		}
		seen[s] = true
	}
	return strings.Join(names, ", ")
}

// askDeletion shows what the other side changed, and does as a person says.
func (s *session) askDeletion(d *deletion) error {
	name := s.tree.Rel(d.file.Path)
	if err := show.Deleted(s.asker.Out, history.Name{Path: name, File: &d.here}); err != nil {
		return err
	}
	keys := []string{"d", "k"}
	help := []string{"d - delete it (delete)", "k - keep it (keep)"}
	if len(d.moved) > 0 {
		s.say("  its content is in " + d.places())
		if why := d.unplaceable(); why != "" {
			s.say("  but cannot be merged there: " + why)
		} else {
			keys, help = append(keys, "m"), append(help, "m - merge the changes there, and delete it (merge)")
		}
	}
	help = append(help, "s - skip it, for a later run (skip)", "q - quit; what is answered stays (quit)")
	for {
		answer, err := s.asker.Ask("Take [" + strings.Join(append(keys, "s", "q", "?"), ",") + "]?")
		if err != nil {
			return err
		}
		do := map[string]func() error{"d": d.delete, "delete": d.delete, "k": d.keep, "keep": d.keep}[answer]
		switch {
		case (answer == "m" || answer == "merge") && len(keys) == 3:
			do = d.merge
		case answer == "s" || answer == "skip":
			return nil
		case answer == "q" || answer == "quit":
			return terminal.ErrQuit
		}
		if do != nil {
			if err := do(); err != nil {
				s.say(name + ": " + err.Error())
				return nil
			}
			s.say(name + ": " + d.done + " and staged")
			return nil
		}
		if answer != "?" {
			s.unknown(answer)
		}
		for _, line := range help {
			s.say(line)
		}
	}
}
