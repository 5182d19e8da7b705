package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// mergeRegions divides the lists at the items that all versions share, and appends the steps of these items and
// of the regions between them to a.steps.
func (a *alignment) mergeRegions() {
	var reg region
	for i := range a.elems[three.Original] {
		d, u := a.match[three.Dest][i], a.match[three.Updated][i]
		if d < 0 || u < 0 {
			continue
		}
		reg.to = [3]int{i, d, u}
		a.mergeRegion(reg)
		a.steps = append(a.steps, NewStep(i, d, u))
		reg.from = [3]int{i + 1, d + 1, u + 1}
	}
	for s := range a.elems {
		reg.to[s] = len(a.elems[s])
	}
	a.mergeRegion(reg)
}

// mergeRegion appends the steps of one region to a.steps. The cases are tried in order; some of them append
// steps themselves and return whether they did.
func (a *alignment) mergeRegion(reg region) {
	switch {
	case reg.len(three.Original) == 0 && reg.len(three.Dest) == 0 && reg.len(three.Updated) == 0:
	case a.hasWrapper(reg):
		a.addConflict(reg, Wrapped)
	case a.replacesScalars(reg):
		a.pairByPosition(reg)
	case a.keepsAllItems(three.Dest, reg) && !a.deletesEdited(three.Updated, reg):
		a.keepSide(three.Updated, reg)
	case a.keepsAllItems(three.Updated, reg) && !a.deletesEdited(three.Dest, reg):
		a.keepSide(three.Dest, reg)
	case a.keepsAllItems(three.Dest, reg) || a.keepsAllItems(three.Updated, reg):
		a.addConflict(reg, overlappingEdits)
	case a.hasEqualSides(reg):
		a.pairEqualSides(reg)
	case reg.len(three.Original) == reg.len(three.Dest) && reg.len(three.Original) == reg.len(three.Updated) && a.matchesByPosition(reg):
		a.pairByPosition(reg)
	case a.onlyDeletes(reg):
		a.keepSide(three.Dest, reg)
	case a.splitRegion(reg, a.equalItems(reg)):
	case reg.len(three.Original) > 0 && a.mergeAdjacentEdits(reg):
	case reg.len(three.Original) == 0 && a.splitRegion(reg, a.sameThings(reg)):
	case reg.len(three.Original) == 0 && a.interleaveSorted(reg):
	case reg.len(three.Original) == 0 && a.keepUnrelatedInsertions(reg):
	case reg.len(three.Original) == 0:
		a.addConflict(reg, BothInserted)
	default:
		a.addConflict(reg, overlappingEdits)
	}
}

// splitRegion splits a region at the items that both sides share, merges the pieces, and appends all steps.
// sharedRuns has the shared items; their indexes count from the start of the region in dest and in updated. It
// returns false and appends nothing if there are no shared items, or if a side moved an item of the original
// from one piece to another. Items of the original that both sides deleted have no step if they are at the edge
// of a piece.
func (a *alignment) splitRegion(reg region, sharedRuns []diff3.Run) bool {
	var pieces []region
	var shared []Step // the item after each piece except the last
	piece, next := reg, reg.from[three.Original]
	for _, r := range sharedRuns {
		for i := range r.Len {
			piece.to[three.Dest], piece.to[three.Updated] = reg.from[three.Dest]+r.A+i, reg.from[three.Updated]+r.B+i
			next = a.cutOriginal(&piece, next, reg.to[three.Original])
			o := a.originalAtEnd(piece, reg)
			next = max(next, o+1)
			pieces, shared = append(pieces, piece), append(shared, NewStep(o, piece.to[three.Dest], piece.to[three.Updated]))
			piece.from[three.Dest], piece.from[three.Updated] = piece.to[three.Dest]+1, piece.to[three.Updated]+1
		}
	}
	piece.to = reg.to
	a.cutOriginal(&piece, next, reg.to[three.Original])
	pieces = append(pieces, piece)
	if len(shared) == 0 || !a.containMatches(pieces) {
		return false
	}
	for i, c := range pieces {
		if a.mergeRegion(c); i < len(shared) {
			a.steps = append(a.steps, shared[i])
		}
	}
	return true
}

// equalItems returns the runs of items of the region that are equal in both sides. Indexes count from the start
// of the region.
func (a *alignment) equalItems(reg region) []diff3.Run {
	return diff3.Match(itemHashes(a.itemsIn(three.Dest, reg)), itemHashes(a.itemsIn(three.Updated, reg)))
}

// sameThings returns the pairs of items that both sides added in the region and that are surely one thing (see
// isSameThing). Pairs in another order than the one before are left out. It returns nil if there are more than
// maxComparisons pairs to compare. Indexes count from the start of the region.
func (a *alignment) sameThings(reg region) (runs []diff3.Run) {
	dest, updated := a.itemsIn(three.Dest, reg), a.itemsIn(three.Updated, reg)
	if len(dest)*len(updated) > maxComparisons {
		return nil
	}
	next := 0
	for d, u := range uniquePairs(len(dest), len(updated), func(d, u int) bool {
		return !a.rule.AreDistinct(dest[d].node, updated[u].node) && a.hasher.isSameThing(dest[d].node, updated[u].node)
	}) {
		if u >= next { // in the same order in both sides
			runs, next = append(runs, diff3.Run{A: d, B: u, Len: 1}), u+1
		}
	}
	return runs
}

// containMatches reports whether each match of an item of the original is in the same piece as the item, in both
// sides.
func (a *alignment) containMatches(pieces []region) bool {
	for _, piece := range pieces {
		for i := piece.from[three.Original]; i < piece.to[three.Original]; i++ {
			for _, s := range three.Sides {
				if j := a.match[s][i]; j >= 0 && (j < piece.from[s] || j >= piece.to[s]) {
					return false
				}
			}
		}
	}
	return true
}

// cutOriginal sets the original's range of piece, starting from item next: it has the items that a side has
// before the end of piece. It returns the first item after the range. Items that both sides deleted are left out
// at the edges of the range. end is the end of the original's items.
func (a *alignment) cutOriginal(piece *region, next, end int) int {
	first, last := -1, -1
	for ; next < end; next++ {
		d, u := a.match[three.Dest][next], a.match[three.Updated][next]
		if d < 0 && u < 0 {
			continue
		}
		if !(d >= 0 && d < piece.to[three.Dest]) && !(u >= 0 && u < piece.to[three.Updated]) {
			break
		}
		if first < 0 {
			first = next
		}
		last = next
	}
	piece.from[three.Original], piece.to[three.Original] = next, next
	if first >= 0 {
		piece.from[three.Original], piece.to[three.Original] = first, last+1
	}
	return next
}

// originalAtEnd returns the index of the original's item that is matched with the item of dest or updated at the
// end of piece, or -1 if both sides added that item. If the sides are matched with different items, it returns
// the first one. It only considers items after the end of the piece in the original, and in the region.
func (a *alignment) originalAtEnd(piece, reg region) int {
	o := -1
	for _, s := range three.Sides {
		i := a.back[s][piece.to[s]]
		if i >= piece.to[three.Original] && i < reg.to[three.Original] && (o < 0 || i < o) {
			o = i
		}
	}
	return o
}

// keepsAllItems reports whether s has all of the original's items of the region, and no others. It may have
// edited them.
func (a *alignment) keepsAllItems(s three.Version, reg region) bool {
	return reg.len(three.Original) == reg.len(s) && !slices.Contains(a.match[s][reg.from[three.Original]:reg.to[three.Original]], -1)
}

// replacesScalars reports whether all versions have equally many items in the region, all of them scalars, and
// one side has all of the original's items. The other side then replaced values, and the items are paired by
// position.
func (a *alignment) replacesScalars(reg region) bool {
	if reg.len(three.Original) != reg.len(three.Dest) || reg.len(three.Original) != reg.len(three.Updated) ||
		!a.keepsAllItems(three.Dest, reg) && !a.keepsAllItems(three.Updated, reg) {
		return false
	}
	for s := range a.elems {
		for _, e := range a.itemsIn(three.Version(s), reg) {
			if e.node == nil || e.node.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}

// hasEqualSides reports whether dest and updated have equal items in the region.
func (a *alignment) hasEqualSides(reg region) bool {
	return slices.Equal(itemHashes(a.itemsIn(three.Dest, reg)), itemHashes(a.itemsIn(three.Updated, reg)))
}

// pairEqualSides appends the steps of a region that is equal in dest and updated. Each item gets the item of the
// original that dest's is matched with, or, if dest has no match for it, the one that updated's is matched with.
func (a *alignment) pairEqualSides(reg region) {
	originalOf := map[int]int{}
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if j := a.match[three.Dest][i]; j >= 0 {
			originalOf[j] = i
		} else if j := a.match[three.Updated][i]; j >= 0 {
			originalOf[reg.from[three.Dest]+j-reg.from[three.Updated]] = i
		}
	}
	for i := 0; i < reg.len(three.Dest); i++ {
		o, ok := originalOf[reg.from[three.Dest]+i]
		if !ok {
			o = -1
		}
		a.steps = append(a.steps, NewStep(o, reg.from[three.Dest]+i, reg.from[three.Updated]+i))
	}
}

// matchesByPosition reports whether each match in the region is between items at the same position. All versions
// have equally many items in the region.
func (a *alignment) matchesByPosition(reg region) bool {
	for i := range reg.len(three.Original) {
		for _, s := range three.Sides {
			if j := a.match[s][reg.from[three.Original]+i]; j >= 0 && j != reg.from[s]+i {
				return false
			}
		}
	}
	return true
}

// pairByPosition appends the steps of a region with equally many items in all versions. It pairs the items by
// position.
func (a *alignment) pairByPosition(reg region) {
	for i := range reg.len(three.Original) {
		a.steps = append(a.steps, NewStep(reg.from[three.Original]+i, reg.from[three.Dest]+i, reg.from[three.Updated]+i))
	}
}

// onlyDeletes reports whether both sides only deleted items of the region, and neither edited an item that the
// other deleted.
func (a *alignment) onlyDeletes(reg region) bool {
	for _, s := range three.Sides {
		if len(a.keptItems(s, reg)) != reg.len(s) || a.deletesEdited(s, reg) {
			return false
		}
	}
	return true
}

// deletesEdited reports whether s deleted an item of the region that the other side edited.
func (a *alignment) deletesEdited(s three.Version, reg region) bool {
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if a.match[s][i] < 0 && a.isEdited(s.Other(), i) {
			return true
		}
	}
	return false
}

// addConflict appends a conflict over all items of the region.
func (a *alignment) addConflict(reg region, reason ConflictReason) {
	step := NewStep(-1, -1, -1)
	step.Conflict = reason
	for s := range reg.from {
		for i := reg.from[s]; i < reg.to[s]; i++ {
			step.Runs[s] = append(step.Runs[s], i)
		}
	}
	a.steps = append(a.steps, step)
}

// mergeAdjacentEdits appends the steps of a region in which the edits of the two sides touch but do not overlap.
// It returns false and appends nothing if they overlap, or if a side deleted an item that the other side edited.
func (a *alignment) mergeAdjacentEdits(reg region) bool {
	rangeOf := func(s three.Version) diff3.Range { return diff3.Range{Start: reg.from[s], End: reg.to[s]} }
	chunk := diff3.Chunk{Original: rangeOf(three.Original), Dest: rangeOf(three.Dest), Updated: rangeOf(three.Updated)}
	chunks := chunk.SplitBySideRuns(a.keptItems(three.Dest, reg), a.keptItems(three.Updated, reg))
	if chunks == nil || a.deletesEdited(three.Dest, reg) || a.deletesEdited(three.Updated, reg) {
		return false
	}
	for _, c := range chunks {
		switch c.Kind {
		case diff3.DestChanged:
			a.addItems(three.Dest, c.Dest)
		case diff3.UpdatedChanged:
			a.addItems(three.Updated, c.Updated)
		}
		for i := c.Original.Start; i < c.Original.End; i++ {
			a.steps = append(a.steps, NewStep(i, a.match[three.Dest][i], a.match[three.Updated][i]))
		}
	}
	return true
}

// keptItems returns the items of the original in the region that s has, as runs of length 1. Indexes count from
// the start of the region.
func (a *alignment) keptItems(s three.Version, reg region) (runs []diff3.Run) {
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if j := a.match[s][i]; j >= 0 {
			runs = append(runs, diff3.Run{A: i - reg.from[three.Original], B: j - reg.from[s], Len: 1})
		}
	}
	return runs
}

// addItems appends a step for each item in the range r of s, which the other versions lack.
func (a *alignment) addItems(s three.Version, r diff3.Range) {
	for j := r.Start; j < r.End; j++ {
		step := NewStep(-1, -1, -1)
		step.Index[s] = j
		a.steps = append(a.steps, step)
	}
}

// keepUnrelatedInsertions appends the steps of a region in which both sides added items that have nothing to do
// with each other (see areUnrelated): dest's items, then updated's. It returns false and appends nothing if two
// of the items may be related, or if a side did more than add items and the order of the list matters. The order
// does not matter if the schema's rule has fields that tell items apart (List.DistinctBy). If the rule says that it
// does (List.OrderMatters), and there are mappings among the items, they are in conflict: one of them has to come
// first. It also returns false without a.lines, and if the original's list is empty.
func (a *alignment) keepUnrelatedInsertions(reg region) bool {
	if a.lines == nil || len(a.elems[three.Original]) == 0 {
		return false
	}
	if unordered := len(a.rule.DistinctBy) > 0; !unordered && !(a.onlyAddsItems(three.Dest) && a.onlyAddsItems(three.Updated)) {
		return false
	}
	for _, d := range a.itemsIn(three.Dest, reg) {
		for _, u := range a.itemsIn(three.Updated, reg) {
			if a.rule.OrderMatters && d.node.Kind == syntax.Mapping || !a.rule.AreDistinct(d.node, u.node) && !a.hasher.areUnrelated(d.node, u.node) {
				return false
			}
		}
	}
	a.keepSide(three.Dest, reg)
	a.keepSide(three.Updated, reg)
	return true
}

// onlyAddsItems reports whether s has all items of the original unedited, and all comments of the original's
// list.
func (a *alignment) onlyAddsItems(s three.Version) bool {
	for i, j := range a.match[s] {
		if j < 0 || a.isEdited(s, i) {
			return false
		}
	}
	sideComments := a.commentLines(s)
	return !slices.ContainsFunc(a.commentLines(three.Original), func(c string) bool { return !slices.Contains(sideComments, c) })
}

// commentLines returns the lines of the list in version s that are comments, without the blanks around them.
func (a *alignment) commentLines(s three.Version) (all []string) {
	n := a.lists[s]
	for line := range strings.Lines(string(a.lines.Files[s].Slice(text.Span{Start: n.Span.Start, End: max(n.Span.End, n.Tail.End)}))) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			all = append(all, line)
		}
	}
	return all
}

// KeepBothInsertions returns steps with each BothInserted conflict replaced by the items of dest, then those of
// updated. A conflict stays if an item of dest and one of updated have the same name. changed reports whether a
// conflict was replaced. v has the lists.
func KeepBothInsertions(v three.Nodes, steps []Step) (out []Step, changed bool) {
	for _, st := range steps {
		if st.Conflict != BothInserted || shareName(v, st.Runs) {
			out = append(out, st)
			continue
		}
		changed = true
		for _, i := range st.Runs[three.Dest] {
			out = append(out, NewStep(-1, i, -1))
		}
		for _, i := range st.Runs[three.Updated] {
			out = append(out, NewStep(-1, -1, i))
		}
	}
	return out, changed
}

// shareName reports whether an item of dest and one of updated have the same name (see syntax.NameOf). runs has
// the indexes of the items.
func shareName(v three.Nodes, runs [3][]int) bool {
	return slices.ContainsFunc(runs[three.Dest], func(i int) bool {
		name := syntax.NameOf(v[three.Dest].Entries[i].Value)
		return name != "" && slices.ContainsFunc(runs[three.Updated], func(j int) bool {
			return syntax.NameOf(v[three.Updated].Entries[j].Value) == name
		})
	})
}
