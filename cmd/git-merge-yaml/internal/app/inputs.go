package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// An input is one of the three files of a merge, read whole.
type input struct {
	path  string
	bytes []byte
	// regular says that path can be read again: it is no pipe.
	regular bool
}

// inputs are base, ours and theirs.
type inputs struct{ base, ours, theirs input }

func readInputs(o mergeOptions) (in inputs, err error) {
	large := false // then the files are read side by side
	if info, err := os.Stat(o.ours); err == nil {
		replaced := !o.stdout && o.output == ""
		if replaced && !info.Mode().IsRegular() && !info.IsDir() {
			return in, fmt.Errorf("cannot replace OURS: %s is no regular file; --stdout prints the result instead", o.ours)
		}
		large = info.Size() > 256<<10
	}
	files := [...]struct {
		role, path string
		to         *input
		err        error
	}{
		{role: "OURS", path: o.ours, to: &in.ours}, {role: "BASE", path: o.base, to: &in.base}, {role: "THEIRS", path: o.theirs, to: &in.theirs},
	}
	var wg sync.WaitGroup
	for i := range files {
		f := &files[i]
		read := func() { *f.to, f.err = readInput(f.path) }
		if large {
			wg.Go(read)
		} else {
			read()
		}
	}
	wg.Wait()
	for _, f := range files {
		if f.err != nil {
			return in, fmt.Errorf("cannot read %s: %w (want the three files BASE OURS THEIRS)", f.role, f.err)
		}
	}
	return in, nil
}

func readInput(path string) (input, error) { return readInputBy(os.ReadFile, path) }

// readInputBy refuses a file that changes while it is read: what was read may
// be neither what it was nor what it is.
func readInputBy(read func(string) ([]byte, error), path string) (input, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return input{}, fmt.Errorf("there is no file %q", path)
	case err != nil:
		return input{}, err
	case info.IsDir():
		return input{}, fmt.Errorf("%s is a directory, and no file", path)
	}
	data, err := read(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return input{}, fmt.Errorf("%w; mend it with chmod u+r", err)
	case err != nil:
		return input{}, err
	case info.Mode().IsRegular() && changed(path, info):
		return input{}, fmt.Errorf("%s changed while it was read; merge again", path)
	}
	return input{path: path, bytes: data, regular: info.Mode().IsRegular()}, nil
}

// changed reports whether the file at path is not what it was.
func changed(path string, was fs.FileInfo) bool {
	is, err := os.Stat(path)
	return err != nil || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())
}
