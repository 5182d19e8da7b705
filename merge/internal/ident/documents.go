package ident

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// DocumentElems returns the documents of each version as elements for MatchKeyed, in the same order. The identity of a
// resource consists of its kind, namespace and name. If a version has it several times, the template conditions around
// the first field, such as {{ if .a }}, are added, and a number to those that are still duplicates. Other documents get
// an identity by their content.
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
			if duplicated[key] && len(n.Entries) > 0 {
				key += "\x00" + n.Entries[0].Guard.String()
			}
			if key == "" {
				unidentified[s] = append(unidentified[s], i)
			} else if seen[key]++; seen[key] > 1 {
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
		for i, j := range t.matchUnidentified(s, a) {
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
		if i := soleDocument(v[s]); allAdded && i >= 0 && v[s][i].IsUnidentifiedDoc {
			elems[s][indexes[s][i]].Identity = "+"
		}
	}
}

// soleDocument returns the index of the document that counts as the only one in docs, or -1. No document in docs is a
// resource.
//
//	docs has one document                                  0, even if it is empty
//	docs has several, and exactly one is not empty         the index of this one
//	docs is empty, or any other number is not empty        -1
func soleDocument(docs []Elem) int {
	i := slices.IndexFunc(docs, func(e Elem) bool { return e.IsUnidentifiedDoc || len(docs) == 1 })
	if i < 0 || slices.ContainsFunc(docs[i+1:], func(e Elem) bool { return e.IsUnidentifiedDoc }) {
		return -1
	}
	return i
}

// matchUnidentified matches documents that are not resources, in addition to the equal and similar ones that have been
// matched in a. If the original and s have only one each (soleDocument), these are matched, however different they are;
// otherwise those that have enough lines in common are, if t.Lines is set. It returns a.Match[s] (see Items), which it
// changes, and may set t.Lines.MayDependOnElided.
func (t *Table) matchUnidentified(s three.Version, a *Items) []int {
	v, match := a.Elems, a.Match[s]
	original := v[three.Original]
	// an empty document is only matched with one that is not if both versions have the same number of documents
	if i, j := soleDocument(original), soleDocument(v[s]); min(i, j) >= 0 && (len(original) == len(v[s]) || original[i].IsUnidentifiedDoc == v[s][j].IsUnidentifiedDoc) {
		match[i] = j
		return match
	}
	var unmatched, unmatchedInSide []int
	var originalElems, sideElems []Elem
	for i, j := range match {
		if j < 0 {
			unmatched, originalElems = append(unmatched, i), append(originalElems, v[three.Original][i])
		}
	}
	for j, i := range a.Back[s] {
		if i < 0 {
			unmatchedInSide, sideElems = append(unmatchedInSide, j), append(sideElems, v[s][j])
		}
	}
	if t.Lines == nil || len(unmatched) == 0 || len(unmatchedInSide) == 0 {
		return match
	}
	for i, j := range t.Lines.pairByLines(s, t.Hasher, originalElems, sideElems) {
		if j >= 0 {
			match[unmatched[i]] = unmatchedInSide[j]
		}
	}
	return match
}
