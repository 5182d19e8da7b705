// Package disk reads and replaces files whole: nobody gets half of one, neither
// this program nor whoever reads what it writes.
package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Read reads the file at path whole. The errors say what to do.
func Read(path string) ([]byte, error) { return readBy(os.ReadFile, path) }

// readBy refuses a file that changes while it is read: what was read may
// be neither what it was nor what it is.
func readBy(read func(string) ([]byte, error), path string) ([]byte, error) {
	was, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %q", path)
	case err != nil:
		return nil, err
	case was.IsDir():
		return nil, fmt.Errorf("%s is a directory, not a file", path)
	}
	data, err := read(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w; chmod u+r makes it readable", err)
	} else if err != nil || !was.Mode().IsRegular() {
		return data, err
	}
	is, err := os.Stat(path)
	if err != nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()) {
		return nil, fmt.Errorf("%s changed while it was read; merge again", path)
	}
	return data, nil
}

// ReadIfAny returns the content of a file, nil if there is none.
func ReadIfAny(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Replace gives the file at path new content in one step: whoever reads it,
// now or after a crash, finds the old bytes or the new ones whole.
//
// The content is written to a temporary file in the same folder, which then
// takes the file's name and keeps its permissions. Where path is a symbolic
// link, the file that it leads to is replaced and the link stays. A second
// hard link keeps the old content. What is no regular file, a pipe or a device, is written to.
func Replace(path string, content []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case info.Mode().IsRegular():
		return WriteRenamed(target, content, info.Mode().Perm())
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0) // to make one is refused for a pipe of another user in /tmp
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return cmp.Or(err, f.Close())
}

// ReplaceOrMake is Replace where there is a file, and makes one otherwise.
func ReplaceOrMake(path string, content []byte) error {
	err := Replace(path, content)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// WriteRenamed is Replace with permissions that the caller knows, at a path that
// is no link and need not exist.
func WriteRenamed(target string, content []byte, perm os.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteBeneath(root, filepath.Base(target), content, perm)
}

// WriteBeneath is WriteRenamed at name, which is beneath root and leads through no link out of it. The temporary file is in
// root's .git if that is a folder, where git sees nothing of what a killed run leaves; else beside the target.
func WriteBeneath(root *os.Root, name string, content []byte, perm os.FileMode) error {
	tmp := scratch + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if info, err := root.Lstat(".git"); err == nil && info.IsDir() {
		if elsewhere, err := writeBy(root, filepath.Join(".git", tmp), name, content, perm); !elsewhere {
			return err
		}
	}
	_, err := writeBy(root, filepath.Join(filepath.Dir(name), "."+tmp), name, content, perm)
	return err
}

// writeBy writes name by the temporary file tmp, which is gone then. If it fails, elsewhere says that this may be because of where
// tmp is.
func writeBy(root *os.Root, tmp, name string, content []byte, perm os.FileMode) (elsewhere bool, err error) {
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return true, err
	}
	_, err = f.Write(content)
	if err = cmp.Or(err, f.Chmod(perm), f.Close()); err == nil {
		err = put(root, tmp, name)
		elsewhere = err != nil
	}
	if err != nil {
		root.Remove(tmp)
	}
	return elsewhere, err
}
