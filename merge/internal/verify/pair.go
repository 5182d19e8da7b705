package verify

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// nodeVersions contains a node of each version (base, ours, theirs, result) that are one thing, such as a field with
// the same mapping key. It is nil for a version that lacks the node.
type nodeVersions [versions]*Node

// A presence is the set of versions that contain a node.
type presence uint8

const (
	inBase presence = 1 << iota
	inOurs
	inTheirs
	inResult
	inAll = inBase | inOurs | inTheirs | inResult
)

// presentIn returns the set of versions that contain q: inOurs | inResult, for example.
func (q nodeVersions) presentIn() (p presence) {
	for v, n := range q {
		if n != nil {
			p |= 1 << v
		}
	}
	return p
}

// isAddedByBoth reports whether both sides contain q, and the base does not.
func (q nodeVersions) isAddedByBoth() bool {
	return q[base] == nil && q[ours] != nil && q[theirs] != nil
}

// mapVersions returns f of the node of each version of q, and the zero value for versions that lack the node. f is not
// called for nil.
func mapVersions[T any](q nodeVersions, f func(*Node) T) (values [versions]T) {
	for v, n := range q {
		if n != nil {
			values[v] = f(n)
		}
	}
	return values
}

// dataHashes returns the hash of the data of each version of q, 0 for missing versions.
func (q nodeVersions) dataHashes() [versions]uint64 {
	return mapVersions(q, func(n *Node) uint64 { return n.Data })
}

// expectedNode returns the node of q whose data the result must have. It is that of theirs if only theirs changed the
// data, otherwise that of ours. n is nil if this side lacks the node. ok is false if both sides changed the data
// differently.
func (q nodeVersions) expectedNode() (n *Node, ok bool) {
	hashes := q.dataHashes()
	s, ok := three.Pick([3]uint64(hashes[:result]))
	return q[s], ok
}

// anyNode returns the first node of q that is not nil, in the order ours, theirs, base, result.
func (q nodeVersions) anyNode() *Node { return cmp.Or(q[ours], q[theirs], q[base], q[result]) }

// hasNode reports whether f is true for the node of at least one version. f is not called for missing nodes.
func (q nodeVersions) hasNode(f func(*Node) bool) bool {
	return slices.ContainsFunc(q[:], func(n *Node) bool { return n != nil && f(n) })
}

// isPartial reports whether a part of q is in a conflict. The hashes of q then cannot be compared, because the result
// has only one side's lines there.
func (q nodeVersions) isPartial() bool {
	return q.hasNode(func(n *Node) bool { return n.conflict == partly })
}

// hasResolvedConflict reports whether a part of q is in a conflict that a person resolved. The result can have anything
// there.
func (c *checker) hasResolvedConflict(q nodeVersions) bool {
	return c.maker == byPerson && q.isPartial()
}

// hasBaseParts reports whether a side of q is a node of the base. This is so in a conflict: there, the side that was
// not chosen is treated as if it had the base's lines.
func (q nodeVersions) hasBaseParts() bool {
	return slices.ContainsFunc(q[ours:result], func(n *Node) bool { return n != nil && n.Version == base })
}

// allChildren reports whether f is true for all children of all versions of q, including children in conflicts.
// Children of children are not included.
func (q nodeVersions) allChildren(f func(*Node) bool) bool {
	for _, n := range q {
		for children := n.GetChildren(); len(children) > 0; children = children[1:] {
			if !f(&children[0]) {
				return false
			}
		}
	}
	return true
}

// inputNodes returns the syntax nodes of q in base, ours and theirs, nil for missing versions.
func (q nodeVersions) inputNodes() []*syntax.Node {
	all := mapVersions(q, func(n *Node) *syntax.Node { return n.Node })
	return all[:result]
}

// members returns the children of q in v that are compared between versions: those of allMembers, without masked ones
// (in a conflict and ignored). For a side that was not chosen in a conflict, allMembers has the base's children in
// place of them.
func (q nodeVersions) members(v version) []*Node {
	return slices.DeleteFunc(q.allMembers(v), (*Node).isMasked)
}

// allMembers returns the children of q in v, with those in conflicts, or nil if v lacks q. A side that was not chosen
// in a conflict is treated as if it had left the base unchanged there. So the base's children in the conflict follow
// its own. The slice is new. Here theirs was chosen for b, so ours has the members a: 2, b: 2 (masked) and the base's
// b: 1:
//
//	base    ours    theirs
//	a: 1    a: 2    a: 1
//	b: 1    b: 2    b: 3      in conflict
func (q nodeVersions) allMembers(v version) []*Node {
	n, b := q[v], q[base]
	if n == nil {
		return nil
	}
	found := make([]*Node, 0, len(n.Children))
	for i := range n.Children {
		found = append(found, &n.Children[i])
	}
	if b != nil && b.conflict == partly && n.Version != base { // if n is b, its children are in found already
		for i := range b.Children {
			if k := &b.Children[i]; k.conflict.countsFor(v) {
				found = append(found, k)
			}
		}
	}
	return found
}

// A match is one child of a collection in all versions.
type match struct {
	nodes nodeVersions
	index [versions]int32 // its index among the members of each version
	*idGroup
}

// An idGroup contains the matches whose nodes have the same identity, such as the same mapping key. There are several
// if a version repeats the key. The fields of each version are then matched in order: a: 1, a: 2 and a: 3, a: 4 give
// the matches 1 with 3 and 2 with 4.
type idGroup struct {
	key       uint64
	counts    versionCounts // the nodes with this identity in each version, also in reported matches of other groups
	matches   []*match
	filled    versionCounts // in each version, the number of leading matches that have a node
	hasMasked bool          // one of the nodes is masked: it is in a conflict and ignored
}

// hasSeveral reports whether g has more than one match, so that a version has several nodes with the same identity.
func (g *idGroup) hasSeveral() bool { return len(g.matches) > 1 }

// A pairing defines which children of a collection match: those with equal identities. The identity is, for example,
// the hash of the mapping key for fields, and the hash of the name or of the whole value for items.
type pairing struct {
	ID        func(*Node) uint64 // returns the identity of a child; 0 matches no other child
	isUnique  bool               // no version should contain an identity more than once
	isByValue bool               // the identity is the hash of the data: values, tags and anchors
	isOrdered bool               // their order matters: they are in an ordered or atomic list, or the schema says so
}

// A matcher builds the matches of one collection. Reported matches are those in Merge.ClaimedMatches: nodes of the
// inputs that the creator of the result matched although their identities differ, for example because a side renamed a
// field. Their nodes in the result are found by two queues.
type matcher struct {
	ID      func(*Node) uint64
	matches []*match
	groups  map[uint64]*idGroup
	claimed map[*Node]bool // nodes in reported matches
	// expected has the reported matches by the identity that the result should have: b, if only ours renamed a to b. It
	// is 0 if any may be right, because both sides renamed the node, or because it has no name.
	expected matchQueues
	known    matchQueues // has the reported matches by each identity that an input has
}

// matchQueues has reported matches, by an identity, until they have a node of the result.
type matchQueues map[uint64][]*match

// next returns the first match by this identity that lacks a node of the result, or nil if there is none.
func (m matchQueues) next(id uint64) *match {
	for len(m[id]) > 0 && m[id][0].nodes[result] != nil {
		m[id] = m[id][1:]
	}
	if len(m[id]) == 0 {
		return nil
	}
	return m[id][0]
}

// match returns the children of q, each with its node in every version. The nth child with an identity is one with the
// nth child with this identity in another version. Children with different identities are one if the creator of the
// result reported that, and the versions confirm it. by gives the identity of a child.
//
//	base       ours       theirs     result
//	a: 1       a: 2       b: 1       b: 2        one match if a and b were reported, otherwise one for a and one for b
func (c *checker) match(q nodeVersions, by pairing) []*match {
	var members [versions][]*Node
	longest := 0
	for v := range versions {
		members[v] = c.members(q, v)
		longest = max(longest, len(members[v]))
	}
	p := matcher{matches: make([]*match, 0, longest), groups: make(map[uint64]*idGroup, longest), ID: by.ID}
	p.addClaimed(c.plausibleClaims(members, by.ID))
	for v, all := range members {
		for i, n := range all {
			g := p.groupOf(by.ID(n))
			g.counts[v]++
			if k := p.findOrAddMatch(version(v), n, g); k != nil { // otherwise n already is in a reported match
				k.nodes[v], k.index[v] = n, int32(i)
				k.idGroup.hasMasked = k.idGroup.hasMasked || n.isMasked()
			}
		}
	}
	return p.matches
}

// addClaimed adds matches, which the creator of the result reported, to p.matches. Their nodes of the inputs are
// recorded in p.claimed. They still need a node of the result, for which findOrAddMatch looks in two queues:
//   - p.expected, by the identity that the result should have. A match that one side deleted needs no such node, and
//     is left out.
//   - p.known, by each identity that an input has
func (p *matcher) addClaimed(matches []*match) {
	p.claimed, p.expected, p.known = map[*Node]bool{}, matchQueues{}, matchQueues{}
	for _, k := range matches {
		k.idGroup = &idGroup{}
		if shared := k.commonID(p.ID); shared != 0 {
			k.idGroup = p.groupOf(shared)
		}
		k.matches = append(k.matches, k) // of its group
		for _, n := range k.nodes {
			if n != nil {
				p.claimed[n] = true
				p.known[p.ID(n)] = append(p.known[p.ID(n)], k)
			}
		}
		expected, ok := choose(mapVersions(k.nodes, p.ID))
		if lacksID := k.nodes.hasNode(func(n *Node) bool { return p.ID(n) == 0 }); lacksID || !ok {
			expected = 0
		}
		if isInBoth := k.nodes[ours] != nil && k.nodes[theirs] != nil; isInBoth || expected != 0 {
			p.expected[expected] = append(p.expected[expected], k)
		}
	}
	delete(p.known, 0) // 0 is no identity
	p.matches = append(p.matches, matches...)
}

// groupOf returns the group of matches with the identity key, such as the hash of a mapping key, and adds it to
// p.groups if it is new. Nodes with the identity 0 match nothing, so for 0 it always returns a new group.
func (p *matcher) groupOf(key uint64) *idGroup {
	g := p.groups[key]
	if g == nil || key == 0 {
		g = &idGroup{key: key}
		p.groups[key] = g
	}
	return g
}

// findOrAddMatch returns the match in which the caller records n, a child with the identity of g, as the node of
// version v. This is a match that still lacks a node of v or, if there is none, a new one, which is added to g and
// p.matches. For the result, reported matches are tried, too (see addClaimed). It returns nil if n already is in a
// reported match.
func (p *matcher) findOrAddMatch(v version, n *Node, g *idGroup) *match {
	if p.claimed[n] {
		return nil
	}
	if k := p.expected.next(g.key); v == result && k != nil {
		return k
	}
	for _, k := range g.matches[g.filled[v]:] { // the first match with this identity that lacks a node of v
		if k.nodes[v] == nil {
			return k
		}
		g.filled[v]++
	}
	if v == result {
		// a reported match for which any identity may be right, or which an input has by this identity: in a conflict,
		// the result has the name of the side that was chosen
		if k := cmp.Or(p.expected.next(0), p.known.next(g.key)); k != nil {
			return k
		}
	}
	k := &match{idGroup: g}
	g.matches, p.matches = append(g.matches, k), append(p.matches, k)
	return k
}

// The creator of the result can claim, in Merge.ClaimedMatches, that nodes with different names match: a side renamed a
// field, or they are items of a list without names. A claim is accepted only if each node is in one claim and the
// versions do not contradict it (see isPlausible). Otherwise the nodes are treated as different ones. A claim
// determines only which nodes are compared: their values and comments are still verified.

// indexClaims returns, for each input, the index in claims of each node that is in a claim: the creator of the result
// reported that these nodes are one, for example because a side renamed it. A node can be in one claim only; a later
// claim with the same node is left out.
func indexClaims(claims []three.Nodes) (byNode [result]map[*syntax.Node]int) {
	for v := range byNode {
		byNode[v] = make(map[*syntax.Node]int, len(claims))
	}
	for i, nodes := range claims {
		isUsed := false
		for v, n := range nodes {
			_, inEarlier := byNode[v][n]
			isUsed = isUsed || inEarlier
		}
		for v, n := range nodes {
			if n != nil && !isUsed {
				byNode[v][n] = i
			}
		}
	}
	return byNode
}

// A census has what the inputs show about the nodes of one collection, to judge claims about them. The identity of a
// node is the hash of its name, such as its mapping key.
type census struct {
	*checker
	id        func(*Node) uint64
	nodes     [result]map[uint64][]*Node // of each input: its nodes by identity
	abandoned [result]map[uint64]int     // of a side: how many claimed nodes with this identity in the base it renamed
	added     [result][]*Node            // of a side: mappings that it added, at most maxAdded
	witnesses [result]func() witnesses   // of a side: returns those of the nodes of the base and its own
}

// maxAdded is the maximum number of added mappings that are compared with a claimed node.
const maxAdded = 4

// newCensus returns what the inputs show about the nodes of a collection, to judge the claims about them: its nodes by
// identity, how many claimed nodes each side renamed, and the mappings that each side added, at most maxAdded. members
// has the children of the collection in each version. byClaim has the claims about them by their index in
// c.ClaimedMatches. id returns the identity of a node.
func (c *checker) newCensus(members [versions][]*Node, byClaim map[int]*match, id func(*Node) uint64) *census {
	m := &census{checker: c, id: id}
	for v := range result {
		m.nodes[v], m.abandoned[v] = map[uint64][]*Node{}, map[uint64]int{}
		m.witnesses[v] = sync.OnceValue(func() witnesses { return c.findWitnesses(members[base], members[v], id) })
		for _, n := range members[v] {
			m.nodes[v][id(n)] = append(m.nodes[v][id(n)], n)
			var b *Node // the node of the base in the claim about n
			if claim, ok := c.claims[n.Version][n.Node]; ok {
				b = byClaim[claim].nodes[base]
			}
			isAdded := b == nil && len(m.nodes[base][id(n)]) == 0
			switch {
			case b != nil && id(b) != id(n):
				m.abandoned[v][id(b)]++
			case isAdded && n.Kind == syntax.Mapping && len(m.added[v]) < maxAdded:
				m.added[v] = append(m.added[v], n)
			}
		}
	}
	return m
}

// plausibleClaims returns the matches that the creator of the result reported among members, the children of a
// collection, and that the inputs do not contradict (isPlausible). Usually, the nodes of such a match have two names,
// because a side renamed one. If they have the same identity, the match is not judged, and returned only if an input
// repeats this identity. The matches have no nodes of the result, and are in the order of c.ClaimedMatches. id returns
// the identity of a node.
func (c *checker) plausibleClaims(members [versions][]*Node, id func(*Node) uint64) (matches []*match) {
	byClaim := c.claimedMembers(members)
	if len(byClaim) == 0 {
		return nil
	}
	m := c.newCensus(members, byClaim, id)
	for _, claim := range slices.Sorted(maps.Keys(byClaim)) {
		k := byClaim[claim]
		shared := k.commonID(id)
		isRepeated := slices.ContainsFunc(m.nodes[:], func(byID map[uint64][]*Node) bool { return len(byID[shared]) > 1 })
		// a shared identity that no input repeats needs no claim
		if shared != 0 && isRepeated || shared == 0 && m.isPlausible(k) {
			matches = append(matches, k)
		}
	}
	return matches
}

// claimedMembers returns the matches that the creator of the result reported among members, the children of a
// collection, by their index in c.ClaimedMatches. The matches have no nodes of the result.
func (c *checker) claimedMembers(members [versions][]*Node) map[int]*match {
	if len(c.ClaimedMatches) == 0 {
		return nil
	}
	byClaim := map[int]*match{}
	for v := range result {
		for i, n := range members[v] {
			if claim, ok := c.claims[n.Version][n.Node]; ok {
				if byClaim[claim] == nil {
					byClaim[claim] = &match{}
				}
				byClaim[claim].nodes[v], byClaim[claim].index[v] = n, int32(i)
			}
		}
	}
	return byClaim
}

// commonID returns the id that all nodes of k have, or 0 if they differ. Versions without a node do not count; at least
// one has a node.
func (k *match) commonID(id func(*Node) uint64) uint64 {
	shared := id(k.nodes.anyNode())
	if k.nodes.hasNode(func(n *Node) bool { return id(n) != shared }) {
		return 0
	}
	return shared
}

// witnesses tell which nodes of a collection in the base and in a side may be the same although their names differ. A
// witness of two nodes is a mark that only these two have, such as a leaf or a label. A node that shares more witnesses
// with one node than with any other is probably a version of it.
type witnesses struct {
	weights map[[2]*Node]int     // the total weight of the witnesses of each pair of nodes
	largest map[*Node]twoLargest // of the weights of all pairs with each node
}

// twoLargest are the two largest of several numbers, 0 if there are fewer.
type twoLargest struct{ first, second int }

// perLabel is the weight of a mark that is not a leaf.
const perLabel = 1 << 20

// findWitnesses returns which nodes of a side (to) may be which nodes of the base (from) under another name, by what
// only two of them have in common (see witnesses). from and to are the nodes of one collection. id returns the identity
// of a node, which the side may have changed.
func (c *checker) findWitnesses(from, to []*Node, id func(*Node) uint64) witnesses {
	w, inSide := witnesses{map[[2]*Node]int{}, map[*Node]twoLargest{}}, c.marksOf(to, id)
	for hash, m := range c.marksOf(from, id) {
		if n := inSide[hash].owner; n != nil && m.owner != nil {
			w.weights[[2]*Node{m.owner, n}] += m.weight
		}
	}
	for pair, weight := range w.weights {
		for _, n := range pair {
			l := w.largest[n]
			w.largest[n] = twoLargest{max(l.first, weight), max(l.second, min(l.first, weight))}
		}
	}
	return w
}

// A mark is something by which a node can be recognized even if its name changed: a leaf (a value with its mapping
// keys), a label such as name=web, an action, or the template blocks around the node.
type mark struct {
	owner  *Node // the node with the mark, nil if there are several
	weight int   // 1 for a leaf, perLabel for others
}

// marksOf returns what may show that two nodes are versions of each other although their names differ: the leaves,
// labels, actions and template blocks of nodes, by their hash. If several nodes have a mark, it has no owner, because
// it identifies none of them. id returns the identity of a node.
func (c *checker) marksOf(nodes []*Node, id func(*Node) uint64) map[uint64]mark {
	marks := map[uint64]mark{}
	for _, n := range nodes {
		add := func(hash uint64, weight int) {
			if m, ok := marks[hash]; ok && m.owner != n {
				marks[hash] = mark{}
			} else {
				marks[hash] = mark{n, weight}
			}
		}
		for _, leaf := range c.leafHashes(n) {
			add(leaf, 1)
		}
		if id(n) == ByValue(n) { // otherwise a label is its name
			for _, l := range n.Labels() {
				add(Hash("label "+l.Text), perLabel)
			}
		}
		if action := n.Action(); action != "" {
			add(Hash("action "+action), perLabel)
		}
		if guard := guardText(c.guardOf(n)); guard != "" {
			add(Hash("guard "+guard), perLabel)
		}
	}
	return marks
}

// hasWitness reports whether the contents of n, a node of a side, confirm that it is a version of b, a node of the
// base. The two must have more in common than each has with any other node. Only what no third node has counts, such as
// a leaf or a label. other is b's version in the other side. A tie is decided by an edit that n and other have in
// common, or by the lines of b and n that git aligns.
func (m *census) hasWitness(b, n, other *Node) bool {
	w := m.witnesses[n.Version]()
	weight, ofB, ofN := w.weights[[2]*Node{b, n}], w.largest[b], w.largest[n]
	switch {
	case weight < max(ofB.first, ofN.first), m.hasRival(b, n): // another node may be the version of b, or b that of n
		return false
	case weight > max(ofB.second, ofN.second): // more than with any other node
		return true
	}
	// a tie, which the alignment of lines by git decides, or an equal change in the other side
	commonWithBase, _ := m.countCommonLeaves(b, n)
	commonWithOther, _ := m.countCommonLeaves(other, n)
	if commonWithOther > commonWithBase { // both sides made a change
		return true
	}
	if m.hasher == nil {
		m.hasher = ident.NewHasher()
	}
	elemOf := func(n *Node) ident.Elem { return ident.Elem{Node: n.Node, Span: n.EntrySpan()} }
	aligned := m.alignLines().CountAligned(n.Version, m.hasher, elemOf(b), elemOf(n))
	// nodes with different names may have a single line such as enabled: true in common, which many nodes have
	isOneLineEnough := weight > 0 || m.id(b) == ByValue(b)
	return aligned > 1 || aligned == 1 && isOneLineEnough
}

// hasRival reports whether the side of n added another mapping that may be the version of b, a node of the base. This
// mapping has at least as many leaves of b as n has, and all labels of b that n has. Only a few added mappings are
// compared (maxAdded).
func (m *census) hasRival(b, n *Node) bool {
	common, _ := m.countCommonLeaves(b, n)
	kept := slices.DeleteFunc(b.Labels(), func(l syntax.Label) bool { return !slices.Contains(n.Labels(), l) })
	return slices.ContainsFunc(m.added[n.Version], func(x *Node) bool {
		commonWithX, _ := m.countCommonLeaves(b, x)
		lacksLabel := func(l syntax.Label) bool { return !slices.Contains(x.Labels(), l) }
		return x != n && commonWithX >= common && !slices.ContainsFunc(kept, lacksLabel)
	})
}

// isPlausible reports whether the nodes of claim can be versions of one node, although they have different identities.
// Each side must have a node. If the base has one, too, the node of each side must be a possible version of it
// (mayBeVersion).
func (m *census) isPlausible(claim *match) bool {
	b, o, t := claim.nodes[base], claim.nodes[ours], claim.nodes[theirs]
	if o == nil || t == nil || b == nil {
		return o != nil && t != nil
	}
	return m.mayBeVersion(b, o, t) && m.mayBeVersion(b, t, o)
}

// mayBeVersion reports whether n, a node of a side, can be that side's version of b, a node of the base: it has the
// identity of b, or the side may have renamed b to n. If the other side edited b, a mapping, the contents of n must
// confirm a rename (hasWitness). other is b's version in the other side.
func (m *census) mayBeVersion(b, n, other *Node) bool {
	s, id := n.Version, m.id(n)
	inBase, inOther := m.nodes[base][id], m.nodes[s.Other()][id] // the nodes with the new identity
	switch {
	case id == m.id(b):
		return true
	case id != 0 && len(inBase) > m.abandoned[s][id] && len(inBase) > len(inOther):
		return false // n is a node of the base with this identity, which s did not rename, and the other side deleted
	case len(inOther) > 0 && m.isMoreSimilar(b, inOther[0], other):
		return false // the other side renamed b in the same way
	}
	isEditedByOther := b.Kind == syntax.Mapping && other.Data != b.Data && other.Data != n.Data
	return !isEditedByOther || m.hasWitness(b, n, other)
}

// isMoreSimilar reports whether b has more leaves in common with x than with y.
func (c *checker) isMoreSimilar(b, x, y *Node) bool {
	inX, _ := c.countCommonLeaves(b, x)
	inY, _ := c.countCommonLeaves(b, y)
	return inX > inY
}

// checkOrder returns a violation if the result has matches, the children of a collection, in another order than a side
// has them. The order of a side need not hold if only the other side changed it, or if both changed it differently.
// isPartial is whether a part of the collection is in a conflict. Children without a certain place are ignored, such as
// copies.
//
//	base    ours    theirs    result
//	a, b    b, a    a, b      a, b      violation: only ours changed the order
func checkOrder(matches []*match, isPartial bool) *Violation {
	if !slices.ContainsFunc(matches, (*match).hasMoved) {
		return nil
	}
	// children that both sides added, have several copies or the base's lines in a conflict have no certain place
	matches = slices.DeleteFunc(slices.Clone(matches), func(k *match) bool {
		mayConflict := isPartial && slices.Contains(k.nodes[:result], nil)
		return k.hasSeveral() || k.nodes.hasBaseParts() || mayConflict || k.nodes.isAddedByBoth()
	})
	sidesDiffer := findReordered(matches, ours, theirs) != nil
	changesOrder := [result]bool{ours: findReordered(matches, base, ours) != nil, theirs: findReordered(matches, base, theirs) != nil}
	for _, s := range sides {
		isOrderOfOther := changesOrder[s.Other()] && (sidesDiffer || !changesOrder[s])
		if isOrderOfOther {
			continue
		}
		if moved := findReordered(matches, s, result); moved != nil {
			return moved.nodes.newViolation(RuleOrder, "the order differs from %s", s)
		}
	}
	return nil
}

// hasMoved reports whether a version lacks the node of k, or has it at another index than the base.
func (k *match) hasMoved() bool {
	isElsewhere := func(index int32) bool { return index != k.index[base] }
	return slices.Contains(k.nodes[:], nil) || slices.ContainsFunc(k.index[:], isElsewhere)
}

// findReordered returns the first of matches, in the order of version a, with a node that comes earlier in version b
// than the node before it, or nil if there is none. Matches without a node in a or b are ignored.
//
//	a          b          match returned
//	x, y, z    x, z, y    z
//	x, y, z    x, y, z    nil
func findReordered(matches []*match, a, b version) *match {
	both := slices.DeleteFunc(slices.Clone(matches), func(k *match) bool { return k.nodes[a] == nil || k.nodes[b] == nil })
	slices.SortFunc(both, func(x, y *match) int { return int(x.index[a] - y.index[a]) })
	for i := 1; i < len(both); i++ {
		if both[i].index[b] < both[i-1].index[b] {
			return both[i]
		}
	}
	return nil
}
