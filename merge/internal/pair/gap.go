package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// replaceGaps turns every gap in which both sides removed the same element and
// added different ones into one conflict: both renamed or replaced one thing.
func (k *keyed) replaceGaps(order []int) []Step {
	gaps := k.gaps()
	inGap := map[int]int{} // step to gap in conflict
	for g := range gaps {
		if !k.contested(&gaps[g]) {
			continue
		}
		for s := range gaps[g].Runs {
			for _, i := range gaps[g].Runs[s] {
				inGap[k.id[s][i]] = g
			}
		}
	}
	out := make([]Step, 0, len(order))
	done := map[int]bool{}
	for _, n := range order {
		g, in := inGap[n]
		switch {
		case !in:
			out = append(out, k.steps[n])
		case !done[g]:
			done[g] = true
			gaps[g].At = [3]int{-1, -1, -1}
			gaps[g].Cause = Replaced
			out = append(out, gaps[g])
		}
	}
	return out
}

// gaps cuts the three versions at the elements that all have in one order, and
// returns what stands between. An element that moved belongs to no gap.
func (k *keyed) gaps() []Step {
	stable := make([]bool, len(k.steps))
	lastD, lastU, count := -1, -1, 0
	for _, n := range k.id[three.Original] {
		at := k.steps[n].At
		if at[three.Dest] > lastD && at[three.Updated] > lastU {
			stable[n] = true
			lastD, lastU = at[three.Dest], at[three.Updated]
			count++
		}
	}
	gaps := make([]Step, count+1)
	for s := range k.v {
		g := 0
		for i, n := range k.id[s] {
			at := k.steps[n].At
			switch {
			case stable[n]:
				g++
			case at[three.Original] < 0 || at[three.Dest] < 0 || at[three.Updated] < 0:
				gaps[g].Runs[s] = append(gaps[g].Runs[s], i)
			}
		}
	}
	return gaps
}

// contested reports whether both sides removed one element in common and
// added elements that differ. A document without identity is known by what is in it alone: where one
// side deleted it, and the other has another one there, that may be it, with all of it changed.
func (k *keyed) contested(g *Step) bool {
	removed, bare := false, false
	for _, i := range g.Runs[three.Original] {
		at := k.steps[k.id[three.Original][i]].At
		if at[three.Dest] < 0 && at[three.Updated] < 0 {
			removed, bare = true, bare || k.v[three.Original][i].bare
		}
	}
	if !removed {
		return false
	}
	var added [3]int
	replaced := false
	for _, s := range three.Sides {
		for _, i := range g.Runs[s] {
			at := k.steps[k.id[s][i]].At
			if at[three.Original] < 0 && at[s.Other()] < 0 {
				added[s]++
				replaced = replaced || bare && k.v[s][i].bare
			}
		}
	}
	return replaced || added[three.Dest] > 0 && added[three.Updated] > 0
}
