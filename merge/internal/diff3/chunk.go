package diff3

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Kind says who changed a chunk.
type Kind uint8

// The kinds of chunks.
const (
	Same           Kind = iota // nobody: the three ranges are equal
	DestChanged                // dest alone: updated's range equals original's
	UpdatedChanged             // updated alone: dest's range equals original's
	BothChanged                // both, perhaps alike
)

// A Chunk is one step of a three-way comparison: a range of each version.
type Chunk struct {
	Kind                    Kind
	Original, Dest, Updated Range
	// Whole says of BothChanged that neither side kept an item of
	// Original: each replaced, deleted or inserted the range as a whole.
	Whole bool
	// Open says that a line merge has it in conflict.
	Open bool
}

// Chunks puts two alignments of original side by side: withDest has the runs
// of Match(original, dest), withUpdated those of Match(original, updated);
// original, dest and updated are the lengths.
//
// The chunks tile the three versions in order, and between two chunks that
// changed there is at least one item that nobody changed. Swapping dest and
// updated swaps them in every chunk and changes nothing else.
func Chunks(original, dest, updated int, withDest, withUpdated []Run) []Chunk {
	all := Chunk{Original: Range{End: original}, Dest: Range{End: dest}, Updated: Range{End: updated}}
	return all.tile(patches(withDest, original, dest), patches(withUpdated, original, updated), true)
}

// ChunksOf compares three versions of a text, given as lines.
func ChunksOf(v [3][]string) []Chunk {
	return Chunks(len(v[0]), len(v[1]), len(v[2]),
		Match(v[0], v[1]), Match(v[0], v[2]))
}

// Chunks compares the lines of three versions as ChunksOf does.
func (v *Versions) Chunks() []Chunk {
	l := v.lines()
	o, d, u := l[0].ids, l[1].ids, l[2].ids
	return Chunks(len(o), len(d), len(u), align(o, d, exact), align(o, u, exact))
}

// Merging returns the chunks of the lines of a line merge, as the command aligns them. A chunk is Open
// if both sides changed it differently, or if one side alone did and its number, as
// in Options.Contested, is in contested.
func (v *Versions) Merging(as As, contested []int) []Chunk {
	withDest, withUpdated := v.Align(as)
	l := v.lines()
	all := Chunks(l[0].len(), l[1].len(), l[2].len(), withDest, withUpdated)
	oneSided := 0
	for i := range all {
		switch c := &all[i]; c.Kind {
		case DestChanged, UpdatedChanged:
			c.Open = slices.Contains(contested, oneSided)
			oneSided++
		case BothChanged:
			c.Open = !slices.Equal(l[1].ids[c.Dest.Start:c.Dest.End], l[2].ids[c.Updated.Start:c.Updated.End])
		}
	}
	return all
}

// Lines are the lines of k in each version.
func (k Chunk) Lines() (from, to [3]int) {
	return [3]int{k.Original.Start, k.Dest.Start, k.Updated.Start}, [3]int{k.Original.End, k.Dest.End, k.Updated.End}
}

// Cut is the text of lines of each version.
func (v *Versions) Cut(from, to [3]int) (cut [3][]byte) {
	for s, l := range v.lines() {
		cut[s] = slices.Clip(l.text(Range{min(from[s], l.len()), min(to[s], l.len())}))
	}
	return cut
}

// A Hunk is a stretch of lines of a conflict: the same in every version that is shown, or to be marked.
type Hunk struct {
	Text     [3][]byte
	From, To [3]int // lines of the conflict
	Same     bool
}

// Between is how many lines must be the same between two hunks: fewer would only break one conflict into
// crumbs. Git joins at the same distance.
const Between = 4

// Hunks cuts a conflict, whose versions these are, at the lines that all of them share. Whichever side is chosen,
// at all hunks alike, the file is the same as without the cuts. The base does not count where it has nothing, or
// is not shown; where it is shown with less than all that it has (zdiff3), it goes to the one hunk that is left
// between the edges. Of lines that both sides share, only what whole gives of them is cut out, if it is set.
func (v *Versions) Hunks(style text.Style, whole func(Run) Run) (out []Hunk) {
	l := v.lines()
	o, d, u := l[0].ids, l[1].ids, l[2].ids
	var at [3]int
	end := [3]int{len(o), len(d), len(u)}
	add := func(to [3]int, same bool) {
		if at != to {
			out = append(out, Hunk{v.Cut(at, to), at, to, same})
			at = to
		}
	}
	cut := func(from, to [3]int, edge bool) {
		if edge || to[1]-from[1] >= Between {
			add(from, false)
			add(to, true)
		}
	}
	if style == text.StyleDiff3 && len(o) > 0 {
		for _, c := range v.Chunks() {
			if from, to := c.Lines(); c.Kind == Same {
				cut(from, to, from == [3]int{} || to == end)
			}
		}
		add(end, false)
		return out
	}
	zealous := style == text.StyleZdiff3
	runs := align(d, u, exact)
	if zealous && len(o) > 0 {
		runs = EdgeRuns(d, u)
	}
	for _, r := range runs {
		if whole != nil {
			r = whole(r)
		}
		if r.Len == 0 {
			continue
		}
		first := r.A == 0 && r.B == 0
		last := r.A+r.Len == len(d) && r.B+r.Len == len(u)
		from, to := [3]int{len(o), r.A, r.B}, [3]int{len(o), r.A + r.Len, r.B + r.Len}
		switch common := d[r.A : r.A+r.Len]; {
		case first: // the base may start with some of them
			from[0], to[0] = 0, 0
			for i := 0; zealous && i < min(len(o), len(common)) && o[i] == common[i]; i++ {
				to[0]++
			}
		case zealous && last: // or end with some
			for i := len(o) - 1; i >= at[0] && len(o)-i <= len(common) && o[i] == common[len(common)-len(o)+i]; i-- {
				from[0]--
			}
		}
		cut(from, to, first || last)
	}
	add(end, false)
	return out
}

// Apart returns the chunks into which k falls, which both sides changed, if no change of
// one is about an item that the other changed too: those that touch. It returns nil if
// there are others: both insert at one place, or one inserts beside what the other put
// in the place of items. V are the versions that k is of.
func (k Chunk) Apart(v [3][]string) []Chunk {
	o := v[0][k.Original.Start:k.Original.End]
	return k.ApartBy(Match(o, v[1][k.Dest.Start:k.Dest.End]), Match(o, v[2][k.Updated.Start:k.Updated.End]))
}

// ApartBy is Apart where it is known which items of the original each side kept: runs of
// them, counted from the start of k.
func (k Chunk) ApartBy(inDest, inUpdated []Run) []Chunk {
	dest := patches(inDest, k.Original.Len(), k.Dest.Len())
	updated := patches(inUpdated, k.Original.Len(), k.Updated.Len())
	if meet(dest, updated) {
		return nil
	}
	return k.tile(dest, updated, false)
}

// tile cuts k into chunks that nobody changed and those of the patches of both sides,
// which count from the start of k. Patches that touch are one chunk if joined; else each
// is one, and none meets another.
func (k Chunk) tile(dest, updated []patch, joined bool) (out []Chunk) {
	at := Chunk{Original: Range{End: k.Original.Start}, Dest: Range{End: k.Dest.Start}, Updated: Range{End: k.Updated.Start}}
	next := func(kind Kind, original, dest, updated int) {
		at = Chunk{
			Kind:     kind,
			Original: Range{at.Original.End, at.Original.End + original},
			Dest:     Range{at.Dest.End, at.Dest.End + dest},
			Updated:  Range{at.Updated.End, at.Updated.End + updated},
		}
		if original+dest+updated > 0 {
			out = append(out, at)
		}
	}
	same := func(end int) {
		n := k.Original.Start + end - at.Original.End
		next(Same, n, n, n)
	}
	for len(dest)+len(updated) > 0 {
		var kind Kind
		var start, end int
		var of, by [BothChanged]int // how many items each side replaced, by how many
		for len(dest)+len(updated) > 0 {
			side, from := DestChanged, &dest
			if len(dest) == 0 || len(updated) > 0 && !dest[0].before(updated[0]) {
				side, from = UpdatedChanged, &updated
			}
			p := (*from)[0]
			if kind == Same {
				start, end = p.of.Start, p.of.End
			} else if !joined || p.of.Start > end {
				break
			}
			*from = (*from)[1:]
			kind, end = kind|side, max(end, p.of.End)
			of[side], by[side] = of[side]+p.of.Len(), by[side]+p.by.Len()
		}
		same(start)
		n := end - start
		next(kind, n, n-of[DestChanged]+by[DestChanged], n-of[UpdatedChanged]+by[UpdatedChanged])
		out[len(out)-1].Whole = of[DestChanged] == n && of[UpdatedChanged] == n && kind == BothChanged
	}
	same(k.Original.Len())
	return out
}

// A patch is what one side has in the place of items of the original.
type patch struct{ of, by Range }

// patches are what is between runs.
func patches(runs []Run, a, b int) (out []patch) {
	var of, by int
	for _, r := range append(slices.Clone(runs), Run{A: a, B: b}) {
		if of < r.A || by < r.B {
			out = append(out, patch{Range{of, r.A}, Range{by, r.B}})
		}
		of, by = r.A+r.Len, r.B+r.Len
	}
	return out
}

// meet reports whether two patches meet, one of each side; those of a side stand in
// order, with an item or more between them.
func meet(a, b []patch) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].meets(b[0]):
			return true
		case a[0].of.End < b[0].of.End:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// before reports whether e stands before f, or inserts where f starts.
func (e patch) before(f patch) bool {
	return e.of.Start < f.of.Start || e.of.Start == f.of.Start && e.of.Empty()
}

// meets reports whether e and f are about one item, insert at one place, or one
// inserts beside what the other replaces.
func (e patch) meets(f patch) bool {
	if !e.of.Empty() && !f.of.Empty() {
		return e.of.Start < f.of.End && f.of.Start < e.of.End
	}
	within := e.of.Start < f.of.Start && f.of.End < e.of.End || f.of.Start < e.of.Start && e.of.End < f.of.End
	touches := e.of.Start <= f.of.End && f.of.Start <= e.of.End
	return within || touches && !e.by.Empty() && !f.by.Empty()
}
