package merge

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// mapping merges the fields of mappings by key.
func (w *walker) mapping(v nodes, p *path) ([]*child, ConflictKind) {
	defer func(retain bool) { w.retain = retain }(w.retain)
	w.retain = w.retained(v, p)
	steps := w.pair(w.elems(v, fieldKey, func(e *syntax.Entry) *syntax.Node { return e.Value }))
	return w.steps(v, steps, func(e entries) *path { return p.child(e[e.first()].Key.Value) }), ""
}

// fieldKey is the identity of a field: its key by value, so that z and "z"
// are one.
func fieldKey(e *syntax.Entry) string {
	switch {
	case e.Key.Kind == syntax.Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}

// elems prepares the entries of three collections for pairing by key. A key
// that a version holds several times pairs in order.
func (w *walker) elems(v nodes, key func(*syntax.Entry) string, body func(*syntax.Entry) *syntax.Node) [3][]elem {
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

// list merges lists by what is known of them.
func (w *walker) list(v nodes, p *path) ([]*child, ConflictKind) {
	if steps := w.resources(v, p); steps != nil {
		return w.steps(v, w.appended(steps), w.resourcePath(p)), ""
	}
	l := w.listOf(v, p)
	if l.Kind == schema.Map {
		return w.keyedItems(v, p, l), ""
	}
	if w.set.updatedWins {
		w.frozen++
		defer func() { w.frozen-- }()
	}
	switch l.Kind {
	case schema.Set:
		return w.steps(v, w.placed(w.pairSet(v, l)), w.indexed(p, v)), ""
	case schema.Atomic:
		if !w.sums.equal(v[original], v[dest]) && !w.sums.equal(v[original], v[updated]) && !w.sums.equal(v[dest], v[updated]) {
			return nil, ConflictList
		}
	}
	return w.steps(v, w.united(v, p, w.pairOrdered(v)), w.indexed(p, v)), ""
}

// keyedItems merges the items of a map list.
func (w *walker) keyedItems(v nodes, p *path, l schema.List) []*child {
	defer func(f func(string) bool) { w.isKey = f }(w.isKey)
	w.isKey = l.IsKey
	return w.steps(v, w.placed(w.pairItems(v, l)), func(e entries) *path {
		return p.labelled(l.Label(e[e.first()].Value))
	})
}

// pairSet pairs the items of a set by value.
func (w *walker) pairSet(v nodes, l schema.List) []step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	return pairKeyed(w.elems(v, id, func(*syntax.Entry) *syntax.Node { return nil }), nil)
}

// pairItems pairs the items of a map list; the fields of the key do not count
// where a rename is looked for.
func (w *walker) pairItems(v nodes, l schema.List) []step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	elems := w.elems(v, id, func(e *syntax.Entry) *syntax.Node { return e.Value })
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].aside = l.IsKey
		}
	}
	return w.pair(elems)
}

// resources pairs the items of kind: List by identity; nil if the list at p is
// none of these, or one of its items has no identity.
func (w *walker) resources(v nodes, p *path) []step {
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
	identity := w.identities(items)
	id := func(e *syntax.Entry) string { return identity(e.Value) }
	return w.pair(w.elems(v, id, func(e *syntax.Entry) *syntax.Node { return e.Value }))
}

// resourcePath names an item of kind: List, and makes it the root of a
// resource of its own.
func (w *walker) resourcePath(p *path) func(entries) *path {
	return func(e entries) *path {
		n := e[e.first()].Value
		q := p.labelled(scalarAt(n, "kind") + "/" + scalarAt(n, "metadata", "name"))
		q.root = w.resource(n)
		return q
	}
}

// pairOrdered aligns the items of ordered lists.
func (w *walker) pairOrdered(v nodes) []step {
	var elems [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		elems[s] = make([]elem, len(n.Entries))
		for i, e := range n.Entries {
			elems[s][i].sum, elems[s][i].name = w.sums.of(e.Value), nameOf(e.Value)
		}
	}
	item := func(s side, i int) *syntax.Node { return v[s].Entries[i].Value }
	a := &ordered{
		v:     elems,
		alike: func(a side, i int, b side, j int) float64 { return w.sums.alike(item(a, i), item(b, j)) },
		parts: func(s side, i int) []uint64 { return w.sums.parts(item(s, i)) },
		same:  func(d, u int) bool { return w.sums.oneThing(item(dest, d), item(updated, u)) },
	}
	return a.pair()
}

// indexed names the items of an ordered list by their place in dest.
func (w *walker) indexed(p *path, v nodes) func(entries) *path {
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

// steps turns the paired entries of three collections into plans.
func (w *walker) steps(v nodes, steps []step, name func(entries) *path) []*child {
	out := make([]*child, 0, len(steps))
	for _, st := range steps {
		var c *child
		if st.cause != noCause {
			c = w.contested(v, st, name)
		} else {
			var at entries
			for s, i := range st.at {
				if i >= 0 {
					at[s] = v[s].Entries[i]
				}
			}
			c = w.entry(at, v, name)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// contested is the plan of a conflict over several entries.
func (w *walker) contested(v nodes, st step, name func(entries) *path) *child {
	c := &child{up: w.up, doc: w.doc, clash: &clash{kind: kindOf(st.cause)}}
	for s, run := range st.runs {
		for _, i := range run {
			c.clash.runs[s] = append(c.clash.runs[s], v[s].Entries[i])
		}
		if len(run) > 0 && c.at[s] == nil {
			c.at[s] = v[s].Entries[run[0]]
		}
	}
	c.path = name(c.at)
	return c
}

func kindOf(c cause) ConflictKind {
	switch c {
	case replaced:
		return ConflictReplace
	case inserted:
		return ConflictAddAdd
	}
	return ConflictList
}
