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

// A writing is what a file of the work tree is going to have.
type writing struct {
	content  []byte
	perm     fs.FileMode
	to       git.Stage // what it is staged as
	prepared bool
	staged   bool
}

var (
	// errChanged says that somebody else was at work.
	errChanged = errors.New("it changed in this very moment")
	errStages  = errors.New("its stages changed in this very moment")
)

// readFile reads a regular file of the work tree, to which no link leads. The error is one of fs.ErrNotExist if there is none.
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
		return nil, nil, errors.New("no regular file in the work tree")
	}
	data, err := r.root.ReadFile(name)
	return info, data, err
}

// prepare makes the result what the file in the work tree is going to have, with the permissions that it has, executable as
// the merge of the stages says. A file that was deleted gets its folder's.
func (f *unmergedFile) prepare() error {
	id, content, err := f.tree.Smudge(f.Path, f.result.Bytes)
	if err != nil {
		return err
	}
	f.content, f.to, f.prepared = content, git.Stage{Mode: f.Mode(), ID: id}, true
	if f.info != nil {
		f.perm = f.info.Mode().Perm()
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
	if f.perm &^= 0o111; f.Mode() == git.ModeExecutable {
		f.perm |= f.perm & 0o444 >> 2
	}
	return nil
}

// isWritten reports whether the file in the work tree has what was prepared.
func (f *unmergedFile) isWritten() bool {
	return f.info != nil && bytes.Equal(f.content, f.work) && f.perm == f.info.Mode().Perm()
}

// put writes what was prepared into the file in the work tree. What undoes that is returned, nil if there is nothing to undo.
func (f *unmergedFile) put() (undo func(), err error) {
	if f.isWritten() {
		return nil, nil
	}
	_, now, err := f.readFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(now, f.work) {
		return nil, errors.Join(errChanged, err)
	}
	if err := disk.WriteBeneath(f.root, f.Path, f.content, f.perm); err != nil {
		return nil, fmt.Errorf("cannot replace it, so it is as it was: %w", err)
	}
	work, info := f.work, f.info
	f.work = f.content
	if f.info, err = f.root.Lstat(f.Path); err != nil {
		return nil, err
	}
	return func() {
		if info == nil {
			f.root.Remove(f.Path)
		} else {
			disk.WriteBeneath(f.root, f.Path, work, info.Mode().Perm())
		}
		f.work, f.info = work, info
	}, nil
}

// write writes what was prepared of files, and stages those that have no conflicts left, if that is asked for; a file that was
// staged and has conflicts again gets its stages back. All of that is done with the index locked, and undone if it cannot be staged. A
// file that cannot be written is skipped; the error is that none is.
func (r *resolver) write(files ...*unmergedFile) error {
	isDone := func(f *unmergedFile) bool {
		return f.skip != "" || !f.prepared || f.isWritten() && f.staged == (f.clean() && r.Stage)
	}
	if files = slices.DeleteFunc(slices.Clone(files), isDone); len(files) == 0 {
		return nil
	}
	writeAll := func(lock *git.IndexLock) (undo []func(), err error) {
		for _, f := range files {
			if lock != nil && !f.staged && !lock.HasUnmerged(f.Unmerged) {
				f.skip = errStages.Error()
				continue
			}
			back, err := f.put()
			if back != nil {
				undo = append(undo, back)
			}
			if err != nil {
				f.skip = err.Error()
				continue
			}
			switch stage := f.clean() && r.Stage; {
			case stage && !f.staged:
				lock.Stage(f.Unmerged, f.to)
			case !stage && f.staged:
				lock.Unstage(f.Unmerged)
			default:
				continue
			}
			f.staged = !f.staged
			undo = append(undo, func() { f.staged = !f.staged })
		}
		return undo, nil
	}
	if !r.Stage {
		_, err := writeAll(nil)
		return err
	}
	return r.locked(writeAll)
}

// locked calls do with the index locked, and writes the entries that do stages. If do or that fails, it does what do returns, from
// the last to the first, and the index is as it was.
func (r *resolver) locked(do func(*git.IndexLock) (undo []func(), err error)) error {
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
		for _, back := range slices.Backward(undo) {
			back()
		}
	}
	return err
}

// removeFile removes a file of the work tree, and the folders that are empty then, as git does; not the one that the user is in.
func (r *resolver) removeFile(name string) error {
	if err := r.root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "." && !isBeneath(r.tree.Prefix, dir) && r.root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// isBeneath reports whether prefix, which ends in a slash if it is any, is dir or beneath it.
func isBeneath(prefix, dir string) bool {
	return len(prefix) > len(dir) && prefix[:len(dir)] == dir && prefix[len(dir)] == '/'
}
