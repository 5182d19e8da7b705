package referee

// A row is one element of a collection in the four versions.
type row struct {
	at       quad
	pos      [versions]int32 // where it stands in each version that has it
	first    int32           // the first row of its identity
	again    bool            // it is not that
	repeated bool            // it stands several times, and it is not sure which is which
}

// rows are the elements of a collection, paired by identity; elements of one
// identity pair in order. They are in the order of the first version that has
// them.
type rows struct {
	of      []row
	members [versions][]*node
	byValue bool // an element that was changed is another one
}

func pair(members [versions][]*node, id func(*node) uint64) *rows {
	t := &rows{members: members}
	index := make(map[uint64]int32, len(members[dest]))
	for v, ms := range members {
		seen := make(map[uint64]uint64, len(ms))
		for i, n := range ms {
			first := id(n)
			k := first
			if times := seen[first]; times > 0 {
				k = mix(first, times)
			}
			seen[first]++
			at, ok := index[k]
			if !ok {
				at = int32(len(t.of))
				index[k] = at
				t.of = append(t.of, row{first: index[first], again: k != first})
			}
			t.of[at].at[v], t.of[at].pos[v] = n, int32(i)
		}
	}
	t.markRepeated()
	return t
}

// markRepeated marks what stands several times, unless one side left its number
// alone or both made it the same: then it pairs in order without doubt.
func (t *rows) markRepeated() {
	const updatedKept, destKept, alike = 1, 2, 4
	chains := map[int32]int{}
	for i := range t.of {
		if r := &t.of[i]; r.again {
			chains[r.first] = updatedKept | destKept | alike
		}
	}
	if len(chains) == 0 {
		return
	}
	for i := range t.of {
		r := &t.of[i]
		if _, ok := chains[r.first]; !ok {
			continue
		}
		same := func(a, b version) bool { return (r.at[a] == nil) == (r.at[b] == nil) }
		if !same(original, updated) || !same(dest, result) {
			chains[r.first] &^= updatedKept
		}
		if !same(original, dest) || !same(updated, result) {
			chains[r.first] &^= destKept
		}
		if !same(dest, updated) || !same(dest, result) {
			chains[r.first] &^= alike
		}
	}
	for i := range t.of {
		sure, ok := chains[t.of[i].first]
		t.of[i].repeated = ok && sure == 0
	}
}

// order returns the rows that v has, in the order of v.
func (t *rows) order(v version) []*row {
	o := make([]*row, len(t.members[v]))
	for i := range t.of {
		if r := &t.of[i]; r.at[v] != nil {
			o[r.pos[v]] = r
		}
	}
	return o
}

// inOrder reports whether a and b have what they share in one order, repeated
// elements aside, and if not, an element that is out of order. What both sides
// added may stand at two places; it counts if joint is set.
func (t *rows) inOrder(a, b version, joint bool) (*row, bool) {
	return t.inOrderBut(a, b, func(r *row) bool {
		return !joint && r.at[original] == nil && r.at[dest] != nil && r.at[updated] != nil
	})
}

// inOrderBut is inOrder for what but does not except.
func (t *rows) inOrderBut(a, b version, but func(*row) bool) (*row, bool) {
	last := int32(-1)
	for _, r := range t.order(a) {
		if r == nil || r.at[b] == nil || r.repeated || r.isFree() || but(r) {
			continue
		}
		if r.pos[b] < last {
			return r, false
		}
		last = r.pos[b]
	}
	return nil, true
}

func (r *row) isFree() bool {
	return r.at[dest] != nil && r.at[dest].free || r.at[updated] != nil && r.at[updated].free
}

// checkOrder refuses a result in which a side's elements stand in another
// order than that side has them, though the other side reordered nothing. What
// both added at two places stands where dest has it.
func (t *rows) checkOrder(name func(*row) *place) *Refusal {
	_, agree := t.inOrder(dest, updated, true)
	for _, s := range sides {
		r, ok := t.inOrder(s, result, agree || s == dest)
		if ok {
			continue
		}
		_, kept := t.inOrder(original, s.other(), false)
		if kept || agree && !t.followed(s) {
			return name(r).refuse("order", "it is not where %s has it", s)
		}
	}
	return nil
}

// followed reports whether, of what s has, only values of its own stand in
// another order, as the other side moved the items that they were made of. Where
// there are as many of both, they stand where that side has these.
func (t *rows) followed(s version) bool {
	if !t.byValue {
		return false
	}
	x := s.other()
	own := func(r *row) bool { return r.at[original] == nil && r.at[x] == nil }
	if _, ok := t.inOrderBut(s, result, own); !ok {
		return false
	}
	var from, to []*row
	for _, r := range t.order(original) {
		if r.at[s] == nil && r.at[x] != nil && r.at[result] == nil {
			from = append(from, r)
		}
	}
	for _, r := range t.order(s) {
		if own(r) && r.at[result] != nil {
			to = append(to, r)
		}
	}
	return len(from) != len(to) || t.inPlace(x, from, to)
}

// inPlace reports whether the result has what it shares with v in the order of
// v, where each of to stands for that of from.
func (t *rows) inPlace(v version, from, to []*row) bool {
	became := map[*row]*row{}
	for i, r := range from {
		became[r] = to[i]
	}
	last := int32(-1)
	for _, r := range t.order(v) {
		if became[r] != nil {
			r = became[r]
		}
		if r.at[result] == nil || r.repeated || r.isFree() {
			continue
		}
		if r.pos[result] < last {
			return false
		}
		last = r.pos[result]
	}
	return true
}
