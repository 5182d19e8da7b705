package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A nodeVersions is one thing in the four versions, nil where a version lacks it.
type nodeVersions [versions]*Node

// A presence is which versions have a thing.
type presence uint8

const (
	inBase presence = 1 << iota
	inOurs
	inTheirs
	inResult
	inAll = inBase | inOurs | inTheirs | inResult
)

// presentIn are the versions that have q.
func (q nodeVersions) presentIn() (p presence) {
	for v, n := range q {
		if n != nil {
			p |= 1 << v
		}
	}
	return p
}

// mapVersions is what f says of each version of q; nothing of those that lack it.
func mapVersions[T any](q nodeVersions, f func(*Node) T) (values [versions]T) {
	for v, n := range q {
		if n != nil {
			values[v] = f(n)
		}
	}
	return values
}

// dataHashes are the sums of what q says; 0 where a version lacks it.
func (q nodeVersions) dataHashes() [versions]uint64 {
	return mapVersions(q, func(n *Node) uint64 { return n.Data })
}

// anyNode returns q in ours, else theirs, the base or the result.
func (q nodeVersions) anyNode() *Node { return cmp.Or(q[ours], q[theirs], q[base], q[result]) }

// hasNode reports whether f holds of a version of q.
func (q nodeVersions) hasNode(f func(*Node) bool) bool {
	return slices.ContainsFunc(q[:], func(n *Node) bool { return n != nil && f(n) })
}

// isPartial reports whether something in q is in conflict, so that its sums say
// nothing of it.
func (q nodeVersions) isPartial() bool { return q.hasNode(func(n *Node) bool { return n.Partial }) }

// hasBaseParts reports whether a side has something of the base in q.
func (q nodeVersions) hasBaseParts() bool {
	return q[ours] != nil && q[ours].Version != ours || q[theirs] != nil && q[theirs].Version != theirs
}

// allChildren reports whether f holds of all that is in q.
func (q nodeVersions) allChildren(f func(*Node) bool) bool {
	for _, n := range q {
		for kids := n.GetChildren(); len(kids) > 0; kids = kids[1:] {
			if !f(&kids[0]) {
				return false
			}
		}
	}
	return true
}

// inputNodes are the inputs' versions of q, nil where there is none.
func (q nodeVersions) inputNodes() []*syntax.Node {
	all := mapVersions(q, func(n *Node) *syntax.Node { return n.Node })
	return all[:result]
}

// members are what v has in q and what counts as if it had it; with what a person
// decided if so is asked.
func (q nodeVersions) members(v version, includeMasked bool) []*Node {
	n := q[v]
	if n == nil {
		return nil
	}
	found := make([]*Node, 0, len(n.Children))
	for i := range n.Children {
		if k := &n.Children[i]; includeMasked || !k.Masked {
			found = append(found, k)
		}
	}
	if b := q[base]; b != nil && b.Partial && n.Version == v && v != base && v != result {
		for i := range b.Children {
			if k := &b.Children[i]; k.CountsFor == v {
				found = append(found, k)
			}
		}
	}
	return found
}

// A match is one member of a collection in its versions.
type match struct {
	q     nodeVersions
	index [versions]int32 // its index
	nth   int32           // which of its class it is, from 0
	*class
}

// A class is the members of one identity. If a version has several of them, they
// pair in their order, though which of them is which cannot be told.
type class struct {
	key       uint64
	counts    versionCounts
	matches   []*match
	filled    versionCounts // how many of matches have a member of a version, from the first on
	hasMasked bool          // one of them stood in conflict
}

// several reports whether a version has several of g.
func (g *class) several() bool { return len(g.matches) > 1 }

// A pairing says which members of a collection are one.
type pairing struct {
	ID        func(*Node) uint64
	isUnique  bool // nothing may have an id twice
	isByValue bool // it is what an item says
}

// matcher are matches in the making.
type matcher struct {
	ID      func(*Node) uint64
	matches []*match
	classes map[uint64]*class
	claimed map[*Node]bool // of what was claimed
	// expecting are the matches that were claimed, by the identity that the result has to
	// have there; unknown those of which that is not known.
	expecting map[uint64][]*match
	undecided []*match
	byKnownID map[uint64][]*match // the matches that were claimed, by the identities of their versions
}

// match makes matches of the members of q, of what has no identity one each: those that are claimed to be one, and
// the others by their identity, those of one identity in their order. What the result has is of the match that
// asks for its identity; else of the next one that was claimed, and of which no version
// says what it becomes.
func (c *checker) match(q nodeVersions, by pairing) []*match {
	var members [versions][]*Node
	longest := 0
	for v := range versions {
		members[v] = q.members(v, c.maker == byPerson)
		longest = max(longest, len(members[v]))
	}
	p := matcher{matches: make([]*match, 0, longest), classes: make(map[uint64]*class, longest), ID: by.ID}
	p.addClaimed(c.plausibleClaims(members, by.ID))
	for v, all := range members {
		for i, n := range all {
			if k := p.assign(version(v), n); k != nil {
				k.q[v], k.index[v] = n, int32(i)
				k.counts[v]++
				k.class.hasMasked = k.class.hasMasked || n.Masked
			}
		}
	}
	return p.matches
}

// addClaimed takes matches that were claimed.
func (p *matcher) addClaimed(rows []*match) {
	p.claimed, p.expecting, p.byKnownID = map[*Node]bool{}, map[uint64][]*match{}, map[uint64][]*match{}
	for _, k := range rows {
		k.class = &class{}
		if one := k.commonID(p.ID); one != 0 {
			k.class = p.classOf(one)
		}
		k.nth = int32(len(k.matches))
		k.matches = append(k.matches, k)
		named := true
		for v, n := range k.q {
			if n != nil {
				p.claimed[n] = true
				k.counts[v]++
				named = named && p.ID(n) != 0
				p.byKnownID[p.ID(n)] = append(p.byKnownID[p.ID(n)], k)
			}
		}
		if want, ok := choose(mapVersions(k.q, p.ID)); ok && named && want != 0 {
			p.expecting[want] = append(p.expecting[want], k)
		} else if k.q[ours] != nil && k.q[theirs] != nil {
			p.undecided = append(p.undecided, k)
		}
	}
	p.matches = append(p.matches, rows...)
}

// classOf is the class of an identity, of none a new one.
func (p *matcher) classOf(key uint64) *class {
	g := p.classes[key]
	if g == nil || key == 0 {
		g = &class{key: key}
		p.classes[key] = g
	}
	return g
}

// assign is where n, a member of v, belongs; nil for what was claimed.
func (p *matcher) assign(v version, n *Node) *match {
	if p.claimed[n] {
		return nil
	}
	key := p.ID(n)
	if all := p.expecting[key]; v == result && len(all) > 0 {
		p.expecting[key] = all[1:]
		return all[0]
	}
	g := p.classOf(key)
	for _, k := range g.matches[g.filled[v]:] {
		if k.q[v] == nil {
			return k
		}
		g.filled[v]++
	}
	if v == result && len(p.undecided) > 0 {
		k := p.undecided[0]
		p.undecided = p.undecided[1:]
		return k
	}
	if v == result && key != 0 {
		for _, k := range p.byKnownID[key] { // what a version has there, though another was to be
			if k.q[result] == nil {
				want, _ := choose(mapVersions(k.q, p.ID))
				p.expecting[want] = slices.DeleteFunc(p.expecting[want], func(x *match) bool { return x == k })
				return k
			}
		}
	}
	k := &match{nth: int32(len(g.matches)), class: g}
	g.matches, p.matches = append(g.matches, k), append(p.matches, k)
	return k
}

// What no address pairs, whoever made the result says: these nodes of the versions are one
// thing, which a side renamed, or which stands in a list whose items have no names. That is
// a claim, and is not believed: it is injective, what was renamed is gone under its old
// name, and it is no copy; else the nodes are things of their own. A claim gives
// nothing but an address: whatever is in there has to hold like all else.

// indexClaims says which claim a node of a version is of. Of two about one node, the second one does not count.
func indexClaims(claims []three.Nodes) (byNode [result]map[*syntax.Node]int) {
	for v := range byNode {
		byNode[v] = make(map[*syntax.Node]int, len(claims))
	}
	for i, nodes := range claims {
		for v, n := range nodes {
			if _, exists := byNode[v][n]; exists {
				nodes = three.Nodes{}
			}
		}
		for v, n := range nodes {
			if n != nil {
				byNode[v][n] = i
			}
		}
	}
	return byNode
}

// A idCensus is how often a version has what is known by an identity.
type idCensus struct {
	ids       map[uint64]int
	abandoned map[uint64]int // identities of the base that a side gave up
	added     []*Node        // mappings that it added, and of which nothing is claimed
}

// maxAdded is how many things that a side added are compared with one that it changed.
const maxAdded = 4

// plausibleClaims are the matches of what is claimed of members and no identity says, as far as that holds, in the order
// of the claims.
func (c *checker) plausibleClaims(members [versions][]*Node, id func(*Node) uint64) (rows []*match) {
	if len(c.ClaimedMatches) == 0 {
		return nil
	}
	byClaim := map[int]*match{}
	for v := range result {
		for i, n := range members[v] {
			if k, ok := c.claims[n.Version][n.Node]; ok {
				if byClaim[k] == nil {
					byClaim[k] = &match{}
				}
				byClaim[k].q[v], byClaim[k].index[v] = n, int32(i)
			}
		}
	}
	var census [result]idCensus
	for v := range result {
		census[v] = idCensus{ids: map[uint64]int{}, abandoned: map[uint64]int{}}
		for _, n := range members[v] {
			census[v].ids[id(n)]++
		}
	}
	maps.DeleteFunc(byClaim, func(_ int, k *match) bool { // an identity that no version has twice says so already
		shared := k.commonID(id)
		return shared != 0 && !slices.ContainsFunc(census[:], func(in idCensus) bool { return in.ids[shared] > 1 })
	})
	if len(byClaim) == 0 {
		return nil
	}
	for v := range result {
		for _, n := range members[v] {
			k, ok := c.claims[n.Version][n.Node]
			switch {
			case ok && byClaim[k] != nil && byClaim[k].q[base] != nil:
				if was := id(byClaim[k].q[base]); was != id(n) {
					census[v].abandoned[was]++
				}
			case census[base].ids[id(n)] == 0 && n.Kind == syntax.Mapping && len(census[v].added) < maxAdded:
				census[v].added = append(census[v].added, n)
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(byClaim)) {
		if k := byClaim[i]; k.commonID(id) != 0 || c.isPlausible(k, census, id) {
			rows = append(rows, k)
		}
	}
	return rows
}

// commonID is the identity that all of k have, 0 for none.
func (k *match) commonID(id func(*Node) uint64) uint64 {
	shared := id(k.q.anyNode())
	if k.q.hasNode(func(n *Node) bool { return id(n) != shared }) {
		return 0
	}
	return shared
}

// isPlausible reports whether k, which is claimed to be one thing, may be: what a side renamed is gone
// under its old name, the new one is not that of another thing of the base, and of what the side
// added nothing is more like it.
func (c *checker) isPlausible(k *match, census [result]idCensus, id func(*Node) uint64) bool {
	b, baseCensus := k.q[base], census[base]
	if k.q[ours] == nil || k.q[theirs] == nil || b == nil {
		return k.q[ours] != nil && k.q[theirs] != nil
	}
	for _, s := range sides {
		n, sideCensus := k.q[s], census[s]
		switch {
		case id(n) == id(b):
			continue
		case id(b) != 0 && sideCensus.ids[id(b)] >= baseCensus.ids[id(b)]:
			return false // what has the old name is the thing, and this its copy
		case id(n) != 0 && baseCensus.ids[id(n)] > sideCensus.abandoned[id(n)] && baseCensus.ids[id(n)] > census[s.Other()].ids[id(n)]:
			return false // it was there, and the other side deleted it
		case b.Entry == nil || b.Entry.Key != nil || b.Kind != syntax.Mapping || k.q[s.Other()].Data == b.Data:
			continue
		}
		name := nodeNameHash(b.Node)
		named := nodeNameHash(n.Node) == name && name != nameless
		common, _ := c.countCommonLeaves(b, n)
		if slices.ContainsFunc(sideCensus.added, func(x *Node) bool {
			other, _ := c.countCommonLeaves(b, x)
			return (!named || nodeNameHash(x.Node) == name) && other > common
		}) {
			return false
		}
	}
	return true
}

// checkOrder refuses members that stand in another order than in a side, where the
// other side did not give what all have another one. Of several that are alike
// it cannot be told which is which, and what both added stands where one did.
// So does what is in conflict.
func checkOrder(matches []*match, isPartial bool) *Violation {
	if !slices.ContainsFunc(matches, (*match).hasMoved) {
		return nil
	}
	matches = slices.DeleteFunc(slices.Clone(matches), func(k *match) bool {
		in := k.q.presentIn() &^ inResult
		isOpen := isPartial && in != inAll&^inResult
		return k.several() || k.q.hasBaseParts() || isOpen || in == inOurs|inTheirs
	})
	inBase := slices.DeleteFunc(slices.Clone(matches), func(k *match) bool { return k.q[base] == nil })
	bothReordered := findReordered(inBase, ours, theirs) != nil
	for _, s := range sides {
		if findReordered(matches, base, s.Other()) != nil && (bothReordered || findReordered(matches, base, s) == nil) {
			continue
		}
		if moved := findReordered(matches, s, result); moved != nil {
			return moved.q.newViolation(ruleOrder, "it stands in another order than in %s", s)
		}
	}
	return nil
}

// hasMoved reports whether the versions of k do not all stand at one place.
func (k *match) hasMoved() bool {
	return slices.Contains(k.q[:], nil) || k.index != [versions]int32{k.index[base], k.index[base], k.index[base], k.index[base]}
}

// findReordered returns a member that b has in another order than a; nil if none.
func findReordered(matches []*match, a, b version) *match {
	both := slices.DeleteFunc(slices.Clone(matches), func(k *match) bool { return k.q[a] == nil || k.q[b] == nil })
	slices.SortFunc(both, func(x, y *match) int { return int(x.index[a] - y.index[a]) })
	for i := 1; i < len(both); i++ {
		if both[i].index[b] < both[i-1].index[b] {
			return both[i]
		}
	}
	return nil
}
