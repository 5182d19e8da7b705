package ident

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// DocumentElems returns the documents of each version as elements for MatchKeyed. A resource is identified by kind,
// namespace and name, another document by its anchor or content. If a version has an identity twice, the template
// conditions around the documents are added to it and, if it still is not unique, numbers. t.Hasher must be set.
func (t *Table) DocumentElems(docs [3][]*syntax.Document) [3][]Elem {
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	identityOf := t.IdentityFunc(roots)
	isDuplicated := findDuplicated(roots, identityOf)
	var elems [3][]Elem
	var unidentified [3][]int
	for s, all := range roots {
		count := map[string]int{}
		for i, n := range all {
			identity := identityOf(n)
			if isDuplicated[identity] && len(n.Entries) > 0 {
				identity += "\x00" + n.Entries[0].Guard.String() // the template conditions around the first field
			}
			if count[identity]++; identity == "" {
				unidentified[s] = append(unidentified[s], i)
			} else if count[identity] > 1 { // still a duplicate
				identity += "\x00" + strconv.Itoa(count[identity])
			}
			elems[s] = append(elems[s], Elem{
				Identity: identity, Node: n, Hash: t.Hasher.Hash(n), Labels: n.Labels(), Span: n.Span,
				IsUnidentifiedDoc: identity == "" && !n.IsNull(), IsKeyField: resourceKeyFieldFunc(n),
			})
		}
	}
	t.identifyByContent(elems, unidentified)
	return elems
}

// findDuplicated returns the identities that a version of roots has several times, as keys with the value true. An
// empty identity is ignored.
func findDuplicated(roots [3][]*syntax.Node, identityOf func(*syntax.Node) string) map[string]bool {
	isDuplicated := map[string]bool{}
	for _, all := range roots {
		seen := map[string]bool{}
		for _, n := range all {
			identity := identityOf(n)
			if seen[identity] {
				isDuplicated[identity] = true
			}
			seen[identity] = identity != ""
		}
	}
	return isDuplicated
}

// resourceKeyFieldFunc returns a function that reports whether the field at a dotted path of document n is part of its
// identity: metadata.name or metadata.namespace. It returns nil if n has neither a kind and a name nor an anchor.
func resourceKeyFieldFunc(n *syntax.Node) func(path string) bool {
	if schema.KindAndName(n) == "" {
		return nil
	}
	return func(path string) bool { return path == "metadata.name" || path == "metadata.namespace" }
}

// identifyByContent gives an identity to the documents that have none, so that MatchKeyed makes one class of documents
// of several versions. indexes has the indexes of these documents in elems, by version. Two documents get the same
// identity in each of these cases:
//   - one is in the original, one in a side, and their content is equal or similar (matchItems)
//   - both sides added them, and their content is equal
//   - the original and a side each have only one that is not empty
//   - both sides have only one that is not empty, and the original has none
func (t *Table) identifyByContent(elems [3][]Elem, indexes [3][]int) {
	docs := &Items{Table: &Table{Hasher: t.Hasher}}
	for s := range indexes {
		for _, i := range indexes[s] {
			docs.Elems[s] = append(docs.Elems[s], elems[s][i])
		}
	}
	docs.matchItems()
	originals := docs.Elems[three.Original]
	for i := range originals {
		originals[i].Identity = "#" + strconv.Itoa(i)
	}
	soleOriginal := soleDocument(originals)
	originalHasNone := !slices.ContainsFunc(originals, func(e Elem) bool { return e.IsUnidentifiedDoc })
	for _, s := range three.Sides {
		side := docs.Elems[s]
		sole := soleDocument(side)
		// the only documents that are not empty are one thing, however different they are
		if soleOriginal >= 0 && sole >= 0 {
			docs.Match[s][soleOriginal] = sole
		}
		for i, j := range docs.Match[s] {
			if j >= 0 {
				side[j].Identity = originals[i].Identity
			}
		}
		// equal documents that both sides added are one thing: their identity is the value, and a number for copies
		count := map[uint64]int{}
		for j := range side {
			if e := &side[j]; e.Identity == "" {
				count[e.Hash]++
				e.Identity = "+" + strconv.FormatUint(e.Hash, 36) + "/" + strconv.Itoa(count[e.Hash])
			}
		}
		// so are the only document of dest and the only one of updated
		if originalHasNone && sole >= 0 {
			side[sole].Identity = "+"
		}
	}
	for s := range indexes {
		for j, i := range indexes[s] {
			elems[s][i].Identity = docs.Elems[s][j].Identity
		}
	}
}

// soleDocument returns the index of the only document in docs that is not empty, or -1 if all are empty or several are
// not. No document of docs may have an identity (kind and name, or an anchor).
func soleDocument(docs []Elem) int {
	hasContent := func(e Elem) bool { return e.IsUnidentifiedDoc }
	i := slices.IndexFunc(docs, hasContent)
	if i >= 0 && slices.ContainsFunc(docs[i+1:], hasContent) {
		return -1
	}
	return i
}
