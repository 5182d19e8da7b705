package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The checks in this file are about items that sides moved within a list, mostly one without associative keys. A move is
// a deletion and an addition, for git and for a comparison of values. So an item that one side deleted can come back,
// and an item that both sides moved can be there twice, or in an order that no side wrote.

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
			bad = cmp.Or(o.checkDeletedKept(q), o.checkExtraCopies(q))
		}
		if l, _ := o.Rules.DeclaredList(at.Place()); bad == nil && l.OrderMatters {
			bad = q.checkBothOrders(o.match(q, by))
		}
	})
	return bad
}

// checkTextOfLineMerge returns a violation if the text q has a line twice that both sides moved, or a line that one side
// deleted and the other side moved. Otherwise it returns nil. q must be a block scalar in the result.
func (c *checker) checkTextOfLineMerge(q nodeVersions) *Violation {
	if q.hasNode(func(n *Node) bool { return !n.IsBlockScalar() }) {
		return nil
	}
	return c.checkLineCounts(q, mapVersions(q, c.textLines))
}

// checkDeletedKept returns a violation if the result of list q has an item that one side deleted and the other side
// moved or changed. Otherwise it returns nil.
//
//	base           ours           theirs         result
//	- name: a      - name: b      - name: b      - name: b
//	  run: x                      - name: a      - name: a
//	- name: b                       run: y         run: y
//
// An item is known by the fields name, id, path, key, host, url, title, href and slug, or by uses without the version.
// Such a field counts if its values are unique in each version of the list. Items in a conflict are ignored.
func (c *checker) checkDeletedKept(q nodeVersions) *Violation {
	var members [versions][]*Node
	for v := range versions {
		members[v] = c.members(q, v, false)
	}
	var fields []string
	byName := [versions]map[string]*Node{{}, {}, {}, {}}
	for _, field := range append(syntax.NameFields[:], syntax.ActionField) {
		isUnique := true
		for v := range versions {
			for _, n := range members[v] {
				if x := n.nameFromField(field); x != "" {
					isUnique = isUnique && byName[v][field+"="+x] == nil
					byName[v][field+"="+x] = n
				}
			}
		}
		if isUnique {
			fields = append(fields, field)
		}
	}
	find := func(v version, b *Node) *Node { // the item of v that is the item b of the base
		for _, field := range fields {
			n := byName[v][field+"="+b.nameFromField(field)]
			switch {
			case n == nil:
			case field != syntax.ActionField && isSameItem(b, n, fields), field == syntax.ActionField && syntax.StableNameOf(n.Node) == syntax.StableNameOf(b.Node):
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
			return k.newViolation(ruleDeletedItemKept, "deleted by %s; the other side moved or modified it, and the result has %s", k.deletedBy(), k[result].Summary())
		}
	}
	return nil
}

// checkExtraCopies returns a violation if the result of list q has an item more often than the inputs, and the base, ours
// and theirs have it equally often. Then both sides moved it, to different places. Otherwise it returns nil. Items are
// compared by their data (values, tags and anchors), and by the field uses without the version. Items of which an input
// has no copy are ignored. Items in a conflict are counted as well, so that neither side of the conflict gives a second
// copy.
//
//	base    ours    theirs    result
//	- x     - a     - a       - a
//	- a     - x     - b       - x
//	- b     - b     - x       - b
//	                          - x      violation
func (c *checker) checkExtraCopies(q nodeVersions) *Violation {
	var copies [versions]map[uint64][]*Node
	ids := func(n *Node) []uint64 {
		if action := n.Action(); action != "" {
			return []uint64{n.Data, Hash(action)}
		}
		return []uint64{n.Data}
	}
	for v := range versions {
		copies[v] = map[uint64][]*Node{}
		for i := range q[v].Children {
			k := &q[v].Children[i]
			for _, id := range ids(k) {
				copies[v][id] = append(copies[v][id], k)
			}
		}
	}
	for i := range q[result].Children {
		for _, id := range ids(&q[result].Children[i]) {
			var n versionCounts
			for v := range versions {
				n[v] = int32(c.maxCoexisting(copies[v][id]))
			}
			if !n.hasExtraCopy() {
				continue
			}
			k := nodeVersions{result: copies[result][id][n[base]]}
			for v := range result {
				k[v] = copies[v][id][0]
			}
			return k.duplicateViolation()
		}
	}
	return nil
}

// hasExtraCopy reports whether all inputs contain the counted thing equally often, at least once, and the result
// contains it more often.
func (n versionCounts) hasExtraCopy() bool {
	return n[base] > 0 && n[ours] == n[base] && n[theirs] == n[base] && n[result] > n[base]
}

// nameFromField returns the name that a field gives to item n: the scalar in it as text, without the version for the
// action of a workflow's step. It returns "" if the field is missing, null or not a scalar.
func (n *Node) nameFromField(field string) string {
	if field == syntax.ActionField {
		return n.Action()
	}
	return n.fieldValue(field)
}

// checkBothOrders returns a violation if both sides changed the order of list q, and the result does not have the order
// that both changes give together. Otherwise it returns nil. Each two items must have the order of the side that changed
// their order:
//
//	base       ours       theirs     result
//	a b c d    b a c d    a b d c    b a d c    correct
//	a b c      b a c      a c b      a c b      violation: the result does not have the order of a and b in ours
//	a b c      b a c      a c b      c b a      violation: c is above a, as in no input
//
// Of two items that were each moved by another side, either can be above the other one, except if all inputs have them
// in the same order. An item was moved if it is in no longest sequence of items in the order of the base.
//
// matches are the items of q in all versions. Items with several copies, and items with the base's lines in a conflict,
// are ignored.
func (q nodeVersions) checkBothOrders(matches []*match) *Violation {
	shared := sharedMatches(matches)
	if findReordered(shared, base, ours) == nil || findReordered(shared, base, theirs) == nil {
		return nil
	}
	moved := [result]map[*match]bool{ours: findMoved(shared, ours), theirs: findMoved(shared, theirs)}
	slices.SortFunc(shared, func(x, y *match) int { return int(x.index[result] - y.index[result]) })
	at := func(v version, sign int32, except map[*match]bool) (all []int32) {
		for _, k := range shared {
			if !except[k] || moved[ours][k] && moved[theirs][k] {
				all = append(all, sign*k.index[v])
			}
		}
		return all
	}
	isWrong := hasSwappedPair(at(ours, -1, nil), at(theirs, 1, nil)) // both sides have another order than the result
	for _, s := range sides {
		except := moved[s] // compare the items that one side did not move, then those that the other did not
		isWrong = isWrong || hasSwappedPair(at(base, 1, except), at(ours, 1, except)) || hasSwappedPair(at(base, 1, except), at(theirs, 1, except))
	}
	if isWrong {
		return q.newViolation(ruleOrder, "both sides changed the order, and the result does not have both changes")
	}
	return nil
}

// findMoved returns the items that side s surely moved: those that are in no longest sequence of items that s has in the
// order of the base. If s swapped two neighbors, either can be in such a sequence, so that neither is in the result.
// matches must have a node in the base and in s.
func findMoved(matches []*match, s version) map[*match]bool {
	sorted := slices.SortedFunc(slices.Values(matches), func(x, y *match) int { return int(x.index[base] - y.index[base]) })
	lengths := func(sign int32) (all []int) { // of the longest sequence that ends with each item
		var ends []int32 // the lowest end of a sequence of each length
		for _, k := range sorted {
			end := sign * k.index[s]
			i, _ := slices.BinarySearch(ends, end)
			if i == len(ends) {
				ends = append(ends, end)
			}
			ends[i] = end
			all = append(all, i+1)
		}
		return all
	}
	before := lengths(1)
	longest := slices.Max(append(before, 0))
	slices.Reverse(sorted)
	after := lengths(-1)
	moved := map[*match]bool{}
	for i, k := range sorted {
		if before[len(sorted)-1-i]+after[i]-1 < longest {
			moved[k] = true
		}
	}
	return moved
}

// hasSwappedPair reports whether there are two indexes i < j with a[i] < a[j] and b[i] > b[j]. a and b have the same length,
// and each has no value twice.
func hasSwappedPair(a, b []int32) bool {
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
// other side changed the order of these two. The item could belong to either of them. Otherwise it returns nil. There is
// no violation if the other side surely moved only one of the two: the item then is next to the other one.
//
//	base       ours         theirs
//	a b        a x b        b a         violation
//	a b c d    a x b c d    b c d a     none: theirs moved a
//
// matches are the items of q in all versions. Items with several copies, and items with the base's lines in a conflict, are
// ignored.
func (q nodeVersions) checkInsertedBetween(matches []*match) *Violation {
	shared := sharedMatches(matches)
	known := map[string]bool{} // the names of items that all versions have
	for _, k := range shared {
		known[syntax.StableNameOf(k.nodes[base].Node)] = true
	}
	delete(known, "")
	for _, s := range sides {
		other := s.Other()
		if findReordered(shared, base, other) == nil {
			continue
		}
		moved := findMoved(shared, other)
		slices.SortFunc(shared, func(x, y *match) int { return int(x.index[s] - y.index[s]) })
		for _, k := range matches {
			if k.hasSeveral() || k.hasMasked || k.nodes.presentIn() != inResult|1<<s || known[syntax.StableNameOf(k.nodes[s].Node)] {
				continue
			}
			i, _ := slices.BinarySearchFunc(shared, k.index[s], func(x *match, at int32) int { return int(x.index[s] - at) })
			if i == 0 || i == len(shared) {
				continue
			}
			above, below := shared[i-1], shared[i]
			isChanged := above.index[base] < below.index[base] && above.index[other] > below.index[other]
			if isChanged && moved[above] == moved[below] {
				return q.newViolation(ruleOrder, "%s added %s between two items, and %s changed the order of these", s, k.nodes[s].Summary(), other)
			}
		}
	}
	return nil
}

// sharedMatches returns the matches with a node in all versions, which can be compared by their position. Those with
// several copies, and those with the base's lines in a conflict, are left out. Matches that have only some versions of
// an item, because a side changed it, are joined if the item has a unique name.
func sharedMatches(matches []*match) (shared []*match) {
	byName := map[string]*match{} // nil if the name is not unique
	for _, k := range matches {
		switch {
		case k.hasSeveral() || k.nodes.hasBaseParts() || k.hasMasked:
		case k.nodes.presentIn() == inAll:
			shared = append(shared, k)
		default:
			name := syntax.StableNameOf(k.nodes.anyNode().Node)
			other, isRepeated := byName[name]
			switch {
			case name == "":
			case !isRepeated:
				byName[name] = k
			case other != nil && other.nodes.presentIn()&k.nodes.presentIn() == 0:
				byName[name] = other.join(k)
			default:
				byName[name] = nil
			}
		}
	}
	for _, k := range byName {
		if k != nil && k.nodes.presentIn() == inAll {
			shared = append(shared, k)
		}
	}
	return shared
}

// join returns a match with the nodes of k and other, of which no version has both.
func (k *match) join(other *match) *match {
	both := *k
	for v, n := range other.nodes {
		if n != nil {
			both.nodes[v], both.index[v] = n, other.index[v]
		}
	}
	return &both
}
