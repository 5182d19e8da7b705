package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
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
		source, decided := "", false
		if err == nil {
			source, decided, err = d.byRule()
		}
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
			if !slices.Contains(sources, source) {
				sources = append(sources, source)
			}
		}
	}
	if len(byRule) > 0 {
		r.say(fmt.Sprintf("%s that one side deleted, by the rule %s: %s", terminal.Count(len(byRule), "file"), strings.Join(sources, ", "), strings.Join(byRule, "; ")))
	}
	return left, others
}

// askDeletion shows what the other side changed, and does as a person says.
func (s *session) askDeletion(d *deletion) error {
	name := s.tree.Rel(d.file.Path)
	if err := show.Deleted(s.asker.Out, history.Name{Path: name, File: &d.here}); err != nil {
		return err
	}
	keys := []terminal.Key{{Key: "d", Word: "delete", Help: "delete it"}, {Key: "k", Word: "keep", Help: "keep it"}}
	if len(d.moved) > 0 {
		s.say("  its content is in " + d.places())
		if why := d.unplaceable(); why != "" {
			s.say("  but cannot be merged there: " + why)
		} else {
			keys = append(keys, terminal.Key{Key: "m", Word: "merge", Help: "merge the changes there, and delete it"})
		}
	}
	word, err := s.asker.Choose("Take", append(keys, skipKey))
	if err != nil || word == skipKey.Word {
		return err
	}
	s.settleDeletion(d, map[string]func() error{"delete": d.delete, "keep": d.keep, "merge": d.merge}[word])
	return nil
}

// settleDeletion does what was decided, and says how it went.
func (s *session) settleDeletion(d *deletion, do func() error) {
	said := d.file.tree.Rel(d.file.Path) + ": "
	if err := do(); err != nil {
		s.say(said + err.Error())
	} else {
		s.say(said + d.done + " and staged")
	}
}

// A moved is a file of the side that deleted another one, into which documents of that went:
// it was split, or renamed and changed so much that git takes it for another file.
type moved struct {
	path   string
	text   []byte
	of     []int // the documents
	merged []byte
}

// alikeEnough is how much of the lines of a document another file has to have, in percent, so
// that it went there; mostNew is among how many new files it is looked for.
const (
	alikeEnough = 67
	mostNew     = 500
)

// findMoved finds the files that the side which deleted d has and the other one has not, and
// that have documents of it. Where git tells no commits of both sides (a stash, a patch),
// there are none.
func (d *deletion) findMoved() (all []moved, err error) {
	f := d.file
	m, ok := f.resolver.in.Situation([3]string{}).Stopped()
	if !ok {
		return nil, nil
	}
	from, to := m.Ours, m.Theirs
	if d.here.Ours == nil {
		from, to = to, from
	}
	out, err := f.tree.Run("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", from.String(), to.String())
	if err != nil {
		return nil, err
	}
	var names []string
	for path := range strings.SplitSeq(string(out), "\x00") {
		if driver.IsYAML(path) {
			names = append(names, ":0:"+path)
		}
	}
	if len(names) == 0 || len(names) > mostNew {
		return nil, nil
	}
	texts, err := f.objects.Named(names...)
	if err != nil {
		return nil, err
	}
	for i, doc := range documents(d.here.Base) {
		best, at := 0, -1
		for k, text := range texts {
			if n := likeness(doc, text); n >= alikeEnough && n > best {
				best, at = n, k
			}
		}
		if at < 0 {
			continue
		}
		path := strings.TrimPrefix(names[at], ":0:")
		k := slices.IndexFunc(all, func(x moved) bool { return x.path == path })
		if k < 0 {
			k = len(all)
			all = append(all, moved{path: path, text: texts[at]})
		}
		all[k].of = append(all[k].of, i)
	}
	return all, nil
}

// places names the files that the content went to.
func (d *deletion) places() string {
	var names []string
	for _, x := range d.moved {
		names = append(names, d.file.tree.Rel(x.path))
	}
	return strings.Join(names, ", ")
}

// unplaceable merges what the other side changed into the files that have the content now, and
// says why that cannot be done, "" if it can: each document that was changed has its file,
// and merges there without a conflict.
func (d *deletion) unplaceable() (why string) {
	base, kept := documents(d.here.Base), documents(d.kept())
	if len(base) != len(kept) {
		return "it has other documents now"
	}
	for i := range base {
		placed := slices.ContainsFunc(d.moved, func(x moved) bool { return slices.Contains(x.of, i) })
		if !placed && !bytes.Equal(base[i], kept[i]) {
			return "a document that was changed is in none of them"
		}
	}
	for i, x := range d.moved {
		var b, k []byte
		for _, n := range x.of {
			b, k = append(b, base[n]...), append(k, kept[n]...)
		}
		f := d.file.resolver.in.File(x.path, b, x.text, k, nil)
		if d.here.Theirs == nil {
			f.Ours, f.Theirs = k, x.text
		}
		res, err := f.Now([3]string{}, false).Merge(func() merge.Markers { return merge.Markers{} })
		switch {
		case err != nil:
			return err.Error()
		case !res.Clean():
			return "it conflicts with " + d.file.tree.Rel(x.path)
		}
		d.moved[i].merged = res.Bytes
	}
	return ""
}

// merge writes and stages the files that have the content now, with the changes, and deletes
// the file.
func (d *deletion) merge() error {
	if d.unplaceable() != "" {
		return errors.New("it cannot be merged there")
	}
	tree := d.file.tree
	if err := d.allUnedited(); err != nil {
		return err
	}
	for _, x := range d.moved {
		_, content, err := tree.Convert(x.path, x.merged)
		if err != nil {
			return err
		}
		if err := disk.Replace(tree.File(x.path), content); err != nil {
			return err
		}
		if _, err := tree.Run("add", "--", ":(top,literal)"+x.path); err != nil {
			return err
		}
	}
	err := d.delete()
	d.done = "merged into " + d.places() + ", deleted"
	return err
}

// allUnedited is unedited for the files that have the content now, too.
func (d *deletion) allUnedited() error {
	for _, x := range d.moved {
		if _, err := d.file.tree.Run("diff", "--quiet", "--", ":(top,literal)"+x.path); err != nil {
			return errors.New(d.file.tree.Rel(x.path) + " was edited: stage it first")
		}
	}
	return d.unedited()
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
