package ident

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// DocumentElems returns the documents of each version as elements for Pair, in the same order. Documents with the same
// identity are paired. The identity of a resource consists of its kind, namespace and name. If a version has several
// documents of one identity, the guard of the first field of the root is added to it: the template conditions that
// enclose the field, such as {{ if .a }}. A number is then added to those that are still duplicates. These two
// documents have different identities:
//
//	{{- if .a }}
//	kind: Job
//	metadata: {name: a}
//	{{- end }}
//	---
//	{{- if .b }}
//	kind: Job
//	metadata: {name: a}
//	{{- end }}
//
// A document that is not a resource gets an identity by its content: that of the document of the original that is most
// similar to it, or else one of its own. A version without documents has no elements (nil).
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
// identity: metadata.name or metadata.namespace. It returns nil if n is not a resource, that is, has no kind or no
// name.
func resourceKeyFieldFunc(n *syntax.Node) func(path string) bool {
	if schema.KindAndName(n) == "" {
		return nil
	}
	return func(path string) bool { return path == "metadata.name" || path == "metadata.namespace" }
}

// identifyByContent sets the identities of the documents that are not resources, so that those with the same identity
// are paired. indexes has their indexes in elems, by version. elems is changed in place. The identity depends on the
// document:
//
//	a document of the original                                              "#" and its index, such as "#0"
//	a document of a side that is matched with one of the original: an       the identity of that document
//	  equal or a similar one, one with many lines in common, or the only one
//	any other document of a side                                            "+", a hash of its content, and a number if
//	                                                                        the side has several equal ones
//
// So equal documents that both sides added are paired. If the original has only empty documents of this kind, or none,
// and each side has just one that is not empty, these two get the identity "+", and are paired as well.
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

// matchUnidentified returns, for each of the original's documents in a, the index of the document of s that it is
// matched with, or -1. The result is a.Match[s], which it changes in place. The documents in a are not resources, and
// those that are equal or similar have been matched before. matchUnidentified adds matches:
//
//   - The only document of the original and the only one of s are matched, however different they are, as in a file
//     with one document. If a version has several documents, but only one that is not empty, this one counts as the
//     only one. An empty document is not matched with one that is not empty, unless both versions have the same number
//     of documents.
//   - Otherwise, if t.Lines is set, documents without a match are matched if git's diff aligns at least three of their
//     lines, and half of those of the smaller one. This sets t.Lines.MayDependOnElided.
func (t *Table) matchUnidentified(s three.Version, a *Items) []int {
	v, match := a.Elems, a.Match[s]
	original := v[three.Original]
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
