package diff3

import "slices"

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
