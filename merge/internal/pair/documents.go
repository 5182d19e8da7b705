package pair

import (
	"strconv"

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
