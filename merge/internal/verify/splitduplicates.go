package verify

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
)

// Of two equal things each side may remove another one, so that a merge has neither, though each side alone keeps one:
//
//	base   ours   theirs   line merge
//	- a    - b    - a      - b
//	- b    - a    - b
//	- a
//
// Which of them stays is a question wherever the order counts. A line that is there twice may go with what stands beside it, as a
// `fi` does with its `if`: so what a side removed in one piece does not count if there is something in it that the side has no longer.

// checkSplitDuplicates returns a violation if each side removed another one of two equal entries of the base, nil if none did.
// members are the entries of a list, or the lines of a text, as they count in each version.
func checkSplitDuplicates(members [versions][]*Node) *Violation {
	var hashes [versions][]uint64
	for v, all := range members {
		for _, n := range all {
			hashes[v] = append(hashes[v], ByValue(n))
		}
	}
	var mates [versions][]*Node // of the base: the node of each side with which it is aligned, nil if the side removed it
	for _, s := range sides {
		mates[s] = make([]*Node, len(hashes[base]))
		for _, r := range diff3.Match(hashes[base], hashes[s]) {
			copy(mates[s][r.A:r.A+r.Len], members[s][r.B:])
		}
	}
	for _, s := range sides {
		for from, to := 0, 0; from < len(mates[s]); from = to + 1 {
			for to = from; to < len(mates[s]) && mates[s][to] == nil; to++ {
			}
			piece := hashes[base][from:to]
			if slices.ContainsFunc(piece, func(x uint64) bool { return x == 0 || !slices.Contains(hashes[s], x) }) {
				continue
			}
			for i, x := range piece {
				mate := mates[s.Other()][from+i]
				if mate == nil || !members[base][from+i].isNonBlank() {
					continue
				}
				for j, y := range hashes[base] {
					if y == x && mates[s][j] != nil && mates[s.Other()][j] == nil {
						q := nodeVersions{base: members[base][from+i]}
						q[s.Other()] = mate
						return q.splitDuplicateViolation()
					}
				}
			}
		}
	}
	return nil
}

// splitDuplicateViolation says that each side removed another one of q.
func (q nodeVersions) splitDuplicateViolation() *Violation {
	return q.newViolation(ruleSplitDuplicate, "each side removed another one of %s, which is there more than once", q.anyNode().Summary())
}

// isNonBlank reports whether n is no blank line.
func (n *Node) isNonBlank() bool { return n.Entry != nil || strings.TrimSpace(n.Value) != "" }
