package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace gives the file at path new content in one step: whoever reads it,
// now or after a crash, finds the old bytes or the new ones whole.
//
// The content is written to a temporary file in the same folder, which then
// takes the file's name and keeps its permissions. Where path is a symbolic
// link, the file that it leads to is replaced and the link stays. A second
// hard link keeps the old content. What is no regular file, a pipe or a device, is written to.
func Replace(path string, content []byte) (err error) {
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
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return errors.Join(err, f.Close())
	}
	return WriteRenamed(target, content, info.Mode().Perm())
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
func WriteRenamed(target string, content []byte, perm os.FileMode) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(target), ".git-merge-yaml-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if err := writeAll(tmp, content, perm); err != nil {
		return err
	}
	return put(tmp.Name(), target)
}

// writeAll writes content to f and closes it: a full disk may be reported by
// either.
func writeAll(f *os.File, content []byte, perm os.FileMode) error {
	ignoreFileSizeSignal()
	_, err := f.Write(content)
	if err == nil {
		err = f.Chmod(perm)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
