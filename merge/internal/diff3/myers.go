package diff3

import (
	"math"
	"slices"
)

// The limits of the search. They have the same values as in git.
const (
	minSnake         = 20  // the number of equal items that make a snake long enough to count
	minPromisingCost = 256 // the cost above which promisingSplit is used
	minGiveUp        = 256 // the minimum of myersSearch.maxCost
)

// A myersSearch is the divide-and-conquer algorithm of Myers (An O(ND) Difference Algorithm and Its Variations, 1986).
// It aligns two sequences a and b; only the items in candidates are compared.
//
// A box is a range of a and a range of b that are to be aligned with each other. A point in it is a pair of an index
// in a and one in b. The search starts at both corners of a box, (start of a, start of b) and (end of a, end of b),
// until the two searches meet. It splits the box at this point and continues with both halves. If the cost, the number
// of deleted and inserted items, becomes too high, it splits the box at a good point instead of the best one. The time
// thus remains almost linear.
type myersSearch struct {
	a, b           candidates
	forwardPoints  []int32 // by diagonal: the furthest index in a, searching forward
	backwardPoints []int32 // by diagonal: the furthest index in a, searching backward
	origin         int     // the index of diagonal 0 in forwardPoints and backwardPoints
	maxCost        int     // the cost at which furthestSplit is used
}

// alignMyers aligns the sequences of d with the algorithm of Myers, and marks the items that are not part of the
// alignment as changed. If discard is true, it leaves out frequent items among items that the other sequence lacks, as
// git does (see isIsolated), and the alignment may be shorter than a longest common subsequence.
func (d *delta) alignMyers(discard bool) {
	head, tail := commonAffixes(d.a.classes, d.b.classes)
	rangeA, rangeB := Range{head, len(d.a.classes) - tail}, Range{head, len(d.b.classes) - tail}
	if rangeA.Empty() || rangeB.Empty() {
		d.a.markChanged(rangeA)
		d.b.markChanged(rangeB)
		return
	}
	countInA, countInB := make([]int32, d.classCount), make([]int32, d.classCount)
	for _, class := range d.a.classes {
		countInA[class]++
	}
	for _, class := range d.b.classes {
		countInB[class]++
	}
	search := myersSearch{a: selectCandidates(d.a, countInB, rangeA, discard), b: selectCandidates(d.b, countInA, rangeB, discard)}
	pointCount := len(search.a.classes) + len(search.b.classes) + 3
	points := make([]int32, 2*pointCount)
	search.forwardPoints, search.backwardPoints = points[:pointCount], points[pointCount:]
	search.origin = len(search.b.classes) + 1
	search.maxCost = max(roughSqrt(pointCount), minGiveUp)
	search.alignBox(box{0, len(search.a.classes), 0, len(search.b.classes)}, false)
}

// A box is a range of the candidates of a, [a0, a1), and a range of the candidates of b, [b0, b1). The two ranges are
// to be aligned with each other.
type box struct{ a0, a1, b0, b1 int }

// alignBox aligns the two ranges of q and marks the candidates that are not part of the alignment as changed: it splits
// q at a point and aligns both halves. If best is true, the point is certainly on a longest alignment, however long the
// search takes; otherwise it may only be likely to be (see findSplit).
func (m *myersSearch) alignBox(q box, best bool) {
	a, b := m.a.classes, m.b.classes
	for q.a0 < q.a1 && q.b0 < q.b1 && a[q.a0] == b[q.b0] {
		q.a0, q.b0 = q.a0+1, q.b0+1
	}
	for q.a0 < q.a1 && q.b0 < q.b1 && a[q.a1-1] == b[q.b1-1] {
		q.a1, q.b1 = q.a1-1, q.b1-1
	}
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

// selectCandidates returns the items of seq in the range within that the search has to compare, and marks the others of
// this range as changed: those without a partner (an equal item in the other sequence) and, if discard is true, the
// isolated frequent items (see isIsolated). partnerCount is the number of partners by class.
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

// isIsolated reports whether the frequent item i is surrounded by items without a partner (an equal item in the other
// sequence). It is then probably part of a deletion or insertion, and not worth a search.
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

// countUntilFewPartners counts items without a partner (an equal item in the other sequence), and frequent items,
// which have many partners. step is 1 or -1: it inspects the items after or before i, without i itself. It stops before
// an item with few partners, or before end, which must lie in that direction.
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

// findSplit returns the point at which to split the box q. If best is true, it is a point of a longest alignment.
// Otherwise it may only be likely to be one (see promisingSplit and furthestSplit), because the search is given up when
// it has cost too much. Both ranges must have items, and differ in their first and in their last item.
func (m *myersSearch) findSplit(q box, best bool) splitPoint {
	state := newSearch(m, q)
	for cost := 1; ; cost++ {
		state.sawSnake = false
		if point, met := state.stepForward(); met {
			return point
		}
		if point, met := state.stepBackward(); met {
			return point
		}
		if best {
			continue
		}
		if state.sawSnake && cost > minPromisingCost {
			if point, ok := state.promisingSplit(cost); ok {
				return point
			}
		}
		if cost >= m.maxCost {
			return state.furthestSplit()
		}
	}
}

// A search is the state of findSplit: two searches in one box, which start at the low and at the high corner. A
// diagonal is the set of points with the same difference of the index in a and the index in b; this difference is its
// number. For each diagonal in its band, a search stores the furthest point that it has reached. A step of a search
// inspects every second diagonal of its band, and allows one more deleted or inserted item. The band grows by one
// diagonal at both ends until it reaches the corners of the box. A snake is a run of equal items along a diagonal.
type search struct {
	*myersSearch
	box
	forwardBand, backwardBand band
	sawSnake                  bool // this step passed more than minSnake equal items in a row
}

// A band is a range of diagonals, [min, max], around the diagonal start, on which the search began. A diagonal is the
// set of points with the same difference of the index in a and the index in b.
type band struct{ start, min, max int }

// newSearch returns the state of the search of the box q before its first step. It writes the two corners of q, as the
// start points, to m.forwardPoints and m.backwardPoints.
func newSearch(m *myersSearch, q box) *search {
	f, b := q.a0-q.b0, q.a1-q.b1
	m.forwardPoints[m.origin+f] = int32(q.a0)
	m.backwardPoints[m.origin+b] = int32(q.a1)
	return &search{myersSearch: m, box: q, forwardBand: band{f, f, f}, backwardBand: band{b, b, b}}
}

// stepForward does one step of the search that began at the low corner of the box: on every second diagonal of its
// band, it allows one more deleted or inserted item, and then passes all equal items that follow. met is true if it
// reaches point, which the other search has reached: both halves of the split there are then on a longest alignment.
// The step may set s.sawSnake.
func (s *search) stepForward() (point splitPoint, met bool) {
	s.forwardBand.grow(s.box, s.forwardPoints, s.origin, -1)
	a, b := s.a.classes[:s.a1], s.b.classes[:s.b1]
	points := s.forwardBand.pointsWithNeighbors(s.forwardPoints, s.origin)
	opposite, shift := s.backwardBand.meetingPoints(s.backwardPoints, s.origin, s.forwardBand, 1)
	longest, above := minSnake, points[len(points)-1]
	for k, d := len(points)-2, s.forwardBand.max; k > 0; k, d = k-2, d-2 {
		below := points[k-1]
		i := int(max(above, below+1))
		above = below
		snakeStart, j := i, i-d
		for uint(i) < uint(len(a)) && uint(j) < uint(len(b)) && a[i] == b[j] { // unsigned, so that the compiler omits bounds checks
			i, j = i+1, j+1
		}
		longest = max(longest, i-snakeStart)
		points[k] = int32(i)
		if at := k - shift; uint(at) < uint(len(opposite)) && int(opposite[at]) <= i {
			return splitPoint{i, j, true, true}, true
		}
	}
	s.sawSnake = s.sawSnake || longest > minSnake
	return splitPoint{}, false
}

// stepBackward does one step of the search that began at the high corner of the box: on every second diagonal of its
// band, it allows one more deleted or inserted item, and then passes all equal items before it. met is true if it
// reaches point, which the other search has reached: both halves of the split there are then on a longest alignment.
// The step may set s.sawSnake.
func (s *search) stepBackward() (point splitPoint, met bool) {
	s.backwardBand.grow(s.box, s.backwardPoints, s.origin, math.MaxInt32)
	a, b := s.a.classes[s.a0:], s.b.classes[s.b0:]
	points := s.backwardBand.pointsWithNeighbors(s.backwardPoints, s.origin)
	opposite, shift := s.forwardBand.meetingPoints(s.forwardPoints, s.origin, s.backwardBand, 0)
	longest, above := minSnake, points[len(points)-1]
	for k, d := len(points)-2, s.backwardBand.max; k > 0; k, d = k-2, d-2 {
		below := points[k-1]
		i := int(min(below, above-1))
		above = below
		x, y := i-s.a0-1, i-d-s.b0-1
		for uint(x) < uint(len(a)) && uint(y) < uint(len(b)) && a[x] == b[y] {
			x, y = x-1, y-1
		}
		snakeStart := x + s.a0 + 1
		longest = max(longest, i-snakeStart)
		points[k] = int32(snakeStart)
		if at := k - shift; uint(at) < uint(len(opposite)) && snakeStart <= int(opposite[at]) {
			return splitPoint{snakeStart, snakeStart - d, true, true}, true
		}
	}
	s.sawSnake = s.sawSnake || longest > minSnake
	return splitPoint{}, false
}

// pointsWithNeighbors returns the part of points for the diagonals of b and for one more diagonal at each end. points
// has an index in a for each diagonal; origin is the position of diagonal 0 in it.
func (b band) pointsWithNeighbors(points []int32, origin int) []int32 {
	return points[origin+b.min-1 : origin+b.max+2]
}

// meetingPoints returns the points of the search with band b that the search with band moving can meet in this step.
// shift is the index of the first one in moving.pointsWithNeighbors. There are none if the distance between the starts
// of the bands does not have the given parity (0 even, 1 odd).
func (b band) meetingPoints(points []int32, origin int, moving band, parity int) (reached []int32, shift int) {
	if (b.start-moving.start)&1 != parity {
		return nil, 0
	}
	return points[origin+b.min : origin+b.max+1], b.min - moving.min + 1
}

// promisingSplit returns a point that is probably on a best path: one of the searches reached it over minSnake equal
// items in a row, and it is more than 4*cost items away from the corner at which this search began. It returns false if
// there is no such point.
func (s *search) promisingSplit(cost int) (splitPoint, bool) {
	if point, ok := s.promisingForwardSplit(4 * cost); ok {
		return point, true
	}
	return s.promisingBackwardSplit(4 * cost)
}

// promisingForwardSplit returns the point of the search from the low corner with the most progress, among those that
// directly follow minSnake equal items in a row. Progress is the number of items between the corner and the point, less
// the distance between their diagonals. ok is false if no point has a progress greater than minProgress.
func (s *search) promisingForwardSplit(minProgress int) (point splitPoint, ok bool) {
	for d := s.forwardBand.max; d >= s.forwardBand.min; d -= 2 {
		i := int(s.forwardPoints[s.origin+d])
		j := i - d
		progress := (i - s.a0) + (j - s.b0) - abs(d-s.forwardBand.start)
		if progress <= minProgress || i < s.a0+minSnake || i >= s.a1 || j < s.b0+minSnake || j >= s.b1 {
			continue
		}
		if s.hasSnakeAt(i-minSnake, j-minSnake) {
			point, ok, minProgress = splitPoint{i, j, true, false}, true, progress
		}
	}
	return point, ok
}

// promisingBackwardSplit returns the point of the search from the high corner with the most progress, among those that
// directly precede minSnake equal items in a row. Progress is the number of items between the point and the corner,
// less the distance between their diagonals. ok is false if no point has a progress greater than minProgress.
func (s *search) promisingBackwardSplit(minProgress int) (point splitPoint, ok bool) {
	for d := s.backwardBand.max; d >= s.backwardBand.min; d -= 2 {
		i := int(s.backwardPoints[s.origin+d])
		j := i - d
		progress := (s.a1 - i) + (s.b1 - j) - abs(d-s.backwardBand.start)
		if progress <= minProgress || i <= s.a0 || i > s.a1-minSnake || j <= s.b0 || j > s.b1-minSnake {
			continue
		}
		if s.hasSnakeAt(i, j) {
			point, ok, minProgress = splitPoint{i, j, false, true}, true, progress
		}
	}
	return point, ok
}

// hasSnakeAt reports whether minSnake candidates of a, from index i, equal those of b, from index j.
func (s *search) hasSnakeAt(i, j int) bool {
	return slices.Equal(s.a.classes[i:i+minSnake], s.b.classes[j:j+minSnake])
}

// furthestSplit returns the last resort of findSplit: of all points that the two searches have reached, the one that is
// furthest from the corner at which its search began, counted in items of a and of b. bestLow is set for a point of the
// search from the low corner, and otherwise bestHigh.
func (s *search) furthestSplit() splitPoint {
	forward, furthestSum := splitPoint{bestLow: true}, -1
	for d := s.forwardBand.max; d >= s.forwardBand.min; d -= 2 {
		i := min(int(s.forwardPoints[s.origin+d]), s.a1, s.b1+d)
		if j := i - d; i+j > furthestSum {
			forward.a, forward.b, furthestSum = i, j, i+j
		}
	}
	backward, nearestSum := splitPoint{bestHigh: true}, math.MaxInt
	for d := s.backwardBand.max; d >= s.backwardBand.min; d -= 2 {
		i := max(int(s.backwardPoints[s.origin+d]), s.a0, s.b0+d)
		if j := i - d; i+j < nearestSum {
			backward.a, backward.b, nearestSum = i, j, i+j
		}
	}
	if s.a1+s.b1-nearestSum < furthestSum-s.a0-s.b0 {
		return forward
	}
	return backward
}

func abs(n int) int { return max(n, -n) }

// grow moves both ends of the band outward by one diagonal, for the next step of its search in the box q. At the last
// diagonal of q, an end moves inward instead, because a step inspects every second diagonal. The entry of points (the
// furthest point of diagonal d at index origin+d) beyond a new end is set to limit, which the search never prefers.
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
