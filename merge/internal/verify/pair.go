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

// members returns the children of q in v, or nil if v lacks q. It leaves out those in a conflict (masked) unless
// includeMasked. A side that was not chosen in a conflict has the base's children there, after its own. The slice is
// new.
func (q nodeVersions) members(v version, includeMasked bool) []*Node {
	n := q[v]
	if n == nil {
		return nil
	}
	found := make([]*Node, 0, len(n.Children))
	for i := range n.Children {
		if k := &n.Children[i]; includeMasked || k.conflict != masked {
			found = append(found, k)
		}
	}
	if b := q[base]; b != nil && b.conflict == partly && n.Version != base { // if n is b, its children are in found already
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
	counts    versionCounts // the nodes with this identity in each version, including those in reported matches of other groups
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
	isOrdered bool               // the order of the children matters: items of an ordered or atomic list, or by the schema
}

// A matcher builds the matches of one collection. Reported matches are those in Merge.ClaimedMatches: nodes of the
// inputs that the creator of the result matched although their identities differ, for example because a side renamed a
// field.
type matcher struct {
	ID      func(*Node) uint64
	matches []*match
	groups  map[uint64]*idGroup
	claimed map[*Node]bool // nodes in reported matches
	// expecting are the reported matches without a node of the result, by the identity that it must have.
	expecting map[uint64][]*match
	undecided []*match            // reported matches with an unknown identity in the result
	byKnownID map[uint64][]*match // reported matches by the identities of their nodes
}

// match groups the children of q that are one child in different versions. The nth child with an identity matches the
// nth in another version. Children with different identities match if the creator of the result reported that, and the
// versions confirm it.
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
				k.idGroup.hasMasked = k.idGroup.hasMasked || n.conflict == masked
			}
		}
	}
	return p.matches
}

// addClaimed adds reported matches to p, so that findOrAddMatch finds them for nodes of the result: by the identities
// of their nodes in p.byKnownID, and mostly in one of two lists.
//
//	p.expecting    by the one identity that is right in the result: b, if only ours renamed a to b
//	p.undecided    in both sides, without such an identity: both sides renamed the node, or it has no name
func (p *matcher) addClaimed(matches []*match) {
	p.claimed, p.expecting, p.byKnownID = map[*Node]bool{}, map[uint64][]*match{}, map[uint64][]*match{}
	for _, k := range matches {
		k.idGroup = &idGroup{}
		if shared := k.commonID(p.ID); shared != 0 {
			k.idGroup = p.groupOf(shared)
		}
		k.matches = append(k.matches, k) // of its group
		haveIDs := true
		for _, n := range k.nodes {
			if n != nil {
				p.claimed[n] = true
				haveIDs = haveIDs && p.ID(n) != 0
				p.byKnownID[p.ID(n)] = append(p.byKnownID[p.ID(n)], k)
			}
		}
		if want, ok := choose(mapVersions(k.nodes, p.ID)); ok && haveIDs && want != 0 {
			p.expecting[want] = append(p.expecting[want], k)
		} else if k.nodes[ours] != nil && k.nodes[theirs] != nil {
			p.undecided = append(p.undecided, k)
		}
	}
	p.matches = append(p.matches, matches...)
}

// groupOf returns the group of matches whose nodes have the identity key, such as the hash of a mapping key. If
// p.groups has none, it adds an empty group. Nodes with identity 0 are never the same: for 0, it always returns a new
// group.
func (p *matcher) groupOf(key uint64) *idGroup {
	g := p.groups[key]
	if g == nil || key == 0 {
		g = &idGroup{key: key}
		p.groups[key] = g
	}
	return g
}

// findOrAddMatch returns the match that gets n, a child with the identity of g, as its node of version v: one that
// lacks such a node, or a new one in g and p.matches. It returns nil if n already is in a reported match.
func (p *matcher) findOrAddMatch(v version, n *Node, g *idGroup) *match {
	if p.claimed[n] {
		return nil
	}
	// 1. a reported match to which the edits of the sides give this identity
	if all := p.expecting[g.key]; v == result && len(all) > 0 {
		p.expecting[g.key] = all[1:]
		return all[0]
	}
	// 2. the first match with this identity
	for _, k := range g.matches[g.filled[v]:] {
		if k.nodes[v] == nil {
			return k
		}
		g.filled[v]++
	}
	// 3. a reported match whose identity in the result does not follow from the inputs
	if v == result && len(p.undecided) > 0 {
		k := p.undecided[0]
		p.undecided = p.undecided[1:]
		return k
	}
	if v == result && g.key != 0 {
		// 4. a reported match with this identity in an input, although another is expected: in a conflict, the result has
		// the name of the side that was chosen
		for _, k := range p.byKnownID[g.key] {
			if k.nodes[result] == nil {
				want, _ := choose(mapVersions(k.nodes, p.ID))
				p.expecting[want] = slices.DeleteFunc(p.expecting[want], func(x *match) bool { return x == k })
				return k
			}
		}
	}
	// 5. a new match
	k := &match{idGroup: g}
	g.matches, p.matches = append(g.matches, k), append(p.matches, k)
	return k
}

// The creator of the result can claim, in Merge.ClaimedMatches, that nodes with different names match: a side renamed a
// field, or they are items of a list without names. A claim is accepted only if each node is in one claim and the
// versions do not contradict it (see isPlausible). Otherwise the nodes are treated as different ones. A claim
// determines only which nodes are compared: their values and comments are still verified.

// indexClaims returns, for each input, the index in claims of each node in a claim: nodes that the creator of the
// result reported as one, for example because a side renamed it. A claim with a node of an earlier claim is left out.
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

// An idCensus counts the identities of a version's nodes in one collection. The identity of a node is the hash of its
// name, such as its mapping key.
type idCensus struct {
	nodes     map[uint64][]*Node // the nodes with each identity
	abandoned map[uint64]int     // number of claimed nodes with this identity in the base and another one in the side
	added     []*Node            // mappings that the side added, without a claim
	witnesses func() witnesses   // of the base's nodes and those of the version
}

// maxAdded is the maximum number of added mappings that are compared with a claimed node.
const maxAdded = 4

// plausibleClaims returns the matches among members that the creator of the result reported, such as a renamed field,
// and that the inputs do not contradict. Needless reports are left out. They are in the order of c.ClaimedMatches.
// members are the children of a collection.
func (c *checker) plausibleClaims(members [versions][]*Node, id func(*Node) uint64) (matches []*match) {
	byClaim := c.claimedMembers(members)
	if len(byClaim) == 0 {
		return nil
	}
	var census [result]idCensus
	for v := range result {
		census[v] = idCensus{nodes: map[uint64][]*Node{}, abandoned: map[uint64]int{}}
		for _, n := range members[v] {
			census[v].nodes[id(n)] = append(census[v].nodes[id(n)], n)
		}
	}
	maps.DeleteFunc(byClaim, func(_ int, k *match) bool { // identities that are unique in each version need no claim
		shared := k.commonID(id)
		return shared != 0 && !slices.ContainsFunc(census[:], func(in idCensus) bool { return len(in.nodes[shared]) > 1 })
	})
	for v := range result {
		for _, n := range members[v] {
			claim, ok := c.claims[n.Version][n.Node]
			isAdded := len(census[base].nodes[id(n)]) == 0 // if it has no claim
			switch {
			case ok && byClaim[claim] != nil && byClaim[claim].nodes[base] != nil:
				if baseID := id(byClaim[claim].nodes[base]); baseID != id(n) {
					census[v].abandoned[baseID]++
				}
			case isAdded && n.Kind == syntax.Mapping && len(census[v].added) < maxAdded:
				census[v].added = append(census[v].added, n)
			}
		}
		census[v].witnesses = sync.OnceValue(func() witnesses { return c.findWitnesses(members[base], members[v], id) })
	}
	for _, claim := range slices.Sorted(maps.Keys(byClaim)) {
		if k := byClaim[claim]; k.commonID(id) != 0 || c.isPlausible(k, census, id) {
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

// findWitnesses returns the witnesses of nodes of a collection, which show how nodes of the base (from) became nodes of
// a side (to). id returns the hash of a name, which the side may have changed, or of the value of a node without a
// name.
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

// marksOf returns the marks of nodes by their hash. A mark is evidence that two nodes are versions of each other: a
// leaf, label, action or template block. Marks of several nodes have no owner, because they identify none of them.
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
// base. other is b's version in the other side, census is that of n's side, and areNamed whether nodes have names.
func (c *checker) hasWitness(census idCensus, b, n, other *Node, areNamed bool) bool {
	w := census.witnesses()
	weight, largestOfB, largestOfN := w.weights[[2]*Node{b, n}], w.largest[b], w.largest[n]
	common, _ := c.countCommonLeaves(b, n)
	kept := slices.DeleteFunc(b.Labels(), func(l syntax.Label) bool { return !slices.Contains(n.Labels(), l) })
	isRival := func(x *Node) bool { // x has as many leaves of b as n, and all labels that n has from b
		k, _ := c.countCommonLeaves(b, x)
		return k >= common && x != n && !slices.ContainsFunc(kept, func(l syntax.Label) bool { return !slices.Contains(x.Labels(), l) })
	}
	switch {
	case weight < max(largestOfB.first, largestOfN.first), slices.ContainsFunc(census.added, isRival):
		return false
	case weight > max(largestOfB.second, largestOfN.second): // more than with any other node
		return true
	}
	// a tie, which the alignment of lines by git decides, or an equal change in the other side
	if c.hasher == nil {
		c.hasher = ident.NewHasher()
	}
	elemOf := func(n *Node) ident.Elem { return ident.Elem{Node: n.Node, Span: n.EntrySpan()} }
	commonWithOther, _ := c.countCommonLeaves(other, n)
	bothMadeChange := commonWithOther > common
	aligned := c.alignLines().CountAligned(n.Version, c.hasher, elemOf(b), elemOf(n))
	// nodes with different names may have a single line such as enabled: true in common, which many nodes have
	isOneLineEnough := weight > 0 || !areNamed
	return bothMadeChange || aligned > 1 || aligned == 1 && isOneLineEnough
}

// isPlausible reports whether the inputs do not contradict claim, nodes with different identities that the creator of
// the result reported as one, for example because a side renamed it. Both sides must have the node. census has the
// identities in each input.
func (c *checker) isPlausible(claim *match, census [result]idCensus, id func(*Node) uint64) bool {
	b := claim.nodes[base]
	if claim.nodes[ours] == nil || claim.nodes[theirs] == nil || b == nil {
		return claim.nodes[ours] != nil && claim.nodes[theirs] != nil
	}
	for _, s := range sides {
		n, other := claim.nodes[s], claim.nodes[s.Other()]
		isEditedByOther := b.Kind == syntax.Mapping && other.Data != b.Data && other.Data != n.Data
		inBase, inOther := len(census[base].nodes[id(n)]), census[s.Other()].nodes[id(n)] // the nodes with the new id
		isKeptFromBase := id(n) != 0 && inBase > census[s].abandoned[id(n)] && inBase > len(inOther)
		switch {
		case id(n) == id(b): // s did not rename it
		case isKeptFromBase: // a node of the base has this id, s did not rename it, and the other side deleted it
			return false
		case len(inOther) > 0 && c.isMoreSimilar(b, inOther[0], other):
			return false // the other side renamed it in the same way
		case isEditedByOther && !c.hasWitness(census[s], b, n, other, id(b) != ByValue(b)):
			return false
		}
	}
	return true
}

// isMoreSimilar reports whether b has more leaves in common with x than with y.
func (c *checker) isMoreSimilar(b, x, y *Node) bool {
	inX, _ := c.countCommonLeaves(b, x)
	inY, _ := c.countCommonLeaves(b, y)
	return inX > inY
}

// checkOrder returns a violation if the result has children in another order than a side, unless only the other side
// changed their order, or both did differently. Children without a certain place are ignored. isPartial is whether a
// part is in a conflict.
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

// findReordered returns the first match, in the order of version a, with a node that comes earlier in version b than
// the node before it, or nil if there is none. Matches without a node in a or b are ignored.
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
