package pair

import (
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A pairing is an item of the original and one of a side.
type pairing struct{ o, x int }

// anchors matches items of original[o0:o1] with some of s[x0:x1] that are more
// than can be compared one by one: each shares with the other alone what no
// other item of its range has, and they are alike. They are in order in both.
func (a *ordered) anchors(s three.Side, o0, o1, x0, x1 int) []pairing {
	from, to := a.holders(three.Original, o0, o1), a.holders(s, x0, x1)
	mate, back := map[int]int{}, map[int]int{}
	for part, o := range from {
		if x, ok := to[part]; ok && o >= 0 && x >= 0 {
			sole(mate, o, x)
			sole(back, x, o)
		}
	}
	var all []pairing
	for o := o0; o < o1; o++ {
		if x, ok := mate[o]; ok && x >= 0 && back[x] == o && a.alike(three.Original, o, s, x) > 0 {
			all = append(all, pairing{o, x})
		}
	}
	return longestInOrder(all)
}

// holders tells which item of v[from:to] of s has a part; -1 if there are
// several.
func (a *ordered) holders(s three.Side, from, to int) map[uint64]int {
	holder := map[uint64]int{}
	for i := from; i < to; i++ {
		for _, part := range a.parts(s, i) {
			sole(holder, part, i)
		}
	}
	return holder
}

// sole remembers x for k, or -1 once there is another.
func sole[K comparable](m map[K]int, k K, x int) {
	if have, ok := m[k]; ok && have != x {
		x = -1
	}
	m[k] = x
}

// longestInOrder returns the most of all, which are in the order of the
// original, that are in the order of the side too.
func longestInOrder(all []pairing) []pairing {
	var ends []int // by length, the one that ends the best so far
	before := make([]int, len(all))
	for i, p := range all {
		n := sort.Search(len(ends), func(n int) bool { return all[ends[n]].x >= p.x })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
	}
	longest := make([]pairing, len(ends))
	if len(ends) == 0 {
		return nil
	}
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		longest[n] = all[i]
	}
	return longest
}
