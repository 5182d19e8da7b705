package diff3

import "slices"

// The limits of the search. They have the same values as in git.
const (
	minSnake         = 20  // the number of equal items that make a snake long enough to count
	minPromisingCost = 256 // the cost above which promisingSplit is used
	minGiveUp        = 256 // the minimum of myersSearch.maxCost
)

// A myersSearch is the divide-and-conquer algorithm of Myers (An O(ND) Difference Algorithm and Its Variations, 1986).
// It aligns two sequences a and b; only the items in candidates are compared.
//
// A box is a range of a and a range of b that are to be aligned with each other. One search starts at its low corner,
// (start of a, start of b), and one at its high corner, (end of a, end of b), until the two meet. The box is split at
// this point, and both halves are aligned in the same way. If the cost, the number of deleted and inserted items,
// becomes too high, it is split at a good point instead of the best one. The time thus remains almost linear.
type myersSearch struct {
	a, b              candidates
	forward, backward search
	maxCost           int // the cost at which a box is split at the furthest point
}

// alignMyers aligns the sequences of d with the algorithm of Myers, and marks the items that are not aligned as
// changed. With discard, frequent items that are probably part of a change are left out first, as in git (see
// isIsolated). The alignment may then not be the longest one, nor for very different sequences.
func (d *delta) alignMyers(discard bool) {
	head, tail := commonAffixes(d.a.classes, d.b.classes)
	rangeA, rangeB := Range{head, len(d.a.classes) - tail}, Range{head, len(d.b.classes) - tail}
	if rangeA.Empty() || rangeB.Empty() {
		d.a.markChanged(rangeA)
		d.b.markChanged(rangeB)
		return
	}
	// the partners of an item of a are the equal items of b, and the reverse
	countInA, countInB := countClasses(d.a.classes, d.classCount), countClasses(d.b.classes, d.classCount)
	m := myersSearch{a: selectCandidates(d.a, countInB, rangeA, discard), b: selectCandidates(d.b, countInA, rangeB, discard)}
	m.forward = newSearch(m.a.classes, m.b.classes)
	m.backward = newSearch(reversed(m.a.classes), reversed(m.b.classes))
	m.backward.isBackward = true
	m.maxCost = max(roughSqrt(len(m.forward.furthest)), minGiveUp)
	m.alignBox(box{0, len(m.a.classes), 0, len(m.b.classes)}, false) // false: the search may be given up
}

// countClasses returns how often each class, from 0 to classCount-1, occurs in classes, by class.
func countClasses(classes []int32, classCount int) []int32 {
	counts := make([]int32, classCount)
	for _, class := range classes {
		counts[class]++
	}
	return counts
}

// reversed returns a copy of classes in the opposite order.
func reversed(classes []int32) []int32 {
	out := slices.Clone(classes)
	slices.Reverse(out)
	return out
}

// A box is a range of the candidates of a, [a0, a1), and a range of the candidates of b, [b0, b1). The two ranges are
// to be aligned with each other.
type box struct{ a0, a1, b0, b1 int }

// alignBox aligns the two ranges of q: it splits both at a point, and aligns the parts before and after it in the same
// way. Candidates that are not aligned are marked as changed. If best is true, the point is certainly on a longest
// alignment. Otherwise the search may stop earlier, at a likely point (see findSplit).
func (m *myersSearch) alignBox(q box, best bool) {
	head, tail := commonAffixes(m.a.classes[q.a0:q.a1], m.b.classes[q.b0:q.b1])
	q = box{q.a0 + head, q.a1 - tail, q.b0 + head, q.b1 - tail}
	if q.a0 == q.a1 || q.b0 == q.b1 {
		m.a.markChanged(q.a0, q.a1)
		m.b.markChanged(q.b0, q.b1)
		return
	}
	point := m.findSplit(q, best)
	m.alignBox(box{q.a0, point.a, q.b0, point.b}, point.bestLow)
	m.alignBox(box{point.a, q.a1, point.b, q.b1}, point.bestHigh)
}

// isolationWindow is the number of items before and after a frequent item that isIsolated inspects at most.
const isolationWindow = 100

// candidates are the items of a sequence that the search compares. The other items are marked as changed before the
// search.
type candidates struct {
	sequence
	classes   []int32 // by candidate
	positions []int32 // by candidate: its index in the sequence
}

// markChanged marks the candidates with the indexes [start, end), counted among the candidates, as changed in the
// sequence.
func (k candidates) markChanged(start, end int) {
	for _, i := range k.positions[start:end] {
		k.changed[i] = true
	}
}

// selectCandidates returns the items of seq that the search has to compare. A partner of an item is an equal item in
// the other sequence; partnerCount has their number by class. Items without a partner are marked as changed instead
// and, if discard is set, isolated ones (see isIsolated). Only the items in the range within are inspected.
func selectCandidates(seq sequence, partnerCount []int32, within Range, discard bool) candidates {
	chosen := candidates{seq, make([]int32, 0, within.Len()), make([]int32, 0, within.Len())}
	// an item is frequent if it has about as many partners as the square root of the length of seq, or 1024
	ranks := partnerRanking{seq.classes, partnerCount, within, int32(min(roughSqrt(len(seq.classes)), 1024))}
	for i := within.Start; i < within.End; i++ {
		if itemRank := ranks.rankOf(i); itemRank == noPartner || discard && itemRank == manyPartners && ranks.isIsolated(i) {
			seq.changed[i] = true
			continue
		}
		chosen.classes = append(chosen.classes, seq.classes[i])
		chosen.positions = append(chosen.positions, int32(i))
	}
	return chosen
}

// A partnerRanking ranks the items of one sequence by the number of their partners: equal items in the other sequence.
// An item with frequentFrom partners or more is frequent. Only the items in the range within are inspected.
type partnerRanking struct {
	classes      []int32
	partnerCount []int32
	within       Range
	frequentFrom int32 // the number of partners from which on an item is frequent
}

// A partnerRank classifies the number of partners of an item: of equal items in the other sequence.
type partnerRank uint8

const (
	noPartner partnerRank = iota
	fewPartners
	manyPartners
)

// rankOf returns whether item i of the sequence has no partner (equal item in the other sequence), few partners, or at
// least r.frequentFrom partners.
func (r *partnerRanking) rankOf(i int) partnerRank {
	switch partners := r.partnerCount[r.classes[i]]; {
	case partners == 0:
		return noPartner
	case partners < r.frequentFrom:
		return fewPartners
	}
	return manyPartners
}

// isIsolated reports whether item i, which has many partners, is surrounded by items without a partner, so that it is
// probably part of a deletion or insertion. It inspects the items before and after i, in each direction up to one with
// few partners. Both directions must have items without a partner, and less than about a quarter of all may have many
// partners.
func (r *partnerRanking) isIsolated(i int) bool {
	// the numbers and the limits are those of git, in which i counts twice
	partnerlessBefore, frequentBefore := r.countUntilFewPartners(i, -1, max(i-isolationWindow, r.within.Start)-1)
	if partnerlessBefore == 0 {
		return false
	}
	partnerlessAfter, frequentAfter := r.countUntilFewPartners(i, +1, min(i+isolationWindow, r.within.End-1)+1)
	frequent := frequentBefore + frequentAfter + 2
	return partnerlessAfter > 0 && 3*frequent < partnerlessBefore+partnerlessAfter
}

// countUntilFewPartners counts the items around item i, in one direction: those without a partner (an equal item in the
// other sequence), and the frequent ones, with many. step is 1 for the items after i, and -1 for those before it. It
// stops before an item with few partners, or before the index end.
func (r *partnerRanking) countUntilFewPartners(i, step, end int) (partnerless, frequent int) {
	for i += step; i != end; i += step {
		switch r.rankOf(i) {
		case noPartner:
			partnerless++
		case manyPartners:
			frequent++
		default:
			return partnerless, frequent
		}
	}
	return partnerless, frequent
}

// roughSqrt returns the smallest power of two that is greater than the square root of n.
func roughSqrt(n int) int {
	power := 1
	for ; n > 0; n >>= 2 {
		power <<= 1
	}
	return power
}

// A splitPoint is a point at which a box is split into a low and a high half: the indexes of a candidate of a and of
// one of b. bestLow and bestHigh report whether the low and the high half must be split at a point of a longest
// alignment, because the search has already found such a path through that half.
type splitPoint struct {
	a, b              int
	bestLow, bestHigh bool
}

// findSplit returns the point at which to split the box q. It searches from both corners of the box, and ends at one of
// these points:
//
//   - where the searches meet, which is on a longest alignment
//   - after a long run of equal items, if the cost (deleted and inserted items) is high
//   - the furthest point of a search, if the cost reaches m.maxCost
//
// If best is true, it is always the first. Both ranges must have items, and differ in their first and in their last
// item.
func (m *myersSearch) findSplit(q box, best bool) splitPoint {
	forward, backward := &m.forward, &m.backward
	forward.start(Range{q.a0, q.a1}, Range{q.b0, q.b1})
	lenA, lenB := len(m.a.classes), len(m.b.classes)
	backward.start(Range{lenA - q.a1, lenA - q.a0}, Range{lenB - q.b1, lenB - q.b0})
	isOdd := (len(forward.a)-len(forward.b))%2 != 0 // then only a step of forward can meet backward
	for cost := 1; ; cost++ {
		if p, met := forward.step(backward, isOdd); met {
			return splitPoint{a: q.a0 + p.a, b: q.b0 + p.b, bestLow: true, bestHigh: true}
		}
		if p, met := backward.step(forward, !isOdd); met {
			return splitPoint{a: q.a1 - p.a, b: q.b1 - p.b, bestLow: true, bestHigh: true}
		}
		if best {
			continue
		}
		if cost > minPromisingCost && (forward.sawSnake || backward.sawSnake) {
			if p, ok := forward.promisingPoint(4 * cost); ok {
				return splitPoint{a: q.a0 + p.a, b: q.b0 + p.b, bestLow: true}
			}
			if p, ok := backward.promisingPoint(4 * cost); ok {
				return splitPoint{a: q.a1 - p.a, b: q.b1 - p.b, bestHigh: true}
			}
		}
		if cost < m.maxCost {
			continue
		}
		p, fromEnd := forward.furthestPoint(), backward.furthestPoint()
		if fromEnd.a+fromEnd.b < p.a+p.b {
			return splitPoint{a: q.a0 + p.a, b: q.b0 + p.b, bestLow: true}
		}
		return splitPoint{a: q.a1 - fromEnd.a, b: q.b1 - fromEnd.b, bestHigh: true}
	}
}

// A search is one of the two searches in a box. All of its numbers count from the corner at which it starts. The search
// from the high corner reads the items in reverse order, so that both are the same algorithm.
//
// A diagonal is the set of points with the same difference of the index in a and the index in b; this difference is its
// number. A step inspects every second diagonal of the band, the diagonals reached so far, and allows one more deleted
// or inserted item. The band grows by one diagonal at both ends until it reaches the corners of the box. A snake is a
// run of equal items along a diagonal.
type search struct {
	allA, allB []int32 // the classes of all candidates, in the order of this search
	a, b       []int32 // those in the box
	furthest   []int32 // the furthest index in a on diagonal d, at index origin+d
	origin     int
	min, max   int  // the band
	sawSnake   bool // the last step passed more than minSnake equal items in a row
	isBackward bool // diagonals are inspected from the lowest one on, and otherwise from the highest one on, as in git
}

// A point is an index in a and an index in b, from the corner at which a search starts.
type point struct{ a, b int }

// newSearch returns a search in boxes of the candidates with these classes.
func newSearch(a, b []int32) search {
	return search{allA: a, allB: b, furthest: make([]int32, len(a)+len(b)+3), origin: len(b) + 1}
}

// start moves the search to the corner of a box, which consists of these ranges of a and b.
func (s *search) start(a, b Range) {
	s.a, s.b = s.allA[a.Start:a.End], s.allB[b.Start:b.End]
	s.min, s.max, s.furthest[s.origin] = 0, 0, 0
}

// firstDiagonal returns the diagonal that a step inspects first, and the distance to the next one.
func (s *search) firstDiagonal() (d, distance int) {
	if s.isBackward {
		return s.min, 2
	}
	return s.max, -2
}

// step is one round of the search in Myers' paper. On each diagonal that it inspects, it allows one more deleted or
// inserted item, and passes the equal items that follow. met reports whether it reaches the search from the other
// corner, other; p is then the point. canMeet is false if it cannot reach it in this round. It sets s.sawSnake.
func (s *search) step(other *search, canMeet bool) (p point, met bool) {
	s.growBand()
	a, b, furthest, longest := s.a, s.b, s.furthest, 0
	first, distance := s.firstDiagonal()
	for d := first; s.min <= d && d <= s.max; d += distance {
		k := s.origin + d
		i := int(max(furthest[k+1], furthest[k-1]+1)) // inserts an item of b, or deletes one of a
		snakeStart, j := i, i-d
		for uint(i) < uint(len(a)) && uint(j) < uint(len(b)) && a[i] == b[j] { // unsigned, so that the compiler omits bounds checks
			i, j = i+1, j+1
		}
		longest = max(longest, i-snakeStart)
		furthest[k] = int32(i)
		opposite := len(a) - len(b) - d // the number of this diagonal in the other search
		isReached := canMeet && other.min <= opposite && opposite <= other.max
		if isReached && i+int(other.furthest[other.origin+opposite]) >= len(a) {
			return point{i, j}, true
		}
	}
	s.sawSnake = longest > minSnake
	return point{}, false
}

// growBand moves both ends of the band, s.min and s.max, outward by one diagonal for the next step. An end that is at
// the last diagonal of the box moves inward instead, because a step inspects every second diagonal. The diagonals just
// beyond the new ends get a point that a step never prefers.
func (s *search) growBand() {
	const none = -1
	if s.min > -len(s.b) {
		s.min--
		s.furthest[s.origin+s.min-1] = none
	} else {
		s.min++
	}
	if s.max < len(s.a) {
		s.max++
		s.furthest[s.origin+s.max+1] = none
	} else {
		s.max--
	}
}

// promisingPoint returns a good point at which to give up the search. It follows minSnake equal items in a row, and has
// the most progress of all such points: progress is high if the search advanced in both sequences. ok is false if no
// such point has more progress than minProgress.
func (s *search) promisingPoint(minProgress int) (p point, ok bool) {
	first, distance := s.firstDiagonal()
	for d := first; s.min <= d && d <= s.max; d += distance {
		i := int(s.furthest[s.origin+d])
		j := i - d
		progress := i + j - max(d, -d) // i + j - |i - j|
		isInside := minSnake <= i && i < len(s.a) && minSnake <= j && j < len(s.b)
		if progress > minProgress && isInside && slices.Equal(s.a[i-minSnake:i], s.b[j-minSnake:j]) {
			p, ok, minProgress = point{i, j}, true, progress
		}
	}
	return p, ok
}

// furthestPoint returns the point within the box that is furthest from the corner at which the search starts: the sum
// of its indexes in a and b is the greatest. It is the last resort of findSplit.
func (s *search) furthestPoint() (p point) {
	best := -1
	first, distance := s.firstDiagonal()
	for d := first; s.min <= d && d <= s.max; d += distance {
		i := min(int(s.furthest[s.origin+d]), len(s.a), len(s.b)+d) // a diagonal may have left the box
		if j := i - d; i+j > best {
			p, best = point{i, j}, i+j
		}
	}
	return p
}
