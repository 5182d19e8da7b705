// Package pair tells which entries of three versions are the same.
//
// It takes the entries of three collections, or the documents of three streams,
// and gives steps: one triple each, or a conflict over runs of entries, in the
// order of the result. Fields pair by key, items by what is known of their
// list, documents by identity; what no name pairs, likeness may. It decides
// nothing about values: two of one step may differ in whatever way.
package pair

import (
	"maps"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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

// Elems prepares the entries of three collections for pairing by key. Of a key that a version holds several times, those
// pair that are equal, then the others in order.
func (m *Matcher) Elems(v three.Nodes, key func(*syntax.Entry) string) [3][]elem {
	var out [3][]elem
	doubled := map[string]bool{}
	for s, n := range v {
		if n == nil {
			continue
		}
		seen := make(map[string]bool, len(n.Entries))
		out[s] = make([]elem, 0, len(n.Entries))
		for _, e := range n.Entries {
			k := key(e)
			if seen[k] {
				doubled[k] = true
			}
			seen[k] = true
			el := elem{key: k, word: wordOf(e, k), node: e.Value, field: e.Key != nil, guard: e.Guard.String(), at: text.Span{Start: e.Start, End: e.Value.Span.End}}
			out[s] = append(out[s], el)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(doubled)) {
		m.number(v, &out, k)
	}
	return out
}

// number tells the elements of a doubled key apart: the first of the original keeps the key, the others get numbers, and those of
// dest and updated are numbered as the equal ones of the original are, else by their order.
func (m *Matcher) number(v three.Nodes, out *[3][]elem, key string) {
	var at [3][]int
	for s := range out {
		for i := range out[s] {
			if out[s][i].key == key {
				at[s] = append(at[s], i)
			}
		}
	}
	for s := range at {
		number, taken := map[int]int{}, map[int]bool{}
		for _, i := range at[s] {
			for nth, o := range at[three.Original] {
				if !taken[nth] && m.Sums != nil && m.Sums.Equal(out[s][i].node, out[three.Original][o].node) {
					number[i], taken[nth] = nth, true
					break
				}
			}
		}
		next := 0
		for _, i := range at[s] {
			nth, ok := number[i]
			for ; !ok && taken[next]; next++ {
			}
			if !ok {
				nth, taken[next] = next, true
			}
			if nth > 0 {
				el := &out[s][i]
				el.key = key + "\x00" + strconv.Itoa(nth+1)
				el.word = wordOf(v[s].Entries[i], el.key)
			}
		}
	}
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

// Items are lists whose items are paired.
type Items struct {
	Steps     []Step
	List      schema.List                     // what is known of them
	Resources bool                            // they are those of kind: List, each with an identity
	Name      func(three.Entries) *three.Path // spells the path of an item
}

// Items pairs the items of lists at p by what is known of these: resources by identity; those of a map by its
// keys, which do not count where a rename is looked for; those of a set by value; all others in order.
func (m *Matcher) Items(v three.Nodes, p *three.Path) Items {
	if elems, ok := m.ResourceElems(v, p); ok {
		return Items{Steps: m.Pair(elems), Resources: true, Name: m.ResourcePath(p)}
	}
	l := m.Rules.ListAt(p.Place(), v[:]...)
	switch l.Kind {
	case schema.Map:
		name := func(e three.Entries) *three.Path { return p.Item(l.Label(e[e.First()].Value)) }
		return Items{Steps: m.pairMap(v, l), List: l, Name: name}
	case schema.Set:
		return Items{Steps: m.PairSet(v, l), List: l, Name: m.Indexed(p, v)}
	}
	return Items{Steps: m.PairOrdered(v, l), List: l, Name: m.Indexed(p, v)}
}

// pairMap pairs the items of a map by its keys.
func (m *Matcher) pairMap(v three.Nodes, l schema.List) []Step {
	elems := m.Elems(v, func(e *syntax.Entry) string { id, _ := l.ID(e.Value); return id })
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].aside = l.IsKey
		}
	}
	return m.Pair(elems)
}

// PairSet pairs the items of a set by value: none is renamed.
func (m *Matcher) PairSet(v three.Nodes, l schema.List) []Step {
	elems := m.Elems(v, func(e *syntax.Entry) string { id, _ := l.ID(e.Value); return id })
	return (&Matcher{Lines: m.Lines}).Pair(elems) // without sums
}

// ResourceElems prepares the items of kind: List for pairing by identity. It reports false
// if the list at p is none of these, or one of its items has no identity.
func (m *Matcher) ResourceElems(v three.Nodes, p *three.Path) (elems [3][]elem, ok bool) {
	if !p.IsItems() {
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
			e := &elems[s][i]
			e.kin, e.aside = schema.KindAndName(e.node), asideOf(e.node)
		}
	}
	return elems, true
}

// ResourcePath names an item of kind: List, and makes it the root of a
// resource of its own.
func (m *Matcher) ResourcePath(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path {
		n := e[e.First()].Value
		q := p.Item(n.ScalarAt("kind") + "/" + n.ScalarAt("metadata", "name"))
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
			elems[s][i] = elem{sum: m.Sums.of(e.Value), name: syntax.NameOf(e.Value), word: wordOf(e, ""), node: e.Value, at: at}
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
	for _, s := range [3]three.Version{three.Updated, three.Original, three.Dest} {
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
	return schema.IdentityFunc(v, schema.Namespace)
}

// Props merges anchor and tag, which belong to the node. It reports false where both
// sides changed them differently.
func (m *Matcher) Props(v three.Nodes) (three.Version, bool) {
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
	return &schema.Place{File: m.File, APIVersion: n.ScalarAt("apiVersion"), Kind: n.ScalarAt("kind")}
}

// elem is one element of something that is merged as a list: a field of a
// mapping, an item of a sequence, a document of a stream.
type elem struct {
	key   string                 // its identity within the list; unique within a version
	sum   uint64                 // its data; only in ordered lists
	word  string                 // what a collection may be sorted by; empty if nothing is known
	name  string                 // what names it, though it is not its identity; only in ordered lists
	kin   string                 // of a resource: its kind and name, wherever it is; else empty
	field bool                   // it is a field of a mapping
	bare  bool                   // it is a document with something in it that has no identity
	guard string                 // the blocks of a template around it
	at    text.Span              // where it stands; empty if it is not known by its lines
	node  *syntax.Node           // what a renamed element is known by; nil if it cannot be renamed
	aside func(path string) bool // which fields of node are its key, by their dotted paths; nil if none
}

// Cause says why a step is a conflict.
type Cause uint8

// The causes; without one, a step is a triple.
const (
	NoCause     Cause = iota
	Replaced          // both removed and added in one gap
	Wrapped           // a side put elements inside of one that it added, and the other side changed them
	Inserted          // both inserted different items in one gap
	overlapping       // overlapping changes of items
)

// Step is one element of the merged list, in order: either one triple, or a
// conflict over runs of elements.
type Step struct {
	At    [3]int // index of the element in each version, -1 where it has none
	Cause Cause
	Runs  [3][]int // the elements in conflict, if cause is set
	// PlacedBy is the side at whose place the element is in the result, if the other side added it or moved it elsewhere. It
	// is none for all other elements.
	PlacedBy three.Optional
}

// Triple returns the step of one element.
func Triple(o, d, u int) Step { return Step{At: [3]int{o, d, u}} }

// Elements are those of the versions that st pairs, zero where a version has none.
func Elements[T any](st Step, of [3][]T) (at [3]T) {
	for s, i := range st.At {
		if i >= 0 {
			at[s] = of[s][i]
		}
	}
	return at
}

// Entries are the Elements of collections, nil where a version has no collection.
func (st Step) Entries(of three.Nodes) three.Entries {
	var all [3][]*syntax.Entry
	for s, n := range of {
		if n != nil {
			all[s] = n.Entries
		}
	}
	return Elements(st, all)
}
