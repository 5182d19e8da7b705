package law

import (
	"cmp"
	"slices"
	"strings"
)

// few is how many things are looked at that may be another one.
const few = 6

// An index finds nodes by what is in them.
type index map[uint64][]int

// indexOf indexes n nodes.
func indexOf(n int, at func(int) *node) index {
	x := index{}
	for i := range n {
		if m := at(i); m != nil {
			for _, part := range parts(m) {
				x[part] = append(x[part], i)
			}
		}
	}
	return x
}

// near are the few nodes that have most in common with n. What many have tells
// nothing.
func (x index) near(n *node) []int {
	votes := map[int]int{}
	for _, part := range parts(n) {
		if with := x[part]; len(with) <= 2*few {
			for _, i := range with {
				votes[i]++
			}
		}
	}
	all := make([]int, 0, len(votes))
	for i := range votes {
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Or(votes[b]-votes[a], a-b) })
	return all[:min(len(all), few)]
}

// parts are sums by which n is known: its name, its leaves, the lines of a text.
func parts(n *node) []uint64 {
	all := leaves(nil, n, 7)
	if n.id != 0 {
		all = append(all, mix(n.id, 1))
	}
	if len(n.kids) == 0 {
		for line := range strings.Lines(n.Value) {
			all = append(all, hash(line))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
