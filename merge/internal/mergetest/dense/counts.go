package dense

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// nodesByWord returns the values and comments of a tree, each with the nodes that have it. Its keys are those of countWords.
// The number of a node is negative if the comment is at the end of its line.
func (t *tree) nodesByWord() map[string][]int {
	of := map[string][]int{}
	for id, n := range t.nodes {
		if n.kind == leafKind {
			of["value "+n.value] = append(of["value "+n.value], id)
		}
		if n.above != "" {
			of["comment "+n.above] = append(of["comment "+n.above], id)
		}
		if n.lineComment != "" {
			of["comment "+n.lineComment] = append(of["comment "+n.lineComment], -id)
		}
	}
	return of
}

// checkCounts returns a message about a value or comment that occurs in the result b more or less often than the edits
// of both sides explain, or "" if there is none. It is weaker than the model, but also judges merges for which the
// model has no answer. A moved or renamed node may count as one node or as a deletion and an addition, so the wider of
// both ranges is allowed.
func (m *treeModel) checkCounts(b []byte) string {
	have := countWords(b)
	var of [3]map[string][]int
	var written [3]map[string]int
	words := map[string]bool{}
	for s, t := range m.versions {
		of[s], written[s] = t.nodesByWord(), countWords(t.write(format{}))
		for w := range written[s] {
			words[w] = true
		}
	}
	for w := range have {
		if !words[w] {
			return "unexpected: " + w
		}
	}
	for w := range words {
		lo, hi := m.expectedCount(of[0][w], of[1][w], of[2][w])
		least, most := expectedSum(written[0][w], written[1][w], written[2][w])
		if lo, hi = min(lo, least), max(hi, most); have[w] < lo {
			return fmt.Sprintf("lost: %s, %d and not %d times", w, have[w], lo)
		} else if have[w] > hi {
			return fmt.Sprintf("too often: %s, %d and not %d times", w, have[w], hi)
		}
	}
	return ""
}

// expectedCount returns the least and the greatest number of times that a value or comment may occur in the merge. The
// arguments are the nodes that have it in the original, dest and updated version, as returned by words.
func (m *treeModel) expectedCount(o, d, u []int) (lo, hi int) {
	has := slices.Contains[[]int]
	stay, put, fresh := 0, 0, 0 // fresh counts nodes in items that one side changed and the other side deleted
	var added, moved [2]int
	for _, id := range o {
		elsewhere := false
		for i, s := range three.Sides {
			switch {
			case !has([][]int{d, u}[i], id):
			case m.isMovedOrRenamed(max(id, -id), s):
				moved[i]++
				elsewhere = true
			case !has([][]int{u, d}[i], id) && m.isInChangedItem(max(id, -id), s):
				fresh++
			}
		}
		if has(d, id) && has(u, id) {
			stay++
			if elsewhere {
				put++
			}
		}
	}
	for i, all := range [][]int{d, u} {
		for _, id := range all {
			if !has(o, id) {
				added[i]++
			}
		}
	}
	lo = min(stay+max(added[0], added[1]), stay-put+max(added[0]+moved[0], added[1]+moved[1]))
	return lo, stay + fresh + moved[0] + moved[1] + added[0] + added[1]
}

// isMovedOrRenamed reports whether side s renamed a node or one of its ancestors, gave it another parent, or reordered a list
// without names that contains it.
func (m *treeModel) isMovedOrRenamed(id int, s three.Version) bool {
	o, n := m.versions[three.Original], m.versions[s]
	for ; id != 0 && o.nodes[id] != nil; id = n.nodes[id].parent {
		a, b := o.nodes[id], n.nodes[id]
		item := o.nodes[a.parent] != nil && o.nodes[a.parent].kind == listKind
		if a.parent != b.parent || a.key != b.key || item && o.itemName(id) != n.itemName(id) || m.hasUnnamed(a.parent) && m.isReordered(a.parent, s) {
			return true
		}
	}
	return false
}

// isInChangedItem reports whether a node is, or is within, an item without a name that side s changed. Such an item may
// also be read as a different one that s put in the place of the base's item.
func (m *treeModel) isInChangedItem(id int, s three.Version) bool {
	o, n := m.versions[three.Original], m.versions[s]
	for ; id != 0 && o.nodes[id] != nil && n.nodes[id] != nil; id = o.nodes[id].parent {
		if m.hasUnnamed(o.nodes[id].parent) && o.content(id) != n.content(id) {
			return true
		}
	}
	return false
}

// expectedSum returns the least and the greatest number of times that a word may occur in the merge, if it occurs
// o, d and u times in the versions. These differ only if both sides added it or both deleted it, since they may have
// made the same edit.
func expectedSum(o, d, u int) (lo, hi int) {
	d, u = d-o, u-o
	if d > 0 && u > 0 {
		return o + max(d, u), o + d + u
	} else if d < 0 && u < 0 {
		return max(0, o+d+u), o + min(d, u)
	}
	return o + d + u, o + d + u
}
