package ident

import (
	"cmp"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Children are the entries of three mappings or lists, and which of them are one thing. One of Keyed and Items is set.
type Children struct {
	Keyed        *Keyed                          // of entries that have an identity
	Items        *Items                          // of ordered lists
	Rule         schema.List                     // the schema's rule for the lists; empty for mappings and lists of resources
	AreResources bool                            // the lists are lists of resources, such as kind: List
	ItemPath     func(three.Entries) *three.Path // returns the path of an entry
}

// MatchEntries returns the entries of three mappings or of three lists, and which of them are one thing in several
// versions. v has the collection of each version; one that is nil has no entries. p is its path. Results are kept until
// SetMoved is called, because a plan that fails verification is made again.
func (t *Table) MatchEntries(v three.Nodes, p *three.Path) Children {
	found, ok := t.known[v]
	if !ok {
		found = t.matchEntries(v, p)
		if t.known == nil {
			t.known = map[three.Nodes]Children{}
		}
		t.known[v] = found
	}
	return found
}

// SetMoved records the values of fields that a side moved to another mapping, so that a later match does not take them
// for wrapped (see markWrappers). t forgets all earlier matches.
func (t *Table) SetMoved(values map[*syntax.Node]bool) {
	t.moved, t.known = values, nil
}

// matchEntries matches the entries of the collections v for MatchEntries. The kind of collection determines what makes
// two entries one thing. In the first three kinds, an entry before and after a side renamed it is one thing, too.
//
//	mapping                                the same mapping key
//	resources (the items of kind: List)    the same kind, namespace and name
//	schema.Map, such as containers         the same associative key, such as name
//	schema.Set, such as finalizers         the same value
//	any other list                         an equal or similar value, in the same order
func (t *Table) matchEntries(v three.Nodes, p *three.Path) Children {
	if cmp.Or(v[three.Dest], v[three.Updated], v[three.Original]).Kind == syntax.Mapping {
		return Children{Keyed: t.MatchKeyed(t.KeyedElems(v, (*syntax.Entry).FieldKey)), ItemPath: FieldPathFunc(p)}
	}
	if elems, ok := t.ResourceElems(v, p); ok {
		return Children{Keyed: t.MatchKeyed(elems), AreResources: true, ItemPath: t.ResourcePathFunc(p)}
	}
	l := t.Rules.ListAt(p.Place(), v[:]...)
	switch l.Kind {
	case schema.Map:
		return Children{Keyed: t.MatchKeyed(t.MapElems(v, l)), Rule: l, ItemPath: ItemPathFunc(p, l)}
	case schema.Set:
		return Children{Keyed: t.MatchSet(v, l), Rule: l, ItemPath: t.IndexPathFunc(p, v)}
	}
	return Children{Items: t.MatchItems(v, l), Rule: l, ItemPath: t.IndexPathFunc(p, v)}
}

// MapElems returns the items of the lists v as elements for MatchKeyed. The rule l gives each item its identity, such
// as its name. Where strings have keys, such as NAME=value, an item may also be {NAME: value}; its Node is then only
// the value.
func (t *Table) MapElems(v three.Nodes, l schema.List) [3][]Elem {
	elems := t.KeyedElems(v, func(e *syntax.Entry) string { id, _ := l.ID(e.Value); return id })
	mayBeFields := len(l.Separators) > 0
	for s := range elems {
		for i := range elems[s] {
			e := &elems[s][i]
			e.IsKeyField = l.IsKey
			if mayBeFields && e.Node.Kind == syntax.Mapping && len(e.Node.Entries) == 1 {
				e.Node = e.Node.Entries[0].Value // the key of its only field is the identity
			}
		}
	}
	return elems
}

// MatchSet matches the items of lists of unique values, such as the finalizers of a resource, and returns their
// classes. Equal items are one thing; a side that changes an item deletes it and adds another one. l is the schema's
// rule for the lists.
func (t *Table) MatchSet(v three.Nodes, l schema.List) *Keyed {
	return (&Table{Lines: t.Lines}).MatchKeyed(t.MapElems(v, l)) // no Hasher: no renames
}

// entries returns the entries of each matched field or item, by version, nil in a version without it. v are the
// collections that were matched.
func (c Children) entries(v three.Nodes) (all []three.Entries) {
	var classes []Class
	if c.Keyed != nil {
		classes = c.Keyed.Classes
	} else {
		classes = c.Items.classes()
	}
	for _, class := range classes {
		var entries three.Entries
		for s, i := range class.Index {
			if i >= 0 {
				entries[s] = v[s].Entries[i]
			}
		}
		if entries != (three.Entries{}) { // otherwise, joinClasses moved its elements to other classes
			all = append(all, entries)
		}
	}
	return all
}

// FieldPathFunc returns a function that returns the path of a field of the mapping at p. At least one version must have
// the field.
func FieldPathFunc(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
}

// ItemPathFunc returns a function that returns the path of an item of the list at p, whose items are named by the
// associative keys of l, such as containers[name=web]. At least one version must have the item.
func ItemPathFunc(p *three.Path, l schema.List) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path { return p.Item(l.Label(e[e.First()].Value)) }
}

// ResourcePathFunc returns a function that returns the path of an item of the list of resources at p, such as
// items[Service/web]. Below this path, the schema's rules for the item's own kind are used (Path.Root). At least one
// version must have the item.
func (t *Table) ResourcePathFunc(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path {
		n := e[e.First()].Value
		q := p.Item(n.ScalarAt("kind") + "/" + n.ScalarAt("metadata", "name"))
		q.Root = t.ResourcePlace(n)
		return q
	}
}

// IndexPathFunc returns a function that returns the path of an item of the lists v at p, such as ports[2]. The index
// counts from 0. It is the item's index in dest or, if dest lacks the item, in updated, or else in the original.
func (t *Table) IndexPathFunc(p *three.Path, v three.Nodes) func(three.Entries) *three.Path {
	index := map[*syntax.Entry]int{}
	for _, n := range v {
		if n == nil {
			continue
		}
		for i, e := range n.Entries {
			index[e] = i
		}
	}
	return func(e three.Entries) *three.Path { return p.Index(index[e[e.First()]]) }
}
