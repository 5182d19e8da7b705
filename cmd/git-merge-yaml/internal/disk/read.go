// Package disk reads and replaces files whole: nobody gets half of one, neither
// this program nor whoever reads what it writes.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Read reads the file at path whole. The errors say what to do.
func Read(path string) ([]byte, error) { return readBy(os.ReadFile, path) }

// readBy refuses a file that changes while it is read: what was read may
// be neither what it was nor what it is.
func readBy(read func(string) ([]byte, error), path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %q", path)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory, not a file", path)
	}
	data, err := read(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w; chmod u+r makes it readable", err)
	case err != nil:
		return nil, err
	case info.Mode().IsRegular() && changed(path, info):
		return nil, fmt.Errorf("%s changed while it was read; merge again", path)
	}
	return data, nil
}

// changed reports whether the file at path is not what it was.
func changed(path string, was fs.FileInfo) bool {
	is, err := os.Stat(path)
	return err != nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())
}

// ReadIfAny returns the content of a file, nil if there is none.
func ReadIfAny(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err == nil && data == nil:
		data = []byte{}
	}
	return data, err
}
