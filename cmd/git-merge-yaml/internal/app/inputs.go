package app

import (
	"fmt"
	"os"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
)

// readInputs reads the files of a merge.
func readInputs(o mergeOptions) (in driver.Inputs, err error) {
	large := false // then the files are read side by side
	if info, err := os.Stat(o.ours); err == nil {
		replaced := !o.stdout && o.output == ""
		if replaced && !info.Mode().IsRegular() && !info.IsDir() {
			return in, fmt.Errorf("cannot replace OURS: %s is not a regular file; --stdout prints the result instead", o.ours)
		}
		large = info.Size() > 256<<10
	}
	files := [...]struct {
		role, path string
		to         *disk.File
		err        error
	}{
		{role: "OURS", path: o.ours, to: &in.Ours}, {role: "BASE", path: o.base, to: &in.Base}, {role: "THEIRS", path: o.theirs, to: &in.Theirs},
	}
	var wg sync.WaitGroup
	for i := range files {
		f := &files[i]
		read := func() { *f.to, f.err = disk.Read(f.path) }
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
