// Package diff3 aligns sequences of lines, list items or documents. It merges two
// versions of a text with their original line by line.
//
// MergeLines gives the same bytes as `git merge-file` and `git merge`, with and
// without conflicts, in every conflict style. Time and memory grow in proportion
// to the size of the inputs, however different they are.
//
// The package does not know YAML or file names. It does not have the options of
// git's diff (white space, indent heuristic, patience).
//
// The main functions and types:
//
//   - Match aligns two sequences. It returns Runs of equal items.
//   - Chunks combines two alignments with the same original into Chunks, each
//     unchanged or changed by dest, by updated or by both.
//   - Versions holds the three versions of a text. Its methods merge them or
//     compare them.
//
// An example:
//
//	original        dest            updated         merged
//	image: app:1    image: app:2    image: app:1    image: app:2
//	name: web       name: web       name: web       name: web
//	replicas: 1     replicas: 1     replicas: 3     replicas: 3
//
// Match(original, dest) returns one run: the last two lines. Chunks returns three
// chunks: DestChanged, Same and UpdatedChanged. If updated set image to app:3 as
// well, the first chunk would be BothChanged, and MergeLines would write
//
//	<<<<<<<
//	image: app:2
//	=======
//	image: app:3
//	>>>>>>>
//	name: web
//	replicas: 3
//
// Terms in the comments of this package:
//
//   - item: an element of a sequence, such as a line. a and b are two sequences, usually the original and a side.
//   - class: a number in place of an item, for fast comparison. Equal items have the same class.
//   - run: successive items of a that equal successive items of b.
//   - changed: said of an item that has no equal one in the alignment, because it was deleted or inserted.
//   - group: successive changed items. There can be a choice: in "a b a b", the first two or the last two are new.
//   - patch or edit: a range of the original, and the range of a side that replaces it.
//   - conflict style: merge, diff3 or zdiff3, as in git's merge.conflictStyle.
//   - hunk: a range of lines in which a side changed the original. A Hunk, in contrast, is a part of a conflict.
package diff3

import (
	"bytes"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Range is the half-open range [Start, End) of the indexes of a sequence.
type Range struct{ Start, End int }

// Len returns the number of items in r.
func (r Range) Len() int { return r.End - r.Start }

// Empty reports whether r has no items.
func (r Range) Empty() bool { return r.Start >= r.End }

// A Run is a pair of ranges of equal length: a[A:A+Len] equals b[B:B+Len], item by item.
type Run struct{ A, B, Len int }

// Versions holds three versions of a text, and what was computed from them: it splits them into lines once, and aligns
// them once for each algorithm, because these are the most expensive steps. Its methods are not safe for concurrent
// use.
type Versions struct {
	texts         [3][]byte // original, dest and updated
	lines         [3]*lines // nil until splitLines is called
	distinctLines int       // number of different lines, set by splitLines
	alignments    [2]*[2][]Run
}

// NewVersions returns a value with three versions of a text. It does not copy the texts; they must not change
// afterwards.
func NewVersions(original, dest, updated []byte) *Versions {
	return &Versions{texts: [3][]byte{original, dest, updated}}
}

// SwapSides returns a copy of v in which dest and updated have changed places. v is unchanged. The copy has the lines
// and alignments that v has computed so far, to save time; later ones are not shared.
func (v *Versions) SwapSides() *Versions {
	swapped := &Versions{
		texts: [3][]byte{v.texts[0], v.texts[2], v.texts[1]}, lines: [3]*lines{v.lines[0], v.lines[2], v.lines[1]}, distinctLines: v.distinctLines,
	}
	for as, alignment := range v.alignments {
		if alignment != nil {
			swapped.alignments[as] = &[2][]Run{alignment[1], alignment[0]}
		}
	}
	return swapped
}

// checkMergeable returns ErrTooLarge if a version is larger than 1023 MiB, or ErrBinary if one has a NUL byte in its
// first 8000 bytes: git does not merge such files by lines either.
func (v *Versions) checkMergeable() error {
	for _, data := range v.texts {
		if len(data) > 1023<<20 { // MAX_XDIFF_SIZE of git
			return ErrTooLarge
		}
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			return ErrBinary
		}
	}
	return nil
}

// splitLines returns the lines of original, dest and updated. Each line has a class, a number that is equal for equal
// lines, also of different versions. The first call computes the lines, and later calls return the same ones.
func (v *Versions) splitLines() [3]*lines {
	if v.lines[0] == nil {
		classOf, similar := map[string]int32{}, &lines{}
		for version, data := range v.texts {
			v.lines[version] = toLines(data, classOf, similar)
			similar = v.lines[0]
		}
		v.distinctLines = len(classOf)
	}
	return v.lines
}

// Align returns the runs of lines that the original has in common with dest, and with updated, in order. as selects the
// diff algorithm of a git command: Myers for MergeFile, histogram for Merge. The runs are computed once, and must not
// be changed. Binary and too large versions are aligned, too.
func (v *Versions) Align(as As) (withDest, withUpdated []Run) {
	if v.alignments[as] == nil {
		l, algo := v.splitLines(), as.algorithm()
		v.alignments[as] = &[2][]Run{alignClasses(l[0].classes, l[1].classes, algo), alignClasses(l[0].classes, l[2].classes, algo)}
	}
	return v.alignments[as][0], v.alignments[as][1]
}

// The errors of versions that git does not merge by lines either.
var (
	ErrBinary   = errors.New("binary content")
	ErrTooLarge = errors.New("larger than 1023 MiB")
)

// As is the git command whose line merge is imitated.
type As uint8

// The two commands use different diff algorithms. They also join neighboring
// conflicts by different rules, if the conflict style is merge.
const (
	MergeFile As = iota // git merge-file: Myers; also joins conflicts without a letter or digit between them
	Merge               // git merge: histogram; joins conflicts with at most three lines between them
)

// algorithm returns the diff algorithm of the git command that as names.
func (as As) algorithm() algorithm {
	if as == Merge {
		return gitHistogram
	}
	return gitMyers
}

// Favor selects the lines that the result has in a place where the sides differ.
type Favor uint8

// FavorNone marks a conflict. The others write the lines of dest, the lines of
// updated, or first the lines of dest and then the lines of updated.
const (
	FavorNone Favor = iota
	FavorOurs
	FavorTheirs
	FavorUnion
)

// Options are the options of a line merge. The zero value merges like `git merge-file`,
// except that the markers have no labels.
type Options struct {
	Markers text.Markers
	As      As
	Favor   Favor
	// ForcedConflicts lists chunks that only one side changed and that become conflicts
	// nevertheless. It has their numbers among all such chunks, counted from 0.
	ForcedConflicts []int
}

// MergeLines merges three versions of a text by lines, as git does. It returns the merged text and the number of
// conflicts that are marked in it, which is 0 if opts.Favor resolves them. See Versions.Merge for the errors.
func MergeLines(original, dest, updated []byte, opts Options) (merged []byte, conflicts int, err error) {
	return NewVersions(original, dest, updated).Merge(opts)
}

// Merge merges the versions by lines, as git does. It returns the merged text and the number of conflicts that are
// marked in it, which is 0 if opts.Favor resolves them. It fails if a version is binary (ErrBinary) or larger than 1023
// MiB (ErrTooLarge), or if the conflict style is unknown.
func (v *Versions) Merge(opts Options) (merged []byte, conflicts int, err error) {
	m, err := v.findHunks(opts)
	if err != nil {
		return nil, 0, err
	}
	merged, conflicts = m.write()
	return merged, conflicts, nil
}

// findHunks merges the versions by lines and returns the state of the merge, ready to be written. Its hunks are the
// places where a side changed lines. Those that are conflicts are split and joined as the style of opts requires. It
// fails if the style is unknown, or if a version is binary (ErrBinary) or too large (ErrTooLarge).
func (v *Versions) findHunks(opts Options) (*lineMerge, error) {
	if err := opts.Markers.Style.Err(); err != nil {
		return nil, err
	}
	if err := v.checkMergeable(); err != nil {
		return nil, err
	}
	chunks, l := v.MergeChunks(opts.As, opts.ForcedConflicts), v.splitLines()
	m := &lineMerge{Options: opts, original: l[0], dest: l[1], updated: l[2]}
	m.collectHunks(chunks)
	m.refineConflicts()
	return m, nil
}

// A lineMerge is the state of a line merge: the lines of the versions, and the hunks, in order.
type lineMerge struct {
	Options
	original, dest, updated *lines
	unchanged               []Chunk // the chunks that neither side changed
	hunks                   []hunk
}

// A hunk is a range of each version in which a side changed lines. If both sides
// made the same change, there may be no hunk.
type hunk struct {
	favor                   Favor // FavorNone for a conflict; FavorOurs also if both sides are equal
	original, dest, updated Range
}

// isConflict reports whether the writer marks h as a conflict.
func (h hunk) isConflict() bool { return h.favor == FavorNone }

// collectHunks fills m.hunks and m.unchanged from the chunks of the line merge:
//
//	chunk changed by                      becomes
//	neither side                          an element of m.unchanged
//	one side                              a hunk with the lines of this side
//	both, in the same way and as a whole  nothing, because dest's lines are the merge
//	both, otherwise                       a conflict, which may have equal sides
//
// ForcedConflicts turn chunks of one side into conflicts. If there are any, conflicts with few lines between them (see
// canJoin) become one.
func (m *lineMerge) collectHunks(chunks []Chunk) {
	for _, c := range chunks {
		h := hunk{original: c.Original, dest: c.Dest, updated: c.Updated} // a conflict, unless favor is set
		switch {
		case c.Kind == Same:
			m.unchanged = append(m.unchanged, c)
			continue
		case c.Whole && !c.Open: // both sides made the same change, so that dest's lines are the merge
			continue
		case c.Kind == DestChanged && !c.Open:
			h.favor = FavorOurs
		case c.Kind == UpdatedChanged && !c.Open:
			h.favor = FavorTheirs
		}
		if n := len(m.hunks) - 1; n >= 0 && len(m.ForcedConflicts) > 0 && m.canJoin(m.hunks[n], h) {
			// both sides may have added blocks that are almost equal
			m.hunks[n].extendTo(h)
			continue
		}
		m.hunks = append(m.hunks, h)
	}
}

// A lines value is a text, split after each line break. Only the last line can lack a line break. Each line has a
// class: a number that is equal for equal lines, even of other versions.
type lines struct {
	data    []byte
	starts  []int32 // the offset of each line, and the length of data
	classes []int32 // by line; equal lines have equal classes
}

// toLines splits data into lines with their line breaks. Each line has a class; equal lines have equal classes, even in
// different texts with the same classOf. classOf has the classes by line, and gets those of new lines. similar is
// another version, or empty; it only saves time, because successive lines of it are copied.
func toLines(data []byte, classOf map[string]int32, similar *lines) *lines {
	lineCount := bytes.Count(data, lf) + 1
	split := &lines{data: data, starts: make([]int32, 1, lineCount+1), classes: make([]int32, 0, lineCount)}
	s := lineSplitter{lines: split, classOf: classOf, similar: similar}
	if similar.len() == 0 { // nearly all lines are new, so that one string for all keys saves memory
		s.keys = string(data)
	}
	for start := 0; start < len(data); start = int(split.starts[split.len()]) {
		if !s.copyBlock(start) {
			s.addLine(start)
		}
	}
	return split
}

// A lineSplitter adds the lines of a text to lines, one after another, with their classes.
type lineSplitter struct {
	*lines
	keys    string // data as a string, so that all keys of classOf share one allocation; "" to make a string for each
	classOf map[string]int32
	similar *lines // another version
	next    int    // the line of similar that probably comes next
}

// copyBlock adds 32 lines at once, if the text at the offset start equals the 32 lines of similar from s.next on. It
// reports whether it did. Versions usually differ little, so that nearly all lines are added in this way.
func (s *lineSplitter) copyBlock(start int) bool {
	block := Range{s.next, s.next + 32}
	// the last line of similar is not copied, because it may lack a line break
	if block.End >= s.similar.len() || !bytes.HasPrefix(s.data[start:], s.similar.text(block)) {
		return false
	}
	moved := int32(start) - s.similar.starts[block.Start]
	for _, end := range s.similar.starts[block.Start+1 : block.End+1] {
		s.starts = append(s.starts, end+moved)
	}
	s.classes = append(s.classes, s.similar.classes[block.Start:block.End]...)
	s.next = block.End
	return true
}

// addLine adds the line at the offset start of the text. Its class is that of an equal line, or a new one. It also sets
// s.next, the line of similar that probably comes next: after an equal line of similar, if one is near.
func (s *lineSplitter) addLine(start int) {
	const maxSkipped = 100
	end := len(s.data)
	if i := bytes.IndexByte(s.data[start:], '\n'); i >= 0 {
		end = start + i + 1
	}
	s.starts = append(s.starts, int32(end))
	line := s.data[start:end]
	if s.next < s.similar.len() && bytes.Equal(line, s.similar.line(s.next)) {
		s.classes = append(s.classes, s.similar.classes[s.next])
		s.next++
		return
	}
	class, isKnown := s.classOf[string(line)]
	if !isKnown {
		class = int32(len(s.classOf))
		if s.keys != "" {
			s.classOf[s.keys[start:end]] = class
		} else {
			s.classOf[string(line)] = class
		}
	}
	s.classes = append(s.classes, class)
	// Index returns -1 if the class is not near, so that s.next remains
	s.next += 1 + slices.Index(s.similar.classes[s.next:min(s.next+maxSkipped, s.similar.len())], class)
}

func (l *lines) len() int { return len(l.classes) }

// line returns line i with its line break.
func (l *lines) line(i int) []byte { return l.data[l.starts[i]:l.starts[i+1]] }

// text returns the text of the lines in r.
func (l *lines) text(r Range) []byte { return l.data[l.starts[r.Start]:l.starts[r.End]] }

// A lineEnding is the kind of line break that ends a line.
type lineEnding uint8

const (
	unknownEnding lineEnding = iota
	lfEnding
	crlfEnding
)

// endingOf returns the line ending of line i, which must not be negative. A last line without a line break gets the
// ending of the line before it. It returns unknownEnding if there is no line before it, or no line i.
func (l *lines) endingOf(i int) lineEnding {
	if i < l.len() && !bytes.HasSuffix(l.line(i), lf) {
		i--
	}
	switch {
	case i < 0 || i >= l.len():
		return unknownEnding
	case bytes.HasSuffix(l.line(i), crlf):
		return crlfEnding
	}
	return lfEnding
}

var (
	lf   = []byte("\n")
	crlf = []byte("\r\n")
)
