package referee

import (
	"cmp"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A member is an entry of a collection in its versions.
type member struct {
	at   *place
	t    quad
	list schema.List // the list that an item is in
}

// isKey reports whether a field of m, an item that one side alone has, tells
// which item m is.
func (m *member) isKey(field *member) bool {
	if m.t[dest] != nil && m.t[updated] != nil {
		return false
	}
	key := field.t.any().entry.Key
	return key != nil && m.list.IsKey(key.Value)
}

// members pairs what the values of m hold. It reports false where m is one
// value.
func (k *overrider) members(m *member) ([]*member, bool) {
	kind := m.t[dest].or(m.t[updated]).Kind
	for _, v := range sides {
		if n := m.t[v]; n != nil && n.Kind != kind {
			return nil, false
		}
	}
	t := m.t
	for v, n := range t {
		if n != nil && n.Kind != kind {
			t[v] = nil
		}
	}
	switch kind {
	case syntax.Mapping:
		return pairs{
			id:    func(n *node) uint64 { return n.id },
			place: func(n *node) *place { return m.at.field(n.entry.Key.Value) },
		}.of(t), true
	case syntax.Sequence:
		p, ok := k.items(m.at, t)
		return p.of(t), ok
	}
	return nil, false
}

// pairs is how the entries of a collection pair.
type pairs struct {
	id    func(*node) uint64
	place func(*node) *place
	list  schema.List // that they are items of
}

// of pairs the entries of t.
func (p pairs) of(t quad) []*member {
	var out []*member
	for _, r := range pair(t.members(), p.id).of {
		out = append(out, &member{at: p.place(r.at.any()), t: r.at, list: p.list})
	}
	return out
}

// items says how the items of a list pair. It reports false where the list is
// one value.
func (k *overrider) items(at *place, t quad) (pairs, bool) {
	if at.isItems() && t.all(func(n *node) bool { return identity(n) != "" }) {
		id := k.identities(t.members())
		return pairs{
			id:    func(n *node) uint64 { return hash(id(n)) },
			place: func(n *node) *place { return at.item(resourceName(n)).of(n) },
		}, true
	}
	l := k.listOf(at, t)
	return pairs{
		id:    func(n *node) uint64 { return itemID(l, n) },
		place: func(n *node) *place { return at.item(l.Label(n.Node)) },
		list:  l,
	}, l.Kind == schema.Map || k.Strategic && l.Kind == schema.Set
}

func (k *overrider) listOf(at *place, t quad) schema.List {
	var v []*syntax.Node
	for _, s := range inputs {
		if n := t[s]; n != nil {
			v = append(v, n.Node)
		}
	}
	return k.Lists(at.schema(k.File), v...)
}

// identities is what tells resources apart. Where one says no namespace, it is
// to kubectl in that of the only one of its kind and name in dest, else in the
// default one.
func (k *overrider) identities(m [versions][]*node) func(*node) string {
	switch {
	case k.ByPlace:
		return places(m)
	case !k.Strategic:
		return identities(m)
	}
	own := func(n *node) string { return n.scalar("metadata", "namespace") }
	live := map[string][]string{}
	for _, n := range m[dest] {
		live[resourceName(n)] = append(live[resourceName(n)], own(n))
	}
	return identitiesIn(m, func(n *node) string {
		if in := live[resourceName(n)]; own(n) == "" && len(in) == 1 {
			return cmp.Or(in[0], "default")
		}
		return cmp.Or(own(n), "default")
	})
}

// places makes the place of a resource among the others its identity.
func places(m [versions][]*node) func(*node) string {
	at := map[*node]string{}
	for _, ns := range m {
		for i, n := range ns {
			at[n] = strconv.Itoa(i)
		}
	}
	return func(n *node) string { return at[n] }
}
