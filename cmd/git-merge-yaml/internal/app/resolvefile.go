package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An unmergedFile is a file on its way through resolve.
type unmergedFile struct {
	git.Unmerged
	*resolver
	attributes map[string]string
	named      bool // by the user, alone

	work   []byte      // the file in the work tree, nil if there is none
	info   fs.FileInfo // of work
	text   []byte      // work as its blob would have it, but perhaps for line ends
	in     inputs
	result merge.Result
	id     git.ID // of the result
	skip   string // why it stays as it is

	// What resolve -i knows beside.
	asked   *merge.Resolution
	known   []merge.Question // to asked
	byHand  bool             // it was edited since, and is taken as it is
	staged  bool
	sides   [2]string      // ours and theirs, for people
	changes []merge.Change // of both
}

func (f *unmergedFile) clean() bool { return f.skip == "" && f.result.Clean() }

// reason says why the stages of f are none to be merged, or "".
func (f *unmergedFile) reason() string {
	m := f.attributes["merge"]
	_, ours := rulesOf(m)
	switch {
	case f.Ours.ID == "" && f.Theirs.ID == "":
		return "deleted or renamed by both sides"
	case f.Ours.ID == "":
		return "deleted or renamed by us, changed by them"
	case f.Theirs.ID == "":
		return "changed by us, deleted or renamed by them"
	case !f.Ours.Mode.IsFile() || !f.Theirs.Mode.IsFile() || f.Base.ID != "" && !f.Base.Mode.IsFile():
		return "a symbolic link or a submodule"
	case f.attributes["filter"] == "lfs":
		return "kept by git LFS"
	case !f.named && m != "unspecified" && !ours:
		return "its merge attribute is " + m + " (name it alone to have it merged)"
	}
	return ""
}

// merge merges the stages, and writes the file unless it is to be skipped.
func (f *unmergedFile) merge() error {
	if f.skip = f.read(); f.skip != "" {
		return nil
	}
	if err := f.readStages(); err != nil {
		return err
	}
	if f.in.beyondLines() {
		f.skip = "binary"
		return nil
	}
	m := f.merger("")
	result, err := m.merge(false)
	if err != nil {
		return err
	}
	f.result, f.team = result, m.team
	if f.asks {
		if err := f.ask(m); err != nil {
			return err
		}
	}
	if !f.force {
		edited, err := f.edited()
		if err != nil {
			return err
		}
		if edited {
			f.skip = f.resume()
			return nil
		}
	}
	return f.write()
}

// ask makes the conflicts of f questions, if there are any that can be asked.
func (f *unmergedFile) ask(m *merger) error {
	if f.result.Clean() || f.result.Method != merge.Structural {
		return nil
	}
	asked, err := merge.NewResolution(f.in.base.Bytes, f.in.ours.Bytes, f.in.theirs.Bytes, m.options())
	if err == nil {
		f.asked, f.result = asked, asked.Result()
	}
	return err
}

// questions are the conflicts of f, decided or not.
func (f *unmergedFile) questions() []merge.Question {
	if f.skip == "" && f.asked != nil && f.known == nil {
		f.known = f.asked.Questions()
	}
	return f.known
}

// decide answers a question about f.
func (f *unmergedFile) decide(i int, a merge.Answer) error {
	err := f.asked.Decide(i, a)
	if err == nil {
		f.known = nil
	}
	return err
}

// resume takes over what was edited since git merged f, or says why it cannot.
func (f *unmergedFile) resume() (skip string) {
	const anew = " (--force merges it anew, and loses the edit)"
	if f.asked == nil {
		return "edited since git merged it" + anew
	}
	err := f.asked.Resume(f.text)
	wrong, ok := errors.AsType[*merge.AnswerError](err)
	switch {
	case err == nil:
		f.byHand, f.result = true, f.asked.Result()
		return ""
	case ok:
		return "edited since git merged it, and no YAML now: " + wrong.Error() + anew
	case errors.Is(err, merge.ErrHalfResolved):
		return "edited since git merged it: " + err.Error() + ": finish that one by hand, down to its markers, and run this again" + anew
	}
	return "edited since git merged it, also outside of its conflicts: go on by hand, and git add it" + anew
}

// toStage says how the result is to be staged.
func (f *unmergedFile) toStage() git.Staged {
	return git.Staged{From: f.Unmerged, To: git.Stage{Mode: f.Mode(), ID: f.id}}
}

// read reads the file in the work tree, or says why it cannot be replaced.
func (f *unmergedFile) read() (skip string) {
	for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(f.tree.File(dir)); err == nil && !info.IsDir() {
			return dir + " is no folder in the work tree"
		}
	}
	name := f.tree.File(f.Path)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.force:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "deleted in the work tree (--force brings it back, merged)"
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "no regular file in the work tree"
	}
	f.info = info
	f.work, err = os.ReadFile(name)
	if f.text = f.work; err == nil && f.filtered() {
		f.text, err = f.tree.Clean(f.Path, f.work)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// filtered reports whether the file in the work tree is not in YAML's own form.
func (f *unmergedFile) filtered() bool {
	return f.attributes["filter"] != "unspecified" || f.attributes["working-tree-encoding"] != "unspecified"
}

// readStages reads the three versions; that of a base that is missing, where
// both sides added the file, is empty.
func (f *unmergedFile) readStages() (err error) {
	for _, v := range []struct {
		stage git.Stage
		to    *disk.File
	}{
		{f.Base, &f.in.base}, {f.Ours, &f.in.ours}, {f.Theirs, &f.in.theirs},
	} {
		if v.stage.ID == "" {
			continue
		}
		if v.to.Bytes, err = f.objects.Blob(v.stage.ID); err != nil {
			return err
		}
	}
	return nil
}

// merger returns the merge that git would have the driver do, with conflicts
// in a style, "" for what git is configured to, and the labels and the size of
// the markers that are in the file already.
func (f *unmergedFile) merger(style string) *merger {
	labels, size := readMarkers(f.text, markerSize(f.attributes["conflict-marker-size"]))
	rules, _ := rulesOf(f.attributes["merge"])
	return &merger{
		mergeOptions: mergeOptions{path: f.Path, labels: labels, markerSize: size, style: style, rules: rules},
		app:          f.app,
		team:         f.team,
		in:           f.in,
		lines:        lineMerger{git: f.tree.Git, in: f.in},
	}
}

// write gives the file in the work tree the result.
func (f *unmergedFile) write() error {
	id, content, err := f.tree.Convert(f.Path, f.result.Bytes)
	if err != nil {
		return err
	}
	f.id = id
	name := f.tree.File(f.Path)
	perm, err := f.perm(filepath.Dir(name))
	if err != nil {
		return err
	}
	if f.info != nil && bytes.Equal(content, f.work) && perm == f.info.Mode().Perm() {
		return nil
	}
	if now, err := disk.ReadIfAny(name); err != nil || !bytes.Equal(now, f.work) {
		return errors.Join(errChanged, err)
	}
	if err := disk.WriteRenamed(name, content, perm); err != nil {
		return fmt.Errorf("cannot replace it, so it is as it was: %w", err)
	}
	f.work = content
	f.info, err = os.Lstat(name)
	return err
}

// perm returns the permissions for the file: those that it has, executable as
// the merge of the stages says. A file that was deleted gets its folder's.
func (f *unmergedFile) perm(dir string) (fs.FileMode, error) {
	var perm fs.FileMode
	if f.info != nil {
		perm = f.info.Mode().Perm()
	} else {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return 0, err
		}
		info, err := os.Stat(dir)
		if err != nil {
			return 0, err
		}
		perm = info.Mode().Perm() & 0o666
	}
	if f.Mode() == git.ModeExecutable {
		return perm | perm&0o444>>2, nil
	}
	return perm &^ 0o111, nil
}
