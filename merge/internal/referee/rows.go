package referee

// A row is one element of a collection in the four versions.
type row struct {
	at       quad
	pos      [versions]int32 // where it stands in each version that has it
	repeated bool            // its identity is not unique in a version
	again    bool            // it is not the first of its identity
}

// rows are the elements of a collection, paired by identity; elements of one
// identity pair in order. They are in the order of the first version that has
// them.
type rows struct {
	of      []row
	members [versions][]*node
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
				t.of = append(t.of, row{again: k != first})
			}
			r := &t.of[at]
			r.at[v], r.pos[v] = n, int32(i)
			if r.again {
				r.repeated = true
				t.of[index[first]].repeated = true
			}
		}
	}
	return t
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
	last := int32(-1)
	for _, r := range t.order(a) {
		if r == nil || r.at[b] == nil || r.repeated || r.isFree() {
			continue
		}
		if !joint && r.at[original] == nil && r.at[dest] != nil && r.at[updated] != nil {
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
		if kept || agree {
			return name(r).refuse("order", "it is not where %s has it", s)
		}
	}
	return nil
}
