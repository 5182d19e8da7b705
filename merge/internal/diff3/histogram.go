package diff3

// maxCount is the number of times an item may occur in a to be an anchor.
const maxCount = 64

// An index says where the items of a range of a stand.
type index struct {
	count []int32 // by class, of the range
	first []int32 // by class, the index after next of its first item; 0 is none
	next  []int32 // by item, the same of the next item of its class
	// budget is the number of items that may still be looked at.
	budget int
}

// histogram aligns d as git's histogram diff does: it finds the longest run
// of the rarest common items, and goes on before and after it; where all
// common items are frequent, it leaves the rest to Myers.
//
// Where git would take time that grows with the square of the size (thousands
// of runs of the same length in a large file), Myers takes over too.
func (s *scratch) histogram(d *delta) {
	s.index.grow(d)
	s.index.budget = 64 * (1<<20 + len(d.a.ids) + len(d.b.ids))
	s.anchor(d, Range{0, len(d.a.ids)}, Range{0, len(d.b.ids)})
}

func (x *index) grow(d *delta) {
	n := int32(0)
	for _, ids := range [...][]int32{d.a.ids, d.b.ids} {
		for _, id := range ids {
			n = max(n, id+1)
		}
	}
	if int(n) > len(x.count) {
		x.count, x.first = make([]int32, n), make([]int32, n)
	}
	if len(d.a.ids) > len(x.next) {
		x.next = make([]int32, len(d.a.ids))
	}
}

// anchor marks what changed between ra and rb.
func (s *scratch) anchor(d *delta, ra, rb Range) {
	for !ra.Empty() && !rb.Empty() {
		best, hard := s.index.rarest(d, ra, rb)
		if hard {
			s.classic(d, ra, rb)
			return
		}
		if best.Len == 0 {
			break
		}
		s.anchor(d, Range{ra.Start, best.A}, Range{rb.Start, best.B})
		ra.Start, rb.Start = best.A+best.Len, best.B+best.Len
	}
	d.a.mark(ra)
	d.b.mark(rb)
}

// classic aligns ra and rb as if they were all there is.
func (s *scratch) classic(d *delta, ra, rb Range) {
	s.myers(&delta{d.a.slice(ra), d.b.slice(rb)}, true)
}

func (v version) slice(r Range) version {
	return version{v.ids[r.Start:r.End], v.changed[r.Start:r.End]}
}

// rarest returns the run in common to choose, and whether there is none but
// for items that are too frequent, or no time to find it.
func (x *index) rarest(d *delta, ra, rb Range) (best Run, hard bool) {
	x.add(d.a.ids, ra)
	defer x.clear(d.a.ids, ra)
	x.budget -= ra.Len() + rb.Len()
	c := choice{index: x, a: d.a.ids, b: d.b.ids, ra: ra, rb: rb, rarity: maxCount + 1}
	for j := rb.Start; j < rb.End && x.budget > 0; {
		j = c.try(j)
	}
	return c.best, c.common && c.rarity > maxCount || x.budget <= 0
}

func (x *index) add(ids []int32, r Range) {
	for i := r.End - 1; i >= r.Start; i-- {
		id := ids[i]
		x.next[i] = x.first[id]
		x.first[id] = int32(i + 1)
		x.count[id]++
	}
}

func (x *index) clear(ids []int32, r Range) {
	for _, id := range ids[r.Start:r.End] {
		x.first[id], x.count[id] = 0, 0
	}
}

// A choice is the search for the best run.
type choice struct {
	*index
	a, b   []int32
	ra, rb Range
	best   Run
	rarity int32 // how often the rarest item of best occurs in ra
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
	for i := c.first[id]; i > 0; {
		r, rarity := c.extend(int(i-1), j)
		next = max(next, r.B+r.Len)
		if r.Len > c.best.Len || rarity < c.rarity {
			c.best, c.rarity = r, rarity
		}
		for i > 0 && int(i-1) < r.A+r.Len {
			i = c.next[i-1]
		}
	}
	return next
}

// extend returns the longest run through i and j.
func (c *choice) extend(i, j int) (Run, int32) {
	rarity := c.count[c.a[i]]
	r := Run{i, j, 1}
	for r.A > c.ra.Start && r.B > c.rb.Start && c.a[r.A-1] == c.b[r.B-1] {
		r.A, r.B = r.A-1, r.B-1
		rarity = min(rarity, c.count[c.a[r.A]])
	}
	i, j = i+1, j+1
	for i < c.ra.End && j < c.rb.End && c.a[i] == c.b[j] {
		rarity = min(rarity, c.count[c.a[i]])
		i, j = i+1, j+1
	}
	r.Len = i - r.A
	c.budget -= r.Len
	return r, rarity
}
