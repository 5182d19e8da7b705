package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// alignReordered returns the steps of a list that side s reordered, while the other side only edited or deleted items
// where they were: one step for each item of s, in its order. It returns nil if the sides made other changes, or if two
// items of one version are equal.
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

// editsInPlace reports whether the side editor left the original's items where they were, while the other side, the
// reorderer, moved some. editor may have deleted and edited items. It returns false if editor
//
//   - moved an item of the original, or copied one
//   - added an item that the reorderer lacks
//   - edited an item so that it has the value of an item of the reorderer
//
// The maps have the index of each item of the reorderer and of the original, by the hash of its value.
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

// joinApart joins the steps of each item in a.Apart, which the versions have at different places, so that the item gets
// one step. This is the step of the item in the side PlacedBy, which thus determines the place. If a version of the
// item is in a conflict, its steps are not joined.
//
//	original   dest   updated   Apart               steps before                   after
//	a, b       b      b, a      a, by updated       {0 -1 -1} {1 0 0} {-1 -1 1}    {1 0 0} {0 -1 1}
func (a *alignment) joinApart() {
	if len(a.Apart) == 0 {
		return
	}
	stepOf := a.stepsByItem()
	for _, c := range a.Apart {
		var parts []*Step
		for s, i := range c.Index {
			if i >= 0 && stepOf[s][i] != nil {
				parts = append(parts, stepOf[s][i])
			}
		}
		if slices.ContainsFunc(parts, func(st *Step) bool { return !st.isPartOf(c.Index) }) {
			continue
		}
		for _, part := range parts {
			part.Index = [3]int{-1, -1, -1}
		}
		joined := stepOf[c.PlacedBy][c.Index[c.PlacedBy]]
		joined.Index = c.Index
		if c.Index[c.PlacedBy.Other()] >= 0 {
			joined.PlacedBy = three.Some(c.PlacedBy)
		}
	}
	a.steps = slices.DeleteFunc(a.steps, func(st Step) bool { return st.isPartOf([3]int{-1, -1, -1}) })
}

// stepsByItem returns the step of each item, by its version and index. A step can be a conflict over several items.
// Items of the original that both sides deleted can have none (nil).
func (a *alignment) stepsByItem() (stepOf [3][]*Step) {
	for s, items := range a.Elems {
		stepOf[s] = make([]*Step, len(items))
		for n := range a.steps {
			st := &a.steps[n]
			if i := st.Index[s]; i >= 0 {
				stepOf[s][i] = st
			}
			for _, i := range st.Runs[s] {
				stepOf[s][i] = st
			}
		}
	}
	return stepOf
}

// isPartOf reports whether st is no conflict, and each version that has its item has it at the given index.
func (st Step) isPartOf(index [3]int) bool {
	for s, i := range st.Index {
		if i >= 0 && i != index[s] {
			return false
		}
	}
	return st.Conflict == NoConflict
}
