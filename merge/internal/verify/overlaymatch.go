package verify

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// matches pairs what the values of q hold, and says which list they are. It reports false
// where q is one value.
func (k *overlayer) matches(at *place, q quad) (rows []*match, l schema.List, parts bool) {
	kind, o, t := q.any().Kind, q[ours], q[theirs]
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case o != nil && t != nil && o.Kind != t.Kind, kind != syntax.Mapping && kind != syntax.Sequence:
		return nil, l, false
	case kind == syntax.Mapping:
		return matched(q, facts.ByKey, false), l, true
	case at.isItems() && q.all(facts.IsResource):
		return matched(q, k.identities(q), false), l, true
	}
	l = k.Lists(at.schema(k.File), slices.DeleteFunc(q.nodes(), func(n *syntax.Node) bool { return n == nil })...)
	switch set := k.Strategic && l.Kind == schema.Set; {
	case l.Kind == schema.Map:
		return matched(q, alikeOf(q, l), false), l, true
	case set && o != nil && t != nil:
		rows = matched(q, facts.ByValue, false)
		for _, x := range rows { // what stands twice is one
			if x.nth > 0 {
				x.q = quad{result: x.q[result], base: x.q.any()}
			}
		}
		return rows, l, o.Data != t.Data
	}
	return matched(q, facts.ByValue, false), l, k.Strategic && l.Kind == schema.Set
}

// alikeOf is what tells the items of q apart by l. Where several have one key, one of the
// result is that with which it has most in common: of some the rules leave a part.
func alikeOf(q quad, l schema.List) func(*node) uint64 {
	ids := l.IDs(q[theirs].Syntax(), q[base].Syntax(), q[ours].Syntax())
	several := map[string][]*node{}
	for _, v := range [...]version{theirs, base, ours} {
		for _, n := range q.members(v, false) {
			if key, ok := l.ID(n.Node); ok && key != ids(n.Node) {
				several[key] = append(several[key], n)
			}
		}
	}
	type match struct {
		r, n *node
		like int
	}
	var all []match
	for _, r := range q.members(result, false) {
		key, _ := l.ID(r.Node)
		if len(all)+len(several[key]) > maxAlike {
			ids = l.IDs(q[theirs].Syntax(), q[base].Syntax(), q[ours].Syntax(), q[result].Syntax())
			return func(n *node) uint64 { return facts.Hash(ids(n.Node)) }
		}
		for _, n := range several[key] {
			all = append(all, match{r, n, likeness(r, n, l)})
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return b.like - a.like })
	is, taken := map[*node]string{}, map[string]bool{}
	for _, m := range all {
		if id := ids(m.n.Node); is[m.r] == "" && !taken[id] {
			is[m.r], taken[id] = id, true
		}
	}
	return func(n *node) uint64 { return facts.Hash(cmp.Or(is[n], ids(n.Node))) }
}

// maxAlike is how many pairs of items of one key are compared.
const maxAlike = 10000

// likeness is how much two items of one key have in common: all, all that else tells
// such items apart, or some leaves.
func likeness(a, b *node, l schema.List) int {
	x, y, n := said(nil, a, 7), said(nil, b, 7), 0
	slices.Sort(x)
	slices.Sort(y)
	if slices.Equal(x, y) {
		return math.MaxInt
	}
	for _, leaf := range x {
		if _, ok := slices.BinarySearch(y, leaf); ok {
			n++
		}
	}
	l.Keys = slices.Concat(l.Keys, l.Rest)
	if k, ok := l.ID(a.Node); ok && len(l.Rest) > 0 {
		if m, also := l.ID(b.Node); also && k == m {
			n += 1 << 20
		}
	}
	return n
}

// said is leaves but for nulls, which clear.
func said(to []uint64, n *node, path uint64) []uint64 {
	kids := n.Kids()
	if len(kids) == 0 {
		return append(to, facts.Mix(path, n.Data))
	}
	for i := range kids {
		if k := &kids[i]; k.Entry.Key == nil || !k.IsNull() {
			to = said(to, k, facts.Mix(path, k.ID))
		}
	}
	return to
}

// identities is what tells resources apart: kind, namespace and name, and the API
// class where an input has two of these, or both sides have two of which it cannot be
// told that one became the other. Of what every input has once, kind and name are
// enough, but not to kubectl.
func (k *overlayer) identities(q quad) func(*node) uint64 {
	id := k.named(q)
	place, times := map[*node]uint64{}, map[string]counts{}
	for v := range versions {
		for i, n := range q.members(v, false) {
			place[n] = uint64(i) + 1
			kin := times[facts.KindName(n)]
			kin[v]++
			times[facts.KindName(n)] = kin
		}
	}
	grouped := k.grouped(q, id)
	return func(n *node) uint64 {
		s, kin := id(n), facts.KindName(n)
		group, _, ok := strings.Cut(n.Scalar("apiVersion"), "/")
		switch in := times[kin]; {
		case k.ByPlace:
			return place[n]
		case kin != "" && !k.Strategic && in[base] == 1 && in[ours] == 1 && in[theirs] == 1:
			return facts.Hash(kin)
		case ok && grouped[s]:
			s += "\x00" + group
		}
		return facts.Hash(s)
	}
}

// named is the kind, name and namespace of a resource. Where one says no namespace,
// it is to kubectl in that of the only one of its kind and name in ours, else in the
// default one.
func (k *overlayer) named(q quad) func(*node) string {
	live := map[string][]string{}
	for _, n := range q.members(ours, false) {
		live[facts.KindName(n)] = append(live[facts.KindName(n)], n.Scalar("metadata", "namespace"))
	}
	return func(n *node) string {
		own := n.Scalar("metadata", "namespace")
		if in := live[facts.KindName(n)]; k.Strategic && own == "" && len(in) == 1 {
			own = in[0]
		}
		switch {
		case !facts.IsResource(n):
			return ""
		case k.Strategic:
			own = cmp.Or(own, "default")
		}
		return facts.KindName(n) + "\x00" + own
	}
}

// grouped are those that the API group tells apart.
func (k *overlayer) grouped(q quad, id func(*node) string) map[string]bool {
	doubled := map[string]bool{}
	var last [versions]map[string]*node
	for v := range versions {
		last[v] = map[string]*node{}
		for _, n := range q.members(v, false) {
			s := id(n)
			doubled[s] = doubled[s] || last[v][s] != nil && v != result
			last[v][s] = n
		}
	}
	for s, u := range last[theirs] {
		if d := last[ours][s]; d != nil && (k.Strategic || last[base][s] == nil) {
			doubled[s] = doubled[s] || !schema.SameGroup(d.Scalar("apiVersion"), u.Scalar("apiVersion"), d.Scalar("kind"))
		}
	}
	return doubled
}
