package engine

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A denseModel computes the expected merge of three trees. A node has the same number in
// all trees, so that nothing has to be aligned. Each property of a node (its kind, parent,
// key, value and comments) is taken from the side that changed it.
type denseModel struct {
	in  [3]*denseTree
	out *denseTree
	// open is the reason why the model has no expected merge, for example because both
	// sides changed the same value. It is "" if out is the expected merge.
	open string
}

// newDenseModel merges three trees and returns the model with out or open set.
func newDenseModel(in [3]*denseTree) *denseModel {
	m := &denseModel{in: in, out: &denseTree{nodes: map[int]*denseNode{}}}
	var ids []int
	for _, t := range in {
		ids = append(ids, t.ids()...)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		m.node(id)
	}
	m.hang()
	m.guessed()
	if m.open == "" {
		m.unite()
	}
	if n := m.out.nodes[0]; m.open == "" && len(n.kids) == 0 {
		m.fail("nothing is left")
	}
	return m
}

// fail sets m.open to a reason, unless it already has one.
func (m *denseModel) fail(why string) {
	if m.open == "" {
		m.open = why
	}
}

// node merges the properties of node id and adds the node to m.out, unless a side deleted
// it. The children are added later, by hang. It calls fail if both sides changed the same
// property differently, if one side changed what the other deleted, and if one side moved
// the node while the other changed its comments or moved it, too.
func (m *denseModel) node(id int) {
	o, d, u := m.in[three.Original].nodes[id], m.in[three.Dest].nodes[id], m.in[three.Updated].nodes[id]
	switch {
	case o == nil && d != nil, o == nil && u != nil:
		if d == nil {
			d = u
		}
		n := *d
		n.kids = nil
		m.out.nodes[id] = &n
	case o == nil || d == nil && u == nil:
	case d == nil || u == nil:
		s := three.Dest
		if d == nil {
			s = three.Updated
		}
		if m.touched(id, s) {
			m.fail("deleted and modified")
		}
	default:
		n := &denseNode{
			kind: densePick(m, "kind", o.kind, d.kind, u.kind), up: densePick(m, "place", o.up, d.up, u.up),
			key: densePick(m, "key", o.key, d.key, u.key), value: densePick(m, "value", o.value, d.value, u.value),
			above: densePick(m, "comment", o.above, d.above, u.above), behind: densePick(m, "comment", o.behind, d.behind, u.behind),
		}
		if m.elsewhere(id, three.Dest) && m.elsewhere(id, three.Updated) {
			m.fail("both put it elsewhere")
		}
		for i, side := range three.Sides {
			if other := [...]*denseNode{u, d}[i]; m.elsewhere(id, side) && (other.above != o.above || other.behind != o.behind) {
				m.fail("put elsewhere, its comment changed")
			}
		}
		if n.kind != o.kind && (m.touched(id, three.Dest) && m.touched(id, three.Updated)) {
			m.fail("another kind")
		}
		m.out.nodes[id] = n
	}
}

// guessed calls fail where the versions do not show which nodes match, although the
// numbers of the nodes do: if a side gave the name of one node to another, copied a node
// and then moved or deleted the original, or if a version has two equal comments or two
// equal items without a name.
func (m *denseModel) guessed() {
	for _, s := range three.Sides {
		o, n := m.in[three.Original], m.in[s]
		for id := range o.nodes {
			if now := n.named(o, id); id != 0 && now != 0 && now != id {
				m.fail("a name of another thing")
			}
		}
	}
	alike := map[string]int{}
	remarks := map[string]int{}
	for s, t := range m.in {
		for id, n := range t.nodes {
			for at, c := range map[int]string{id: n.above, -id: n.behind} {
				if other, ok := remarks[c]; ok && c != "" && other != at {
					m.fail("alike comments, in " + three.Names[s])
				}
				remarks[c] = at
			}
			if o := m.in[three.Original].nodes[n.from]; n.from != 0 && o != nil {
				if t.nodes[n.from] == nil || m.elsewhere(n.from, three.Version(s)) || m.unnamed(n.up) {
					m.fail("copied, the original elsewhere")
				}
			}
			if !m.unnamed(n.up) || id == 0 {
				continue
			}
			said := fmt.Sprint(n.up, t.says(id))
			if other, ok := alike[said]; ok && other != id {
				m.fail("alike items, in " + three.Names[s])
			}
			alike[said] = id
		}
	}
}

// named returns the node of t that has the same parent and the same key or name as node
// id of o, or 0 if there is none.
func (t *denseTree) named(o *denseTree, id int) int {
	n := o.nodes[id]
	up := t.nodes[n.up]
	if up == nil {
		return 0
	}
	for _, k := range up.kids {
		if n.key != "" && t.nodes[k].key == n.key || n.key == "" && o.name(id) != "" && t.name(k) == o.name(id) {
			return k
		}
	}
	return 0
}

// densePick merges one property: it returns the value of the side that changed it. If both
// sides changed it differently, it calls fail and returns dest's.
func densePick[T comparable](m *denseModel, what string, o, d, u T) T {
	switch {
	case d == u || u == o:
		return d
	case d == o:
		return u
	}
	m.fail("both changed one " + what)
	return d
}

// touched reports whether side s deleted, changed or moved node id of the original, or
// changed anything below it. For an item of a list or a line of a text whose entries
// have no names, a new order of the list also counts as a change.
func (m *denseModel) touched(id int, s three.Version) bool {
	o, n := m.in[three.Original], m.in[s]
	a, b := o.nodes[id], n.nodes[id]
	if b == nil || a.kind != b.kind || a.up != b.up || m.elsewhere(id, s) || a.value != b.value || a.above != b.above || a.behind != b.behind {
		return true
	}
	if m.unnamed(a.up) && m.reordered(a.up, s) {
		return true
	}
	for _, k := range slices.Concat(a.kids, b.kids) {
		if o.nodes[k] == nil || !slices.Contains(a.kids, k) || m.touched(k, s) && n.nodes[k] != nil {
			return true
		}
	}
	return false
}

// unnamed reports whether node id is, in any version, a text or a list in which an item
// has no name.
func (m *denseModel) unnamed(id int) bool {
	for _, t := range m.in {
		n := t.nodes[id]
		if n == nil || n.kind != denseList {
			if n != nil && n.kind == denseText {
				return true
			}
			continue
		}
		if slices.ContainsFunc(n.kids, func(k int) bool { return t.name(k) == "" }) {
			return true
		}
	}
	return false
}

// reordered reports whether side s changed the order of the entries of collection id that
// it kept.
func (m *denseModel) reordered(id int, s three.Version) bool {
	o, n := m.in[three.Original].nodes[id], m.in[s].nodes[id]
	if o == nil || n == nil {
		return false
	}
	stay := func(in, of []int) []int {
		return slices.DeleteFunc(slices.Clone(in), func(k int) bool { return !slices.Contains(of, k) })
	}
	return !slices.Equal(stay(o.kids, n.kids), stay(n.kids, o.kids))
}

// hang adds every node of m.out to the children of its parent. It calls fail if the parent
// was deleted or is a leaf now, or if the sides moved two nodes into each other.
func (m *denseModel) hang() {
	for _, id := range m.out.ids() {
		n := m.out.nodes[id]
		if id == 0 {
			continue
		}
		up := m.out.nodes[n.up]
		if up == nil || up.kind == denseLeaf {
			m.fail("within what is deleted")
			return
		}
		up.kids = append(up.kids, id)
		for at, steps := n, 0; at != m.out.nodes[0]; at, steps = m.out.nodes[at.up], steps+1 {
			if steps > len(m.out.nodes) || at == nil {
				m.fail("each within the other")
				return
			}
		}
	}
}

// unite removes the second of two equal entries that the sides added under one name. It
// calls fail if the entries of one name are not equal, or if both sides added items
// without a name to the same list.
func (m *denseModel) unite() {
	for _, id := range m.out.ids() {
		n := m.out.nodes[id]
		if n == nil {
			continue
		}
		seen := map[string]int{}
		for _, k := range slices.Clone(n.kids) {
			name := m.out.nodes[k].key
			switch n.kind {
			case denseList:
				name = m.out.name(k)
			case denseText:
				continue
			}
			first, twice := seen[name]
			switch seen[name] = k; {
			case n.kind == denseList && name == "":
				if m.added(k) && m.addedAlso(id, k) {
					m.fail("items without a name added by both")
				}
			case !twice:
			case m.out.spell(k) == m.out.spell(first) && m.added(k) && m.added(first):
				m.out.drop(k)
				seen[name] = first
			default:
				m.fail("one name, two things")
			}
		}
	}
}

// added reports whether the original has no node id.
func (m *denseModel) added(id int) bool { return m.in[three.Original].nodes[id] == nil }

// addedAlso reports whether list id also has an item added by the side that did not add k.
func (m *denseModel) addedAlso(id, k int) bool {
	by := func(k int) bool { return m.in[three.Dest].nodes[k] != nil }
	return slices.ContainsFunc(m.out.nodes[id].kids, func(o int) bool { return m.added(o) && by(o) != by(k) })
}

// says returns the content of node id and all nodes below it, without comments.
func (t *denseTree) says(id int) string {
	c := t.clone()
	for _, n := range c.nodes {
		n.above, n.behind = "", ""
	}
	return c.spell(id)
}

// spell returns the content of node id and all nodes below it, with comments.
func (t *denseTree) spell(id int) string {
	n := t.nodes[id]
	s := fmt.Sprint(n.kind, n.key, n.value, n.above, n.behind)
	for _, k := range n.kids {
		s += "(" + t.spell(k) + ")"
	}
	return s
}
