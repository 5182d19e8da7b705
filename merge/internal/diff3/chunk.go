package diff3

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
	c := chunker{dest: side{runs: withDest}, updated: side{runs: withUpdated}}
	for i, j := 0, 0; i < len(withDest) && j < len(withUpdated); {
		x, y := withDest[i], withUpdated[j]
		c.same(max(x.A, y.A), min(x.A+x.Len, y.A+y.Len), x.B-x.A, y.B-y.A)
		if x.A+x.Len <= y.A+y.Len {
			i++
		} else {
			j++
		}
	}
	c.changed(original, dest, updated)
	return c.chunks
}

// A chunker holds the chunks up to a place in each version.
type chunker struct {
	original      int
	dest, updated side
	chunks        []Chunk
}

// A side is a changed version up to the place at.
type side struct {
	at   int
	runs []Run // those that end behind the place in original
}

// same appends the chunk from start to end of original, which nobody changed;
// the offsets lead from there to the other versions.
func (c *chunker) same(start, end, toDest, toUpdated int) {
	if start >= end {
		return
	}
	c.changed(start, start+toDest, start+toUpdated)
	c.append(Chunk{
		Original: Range{start, end},
		Dest:     Range{start + toDest, end + toDest},
		Updated:  Range{start + toUpdated, end + toUpdated},
	})
}

// changed appends what changed up to the given places, if anything.
func (c *chunker) changed(original, dest, updated int) {
	k := Chunk{
		Original: Range{c.original, original},
		Dest:     Range{c.dest.at, dest},
		Updated:  Range{c.updated.at, updated},
	}
	keptDest, keptUpdated := c.dest.kept(k.Original), c.updated.kept(k.Original)
	if keptDest != k.Original.Len() || keptDest != k.Dest.Len() {
		k.Kind |= DestChanged
	}
	if keptUpdated != k.Original.Len() || keptUpdated != k.Updated.Len() {
		k.Kind |= UpdatedChanged
	}
	if k.Kind == Same {
		return // nothing there
	}
	k.Whole = k.Kind == BothChanged && keptDest+keptUpdated == 0
	c.append(k)
}

func (c *chunker) append(k Chunk) {
	c.chunks = append(c.chunks, k)
	c.original, c.dest.at, c.updated.at = k.Original.End, k.Dest.End, k.Updated.End
}

// kept returns how many items of r, a range of original behind all earlier
// ones, the side kept.
func (s *side) kept(r Range) int {
	n := 0
	for len(s.runs) > 0 {
		run := s.runs[0]
		n += max(0, min(run.A+run.Len, r.End)-max(run.A, r.Start))
		if run.A+run.Len > r.End {
			break
		}
		s.runs = s.runs[1:]
	}
	return n
}

// ChunksOf compares three versions of a text, given as lines.
func ChunksOf(v [3][]string) []Chunk {
	return Chunks(len(v[0]), len(v[1]), len(v[2]),
		Match(v[0], v[1]), Match(v[0], v[2]))
}

// EdgeRuns are the equal lines at the start and at the end of a and b.
func EdgeRuns(a, b []string) []Run {
	head, n := 0, min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var runs []Run
	if head > 0 {
		runs = append(runs, Run{Len: head})
	}
	if tail > 0 {
		runs = append(runs, Run{A: len(a) - tail, B: len(b) - tail, Len: tail})
	}
	return runs
}
