package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replace gives the file at path new content in one step: whoever reads it,
// now or after a crash, finds the old bytes or the new ones whole.
//
// The content is written to a temporary file in the same folder, which then
// takes the file's name and keeps its permissions. Where path is a symbolic
// link, the file that it leads to is replaced and the link stays. A second
// hard link keeps the old content.
func replace(path string, content []byte) (err error) {
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
	}
	return writeRenamed(target, content, info.Mode().Perm())
}

// replaceOrMake is replace where there is a file, and makes one otherwise.
func replaceOrMake(path string, content []byte) error {
	err := replace(path, content)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// writeRenamed writes a temporary file beside target and renames it to target.
func writeRenamed(target string, content []byte, perm os.FileMode) (err error) {
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
	return os.Rename(tmp.Name(), target)
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
