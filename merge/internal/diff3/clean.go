package diff3

// window is the number of items around a frequent one that decide about it.
const window = 100

// A scratch holds what alignments can share, so that many small ones cost
// little. It is for one goroutine.
type scratch struct {
	countA, countB counts
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
	m := myers{
		a: keep(d.a, ra, s.countB, discard),
		b: keep(d.b, rb, s.countA, discard),
	}
	s.search(&m)
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

// rank says how many partners an item has.
type rank uint8

const (
	none rank = iota
	few
	many
)

// keep returns the items of r that take part in the search, and marks the
// others as changed. partners counts the items of the other version.
func keep(v version, r Range, partners counts, discard bool) kept {
	ids := v.ids[r.Start:r.End]
	ranks := rankAll(ids, partners, min(root(len(v.ids)), 1024))
	k := kept{version: v, ids: make([]int32, 0, len(ids)), index: make([]int32, 0, len(ids))}
	for i, rk := range ranks {
		if rk == none || discard && rk == many && lost(ranks, i) {
			v.changed[r.Start+i] = true
			continue
		}
		k.ids = append(k.ids, ids[i])
		k.index = append(k.index, int32(r.Start+i))
	}
	return k
}

func rankAll(ids []int32, partners counts, limit int) []rank {
	ranks := make([]rank, len(ids))
	for i, id := range ids {
		switch n := int(partners[id]); {
		case n >= limit:
			ranks[i] = many
		case n > 0:
			ranks[i] = few
		}
	}
	return ranks
}

// lost reports whether the frequent item i stands among items without any
// partner: there are some on either side of it before the next item with few
// partners, and in all more than three times as many as frequent ones.
func lost(ranks []rank, i int) bool {
	before, frequent := 0, 1
	for j := i - 1; j >= max(i-window, 0) && ranks[j] != few; j-- {
		if ranks[j] == none {
			before++
		} else {
			frequent++
		}
	}
	if before == 0 {
		return false
	}
	after := 0
	frequent++
	for j := i + 1; j <= min(i+window, len(ranks)-1) && ranks[j] != few; j++ {
		if ranks[j] == none {
			after++
		} else {
			frequent++
		}
	}
	return after > 0 && frequent*4 < frequent+before+after
}
