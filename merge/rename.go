package merge

// rename joins, for side s, an element that s removed with one that s added
// where they are surely one thing under a new key: unique both ways, and at
// least three leaves of which at least three quarters are equal, or the very
// same content at the same place.
func (k *keyed) rename(s side) {
	removed, added := k.changedKeys(s)
	if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > 10000 {
		return
	}
	place := k.places(s)
	to := make([]int, len(removed))
	from := make([]int, len(added))
	for i := range from {
		from[i] = -1
	}
	for i, r := range removed {
		to[i] = -1
		for j, a := range added {
			if !k.renamed(s, r, a, place) {
				continue
			}
			to[i] = unique(to[i], j)
			from[j] = unique(from[j], i)
		}
	}
	for i, r := range removed {
		if j := to[i]; j >= 0 && from[j] == i {
			k.join(s, r, added[j])
		}
	}
}

// unique remembers one candidate, or -2 once there are several.
func unique(have, candidate int) int {
	if have == -1 {
		return candidate
	}
	return -2
}

// changedKeys returns the steps that s removed from the original, and those
// that s alone added.
func (k *keyed) changedKeys(s side) (removed, added []int) {
	for _, n := range k.id[original] {
		if k.steps[n].at[s] < 0 {
			removed = append(removed, n)
		}
	}
	for _, n := range k.id[s] {
		if k.steps[n].at[original] < 0 {
			added = append(added, n)
		}
	}
	return removed, added
}

// places numbers the gaps between the elements that the original and s share,
// for the steps of both.
func (k *keyed) places(s side) map[int]int {
	place := map[int]int{}
	for _, v := range [2]side{original, s} {
		g := 0
		for _, n := range k.id[v] {
			if k.steps[n].at[original] >= 0 && k.steps[n].at[s] >= 0 {
				g++
				continue
			}
			place[n] = g
		}
	}
	return place
}

func (k *keyed) renamed(s side, removed, added int, place map[int]int) bool {
	o := k.v[original][k.steps[removed].at[original]]
	x := k.v[s][k.steps[added].at[s]]
	if o.node == nil || x.node == nil || o.node.Kind != x.node.Kind {
		return false
	}
	a, b := k.sums.leavesBut(o.node, o.aside), k.sums.leavesBut(x.node, x.aside)
	n, same := max(len(a), len(b)), common(a, b)
	if same == n && place[removed] == place[added] {
		return true
	}
	return n >= 3 && 4*same >= 3*n
}

// join makes the step of an added element that of the removed one.
func (k *keyed) join(s side, removed, added int) {
	a := &k.steps[added]
	if other := a.at[s.other()]; other >= 0 && k.steps[removed].at[s.other()] >= 0 {
		return // the other side has both: not the same thing
	}
	k.steps[removed].at[s] = a.at[s]
	k.id[s][a.at[s]] = removed
	a.at[s] = -1
	if other := a.at[s.other()]; other >= 0 {
		// both renamed alike
		k.steps[removed].at[s.other()] = other
		k.id[s.other()][other] = removed
		a.at[s.other()] = -1
	}
}
