package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A pendingWrite is the content and the permissions with which a file of the work tree is to be written, and the entry
// of the index that is to be staged for it. prepared is true if these are set, and staged is true if the entry is in
// the index.
type pendingWrite struct {
	content  []byte
	perm     fs.FileMode
	stageAs  git.Stage // the entry that is to be staged
	prepared bool
	staged   bool
}

var (
	// errFileChanged and errStagesChanged are returned if another process changed the file, or its entries in the index,
	// after they were read.
	errFileChanged   = errors.New("changed by another process; run \"git merge-yaml resolve\" to try again")
	errStagesChanged = errors.New("changed in the index by another process; run \"git merge-yaml resolve\" to try again")
)

// readFile returns the information and the content of a regular file in the work tree, but never of a file outside of
// it. name is slash-separated and relative to the top. The error wraps fs.ErrNotExist if nothing exists at name. It is
// another error if the file is not regular, or if a folder in name is really a file or a symbolic link.
func (r *resolver) readFile(name string) (fs.FileInfo, []byte, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := r.root.Lstat(dir); err == nil && !info.IsDir() {
			return nil, nil, errors.New(dir + " is not a folder in the work tree")
		}
	}
	info, err := r.root.Lstat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("not a regular file in the work tree")
	}
	data, err := r.root.ReadFile(name)
	return info, data, err
}

// prepareWrite computes what writeAndStage later writes for f.result: the content and permissions of the file, and the
// entry of the index. It sets f.content, f.perm, f.stageAs and f.prepared. The file itself is not changed, but its
// folder is created if it is missing, and the content is added to git's object store. The error is that of git, of a
// filter, or of the folder.
func (f *unmergedFile) prepareWrite() error {
	id, content, err := f.tree.Smudge(f.Path, f.result.Bytes)
	if err != nil {
		return err
	}
	f.content, f.stageAs, f.prepared = content, git.Stage{Mode: f.Mode(), ID: id}, true
	if f.workInfo != nil {
		f.perm = f.workInfo.Mode().Perm()
	} else {
		dir := path.Dir(f.Path)
		if err := f.root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		info, err := f.root.Stat(dir)
		if err != nil {
			return err
		}
		f.perm = info.Mode().Perm() & 0o666
	}
	// git's executable mode makes the file executable for everyone who can read it
	if f.perm &^= 0o111; f.Mode() == git.ModeExecutable {
		f.perm |= f.perm & 0o444 >> 2
	}
	return nil
}

// isWritten reports whether the file in the work tree already has f.content and f.perm.
func (f *unmergedFile) isWritten() bool {
	return f.workInfo != nil && bytes.Equal(f.content, f.workContent) && f.perm == f.workInfo.Mode().Perm()
}

// writePrepared writes f.content with the permissions f.perm to the work tree, and updates f.workContent and
// f.workInfo. undo restores the former file; it is nil if nothing had to be written. The error wraps errFileChanged if
// another program changed the file since it was read; nothing is written then.
func (f *unmergedFile) writePrepared() (undo func(), err error) {
	if f.isWritten() {
		return nil, nil
	}
	_, current, err := f.readFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(current, f.workContent) {
		return nil, errors.Join(errFileChanged, err)
	}
	if err := disk.WriteInRoot(f.root, f.Path, f.content, f.perm); err != nil {
		return nil, fmt.Errorf("cannot replace the file: %w", err)
	}
	work, info := f.workContent, f.workInfo
	undo = func() {
		if info == nil {
			f.root.Remove(f.Path)
		} else {
			disk.WriteInRoot(f.root, f.Path, work, info.Mode().Perm())
		}
		f.workContent, f.workInfo = work, info
	}
	f.workContent = f.content
	if f.workInfo, err = f.root.Lstat(f.Path); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// shouldStage reports whether the file is staged when it is written: r.Stage is set, and there are no conflicts and no
// changes that the user applies by hand or has not looked at.
func (f *unmergedFile) shouldStage() bool {
	unseen := f.editedByUser && f.resolution == nil
	return f.isClean() && f.Stage && len(f.manualChanges) == 0 && !unseen
}

// writeAndStage writes all files that are prepared (see prepareWrite). If r.Stage is set, it also stages those for
// which shouldStage is true, and makes a staged file unmerged again if it has conflicts now, as after an undo. A file
// that cannot be written gets a skipReason, and the others are still written. If the index cannot be written, all files
// are restored, and an error is returned.
func (r *resolver) writeAndStage(files ...*unmergedFile) error {
	isDone := func(f *unmergedFile) bool {
		return f.skipReason != "" || !f.prepared || f.isWritten() && f.staged == f.shouldStage()
	}
	if files = slices.DeleteFunc(slices.Clone(files), isDone); len(files) == 0 {
		return nil
	}
	if !r.Stage {
		for _, f := range files {
			if _, err := f.writePrepared(); err != nil {
				f.skipReason = err.Error()
			}
		}
		return nil
	}
	return r.withIndexLock(func(lock *git.IndexLock) (undo []func(), _ error) {
		for _, f := range files {
			undoFile, err := f.writeAndStageIn(lock)
			if err != nil {
				f.skipReason = err.Error()
			}
			undo = append(undo, undoFile...)
		}
		return undo, nil
	})
}

// writeAndStageIn writes the prepared file f to the work tree, and changes its entries in the index that lock holds. It
// stages f if shouldStage is true, and otherwise, after an undo, makes it unmerged again. It returns errStagesChanged
// if another process changed these entries. undo restores the former file and f.staged, also after an error; lock is
// not restored, because the caller drops it.
func (f *unmergedFile) writeAndStageIn(lock *git.IndexLock) (undo []func(), err error) {
	if !f.staged && !lock.HasUnmerged(f.Unmerged) {
		return nil, errStagesChanged
	}
	undoWrite, err := f.writePrepared()
	if undoWrite != nil {
		undo = append(undo, undoWrite)
	}
	if err != nil || f.staged == f.shouldStage() {
		return undo, err
	}
	if f.staged {
		lock.Unstage(f.Unmerged) // the user undid an answer
	} else {
		lock.Stage(f.Unmerged, f.stageAs)
	}
	f.staged = !f.staged
	return append(undo, func() { f.staged = !f.staged }), nil
}

// withIndexLock locks git's index, calls do, which changes files and stages entries in the lock, and writes the index.
// do returns functions that undo its changes to files. If do fails, or the index cannot be written, withIndexLock calls
// these functions, the last one first, and returns the error; the index is then unchanged.
func (r *resolver) withIndexLock(do func(*git.IndexLock) (undo []func(), err error)) error {
	lock, err := r.tree.LockIndex()
	if err != nil {
		return err
	}
	undo, err := do(lock)
	if err != nil {
		lock.Release()
	} else {
		err = lock.Commit()
	}
	if err != nil {
		for _, undoOne := range slices.Backward(undo) {
			undoOne()
		}
	}
	return err
}

// removeFile removes the file name from the work tree and, like git, the folders above it that are empty then. It keeps
// the top of the work tree, and folders that contain the current directory. name is slash-separated and relative to the
// top. It is no error if the file does not exist, or if a folder cannot be removed.
func (r *resolver) removeFile(name string) error {
	if err := r.root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "." && !isBeneath(r.tree.Prefix, dir) && r.root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// isBeneath reports whether prefix is dir or beneath it. prefix is a path that ends in a slash, or "".
func isBeneath(prefix, dir string) bool {
	return len(prefix) > len(dir) && prefix[:len(dir)] == dir && prefix[len(dir)] == '/'
}
