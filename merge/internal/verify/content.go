package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The checks in this file find edits that were lost because the other side moved or wrapped the edited entry. They
// follow leaves to new addresses: scalars, aliases and empty collections, each with its mapping key and its quotes.
//
//	base        ours        theirs      result
//	a:          a:          a:          a:
//	  x: one      w:          y: two      w:
//	  y: two        x: one                  x: one     violation: theirs deleted x, ours moved it
//	                y: two                  y: two

// leaves has the leaves of each version by their hash, with those in conflicts.
type leaves struct {
	*checker
	nodeGroups
	// of a collection of a side: how many of its leaves each collection of the base has; see isNewInAddedByBoth
	leafOrigins map[*Node]map[*Node]int
	// of a side: whether a leaf with this name and parent is new; see hasEdited; nil before it is needed
	newNames [result]map[uint64]bool
	// of a node of a side: whether it has a leaf that the base lacks and the other side has; see hasNewLeaf
	withNewLeaf map[*Node]bool
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

// checkLeaves finds edits of leaves (scalars, aliases and empty collections) that were lost because a side moved the
// leaves to another address. It records a violation for each leaf of the base with such an edit (checkMoved). It
// returns one if the result has leaves in another order than a side (checkOrder), otherwise nil.
func (c *checker) checkLeaves() *Violation {
	l := &leaves{checker: c, leafOrigins: map[*Node]map[*Node]int{}, withNewLeaf: map[*Node]bool{}}
	l.nodeGroups = mapVersions(c.docs, func(docs *Node) map[uint64][]*Node { return docs.groupNodes(leafHash) })
	c.docs[base].Walk(func(n *Node) {
		if hash := leafHash(n); hash != 0 && l.nodeGroups[base][hash][0] == n && !c.isDone() {
			c.record(l.checkMoved(hash))
		}
	})
	return l.checkOrder()
}

// checkMoved returns a violation about a leaf of the base, given by its hash, if a side moved the leaf (isMovedBy) and
// an edit was lost:
//   - the other side deleted it, and the result has it
//   - both sides moved it to different places, and the result has two
//   - the result lacks it, although all inputs have it
//
// The violation is about the largest collection around the leaf in which this is so for all leaves. An item that a side
// divided is verified by checkDivided.
func (l *leaves) checkMoved(hash uint64) *Violation {
	n := l.countsOf(hash)
	isOpen := func(n *Node) bool { return n != nil && l.isInConflict(n.Version, n) }
	if q := l.first(hash); l.maker == byLines && slices.ContainsFunc(q[:result], isOpen) {
		return nil // git's page may leave the rest of a move to the user
	}
	for _, s := range sides { // s may have divided the item around the leaf, and the other side deleted the leaf
		if n[result] == n[base] && n[s] == n[base]+1 && n[s.Other()] == n[base]-1 {
			return l.checkDivided(s, hash)
		}
	}
	bad, ok := movedLeafViolations[n]
	if !ok {
		return nil
	}
	q := l.first(hash)
	if !l.isMovedBy(ours, q) && !l.isMovedBy(theirs, q) {
		return nil
	}
	for v, x := range q {
		if x != nil {
			q[v] = l.outermost(x, n)
		}
	}
	return q.newViolation(bad.Rule, "%s", bad.Detail)
}

// movedLeafViolations are the violations about a leaf that a side moved, by the numbers of the leaf in base, ours,
// theirs and the result.
var movedLeafViolations = map[versionCounts]Violation{
	{1, 1, 0, 1}: {Rule: RuleMisplaced, Detail: "deleted by theirs, moved by ours"},
	{1, 0, 1, 1}: {Rule: RuleMisplaced, Detail: "deleted by ours, moved by theirs"},
	{1, 1, 1, 2}: {Rule: RuleMisplaced, Detail: "moved to different places"},
	{1, 1, 1, 0}: {Rule: RuleMovedLost, Detail: "base, ours and theirs have it; the result does not"},
}

// checkDivided returns a violation if side s divided an item without a name into several parts, and the other side
// changed the item: the result has this change in one part only. hash is that of a leaf in the item and in the parts.
//
//	base                ours                      theirs              result
//	- on: [pods, jobs]  - on: [pods]              - on: [pods, jobs]  - on: [pods]
//	  verbs: [delete]     verbs: [delete]           verbs: [get]        verbs: [delete]     violation
//	                    - on: [jobs]                                  - on: [jobs]
//	                      verbs: [delete]                               verbs: [get]
func (l *leaves) checkDivided(s version, hash uint64) *Violation {
	inBase, dataOfBase := l.itemsAround(base, hash)
	added, dataOfSide := l.itemsAround(s, hash)
	_, dataOfOther := l.itemsAround(s.Other(), hash)
	added = slices.DeleteFunc(added, func(x *Node) bool { return dataOfBase[x.Data] })
	added = added[:min(len(added), maxMixedCompared)]
	for _, b := range inBase {
		if b.NameHash() != nameless || dataOfSide[b.Data] || dataOfOther[b.Data] {
			continue
		}
		isOther := func(x *Node) bool { return l.addressOf(l.parentOf(x)) != l.addressOf(l.parentOf(b)) || !l.isPart(x, b) }
		if parts := slices.DeleteFunc(slices.Clone(added), isOther); len(parts) > 1 {
			q := nodeVersions{base: b}
			q[s] = parts[0]
			return q.newViolation(RuleMisplaced, "changed by %s, divided by %s", s.Other(), s)
		}
	}
	return nil
}

// itemsAround returns the items of lists in v that contain the leaf with this hash: for each copy of the leaf, the
// smallest item around it. An item with several copies is returned once, and copies in no item are left out. data is
// the set of the data hashes of the items.
func (l *leaves) itemsAround(v version, hash uint64) (items []*Node, data map[uint64]bool) {
	seen, data := map[*Node]bool{nil: true}, map[uint64]bool{}
	for _, leaf := range l.nodeGroups[v][hash] {
		if x := l.itemAround(leaf); !seen[x] {
			items, seen[x], data[x.Data] = append(items, x), true, true
		}
	}
	return items, data
}

// isPart reports whether item n is a part of item b: it has some of the leaves of b, but not all, and no others. {x: 1}
// is a part of {x: 1, y: 2}; {x: 1, z: 3} is not.
func (l *leaves) isPart(n, b *Node) bool {
	common, size := l.countCommonLeaves(n, b)
	_, all := l.countCommonLeaves(b, n)
	return common == size && size < all
}

// itemAround returns the smallest item of a list around leaf, which is not the leaf itself, or nil.
func (l *leaves) itemAround(leaf *Node) *Node {
	n := l.parentOf(leaf)
	for n != nil && (n.Entry == nil || n.Entry.Key != nil) {
		n = l.parentOf(n)
	}
	return n
}

// isMovedBy reports whether side s certainly moved a leaf: the base and s have it at different addresses, as when s
// changed {x: 1} to {w: {x: 1}}. q is the leaf in each version. It returns false if s lacks the leaf, and in doubt, so
// that no correct result is rejected. Examples of doubt are
//   - the leaf is in a conflict
//   - s may have changed the values at both addresses: it still has a leaf at the old one, and the new one is unique in
//     the base and in s
//   - the other side may have changed its value (hasEdited)
//   - the leaf at the new address may be a new one (hasNewOwnerOfPlace, isNewInAddedByBoth)
//
// If the other side deleted the leaf, the two addresses may be equal: all items without names in a list have the same
// address, so s may have moved the leaf from one to another.
func (l *leaves) isMovedBy(s version, q nodeVersions) bool {
	b, n, other := q[base], q[s], q[s.Other()]
	if n == nil {
		return false
	}
	isAtOldPlace := l.addressOf(n) == l.addressOf(b)
	isUnique := func(v version) bool { return len(l.nodesWithAddress(v, l.addressOf(n))) == 1 } // at the place of n
	keepsOldPlace := len(l.nodesWithAddress(s, l.addressOf(b))) > 0                             // with another value
	var isUncertain bool
	switch {
	case other == nil && isAtOldPlace: // perhaps in another item without a name, which has the same address
		isUncertain = len(l.Conflicts) > 0
	case isAtOldPlace, keepsOldPlace && isUnique(base) && isUnique(s): // or n is the new value of another leaf
		return false
	case other == nil:
		isUncertain = l.isInConflict(s, n) && l.isInConflict(base, b)
	case q[result] != nil: // two copies
		isUncertain = l.isInConflict(s, n) || l.isInConflict(s.Other(), other)
	default: // the result lacks it; each side may have edited it at another place
		isUncertain = b.IsBlockScalar() || l.addressOf(other) != l.addressOf(b)
	}
	return !isUncertain && !l.hasEdited(s.Other(), b) && !l.hasNewOwnerOfPlace(b, n) && !l.isNewInAddedByBoth(b, n)
}

// hasEdited reports whether side s changed the value of b, a leaf of the base: in place of b, s has a leaf that the
// base has nowhere, or a collection with children. Usually, this is at the address of b. Because s may have moved the
// collection around b, a new leaf with the mapping key of b counts in another collection of that name, too.
//
//	base          s
//	a: {x: 1}     a: {x: 2}           true: x at the same address
//	a: {x: 1}     w: {a: {x: 2}}      true: x in another collection that is named a
//	a: {x: 1}     w: {a: {x: 1}}      false
func (l *leaves) hasEdited(s version, b *Node) bool {
	isNew := func(x *Node) bool { return len(l.nodeGroups[base][leafHash(x)]) == 0 }
	if slices.ContainsFunc(l.nodesWithAddress(s, l.addressOf(b)), isNew) {
		return true
	}
	if l.newNames[s] == nil {
		l.newNames[s] = map[uint64]bool{}
		for _, nodes := range l.nodeGroups[s] {
			for _, x := range nodes {
				l.newNames[s][l.nameWithParent(x)] = l.newNames[s][l.nameWithParent(x)] || isNew(x)
			}
		}
	}
	name := l.nameWithParent(b)
	return name != 0 && l.newNames[s][name]
}

// nameWithParent returns a hash of the mapping key of a leaf and of the name of the collection around the leaf. It
// returns 0 if the leaf has no mapping key, or the collection has no name.
func (l *leaves) nameWithParent(leaf *Node) uint64 {
	parent := l.parentOf(leaf)
	if leaf.KeyHash == 0 || parent.Entry == nil || parent.NameHash() == nameless {
		return 0
	}
	return syntax.CombineHashes(parent.NameHash(), leaf.KeyHash)
}

// hasNewOwnerOfPlace reports whether n, a leaf of side s, is probably new and not moved from b, the equal leaf of the
// base. It is if s has something else at the place of b: a collection with the address of one around b has a leaf that
// both sides added.
//
//	base                  s                     other side
//	- {name: a, x: 1}     - {name: a, y: 2}     - {name: a, y: 2}
//	                      - {name: b, x: 1}                           x is new: both sides replaced item a
func (l *leaves) hasNewOwnerOfPlace(b, n *Node) bool {
	isAround := map[uint64]bool{}
	for up := l.parentOf(n); up != nil; up = l.parentOf(up) {
		isAround[l.addressOf(up)] = true
	}
	for up := l.parentOf(b); up.Entry != nil; up = l.parentOf(up) {
		if slices.ContainsFunc(l.nodesWithAddress(n.Version, l.addressOf(up)), l.hasNewLeaf) {
			return true
		}
		if isAround[l.addressOf(up)] { // n is in a collection with this address, too
			break
		}
	}
	return false
}

// hasNewLeaf reports whether n, a node of a side, is or contains a leaf that the base lacks and the other side has.
func (l *leaves) hasNewLeaf(n *Node) bool {
	isNew, isKnown := l.withNewLeaf[n]
	if !isKnown {
		counts := l.countsOf(leafHash(n))
		isNew = counts[base] == 0 && counts[n.Version.Other()] > 0
		for i := range n.Children {
			isNew = isNew || l.hasNewLeaf(&n.Children[i])
		}
		l.withNewLeaf[n] = isNew
	}
	return isNew
}

// isNewInAddedByBoth reports whether n, a leaf of a side, is probably new and not moved from b, the equal leaf of the
// base. This is so if both sides added the collection around n, and it has little in common with that around b: fewer
// than two of the leaves directly in it.
//
//	base           ours                 theirs
//	a: {x: 1}      b: {x: 1, z: 2}      b: {y: 3}     true for x in ours: only x is also in a
func (l *leaves) isNewInAddedByBoth(b, n *Node) bool {
	old, added := l.parentOf(b), l.parentOf(n)
	if added.Entry == nil || len(l.nodesWithAddress(base, added.Addr)) > 0 || len(l.nodesWithAddress(n.Version.Other(), added.Addr)) == 0 {
		return false
	}
	from := l.leafOrigins[added]
	if from == nil {
		from = map[*Node]int{}
		for i := range added.Children {
			for _, x := range l.nodeGroups[base][leafHash(&added.Children[i])] {
				from[l.parentOf(x)]++
			}
		}
		l.leafOrigins[added] = from
	}
	return from[old] < 2
}

// outermost returns the largest collection around leaf n that was moved or deleted together with n, so that one
// violation is reported for it. Each leaf in it must occur in the versions as often as n; counts has these numbers. It
// returns n if there is no such collection, and never a document.
func (l *leaves) outermost(n *Node, counts versionCounts) *Node {
	var haveCounts func(n *Node) bool
	haveCounts = func(n *Node) bool {
		for i := range n.Children {
			if !haveCounts(&n.Children[i]) {
				return false
			}
		}
		return len(n.Children) > 0 || l.countsOf(leafHash(n)) == counts
	}
	for up := l.parentOf(n); up != nil && up.Entry != nil && haveCounts(up); up = l.parentOf(up) {
		n = up
	}
	return n
}

// checkOrder returns a violation if the result has leaves in another order than side s, although the other side left
// them in their order and only moved some to another collection. It compares only leaves that are unique in each
// version (matchUnique), and that s did not move to another collection (hasLeft). Those that the other side moved into
// a collection of the base are compared only with each other. It returns nil if there are conflicts.
//
//	base     ours (s)     theirs     result
//	x: 1     y: 2         w:         w:
//	y: 2     x: 1           x: 1       x: 1     violation: y is above x in ours
//	                        y: 2       y: 2
func (l *leaves) checkOrder() *Violation {
	if len(l.Conflicts) > 0 {
		return nil
	}
	matches := l.matchUnique()
	inAllVersions := slices.DeleteFunc(slices.Clone(matches), func(k *match) bool { return k.nodes.presentIn() != inAll })
	for _, s := range sides {
		moved := findMoved(inAllVersions, s.Other())
		var kept, joined, reordered []*match // the leaves of s by what the other side did with their order
		for _, k := range matches {
			switch {
			case k.nodes[s] == nil:
			case k.nodes[base] != nil && l.hasLeft(k.nodes[base], k.nodes[s]): // s moved it away from the others
			case l.hasJoined(k.nodes[base], k.nodes[s.Other()]): // it is where s has the collection that it joined
				joined = append(joined, k)
			case moved[k]:
				reordered = append(reordered, k)
			default:
				kept = append(kept, k)
			}
		}
		isInOtherCollection := func(k *match) bool {
			b, n := k.nodes[base], k.nodes[s.Other()]
			return b != nil && n != nil && l.addressOf(l.parentOf(b)) != l.addressOf(l.parentOf(n))
		}
		if !slices.ContainsFunc(kept, isInOtherCollection) {
			kept = nil // collection.verify has compared them
		}
		if bad := cmp.Or(l.checkOrderOf(kept, s), l.checkOrderOf(joined, s), l.checkOrderOf(reordered, s)); bad != nil {
			return bad
		}
	}
	return nil
}

// hasJoined reports whether a side moved b, a leaf of the base, into a collection that the base has, perhaps with the
// mapping around b. n is the leaf in this side. It returns false if b or n is nil.
//
//	base          side
//	web: {x: 1}   auth:
//	auth:           y: 2
//	  y: 2          web: {x: 1}     x has joined auth
func (l *leaves) hasJoined(b, n *Node) bool {
	return b != nil && n != nil && l.keptAround(b, n.Version).Addr != l.keptAround(n, base).Addr
}

// keptAround returns the smallest collection around n that v, another version, has at the same address and under the
// same names. It returns the list of documents if v has none.
//
//	version of n            v
//	a: {w: {x: 1}}          a: {y: 2}     the mapping a, for x: v lacks w
func (l *leaves) keptAround(n *Node, v version) *Node {
	up := l.parentOf(n)
	isSame := func(x *Node) bool { return x.Addr == up.Addr } // not under another name
	for l.parentOf(up) != nil && !slices.ContainsFunc(l.nodesWithAddress(v, l.addressOf(up)), isSame) {
		up = l.parentOf(up)
	}
	return up
}

// hasLeft reports whether a side moved b, a leaf of the base, to another collection, alone or with a mapping around it.
// n is the leaf in this side. This is so if n or a node around it is in l.moves.removed, the accepted claims about
// moves, or if the addresses of b and n differ. A collection that the side renamed is the same one.
func (l *leaves) hasLeft(b, n *Node) bool {
	for up := n; up != nil; up = l.parentOf(up) {
		if l.moves.removed[up.Node] {
			return true
		}
	}
	return l.addressOf(b) != l.addressOf(n)
}

// checkOrderOf returns a violation if two of matches, leaves of s, have another order in the result than in s, and at
// least one of the two has another address there (findOutOfPlace). It returns nil if the other side changed the order
// of those that the base has. It sorts matches.
func (l *leaves) checkOrderOf(matches []*match, s version) *Violation {
	if findReordered(matches, base, s.Other()) != nil {
		return nil
	}
	slices.SortFunc(matches, func(x, y *match) int { return int(x.index[s] - y.index[s]) })
	if x, y := l.findOutOfPlace(matches, s); x != nil {
		return l.collectionAround(x, y).newViolation(RuleOrder, "the order differs from %s", s)
	}
	return nil
}

// matchUnique returns the leaves of the result that no version repeats, each with the equal leaves of the inputs, to
// compare their order. They are in no particular order themselves; their index in a version is their place in the file.
// Left out are leaves that neither all inputs have nor one side added: a leaf that a side deleted or changed is perhaps
// another one in the result, such as a merged text that equals it.
func (l *leaves) matchUnique() (matches []*match) {
	for hash := range l.nodeGroups[result] {
		n := l.countsOf(hash)
		if slices.Max(n[:]) > 1 || n[ours]+n[theirs] != n[base]+1 { // neither in all inputs nor added by one side
			continue
		}
		k := &match{nodes: l.first(hash)}
		k.index = mapVersions(k.nodes, func(n *Node) int32 { return n.index })
		matches = append(matches, k)
	}
	return matches
}

// collectionAround returns the nodes at which a violation about the order of leaves x and y is reported: in each
// version, the smallest collection around both leaves. If the base has both, the other versions have the smallest one
// around both with the same address as in the base. A version without such a collection, or without one of the leaves,
// has nil.
func (l *leaves) collectionAround(x, y *match) (q nodeVersions) {
	for v := range versions {
		q[v] = l.commonParent(x.nodes[v], y.nodes[v])
	}
	if q[base] == nil {
		return q
	}
	for v := range q {
		for q[v] != nil && l.addressOf(q[v]) != l.addressOf(q[base]) {
			q[v] = l.parentOf(q[v])
		}
	}
	return q
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

// findOutOfPlace returns two leaves whose places in the result contradict side s, or nil and nil. matches are leaves of
// s, in its order. Each two leaves x and y of the base that follow each other in s are compared, if the result has one
// of them at another address:
//
//	s          result
//	x, y       y, x       x and y are returned
//	x, a, y    x, y, a    x and a, which s added between them, if both x and y are at another address
func (l *leaves) findOutOfPlace(matches []*match, s version) (x, y *match) {
	isElsewhere := func(k *match) bool { return l.addressOf(k.nodes[s]) != l.addressOf(k.nodes[result]) }
	last := -1 // the index of x
	for i, y := range matches {
		if y.nodes[base] == nil {
			continue
		}
		if last >= 0 {
			x, added := matches[last], matches[last+1:i]
			if y.index[result] < x.index[result] && (isElsewhere(x) || isElsewhere(y)) {
				return x, y
			}
			isOutside := func(a *match) bool { return a.index[result] < x.index[result] || a.index[result] > y.index[result] }
			if a := slices.IndexFunc(added, isOutside); a >= 0 && isElsewhere(x) && isElsewhere(y) {
				return x, added[a]
			}
		}
		last = i
	}
	return nil, nil
}
