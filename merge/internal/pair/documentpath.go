package pair

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// PairSingleDocuments pairs the documents of three streams in the usual case, in which no stream has several: steps is
// one Step, with index -1 for an empty stream. docs has the documents of each stream. If a stream has several, steps is
// nil, and the caller has to pair docs, for example with m.Pair(m.DocumentElems(docs)). It sets m.MultiDocument.
func (m *Matcher) PairSingleDocuments(streams [3]*syntax.Stream) (docs [3][]*syntax.Document, steps []Step) {
	var step Step
	for s, stream := range streams {
		docs[s], step.Index[s] = stream.Docs, len(stream.Docs)-1
	}
	m.MultiDocument = slices.Max(step.Index[:]) > 0
	if m.MultiDocument {
		return docs, nil
	}
	return docs, []Step{step}
}

// DocumentPath returns the path of a document, which docs has in each version, preferably as dest has it, or nil if no
// version has the document. If m.MultiDocument is set, the path has a name: "Service/web", or "document N", counted
// from 1. index has the document's index in each stream.
func (m *Matcher) DocumentPath(docs [3]*syntax.Document, index [3]int) *three.Path {
	for _, s := range [3]three.Version{three.Dest, three.Updated, three.Original} {
		if docs[s] == nil {
			continue
		}
		p := &three.Path{Root: m.ResourcePlace(docs[s].Root)}
		if m.MultiDocument {
			p.Field = "document " + strconv.Itoa(index[s]+1)
			if kind, name := p.Root.Kind, docs[s].Root.ScalarAt("metadata", "name"); kind != "" && name != "" {
				p.Field = kind + "/" + name
			}
		}
		return p
	}
	return nil
}

// PathAt returns the path of the smallest entry of stream that contains the span, such as spec.ports[2] or
// `spec.containers[name=web].image`. If only a document contains it, it is the path of the document, otherwise nil. m
// must come from NewMatcher. Lists must not change between calls.
func (m *Matcher) PathAt(stream *syntax.Stream, span text.Span) *three.Path {
	for i, d := range stream.Docs {
		if d.Span.Contains(span) {
			p := m.DocumentPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i})
			return m.pathBelow(p, d.Root, span)
		}
	}
	return nil
}

// pathBelow returns the path of the smallest entry in n, at any depth, that contains the span, such as
// `spec.containers[name=web].image`. If no entry does, it returns p, the path of n. An item without a name has its
// index in the path, counted from 0.
func (m *Matcher) pathBelow(p *three.Path, n *syntax.Node, span text.Span) *three.Path {
	i, _ := slices.BinarySearchFunc(n.Entries, span.End, func(e *syntax.Entry, end int) int { return e.Span.End - end })
	if i == len(n.Entries) || !n.Entries[i].Span.Contains(span) {
		return p
	}
	e := n.Entries[i]
	if e.Key != nil {
		return m.pathBelow(p.Child(e.Key.Value), e.Value, span)
	}
	if m.itemPaths[n] == nil {
		m.itemPaths[n] = m.MatchEntries(three.Nodes{three.Dest: n}, p).ItemPath
	}
	return m.pathBelow(m.itemPaths[n](three.Entries{three.Dest: e}), e.Value, span)
}
