package diff3

import "slices"

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
	t := tiler{at: Chunk{Original: k.Original.start(), Dest: k.Dest.start(), Updated: k.Updated.start()}}
	for len(dest)+len(updated) > 0 {
		if len(updated) == 0 || len(dest) > 0 && dest[0].before(updated[0]) {
			e := dest[0]
			dest = dest[1:]
			t.same(k.Original.Start + e.of.Start)
			t.next(DestChanged, e.of.Len(), e.by.Len(), e.of.Len())
			continue
		}
		e := updated[0]
		updated = updated[1:]
		t.same(k.Original.Start + e.of.Start)
		t.next(UpdatedChanged, e.of.Len(), e.of.Len(), e.by.Len())
	}
	t.same(k.Original.End)
	return t.out
}

func (r Range) start() Range { return Range{r.Start, r.Start} }

// A tiler makes chunks, one behind the other.
type tiler struct {
	at  Chunk // the last one
	out []Chunk
}

// same makes a chunk of what nobody changed, up to end of the original.
func (t *tiler) same(end int) {
	if n := end - t.at.Original.End; n > 0 {
		t.next(Same, n, n, n)
	}
}

// next makes a chunk of so many items of each version.
func (t *tiler) next(kind Kind, original, dest, updated int) {
	t.at = Chunk{
		Kind:     kind,
		Original: Range{t.at.Original.End, t.at.Original.End + original},
		Dest:     Range{t.at.Dest.End, t.at.Dest.End + dest},
		Updated:  Range{t.at.Updated.End, t.at.Updated.End + updated},
	}
	t.out = append(t.out, t.at)
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
