package referee

// A pool is rows in order, from which any can be removed at once: what is left
// is found without a look at all that is gone.
type pool struct {
	rows []*row
	next []int // by index, itself, or once it is removed one behind it
	last int   // the index that was removed last
}

func poolOf(rows []*row) (p pool) {
	for _, r := range rows {
		p.add(r)
	}
	return p
}

func (p *pool) add(r *row) {
	p.next = append(p.next, len(p.rows))
	p.rows = append(p.rows, r)
}

func (p *pool) remove(i int) { p.next[i], p.last = i+1, i }

// from returns the first index from i on that is not removed.
func (p *pool) from(i int) int {
	end := i
	for end < len(p.next) && p.next[end] != end {
		end = p.next[end]
	}
	for i < end {
		i, p.next[i] = p.next[i], end
	}
	return end
}

// each calls yield with the index of every row that is left.
func (p *pool) each(yield func(int) bool) {
	for i := p.from(0); i < len(p.rows); i = p.from(i + 1) {
		if !yield(i) {
			return
		}
	}
}

// onward is each, but it starts behind what was removed last: what nothing was
// made of does not stand in the way of all that comes after it.
func (p *pool) onward(yield func(int) bool) {
	start := p.last
	for i := p.from(start); i < len(p.rows); i = p.from(i + 1) {
		if !yield(i) {
			return
		}
	}
	for i := p.from(0); i < min(start, len(p.rows)); i = p.from(i + 1) {
		if !yield(i) {
			return
		}
	}
}

// first returns the first row that is left, nil if none is.
func (p *pool) first() *row {
	if i := p.from(0); i < len(p.rows) {
		return p.rows[i]
	}
	return nil
}

// left returns the rows that are left.
func (p *pool) left() []*row {
	var rows []*row
	for i := range p.each {
		rows = append(rows, p.rows[i])
	}
	return rows
}
