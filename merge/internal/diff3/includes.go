package diff3

import (
	"bytes"
	"slices"
)

// UpdatedIncludesDest reports whether updated contains every edit of dest, so that updated can be the merge. It has the
// lines that dest added, in order, lacks those that dest deleted, and has nothing new in place of lines that dest only
// deleted.
//
//	original   dest   updated
//	- a        - a    - z
//	- c        - b    - a
//	           - c    - b
//	                  - c        true
//
// It returns false if dest moved a line that dest has only once.
func (v *Versions) UpdatedIncludesDest() bool {
	withDest, withUpdated := v.Align(Merge)
	original, dest, updated := v.lines[0], v.lines[1], v.lines[2]
	edits := patchesBetween(withDest, original.len(), dest.len())
	countInDest, countInUpdated := countClasses(dest.classes, v.distinctLines), countClasses(updated.classes, v.distinctLines)
	// the lines that dest deleted
	originalToUpdated := Partners(withUpdated, original.len())
	isDeleted := make([]bool, v.distinctLines) // by class
	for _, e := range edits {
		for i := e.replaced.Start; i < e.replaced.End; i++ {
			class := original.classes[i]
			isDeleted[class] = true
			// updated has more such lines than dest, among them this one or, if dest has none, any
			isRetained := countInDest[class] == 0 || originalToUpdated[i] >= 0
			if isRetained && countInUpdated[class] > countInDest[class] {
				return false
			}
		}
	}
	// the lines that dest added
	destToUpdated := Partners(v.alignSides(), dest.len())
	for _, e := range edits {
		for j := e.replacement.Start; j < e.replacement.End; j++ {
			class := dest.classes[j]
			isMoved := isDeleted[class] && countInDest[class] == 1
			isMissing := destToUpdated[j] < 0 // or in another order
			if isMoved || isMissing {
				return false
			}
		}
	}
	// the places where dest only deleted: the lines around such a place must be neighbors in updated, too
	lineInUpdated := slices.Concat([]int{-1}, destToUpdated, []int{updated.len()}) // from the line before the first one of dest
	for _, e := range edits {
		before, after := lineInUpdated[e.replacement.Start], lineInUpdated[e.replacement.Start+1]
		if e.replacement.Empty() && after != before+1 {
			return false
		}
	}
	return true
}

// Partners returns, for each item of the first of two aligned sequences, the index of its equal item in the second one.
// It is -1 for an item that is in none of runs, the runs of the alignment. n is the length of the first sequence.
func Partners(runs []Run, n int) []int {
	partners := slices.Repeat([]int{-1}, n)
	for _, r := range runs {
		for i := range r.Len {
			partners[r.A+i] = r.B + i
		}
	}
	return partners
}

// alignSides returns the runs of lines that dest and updated have in common, by the diff algorithm of `git merge`.
func (v *Versions) alignSides() []Run {
	l := v.splitLines()
	return alignClasses(l[1].classes, l[2].classes, Merge.algorithm())
}

// RevertDest returns updated without the edits that dest made to the original:
//
//	original   dest   updated   reverted
//	- a        - a    - a       - a
//	- b        - x    - x       - b
//	           - b    - b       - y
//	                  - y
//
// It merges the original and updated by lines, with dest as their base. ok is false if that has a conflict, because
// updated changed lines of such an edit, or lines that touch it.
func (v *Versions) RevertDest() (reverted []byte, ok bool) {
	withDest, _ := v.Align(Merge)
	fromDest := make([]Run, len(withDest))
	for i, r := range withDest {
		fromDest[i] = Run{A: r.B, B: r.A, Len: r.Len}
	}
	l := [3]*lines{v.lines[1], v.lines[0], v.lines[2]} // dest as the base
	m := &lineMerge{original: l[0], dest: l[1], updated: l[2]}
	m.collectHunks(mergeChunks(l, fromDest, v.alignSides(), nil))
	reverted, conflicts := m.write()
	return reverted, conflicts == 0
}

// CountMissingAdditions returns how many lines dest added, and how many of these updated lacks. Few are missing if
// updated may be a merge that includes dest. Order, indentation, blank lines and "- " do not count. ok is false if
// updated has fewer copies of a line than dest, and the original has none.
func (v *Versions) CountMissingAdditions() (missing, added int, ok bool) {
	counts := v.countLines(withoutIndent)
	delete(counts, "") // blank lines
	for _, count := range counts {
		inOriginal, inDest, inUpdated := count[0], count[1], count[2]
		added += max(0, inDest-inOriginal)
		lost := inDest - max(inOriginal, inUpdated) // updated has at most those that original has
		if lost > 0 && inOriginal == 0 {
			return 0, 0, false
		}
		missing += max(0, lost)
	}
	return missing, added, true
}

// CountRetainedDeletions returns how many lines dest deleted from the original, and how many of these updated retained.
// Few are retained if updated may be a merge that includes dest. It counts how often each line occurs, without regard
// to order and indentation:
//
//	original   dest   updated
//	a: 1       c: 3   if:          2 retained, 2 deleted
//	b: 2                a: 1
//	c: 3                b: 2
//	                  c: 3
//
// Blank lines count only if dest deleted no others.
func (v *Versions) CountRetainedDeletions() (retained, deleted int) {
	blankRetained, blankDeleted := 0, 0
	for text, perVersion := range v.countLines(bytes.TrimSpace) {
		removed := max(0, perVersion[0]-perVersion[1])
		kept := max(0, min(removed, perVersion[2]-perVersion[1]))
		if text == "" {
			blankRetained, blankDeleted = kept, removed
		} else {
			retained, deleted = retained+kept, deleted+removed
		}
	}
	if deleted == 0 {
		return blankRetained, blankDeleted
	}
	return retained, deleted
}

// countLines returns how often original, dest and updated have each line, in this order. The keys of the map are the
// lines after normalize; lines with the same key are counted together.
func (v *Versions) countLines(normalize func(line []byte) []byte) map[string]*[3]int {
	versions := v.splitLines()
	// each distinct line (class) is normalized only once
	byClass, isAdded := make([][3]int, v.distinctLines), make([]bool, v.distinctLines)
	for i, l := range versions {
		for _, class := range l.classes {
			byClass[class][i]++
		}
	}
	counts := map[string]*[3]int{}
	for _, l := range versions {
		for j, class := range l.classes {
			if isAdded[class] {
				continue // the same line again
			}
			isAdded[class] = true
			text := normalize(l.line(j))
			count := counts[string(text)]
			if count == nil {
				counts[string(text)] = &byClass[class]
				continue
			}
			for i, n := range byClass[class] { // another line with the same normalized text
				count[i] += n
			}
		}
	}
	return counts
}

// maxComparisons is the maximum number of pairs of lines that UpdatedEditsDeleted
// compares in one chunk.
const maxComparisons = 1 << 16

// UpdatedEditsDeleted reports whether updated probably edited a line that dest deleted, so that the sides disagree. A
// new line of updated that is similar to the deleted line is taken for its edit (see isEditOf):
//
//	deleted by dest     new in updated
//	image: web:1        image: web:2       an edit
//	image: web:1        name: db           no edit
//
// Only places are searched where dest has fewer lines than the original. It also returns true if there is too much to
// compare.
func (v *Versions) UpdatedEditsDeleted() bool {
	withDest, withUpdated := v.Align(Merge)
	original, dest, updated := v.lines[0], v.lines[1], v.lines[2]
	countInOriginal, countInDest := countClasses(original.classes, v.distinctLines), countClasses(dest.classes, v.distinctLines)
	inDest := Partners(withDest, original.len()) // -1 for a deleted line
	for _, c := range Chunks(original.len(), dest.len(), updated.len(), withDest, withUpdated) {
		if c.Kind != BothChanged || c.Dest.Len() >= c.Original.Len() {
			continue
		}
		comparisons := 0
		for u := c.Updated.Start; u < c.Updated.End; u++ {
			if class := updated.classes[u]; countInOriginal[class]+countInDest[class] > 0 {
				continue // not a new line
			}
			for o := c.Original.Start; o < c.Original.End; o++ {
				comparisons++
				if comparisons > maxComparisons || inDest[o] < 0 && isEditOf(original.line(o), updated.line(u)) {
					return true
				}
			}
		}
	}
	return false
}

// withoutIndent returns line without the blanks around it and the "- " of a list item at its start.
func withoutIndent(line []byte) []byte { return bytes.TrimLeft(bytes.TrimSpace(line), "- ") }

// isEditOf reports whether line is an edit of old: the two differ, and their common
// prefix and suffix together are more than half of the longer one. It ignores
// indentation and blanks at the end.
//
//	image: web:1    image: web:2    true
//	image: web:1    name: db        false
func isEditOf(old, line []byte) bool {
	old, line = bytes.TrimSpace(old), bytes.TrimSpace(line)
	head, tail := commonAffixes(old, line)
	return 2*(head+tail) > max(len(old), len(line)) && !bytes.Equal(old, line)
}
