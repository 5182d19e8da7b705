package ident

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// DocumentElems returns the documents of each version as elements for MatchKeyed, in the same order. A resource is
// identified by its kind, namespace and name (see IdentityFunc), another document by its anchor or its content. If a
// version has an identity twice, the template conditions or a number are added to it. t.Hasher must be set.
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
			// a version has it twice: in all versions, add the template conditions around the first field
			if duplicated[key] && len(n.Entries) > 0 {
				key += "\x00" + n.Entries[0].Guard.String()
			}
			if key == "" {
				unidentified[s] = append(unidentified[s], i)
			} else if seen[key]++; seen[key] > 1 { // still a duplicate
				key += "\x00" + strconv.Itoa(seen[key])
			}
			elems[s] = append(elems[s], Elem{
				Identity: key, Node: n, Hash: t.Hasher.Hash(n), Labels: n.Labels(), Span: n.Span,
				IsUnidentifiedDoc: key == "" && !n.IsNull(), IsKeyField: resourceKeyFieldFunc(n),
			})
		}
	}
	t.identifyByContent(elems, unidentified)
	return elems
}

// resourceKeyFieldFunc returns a function that reports whether the field at a dotted path of document n is part of its
// identity: metadata.name or metadata.namespace. It returns nil if n has neither a kind and a name nor an anchor.
func resourceKeyFieldFunc(n *syntax.Node) func(path string) bool {
	if schema.KindAndName(n) == "" {
		return nil
	}
	return func(path string) bool { return path == "metadata.name" || path == "metadata.namespace" }
}

// identifyByContent sets the Identity of the documents that have none, so that documents of several versions with equal
// or similar content are one thing. Documents that are not empty are also one thing if each is the only one in its
// version: in the original and a side, or in both sides if the original has none. indexes has the indexes of the
// documents in elems, by version.
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
		// the only documents that are not empty are one thing, however different they are
		if i, j := soleDocument(v[three.Original]), soleDocument(v[s]); min(i, j) >= 0 {
			a.Match[s][i] = j
		}
		for i, j := range a.Match[s] {
			if j >= 0 {
				elems[s][indexes[s][j]].Identity = elems[three.Original][indexes[three.Original][i]].Identity
			}
		}
		// equal documents that both sides added are one thing
		added := map[uint64]int{}
		for _, i := range indexes[s] {
			if e := &elems[s][i]; e.Identity == "" {
				added[e.Hash]++
				e.Identity = "+" + strconv.FormatUint(e.Hash, 36) + "/" + strconv.Itoa(added[e.Hash])
			}
		}
		// so are the only document of dest and the only one of updated
		if i := soleDocument(v[s]); allAdded && i >= 0 {
			elems[s][indexes[s][i]].Identity = "+"
		}
	}
}

// soleDocument returns the index of the only document in docs that is not empty, or -1 if docs has none or several. All
// of docs must lack a kind and name and an anchor.
func soleDocument(docs []Elem) int {
	sole := -1
	for i, e := range docs {
		switch {
		case e.IsUnidentifiedDoc && sole >= 0:
			return -1
		case e.IsUnidentifiedDoc:
			sole = i
		}
	}
	return sole
}
