package law

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// few is how many things are looked at that may be another one.
const few = 6

// A pool is strays, found by what is in them.
type pool struct {
	all  []*stray
	with map[uint64][]int // by their parts; nil until it is asked for
	next int              // the first that is not explained
	said map[uint64]*node // by what they say
}

// members is what n, a collection, holds.
func (c *checker) members(n *node) *pool {
	p := c.pools[n]
	if p == nil {
		p = &pool{said: map[uint64]*node{}}
		kids := n.kids()
		for i := range kids {
			k := &kids[i]
			p.all = append(p.all, &stray{v: result, q: quad{result: k}})
			p.said[k.data] = k
		}
		p.next = len(p.all) // nothing that has nothing in common
		c.pools[n] = p
	}
	return p
}

// near are those of p that may be n, of its kind: the few with most in common, and
// the next few. What many have tells nothing.
func (c *checker) near(p *pool, n *node) (out []*stray) {
	if p.with == nil {
		p.with = map[uint64][]int{}
		for i, m := range p.all {
			for _, part := range parts(m.q[m.v]) {
				p.with[part] = append(p.with[part], i)
			}
		}
	}
	votes := map[int]int{}
	for _, part := range parts(n) {
		if with := p.with[part]; len(with) <= 2*few {
			for _, i := range with {
				votes[i]++
			}
		}
	}
	best := slices.SortedFunc(maps.Keys(votes), func(a, b int) int { return cmp.Or(votes[b]-votes[a], a-b) })
	for p.next < len(p.all) && p.all[p.next].used {
		p.next++
	}
	add := func(m *stray) {
		if !m.used && m.q[m.v].Kind == n.Kind && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for _, i := range best[:min(len(best), few)] {
		add(p.all[i])
	}
	for i, most := p.next, len(out)+few; i < len(p.all) && len(out) < most && c.spend(1); i++ {
		add(p.all[i])
	}
	return out
}

// spend reports whether something may still be compared on trial.
func (c *checker) spend(n int) bool {
	c.work -= n
	return c.work > 0
}

// parts are sums by which n is known: its name, its leaves, the lines of a text.
func parts(n *node) []uint64 {
	all := leaves(nil, n, 7)
	if n.id != 0 {
		all = append(all, mix(n.id, 1))
	}
	if n.size() == 0 {
		for line := range strings.Lines(n.Value) {
			all = append(all, hash(line))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leaves are the sums of what is in n with its path.
func leaves(to []uint64, n *node, path uint64) []uint64 {
	if n.size() == 0 {
		return append(to, mix(path, n.data))
	}
	kids := n.kids()
	for i := range kids {
		to = leaves(to, &kids[i], mix(path, kids[i].id))
	}
	return to
}

// alike reports whether at least half of the leaves of the smaller one are in
// the other.
func alike(a, b *node) bool {
	n := shared(a, b)
	return n > 0 && 2*n >= min(len(leaves(nil, a, 7)), len(leaves(nil, b, 7)))
}

// shared is how many leaves of b are in a.
func shared(a, b *node) int {
	x, n := leaves(nil, a, 7), 0
	slices.Sort(x)
	for _, leaf := range leaves(nil, b, 7) {
		if _, ok := slices.BinarySearch(x, leaf); ok {
			n++
		}
	}
	return n
}
