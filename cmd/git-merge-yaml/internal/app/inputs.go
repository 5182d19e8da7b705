package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	for _, f := range []struct {
		role, path string
		to         *input
	}{
		{"OURS", o.ours, &in.ours}, {"BASE", o.base, &in.base}, {"THEIRS", o.theirs, &in.theirs},
	} {
		if *f.to, err = readInput(f.path); err != nil {
			return in, fmt.Errorf("cannot read %s: %w (want the three files BASE OURS THEIRS)", f.role, err)
		}
	}
	if !o.stdout && o.output == "" && !in.ours.regular {
		return in, fmt.Errorf("cannot replace OURS: %s is no regular file; --stdout prints the result instead", o.ours)
	}
	return in, nil
}

func readInput(path string) (input, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return input{}, fmt.Errorf("there is no file %q", path)
	case err != nil:
		return input{}, err
	case info.IsDir():
		return input{}, fmt.Errorf("%s is a directory, and no file", path)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) {
		return input{}, fmt.Errorf("%w; mend it with chmod u+r", err)
	}
	return input{path: path, bytes: data, regular: info.Mode().IsRegular()}, err
}
