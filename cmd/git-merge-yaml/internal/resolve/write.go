package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
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

// toStage says how the result is to be staged.
func (f *unmergedFile) toStage() git.Staged {
	return git.Staged{From: f.Unmerged, To: git.Stage{Mode: f.Mode(), ID: f.id}}
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
		return f.stageAs(f.toStage().To)
	}
	return nil
}
