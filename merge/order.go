package merge

import "slices"

// pair pairs elements by their keys, and finds renames where the rules follow
// them.
func (m *matcher) pair(v [3][]elem) []step {
	if !m.set.updatedWins {
		return pairKeyed(v, m.sums)
	}
	k := &keyed{v: v}
	k.match()
	order := k.order()
	if m.set.always {
		order = k.weave(dest) // the others are other files
	}
	var out []step
	for _, n := range order {
		out = append(out, k.steps[n])
	}
	return out
}

// placed puts the items of a list where the rules want new ones.
func (m *matcher) placed(steps []step) []step {
	if m.set.ordered {
		return inOrderOf(updated, steps)
	}
	return m.appended(steps)
}

// appended puts what dest lacks at the end, in the order of updated, where the
// rules want that.
func (m *matcher) appended(steps []step) []step {
	if !m.set.updatedWins {
		return steps
	}
	var out, added []step
	for _, st := range steps {
		if st.at[dest] < 0 {
			added = append(added, st)
		} else {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(added, func(a, b step) int { return a.at[updated] - b.at[updated] })
	return append(out, added...)
}

// inOrderOf puts the elements that s has first, in its order.
func inOrderOf(s side, steps []step) []step {
	at := make([]int, len(steps))
	for i := range at {
		at[i] = -1
	}
	var rest []step
	for i, st := range steps {
		if j := st.at[s]; j >= 0 && j < len(at) {
			at[j] = i
		} else {
			rest = append(rest, st)
		}
	}
	var out []step
	for _, i := range at {
		if i >= 0 {
			out = append(out, steps[i])
		}
	}
	return append(out, rest...)
}
