package diff3

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
)

// Versions are three versions of a text. However often they are merged, they are cut into
// lines once, and aligned once as each command does it: what both cost most. They are for
// one goroutine at a time.
type Versions struct {
	original, dest, updated []byte
	o, d, u                 *lines // nil before they are asked for
	aligned                 [2]*[2][]Run
}

// Of are the versions of a text.
func Of(original, dest, updated []byte) *Versions {
	return &Versions{original: original, dest: dest, updated: updated}
}

// fit returns why the versions are not merged by lines.
func (v *Versions) fit() error {
	for _, data := range [...][]byte{v.original, v.dest, v.updated} {
		if len(data) > 1023<<20 {
			return ErrTooLarge
		}
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			return ErrBinary
		}
	}
	return nil
}

func (v *Versions) lineMerge(opts Options) *lineMerge {
	if v.o == nil {
		v.o, v.d, v.u = cut(v.original, v.dest, v.updated)
	}
	return &lineMerge{Options: opts, original: v.o, dest: v.d, updated: v.u}
}

// manyLines is from how many lines on two alignments side by side take less
// time than one after the other.
const manyLines = 4096

// Align aligns the lines of original with those of dest and of updated, as the command does.
func (v *Versions) Align(as As) (withDest, withUpdated []Run) {
	if v.aligned[as] == nil {
		m, both := v.lineMerge(Options{As: as}), new([2][]Run)
		dest := func() { both[0] = m.match(m.original.ids, m.dest.ids) }
		if m.original.len() < manyLines {
			dest()
			both[1] = m.match(m.original.ids, m.updated.ids)
		} else {
			parallel.Do(dest, func() { both[1] = as.match(new(scratch), m.original.ids, m.updated.ids) })
		}
		v.aligned[as] = both
	}
	return v.aligned[as][0], v.aligned[as][1]
}
