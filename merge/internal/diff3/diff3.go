// Package diff3 aligns sequences (lines, list items, documents) and merges
// two changed versions of a sequence with the original.
//
// Match aligns two sequences, Chunks puts two alignments with one original
// side by side, and MergeLines merges texts and marks their conflicts.
//
// Goals: MergeLines gives the bytes that git gives, for `git merge-file` and
// for `git merge`, clean or not, in every style of markers. Time and memory
// grow with the size of the inputs, however different they are.
//
// Non-goals: options of git's diff (white space, indent heuristic, patience),
// names of files, anything that knows YAML.
package diff3

import (
	"bytes"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Range is the half-open range [Start, End) of items.
type Range struct{ Start, End int }

// Len returns the number of items in r.
func (r Range) Len() int { return r.End - r.Start }

// Empty reports whether r has no items.
func (r Range) Empty() bool { return r.Start >= r.End }

// A Run says that a[A:A+Len] and b[B:B+Len] are equal, item by item.
type Run struct{ A, B, Len int }

// Versions are three versions of a text. However often they are merged, they are cut into
// lines once, and aligned once as each command does it: what both cost most. They are for
// one goroutine at a time.
type Versions struct {
	original, dest, updated []byte
	o, d, u                 *lines // nil before they are asked for
	distinct                int    // how many lines they have that differ
	aligned                 [2]*[2][]Run
}

// Of are the versions of a text.
func Of(original, dest, updated []byte) *Versions {
	return &Versions{original: original, dest: dest, updated: updated}
}

// Swapped are the versions with dest in the place of updated, as far as they are cut and aligned.
func (v *Versions) Swapped() *Versions {
	s := &Versions{original: v.original, dest: v.updated, updated: v.dest, o: v.o, d: v.u, u: v.d, distinct: v.distinct}
	for as, a := range v.aligned {
		if a != nil {
			s.aligned[as] = &[2][]Run{a[1], a[0]}
		}
	}
	return s
}

// fit returns why the versions are not merged by lines.
func (v *Versions) fit() error {
	for _, data := range [...][]byte{v.original, v.dest, v.updated} {
		if len(data) > 1023<<20 { // MAX_XDIFF_SIZE of git
			return ErrTooLarge
		}
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			return ErrBinary
		}
	}
	return nil
}

// lines are the versions as lines.
func (v *Versions) lines() [3]*lines {
	if v.o == nil {
		ids := map[string]int32{}
		v.o, v.d, v.u = cut(v.original, ids), cut(v.dest, ids), cut(v.updated, ids)
		v.distinct = len(ids)
	}
	return [3]*lines{v.o, v.d, v.u}
}

func (v *Versions) lineMerge(opts Options) *lineMerge {
	l := v.lines()
	return &lineMerge{Options: opts, original: l[0], dest: l[1], updated: l[2]}
}

// Align aligns the lines of original with those of dest and of updated, as the command does.
func (v *Versions) Align(as As) (withDest, withUpdated []Run) {
	if v.aligned[as] == nil {
		m := v.lineMerge(Options{As: as})
		v.aligned[as] = &[2][]Run{align(m.original.ids, m.dest.ids, as.how()), align(m.original.ids, m.updated.ids, as.how())}
	}
	return v.aligned[as][0], v.aligned[as][1]
}

// Why MergeLines may refuse: what git does not merge by lines either.
var (
	ErrBinary   = errors.New("binary content")
	ErrTooLarge = errors.New("larger than 1023 MiB")
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
	Markers text.Markers
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
			m.hunks[n].extend(h) // as where each side put a thing, of which the most is alike
			continue
		}
		m.hunks = append(m.hunks, h)
	}
}

// lines is a text cut into lines, each with its line break. Only the last
// may have none.
type lines struct {
	data []byte
	at   []int32 // where each line starts, and the end of data
	ids  []int32 // equal lines have equal ids
}

// cut cuts data into lines, whose ids are looked up in ids, or added.
func cut(data []byte, ids map[string]int32) *lines {
	n := count(data)
	l := &lines{data: data, at: make([]int32, 1, n+1), ids: make([]int32, 0, n)}
	for line := range bytes.Lines(data) {
		id, ok := ids[string(line)]
		if !ok {
			id = int32(len(ids))
			ids[string(line)] = id
		}
		l.ids = append(l.ids, id)
		l.at = append(l.at, l.at[len(l.at)-1]+int32(len(line)))
	}
	return l
}

// count is the number of lines of data.
func count(data []byte) int {
	n := bytes.Count(data, lf)
	if len(data) > 0 && !bytes.HasSuffix(data, lf) {
		n++
	}
	return n
}

func (l *lines) len() int { return len(l.ids) }

// line returns line i.
func (l *lines) line(i int) []byte { return l.data[l.at[i]:l.at[i+1]] }

// text returns the lines of r.
func (l *lines) text(r Range) []byte { return l.data[l.at[r.Start]:l.at[r.End]] }

// ending is how a line ends.
type ending uint8

const (
	unknown ending = iota
	endLF
	endCRLF
)

// ending returns how line i ends; the last line, if it has no line break,
// counts as the one before it.
func (l *lines) ending(i int) ending {
	if i < l.len() && !bytes.HasSuffix(l.line(i), lf) {
		i--
	}
	switch {
	case i < 0 || i >= l.len():
		return unknown
	case bytes.HasSuffix(l.line(i), crlf):
		return endCRLF
	}
	return endLF
}

var (
	lf   = []byte("\n")
	crlf = []byte("\r\n")
)
