package app

import (
	"errors"
	"io/fs"
	"os"
)

// A pageFile is where the page of a replay is written: opened before the merges
// are done, so that it fails at once, and as it was until the page is whole.
type pageFile struct {
	*os.File
	unneeded bool // it was made, and has no page yet
}

func openPage(name string) (*pageFile, error) {
	_, err := os.Lstat(name)
	f, failed := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	return &pageFile{f, errors.Is(err, fs.ErrNotExist)}, failed
}

// write replaces the content of the file, or writes to what is none.
func (f *pageFile) write(page []byte) error {
	f.unneeded = false
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			return err
		}
	}
	_, err := f.Write(page)
	return errors.Join(err, f.Close())
}

// close removes a file that was made for nothing.
func (f *pageFile) close() {
	if f == nil {
		return
	}
	f.Close()
	if f.unneeded {
		os.Remove(f.Name())
	}
}
