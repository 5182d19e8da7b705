package merge

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A denseModel merges three trees whose nodes are known by their numbers: each slot of
// each node is that of the side that changed it.
type denseModel struct {
	in  [3]*denseTree
	out *denseTree
	// open says why there is no right merge to compare with, "" if there is one.
	open string
}

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

func (m *denseModel) fail(why string) {
	if m.open == "" {
		m.open = why
	}
}

// node merges the slots of one node.
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
			m.fail("deleted and changed")
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

// guessed finds where no reader of the versions could know what is one thing: what a
// side copied and then deleted, items without a name that are alike, comments that are, and
// a name that a side gave to another thing.
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

// named is the node of t that has the place and the name which node id has in o, 0 if
// none has.
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

// touched reports whether side s changed node id of base or what is below it, moved
// it out or, where items have no names, elsewhere in its list.
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

// unnamed reports whether a node is a list whose items a version does not all know by
// a name, or a text.
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

// reordered reports whether side s put what stays of a collection in another order.
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

// hang puts every node that stands below the one that it is in.
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

// unite makes one of what both sides added alike.
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

func (m *denseModel) added(id int) bool { return m.in[three.Original].nodes[id] == nil }

// addedAlso reports whether the other side than that of k added something to list id.
func (m *denseModel) addedAlso(id, k int) bool {
	by := func(k int) bool { return m.in[three.Dest].nodes[k] != nil }
	return slices.ContainsFunc(m.out.nodes[id].kids, func(o int) bool { return m.added(o) && by(o) != by(k) })
}

// says is what node id of a tree says, its comments aside.
func (t *denseTree) says(id int) string {
	c := t.clone()
	for _, n := range c.nodes {
		n.above, n.behind = "", ""
	}
	return c.spell(id)
}

// spell is all that node id of a tree says.
func (t *denseTree) spell(id int) string {
	n := t.nodes[id]
	s := fmt.Sprint(n.kind, n.key, n.value, n.above, n.behind)
	for _, k := range n.kids {
		s += "(" + t.spell(k) + ")"
	}
	return s
}
