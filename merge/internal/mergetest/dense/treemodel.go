package dense

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A treeModel computes the right merge of three trees. A node has the same number in all trees, so it is known which
// nodes match. Each property of a node (its kind, parent, key, value and comments) is taken from the side that changed
// it.
type treeModel struct {
	versions [3]*tree
	out      *tree
	// unknownReason is the reason why the model does not know the right merge, for example because both sides changed
	// the same value. It is "" if out is the right merge.
	unknownReason string
}

// newTreeModel computes the right merge of three trees: base, ours and theirs. It returns a model in which either out
// is the right merge, or unknownReason is the reason why the right merge is not known. The trees are not changed.
func newTreeModel(in [3]*tree) *treeModel {
	m := &treeModel{versions: in, out: &tree{nodes: map[int]*node{}}}
	var ids []int
	for _, t := range in {
		ids = append(ids, t.ids()...)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		m.mergeNode(id)
	}
	m.addToParents()
	m.checkAmbiguity()
	if m.unknownReason == "" {
		m.removeEqualAdditions()
	}
	if n := m.out.nodes[0]; m.unknownReason == "" && len(n.children) == 0 {
		m.setUnknown("nothing is left")
	}
	return m
}

// setUnknown records that the right merge is not known, for the given reason. It keeps the first reason that was
// recorded.
func (m *treeModel) setUnknown(why string) {
	if m.unknownReason == "" {
		m.unknownReason = why
	}
}

// mergeNode merges the versions of node id and adds the merged node, without its children, to m.out, unless a side
// deleted it. It calls setUnknown if the right merge is not known, for example because both sides changed the same
// property differently, or because one side changed what the other deleted.
func (m *treeModel) mergeNode(id int) {
	o, d, u := m.versions[three.Original].nodes[id], m.versions[three.Dest].nodes[id], m.versions[three.Updated].nodes[id]
	switch {
	case o == nil && d != nil, o == nil && u != nil:
		if d == nil {
			d = u
		}
		n := *d
		n.children = nil
		m.out.nodes[id] = &n
	case o == nil || d == nil && u == nil:
	case d == nil || u == nil:
		s := three.Dest
		if d == nil {
			s = three.Updated
		}
		if m.isChanged(id, s) {
			m.setUnknown("deleted and modified")
		}
	default:
		n := &node{
			kind: pickProperty(m, "kind", o.kind, d.kind, u.kind), parent: pickProperty(m, "place", o.parent, d.parent, u.parent),
			key: pickProperty(m, "key", o.key, d.key, u.key), value: pickProperty(m, "value", o.value, d.value, u.value),
			above: pickProperty(m, "comment", o.above, d.above, u.above), lineComment: pickProperty(m, "comment", o.lineComment, d.lineComment, u.lineComment),
		}
		if m.isMovedOrRenamed(id, three.Dest) && m.isMovedOrRenamed(id, three.Updated) {
			m.setUnknown("both moved or renamed it")
		}
		for i, side := range three.Sides {
			if other := [...]*node{u, d}[i]; m.isMovedOrRenamed(id, side) && (other.above != o.above || other.lineComment != o.lineComment) {
				m.setUnknown("one moved or renamed it, the other changed its comment")
			}
		}
		if n.kind != o.kind && (m.isChanged(id, three.Dest) && m.isChanged(id, three.Updated)) {
			m.setUnknown("its kind and its content changed")
		}
		m.out.nodes[id] = n
	}
}

// checkAmbiguity calls setUnknown if the three files do not show which nodes match. The numbers of the nodes show it,
// but a merge does not have them. For example, a side gave the key of a node to another one, or two comments of
// different nodes are equal.
func (m *treeModel) checkAmbiguity() {
	for _, s := range three.Sides {
		o, n := m.versions[three.Original], m.versions[s]
		for id := range o.nodes {
			if now := n.findNamesake(o, id); id != 0 && now != 0 && now != id {
				m.setUnknown("it has the name that another node had")
			}
		}
	}
	items := map[string]int{}
	comments := map[string]int{}
	for s, t := range m.versions {
		for id, n := range t.nodes {
			for at, c := range map[int]string{id: n.above, -id: n.lineComment} {
				if other, ok := comments[c]; ok && c != "" && other != at {
					m.setUnknown("equal comments, in " + three.Names[s])
				}
				comments[c] = at
			}
			if o := m.versions[three.Original].nodes[n.from]; n.from != 0 && o != nil {
				// the copy may be taken for the original
				if t.nodes[n.from] == nil || m.isMovedOrRenamed(n.from, three.Version(s)) || m.hasUnnamed(n.parent) {
					m.setUnknown("copied, and the original moved or deleted")
				}
			}
			if !m.hasUnnamed(n.parent) || id == 0 {
				continue
			}
			content := fmt.Sprint(n.parent, t.contentWithoutComments(id))
			if other, ok := items[content]; ok && other != id {
				m.setUnknown("equal items, in " + three.Names[s])
			}
			items[content] = id
		}
	}
}

// findNamesake returns the number of the node in t that has the parent and the key (or, for an item, the name) of node
// id in o. It returns 0 if there is none.
func (t *tree) findNamesake(o *tree, id int) int {
	n := o.nodes[id]
	parent := t.nodes[n.parent]
	if parent == nil {
		return 0
	}
	for _, k := range parent.children {
		if n.key != "" && t.nodes[k].key == n.key || n.key == "" && o.itemName(id) != "" && t.itemName(k) == o.itemName(id) {
			return k
		}
	}
	return 0
}

// pickProperty returns the merge of one property: the value of the side that changed it. o, d and u are its values in
// base, ours and theirs. If both sides changed it to different values, it returns d and calls m.setUnknown. what names
// the property in the reason.
func pickProperty[T comparable](m *treeModel, what string, o, d, u T) T {
	switch {
	case d == u || u == o:
		return d
	case d == o:
		return u
	}
	m.setUnknown("both changed one " + what)
	return d
}

// isChanged reports whether side s deleted, changed or moved node id, which must exist in base, or changed anything
// below it. If the node is in a text, or in a list of items without names, a new order of that text or list is also a
// change.
func (m *treeModel) isChanged(id int, s three.Version) bool {
	o, n := m.versions[three.Original], m.versions[s]
	a, b := o.nodes[id], n.nodes[id]
	if b == nil || a.kind != b.kind || a.parent != b.parent || m.isMovedOrRenamed(id, s) || a.value != b.value || a.above != b.above || a.lineComment != b.lineComment {
		return true
	}
	if m.hasUnnamed(a.parent) && m.isReordered(a.parent, s) {
		return true
	}
	for _, k := range slices.Concat(a.children, b.children) {
		if o.nodes[k] == nil || !slices.Contains(a.children, k) || m.isChanged(k, s) && n.nodes[k] != nil {
			return true
		}
	}
	return false
}

// hasUnnamed reports whether node id has children that are not identified by a key or name. It is, in any of the three
// versions, a text, or a list with an item that has no name.
func (m *treeModel) hasUnnamed(id int) bool {
	for _, t := range m.versions {
		n := t.nodes[id]
		if n == nil || n.kind != listKind {
			if n != nil && n.kind == textKind {
				return true
			}
			continue
		}
		if slices.ContainsFunc(n.children, func(k int) bool { return t.itemName(k) == "" }) {
			return true
		}
	}
	return false
}

// isReordered reports whether side s changed the order of the children of node id. Children that only base or only s
// has are ignored. It returns false if base or s does not have the node.
func (m *treeModel) isReordered(id int, s three.Version) bool {
	o, n := m.versions[three.Original].nodes[id], m.versions[s].nodes[id]
	if o == nil || n == nil {
		return false
	}
	stay := func(in, of []int) []int {
		return slices.DeleteFunc(slices.Clone(in), func(k int) bool { return !slices.Contains(of, k) })
	}
	return !slices.Equal(stay(o.children, n.children), stay(n.children, o.children))
}

// addToParents adds every node in m.out to the children of its parent, in the order of the numbers. It calls
// setUnknown, and returns at once, if the parent of a node was deleted or became a leaf, or if the sides moved two
// nodes into each other (one side moved a into b, the other b into a).
func (m *treeModel) addToParents() {
	for _, id := range m.out.ids() {
		n := m.out.nodes[id]
		if id == 0 {
			continue
		}
		parent := m.out.nodes[n.parent]
		if parent == nil || parent.kind == leafKind {
			m.setUnknown("its parent is deleted or a leaf")
			return
		}
		parent.children = append(parent.children, id)
		for at, steps := n, 0; at != m.out.nodes[0]; at, steps = m.out.nodes[at.parent], steps+1 {
			if steps > len(m.out.nodes) || at == nil {
				m.setUnknown("two nodes are moved into each other")
				return
			}
		}
	}
}

// removeEqualAdditions removes one of two equal entries that both sides added under one key or name in the same mapping
// or list of m.out. It calls setUnknown if two entries of one name are not equal, or if both sides added items without
// a name to one list.
func (m *treeModel) removeEqualAdditions() {
	for _, id := range m.out.ids() {
		n := m.out.nodes[id]
		if n == nil {
			continue
		}
		seen := map[string]int{}
		for _, k := range slices.Clone(n.children) {
			name := m.out.nodes[k].key
			switch n.kind {
			case listKind:
				name = m.out.itemName(k)
			case textKind:
				continue
			}
			first, twice := seen[name]
			switch seen[name] = k; {
			case n.kind == listKind && name == "":
				if m.isAdded(k) && m.hasItemOfOtherSide(id, k) {
					m.setUnknown("items without a name added by both")
				}
			case !twice:
			case m.out.content(k) == m.out.content(first) && m.isAdded(k) && m.isAdded(first):
				m.out.deleteNode(k)
				seen[name] = first
			default:
				m.setUnknown("two different entries with one name")
			}
		}
	}
}

// isAdded reports whether a side added node id: base does not have it.
func (m *treeModel) isAdded(id int) bool { return m.versions[three.Original].nodes[id] == nil }

// hasItemOfOtherSide reports whether list id in m.out has an item that one side added, if the other side added k, which
// is an item of this list.
func (m *treeModel) hasItemOfOtherSide(id, k int) bool {
	by := func(k int) bool { return m.versions[three.Dest].nodes[k] != nil }
	return slices.ContainsFunc(m.out.nodes[id].children, func(o int) bool { return m.isAdded(o) && by(o) != by(k) })
}

// contentWithoutComments returns the kind, key and value of node id and of all nodes below it as one string, to compare
// nodes. t is not changed.
func (t *tree) contentWithoutComments(id int) string {
	c := t.clone()
	for _, n := range c.nodes {
		n.above, n.lineComment = "", ""
	}
	return c.content(id)
}

// content returns the kind, key, value and comments of node id and of all nodes below it as one string, to compare
// nodes.
func (t *tree) content(id int) string {
	n := t.nodes[id]
	s := fmt.Sprint(n.kind, n.key, n.value, n.above, n.lineComment)
	for _, k := range n.children {
		s += "(" + t.content(k) + ")"
	}
	return s
}
