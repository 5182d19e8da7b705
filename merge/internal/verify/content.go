package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The checks in this file find edits that were lost because the other side moved or wrapped the edited entry. They follow
// leaves to new addresses: scalars, aliases and empty collections, each with its mapping key and its quotes.
//
//	base        ours        theirs      result
//	a:          a:          a:          a:
//	  x: one      w:          y: two      w:
//	  y: two        x: one                  x: one     violation: theirs deleted x, ours moved it
//	                y: two                  y: two

// leaves has the leaves of each version by their hash, with those in conflicts.
type leaves struct {
	*checker
	nodes [versions]map[uint64][]*Node
	// of a collection of a side: how many of its leaves each collection of the base has; see isNewInAddedByBoth
	sources map[*Node]map[*Node]int
}

// leafHash returns a hash of the mapping key, the value and the quotes of n, a scalar, an alias or an empty collection.
// It returns 0 if n has children, or is the root of a document.
func leafHash(n *Node) uint64 {
	if n.Entry == nil || len(n.Children) > 0 {
		return 0
	}
	hash := syntax.CombineHashes(n.KeyHash, n.Data)
	if n.Kind == syntax.Scalar && !n.IsBlockScalar() {
		hash = syntax.CombineHashes(hash, uint64(n.Style))
	}
	return hash
}

// checkLeaves verifies the leaves that one side moved: scalars, aliases and empty collections, each with its mapping
// key. The result must not have such a leaf if the other side deleted it, have it twice, or lack it (checkMoved), or
// have it in an order that the other side changed (checkOrder). It returns a violation of checkOrder, or one that ends
// the verification; those of checkMoved are recorded (see record).
func (c *checker) checkLeaves() *Violation {
	l := &leaves{checker: c, sources: map[*Node]map[*Node]int{}}
	for v := range versions {
		l.nodes[v] = map[uint64][]*Node{}
	}
	var order []uint64 // the hashes of the leaves of the base
	for v := range versions {
		c.docs[v].Walk(func(n *Node) {
			hash := leafHash(n)
			if hash == 0 {
				return
			}
			if v == base {
				order = append(order, hash)
			}
			l.nodes[v][hash] = append(l.nodes[v][hash], n)
		})
	}
	for _, hash := range order {
		if x := c.record(l.checkMoved(hash)); x != nil {
			return x
		}
	}
	return l.checkOrder()
}

// countsOf returns how often each version has the leaf with this hash.
func (l *leaves) countsOf(hash uint64) (n versionCounts) {
	for v := range versions {
		n[v] = int32(len(l.nodes[v][hash]))
	}
	return n
}

// checkMoved returns a violation about the leaf with this hash if a side moved it: the base has it once, and the side
// has it at another address. The result must not
//
//	have it             if the other side deleted it
//	have it twice       if each input has it once
//	lack it             if each input has it once, the other side at the old address; block scalars may be missing
//
// It returns nil if the other side edited the value at the old address, and for most leaves in conflicts. The violation
// is about the largest node around the leaf for all of whose leaves the same is true.
func (l *leaves) checkMoved(hash uint64) *Violation {
	n := l.countsOf(hash)
	for _, s := range sides {
		isUndone := func(n versionCounts) bool { return n.isDeletedByOther(s) }
		isDoubled := func(n versionCounts) bool { return n == versionCounts{1, 1, 1, 2} }
		isLost := func(n versionCounts) bool { return n == versionCounts{1, 1, 1, 0} }
		test, rule, detail := isUndone, RuleMisplaced, ""
		switch {
		case isDoubled(n):
			test, detail = isDoubled, "moved to different places"
		case isLost(n):
			test, rule, detail = isLost, RuleMovedLost, "base, ours and theirs have it; the result does not"
		}
		if !test(n) {
			continue
		}
		var q nodeVersions
		for v := range versions {
			if n[v] > 0 {
				q[v] = l.nodes[v][hash][0]
			}
		}
		isEdited := func(x *Node) bool { return len(l.nodes[base][leafHash(x)]) == 0 }
		switch {
		case l.addressOf(q[s]) == l.addressOf(q[base]):
			continue
		case isDoubled(n) && (l.isInConflict(s, q[s]) || l.isInConflict(s.Other(), q[s.Other()])):
			continue
		case isUndone(n) && l.isInConflict(s, q[s]) && l.isInConflict(base, q[base]):
			continue
		case slices.ContainsFunc(l.nodesWithAddress(s.Other(), l.addressOf(q[base])), isEdited):
			continue // the other side changed it
		case isLost(n) && (q[base].IsBlockScalar() || l.addressOf(q[s.Other()]) != l.addressOf(q[base])):
			continue // each side may have edited it at another place
		case l.hasNewOwnerOfPlace(q[base], q[s]), l.isNewInAddedByBoth(q[base], q[s]):
			continue
		}
		for v, x := range q {
			if x != nil {
				q[v] = l.outermost(x, test)
			}
		}
		return q.newViolation(rule, "%s", cmp.Or(detail, "deleted by "+s.Other().String()+", moved by "+s.String()))
	}
	return nil
}

// hasNewOwnerOfPlace reports whether something else is now at the old place of b, a leaf of the base that side s moved
// to n. This is so if s gave the old name of a collection around b to another one: one with a leaf that the base lacks
// and the other side has. Of the collections around b, the smallest ones are searched, up to the first that is also
// around n.
func (l *leaves) hasNewOwnerOfPlace(b, n *Node) bool {
	s, isAround := n.Version, map[uint64]bool{}
	for up := l.parentOf(n); up != nil; up = l.parentOf(up) {
		isAround[l.addressOf(up)] = true
	}
	found := false
	for up := l.parentOf(b); up.Entry != nil && !found; up = l.parentOf(up) {
		for _, x := range l.nodesWithAddress(s, l.addressOf(up)) {
			x.Walk(func(k *Node) {
				counts := l.countsOf(leafHash(k))
				found = found || counts[base] == 0 && counts[s.Other()] > 0
			})
		}
		if isAround[l.addressOf(up)] {
			break
		}
	}
	return found
}

// isNewInAddedByBoth reports whether n, a leaf of a side, is probably new and not the leaf b of the base. This is so if
// both sides added the collection around n, and this collection has no other leaf of the collection around b.
func (l *leaves) isNewInAddedByBoth(b, n *Node) bool {
	old, added := l.parentOf(b), l.parentOf(n)
	if added.Entry == nil || len(l.nodesWithAddress(base, added.Addr)) > 0 || len(l.nodesWithAddress(n.Version.Other(), added.Addr)) == 0 {
		return false
	}
	from := l.sources[added]
	if from == nil {
		from = map[*Node]int{}
		for i := range added.Children {
			for _, x := range l.nodes[base][leafHash(&added.Children[i])] {
				from[l.parentOf(x)]++
			}
		}
		l.sources[added] = from
	}
	return from[old] < 2
}

// outermost returns the largest node around n, but not a document, for all of whose leaves test is true. It returns n
// if there is no larger one. test gets the numbers of occurrences of a leaf in the versions.
func (l *leaves) outermost(n *Node, test func(versionCounts) bool) *Node {
	var holds func(n *Node) bool
	holds = func(n *Node) bool {
		for i := range n.Children {
			if !holds(&n.Children[i]) {
				return false
			}
		}
		return len(n.Children) > 0 || test(l.countsOf(leafHash(n)))
	}
	for up := l.parentOf(n); up != nil && up.Entry != nil && holds(up); up = l.parentOf(up) {
		n = up
	}
	return n
}

// checkOrder returns a violation if the result has leaves in another order than side s, although only s changed their
// order or added one between two others. The other side has then moved leaves to another collection. A leaf is not
// compared if a version repeats it, or if both sides added it. It returns nil if there are conflicts.
func (l *leaves) checkOrder() *Violation {
	if len(l.Conflicts) > 0 {
		return nil
	}
	var matches, shared []*match
	for hash := range l.nodes[result] {
		n := l.countsOf(hash)
		if slices.Max(n[:]) > 1 || n[base] == 0 && n[ours] == n[theirs] {
			continue
		}
		k := &match{}
		for v := range versions {
			if n[v] > 0 {
				k.nodes[v], k.index[v] = l.nodes[v][hash][0], l.nodes[v][hash][0].index
			}
		}
		matches = append(matches, k)
		if k.nodes.presentIn() == inAll {
			shared = append(shared, k)
		}
	}
	for _, s := range sides {
		other := s.Other()
		moved := findMoved(shared, other)
		for _, areMoved := range [...]bool{false, true} { // among each other
			compared := slices.DeleteFunc(slices.Clone(matches), func(k *match) bool { return moved[k] != areMoved || k.nodes[s] == nil })
			if findReordered(compared, base, other) != nil {
				continue
			}
			slices.SortFunc(compared, func(x, y *match) int { return int(x.index[s] - y.index[s]) })
			// without a leaf in another collection, its siblings have been compared already
			isElsewhere := func(k *match) bool {
				b, n := k.nodes[base], k.nodes[other]
				return b != nil && n != nil && l.addressOf(l.parentOf(b)) != l.addressOf(l.parentOf(n))
			}
			if x, y := findOutOfPlace(compared, s); x != nil && (areMoved || slices.ContainsFunc(compared, isElsewhere)) {
				var q nodeVersions
				for v := range versions {
					q[v] = l.commonParent(x.nodes[v], y.nodes[v])
				}
				for v, n := range q { // the collection that the base has, even if the two are in a part of it now
					for ; n != nil && q[base] != nil && l.addressOf(n) != l.addressOf(q[base]); n = l.parentOf(n) {
					}
					q[v] = n
				}
				return q.newViolation(RuleOrder, "the order differs from %s", s)
			}
		}
	}
	return nil
}

// commonParent returns the smallest collection around both a and b, two leaves of one version, or the list of
// documents. It returns nil if a or b is nil.
func (l *leaves) commonParent(a, b *Node) *Node {
	if a == nil || b == nil {
		return nil
	}
	around := map[*Node]bool{}
	for ; a != nil; a = l.parentOf(a) {
		around[a] = true
	}
	for !around[b] {
		b = l.parentOf(b)
	}
	return b
}

// findOutOfPlace returns two leaves x and y that side s has in this order and the result in another one. Both are nil
// if there are none. matches are in the order of s. It compares each leaf of the base with the next one, if one of the
// two has another address in the result. A leaf that s added between the two is compared if both have another address.
func findOutOfPlace(matches []*match, s version) (x, y *match) {
	isElsewhere := func(k *match) bool { return k.nodes[s].Addr != k.nodes[result].Addr }
	var last *match // of the base
	var added []*match
	for _, k := range matches {
		if k.nodes[base] == nil {
			added = append(added, k)
			continue
		}
		if last != nil {
			if k.index[result] < last.index[result] && (isElsewhere(k) || isElsewhere(last)) {
				return last, k
			}
			for _, x := range added {
				isBetween := last.index[result] < x.index[result] && x.index[result] < k.index[result]
				if !isBetween && isElsewhere(k) && isElsewhere(last) {
					return last, x
				}
			}
		}
		last, added = k, nil
	}
	return nil, nil
}
