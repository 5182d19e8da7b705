package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A deletion is a file that one side deleted and the other one changed. Git asks no driver
// about it; a person decides, or the team's rule. Ours and theirs stand for what these sides did,
// both for a merge of the change into the files where the content is now.
type deletion struct {
	*unmergedFile
	here         session.File // with nil for the side that deleted it
	delete, keep merge.Take   // the sides that did that
	kept         []byte
	moved        []moved    // where its content went
	unplaceable  string     // why what was changed cannot be merged there
	taken        merge.Take // by an answer from outside
	done         string     // what became of it
}

// readDeletion reads what there is to know of it.
func (f *unmergedFile) readDeletion() (*deletion, error) {
	if err := f.readStages(); err != nil {
		return nil, err
	}
	d := &deletion{unmergedFile: f, here: f.merger("").File, delete: merge.TakeTheirs, keep: merge.TakeOurs, kept: f.stages.Ours}
	if f.Ours.ID == "" {
		d.delete, d.keep, d.kept, d.here.Ours = merge.TakeOurs, merge.TakeTheirs, f.stages.Theirs, nil
	} else {
		d.here.Theirs = nil
	}
	return d, d.findMoved()
}

// takeDeletions takes the files that one side deleted from the others, and does what rules say of them.
func (r *resolver) takeDeletions() {
	byRule, sources := []string{}, []string{}
	r.files = slices.DeleteFunc(r.files, func(f *unmergedFile) bool {
		if !history.IsDeletion(f.Unmerged) || f.attributes["filter"] == "lfs" {
			return false
		}
		d, err := f.readDeletion()
		source := ""
		if err == nil {
			source, err = d.byRule()
		}
		switch {
		case err != nil:
			f.skip = err.Error()
			return false
		case source == "":
			r.deleted = append(r.deleted, d)
			return true
		}
		said := f.name() + " " + d.done
		if d.done == "deleted" {
			said += " (" + show.DescribeLostChanges(d.here) + ")"
		}
		byRule = append(byRule, said)
		if !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
		return true
	})
	if len(byRule) > 0 {
		r.say("%s that one side deleted, by the rule %s: %s", terminal.CountNoun(len(byRule), "file"), strings.Join(sources, ", "), strings.Join(byRule, "; "))
	}
}

// byRule does what the team's rule says, and returns its source, "" if there is none that decides.
func (d *deletion) byRule() (source string, err error) {
	rules, err := d.resolver.in.Rules()
	if err != nil || !d.Stage {
		return "", nil // with a mistake in them no rule counts, as in a merge
	}
	rule, ok := rules.Deleted(d.Path)
	own := d.here.OwnSide()
	if !ok || rule.Take == merge.DeletedAsk || own == merge.OwnUnknown {
		return "", nil
	}
	side := merge.TakeTheirs
	if (own == merge.OwnOurs) == (rule.Take == merge.DeletedOwn) {
		side = merge.TakeOurs
	}
	return rule.Source, d.take(side)
}

// String says what is to be decided.
func (d *deletion) String() string {
	s := show.DescribeDeletion(d.here)
	if len(d.moved) > 0 {
		s += "; its content is in " + d.places()
	}
	return s
}

// askDeletion shows what the other side changed, and does as a person says.
func (r *resolver) askDeletion(d *deletion) error {
	if err := show.PrintDeletion(r.asker.Out, history.Name{Path: d.name(), File: &d.here}); err != nil {
		return err
	}
	keys := []terminal.Choice{{Letter: "d", Word: "delete", Help: "delete it"}, {Letter: "k", Word: "keep", Help: "keep it"}}
	if len(d.moved) > 0 {
		r.say("  its content is in %s", d.places())
		if d.unplaceable != "" {
			r.say("  but cannot be merged there: %s", d.unplaceable)
		} else {
			keys = append(keys, terminal.Choice{Letter: "m", Word: "merge", Help: "merge the changes there, and delete it"})
		}
	}
	word, err := r.asker.Choose("Take", append(keys, skipKey))
	if err != nil || word == skipKey.Word {
		return err
	}
	d.taken = map[string]merge.Take{"delete": d.delete, "keep": d.keep, "merge": merge.TakeBoth}[word]
	d.settle()
	return nil
}

func (d *deletion) isOpen() bool { return !d.staged }

func (d *deletion) what() merge.Conflict {
	version := func(text []byte) merge.Version {
		if text == nil {
			return merge.Version{}
		}
		return merge.Version{Text: string(text), Line: 1}
	}
	return merge.Conflict{Kind: "deleted", Base: version(d.here.Base), Ours: version(d.here.Ours), Theirs: version(d.here.Theirs)}
}

func (d *deletion) offers() []merge.Take {
	if len(d.moved) > 0 && d.unplaceable == "" {
		return []merge.Take{merge.TakeBoth, merge.TakeOurs, merge.TakeTheirs}
	}
	return []merge.Take{merge.TakeOurs, merge.TakeTheirs}
}

func (d *deletion) told() show.Question {
	return show.Question{File: d.name(), Conflict: show.Conflict{Conflict: d.what(), Why: d.String()}, Answers: d.offers()}
}

func (d *deletion) has(merge.Answer) bool { return false }

// try takes an answer in memory, if it holds.
func (d *deletion) try(a merge.Answer) error {
	if !slices.Contains(d.offers(), a.Take) {
		return errors.New("it is no answer to this")
	}
	d.taken = a.Take
	return d.unedited(a.Take)
}

// settle does what was taken, and says how it went.
func (d *deletion) settle() {
	if err := d.take(d.taken); err != nil {
		d.say(err.Error())
	} else {
		d.say(d.done + " and staged")
	}
}

// unedited reports whether the file in the work tree is what git left there: that of the side
// which has it, or none; and for a merge there, whether those are that have its content now.
func (d *deletion) unedited(t merge.Take) error {
	if t == merge.TakeBoth {
		for i := range d.moved {
			if err := d.moved[i].read(); err != nil {
				return err
			}
		}
	}
	if err := d.read(); err != nil || d.info == nil {
		if d.info == nil && errors.Is(err, errGone) {
			return nil
		}
		return err
	}
	blob, err := d.tree.Clean(d.Path, d.work)
	if err == nil && !bytes.Equal(d.text, d.kept) && !bytes.Equal(blob, d.kept) {
		err = errors.New("edited since git stopped: git add it, or git rm")
	}
	return err
}

// take keeps the file as the side has it that did not delete it, or deletes it, with both after its changes were
// merged where its content is now; and stages that.
func (d *deletion) take(t merge.Take) error {
	err := d.unedited(t)
	written := []*unmergedFile{d.unmergedFile}
	if t != d.keep {
		written = nil
	} else if err == nil {
		d.result = merge.Result{Bytes: d.kept}
		err = d.prepare()
	}
	if t == merge.TakeBoth {
		for _, x := range d.moved {
			written = append(written, x.unmergedFile)
		}
	}
	if err != nil {
		return err
	}
	err = d.locked(func(lock *git.IndexLock) (undo []func(), err error) {
		if !lock.Has(d.Unmerged) {
			return nil, errStages
		}
		for _, f := range written {
			back, err := f.put()
			if back != nil {
				undo = append(undo, back)
			}
			if err != nil {
				return undo, err
			}
			lock.Stage(f.Unmerged, f.to)
		}
		if t != d.keep {
			lock.Stage(d.Unmerged, git.Stage{})
			if d.info != nil {
				undo = append(undo, func() { disk.WriteBeneath(d.root, d.Path, d.work, d.info.Mode().Perm()) })
				return undo, d.removeFile(d.Path)
			}
		}
		return undo, nil
	})
	if err != nil {
		return err
	}
	d.staged, d.done = true, "deleted"
	switch t {
	case d.keep:
		d.done = "kept"
	case merge.TakeBoth:
		d.done = "merged into " + d.places() + ", deleted"
	}
	return nil
}

// A moved is a file of the side that deleted another one, into which documents of that went:
// it was split, or renamed and changed so much that git takes it for another file.
type moved struct {
	*unmergedFile
	staged     []byte // what the index has of it
	base, kept []byte // the documents
}

// read reads the file in the work tree, and prepares to write what was changed in the documents. The error says what else is there.
func (x *moved) read() error {
	if err := x.unmergedFile.read(); err != nil {
		return fmt.Errorf("%s: %w", x.name(), err)
	}
	blob, err := x.tree.Clean(x.Path, x.work)
	if err == nil && !bytes.Equal(blob, x.staged) && !bytes.Equal(blob, x.result.Bytes) { // the latter of a run that was killed
		err = errors.New(x.name() + " was edited: stage it first")
	}
	if err == nil {
		err = x.prepare()
	}
	return err
}

// findMoved finds the files that the side which deleted d has and the other one has not, and
// that have documents of it, and merges there what the other side changed. Where git tells no commits of
// both sides (a stash, a patch), there are none.
func (d *deletion) findMoved() error {
	const (
		alikeEnough = 67  // percent of the lines of a document another file has to have, so that it went there
		mostNew     = 500 // files, among which it is looked for
	)
	m, ok := d.resolver.in.Situation([3]string{}).Stopped()
	if !ok {
		return nil
	}
	from, to := m.Ours, m.Theirs
	if d.here.Ours == nil {
		from, to = to, from
	}
	paths, err := d.tree.Paths("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", from.String(), to.String())
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !driver.IsYAML(path) })
	if len(paths) == 0 || len(paths) > mostNew {
		return nil
	}
	staged, err := d.tree.Staged(paths)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !staged[path].Mode.IsFile() })
	ids := make([]git.ID, len(paths))
	for i, path := range paths {
		ids[i] = staged[path].ID
	}
	texts, err := d.objects.Blobs(ids...)
	if err != nil {
		return err
	}
	attributes, err := d.tree.Attributes(paths, "filter", "working-tree-encoding")
	if err != nil {
		return err
	}
	base, kept := documents(d.here.Base), documents(d.kept)
	if len(base) != len(kept) {
		d.unplaceable = "it has other documents now"
		kept = base
	}
	went := make([]moved, len(paths))
	for i, doc := range base {
		best, at := alikeEnough-1, -1
		for k, text := range texts {
			if n := likeness(doc, text); n > best {
				best, at = n, k
			}
		}
		switch {
		case at >= 0:
			went[at].base, went[at].kept = append(went[at].base, doc...), append(went[at].kept, kept[i]...)
		case !bytes.Equal(doc, kept[i]):
			d.unplaceable = "a document that was changed is in none of them"
		}
	}
	for i, x := range went {
		if x.base == nil {
			continue
		}
		in := staged[paths[i]]
		x.staged = texts[i]
		x.unmergedFile = &unmergedFile{resolver: d.resolver, attributes: attributes[i], Unmerged: git.Unmerged{Path: paths[i], Ours: in, Theirs: in}}
		f := d.resolver.in.NewFile(x.Path, x.base, texts[i], x.kept)
		if d.here.Theirs == nil {
			f.Ours, f.Theirs = x.kept, texts[i]
		}
		x.result, err = driver.New(f, driver.Options{}).Run(false)
		switch {
		case err != nil:
			d.unplaceable = err.Error()
		case !x.result.Clean() && d.unplaceable == "":
			d.unplaceable = "it conflicts with " + x.name()
		}
		d.moved = append(d.moved, x)
	}
	return nil
}

// places names the files that the content went to.
func (d *deletion) places() string {
	var names []string
	for _, x := range d.moved {
		names = append(names, x.name())
	}
	return strings.Join(names, ", ")
}

// documents are those of a file, each from its line of dashes on.
func documents(text []byte) (all [][]byte) {
	for len(text) > 0 {
		end := bytes.Index(text, []byte("\n---")) + 1
		if end == 0 {
			end = len(text)
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}

// likeness is how many of the lines of a document a file has, in percent.
func likeness(document, file []byte) int {
	has := map[string]int{}
	for line := range strings.Lines(string(file)) {
		has[strings.TrimSpace(line)]++
	}
	all, alike := 0, 0
	for line := range strings.Lines(string(document)) {
		if line = strings.TrimSpace(line); line == "" || line == "---" {
			continue
		}
		if all++; has[line] > 0 {
			has[line]--
			alike++
		}
	}
	return 100 * alike / max(all, 1)
}
