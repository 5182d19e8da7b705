package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The checks in this file are about items that sides moved within a list without associative keys. A move is a deletion
// and an addition, for git and for a comparison of values. So an item that one side deleted can come back, and an item
// that both sides moved can be there twice, or in an order that no side wrote.

// checkListsOfLineMerge returns a violation of git's line-by-line merge in a list or a text that both sides changed, or
// nil if there is none. The versions of each list are found by the lines of the merge. These are violations:
//
//   - a line of a text twice that both sides moved
//   - an item that one side deleted and the other side moved (see checkMovedOfDeleted)
//   - more copies of an item than in each input, if all inputs have equally many (see checkMovedTwice)
//   - if the schema says that the order of the list matters: an order that the moves of both sides do not give
//
// In lists that are merged by associative keys or as a set, only the last one is checked, as their items are compared by
// identity.
func (o *origins) checkListsOfLineMerge() (bad *Violation) {
	o.docs[result].Walk(func(r *Node) {
		if bad != nil || r.Kind != syntax.Sequence && !r.IsBlockScalar() || r == o.docs[result] {
			return
		}
		originals := o.originalsOf(r)
		if len(originals) == 0 || originals[0].Version != base || originals[0].Kind != r.Kind {
			return
		}
		b := originals[0]
		q := nodeVersions{b, o.sideNodeOf(ours, b), o.sideNodeOf(theirs, b), r}
		for _, s := range sides {
			if q[s] == nil || q[s].Kind != r.Kind || q[s].Data == b.Data {
				return // not both sides changed it
			}
		}
		if r.IsBlockScalar() {
			bad = o.checkTextOfLineMerge(q)
			return
		}
		at := o.pathOf(b)
		by, _ := o.pairingOf(at, q)
		if by.isByValue {
			bad = cmp.Or(o.checkMovedOfDeleted(q), o.checkMovedTwice(q))
		}
		if l, _ := o.Rules.DeclaredList(at.Place()); bad == nil && l.OrderMatters {
			bad = q.checkBothOrders(o.match(q, by))
		}
	})
	return bad
}

// checkTextOfLineMerge returns a violation if the text q has a line twice that both sides moved, and otherwise nil. q
// must be a block scalar in the result.
func (c *checker) checkTextOfLineMerge(q nodeVersions) *Violation {
	if q.hasNode(func(n *Node) bool { return !n.IsBlockScalar() }) {
		return nil
	}
	if l := nodeVersions(mapVersions(q, c.textLines)).findLineMovedTwice(); l != nil {
		return q.newViolation(ruleDuplicate, "both sides moved %s, and the result has both copies", l.Summary())
	}
	return nil
}

// checkMovedOfDeleted returns a violation if the result of list q has an item that one side deleted and the other side
// moved or changed. Otherwise it returns nil.
//
//	base           ours           theirs         result
//	- name: a      - name: b      - name: b      - name: b
//	  run: x                      - name: a      - name: a
//	- name: b                       run: y         run: y
//
// An item is known by the fields name, id, path, key, host, url, title, href and slug. Such a field counts if its values
// are unique in each version of the list. Items in a conflict are ignored.
func (c *checker) checkMovedOfDeleted(q nodeVersions) *Violation {
	var members [versions][]*Node
	for v := range versions {
		members[v] = c.members(q, v, false)
	}
	fields := slices.DeleteFunc(slices.Clone(syntax.NameFields[:]), func(field string) bool {
		return slices.ContainsFunc(members[:], func(all []*Node) bool { return hasRepeatedField(all, field) })
	})
	if len(fields) == 0 {
		return nil
	}
	byName := [versions]map[string]*Node{}
	for v := range versions {
		byName[v] = map[string]*Node{}
		for _, n := range members[v] {
			for _, field := range fields {
				if x := n.fieldValue(field); x != "" {
					byName[v][field+"="+x] = n
				}
			}
		}
	}
	find := func(v version, b *Node) *Node { // the item of v that is the item b of the base
		for _, field := range fields {
			if n := byName[v][field+"="+b.fieldValue(field)]; n != nil && isSameItem(b, n, fields) {
				return n
			}
		}
		return nil
	}
	for _, b := range members[base] {
		if b.Kind != syntax.Mapping {
			continue
		}
		k := nodeVersions{base: b}
		for _, v := range [...]version{ours, theirs, result} {
			k[v] = find(v, b)
		}
		if k[result] != nil && (k[ours] == nil) != (k[theirs] == nil) {
			return k.newViolation(ruleMovedOfDeleted, "deleted by %s; the other side moved or modified it, and the result has %s", k.deletedBy(), k[result].Summary())
		}
	}
	return nil
}

// checkMovedTwice returns a violation if the result of list q has an item more often than the inputs, and the base, ours
// and theirs have it equally often. Then both sides moved it, to different places. Otherwise it returns nil. Items are
// compared by their data: values, tags and anchors. Items of which an input has no copy are ignored. Items in a conflict
// are counted as well, so that neither side of the conflict gives a second copy.
//
//	base    ours    theirs    result
//	- x     - a     - a       - a
//	- a     - x     - b       - x
//	- b     - b     - x       - b
//	                          - x      violation
func (c *checker) checkMovedTwice(q nodeVersions) *Violation {
	var byData [versions]map[uint64][]*Node
	for v := range versions {
		byData[v] = map[uint64][]*Node{}
		for i := range q[v].Children {
			k := &q[v].Children[i]
			byData[v][k.Data] = append(byData[v][k.Data], k)
		}
	}
	for i := range q[result].Children {
		data := q[result].Children[i].Data
		var n versionCounts
		for v := range versions {
			n[v] = int32(c.maxCoexisting(byData[v][data]))
		}
		if n.isMovedTwice() {
			k := nodeVersions{result: byData[result][data][n[base]]}
			for v := range result {
				k[v] = byData[v][data][0]
			}
			return k.duplicateViolation()
		}
	}
	return nil
}

// isMovedTwice reports whether all inputs contain the counted thing equally often, at least once, and the result
// contains it more often.
func (n versionCounts) isMovedTwice() bool {
	return n[base] > 0 && n[ours] == n[base] && n[theirs] == n[base] && n[result] > n[base]
}

// hasRepeatedField reports whether two of items are mappings with an equal scalar in the given field, as hasRepeated
// does for all items of a list.
func hasRepeatedField(items []*Node, field string) bool {
	seen := map[string]bool{}
	for _, n := range items {
		if x := n.fieldValue(field); x != "" {
			if seen[x] {
				return true
			}
			seen[x] = true
		}
	}
	return false
}

// checkBothOrders returns a violation if both sides changed the order of list q, and the result does not have the order
// that both changes give together. Otherwise it returns nil. Each two items must have the order of the side that changed
// their order:
//
//	base       ours       theirs     result
//	a b c d    b a c d    a b d c    b a d c    correct
//	a b c      b a c      a c b      a c b      violation: the result has not the order of a and b in ours
//	a b c      b a c      a c b      c b a      violation: c is above a, as in no input
//
// matches are the items of q in all versions. Items with several copies, and items with the base's lines in a conflict,
// are ignored.
func (q nodeVersions) checkBothOrders(matches []*match) *Violation {
	shared := sharedMatches(matches)
	if findReordered(shared, base, ours) == nil || findReordered(shared, base, theirs) == nil {
		return nil
	}
	slices.SortFunc(shared, func(x, y *match) int { return int(x.index[result] - y.index[result]) })
	var at [result][]int32 // the positions of the items in the inputs, in the order of the result
	for v := range result {
		for _, k := range shared {
			at[v] = append(at[v], k.index[v])
		}
	}
	negative := slices.Clone(at[ours])
	for i := range negative {
		negative[i] *= -1
	}
	// Only one side changed the order of two items, and the result has that of the base; or both have another order.
	if hasSwapped(at[base], at[ours]) || hasSwapped(at[base], at[theirs]) || hasSwapped(negative, at[theirs]) {
		return q.newViolation(ruleOrder, "both sides changed the order, and the result does not have both changes")
	}
	return nil
}

// hasSwapped reports whether there are two indexes i < j with a[i] < a[j] and b[i] > b[j]. a and b have the same length,
// and each has no value twice.
func hasSwapped(a, b []int32) bool {
	sorted := slices.Sorted(slices.Values(a))
	highest := make([]int32, len(a)+1) // a Fenwick tree: the highest value of b so far, by the rank of the value of a
	for i := range highest {
		highest[i] = math.MinInt32
	}
	for i := range a {
		rank, _ := slices.BinarySearch(sorted, a[i])
		for k := rank; k > 0; k -= k & -k {
			if highest[k] > b[i] {
				return true
			}
		}
		for k := rank + 1; k < len(highest); k += k & -k {
			highest[k] = max(highest[k], b[i])
		}
	}
	return false
}

// checkInsertedBetween returns a violation if one side inserted an item between two items of the ordered list q, and the
// other side changed the order of these two. The item could belong to either of them. Otherwise it returns nil.
//
//	base    ours       theirs
//	a b     a x b      b a
//
// matches are the items of q in all versions. Items with several copies, and items with the base's lines in a conflict, are
// ignored.
func (q nodeVersions) checkInsertedBetween(matches []*match) *Violation {
	shared := sharedMatches(matches)
	for _, s := range sides {
		other := s.Other()
		if findReordered(shared, base, other) == nil {
			continue
		}
		slices.SortFunc(shared, func(x, y *match) int { return int(x.index[s] - y.index[s]) })
		for _, k := range matches {
			if k.hasSeveral() || k.hasMasked || k.nodes.presentIn() != inResult|1<<s {
				continue
			}
			i, _ := slices.BinarySearchFunc(shared, k.index[s], func(x *match, at int32) int { return int(x.index[s] - at) })
			if i > 0 && i < len(shared) && shared[i].index[other] < shared[i-1].index[other] {
				return q.newViolation(ruleOrder, "%s added %s between two items, and %s changed the order of these", s, k.nodes[s].Summary(), other)
			}
		}
	}
	return nil
}

// sharedMatches returns the matches with a node in all versions, which can be compared by their position. Those with
// several copies, and those with the base's lines in a conflict, are left out.
func sharedMatches(matches []*match) []*match {
	return slices.DeleteFunc(slices.Clone(matches), func(k *match) bool {
		return k.nodes.presentIn() != inAll || k.hasSeveral() || k.nodes.hasBaseParts() || k.hasMasked
	})
}
