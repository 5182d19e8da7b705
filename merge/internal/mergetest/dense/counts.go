package dense

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// nodesByWord returns the values and comments in t, each with the numbers of the nodes that have it, negative for a
// comment at the end of a line. If the field a is node 3, its line "a: 1 # x" gives {"value 1": [3], "comment x":
// [-3]}.
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

// checkCounts returns a message about a value or comment that occurs in b, the result of a merge, more or less often
// than the edits of both sides explain, or "" if there is none. It works even if the right merge is not known. A moved
// or renamed node may count twice, as deleted and added:
//
//	base    ours    theirs    result
//	a: 1    b: 1    a: 1      1 must occur once or twice
//	a: 1    a: 2    a: 1      2 must occur once, and 1 never
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

// expectedCount returns how often a value or comment may occur in the right merge: at least lo and at most hi times. o,
// d and u are the numbers of the nodes that have it in base, ours and theirs, as nodesByWord returns them.
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

// isMovedOrRenamed reports whether side s renamed node id of base or an ancestor of it (by another key, or another name
// of an item), moved one of them to another parent, or changed the order of a list of items without names, or of a
// text, that contains it. Node id must exist in base and in s.
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

// isInChangedItem reports whether node id is in an item without a name, or in a line of a text, that side s changed.
// Such an item may also be read as a different item, by which s replaced that of base:
//
//	base      s
//	- a: 1    - a: 2 # the same item with another value, or another item
func (m *treeModel) isInChangedItem(id int, s three.Version) bool {
	o, n := m.versions[three.Original], m.versions[s]
	for ; id != 0 && o.nodes[id] != nil && n.nodes[id] != nil; id = o.nodes[id].parent {
		if m.hasUnnamed(o.nodes[id].parent) && o.content(id) != n.content(id) {
			return true
		}
	}
	return false
}

// expectedSum returns how often a word may occur in a merge, at least and at most, if it occurs o times in base, d
// times in ours and u times in theirs. The changes of the sides are added. If both added it or both deleted it, they
// may have made the same edit: 1, 2, 2 give 2 and 3.
func expectedSum(o, d, u int) (lo, hi int) {
	d, u = d-o, u-o
	if d > 0 && u > 0 {
		return o + max(d, u), o + d + u
	} else if d < 0 && u < 0 {
		return max(0, o+d+u), o + min(d, u)
	}
	return o + d + u, o + d + u
}
