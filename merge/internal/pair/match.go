package pair

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A Matcher pairs the entries of three versions by what is known of them.
type Matcher struct {
	Rules *schema.Rules
	File  string // the path of the file in its repository
	Multi bool   // the stream has several documents
	Sums  *sums
	Lines *Lines // nil if lines are not asked
	// Identify returns what tells resources apart; nil is schema.Identities.
	Identify func(v [3][]*syntax.Node) func(*syntax.Node) string
}

// Elems prepares the entries of three collections for pairing by key. A key
// that a version holds several times pairs in order.
func (m *Matcher) Elems(v three.Nodes, key func(*syntax.Entry) string) [3][]elem {
	var out [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		seen := make(map[string]int, len(n.Entries))
		out[s] = make([]elem, 0, len(n.Entries))
		for _, e := range n.Entries {
			k := key(e)
			if seen[k]++; seen[k] > 1 {
				k += "\x00" + strconv.Itoa(seen[k])
			}
			el := elem{key: k, word: wordOf(e, k), node: e.Value, field: e.Key != nil, guard: e.Guard, at: text.Span{Start: e.Start, End: e.Value.Span.End}}
			out[s] = append(out[s], el)
		}
	}
	return out
}

// wordOf is what an entry of this identity may be sorted by.
func wordOf(e *syntax.Entry, identity string) string {
	switch {
	case e.Key != nil:
		return e.Key.Value
	case e.Value.Kind == syntax.Scalar:
		return e.Value.Value
	}
	return identity
}

// PairSet pairs the items of a set by value.
func (m *Matcher) PairSet(v three.Nodes, l schema.List) []Step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	return (&Matcher{Lines: m.Lines}).Pair(m.Elems(v, id)) // without sums none is renamed
}

// PairItems pairs the items of a map list; the fields of the key do not count
// where a rename is looked for.
func (m *Matcher) PairItems(v three.Nodes, l schema.List) []Step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	elems := m.Elems(v, id)
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].aside = l.IsKey
		}
	}
	return m.Pair(elems)
}

// Resources pairs the items of kind: List by identity; nil if the list at p is
// none of these, or one of its items has no identity.
func (m *Matcher) Resources(v three.Nodes, p *three.Path) []Step {
	elems, ok := m.ResourceElems(v, p)
	if !ok {
		return nil
	}
	return m.Pair(elems)
}

// ResourceElems prepares the items of kind: List for pairing by identity. It reports false
// if the list at p is none of these, or one of its items has no identity.
func (m *Matcher) ResourceElems(v three.Nodes, p *three.Path) (elems [3][]elem, ok bool) {
	if p.Field != "items" || p.Up.Root == nil || !strings.HasSuffix(p.Up.Root.Kind, "List") {
		return elems, false
	}
	var items [3][]*syntax.Node
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if schema.Identity(e.Value) == "" {
				return elems, false
			}
			items[s] = append(items[s], e.Value)
		}
	}
	identity := m.Identities(items)
	id := func(e *syntax.Entry) string { return identity(e.Value) }
	elems = m.Elems(v, id)
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].kin = schema.Kin(elems[s][i].node)
		}
	}
	return elems, true
}

// ResourcePath names an item of kind: List, and makes it the root of a
// resource of its own.
func (m *Matcher) ResourcePath(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path {
		n := e[e.First()].Value
		q := p.Labelled(tree.ScalarAt(n, "kind") + "/" + tree.ScalarAt(n, "metadata", "name"))
		q.Root = m.Resource(n)
		return q
	}
}

// PairOrdered aligns the items of ordered lists.
func (m *Matcher) PairOrdered(v three.Nodes, l schema.List) []Step {
	var elems [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		elems[s] = make([]elem, len(n.Entries))
		for i, e := range n.Entries {
			at := text.Span{Start: e.Start, End: e.Value.Span.End}
			elems[s][i] = elem{sum: m.Sums.of(e.Value), name: nameOf(e.Value), word: wordOf(e, ""), node: e.Value, at: at}
		}
	}
	a := &ordered{of: v, v: elems, list: l, sums: m.Sums, lines: m.Lines, order: sortedBy(elems, m.Lines)}
	a.align()
	if a.steps = a.permuted(); a.steps == nil {
		a.regions()
	}
	return a.steps
}

// Indexed names the items of an ordered list by their place in dest.
func (m *Matcher) Indexed(p *three.Path, v three.Nodes) func(three.Entries) *three.Path {
	index := map[*syntax.Entry]int{}
	for _, s := range [3]three.Side{three.Updated, three.Original, three.Dest} {
		if v[s] == nil {
			continue
		}
		for i, e := range v[s].Entries {
			index[e] = i
		}
	}
	return func(e three.Entries) *three.Path { return p.Index(index[e[e.First()]]) }
}

// Identities is what tells resources apart under the rules of m.
func (m *Matcher) Identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	if m.Identify != nil {
		return m.Identify(v)
	}
	return schema.Identities(v, schema.Namespace)
}

// Props merges anchor and tag, which belong to the node. It reports false where both
// sides changed them differently.
func (m *Matcher) Props(v three.Nodes) (three.Side, bool) {
	var p [3]uint64
	for s, n := range v {
		if n != nil {
			p[s] = m.Sums.Props(n)
		}
	}
	return three.Pick(p)
}

// Resource is the place of a resource's root.
func (m *Matcher) Resource(n *syntax.Node) *schema.Place {
	return &schema.Place{File: m.File, APIVersion: tree.ScalarAt(n, "apiVersion"), Kind: tree.ScalarAt(n, "kind")}
}
