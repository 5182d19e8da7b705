package diff3

import (
	"math"
	"slices"
)

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
