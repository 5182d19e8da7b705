package diff3

import (
	"bytes"
	"errors"
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
	lines := 0
	for _, data := range [...][]byte{v.original, v.dest, v.updated} {
		if lines += count(data); len(data) > 1023<<20 || lines > mostLines {
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
		ids := map[string]int32{}
		v.o, v.d, v.u = cut(v.original, ids), cut(v.dest, ids), cut(v.updated, ids)
	}
	return &lineMerge{Options: opts, original: v.o, dest: v.d, updated: v.u}
}

// Align aligns the lines of original with those of dest and of updated, as the command does.
func (v *Versions) Align(as As) (withDest, withUpdated []Run) {
	if v.aligned[as] == nil {
		m := v.lineMerge(Options{As: as})
		v.aligned[as] = &[2][]Run{align(m.original.ids, m.dest.ids, as.how()), align(m.original.ids, m.updated.ids, as.how())}
	}
	return v.aligned[as][0], v.aligned[as][1]
}

// mostLines is how many lines three versions may have together: a line takes up to 150 bytes of memory.
const mostLines = 4 << 20

// Why MergeLines may refuse.
var (
	ErrBinary   = errors.New("diff3: binary content")
	ErrTooLarge = errors.New("diff3: larger than 1023 MiB, or more than 4 Mi lines")
)

// As is the command whose line merge is done.
type As uint8

// The two line merges of git. They differ in the diff and in how near
// conflicts are joined in merge style.
const (
	MergeFile As = iota // git merge-file: Myers; joins conflicts with no letter or digit between
	Merge               // git merge: histogram; joins conflicts up to three lines apart
)

// how is how that command aligns.
func (as As) how() how {
	if as == Merge {
		return histogram
	}
	return gitMyers
}
