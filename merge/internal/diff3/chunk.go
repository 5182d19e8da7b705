package diff3

import (
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

// Chunks turns two alignments with the same original into the chunks that cover the three versions completely, in
// order. withDest and withUpdated are the alignments (see Match); original, dest and updated are the numbers of items.
// Between two chunks that a side changed, at least one item is unchanged in both sides.
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
	return Chunks(len(v[0]), len(v[1]), len(v[2]),
		Match(v[0], v[1]), Match(v[0], v[2]))
}

// Chunks returns the chunks of the lines of v: ranges of lines that correspond in the three versions, each with the
// sides that changed it. The result is nil if all versions are empty. The alignment is usually a longest common
// subsequence, and may differ from that of git's commands. Open is false in all chunks.
func (v *Versions) Chunks() []Chunk {
	l := v.splitLines()
	o, d, u := l[0].classes, l[1].classes, l[2].classes
	return Chunks(len(o), len(d), len(u), alignClasses(o, d, nearLCS), alignClasses(o, u, nearLCS))
}

// MergeChunks returns the chunks of the line merge of the git command that as names, so that a caller can show or
// decide each one. Chunk.Open is set if both sides changed the chunk differently. It is also set for the chunks that
// forced lists: those that only one side changed are numbered from 0, as in Options.ForcedConflicts. Whether git would
// merge the versions by lines at all is not checked.
func (v *Versions) MergeChunks(as As, forced []int) []Chunk {
	withDest, withUpdated := v.Align(as)
	return mergeChunks(v.splitLines(), withDest, withUpdated, forced)
}

// mergeChunks returns the chunks of a line merge of the versions l: original, dest and updated. withDest and withUpdated
// are the runs of lines that original has in common with each side. Open is set as Versions.MergeChunks describes.
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

// Slice returns the text of the lines [from[i], to[i]) of each version i. Numbers greater than the number of lines are
// reduced to it; a from[i] must not be negative, or greater than to[i]. The texts are not copied; to append to one
// copies it. A text without lines is empty.
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

// MinCommonLines is the number of common lines that must lie between two hunks of a
// conflict. With fewer lines, the split would only make a conflict harder to read. Git
// joins conflicts at the same distance.
const MinCommonLines = 4

// SplitHunks splits a conflict, whose versions are v, into hunks that cover all of its lines, in order. Lines that the
// versions share form a hunk with Same set, if there are at least MinCommonLines (4) of them, or if they are at the
// start or the end of the conflict. In style diff3, all three versions must share them, because the base is shown; in
// the others, dest and updated must, and in zdiff3 only lines at the start and the end count. Without a base, each
// style is like the style merge. restrict, which may be nil, can shorten each run of lines that dest and updated share
// (not in diff3).
func (v *Versions) SplitHunks(style text.Style, restrict func(Run) Run) (out []Hunk) {
	l := v.splitLines()
	o, d, u := l[0].classes, l[1].classes, l[2].classes
	var done [3]int
	end := [3]int{len(o), len(d), len(u)}
	addHunk := func(to [3]int, same bool) {
		if done != to {
			out = append(out, Hunk{v.Slice(done, to), done, to, same})
			done = to
		}
	}
	addCommonLines := func(from, to [3]int, atEdge bool) {
		if atEdge || to[1]-from[1] >= MinCommonLines {
			addHunk(from, false)
			addHunk(to, true)
		}
	}
	if style == text.StyleDiff3 && len(o) > 0 { // original is shown, so lines must be common to all three versions
		for _, c := range v.Chunks() {
			if c.Kind == Same {
				from := [3]int{c.Original.Start, c.Dest.Start, c.Updated.Start}
				to := [3]int{c.Original.End, c.Dest.End, c.Updated.End}
				addCommonLines(from, to, from == [3]int{} || to == end)
			}
		}
		addHunk(end, false)
		return out
	}
	isZdiff3 := style == text.StyleZdiff3
	runs := alignClasses(d, u, nearLCS)
	if isZdiff3 && len(o) > 0 { // git only trims the start and the end of a conflict in this style
		runs = AffixRuns(d, u)
	}
	for _, r := range runs {
		if restrict != nil {
			r = restrict(r)
		}
		atStart := r.A == 0 && r.B == 0
		atEnd := r.A+r.Len == len(d) && r.B+r.Len == len(u)
		from, to := [3]int{len(o), r.A, r.B}, [3]int{len(o), r.A + r.Len, r.B + r.Len}
		switch common := d[r.A : r.A+r.Len]; {
		case atStart: // original may start with some of these lines, too
			from[0], to[0] = 0, 0
			for i := 0; isZdiff3 && i < min(len(o), len(common)) && o[i] == common[i]; i++ {
				to[0]++
			}
		case isZdiff3 && atEnd: // original may end with some of these lines, too
			for i := len(o) - 1; i >= done[0] && len(o)-i <= len(common) && o[i] == common[len(common)-len(o)+i]; i-- {
				from[0]--
			}
		}
		addCommonLines(from, to, atStart || atEnd)
	}
	addHunk(end, false)
	return out
}

// SplitBySideRuns splits a chunk that both sides changed into chunks that at most one side changed. The caller has
// already aligned the items of the chunk: inDest are the runs of equal items in k.Original and k.Dest, and inUpdated
// those in k.Original and k.Updated. Their indexes count from the start of the chunk; those of the result count from the
// start of the versions. It returns nil if edits of the sides meet: both edit an item or insert at the same place, or one
// inserts within or next to items that the other replaced.
//
//	original        dest            updated         chunks
//	image: app:1    image: app:2    image: app:1    DestChanged
//	replicas: 1     replicas: 1     replicas: 3     UpdatedChanged
func (k Chunk) SplitBySideRuns(inDest, inUpdated []Run) []Chunk {
	dest := patchesBetween(inDest, k.Original.Len(), k.Dest.Len())
	updated := patchesBetween(inUpdated, k.Original.Len(), k.Updated.Len())
	if patchesMeet(dest, updated) {
		return nil
	}
	return k.splitByPatches(dest, updated, false)
}

// splitByPatches splits k into a chunk for each edit and a chunk for the unchanged items between two edits, each with
// its Kind and, if both sides changed it, Whole. dest and updated are the edits of each side in k, in order, counted
// from the start of k. If joinTouching is true, edits of the two sides that touch or overlap form one chunk. Otherwise
// no edits may meet (see patchesMeet).
func (k Chunk) splitByPatches(dest, updated []patch, joinTouching bool) (out []Chunk) {
	current := Chunk{Original: Range{End: k.Original.Start}, Dest: Range{End: k.Dest.Start}, Updated: Range{End: k.Updated.Start}}
	addChunk := func(kind Kind, original, dest, updated int) {
		current = Chunk{
			Kind:     kind,
			Original: Range{current.Original.End, current.Original.End + original},
			Dest:     Range{current.Dest.End, current.Dest.End + dest},
			Updated:  Range{current.Updated.End, current.Updated.End + updated},
		}
		if original+dest+updated > 0 {
			out = append(out, current)
		}
	}
	addUnchangedTo := func(end int) {
		n := k.Original.Start + end - current.Original.End
		addChunk(Same, n, n, n)
	}
	for len(dest)+len(updated) > 0 {
		var kind Kind
		var start, end int
		var replaced, replacements [BothChanged]int // by side: the number of items it replaced, and of items it replaced them by
		for len(dest)+len(updated) > 0 {
			side, queue := DestChanged, &dest
			if len(dest) == 0 || len(updated) > 0 && !dest[0].startsBefore(updated[0]) {
				side, queue = UpdatedChanged, &updated
			}
			first := (*queue)[0]
			if kind == Same {
				start, end = first.replaced.Start, first.replaced.End
			} else if !joinTouching || first.replaced.Start > end {
				break
			}
			*queue = (*queue)[1:]
			kind, end = kind|side, max(end, first.replaced.End)
			replaced[side], replacements[side] = replaced[side]+first.replaced.Len(), replacements[side]+first.replacement.Len()
		}
		addUnchangedTo(start)
		n := end - start
		addChunk(kind, n, n-replaced[DestChanged]+replacements[DestChanged], n-replaced[UpdatedChanged]+replacements[UpdatedChanged])
		out[len(out)-1].Whole = replaced[DestChanged] == n && replaced[UpdatedChanged] == n && kind == BothChanged
	}
	addUnchangedTo(k.Original.Len())
	return out
}

// A patch is an edit of one side: replaced is a range of the original, and replacement is the range of the side that
// is in its place. One of them can be empty: replaced for an insertion, replacement for a deletion.
type patch struct{ replaced, replacement Range }

// patchesBetween returns the edits between two aligned sequences, in order: a patch for each gap before, between and
// after the runs of equal items. A gap without items in both sequences gives no patch. The result is nil if the
// sequences are equal. originalLen and sideLen are the lengths of the two sequences. runs is not changed.
func patchesBetween(runs []Run, originalLen, sideLen int) (out []patch) {
	var originalEnd, sideEnd int
	for _, r := range append(slices.Clone(runs), Run{A: originalLen, B: sideLen}) {
		if originalEnd < r.A || sideEnd < r.B {
			out = append(out, patch{Range{originalEnd, r.A}, Range{sideEnd, r.B}})
		}
		originalEnd, sideEnd = r.A+r.Len, r.B+r.Len
	}
	return out
}

// patchesMeet reports whether an edit in a, of one side, meets an edit in b, of the other side (see patch.meets). The
// edits of each side must be in order, with at least one unchanged item between two of them.
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

// startsBefore reports whether the range that e replaced starts before that of f. If both
// start at the same item, it reports whether e is an insertion.
func (e patch) startsBefore(f patch) bool {
	return e.replaced.Start < f.replaced.Start || e.replaced.Start == f.replaced.Start && e.replaced.Empty()
}

// meets reports whether e and f, of different sides, cannot be applied independently of each other:
//
//   - Both replace or delete the same item, or both insert at the same place.
//   - One inserts between items that the other replaced or deleted.
//   - One inserts next to items that the other replaced by new ones, and did not only delete.
func (e patch) meets(f patch) bool {
	if !e.replaced.Empty() && !f.replaced.Empty() {
		return e.replaced.Start < f.replaced.End && f.replaced.Start < e.replaced.End
	}
	within := e.replaced.Start < f.replaced.Start && f.replaced.End < e.replaced.End || f.replaced.Start < e.replaced.Start && e.replaced.End < f.replaced.End
	touches := e.replaced.Start <= f.replaced.End && f.replaced.Start <= e.replaced.End
	return within || touches && !e.replacement.Empty() && !f.replacement.Empty()
}
