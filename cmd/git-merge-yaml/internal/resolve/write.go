package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// errChanged says that somebody else was at work.
var errChanged = errors.New("it changed in this very moment")

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

// save writes the file and, if nothing is left to decide, stages it; if there
// is again, it takes that back.
func (f *unmergedFile) save() error {
	f.result = f.asked.Result()
	if err := f.seal(); err != nil {
		return err
	}
	if err := f.write(); err != nil {
		return err
	}
	switch {
	case f.staged && !f.clean():
		f.staged = false
		return f.tree.Unstage(f.Unmerged)
	case f.clean() && f.Stage && !f.staged:
		return f.stageAs(git.Stage{Mode: f.Mode(), ID: f.id})
	}
	return nil
}

func (f *unmergedFile) stageAs(s git.Stage) error {
	changed, err := f.tree.Stage([]git.Staged{{From: f.Unmerged, To: s}})
	if err == nil && len(changed) > 0 {
		err = errors.New(stagesChanged)
	}
	f.staged = err == nil
	return err
}

// stageAll stages what came out clean. A file whose stages changed meanwhile
// is not resolved.
func (r *resolver) stageAll(files []*unmergedFile) error {
	var clean []*unmergedFile
	var staged []git.Staged
	for _, f := range files {
		if f.clean() && r.Stage && !f.byHand {
			clean = append(clean, f)
			staged = append(staged, git.Staged{From: f.Unmerged, To: git.Stage{Mode: f.Mode(), ID: f.id}})
		}
	}
	if len(staged) == 0 {
		return nil
	}
	changed, err := r.tree.Stage(staged)
	for i, f := range clean {
		if f.staged = err == nil && !slices.Contains(changed, staged[i]); !f.staged {
			f.skip = stagesChanged
		}
	}
	return err
}

// stagesChanged says that somebody else staged the file, or merged it.
const stagesChanged = "merged, but not staged: its stages changed in this very moment"

// seal has sops make the MAC of what was decided, once that is all.
func (f *unmergedFile) seal() error {
	isValue := func(c merge.Conflict) bool { return !sops.InBlock(c.Path) }
	if f.opened == nil || slices.ContainsFunc(f.result.Conflicts, isValue) {
		return nil
	}
	sealed, err := here.Seal(f.opened, f.result)
	if err != nil {
		return fmt.Errorf("sops did not make its MAC: %w", err)
	}
	f.result = sealed
	return nil
}

// settle writes the file in the work tree, in which a person decided all values, with the MAC that sops makes.
func (f *unmergedFile) settle(m *driver.Merger) error {
	sealed, err := m.File().Settled(f.opened, f.text)
	if err != nil {
		return fmt.Errorf("edited since git merged it, and sops did not make its MAC: %w", err)
	}
	f.result, f.asked = sealed, nil
	return f.write()
}
