package ident

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// DocumentElems returns the documents of each version as elements for MatchKeyed, in the same order. A resource is
// identified by its kind, namespace and name, with the API group if these are not unique. If set, t.NewIdentityFunc
// decides instead. Other documents are identified by their anchor or, without one, by their content.
func (t *Table) DocumentElems(docs [3][]*syntax.Document) [3][]Elem {
	var elems [3][]Elem
	var unidentified [3][]int
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	identity, duplicated := t.IdentityFunc(roots), map[string]bool{}
	for _, all := range roots {
		seen := map[string]bool{}
		for _, n := range all {
			key := identity(n)
			duplicated[key] = duplicated[key] || seen[key] && key != ""
			seen[key] = true
		}
	}
	for s, all := range roots {
		seen := map[string]int{}
		for i, n := range all {
			key := identity(n)
			// a duplicate in one version: add, in all versions, the conditions of templates around the first field
			if duplicated[key] && len(n.Entries) > 0 {
				key += "\x00" + n.Entries[0].Guard.String()
			}
			if key == "" {
				unidentified[s] = append(unidentified[s], i)
			} else if seen[key]++; seen[key] > 1 { // still a duplicate
				key += "\x00" + strconv.Itoa(seen[key])
			}
			elems[s] = append(elems[s], Elem{Identity: key, Node: n, Hash: t.Hasher.Hash(n), Labels: n.Labels(), Span: n.Span, IsUnidentifiedDoc: key == "" && !n.IsNull(), IsKeyField: resourceKeyFieldFunc(n)})
		}
	}
	t.identifyByContent(elems, unidentified)
	return elems
}

// resourceKeyFieldFunc returns a function that reports whether the field at a dotted path of resource n is part of its
// identity: metadata.name or metadata.namespace. It returns nil if n has no identity.
func resourceKeyFieldFunc(n *syntax.Node) func(path string) bool {
	if schema.KindAndName(n) == "" {
		return nil
	}
	return func(path string) bool { return path == "metadata.name" || path == "metadata.namespace" }
}

// identifyByContent sets the identities in elems of the documents that are not resources. indexes has their indexes in
// elems, by version. A document of a side gets the identity of the original's document that it is matched with. Equal
// documents that both sides added have the same identity. So have the only one of dest and the only one of updated, if
// the original has none; empty documents do not count.
func (t *Table) identifyByContent(elems [3][]Elem, indexes [3][]int) {
	var v [3][]Elem
	for s := range indexes {
		v[s] = make([]Elem, len(indexes[s]))
		for k, i := range indexes[s] {
			v[s][k] = elems[s][i]
		}
	}
	a := &Items{Table: &Table{Hasher: t.Hasher}, Elems: v}
	for _, i := range indexes[three.Original] {
		elems[three.Original][i].Identity = "#" + strconv.Itoa(i)
	}
	a.matchItems()
	allAdded := !slices.ContainsFunc(v[three.Original], func(e Elem) bool { return e.IsUnidentifiedDoc })
	for _, s := range three.Sides {
		added := map[uint64]int{}
		// the only documents that are not empty are one thing, however different they are
		if i, j := soleDocument(v[three.Original]), soleDocument(v[s]); min(i, j) >= 0 {
			a.Match[s][i] = j
		}
		for i, j := range a.Match[s] {
			if j >= 0 {
				elems[s][indexes[s][j]].Identity = elems[three.Original][indexes[three.Original][i]].Identity
			}
		}
		for _, i := range indexes[s] {
			e := &elems[s][i]
			if e.Identity != "" {
				continue
			}
			added[e.Hash]++
			e.Identity = "+" + strconv.FormatUint(e.Hash, 36) + "/" + strconv.Itoa(added[e.Hash])
		}
		if i := soleDocument(v[s]); allAdded && i >= 0 {
			elems[s][indexes[s][i]].Identity = "+"
		}
	}
}

// soleDocument returns the index of the only document in docs that is not empty, or -1 if there is none or several. No
// document in docs is a resource.
func soleDocument(docs []Elem) int {
	i := slices.IndexFunc(docs, func(e Elem) bool { return e.IsUnidentifiedDoc })
	if slices.ContainsFunc(docs[i+1:], func(e Elem) bool { return e.IsUnidentifiedDoc }) {
		return -1
	}
	return i
}
