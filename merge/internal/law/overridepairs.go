package law

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A member is an entry of a collection in its versions.
type member struct {
	at   *place
	q    quad
	list schema.List // the list that an item is in
}

// isKey reports whether a field of m, an item that one side alone has, tells
// which item m is.
func (m *member) isKey(field *member) bool {
	key := field.q.any().entry.Key
	return (m.q[dest] == nil || m.q[updated] == nil) && key != nil && m.list.IsKey(key.Value)
}

// members pairs what the values of m hold. It reports false where m is one value.
func (k *overrider) members(m *member) ([]*member, bool) {
	q, kind := m.q, m.q.any().Kind
	if d, u := q[dest], q[updated]; d != nil && u != nil && d.Kind != u.Kind {
		return nil, false
	}
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case kind == syntax.Mapping:
		return membersOf(q, byKey, func(n *node) *place { return m.at.field(n.entry.Key.Value) }, schema.List{}), true
	case kind != syntax.Sequence:
		return nil, false
	case m.at.isItems() && q.all(func(n *node) bool { return identity(n) != "" }):
		return membersOf(q, k.identities(q), m.at.item, schema.List{}), true
	}
	l := k.Lists(m.at.schema(k.File), slices.DeleteFunc(q.nodes(), func(n *syntax.Node) bool { return n == nil })...)
	id := func(n *node) uint64 { return n.data }
	if v := [versions]*syntax.Node{}; l.Kind == schema.Map {
		for i, s := range [...]version{updated, original, dest, result} {
			if q[s] != nil {
				v[i] = q[s].Node
			}
		}
		ids := l.IDs(v[:]...)
		id = func(n *node) uint64 { return hash(ids(n.Node)) }
	}
	all := membersOf(q, id, func(*node) *place { return m.at.field("*") }, l)
	if d, u := q[dest], q[updated]; k.Strategic && l.Kind == schema.Set && d != nil && u != nil {
		seen := map[uint64]bool{}
		for _, x := range all { // what stands twice is one
			if id := x.q.any().data; seen[id] {
				x.q = quad{result: x.q[result], original: x.q.any()}
			} else {
				seen[id] = true
			}
		}
		return all, d.data != u.data
	}
	return all, l.Kind == schema.Map || k.Strategic && l.Kind == schema.Set
}

func membersOf(q quad, id func(*node) uint64, below func(*node) *place, l schema.List) (all []*member) {
	for _, r := range pair(q, id) {
		all = append(all, &member{at: below(r.q.any()), q: r.q, list: l})
	}
	return all
}

// identities is what tells resources apart: kind, namespace and name, and the API
// group where an input has two of these, or both sides have two of which it cannot be
// told that one became the other. Where one says no namespace, it is to
// kubectl in that of the only one of its kind and name in dest, else in the default
// one.
func (k *overrider) identities(q quad) func(*node) uint64 {
	if k.ByPlace {
		at := map[*node]uint64{}
		for v := range q {
			for i, n := range q.members(version(v)) {
				at[n] = uint64(i) + 1
			}
		}
		return func(n *node) uint64 { return at[n] }
	}
	name := func(n *node) string { return n.scalar("kind") + "/" + n.scalar("metadata", "name") }
	live := map[string][]string{}
	for _, n := range q.members(dest) {
		live[name(n)] = append(live[name(n)], n.scalar("metadata", "namespace"))
	}
	id := func(n *node) string {
		own := n.scalar("metadata", "namespace")
		if in := live[name(n)]; k.Strategic && own == "" && len(in) == 1 {
			own = in[0]
		}
		if k.Strategic {
			own = cmp.Or(own, "default")
		}
		if identity(n) == "" {
			return ""
		}
		return name(n) + "\x00" + own
	}
	doubled := map[string]bool{}
	for v := range result {
		seen := map[string]bool{}
		for _, n := range q.members(v) {
			doubled[id(n)] = doubled[id(n)] || seen[id(n)]
			seen[id(n)] = true
		}
	}
	var group [result]map[string]*node
	for v := range group {
		group[v] = map[string]*node{}
		for _, n := range q.members(version(v)) {
			group[v][id(n)] = n
		}
	}
	for s, u := range group[updated] {
		if d := group[dest][s]; d != nil && (k.Strategic || group[original][s] == nil) {
			doubled[s] = doubled[s] || !schema.SameGroup(d.scalar("apiVersion"), u.scalar("apiVersion"), d.scalar("kind"))
		}
	}
	return func(n *node) uint64 {
		s := id(n)
		if group, _, ok := strings.Cut(n.scalar("apiVersion"), "/"); ok && doubled[s] {
			s += "\x00" + group
		}
		return hash(s)
	}
}

// remarks holds comments: those of dest and the new ones of updated stand, if what
// they belong to does, and the result has no others.
func (k *overrider) remarks() *Refusal {
	count, standing := map[uint64]counts{}, map[uint64]counts{}
	var all []remark
	for v := range versions {
		gone := union(k.gone[v])
		for _, r := range k.checker.remarks(v) {
			n := count[r.said]
			n[v]++
			count[r.said] = n
			if _, in, _ := cutAt(gone, r.at); !in {
				n = standing[r.said]
				n[v]++
				standing[r.said] = n
			}
			all = append(all, r)
		}
	}
	for _, r := range all {
		n, stands := count[r.said], standing[r.said]
		lost := n[result] == 0 && (stands[dest] > 0 && (n[original] == 0 || n[updated] > 0) || stands[updated] > 0 && (n[original] == 0 || n[dest] > 0))
		if lost || n[result] > n[dest]+n[updated] {
			return k.refuseComment(all, r, n)
		}
	}
	return nil
}

// union sorts spans and joins those that overlap.
func union(spans []text.Span) (all []cut) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, cut{Span: s})
	}
	return all
}
