package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// alignReordered merges a list that side s reordered while the other side edited or deleted items in place: it returns
// one step for each item of s, in its order. It returns nil for other changes, and if two items of one version are
// equal.
//
//	original   s         other side   result    steps (original, s, other side)
//	- web:1    - db:1    - web:2      - db:1    1, 0, 1
//	- db:1     - web:1   - db:1       - web:2   0, 1, 0
func (a *alignment) alignReordered(s three.Version) []Step {
	var index [3]map[uint64]int // of each item, by the hash of its value
	for v, elems := range a.Elems {
		index[v] = make(map[uint64]int, len(elems))
		for i, e := range elems {
			index[v][e.Hash] = i
		}
		if len(index[v]) < len(elems) {
			return nil
		}
	}
	other := s.Other()
	if !a.reordersOriginal(index[s]) || !a.editsInPlace(other, index[s], index[three.Original]) {
		return nil
	}
	steps := make([]Step, len(a.Elems[s]))
	for i, e := range a.Elems[s] {
		at := [3]int{-1, -1, -1}
		at[s] = i
		if o, ok := index[three.Original][e.Hash]; ok {
			at[three.Original], at[other] = o, a.Match[other][o]
		} else if x, ok := index[other][e.Hash]; ok {
			at[other] = x
		}
		steps[i].Index = at
	}
	return steps
}

// reordersOriginal reports whether a side contains all items of the original unedited, but not in the original's order.
// The side may contain further items. sideIndex has the index of each item of the side, by the hash of its value.
func (a *alignment) reordersOriginal(sideIndex map[uint64]int) bool {
	last, reordered := -1, false
	for _, e := range a.Elems[three.Original] {
		i, ok := sideIndex[e.Hash]
		if !ok {
			return false
		}
		reordered = reordered || i < last
		last = i
	}
	return reordered
}

// editsInPlace reports whether the side editor left the original's items in place and only added items that the other
// side, the reorderer, also added. It may have edited or deleted items. The maps have the index of each item by the
// hash of its value.
func (a *alignment) editsInPlace(editor three.Version, reordererIndex, originalIndex map[uint64]int) bool {
	for j, e := range a.Elems[editor] {
		match := a.Back[editor][j]
		if o, isOriginal := originalIndex[e.Hash]; isOriginal {
			if match != o {
				return false // moved
			}
			continue
		}
		isAdded := match < 0 // otherwise edited
		if _, isInReorderer := reordererIndex[e.Hash]; isAdded != isInReorderer {
			return false // only editor added it, or edited it to an item of the reorderer
		}
	}
	return true
}

// joinApart makes one step of each class in a.Apart, whose items are one thing at different places in the versions. The
// step is at the item of the side PlacedBy; the other items' steps are removed. A class with an item in a conflict is
// skipped.
func (a *alignment) joinApart() {
	if len(a.Apart) == 0 {
		return
	}
	var stepOf [3]map[int]int // of each item of a version, by its index
	for s := range stepOf {
		stepOf[s] = map[int]int{}
		for n, st := range a.steps {
			for _, i := range slices.Concat(st.Runs[s], st.Index[s:s+1]) {
				stepOf[s][i] = n
			}
		}
	}
	isRemoved := map[int]bool{}
	for _, c := range a.Apart {
		var parts []int // the steps of the items
		for s, i := range c.Index {
			if n, ok := stepOf[s][i]; ok && i >= 0 {
				parts = append(parts, n)
			}
		}
		if slices.ContainsFunc(parts, func(n int) bool { return !a.steps[n].isPartOf(c.Index) }) {
			continue
		}
		for _, n := range parts {
			isRemoved[n] = true
		}
		joined := stepOf[c.PlacedBy][c.Index[c.PlacedBy]]
		a.steps[joined].Index, isRemoved[joined] = c.Index, false
		if c.Index[c.PlacedBy.Other()] >= 0 {
			a.steps[joined].PlacedBy = three.Some(c.PlacedBy)
		}
	}
	kept := a.steps[:0]
	for n, st := range a.steps {
		if !isRemoved[n] {
			kept = append(kept, st)
		}
	}
	a.steps = kept
}

// isPartOf reports whether all elements of st belong to one class, which has the given index in each version. It
// returns false for a conflict.
func (st Step) isPartOf(index [3]int) bool {
	for s, i := range st.Index {
		if i >= 0 && i != index[s] {
			return false
		}
	}
	return st.Conflict == NoConflict
}
