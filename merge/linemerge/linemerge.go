// Package linemerge merges three versions of a text file by line, with the results of git, and reads the conflict
// markers of a file. It does not know YAML, and it does not run git. Package merge uses it for files that it cannot
// merge by field; it can be used alone.
//
//	base    ours    theirs    result
//	a       a       a         a
//	b       B       b         B
//	c       c       c         c
//	d       d       D         D
//
// In Go:
//
//	res, err := linemerge.Merge(base, ours, theirs, linemerge.Options{Markers: linemerge.Markers{Ours: "HEAD", Theirs: "topic"}})
//	if err != nil {
//		return err // a version is binary, or larger than git merges
//	}
//	for _, c := range linemerge.ParseConflicts(res.Bytes, 0) {
//		fmt.Printf("line %d: %d lines\n", c.Line, c.Lines())
//	}
//
// Functions keep no state and do not modify their inputs. They may be called concurrently.
package linemerge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Style is the style of conflict markers: a value of git's setting merge.conflictStyle. The zero value is StyleMerge.
// A style that is not one of the constants is an error in Merge.
type Style uint8

// The styles.
const (
	StyleMerge  Style = iota // ours and theirs
	StyleDiff3               // ours, base and theirs
	StyleZdiff3              // as StyleDiff3, with common lines at the start and end of the sides outside of the markers
)

// DefaultMarkerSize is the number of characters of git's markers.
const DefaultMarkerSize = 7

// Markers describes how conflicts are marked. The zero value marks them in git's style merge, with seven characters
// and without labels:
//
//	<<<<<<<
//	ours
//	=======
//	theirs
//	>>>>>>>
type Markers struct {
	// Style is whether the lines of the base are included. The zero value is StyleMerge, without them.
	Style Style
	// Size is the number of characters of a marker. 0 means DefaultMarkerSize.
	Size int
	// Base, Ours and Theirs are the labels after the markers, such as HEAD. An empty label is omitted. A label must
	// not have a line break.
	Base, Ours, Theirs string
}

// Algorithm is how git finds the lines that two versions have in common.
type Algorithm uint8

// The algorithms. They differ in the lines that they align, and, for StyleMerge, in which neighboring conflicts they
// join. The zero value is AlgorithmMerge.
const (
	AlgorithmMerge     Algorithm = iota // git merge: histogram
	AlgorithmMergeFile                  // git merge-file, git checkout -m and the strategy recursive: Myers
)

// Resolve is how conflicts are decided. The zero value is ResolveMark.
type Resolve uint8

// The ways to decide conflicts.
const (
	ResolveMark   Resolve = iota // leave all conflicts, with markers
	ResolveOurs                  // take the lines of ours
	ResolveTheirs                // take the lines of theirs
	ResolveUnion                 // take the lines of ours, then those of theirs
)

// Options are the options of Merge. The zero value merges as git merge does, with markers that have no labels.
type Options struct {
	// Markers are the style, size and labels of the conflict markers. The zero value has git's style merge, seven
	// characters and no labels.
	Markers Markers
	// Algorithm is that of git merge or of git merge-file. The zero value is AlgorithmMerge.
	Algorithm Algorithm
	// Resolve decides all conflicts instead of marking them. The zero value, ResolveMark, leaves them.
	Resolve Resolve
}

// A Result is the outcome of Merge.
type Result struct {
	// Bytes is the merged file. It has markers around conflicts. ParseConflicts returns them.
	Bytes []byte `json:"-"`
	// Conflicts is the number of conflicts in Bytes. It is 0 if Options.Resolve decided them.
	Conflicts int `json:"conflicts"`
}

// Clean reports whether the result has no conflicts.
func (r Result) Clean() bool { return r.Conflicts == 0 }

// The errors of Merge for a version that git does not merge either.
var (
	ErrBinary   = diff3.ErrBinary   // a version has a NUL among its first 8000 bytes
	ErrTooLarge = diff3.ErrTooLarge // a version is larger than 1023 MiB
)

// Merge merges the changes that ours and theirs made to base by lines, with the same bytes as git merge or git
// merge-file. Conflicts have markers, or the lines that Options.Resolve selects. It fails for an unknown option, and
// with ErrBinary or ErrTooLarge, as git does.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	as := [...]diff3.As{AlgorithmMerge: diff3.Merge, AlgorithmMergeFile: diff3.MergeFile}
	favor := [...]diff3.Favor{ResolveMark: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion}
	if int(opts.Algorithm) >= len(as) || int(opts.Resolve) >= len(favor) {
		return Result{}, fmt.Errorf("linemerge: unknown algorithm %d or way %d to resolve conflicts", opts.Algorithm, opts.Resolve)
	}
	m := opts.Markers
	b, n, err := diff3.MergeLines(base, ours, theirs, diff3.Options{
		As: as[opts.Algorithm], Favor: favor[opts.Resolve],
		Markers: text.Markers{Style: text.Style(m.Style), Size: m.Size, Base: m.Base, Ours: m.Ours, Theirs: m.Theirs},
	})
	return Result{b, n}, err
}

// A Conflict is a conflict that is marked in a file.
type Conflict struct {
	// Markers are the markers around the conflict. In a result of ParseConflicts, Size is never 0, and Style is
	// StyleDiff3 if the conflict has a base and StyleMerge otherwise.
	Markers Markers `json:"markers"`
	// Break is the line break of the markers. nil means LF.
	Break []byte `json:"-"`
	// Base, Ours and Theirs are the lines of the versions, with their line breaks. They are empty if a version has no
	// lines there. Base is nil in StyleMerge.
	Base   []byte `json:"-"`
	Ours   []byte `json:"-"`
	Theirs []byte `json:"-"`
	// Line is the line of the opening marker in the file, from 1.
	Line int `json:"line"`
	// Start and End are the offsets in bytes of the conflict, with its markers, in the file.
	Start int `json:"start"`
	End   int `json:"end"`
}

// ParseConflicts returns the conflicts in file, in order and in any style. size is the number of characters of a
// marker; 0 means DefaultMarkerSize. Incomplete conflicts are text. To write the file, copy the bytes between
// conflicts, and Append each. Lines may share memory with file.
func ParseConflicts(file []byte, size int) []Conflict {
	var all []Conflict
	for _, c := range text.Conflicts(file, size) {
		m := c.Markers
		all = append(all, Conflict{
			Markers{Style(m.Style), m.Size, m.Base, m.Ours, m.Theirs}, c.Break, c.Base, c.Ours, c.Theirs, c.Line, c.Start, c.End,
		})
	}
	return all
}

// Lines returns the number of lines of ours and theirs together, without the markers and the base. It is a measure of
// how much a merge leaves to the user.
func (c Conflict) Lines() int { return text.Conflict{Ours: c.Ours, Theirs: c.Theirs}.Lines() }

// Append appends the conflict, with its Markers and Break, to a file, and returns the longer file, as the built-in
// append does: file may be nil. A version whose last line has no line break gets one. Base is written unless the style
// is StyleMerge. Line, Start and End are not used.
func (c Conflict) Append(file []byte) []byte {
	m := c.Markers
	return text.Conflict{
		Markers: text.Markers{Style: text.Style(m.Style), Size: m.Size, Base: m.Base, Ours: m.Ours, Theirs: m.Theirs},
		Break:   c.Break, Base: c.Base, Ours: c.Ours, Theirs: c.Theirs,
	}.Append(file)
}
