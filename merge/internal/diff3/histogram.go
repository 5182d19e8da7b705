package diff3

// maxCount is the number of times an item may occur in a to be an anchor.
const maxCount = 64

// histogram aligns d as git's histogram diff does: it finds the longest run
// of the rarest common items, and goes on before and after it; where all
// common items are frequent, it leaves the rest to Myers.
//
// Where git would take time that grows with the square of the size (thousands
// of runs of the same length in a large file), Myers takes over too.
func (d *delta) histogram() {
	x := &index{
		count: make([]int32, d.classes), first: make([]int32, d.classes), next: make([]int32, len(d.a.ids)),
		budget: 64 * (1<<20 + len(d.a.ids) + len(d.b.ids)),
	}
	todo := []area{{Range{0, len(d.a.ids)}, Range{0, len(d.b.ids)}}}
	for len(todo) > 0 {
		last := len(todo) - 1
		todo = x.anchor(d, todo[last], todo[:last])
	}
}

// An area is a range of a and the one of b that it is compared with.
type area struct{ a, b Range }

// anchor marks what changed in q but for areas that it appends to todo. It goes
// on with the larger part of what lies beside a run, since that is in the index
// already.
func (x *index) anchor(d *delta, q area, todo []area) []area {
	x.add(d.a.ids, q.a)
	for !q.a.Empty() && !q.b.Empty() {
		best, hard := x.rarest(d, q)
		if hard {
			x.remove(d.a.ids, q.a)
			d.part(q).myers(true)
			return todo
		}
		if best.Len == 0 {
			break
		}
		low := area{Range{q.a.Start, best.A}, Range{q.b.Start, best.B}}
		high := area{Range{best.A + best.Len, q.a.End}, Range{best.B + best.Len, q.b.End}}
		if low.a.Len() > high.a.Len() {
			x.remove(d.a.ids, Range{low.a.End, q.a.End})
			q, todo = low, append(todo, high)
		} else {
			x.remove(d.a.ids, Range{q.a.Start, high.a.Start})
			q, todo = high, append(todo, low)
		}
	}
	x.remove(d.a.ids, q.a)
	d.a.mark(q.a)
	d.b.mark(q.b)
	return todo
}

// part is q as if it were all there is; what changed in it changed in d.
func (d *delta) part(q area) *delta {
	classes := map[int32]int32{}
	slice := func(v version, r Range) version {
		return version{classify(classes, v.ids[r.Start:r.End]), v.changed[r.Start:r.End]}
	}
	a, b := slice(d.a, q.a), slice(d.b, q.b)
	return &delta{a, b, len(classes)}
}

// An index says where the items of a range of a stand.
type index struct {
	count []int32 // by class, of the range
	first []int32 // by class, the index after next of its first item; 0 is none
	next  []int32 // by item, the same of the next item of its class, perhaps behind the range
	// budget is the number of items that may still be looked at.
	budget int
}

// add makes r the range of the index, which is empty.
func (x *index) add(ids []int32, r Range) {
	for i := r.End - 1; i >= r.Start; i-- {
		id := ids[i]
		x.next[i] = x.first[id]
		x.first[id] = int32(i + 1)
		x.count[id]++
	}
}

// remove takes r, either end of the range or all of it, from the index.
func (x *index) remove(ids []int32, r Range) {
	for i := r.Start; i < r.End; i++ {
		id := ids[i]
		if x.count[id]--; x.count[id] == 0 {
			x.first[id] = 0
		} else if x.first[id] == int32(i+1) {
			x.first[id] = x.next[i]
		}
	}
}

// rarest returns the run in common to choose, and whether there is none but
// for items that are too frequent, or no time to find it. The index is that of
// q.
func (x *index) rarest(d *delta, q area) (best Run, hard bool) {
	x.budget -= q.a.Len() + q.b.Len()
	c := choice{index: x, a: d.a.ids, b: d.b.ids, in: q, rarity: maxCount + 1}
	for j := q.b.Start; j < q.b.End && x.budget > 0; {
		j = c.try(j)
	}
	return c.best, c.common && c.rarity > maxCount || x.budget <= 0
}

// A choice is the search for the best run.
type choice struct {
	*index
	a, b   []int32
	in     area
	best   Run
	rarity int32 // how often the rarest item of best occurs in the area
	common bool  // there is a common item
}

// try looks at every run through item j of b, and returns the next item to
// look at.
func (c *choice) try(j int) int {
	next := j + 1
	id := c.b[j]
	n := c.count[id]
	c.common = c.common || n > 0
	if n == 0 || n > c.rarity {
		return next
	}
	for i := int(c.first[id]); i > 0 && i <= c.in.a.End; {
		r := c.around(i-1, j)
		rarity := c.least(c.a[r.A : r.A+r.Len])
		next = max(next, r.B+r.Len)
		if r.Len > c.best.Len || rarity < c.rarity {
			c.best, c.rarity = r, rarity
		}
		for i > 0 && i-1 < r.A+r.Len {
			i = int(c.next[i-1])
		}
	}
	return next
}

// around returns the longest run through i and j.
func (c *choice) around(i, j int) Run {
	a, b := c.a[:c.in.a.End], c.b[:c.in.b.End]
	r := Run{i, j, 1}
	for r.A > c.in.a.Start && r.B > c.in.b.Start && a[r.A-1] == b[r.B-1] {
		r.A, r.B = r.A-1, r.B-1
	}
	for i, j = i+1, j+1; i < len(a) && j < len(b) && a[i] == b[j]; {
		i, j = i+1, j+1
	}
	r.Len = i - r.A
	c.budget -= r.Len
	return r
}

// least returns how often the rarest of ids occurs.
func (x *index) least(ids []int32) int32 {
	n := x.count[ids[0]]
	for _, id := range ids {
		if n == 1 {
			break
		}
		n = min(n, x.count[id])
	}
	return n
}
