package diff3

// maxOccurrences is the largest number of times that the rarest item of a common run may occur in a. If every common
// run has only items that occur more often, alignMyers is used.
const maxOccurrences = 64

// alignHistogram aligns the sequences of d as git's histogram diff does, and marks the items that are not aligned as
// changed. It splits the sequences at a long run of equal items that contains a rare item, and then aligns the parts
// before and after the run in the same way. Parts in which all common items are frequent are aligned by the algorithm
// of Myers, as are all parts after very many comparisons (occurrences.budget).
func (d *delta) alignHistogram() {
	occ := &occurrences{
		count: make([]int32, d.classCount), first: make([]int32, d.classCount), next: make([]int32, len(d.a.classes)),
		budget: 64 * (1<<20 + len(d.a.classes) + len(d.b.classes)),
	}
	todo := []area{{Range{0, len(d.a.classes)}, Range{0, len(d.b.classes)}}}
	for len(todo) > 0 {
		last := len(todo) - 1
		todo = append(todo[:last], occ.alignArea(d, todo[last])...)
	}
}

// An area is a range of a and a range of b that are to be aligned with each other.
type area struct{ a, b Range }

// alignArea aligns the area q, a range of each sequence, at its best run of equal items. It returns the areas before
// and after the run, which are still to be aligned, or nil if nothing is left to align. x is an index that must be
// empty; it is empty again afterwards.
func (x *occurrences) alignArea(d *delta, q area) (rest []area) {
	if q.a.Empty() || q.b.Empty() {
		d.a.markChanged(q.a)
		d.b.markChanged(q.b)
		return nil
	}
	x.add(d.a.classes, q.a)
	run, useMyers := x.rarestRun(d, q)
	x.remove(d.a.classes, q.a)
	switch {
	case useMyers:
		d.subDelta(q).alignMyers(true)
		return nil
	case run.Len == 0:
		d.a.markChanged(q.a)
		d.b.markChanged(q.b)
		return nil
	}
	return []area{
		{Range{q.a.Start, run.A}, Range{q.b.Start, run.B}},
		{Range{run.A + run.Len, q.a.End}, Range{run.B + run.Len, q.b.End}},
	}
}

// subDelta returns a delta for only the area q of d, so that the area can be aligned by itself. It shares its marks
// with d: an item that is marked as changed in it is also marked in d. Its classes are numbered anew, from 0.
func (d *delta) subDelta(q area) *delta {
	classOf := map[int32]int32{}
	restrict := func(v sequence, r Range) sequence {
		return sequence{classifyItems(classOf, v.classes[r.Start:r.End]), v.changed[r.Start:r.End]}
	}
	a, b := restrict(d.a, q.a), restrict(d.b, q.b)
	return &delta{a, b, len(classOf)}
}

// An occurrences value is an index of the items in a range of a: it has the number of occurrences and the positions of
// each class (a number that is equal for equal items).
type occurrences struct {
	count []int32 // by class: its number of occurrences in the range
	first []int32 // by class: the index of its first item plus one; 0 if there is none
	next  []int32 // by item: the index of the next item of its class plus one; 0 if there is none
	// budget is the number of items that may still be compared.
	budget int
}

// add makes x the index of the range r of a: it adds the position of each item in r, and counts it. classes are the
// classes of all items of a. x must be empty.
func (x *occurrences) add(classes []int32, r Range) {
	for i := r.End - 1; i >= r.Start; i-- {
		class := classes[i]
		x.next[i] = x.first[class]
		x.first[class] = int32(i + 1)
		x.count[class]++
	}
}

// remove removes the items in r from the index, which must have been added before.
func (x *occurrences) remove(classes []int32, r Range) {
	for _, class := range classes[r.Start:r.End] {
		x.count[class], x.first[class] = 0, 0
	}
}

// rarestRun returns the common run at which to split the area q: a long one with rare items (see tryItem), or an empty
// one if nothing is common. useMyers is true if all common items are frequent, or x.budget is used up. x must be filled
// with q.a.
func (x *occurrences) rarestRun(d *delta, q area) (best Run, useMyers bool) {
	x.budget -= q.a.Len() + q.b.Len()
	search := runSearch{occurrences: x, a: d.a.classes, b: d.b.classes, area: q, rarity: maxOccurrences + 1}
	for j := q.b.Start; j < q.b.End && x.budget > 0; {
		j = search.tryItem(j)
	}
	return search.best, search.hasCommonItem && search.rarity > maxOccurrences || x.budget <= 0
}

// A runSearch is the state of a search for the best common run of an area.
type runSearch struct {
	*occurrences
	a, b          []int32
	area          area
	best          Run
	rarity        int32 // how often the rarest item of best occurs in the area
	hasCommonItem bool  // the area has a common item
}

// tryItem looks for a better run of equal items through item j of b: it compares the item with each equal item of a. A
// run becomes c.best if it is longer, or if its rarest item is rarer. tryItem returns the next item of b to try: after
// the last run that it compared, or j+1.
func (c *runSearch) tryItem(j int) int {
	next := j + 1
	class := c.b[j]
	count := c.count[class]
	c.hasCommonItem = c.hasCommonItem || count > 0
	if count == 0 || count > c.rarity { // it is not common, or more frequent than the rarest item of best
		return next
	}
	for i := int(c.first[class]); i > 0; { // i is the index of an equal item of a, plus one; 0 ends the list
		run := c.longestRunThrough(i-1, j)
		rarity := c.minCount(c.a[run.A : run.A+run.Len])
		next = max(next, run.B+run.Len)
		if run.Len > c.best.Len || rarity < c.rarity {
			c.best, c.rarity = run, rarity
		}
		for i > 0 && i-1 < run.A+run.Len { // to the first equal item after the run
			i = int(c.next[i-1])
		}
	}
	return next
}

// longestRunThrough returns the longest common run within the area that pairs item i of a with item j of b, which must
// be equal. It reduces c.budget by the length of the run. A negative budget only means that the search has to stop.
func (c *runSearch) longestRunThrough(i, j int) Run {
	a, b := c.a[:c.area.a.End], c.b[:c.area.b.End]
	run := Run{i, j, 1}
	for run.A > c.area.a.Start && run.B > c.area.b.Start && a[run.A-1] == b[run.B-1] {
		run.A, run.B = run.A-1, run.B-1
	}
	for i, j = i+1, j+1; i < len(a) && j < len(b) && a[i] == b[j]; {
		i, j = i+1, j+1
	}
	run.Len = i - run.A
	c.budget -= run.Len
	return run
}

// minCount returns how often the rarest of the given classes occurs in the area: in the range of a that x is the index
// of. classes must not be empty.
func (x *occurrences) minCount(classes []int32) int32 {
	least := x.count[classes[0]]
	for _, class := range classes {
		least = min(least, x.count[class])
	}
	return least
}
