package pair

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// An alignment makes the steps of the result from the matched items of an ordered list: one for each item, with its
// index in each version that has it. The items that all three versions have divide the lists into regions. A region
// that both sides changed is a conflict, unless both changes are equal, one contains the other, or they can be applied
// separately.
type alignment struct {
	*ident.Items
	steps []Step
}

// mergeRegions appends the steps of the merged list to a.steps. Items that all versions have become steps, and divide
// the lists into regions, which mergeRegion merges. Here the region between a and c has b in the original, b and x in
// dest, and y in updated:
//
//	original   dest         updated
//	a, b, c    a, b, x, c   a, y, c
func (a *alignment) mergeRegions() {
	var reg region
	for i := range a.Elems[three.Original] {
		d, u := a.Match[three.Dest][i], a.Match[three.Updated][i]
		if d < 0 || u < 0 {
			continue
		}
		reg.to = [3]int{i, d, u}
		a.mergeRegion(reg)
		a.steps = append(a.steps, NewStep(i, d, u))
		reg.from = [3]int{i + 1, d + 1, u + 1}
	}
	for s := range a.Elems {
		reg.to[s] = len(a.Elems[s])
	}
	a.mergeRegion(reg)
}

// mergeRegion appends the steps of a region to a.steps. If at most one side added or deleted items there, the result
// has the items of this side. If both only deleted some, it has the items that both kept. Otherwise, mergeBothChanged
// merges the region, perhaps into a conflict.
func (a *alignment) mergeRegion(reg region) {
	switch {
	case a.replacesScalars(reg): // items at the same position are one item
		a.pairByPosition(reg)
	case a.keepsAllItems(three.Dest, reg) && !a.deletesEdited(three.Updated, reg): // only updated added or deleted items
		a.keepSide(three.Updated, reg)
	case a.keepsAllItems(three.Updated, reg) && !a.deletesEdited(three.Dest, reg):
		a.keepSide(three.Dest, reg)
	case a.onlyDeletes(reg): // the result has the items that both sides have
		a.keepSide(three.Dest, reg)
	default:
		a.mergeBothChanged(reg)
	}
}

// mergeBothChanged appends the steps of a region to which both sides added items, or in which both changed the
// original's. It divides the region at items that both sides have, or keeps the changes of both sides if they are about
// different items. What cannot be merged becomes a conflict: BothInserted if the original has no items there, otherwise
// overlappingEdits.
func (a *alignment) mergeBothChanged(reg region) {
	if a.splitRegion(reg, a.equalItems(reg)) || a.mergeAdjacentEdits(reg) {
		return
	}
	if reg.len(three.Original) > 0 {
		a.addConflict(reg, overlappingEdits)
		return
	}
	// both sides only added items; in a part of a region, they may belong to the shared item next to it
	if a.splitRegion(reg, a.sameThings(reg)) || !reg.isCut && a.keepUnrelatedInsertions(reg) {
		return
	}
	a.addConflict(reg, BothInserted)
}

// splitRegion divides a region at its shared items, which both sides have, merges the parts, and appends all steps.
// sharedRuns has these items, as indexes from the start of the region in dest (A) and updated (B). It returns false and
// appends nothing if there are none, or if an item would be in two parts (keepMatchesTogether).
//
//	original   dest      updated   parts
//	a, b       x, s, a   y, s, b   x and y before s; a and b after s
func (a *alignment) splitRegion(reg region, sharedRuns []diff3.Run) (isSplit bool) {
	parts, shared := a.cutAt(reg, sharedRuns)
	if len(shared) == 0 || !a.keepMatchesTogether(parts) {
		return false
	}
	for i, part := range parts {
		part.isCut = true
		a.mergeRegion(part)
		if i < len(shared) {
			a.steps = append(a.steps, shared[i])
		}
	}
	return true
}

// cutAt returns the parts of a region between shared items, which dest and updated have, and the step of each shared
// item: shared[i] is between parts[i] and parts[i+1]. sharedRuns has the shared items, as indexes from the start of
// the region in dest (A) and in updated (B).
func (a *alignment) cutAt(reg region, sharedRuns []diff3.Run) (parts []region, shared []Step) {
	rest := reg
	for _, r := range sharedRuns {
		for i := range r.Len {
			d, u := reg.from[three.Dest]+r.A+i, reg.from[three.Updated]+r.B+i
			part := a.limitOriginals(region{from: rest.from, to: [3]int{reg.to[three.Original], d, u}})
			o := a.originalOfShared(part)
			parts, shared = append(parts, part), append(shared, NewStep(o, d, u))
			rest.from = [3]int{max(part.to[three.Original], o+1), d + 1, u + 1}
		}
	}
	return append(parts, a.limitOriginals(rest)), shared
}

// equalItems returns the items of a region that are equal in both sides, in the same order, as indexes from the start
// of the region in dest (A) and in updated (B).
func (a *alignment) equalItems(reg region) []diff3.Run {
	return diff3.Match(ident.Hashes(a.itemsIn(three.Dest, reg)), ident.Hashes(a.itemsIn(three.Updated, reg)))
}

// sameThings returns pairs of an item of dest and one of updated in a region that are certainly one thing, such as
// items with one name. The pairs have the same order in both sides. Each is a run of length 1, with indexes from the
// start of the region in dest (A) and updated (B).
func (a *alignment) sameThings(reg region) (runs []diff3.Run) {
	dest, updated := a.itemsIn(three.Dest, reg), a.itemsIn(three.Updated, reg)
	if len(dest)*len(updated) > ident.MaxComparisons {
		return nil
	}
	isSame := func(d, u int) bool {
		return !a.Rule.AreDistinct(dest[d].Node, updated[u].Node) && a.Hasher.IsSameThing(dest[d].Node, updated[u].Node)
	}
	next := 0 // in updated, the pairs must have the order of dest
	for _, p := range ident.UniquePairs(len(dest), len(updated), isSame) {
		if p[1] >= next {
			runs, next = append(runs, diff3.Run{A: p[0], B: p[1], Len: 1}), p[1]+1
		}
	}
	return runs
}

// keepMatchesTogether reports whether no item is in two parts of a region: the items that the sides match with an item
// of the original must be in the same part as this item. Here the parts are before and after s, and the result is false
// because of a:
//
//	original   dest   updated
//	a          s, a   a, s
func (a *alignment) keepMatchesTogether(parts []region) bool {
	for _, part := range parts {
		for i := part.from[three.Original]; i < part.to[three.Original]; i++ {
			for _, s := range three.Sides {
				if j := a.Match[s][i]; j >= 0 && (j < part.from[s] || j >= part.to[s]) {
					return false
				}
			}
		}
	}
	return true
}

// limitOriginals returns part, a part of a region before a shared item, with fewer of the original's items: only those
// that belong to this part. It ends before the first item that the sides have only after the part. Items that both
// sides deleted belong to it only if they are between items that a side has in it. Here part ends before the shared
// item x, and gets a, b and c:
//
//	original     dest   updated
//	a, b, c, d   a, x   c, x, d
func (a *alignment) limitOriginals(part region) region {
	start, end := part.from[three.Original], part.to[three.Original]
	part.to[three.Original] = start
	for i := start; i < end; i++ {
		d, u := a.Match[three.Dest][i], a.Match[three.Updated][i]
		inDest, inUpdated := d >= 0 && d < part.to[three.Dest], u >= 0 && u < part.to[three.Updated]
		switch {
		case inDest || inUpdated:
			if part.len(three.Original) == 0 {
				part.from[three.Original] = i
			}
			part.to[three.Original] = i + 1
		case d >= 0 || u >= 0: // a side has the item after part
			return part
		}
	}
	return part
}

// originalOfShared returns the index of the item of the original that is one thing with the shared item directly after
// part. It is the item that a side matches with the shared one, the first one if the sides match different items. It
// returns -1 if both sides added the shared item. Items before the end of part are ignored.
func (a *alignment) originalOfShared(part region) int {
	original := -1
	for _, s := range three.Sides {
		match := a.Back[s][part.to[s]]
		if match >= part.to[three.Original] && (original < 0 || match < original) {
			original = match
		}
	}
	return original
}

// keepsAllItems reports whether s has exactly the original's items in a region: it added and deleted nothing there. It
// may have edited the items.
func (a *alignment) keepsAllItems(s three.Version, reg region) bool {
	return reg.len(three.Original) == reg.len(s) && !slices.Contains(a.Match[s][reg.from[three.Original]:reg.to[three.Original]], -1)
}

// replacesScalars reports whether the sides only replaced values in a region, so that items at the same position are
// one item: all versions have equally many items there, all scalars, and at least one side still has each of the
// original's items, perhaps edited.
//
//	original   dest    updated
//	- 80       - 80    - 81
//	- 443      - 443   - 8443
func (a *alignment) replacesScalars(reg region) bool {
	if !a.keepsAllItems(three.Dest, reg) && !a.keepsAllItems(three.Updated, reg) {
		return false
	}
	for s := three.Original; s <= three.Updated; s++ {
		isNoScalar := func(e ident.Elem) bool { return e.Node.Kind != syntax.Scalar }
		if reg.len(s) != reg.len(three.Original) || slices.ContainsFunc(a.itemsIn(s, reg), isNoScalar) {
			return false
		}
	}
	return true
}

// pairByPosition appends the steps of a region with the same number of items in all versions: one step for the first
// items, one for the second, and so on.
func (a *alignment) pairByPosition(reg region) {
	for i := range reg.len(three.Original) {
		a.steps = append(a.steps, NewStep(reg.from[three.Original]+i, reg.from[three.Dest]+i, reg.from[three.Updated]+i))
	}
}

// onlyDeletes reports whether both sides only deleted or edited items in a region: neither added items, nor edited an
// item that the other deleted.
func (a *alignment) onlyDeletes(reg region) bool {
	doesMore := func(s three.Version) bool { return len(a.keptItems(s, reg)) != reg.len(s) || a.deletesEdited(s, reg) }
	return !slices.ContainsFunc(three.Sides[:], doesMore)
}

// deletesEdited reports whether s deleted an item that the other side edited. Only the original's items in the region
// are considered.
func (a *alignment) deletesEdited(s three.Version, reg region) bool {
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if a.Match[s][i] < 0 && a.IsEdited(s.Other(), i) {
			return true
		}
	}
	return false
}

// addConflict appends one conflict step, for the given reason, for all items of a region, with their indexes in Runs.
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

// mergeAdjacentEdits appends the steps of a region in which the sides edited or replaced different items, even
// neighbors. It returns false and appends nothing for other regions (see editChunks).
//
// Here dest replaced a, and updated b:
//
//	original   dest      updated   result
//	a, b       x, z, b   a, y      x, z, y
func (a *alignment) mergeAdjacentEdits(reg region) (merged bool) {
	chunks := a.editChunks(reg)
	for _, c := range chunks {
		switch c.Kind { // the new items come before the steps of those that they replace
		case diff3.DestChanged:
			a.addItems(three.Dest, c.Dest)
		case diff3.UpdatedChanged:
			a.addItems(three.Updated, c.Updated)
		}
		for i := c.Original.Start; i < c.Original.End; i++ {
			a.steps = append(a.steps, NewStep(i, a.Match[three.Dest][i], a.Match[three.Updated][i]))
		}
	}
	return chunks != nil
}

// editChunks splits a region into chunks in which at most one side added items in place of others. It returns nil if
//
//   - both sides changed one item or inserted items at one place
//   - a side deleted an item that the other side edited
//   - a side deleted items without adding others in their place
func (a *alignment) editChunks(reg region) []diff3.Chunk {
	if a.deletesEdited(three.Dest, reg) || a.deletesEdited(three.Updated, reg) {
		return nil
	}
	rangeOf := func(s three.Version) diff3.Range { return diff3.Range{Start: reg.from[s], End: reg.to[s]} }
	all := diff3.Chunk{Original: rangeOf(three.Original), Dest: rangeOf(three.Dest), Updated: rangeOf(three.Updated)}
	chunks := all.SplitBySideRuns(a.keptItems(three.Dest, reg), a.keptItems(three.Updated, reg))
	onlyDeletes := func(c diff3.Chunk) bool { return !c.Original.Empty() && (c.Dest.Empty() || c.Updated.Empty()) }
	if slices.ContainsFunc(chunks, onlyDeletes) {
		return nil // it is unknown what an item next to a deletion belongs to
	}
	return chunks
}

// keptItems returns the original's items in a region that are matched with an item of s, in the form that diff3 takes:
// runs of length 1, with indexes from the start of the region in the original (A) and in s (B).
func (a *alignment) keptItems(s three.Version, reg region) (runs []diff3.Run) {
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if j := a.Match[s][i]; j >= 0 {
			runs = append(runs, diff3.Run{A: i - reg.from[three.Original], B: j - reg.from[s], Len: 1})
		}
	}
	return runs
}

// addItems appends one step for each item of s whose index is in the range r. The steps have no index (-1) in the other
// versions.
func (a *alignment) addItems(s three.Version, r diff3.Range) {
	for j := r.Start; j < r.End; j++ {
		step := NewStep(-1, -1, -1)
		step.Index[s] = j
		a.steps = append(a.steps, step)
	}
}

// keepUnrelatedInsertions appends the steps of a region in which both sides added different things, first dest's, then
// updated's, so that they are no conflict. It returns false and appends nothing
//
//   - without a.Lines, or if the original's list is empty
//   - if dest added a mapping, and the rule says that the order matters
//   - if a side did more than add items to the list, and no rule says by which fields they are distinct
//   - if an item of dest and one of updated may be one thing
func (a *alignment) keepUnrelatedInsertions(reg region) (kept bool) {
	if a.Lines == nil || len(a.Elems[three.Original]) == 0 {
		return false
	}
	// without a field that tells items apart, a side that did more than add items may have ordered them
	if len(a.Rule.DistinctBy) == 0 && (!a.onlyAddsItems(three.Dest) || !a.onlyAddsItems(three.Updated)) {
		return false
	}
	for _, d := range a.itemsIn(three.Dest, reg) {
		if a.Rule.OrderMatters && d.Node.Kind == syntax.Mapping {
			return false
		}
		for _, u := range a.itemsIn(three.Updated, reg) {
			if !a.Rule.AreDistinct(d.Node, u.Node) && !a.Hasher.AreUnrelated(d.Node, u.Node) {
				return false
			}
		}
	}
	a.keepSide(three.Dest, reg)
	a.keepSide(three.Updated, reg)
	return true
}

// onlyAddsItems reports whether s only added items and comments: it has all items of the original's list unedited and
// in their order, and each of its comments at least once, in any order. The original and s must have the list.
func (a *alignment) onlyAddsItems(s three.Version) bool {
	for i, j := range a.Match[s] {
		if j < 0 || a.IsEdited(s, i) {
			return false
		}
	}
	sideComments := a.commentLines(s)
	return !slices.ContainsFunc(a.commentLines(three.Original), func(c string) bool { return !slices.Contains(sideComments, c) })
}

// commentLines returns the lines of the list in version s that start with #, without the blanks around them: its
// comments, with those below the last item. Such lines of block scalars are included; a side that changed them has
// edited an item anyway. The version must have the list.
func (a *alignment) commentLines(s three.Version) (all []string) {
	list := a.Lists[s]
	withTail := text.Span{Start: list.Span.Start, End: max(list.Span.End, list.Tail.End)}
	for line := range strings.Lines(string(a.Lines.Files[s].Slice(withTail))) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// KeepBothInsertions returns steps with the items of dest, then those of updated, in place of each conflict over items
// that both sides added at the same position of a list (BothInserted). changed reports whether there was such a
// conflict. steps itself is not changed.
func KeepBothInsertions(steps []Step) (out []Step, changed bool) {
	for _, st := range steps {
		if st.Conflict != BothInserted {
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

// ConflictInsertions returns steps with a conflict (BothInserted) in place of successive items of which dest added some
// and updated others. It is for lists in which the order matters, such as initContainers. changed reports whether there
// is such a conflict. steps itself is not changed.
//
//	original   dest    updated   out
//	a          a, x    a, y      a, conflict of x and y
//	a          a, x    a         a, x
func ConflictInsertions(steps []Step) (out []Step, changed bool) {
	for len(steps) > 0 {
		var added [3][]int
		n := 0 // the number of successive items that only one side has
		for ; n < len(steps) && (steps[n].isOnlyIn(three.Dest) || steps[n].isOnlyIn(three.Updated)); n++ {
			for s, i := range steps[n].Index {
				if i >= 0 {
					added[s] = append(added[s], i)
				}
			}
		}
		if len(added[three.Dest]) > 0 && len(added[three.Updated]) > 0 {
			out = append(out, Step{Index: [3]int{-1, -1, -1}, Conflict: BothInserted, Runs: added})
			changed = true
		} else {
			n = max(n, 1)
			out = append(out, steps[:n]...)
		}
		steps = steps[n:]
	}
	return out, changed
}

// A region is a range of consecutive items in each version, which are merged together. from has the index of the first
// item, and to that of the item after the last one.
type region struct {
	from, to [3]int
	// isCut means that the region is a part of one that was split at an item of both sides. Insertions of the two sides
	// may belong to this item then, as options to one value that follows them.
	isCut bool
}

// len returns the number of items that version s has in the region.
func (reg region) len(s three.Version) int { return reg.to[s] - reg.from[s] }

// itemsIn returns the items that version s has in the region.
func (a *alignment) itemsIn(s three.Version, reg region) []ident.Elem {
	return a.Elems[s][reg.from[s]:reg.to[s]]
}

// keepSide appends the steps of a region to a.steps so that the result has the items of s there, in the order of s.
// Items of the original that s deleted get steps, too, in the original's order: the caller of the package deletes them.
// Items that only the other side has get no step.
func (a *alignment) keepSide(s three.Version, reg region) {
	next := reg.from[s]
	for i := reg.from[three.Original]; i < reg.to[three.Original]; i++ {
		if j := a.Match[s][i]; j >= 0 {
			a.addItems(s, diff3.Range{Start: next, End: j})
			next = j + 1
		}
		a.steps = append(a.steps, NewStep(i, a.Match[three.Dest][i], a.Match[three.Updated][i]))
	}
	a.addItems(s, diff3.Range{Start: next, End: reg.to[s]})
}
