package team

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// readWithin reads a regular file that is not larger than limit. A symbolic
// link is followed only as long as it stays below root.
func readWithin(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, notThere(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// notThere is err as one of what a symbolic link leads to, which is an error other
// than that there is no file.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(err.Error())
	}
	return err
}
