package verify

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
)

// If a version contains two equal entries, each side may delete a different one. A line merge then contains neither,
// though each side keeps one:
//
//	base   ours   theirs   line merge
//	- a    - b    - a      - b
//	- b    - a    - b
//	- a
//
// Where the order matters, a person has to decide which one to keep. A repeated line may also be deleted together
// with its neighbors, like the "fi" of an "if". So a deleted run of entries is ignored if the side no longer contains
// one of them.

// checkSplitDuplicates returns a violation if it is unknown which of several equal entries of the base to delete: each
// side deleted a different one, or a deletion can slide (see findSlidingDeletion). A run of deleted entries does not
// count if the side no longer has an entry equal to one of them. members are the items of a list or the lines of a
// text; those of the result are not used. Members with the same id, except 0, are equal.
//
//	base   ours   theirs
//	- a    - b    - a
//	- b    - a    - b
//	- a                     violation: which a should remain?
func checkSplitDuplicates(members [versions][]*Node, id func(*Node) uint64) *Violation {
	var hashes [versions][]uint64
	for v, all := range members {
		for _, n := range all {
			hashes[v] = append(hashes[v], id(n))
		}
	}
	var runs [versions][]diff3.Run
	var counterparts [versions][]*Node // for each node of the base: the matching node of the side, or nil
	for _, s := range sides {
		counterparts[s] = make([]*Node, len(hashes[base]))
		runs[s] = diff3.Match(hashes[base], hashes[s])
		for _, r := range runs[s] {
			copy(counterparts[s][r.A:r.A+r.Len], members[s][r.B:])
		}
	}
	if n := findSlidingDeletion(members, hashes, runs); n != nil {
		return nodeVersions{base: n}.splitDuplicateViolation()
	}
	for _, s := range sides {
		for from, to := 0, 0; from < len(counterparts[s]); from = to + 1 {
			for to = from; to < len(counterparts[s]) && counterparts[s][to] == nil; to++ {
			}
			piece := hashes[base][from:to]
			if slices.ContainsFunc(piece, func(x uint64) bool { return x == 0 || !slices.Contains(hashes[s], x) }) {
				continue
			}
			for i, x := range piece {
				counterpart := counterparts[s.Other()][from+i]
				if counterpart == nil || !members[base][from+i].isNonBlank() {
					continue
				}
				for j, y := range hashes[base] {
					if y == x && counterparts[s][j] != nil && counterparts[s.Other()][j] == nil {
						q := nodeVersions{base: members[base][from+i]}
						q[s.Other()] = counterpart
						return q.splitDuplicateViolation()
					}
				}
			}
		}
	}
	return nil
}

// findSlidingDeletion returns an entry of the base that one side may have deleted, if it is unknown which of several
// equal entries that was, and the other side edited some of them; otherwise nil. A deleted run of entries can slide to
// the entry below it if that one is equal to the first of the run, and likewise upwards:
//
//	base    ours    theirs
//	--set   --set   --set     ours deleted entries 1 and 2, or 2 and 3;
//	a       b       a         with theirs' deletion of 3 and 4, nothing or "--set" remains
//	--set
//	b
//
// hashes are those of members, and runs the entries that each side has in common with the base.
func findSlidingDeletion(members [versions][]*Node, hashes [versions][]uint64, runs [versions][]diff3.Run) *Node {
	b := hashes[base]
	isOwnEntry := func(n *Node) bool { return n.Entry != nil || !isBlockLine(n.Value) }
	for _, s := range sides {
		last := diff3.Run{}
		for _, r := range append(slices.Clip(runs[s]), diff3.Run{A: len(b), B: len(hashes[s])}) {
			top, from, to := last.A, last.A+last.Len, r.A
			isReplaced := last.B+last.Len < r.B
			if last = r; from == to || isReplaced {
				continue
			}
			low, high := from, to
			for low > top && b[low-1] != 0 && b[low-1] == b[low-1+to-from] {
				low--
			}
			for high < r.A+r.Len && b[high] != 0 && b[high] == b[high-to+from] {
				high++
			}
			// lines such as fi belong to the block above them in every place
			isChanged := slices.ContainsFunc(members[base][low:high-to+from], isOwnEntry) && changesWithin(runs[s.Other()], low, high)
			if isChanged && !slices.Equal(keptWithin(runs[s], low, high), keptWithin(runs[s.Other()], low, high)) {
				return members[base][low]
			}
		}
	}
	return nil
}

// keptWithin returns, for each entry of the base with an index from low to high-1, whether a side still has it. runs
// are the entries that the two have in common.
func keptWithin(runs []diff3.Run, low, high int) []bool {
	kept := make([]bool, high-low)
	for _, r := range runs {
		for i := max(r.A, low); i < min(r.A+r.Len, high); i++ {
			kept[i-low] = true
		}
	}
	return kept
}

// changesWithin reports whether a side lacks an entry of the base with an index from low to high-1, but not all of
// them, or has new ones between two of them. runs are the entries that the two have in common.
func changesWithin(runs []diff3.Run, low, high int) bool {
	kept := keptWithin(runs, low, high)
	isSplit := slices.ContainsFunc(runs, func(r diff3.Run) bool { return r.A > low && r.A < high })
	return slices.Contains(kept, true) && (slices.Contains(kept, false) || isSplit)
}

// splitDuplicateViolation returns the violation that each side deleted a different one of several entries equal to q.
func (q nodeVersions) splitDuplicateViolation() *Violation {
	return q.newViolation(ruleSplitDuplicate, "each side deleted a different copy of %s", q.anyNode().Summary())
}

// isNonBlank reports whether n is an entry, or a line of a text that is not blank.
func (n *Node) isNonBlank() bool { return n.Entry != nil || strings.TrimSpace(n.Value) != "" }

// findLostCopy returns a node of the base of which each side deleted a different copy, so that the result has fewer
// copies than either side, or nil. Children with the same id are copies. Those in a conflict count, because the user
// may decide it in a way that deletes the copy that the other side kept.
func (q nodeVersions) findLostCopy(id func(*Node) uint64) *Node {
	if slices.Contains(q[:], nil) {
		return nil
	}
	counts := q.countChildren(id, true)
	for i := range q[base].Children {
		if n := &q[base].Children[i]; counts[id(n)].bothRemovedCopy() && !(n.Entry == nil && isBlockLine(n.Value)) {
			return n
		}
	}
	return nil
}
