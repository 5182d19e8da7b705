package schema

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Paired is Of for rules that pair the items of a list also where a key stands
// several times in a version: such a list is a Map all the same, and IDs tells which
// of these is which.
func (r *Rules) Paired(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) || items(versions) == 0 {
		return r.Of(p, versions...)
	}
	known, ok := first(r.selection(p).team, p.Path, lists)
	if !ok {
		known, ok = r.declared(p)
	}
	if ok {
		if l := known.checked(versions); l.Kind != Ordered {
			return l
		}
		return known.paired(versions)
	}
	l := infer(versions, kustomizes[:])
	if l.Kind != Ordered {
		return l
	}
	for i := range kustomizes {
		l := List{Kind: Map, Keys: kustomizes[i : i+1 : i+1], Source: guess}
		if l.paired(versions).Kind == Map {
			return l
		}
	}
	return l
}

// paired returns l, or an Ordered list where l is a Map and an item lacks a key.
func (l List) paired(versions []*syntax.Node) List {
	for _, v := range versions {
		if l.Kind == Map && v != nil && slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool { _, ok := l.ID(e.Value); return !ok }) {
			return List{Kind: Ordered, Source: l.Source + ", but a key is missing"}
		}
	}
	return l
}

// IDs returns what tells the items of versions of a Map list apart: ID and, where one
// stands several times in a version, which of these it is. Those of two versions are
// the same that are equal, else those of the same full key, else in their order; a
// version is compared with all before it.
func (l List) IDs(versions ...*syntax.Node) func(*syntax.Node) string {
	groups := map[string][][]*syntax.Node{} // by version, in their order
	several := false
	for v, n := range versions {
		if n == nil || n.Kind != syntax.Sequence {
			continue
		}
		for _, e := range n.Entries {
			id, _ := l.ID(e.Value)
			if groups[id] == nil {
				groups[id] = make([][]*syntax.Node, len(versions))
			}
			groups[id][v] = append(groups[id][v], e.Value)
			several = several || len(groups[id][v]) > 1
		}
	}
	ids := map[*syntax.Node]string{}
	if several {
		for id, group := range groups {
			for i, same := range l.match(group) {
				for _, n := range same {
					ids[n] = id + "\x00" + strconv.Itoa(i)
				}
			}
		}
	}
	return func(n *syntax.Node) string {
		if id, ok := ids[n]; ok {
			return id
		}
		id, _ := l.ID(n)
		return id
	}
}

// match makes rows of the items of one identity, at most one of a version each.
func (l List) match(group [][]*syntax.Node) (rows [][]*syntax.Node) {
	full := l
	full.Keys = slices.Concat(l.Keys, l.Rest)
	fullKey := func(n *syntax.Node) string {
		id, ok := full.ID(n)
		if !ok {
			return canonical(n)
		}
		return id
	}
	for _, items := range group {
		items = slices.Clone(items)
		taken := make([]bool, len(rows))
		for _, by := range []func(*syntax.Node) string{says, fullKey, func(*syntax.Node) string { return "" }} {
			free := map[string][]int{}
			for j := range taken {
				for _, m := range rows[j] {
					if k := by(m); !taken[j] {
						free[k] = append(free[k], j)
					}
				}
			}
			for i, n := range items {
				if n == nil {
					continue
				}
				k := by(n)
				at := free[k]
				for len(at) > 0 && taken[at[0]] {
					at = at[1:]
				}
				if len(at) > 0 {
					j := at[0]
					rows[j], taken[j], items[i] = append(rows[j], n), true, nil
				}
				free[k] = at
			}
		}
		for _, n := range items {
			if n != nil {
				rows = append(rows, []*syntax.Node{n})
			}
		}
	}
	return rows
}

// says is what an item says where nulls clear their fields.
func says(n *syntax.Node) string { return canonical(withoutNulls(n)) }

func withoutNulls(n *syntax.Node) *syntax.Node {
	if len(n.Entries) == 0 {
		return n
	}
	var rest []*syntax.Entry
	for _, e := range n.Entries {
		if e.Key != nil && e.Value.Kind == syntax.Scalar && e.Value.Tag == "!!null" {
			continue
		}
		kept := *e
		kept.Value = withoutNulls(e.Value)
		rest = append(rest, &kept)
	}
	return n.With(rest)
}
