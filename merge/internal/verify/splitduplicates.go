package verify

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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

// checkSplitDuplicates returns a violation if the base contains two equal entries and each side deleted a different one
// of them, otherwise nil. members are the items of a list or the lines of a text in each version, without those that
// are ignored because they are in a conflict. The members of the result are not used. Blank lines, and items that are
// partly in a conflict, are not compared.
//
//	base   ours   theirs
//	- a    - b    - a
//	- b    - a    - b
//	- a                     violation: which a should remain?
//
// A side may have deleted the entry together with others next to it. If the side no longer contains an entry equal to
// one of these others, it deleted the group as a whole, and there is no violation. Nor is there one if one of these
// others is partly in a conflict.
// In a template, entries in the same blocks are the same, if there are such: two equal entries under two conditions are
// told apart.
func (c *checker) checkSplitDuplicates(members [versions][]*Node) *Violation {
	var hashes, guarded [versions][]uint64
	for v, all := range members {
		for _, n := range all {
			hashes[v] = append(hashes[v], ByValue(n))
			guarded[v] = append(guarded[v], syntax.CombineHashes(ByValue(n), Hash(guardText(c.guardOf(n)))))
		}
	}
	var counterparts [versions][]*Node // for each node of the base: the matching node of the side, or nil
	for _, s := range sides {
		counterparts[s] = make([]*Node, len(hashes[base]))
		a, b := 0, 0
		for _, r := range append(diff3.Match(guarded[base], guarded[s]), diff3.Run{A: len(hashes[base]), B: len(hashes[s])}) {
			for _, x := range diff3.Match(hashes[base][a:r.A], hashes[s][b:r.B]) { // under another condition
				copy(counterparts[s][a+x.A:a+x.A+x.Len], members[s][b+x.B:])
			}
			copy(counterparts[s][r.A:r.A+r.Len], members[s][r.B:])
			a, b = r.A+r.Len, r.B+r.Len
		}
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

// splitDuplicateViolation returns the violation that each side deleted a different one of several entries equal to q.
func (q nodeVersions) splitDuplicateViolation() *Violation {
	return q.newViolation(ruleSplitDuplicate, "each side deleted a different copy of %s", q.anyNode().Summary())
}

// isNonBlank reports whether n is an entry, or a line of a text that is not blank.
func (n *Node) isNonBlank() bool { return n.Entry != nil || strings.TrimSpace(n.Value) != "" }
