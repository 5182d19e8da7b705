package diff3

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Kind states which sides changed a chunk.
type Kind uint8

// The kinds of chunks.
const (
	Same           Kind = iota // neither side: the three ranges are equal
	DestChanged                // only dest: updated's range equals original's
	UpdatedChanged             // only updated: dest's range equals original's
	BothChanged                // both, possibly in the same way
)

// A Chunk is a range of each of the three versions: the items that correspond to each other, with the sides that
// changed them.
type Chunk struct {
	Kind                    Kind
	Original, Dest, Updated Range
	// Whole is set only for BothChanged. It is true if neither side kept an item of the
	// range Original: each side replaced, deleted or inserted the range as a whole.
	Whole bool
	// Open reports whether the chunk is a conflict of a line merge. Only chunks of a line merge have it set.
	Open bool
}

// Chunks turns two alignments with the same original (see Match) into the chunks that cover the three versions
// completely, in order. original, dest and updated are the numbers of items. Between two chunks that a side changed, at
// least one item is unchanged in both sides.
//
//	original        dest            updated         kind
//	image: app:1    image: app:2    image: app:1    DestChanged
//	name: web       name: web       name: web       Same
//	replicas: 1     replicas: 1     replicas: 3     UpdatedChanged
func Chunks(original, dest, updated int, withDest, withUpdated []Run) []Chunk {
	all := Chunk{Original: Range{End: original}, Dest: Range{End: dest}, Updated: Range{End: updated}}
	return all.splitByPatches(patchesBetween(withDest, original, dest), patchesBetween(withUpdated, original, updated), true)
}

// ChunksOf aligns three versions of a text, given as lines (original, dest, updated), and returns its chunks: the
// ranges of lines that correspond in the versions, each with the sides that changed it.
func ChunksOf(v [3][]string) []Chunk {
	return Chunks(len(v[0]), len(v[1]), len(v[2]), Match(v[0], v[1]), Match(v[0], v[2]))
}

// MergeChunks returns the chunks of a line merge like that of the git command as. Open is set in conflicts: in chunks
// that both sides changed differently, and in those with a number in forced (see Options.ForcedConflicts). Versions
// that git refuses are merged, too.
func (v *Versions) MergeChunks(as As, forced []int) []Chunk {
	withDest, withUpdated := v.Align(as)
	return mergeChunks(v.splitLines(), withDest, withUpdated, forced)
}

// mergeChunks returns the chunks of a line merge of l (original, dest and updated). withDest and withUpdated are the
// runs of lines that the original has in common with each side. A chunk that both sides changed differently is a
// conflict, with Open set. forced puts other chunks in conflict: it has their numbers among the chunks that only one
// side changed.
func mergeChunks(l [3]*lines, withDest, withUpdated []Run, forced []int) []Chunk {
	all := Chunks(l[0].len(), l[1].len(), l[2].len(), withDest, withUpdated)
	oneSided := 0
	for i := range all {
		switch c := &all[i]; c.Kind {
		case DestChanged, UpdatedChanged:
			c.Open = slices.Contains(forced, oneSided)
			oneSided++
		case BothChanged:
			c.Open = !slices.Equal(l[1].classes[c.Dest.Start:c.Dest.End], l[2].classes[c.Updated.Start:c.Updated.End])
		}
	}
	return all
}

// Slice returns the text of the lines from[i] up to to[i], without to[i], of each version i. It cuts off what is beyond
// the end of a version. A from[i] must not be negative, or greater than to[i]. The texts are not copied, but appending
// to one copies it.
func (v *Versions) Slice(from, to [3]int) (texts [3][]byte) {
	for version, l := range v.splitLines() {
		texts[version] = slices.Clip(l.text(Range{min(from[version], l.len()), min(to[version], l.len())}))
	}
	return texts
}

// A Hunk is a range of the lines of a conflict. If Same is set, the versions have these lines in common, so that they
// can be written without conflict markers; which versions have to agree depends on the conflict style. Otherwise the
// lines have to be marked as a conflict.
type Hunk struct {
	Text     [3][]byte
	From, To [3]int // line numbers in the conflict, from 0
	Same     bool
}

// minCommonLines is the number of common lines that must lie between two hunks of a
// conflict. With fewer lines, the split would only make a conflict harder to read. Git
// joins conflicts at the same distance.
const minCommonLines = 4

// SplitHunks splits a conflict, whose versions are v, into hunks that cover all of its lines, in order. Hunks with Same
// set need no markers:
//
//	style    common lines
//	diff3    of all three versions, if the original has lines
//	zdiff3   of dest and updated, at the start or end only if the original has lines
//	merge    of dest and updated
//
// If restrict is not nil, it can shorten each run of common lines, except in the first row.
func (v *Versions) SplitHunks(style text.Style, restrict func(Run) Run) []Hunk {
	l := v.splitLines()
	o, d, u := l[0].classes, l[1].classes, l[2].classes
	s := hunkSplitter{Versions: v, end: [3]int{len(o), len(d), len(u)}}
	if style == text.StyleDiff3 && len(o) > 0 {
		for _, c := range Chunks(len(o), len(d), len(u), alignClasses(o, d, nearLCS), alignClasses(o, u, nearLCS)) {
			if c.Kind == Same {
				s.addCommon([3]int{c.Original.Start, c.Dest.Start, c.Updated.Start}, [3]int{c.Original.End, c.Dest.End, c.Updated.End})
			}
		}
	} else {
		s.splitAtSharedLines(style, restrict)
	}
	s.addUpTo(s.end, false)
	return s.hunks
}

// A hunkSplitter divides a conflict into hunks, from its start to its end.
type hunkSplitter struct {
	*Versions
	hunks []Hunk
	done  [3]int // the lines of each version that are in hunks
	end   [3]int // the number of lines of each version
}

// splitAtSharedLines splits the conflict at the lines that dest and updated have in common. It adds a hunk with Same
// set for each run of such lines, and one for the lines before it. restrict, if not nil, may shorten the runs. Lines of
// the original are added as originalIn says.
func (s *hunkSplitter) splitAtSharedLines(style text.Style, restrict func(Run) Run) {
	o, d, u := s.lines[0].classes, s.lines[1].classes, s.lines[2].classes
	isTrimmed := style == text.StyleZdiff3 && len(o) > 0 // git only trims the start and the end of a conflict in this style
	runs := alignClasses(d, u, nearLCS)
	if isTrimmed {
		runs = AffixRuns(d, u)
	}
	for _, r := range runs {
		if restrict != nil {
			r = restrict(r)
		}
		original := s.originalIn(r, isTrimmed)
		s.addCommon([3]int{original.Start, r.A, r.B}, [3]int{original.End, r.A + r.Len, r.B + r.Len})
	}
}

// originalIn returns the lines of the original that belong to r, a run of lines that dest and updated have in common
// and that is written without markers. With isTrimmed, they are the equal lines at the start or the end of the
// original. Otherwise there are none: all lines of the original are in the first hunk with markers.
//
//	original   dest   updated
//	a          a      a         isTrimmed: in the hunk of run a; else: between markers
//	b          x      y         between markers
func (s *hunkSplitter) originalIn(r Run, isTrimmed bool) Range {
	o, common := s.lines[0].classes, s.lines[1].classes[r.A:r.A+r.Len]
	isAtStart := r.A == 0 && r.B == 0
	isAtEnd := r.A+r.Len == s.end[1] && r.B+r.Len == s.end[2]
	switch {
	case isAtStart && isTrimmed:
		return Range{End: commonPrefix(o, common)}
	case isAtStart:
		return Range{}
	case isAtEnd && isTrimmed:
		return Range{len(o) - commonSuffix(o[s.done[0]:], common), len(o)}
	}
	return Range{len(o), len(o)}
}

// addCommon adds the lines [from, to), which the versions have in common, as a hunk with Same set. Lines before them
// that are in no hunk yet are added as another hunk first. If there are fewer than minCommonLines, nothing is added,
// unless they are at the start or the end of the conflict.
func (s *hunkSplitter) addCommon(from, to [3]int) {
	isAtEdge := from == [3]int{} || to == s.end
	if isAtEdge || to[1]-from[1] >= minCommonLines {
		s.addUpTo(from, false)
		s.addUpTo(to, true)
	}
}

// addUpTo adds the lines before to that are in no hunk yet as one hunk, if there are any. same becomes Hunk.Same.
func (s *hunkSplitter) addUpTo(to [3]int, same bool) {
	if s.done != to {
		s.hunks = append(s.hunks, Hunk{s.Slice(s.done, to), s.done, to, same})
		s.done = to
	}
}

// SplitBySideRuns splits k, a chunk that both sides changed, into chunks that at most one side changed:
//
//	original        dest            updated         chunks
//	image: app:1    image: app:2    image: app:1    DestChanged
//	replicas: 1     replicas: 1     replicas: 3     UpdatedChanged
//
// inDest and inUpdated are the runs of items that each side has in common with the original, counted from the start of
// k. It returns nil if an edit of one side meets an edit of the other (see patchesMeet).
func (k Chunk) SplitBySideRuns(inDest, inUpdated []Run) []Chunk {
	dest := patchesBetween(inDest, k.Original.Len(), k.Dest.Len())
	updated := patchesBetween(inUpdated, k.Original.Len(), k.Updated.Len())
	if patchesMeet(dest, updated) {
		return nil
	}
	return k.splitByPatches(dest, updated, false)
}

// splitByPatches splits k into a chunk for each edit, and one for the unchanged items between two edits. dest and
// updated are the edits of each side, counted from the start of k. With joinTouching, edits that touch or overlap
// become one chunk. Without it, no edits may meet (see patchesMeet).
func (k Chunk) splitByPatches(dest, updated []patch, joinTouching bool) []Chunk {
	s := chunkSplitter{last: Chunk{Original: Range{End: k.Original.Start}, Dest: Range{End: k.Dest.Start}, Updated: Range{End: k.Updated.Start}}}
	for edits := sortPatches(dest, updated); len(edits) > 0; {
		count, end := 1, edits[0].replaced.End
		for joinTouching && count < len(edits) && edits[count].replaced.Start <= end {
			end = max(end, edits[count].replaced.End)
			count++
		}
		s.addUnchangedTo(k.Original.Start + edits[0].replaced.Start)
		s.addChanged(edits[:count])
		edits = edits[count:]
	}
	s.addUnchangedTo(k.Original.End)
	return s.chunks
}

// A chunkSplitter divides a chunk into smaller ones. Each starts where the last one ends.
type chunkSplitter struct {
	chunks []Chunk
	last   Chunk
}

// add appends a chunk of this kind, directly after the last chunk in each version. original, dest and updated are the
// numbers of its items; if all are 0, nothing is appended. isWhole becomes Chunk.Whole: both sides replaced all items
// of the chunk.
func (s *chunkSplitter) add(kind Kind, original, dest, updated int, isWhole bool) {
	s.last = Chunk{
		Kind:     kind,
		Original: Range{s.last.Original.End, s.last.Original.End + original},
		Dest:     Range{s.last.Dest.End, s.last.Dest.End + dest},
		Updated:  Range{s.last.Updated.End, s.last.Updated.End + updated},
		Whole:    isWhole,
	}
	if original+dest+updated > 0 {
		s.chunks = append(s.chunks, s.last)
	}
}

// addUnchangedTo adds a chunk of the items of the original up to end, which neither side changed.
func (s *chunkSplitter) addUnchangedTo(end int) {
	n := end - s.last.Original.End
	s.add(Same, n, n, n, false)
}

// addChanged adds one chunk for edits of one or both sides, which touch or overlap each other. They are in the order of
// sortPatches. The Kind of the chunk says which sides made them.
func (s *chunkSplitter) addChanged(edits []patch) {
	start, end, kind := edits[0].replaced.Start, 0, Same
	var replaced, growth [BothChanged]int // the numbers of items, by e.side: DestChanged or UpdatedChanged
	for _, e := range edits {
		end = max(end, e.replaced.End)
		kind |= e.side // a Kind is a set of bits: BothChanged is DestChanged|UpdatedChanged
		replaced[e.side] += e.replaced.Len()
		growth[e.side] += e.replacement.Len() - e.replaced.Len()
	}
	n := end - start
	// if each side replaced as many items as the chunk has, no item of the original is left
	isWhole := kind == BothChanged && replaced[DestChanged] == n && replaced[UpdatedChanged] == n
	s.add(kind, n, n+growth[DestChanged], n+growth[UpdatedChanged], isWhole)
}

// A patch is an edit of one side: replaced is a range of the original, and replacement is the range of the side that
// is in its place. One of them can be empty: replaced for an insertion, replacement for a deletion.
type patch struct {
	replaced, replacement Range
	side                  Kind // DestChanged or UpdatedChanged; set by sortPatches
}

// sortPatches returns the edits of both sides in the order of the original, with side set. An insertion comes before
// another edit that starts at the same item. dest and updated are the edits of each side.
func sortPatches(dest, updated []patch) []patch {
	all := slices.Concat(dest, updated)
	for i := range all {
		all[i].side = UpdatedChanged
		if i < len(dest) {
			all[i].side = DestChanged
		}
	}
	slices.SortStableFunc(all, func(a, b patch) int {
		return cmp.Or(a.replaced.Start-b.replaced.Start, a.replaced.End-b.replaced.End)
	})
	return all
}

// patchesBetween returns the edits between two aligned sequences, in order: one for each gap before, between and after
// the runs of equal items. originalLen and sideLen are the lengths of the sequences. Where both have no items between
// two runs, there is no edit.
func patchesBetween(runs []Run, originalLen, sideLen int) (out []patch) {
	var originalEnd, sideEnd int
	for _, r := range append(slices.Clone(runs), Run{A: originalLen, B: sideLen}) {
		if originalEnd < r.A || sideEnd < r.B {
			out = append(out, patch{replaced: Range{originalEnd, r.A}, replacement: Range{sideEnd, r.B}})
		}
		originalEnd, sideEnd = r.A+r.Len, r.B+r.Len
	}
	return out
}

// patchesMeet reports whether an edit of one side and an edit of the other side meet: they cannot be applied
// independently of each other (see patch.meets). a and b are the edits of the two sides. Each must be in order, with at
// least one unchanged item between two edits.
func patchesMeet(a, b []patch) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].meets(b[0]):
			return true
		case a[0].replaced.End < b[0].replaced.End:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// meets reports whether e and f, edits of different sides, cannot be applied independently of each other:
//
//   - Both replace or delete the same item, or both insert at the same place.
//   - One inserts between items that the other replaced or deleted.
//   - One inserts next to items that the other replaced with new ones.
//
// An insertion next to items that were only deleted does not meet the deletion.
func (e patch) meets(f patch) bool {
	if !e.replaced.Empty() && !f.replaced.Empty() {
		return e.replaced.Start < f.replaced.End && f.replaced.Start < e.replaced.End
	}
	isWithin := func(a, b Range) bool { return b.Start < a.Start && a.End < b.End }
	if isWithin(e.replaced, f.replaced) || isWithin(f.replaced, e.replaced) {
		return true
	}
	touches := e.replaced.Start <= f.replaced.End && f.replaced.Start <= e.replaced.End
	return touches && !e.replacement.Empty() && !f.replacement.Empty()
}
