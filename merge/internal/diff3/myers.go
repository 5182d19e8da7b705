package diff3

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
