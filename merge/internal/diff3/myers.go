package diff3

import (
	"math"
	"slices"
)

// The bounds of the search, as git has them.
const (
	snake      = 20  // equal items that make a snake worth a look
	goodEnough = 256 // cost from which on a path with a good snake is taken
	minGiveUp  = 256 // cost from which on the furthest point is taken, at least
)

// A myers is the divide and conquer search of Myers (An O(ND) Difference
// Algorithm and Its Variations, 1986) over the items that may pair.
//
// It is greedy from both ends of a box until the two searches meet, splits
// the box there, and goes on in both halves. Where the cost grows too high it
// settles for a split that is good instead of one that is best, so that the
// time stays near linear.
type myers struct {
	a, b   kept
	fwd    []int32 // by diagonal: the furthest index in a, searching forward
	bwd    []int32 // by diagonal: the furthest index in a, searching backward
	origin int     // index of diagonal 0 in fwd and bwd
	giveUp int     // cost at which a search ends
}

// myers aligns d with a Myers search over the items that may pair. With
// discard, frequent items among others that have no partner are left out of
// it, as git does; the alignment is then no longest one.
func (d *delta) myers(discard bool) {
	head, tail := edges(d.a.ids, d.b.ids)
	ra, rb := Range{head, len(d.a.ids) - tail}, Range{head, len(d.b.ids) - tail}
	if ra.Empty() || rb.Empty() {
		d.a.mark(ra)
		d.b.mark(rb)
		return
	}
	inA, inB := make([]int32, d.classes), make([]int32, d.classes)
	for _, id := range d.a.ids {
		inA[id]++
	}
	for _, id := range d.b.ids {
		inB[id]++
	}
	m := myers{a: keep(d.a, inB, ra, discard), b: keep(d.b, inA, rb, discard)}
	n := len(m.a.ids) + len(m.b.ids) + 3
	points := make([]int32, 2*n)
	m.fwd, m.bwd = points[:n], points[n:]
	m.origin = len(m.b.ids) + 1
	m.giveUp = max(root(n), minGiveUp)
	m.compare(box{0, len(m.a.ids), 0, len(m.b.ids)}, false)
}

// A box is a range of kept items of a and one of b.
type box struct{ a0, a1, b0, b1 int }

// compare marks what changed in q.
func (m *myers) compare(q box, best bool) {
	a, b := m.a.ids, m.b.ids
	for q.a0 < q.a1 && q.b0 < q.b1 && a[q.a0] == b[q.b0] {
		q.a0, q.b0 = q.a0+1, q.b0+1
	}
	for q.a0 < q.a1 && q.b0 < q.b1 && a[q.a1-1] == b[q.b1-1] {
		q.a1, q.b1 = q.a1-1, q.b1-1
	}
	if q.a0 == q.a1 || q.b0 == q.b1 {
		m.a.mark(q.a0, q.a1)
		m.b.mark(q.b0, q.b1)
		return
	}
	s := m.split(q, best)
	m.compare(box{q.a0, s.a, q.b0, s.b}, s.bestLow)
	m.compare(box{s.a, q.a1, s.b, q.b1}, s.bestHigh)
}

// window is the number of items around a frequent one that decide about it.
const window = 100

// kept are the items of a version that take part in the search.
type kept struct {
	version
	ids   []int32 // their classes
	index []int32 // their indexes in the version
}

func (k kept) mark(start, end int) {
	for _, i := range k.index[start:end] {
		k.changed[i] = true
	}
}

// keep returns the items of v within a range that take part in the search, and marks the
// others there as changed. Partners is how many items of each class the other version has.
func keep(v version, partners []int32, within Range, discard bool) kept {
	k := kept{v, make([]int32, 0, within.Len()), make([]int32, 0, within.Len())}
	ranks := ranking{v.ids, partners, within, int32(min(root(len(v.ids)), 1024))}
	for i := within.Start; i < within.End; i++ {
		if rk := ranks.of(i); rk == none || discard && rk == many && ranks.lost(i) {
			v.changed[i] = true
			continue
		}
		k.ids = append(k.ids, v.ids[i])
		k.index = append(k.index, int32(i))
	}
	return k
}

// A ranking says how many partners the items within a range have.
type ranking struct {
	ids      []int32
	partners []int32
	within   Range
	limit    int32 // from how many partners on an item is frequent
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

// root is about the square root of n, rounded up to a power of two.
func root(n int) int {
	r := 1
	for ; n > 0; n >>= 2 {
		r <<= 1
	}
	return r
}

// A split is a point at which a box is cut in two; best says for each half
// that the search in it must not settle for less than the best.
type split struct {
	a, b              int
	bestLow, bestHigh bool
}

// split finds where to cut q, which has items on both sides.
func (m *myers) split(q box, best bool) split {
	s := newSearch(m, q)
	for cost := 1; ; cost++ {
		s.long = false
		if p, met := s.forward(); met {
			return p
		}
		if p, met := s.backward(); met {
			return p
		}
		if best {
			continue
		}
		if s.long && cost > goodEnough {
			if p, ok := s.promising(cost); ok {
				return p
			}
		}
		if cost >= m.giveUp {
			return s.furthest()
		}
	}
}

// A search is the state of one split. A diagonal is an index in a less one in
// b; each round looks at every second diagonal of a band that grows by one at
// either end until it reaches the corners of the box.
type search struct {
	*myers
	box
	ahead, behind band
	long          bool // this round passed a snake
}

// A band is a range of diagonals around the one where the search began.
type band struct{ start, min, max int }

func newSearch(m *myers, q box) *search {
	f, b := q.a0-q.b0, q.a1-q.b1
	m.fwd[m.origin+f] = int32(q.a0)
	m.bwd[m.origin+b] = int32(q.a1)
	return &search{myers: m, box: q, ahead: band{f, f, f}, behind: band{b, b, b}}
}

// forward looks one step further from the low corner. It reports where the
// two searches met.
func (s *search) forward() (split, bool) {
	s.ahead.grow(s.box, s.fwd, s.origin, -1)
	a, b := s.a.ids[:s.a1], s.b.ids[:s.b1]
	points := s.ahead.around(s.fwd, s.origin)
	far, shift := s.behind.other(s.bwd, s.origin, s.ahead, 1)
	long, above := snake, points[len(points)-1]
	for k, d := len(points)-2, s.ahead.max; k > 0; k, d = k-2, d-2 {
		below := points[k-1]
		i := int(max(above, below+1))
		above = below
		from, j := i, i-d
		for uint(i) < uint(len(a)) && uint(j) < uint(len(b)) && a[i] == b[j] { // so no index is checked twice
			i, j = i+1, j+1
		}
		long = max(long, i-from)
		points[k] = int32(i)
		if m := k - shift; uint(m) < uint(len(far)) && int(far[m]) <= i {
			return split{i, j, true, true}, true
		}
	}
	s.long = s.long || long > snake
	return split{}, false
}

// backward looks one step further from the high corner.
func (s *search) backward() (split, bool) {
	s.behind.grow(s.box, s.bwd, s.origin, math.MaxInt32)
	a, b := s.a.ids[s.a0:], s.b.ids[s.b0:]
	points := s.behind.around(s.bwd, s.origin)
	far, shift := s.ahead.other(s.fwd, s.origin, s.behind, 0)
	long, above := snake, points[len(points)-1]
	for k, d := len(points)-2, s.behind.max; k > 0; k, d = k-2, d-2 {
		below := points[k-1]
		i := int(min(below, above-1))
		above = below
		x, y := i-s.a0-1, i-d-s.b0-1
		for uint(x) < uint(len(a)) && uint(y) < uint(len(b)) && a[x] == b[y] {
			x, y = x-1, y-1
		}
		to := x + s.a0 + 1
		long = max(long, i-to)
		points[k] = int32(to)
		if m := k - shift; uint(m) < uint(len(far)) && to <= int(far[m]) {
			return split{to, to - d, true, true}, true
		}
	}
	s.long = s.long || long > snake
	return split{}, false
}

// around returns the points of the diagonals of b and of the one at either side.
func (b band) around(points []int32, origin int) []int32 {
	return points[origin+b.min-1 : origin+b.max+2]
}

// other returns the points of b that a search over the points around c may meet, and
// at which of those they begin: none where the starts of both lie apart by a number of
// another parity, since that search is never on a diagonal on which b just was.
func (b band) other(points []int32, origin int, c band, parity int) (far []int32, shift int) {
	if (b.start-c.start)&1 != parity {
		return nil, 0
	}
	return points[origin+b.min : origin+b.max+1], b.min - c.min + 1
}

// promising looks for a diagonal that has come far for its cost and ends in
// a snake: most probably on the best path.
func (s *search) promising(cost int) (split, bool) {
	if p, ok := s.promisingForward(4 * cost); ok {
		return p, true
	}
	return s.promisingBackward(4 * cost)
}

func (s *search) promisingForward(least int) (p split, ok bool) {
	for d := s.ahead.max; d >= s.ahead.min; d -= 2 {
		i := int(s.fwd[s.origin+d])
		j := i - d
		come := (i - s.a0) + (j - s.b0) - abs(d-s.ahead.start)
		if come <= least || i < s.a0+snake || i >= s.a1 || j < s.b0+snake || j >= s.b1 {
			continue
		}
		if s.equal(i-snake, j-snake) {
			p, ok, least = split{i, j, true, false}, true, come
		}
	}
	return p, ok
}

func (s *search) promisingBackward(least int) (p split, ok bool) {
	for d := s.behind.max; d >= s.behind.min; d -= 2 {
		i := int(s.bwd[s.origin+d])
		j := i - d
		come := (s.a1 - i) + (s.b1 - j) - abs(d-s.behind.start)
		if come <= least || i <= s.a0 || i > s.a1-snake || j <= s.b0 || j > s.b1-snake {
			continue
		}
		if s.equal(i, j) {
			p, ok, least = split{i, j, false, true}, true, come
		}
	}
	return p, ok
}

// equal reports whether a snake begins at i and j.
func (s *search) equal(i, j int) bool {
	return slices.Equal(s.a.ids[i:i+snake], s.b.ids[j:j+snake])
}

// furthest returns the point that is furthest from where its search began.
func (s *search) furthest() split {
	f, far := split{bestLow: true}, -1
	for d := s.ahead.max; d >= s.ahead.min; d -= 2 {
		i := min(int(s.fwd[s.origin+d]), s.a1, s.b1+d)
		if j := i - d; i+j > far {
			f.a, f.b, far = i, j, i+j
		}
	}
	b, near := split{bestHigh: true}, math.MaxInt
	for d := s.behind.max; d >= s.behind.min; d -= 2 {
		i := max(int(s.bwd[s.origin+d]), s.a0, s.b0+d)
		if j := i - d; i+j < near {
			b.a, b.b, near = i, j, i+j
		}
	}
	if s.a1+s.b1-near < far-s.a0-s.b0 {
		return f
	}
	return b
}

func abs(n int) int { return max(n, -n) }

// grow widens the band by one diagonal at either end, or narrows it where it
// has reached the corner of the box, and sets what lies beyond to limit.
func (b *band) grow(q box, points []int32, origin int, limit int32) {
	if b.min > q.a0-q.b1 {
		b.min--
		points[origin+b.min-1] = limit
	} else {
		b.min++
	}
	if b.max < q.a1-q.b0 {
		b.max++
		points[origin+b.max+1] = limit
	} else {
		b.max--
	}
}
