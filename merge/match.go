package merge

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A matcher pairs the entries of three versions by what is known of them.
type matcher struct {
	rules *schema.Rules
	file  string // the path of the file in its repository
	multi bool   // the stream has several documents
	sums  *sums
	set   ruleSet
}

// elems prepares the entries of three collections for pairing by key. A key
// that a version holds several times pairs in order.
func (m *matcher) elems(v nodes, key func(*syntax.Entry) string, body func(*syntax.Entry) *syntax.Node) [3][]elem {
	var out [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		seen := make(map[string]int, len(n.Entries))
		for _, e := range n.Entries {
			k := key(e)
			if seen[k]++; seen[k] > 1 {
				k += "\x00" + strconv.Itoa(seen[k])
			}
			el := elem{key: k, node: body(e)}
			out[s] = append(out[s], el)
		}
	}
	return out
}

// pairSet pairs the items of a set by value.
func (m *matcher) pairSet(v nodes, l schema.List) []step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	return pairKeyed(m.elems(v, id, func(*syntax.Entry) *syntax.Node { return nil }), nil)
}

// pairItems pairs the items of a map list; the fields of the key do not count
// where a rename is looked for.
func (m *matcher) pairItems(v nodes, l schema.List) []step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	elems := m.elems(v, id, func(e *syntax.Entry) *syntax.Node { return e.Value })
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].aside = l.IsKey
		}
	}
	return m.pair(elems)
}

// resources pairs the items of kind: List by identity; nil if the list at p is
// none of these, or one of its items has no identity.
func (m *matcher) resources(v nodes, p *path) []step {
	if p.field != "items" || p.up.root == nil || !strings.HasSuffix(p.up.root.Kind, "List") {
		return nil
	}
	var items [3][]*syntax.Node
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if identity(e.Value) == "" {
				return nil
			}
			items[s] = append(items[s], e.Value)
		}
	}
	identity := m.identities(items)
	id := func(e *syntax.Entry) string { return identity(e.Value) }
	return m.pair(m.elems(v, id, func(e *syntax.Entry) *syntax.Node { return e.Value }))
}

// resourcePath names an item of kind: List, and makes it the root of a
// resource of its own.
func (m *matcher) resourcePath(p *path) func(entries) *path {
	return func(e entries) *path {
		n := e[e.first()].Value
		q := p.labelled(scalarAt(n, "kind") + "/" + scalarAt(n, "metadata", "name"))
		q.root = m.resource(n)
		return q
	}
}

// pairOrdered aligns the items of ordered lists.
func (m *matcher) pairOrdered(v nodes) []step {
	var elems [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		elems[s] = make([]elem, len(n.Entries))
		for i, e := range n.Entries {
			elems[s][i].sum, elems[s][i].name = m.sums.of(e.Value), nameOf(e.Value)
		}
	}
	item := func(s side, i int) *syntax.Node { return v[s].Entries[i].Value }
	a := &ordered{
		v:     elems,
		alike: func(a side, i int, b side, j int) float64 { return m.sums.alike(item(a, i), item(b, j)) },
		parts: func(s side, i int) []uint64 { return m.sums.parts(item(s, i)) },
		same:  func(d, u int) bool { return m.sums.oneThing(item(dest, d), item(updated, u)) },
	}
	return a.pair()
}

// indexed names the items of an ordered list by their place in dest.
func (m *matcher) indexed(p *path, v nodes) func(entries) *path {
	index := map[*syntax.Entry]int{}
	for _, s := range [3]side{updated, original, dest} {
		if v[s] == nil {
			continue
		}
		for i, e := range v[s].Entries {
			index[e] = i
		}
	}
	return func(e entries) *path { return p.index(index[e[e.first()]]) }
}

// identities is what tells resources apart under the rules of m.
func (m *matcher) identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case m.set.byPlace:
		return places(v)
	case m.set.strategic:
		return identities(v, namespacesOf(v[dest]).of)
	}
	return identities(v, namespace)
}

// listOf is what is known of the list at p.
func (m *matcher) listOf(v nodes, p *path) schema.List {
	if m.set.strategic {
		return m.rules.Strategic(p.place(), v[:]...)
	}
	return m.rules.Of(p.place(), v[:]...)
}
