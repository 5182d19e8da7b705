package resolve

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

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
	if err := d.unedited(); err != nil {
		return err
	}
	if err := d.placesUnedited(); err != nil {
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

// placesUnedited names a file that has the content now and that somebody edited.
func (d *deletion) placesUnedited() error {
	for _, x := range d.moved {
		if _, err := d.file.tree.Run("diff", "--quiet", "--", ":(top,literal)"+x.path); err != nil {
			return errors.New(d.file.tree.Rel(x.path) + " was edited: stage it first")
		}
	}
	return nil
}

// documents are those of a file, each from its line of dashes on.
func documents(text []byte) (all [][]byte) {
	from := 0
	for at := 0; at < len(text); {
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		if end == at {
			end = len(text)
		}
		if line := text[at:end]; at > from && bytes.HasPrefix(line, []byte("---")) {
			all, from = append(all, text[from:at]), at
		}
		at = end
	}
	if from < len(text) {
		all = append(all, text[from:])
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
