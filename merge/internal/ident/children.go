package ident

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Children are the entries of three mappings or lists with their matches. One of Keyed and Items is set.
type Children struct {
	Keyed        *Keyed                          // of entries that have an identity
	Items        *Items                          // of ordered lists
	Rule         schema.List                     // the schema's rule for the lists; empty for mappings and lists of resources
	AreResources bool                            // the lists are lists of resources, such as kind: List
	ItemPath     func(three.Entries) *three.Path // returns the path of an item
}

// MatchList matches the items of the lists v at path p. A version without the list (nil) has no items. It depends on
// the list which items are one thing; items of the first two kinds of lists can also be matched as renamed:
//
//	resources (the items of kind: List)    the same kind, namespace and name
//	schema.Map, such as containers         the same associative key, such as name
//	schema.Set, such as finalizers         the same value
//	any other                              an equal or similar value, in the same order
func (t *Table) MatchList(v three.Nodes, p *three.Path) Children {
	return t.matchOnce(v, func() Children { return t.matchList(v, p) })
}

// MatchMapping matches the fields of the mappings v at path p by mapping key, or as renamed. A version without the
// mapping (nil) has no fields.
func (t *Table) MatchMapping(v three.Nodes, p *three.Path) Children {
	return t.matchOnce(v, func() Children {
		name := func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
		return Children{Keyed: t.MatchKeyed(t.KeyedElems(v, (*syntax.Entry).FieldKey)), ItemPath: name}
	})
}

// matchOnce returns the result of an earlier call for the same collections v or, in the first call, that of match. A
// plan that fails verification is made again, and needs the same matches.
func (t *Table) matchOnce(v three.Nodes, match func() Children) Children {
	found, ok := t.known[v]
	if !ok {
		found = match()
		if t.known == nil {
			t.known = map[three.Nodes]Children{}
		}
		t.known[v] = found
	}
	return found
}

// SetMoved tells t the values of fields that a side moved to another mapping. Such a side does not wrap the value.
func (t *Table) SetMoved(values map[*syntax.Node]bool) {
	t.moved, t.known = values, nil
}

// matchList is MatchList without a look at earlier results.
func (t *Table) matchList(v three.Nodes, p *three.Path) Children {
	if elems, ok := t.ResourceElems(v, p); ok {
		return Children{Keyed: t.MatchKeyed(elems), AreResources: true, ItemPath: t.ResourcePathFunc(p)}
	}
	l := t.Rules.ListAt(p.Place(), v[:]...)
	switch l.Kind {
	case schema.Map:
		name := func(e three.Entries) *three.Path { return p.Item(l.Label(e[e.First()].Value)) }
		return Children{Keyed: t.MatchKeyed(t.MapElems(v, l)), Rule: l, ItemPath: name}
	case schema.Set:
		return Children{Keyed: t.MatchSet(v, l), Rule: l, ItemPath: t.IndexPathFunc(p, v)}
	}
	return Children{Items: t.MatchItems(v, l), Rule: l, ItemPath: t.IndexPathFunc(p, v)}
}

// MapElems returns the items of lists that have an identity, such as an associative key, as elements for MatchKeyed. l
// is the schema's rule for the lists.
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

// MatchSet matches the items of lists of unique values, such as the finalizers of a resource: equal items are one
// thing, and a changed item is another thing. l is the schema's rule for the lists.
func (t *Table) MatchSet(v three.Nodes, l schema.List) *Keyed {
	return (&Table{Lines: t.Lines}).MatchKeyed(t.MapElems(v, l)) // no Hasher: no renames
}

// entries returns the entries of each class of the collections v; nil for a version without the entry.
func (c Children) entries(v three.Nodes) (all []three.Entries) {
	var classes []Class
	if c.Keyed != nil {
		classes = c.Keyed.Classes
	} else {
		classes = c.Items.classes()
	}
	for _, class := range classes {
		var at three.Entries
		for s, i := range class.Index {
			if i >= 0 {
				at[s] = v[s].Entries[i]
			}
		}
		all = append(all, at)
	}
	return all
}

// ResourcePathFunc returns a function that returns the path of an item of the list of resources at p, such as
// items[Service/web]. The Root of the path is the place of the item's own resource, so that the schema's rules for its
// kind are used for the fields below it. At least one version must have the item.
func (t *Table) ResourcePathFunc(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path {
		n := e[e.First()].Value
		q := p.Item(n.ScalarAt("kind") + "/" + n.ScalarAt("metadata", "name"))
		q.Root = t.ResourcePlace(n)
		return q
	}
}

// IndexPathFunc returns a function that returns the path of an item of the lists v at p, such as ports[2]. The index,
// counted from 0, is that in dest, updated or the original, the first that has the item.
func (t *Table) IndexPathFunc(p *three.Path, v three.Nodes) func(three.Entries) *three.Path {
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
