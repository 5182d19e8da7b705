package diff3

// Match aligns a and b. The runs are increasing in both, and no two could be one;
// what no run holds was deleted from a or inserted into b.
//
// The alignment is a longest common subsequence, or close to one where a and
// b have little in common. An insertion that could stand at several places of
// equal items stands at the last, or beside a deletion.
func Match[T comparable](a, b []T) []Run {
	classes := make(map[T]int32, len(a))
	return new(scratch).match(classify(classes, a), classify(classes, b), exact)
}

// MatchBoth aligns original with dest and with updated, each as Match does.
func MatchBoth[T comparable](original, dest, updated []T) (withDest, withUpdated []Run) {
	classes := make(map[T]int32, len(original))
	both := new(scratch).matchBoth(classify(classes, original), classify(classes, dest), classify(classes, updated), exact)
	return both[0], both[1]
}

// classify numbers the items: equal items have equal numbers.
func classify[T comparable](classes map[T]int32, items []T) []int32 {
	ids := make([]int32, len(items))
	for i, item := range items {
		id, ok := classes[item]
		if !ok {
			id = int32(len(classes))
			classes[item] = id
		}
		ids[i] = id
	}
	return ids
}

// align fills in what changed.
func (d *delta) align(s *scratch, h how) {
	if h == histogram {
		s.histogram(d)
	} else {
		s.myers(d, h == gitMyers)
	}
	slide(d.a, d.b)
	slide(d.b, d.a)
}

// match aligns a and b.
func (s *scratch) match(a, b []int32, h how) []Run {
	d := newDelta(a, b)
	d.align(s, h)
	return d.runs()
}

// matchBoth aligns original with dest, and with updated.
func (s *scratch) matchBoth(original, dest, updated []int32, h how) *[2][]Run {
	return &[2][]Run{s.match(original, dest, h), s.match(original, updated, h)}
}
