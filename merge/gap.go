package merge

// replaceGaps turns every gap in which both sides removed the same element and
// added different ones into one conflict: both renamed or replaced one thing.
func (k *keyed) replaceGaps(order []int) []step {
	gaps := k.gaps()
	inGap := map[int]int{} // step to gap in conflict
	for g := range gaps {
		if !k.contested(&gaps[g]) {
			continue
		}
		for s := range gaps[g].runs {
			for _, i := range gaps[g].runs[s] {
				inGap[k.id[s][i]] = g
			}
		}
	}
	var out []step
	done := map[int]bool{}
	for _, n := range order {
		g, in := inGap[n]
		switch {
		case !in:
			out = append(out, k.steps[n])
		case !done[g]:
			done[g] = true
			gaps[g].at = [3]int{-1, -1, -1}
			gaps[g].cause = replaced
			out = append(out, gaps[g])
		}
	}
	return out
}

// gaps cuts the three versions at the elements that all have in one order, and
// returns what stands between. An element that moved belongs to no gap.
func (k *keyed) gaps() []step {
	stable := make([]bool, len(k.steps))
	lastD, lastU, count := -1, -1, 0
	for _, n := range k.id[original] {
		at := k.steps[n].at
		if at[dest] > lastD && at[updated] > lastU {
			stable[n] = true
			lastD, lastU = at[dest], at[updated]
			count++
		}
	}
	gaps := make([]step, count+1)
	for s := range k.v {
		g := 0
		for i, n := range k.id[s] {
			at := k.steps[n].at
			switch {
			case stable[n]:
				g++
			case at[original] < 0 || at[dest] < 0 || at[updated] < 0:
				gaps[g].runs[s] = append(gaps[g].runs[s], i)
			}
		}
	}
	return gaps
}

// contested reports whether both sides removed one element in common and
// added elements that differ.
func (k *keyed) contested(g *step) bool {
	removed := false
	for _, i := range g.runs[original] {
		at := k.steps[k.id[original][i]].at
		removed = removed || at[dest] < 0 && at[updated] < 0
	}
	if !removed {
		return false
	}
	var added [3]int
	for _, s := range sides {
		for _, i := range g.runs[s] {
			at := k.steps[k.id[s][i]].at
			if at[original] < 0 && at[s.other()] < 0 {
				added[s]++
			}
		}
	}
	return added[dest] > 0 && added[updated] > 0
}
