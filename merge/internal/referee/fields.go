package referee

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// keyed is a collection whose elements pair by identity.
type keyed struct {
	members [versions][]*node
	hidden  aside
	id      func(*node) uint64
	aside   []string // fields of an element that are its identity
	unit    string   // what an element is called
	noted   bool     // comments that are counted by element
	place   func(*node) *place
	check   func(*place, quad) *Refusal
}

// keyed checks every element, that none is doubled, and their order.
func (c *checker) keyed(k keyed) *Refusal {
	if r := c.kept(k.members, k.hidden, k.id, k.place); r != nil {
		return r
	}
	t := pair(k.members, k.id)
	t.followRenames(k.aside)
	for i := range t.of {
		r := &t.of[i]
		n := r.at.any()
		if n == nil {
			continue
		}
		if r.at[result] == n {
			if c.waivers.has(k.place(n)) {
				continue
			}
			if r.again {
				return k.place(n).refuse("doubled", "the %s stands more often than in every input", k.unit)
			}
			return k.place(n).refuse("invented", "no input has the %s", k.unit)
		}
		if !k.noted && r.at.untouched() {
			continue
		}
		if ref := k.check(k.place(n), r.at); ref != nil {
			return ref
		}
	}
	if c.waivers != nil {
		return nil
	}
	return t.checkOrder(func(r *row) *place { return k.place(r.at.any()) })
}

// any returns the element in dest, else updated, the original or the result.
func (t quad) any() *node {
	for _, v := range [...]version{dest, updated, original, result} {
		if t[v] != nil {
			return t[v]
		}
	}
	return nil
}

// fields checks a mapping.
func (c *checker) fields(at *place, t quad) *Refusal {
	return c.keyed(keyed{
		members: t.members(),
		hidden:  c.hiddenOf(t),
		id:      func(n *node) uint64 { return n.id },
		unit:    "key",
		place:   func(n *node) *place { return at.field(n.entry.Key.Value) },
		check:   c.triple,
	})
}

func (t quad) members() (m [versions][]*node) {
	for v, n := range t {
		m[v] = n.members()
	}
	return m
}

// list checks a sequence by what is known of it.
func (c *checker) list(at *place, t quad) *Refusal {
	if at.isItems() && t.all(func(n *node) bool { return identity(n) != "" }) {
		return c.resources(at, t.members(), c.hiddenOf(t))
	}
	var nodes []*syntax.Node
	for _, v := range inputs {
		if t[v] != nil {
			nodes = append(nodes, t[v].Node)
		}
	}
	switch l := c.Rules.Of(at.schema(c.File), nodes...); l.Kind {
	case schema.Map:
		return c.keyed(keyed{
			members: t.members(),
			hidden:  c.hiddenOf(t),
			id:      func(n *node) uint64 { return itemID(l, n) },
			aside:   l.Keys,
			unit:    "item",
			place:   func(n *node) *place { return at.item(l.Label(n.Node)) },
			check:   c.triple,
		})
	case schema.Set:
		return c.keyed(keyed{
			members: t.members(),
			hidden:  c.hiddenOf(t),
			id:      func(n *node) uint64 { return n.sum },
			unit:    "value",
			place:   func(n *node) *place { return at.item(n.show()) },
			check:   c.triple,
		})
	}
	return c.ordered(at, t.members(), c.hiddenOf(t), ofItems)
}

// all reports whether f holds for every kid of the inputs.
func (t quad) all(f func(*node) bool) bool {
	for _, v := range inputs {
		for _, n := range t[v].members() {
			if !f(n) {
				return false
			}
		}
	}
	return true
}

// itemID is the identity of n in l; an item without one is known by its value.
func itemID(l schema.List, n *node) uint64 {
	if id, ok := l.ID(n.Node); ok {
		return hash(id)
	}
	return n.sum
}

// ordered checks a list without keys: see ordered.go.
func (c *checker) ordered(at *place, m [versions][]*node, a aside, of elements) *Refusal {
	if c.waivers.has(at) {
		return nil
	}
	if r := c.kept(m, a, c.wholeSum, func(*node) *place { return at }); r != nil {
		return r
	}
	o := orderedList{checker: c, leaves: map[*node][]uint64{}, at: at, of: of, rows: pair(m, func(n *node) uint64 { return n.sum })}
	o.rows.byValue = true
	r := o.split()
	if r == nil {
		r = o.explain()
	}
	if r == nil {
		o.linkAnchors()
		r = o.rows.checkOrder(o.place)
	}
	if r != nil && c.waivers != nil {
		r.list = at.String()
	}
	return r
}
