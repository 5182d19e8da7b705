package diff3

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"

// A scratch holds what alignments can share, so that many small ones cost
// little. It is for one goroutine.
type scratch struct {
	countA, countB counts
	keptA, keptB   kept
	points         []int32
	index          index
}

// match aligns a and b.
func (s *scratch) match(a, b []int32, h how) []Run {
	d := newDelta(a, b)
	d.align(s, h)
	return d.runs()
}

// manyItems is from how many items on two alignments side by side take less
// time than one after the other.
const manyItems = 4096

// matchBoth aligns original with dest, and with updated.
func (s *scratch) matchBoth(original, dest, updated []int32, h how) *[2][]Run {
	var both [2][]Run
	other := s
	many := len(original) >= manyItems
	if many {
		other = new(scratch)
	}
	parallel.DoIf(many, func() { both[0] = s.match(original, dest, h) }, func() { both[1] = other.match(original, updated, h) })
	return &both
}

// counts is the number of items by class.
type counts []int32

// of counts v; it gives every other class of v's and w's 0.
func (c *counts) of(v, w version) {
	for _, ids := range [...][]int32{v.ids, w.ids} {
		for _, id := range ids {
			if int(id) >= len(*c) {
				*c = append(*c, make(counts, int(id)+1-len(*c))...)
			}
			(*c)[id] = 0
		}
	}
	for _, id := range v.ids {
		(*c)[id]++
	}
}
