package diff3

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
)

// Favor decides conflicts instead of marking them.
type Favor uint8

// Conflicts are marked, or take one side, or both one after the other.
const (
	FavorNone Favor = iota
	FavorOurs
	FavorTheirs
	FavorUnion
)

// Options of a line merge. The zero value is that of `git merge-file`, but
// for the labels.
type Options struct {
	Markers conflict.Markers
	As      As
	Favor   Favor
	// Contested are the numbers, from 0, of changes of one side alone that are to be in conflict.
	Contested []int
}

// MergeLines merges the changes original→dest and original→updated line by
// line: see Versions.Merge.
func MergeLines(original, dest, updated []byte, opts Options) (merged []byte, conflicts int, err error) {
	return Of(original, dest, updated).Merge(opts)
}

// Merge merges the changes original→dest and original→updated line by
// line, as git does. It returns the merged text and the number of conflicts
// marked in it. The error is ErrBinary if an input has a NUL among its first
// 8000 bytes, ErrTooLarge, or that of an unknown style.
func (v *Versions) Merge(opts Options) (merged []byte, conflicts int, err error) {
	m, err := v.compared(opts)
	if err != nil {
		return nil, 0, err
	}
	merged, conflicts = m.write()
	return merged, conflicts, nil
}

// compared finds the hunks of a merge, conflicts as small as its style allows.
func (v *Versions) compared(opts Options) (*lineMerge, error) {
	if err := opts.Markers.Style.Err(); err != nil {
		return nil, err
	}
	if err := v.fit(); err != nil {
		return nil, err
	}
	m := v.lineMerge(opts)
	m.compare(v.Align(opts.As))
	m.refine()
	return m, nil
}

// OneSided is how many changes of one side alone a merge has.
func (v *Versions) OneSided(as As) (n int) {
	withDest, withUpdated := v.Align(as)
	for _, c := range Chunks(v.o.len(), v.d.len(), v.u.len(), withDest, withUpdated) {
		if c.Kind == DestChanged || c.Kind == UpdatedChanged {
			n++
		}
	}
	return n
}

// A lineMerge is a line merge on its way.
type lineMerge struct {
	Options
	original, dest, updated *lines
	same                    []Chunk // what nobody changed
	hunks                   []hunk
}

// A hunk is a place where a side changed something; places where both did
// alike may have none.
type hunk struct {
	take                    take
	original, dest, updated Range
}

// take says what the result has at a hunk.
type take uint8

const (
	takeNone take = iota // a conflict
	takeDest             // also where both are alike
	takeUpdated
	takeBoth
)

// compare finds the hunks.
func (m *lineMerge) compare(withDest, withUpdated []Run) {
	o, d, u := m.original, m.dest, m.updated
	oneSided := 0
	for _, c := range Chunks(o.len(), d.len(), u.len(), withDest, withUpdated) {
		h := hunk{original: c.Original, dest: c.Dest, updated: c.Updated}
		switch {
		case c.Kind == DestChanged:
			h.take = takeDest
		case c.Kind == UpdatedChanged:
			h.take = takeUpdated
		case c.Kind == Same:
			m.same = append(m.same, c)
			continue
		case c.Whole && slices.Equal(m.changed(h)):
			continue
		}
		if h.take != takeNone {
			if slices.Contains(m.Contested, oneSided) {
				h.take = takeNone
			}
			oneSided++
		}
		if n := len(m.hunks) - 1; n >= 0 && len(m.Contested) > 0 && m.near(m.hunks[n], h) {
			last := &m.hunks[n] // as where each side put a thing, of which the most is alike
			last.original.End, last.dest.End, last.updated.End = h.original.End, h.dest.End, h.updated.End
			continue
		}
		m.hunks = append(m.hunks, h)
	}
}
