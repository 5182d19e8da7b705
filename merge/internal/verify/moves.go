package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// The creator of the result can claim that one side moved a field to another mapping, so that the changes of the other
// side are at the new place. A claim is accepted only if the side has more than four fifths of the leaves of the field
// at the new place and nowhere else, if enough of its values prove that, and if the side and the result have nothing at
// the old place. The same holds if both sides moved the field to one place. The field is then verified at its old
// place, as if neither the sides nor the result had moved it. The claim determines only the place: everything else
// about the field is still verified.

// moves are the accepted claims about moved fields.
type moves struct {
	// added are the fields that were moved, of all versions that have them at the new place. They are by the mapping at
	// the old place, in the base, which is treated as having them in these versions.
	added map[*syntax.Node][]*Node
	// removed are the same fields. The mapping at the new place is treated as not having them.
	removed map[*syntax.Node]bool
	// isAround are the collections around the old and the new places: in the base, and in the versions that have the
	// field at the new place.
	isAround map[*syntax.Node]bool
}

// acceptMoves returns those of claims that the versions confirm (findMovers, hasMovedLeaves). A claim has a mapping of
// base, ours and theirs, which one side moved to another mapping, or both to the same one. Other claims are ignored,
// and their mappings are verified at the places where the versions have them.
//
//	base                      ours
//	a: {x: {p: 1, q: 2}}      b: {x: {p: 1, q: 2}}     x was moved from a to b
func (c *checker) acceptMoves(claims []three.Nodes) (m moves) {
	if len(claims) == 0 {
		return m
	}
	m = moves{added: map[*syntax.Node][]*Node{}, removed: map[*syntax.Node]bool{}, isAround: map[*syntax.Node]bool{}}
	nodes := map[*syntax.Node]*Node{}
	for v := range result {
		c.docs[v].Walk(func(n *Node) { nodes[n.Node] = n })
	}
	for _, claim := range claims {
		q := nodeVersions{nodes[claim[base]], nodes[claim[ours]], nodes[claim[theirs]]}
		if slices.Contains(q[:result], nil) {
			continue
		}
		moved := q[ours]
		if moved.Addr == q[base].Addr {
			moved = q[theirs]
		}
		q[result] = c.atPathOf(result, moved)
		movers := c.findMovers(q, moved.Addr)
		if movers == nil || !c.hasMovedLeaves(q) {
			continue
		}
		oldParent := c.parentOf(q[base]).Node
		for _, v := range movers {
			m.added[oldParent] = append(m.added[oldParent], q[v])
			m.removed[q[v].Node] = true
		}
		for _, v := range append(movers, base) {
			for up := c.parentOf(q[v]); up != nil; up = c.parentOf(up) {
				m.isAround[up.Node] = true
			}
		}
	}
	return m
}

// findMovers returns which of ours, theirs and the result moved mapping q from its address in the base to newAddr. It
// returns nil if none did, and if the move is not clear:
//   - a version has q at neither address, or something at both
//   - several nodes of a version have the address of q
func (c *checker) findMovers(q nodeVersions, newAddr uint64) (movers []version) {
	oldAddr := q[base].Addr
	if newAddr == oldAddr {
		return nil
	}
	for v, n := range q {
		here, elsewhere := oldAddr, newAddr
		if n != nil && n.Addr == newAddr {
			here, elsewhere = newAddr, oldAddr
			movers = append(movers, version(v))
		}
		isOnlyHere := slices.Equal(c.nodesWithAddress(version(v), here), []*Node{n}) // false if n is nil
		if !isOnlyHere || len(c.nodesWithAddress(version(v), elsewhere)) > 0 {
			return nil
		}
	}
	return movers
}

// hasMovedLeaves reports whether mapping q was certainly moved with its contents. In a side that moved it, q must have
// more than four fifths of the leaves that q has at its old place, in the base or as the other side edited it. No other
// node of this side may have so many of them, unless the base has this node, too. The answer is kept in c.Trees for the
// next verification of the same inputs.
func (c *checker) hasMovedLeaves(q nodeVersions) bool {
	known, inputs := &c.Trees[base], three.Nodes{q[base].Node, q[ours].Node, q[theirs].Node}
	if hasMoved, ok := known.hasMovedLeaves[inputs]; ok {
		return hasMoved
	}
	isMoved := func(n *Node) bool { return n.Addr != q[base].Addr }
	var holders []*Node // nodes of the sides with so many of the leaves
	for _, s := range sides {
		for _, old := range [...]*Node{q[base], q[s.Other()]} { // the other side may have edited it
			if !isMoved(q[s]) || isMoved(old) {
				continue
			}
			c.docs[s].Walk(func(x *Node) {
				isUnchanged := func(b *Node) bool { return b.Data == x.Data }
				if x.Kind != old.Kind || slices.ContainsFunc(c.nodesWithAddress(base, x.Addr), isUnchanged) {
					return // the base has x itself already, beside q
				}
				if common, size := c.countCommonLeaves(old, x); 5*common > 4*size {
					holders = append(holders, x)
				}
			})
		}
	}
	isOther := func(x *Node) bool { return x != q[x.Version] }
	hasMoved := len(holders) > 0 && !slices.ContainsFunc(holders, isOther)
	if known.hasMovedLeaves == nil {
		known.hasMovedLeaves = map[three.Nodes]bool{}
	}
	known.hasMovedLeaves[inputs] = hasMoved
	return hasMoved
}

// members returns the children of the collection q in version v that are verified. They are those of allMembers, with
// two exceptions. Masked ones (in a conflict and ignored) are left out, unless a person created the result. A field
// that a side moved to another mapping is a child of the mapping in which the base has it, as the last one.
func (c *checker) members(q nodeVersions, v version) []*Node {
	isIgnored := func(n *Node) bool { return n.isMasked() && c.maker != byPerson }
	found := slices.DeleteFunc(q.allMembers(v), func(n *Node) bool { return isIgnored(n) || c.moves.removed[n.Node] })
	if b := q[base]; b != nil {
		for _, n := range c.moves.added[b.Node] {
			if n.Version == v && !isIgnored(n) {
				found = append(found, n)
			}
		}
	}
	return found
}

// isAroundMoved reports whether n is a collection around a field that a side moved to another mapping, at any depth. In
// the base, it is around the old place of the field; in another version, around the new place. It is false if n is nil.
func (m *moves) isAroundMoved(n *Node) bool { return n != nil && m.isAround[n.Node] }

// byValue returns a hash by which n, a child of a list, is matched with the same child in other versions:
//
//	n contains a field that was moved, at any depth    its name, as its data differs in the result
//	a part of n is in a conflict                       0, which matches nothing
//	otherwise                                          its data: values, tags and anchors
func (m *moves) byValue(n *Node) uint64 {
	if m.isAroundMoved(n) {
		return n.NameHash()
	}
	return ByValue(n)
}

// isMoved reports whether k, a child of a collection in all versions, is a field that a side moved to another mapping.
func (c *checker) isMoved(k *match) bool {
	return k.nodes.hasNode(func(n *Node) bool { return c.moves.removed[n.Node] })
}
