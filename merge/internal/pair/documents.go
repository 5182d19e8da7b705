package pair

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// PairSingleDocuments returns the documents of three streams, and sets m.MultiDocument to whether a stream has several
// documents.
//
//	no stream has more than one document   the documents are one thing: steps has one step with the index of the document
//	                                       in each version: 0, or -1 if the stream is empty
//	otherwise                              steps is nil
//
// If steps is nil, the caller has to pair the documents, for example with m.Pair(m.DocumentElems(docs)). The documents
// are the slices of the streams, not copies.
func (m *Matcher) PairSingleDocuments(streams [3]*syntax.Stream) (docs [3][]*syntax.Document, steps []Step) {
	step := NewStep(-1, -1, -1)
	m.MultiDocument = false
	for s, stream := range streams {
		docs[s], step.Index[s] = stream.Docs, len(stream.Docs)-1
		m.MultiDocument = m.MultiDocument || len(stream.Docs) > 1
	}
	if m.MultiDocument {
		return docs, nil
	}
	return docs, []Step{step}
}

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
func (m *Matcher) DocumentElems(docs [3][]*syntax.Document) [3][]elem {
	var elems [3][]elem
	var unidentified [3][]int
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	identity, duplicated := m.IdentityFunc(roots), map[string]bool{}
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
			elems[s] = append(elems[s], elem{identity: key, node: n, hash: m.Hasher.hash(n), labels: n.Labels(), span: n.Span, isUnidentifiedDoc: key == "" && !n.IsNull(), isKeyField: resourceKeyFieldFunc(n)})
		}
	}
	m.identifyByContent(elems, unidentified)
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
func (m *Matcher) identifyByContent(elems [3][]elem, indexes [3][]int) {
	var v [3][]elem
	for s := range indexes {
		v[s] = make([]elem, len(indexes[s]))
		for k, i := range indexes[s] {
			v[s][k] = elems[s][i]
		}
	}
	a := &alignment{elems: v, hasher: m.Hasher}
	for _, i := range indexes[three.Original] {
		elems[three.Original][i].identity = "#" + strconv.Itoa(i)
	}
	a.matchItems()
	allAdded := !slices.ContainsFunc(v[three.Original], func(e elem) bool { return e.isUnidentifiedDoc })
	for _, s := range three.Sides {
		added := map[uint64]int{}
		for i, j := range m.matchUnidentified(s, a) {
			if j >= 0 {
				elems[s][indexes[s][j]].identity = elems[three.Original][indexes[three.Original][i]].identity
			}
		}
		for _, i := range indexes[s] {
			e := &elems[s][i]
			if e.identity != "" {
				continue
			}
			added[e.hash]++
			e.identity = "+" + strconv.FormatUint(e.hash, 36) + "/" + strconv.Itoa(added[e.hash])
		}
		if i := soleDocument(v[s]); allAdded && i >= 0 && v[s][i].isUnidentifiedDoc {
			elems[s][indexes[s][i]].identity = "+"
		}
	}
}

// soleDocument returns the index of the document that counts as the only one in docs, or -1. No document in docs is a
// resource.
//
//	docs has one document                                  0, even if it is empty
//	docs has several, and exactly one is not empty         the index of this one
//	docs is empty, or any other number is not empty        -1
func soleDocument(docs []elem) int {
	i := slices.IndexFunc(docs, func(e elem) bool { return e.isUnidentifiedDoc || len(docs) == 1 })
	if i < 0 || slices.ContainsFunc(docs[i+1:], func(e elem) bool { return e.isUnidentifiedDoc }) {
		return -1
	}
	return i
}

// matchUnidentified returns, for each of the original's documents in a, the index of the document of s that it is
// matched with, or -1. The result is a.match[s], which it changes in place. The documents in a are not resources, and
// those that are equal or similar have been matched before. matchUnidentified adds matches:
//
//   - The only document of the original and the only one of s are matched, however different they are, as in a file
//     with one document. If a version has several documents, but only one that is not empty, this one counts as the
//     only one. An empty document is not matched with one that is not empty, unless both versions have the same number
//     of documents.
//   - Otherwise, if m.Lines is set, documents without a match are matched if git's diff aligns at least three of their
//     lines, and half of those of the smaller one. This sets m.Lines.MayDependOnElided.
func (m *Matcher) matchUnidentified(s three.Version, a *alignment) []int {
	v, match := a.elems, a.match[s]
	original := v[three.Original]
	if i, j := soleDocument(original), soleDocument(v[s]); min(i, j) >= 0 && (len(original) == len(v[s]) || original[i].isUnidentifiedDoc == v[s][j].isUnidentifiedDoc) {
		match[i] = j
		return match
	}
	var unmatched, unmatchedInSide []int
	var originalElems, sideElems []elem
	for i, j := range match {
		if j < 0 {
			unmatched, originalElems = append(unmatched, i), append(originalElems, v[three.Original][i])
		}
	}
	for j, i := range a.back[s] {
		if i < 0 {
			unmatchedInSide, sideElems = append(unmatchedInSide, j), append(sideElems, v[s][j])
		}
	}
	if m.Lines == nil || len(unmatched) == 0 || len(unmatchedInSide) == 0 {
		return match
	}
	for i, j := range m.Lines.pairByLines(s, m.Hasher, originalElems, sideElems) {
		if j >= 0 {
			match[unmatched[i]] = unmatchedInSide[j]
		}
	}
	return match
}

// DocumentPath returns the path of a document. docs has the document of each version, and index its index there. The
// first version that has it, in the order dest, updated, original, determines the path's resource and name. The name is
// only set if m.MultiDocument is set; it is "kind/name", such as "Service/web", or "document N", with N from 1, if the
// document has no kind or no name. DocumentPath returns nil if no version has the document.
func (m *Matcher) DocumentPath(docs [3]*syntax.Document, index [3]int) *three.Path {
	for _, s := range [3]three.Version{three.Dest, three.Updated, three.Original} {
		if docs[s] == nil {
			continue
		}
		p := &three.Path{Root: m.ResourcePlace(docs[s].Root)}
		if m.MultiDocument {
			p.Field = "document " + strconv.Itoa(index[s]+1)
			if k, n := p.Root.Kind, docs[s].Root.ScalarAt("metadata", "name"); k != "" && n != "" {
				p.Field = k + "/" + n
			}
		}
		return p
	}
	return nil
}

// PathAt returns the path of the smallest entry of the stream that contains the span, such as spec.ports[2]. It is the
// path that a conflict at this place would have in a merge in which the stream is dest. PathAt returns the path of the
// document if no entry contains the span, and nil if no document does. The fields below an item of a list with
// associative keys are written like this: `spec.containers[name=web].image`.
func (m *Matcher) PathAt(stream *syntax.Stream, span text.Span) *three.Path {
	for i, d := range stream.Docs {
		if d.Span.Contains(span) {
			p := m.DocumentPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i})
			return m.pathBelow(p, d.Root, span)
		}
	}
	return nil
}

// pathBelow returns the path of the smallest entry of n that contains the span, or p, the path of n, if there is none.
// An example is `spec.containers[name=web].image`. An item without a name has its index, counted from 0.
func (m *Matcher) pathBelow(p *three.Path, n *syntax.Node, span text.Span) *three.Path {
	for _, e := range n.Entries {
		switch {
		case !e.Span.Contains(span):
		case e.Key != nil:
			return m.pathBelow(p.Child(e.Key.Value), e.Value, span)
		default:
			name := m.PairItems(three.Nodes{three.Dest: n}, p).ItemPath
			return m.pathBelow(name(three.Entries{three.Dest: e}), e.Value, span)
		}
	}
	return p
}
