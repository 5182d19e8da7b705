package diff3

import "slices"

// window is the number of items around a frequent one that decide about it.
const window = 100

// A scratch holds what alignments can share, so that many small ones cost
// little. It is for one goroutine.
type scratch struct {
	countA, countB counts
	keptA, keptB   kept
	points         []int32
	index          index
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

// myers aligns d with a Myers search over the items that may pair. With
// discard, frequent items among others that have no partner are left out of
// it, as git does; the alignment is then no longest one.
func (s *scratch) myers(d *delta, discard bool) {
	ra, rb := d.middle()
	if ra.Empty() || rb.Empty() {
		d.a.mark(ra)
		d.b.mark(rb)
		return
	}
	s.countA.of(d.a, d.b)
	s.countB.of(d.b, d.a)
	s.keptA.fill(d.a, newRanking(d.a, s.countB, ra), discard)
	s.keptB.fill(d.b, newRanking(d.b, s.countA, rb), discard)
	s.search(&myers{a: s.keptA, b: s.keptB})
}

// search runs m over all its items.
func (s *scratch) search(m *myers) {
	n := len(m.a.ids) + len(m.b.ids) + 3
	if len(s.points) < 2*n+2 {
		s.points = make([]int32, 2*n+2)
	}
	m.fwd, m.bwd = s.points[:n], s.points[n:]
	m.origin = len(m.b.ids) + 1
	m.giveUp = max(root(n), minGiveUp)
	m.compare(box{0, len(m.a.ids), 0, len(m.b.ids)}, false)
}

// root is about the square root of n, rounded up to a power of two.
func root(n int) int {
	r := 1
	for ; n > 0; n >>= 2 {
		r <<= 1
	}
	return r
}

// fill sets k to the ranked items of v that take part in the search, and marks the
// others as changed.
func (k *kept) fill(v version, ranks ranking, discard bool) {
	k.version = v
	k.ids = slices.Grow(k.ids[:0], ranks.within.Len())
	k.index = slices.Grow(k.index[:0], ranks.within.Len())
	for i := ranks.within.Start; i < ranks.within.End; i++ {
		if rk := ranks.of(i); rk == none || discard && rk == many && ranks.lost(i) {
			v.changed[i] = true
			continue
		}
		k.ids = append(k.ids, v.ids[i])
		k.index = append(k.index, int32(i))
	}
}

// A ranking says how many partners the items within a range have.
type ranking struct {
	ids      []int32
	partners counts // in the other version
	within   Range
	limit    int32 // from how many partners on an item is frequent
}

func newRanking(v version, partners counts, within Range) ranking {
	return ranking{v.ids, partners, within, int32(min(root(len(v.ids)), 1024))}
}

// rank is how many partners an item has.
type rank uint8

const (
	none rank = iota
	few
	many
)

func (r *ranking) of(i int) rank {
	switch n := r.partners[r.ids[i]]; {
	case n == 0:
		return none
	case n < r.limit:
		return few
	}
	return many
}

// lost reports whether the frequent item i stands among items without any
// partner: there are some on either side of it before the next item with few
// partners, and in all more than three times as many as frequent ones.
func (r *ranking) lost(i int) bool {
	before, frequentBefore := r.run(i, -1, max(i-window, r.within.Start)-1)
	if before == 0 {
		return false
	}
	after, frequentAfter := r.run(i, +1, min(i+window, r.within.End-1)+1)
	frequent := frequentBefore + frequentAfter + 2
	return after > 0 && 3*frequent < before+after
}

// run counts the items without partners and the frequent ones from the one
// next to i up to the next with few partners, or to end.
func (r *ranking) run(i, step, end int) (alone, frequent int) {
	for i += step; i != end; i += step {
		switch r.of(i) {
		case none:
			alone++
		case many:
			frequent++
		default:
			return alone, frequent
		}
	}
	return alone, frequent
}
