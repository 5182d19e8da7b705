package plan

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Merge makes the plan of a whole stream, in which what is contested is in conflict.
func (w *Walker) Merge(c Contested) *Merge {
	w.made, w.contests = &Merge{}, contests{map[*syntax.Entry]ConflictKind{}, map[*syntax.Document]ConflictKind{}}
	for _, s := range c {
		w.contests.add(s, ConflictRefused)
	}
	w.made.Documents = w.docSteps(w.pairDocuments())
	return w.made
}

// pairDocuments are the documents of the streams, and which of them are the same.
func (w *Walker) pairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	if docs, steps = w.Documents(w.Streams); steps != nil {
		return docs, steps
	}
	steps = w.Pair(w.DocElems(docs))
	w.follow(steps, nil, func(s three.Side, i int) (string, *syntax.Node) {
		n := docs[s][i].Root
		return schema.ResourceTitle(n), n
	})
	return docs, steps
}

func (w *Walker) docSteps(docs [3][]*syntax.Document, steps []pair.Step) []*Document {
	var out []*Document
	for _, st := range steps {
		var p *Document
		if st.Cause != pair.NoCause {
			p = &Document{Clash: &DocClash{Kind: kindOf(st.Cause)}, Path: &three.Path{Root: &schema.Place{File: w.File}}}
			for s, run := range st.Runs {
				for _, i := range run {
					p.Clash.Runs[s] = append(p.Clash.Runs[s], docs[s][i])
				}
			}
		} else {
			p = w.document(pair.Elements(st, docs), st.At)
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// document merges one document; nil means that it is deleted.
func (w *Walker) document(at [3]*syntax.Document, index [3]int) *Document {
	p := &Document{At: at}
	if at[three.Dest] == nil || at[three.Updated] == nil {
		return w.oneSided(p, index)
	}
	same := func(a, b three.Side) bool {
		x, y := at[a], at[b]
		return !w.Deep && x != nil && y != nil && bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
	}
	if s, ok := three.PickBy(same); ok {
		p.Whole = s
		return p
	}
	p.Path = w.DocPath(at, index)
	if w.Sealed {
		w.seal(at)
	}
	if kind := contested(w.contests.documents, at); kind != "" {
		return p.Contest(kind)
	}
	return w.mergedDoc(p)
}

// oneSided merges a document that dest or updated lacks: it was added, or deleted
// by one or both; a conflict where the other side changed it.
func (w *Walker) oneSided(p *Document, index [3]int) *Document {
	o, s := p.At[three.Original], three.Dest
	if p.At[s] == nil {
		s = three.Updated
	}
	x := p.At[s]
	if x == nil {
		return nil
	}
	p.Whole = s
	if o == nil {
		return p
	}
	p.Path = w.DocPath(p.At, index)
	if w.Sums.Equal(o.Root, x.Root) && !w.AddedComments(o.Span, s, x.Span) {
		return nil
	}
	return p.Contest(ConflictDeleteModify)
}

// mergedDoc merges a document that both sides have.
func (w *Walker) mergedDoc(p *Document) *Document {
	var v three.Nodes
	lined := true
	for s, d := range p.At {
		if d != nil {
			v[s] = d.Root
			lined = lined && w.Lined(three.Side(s), d)
		}
	}
	var kind ConflictKind
	if p.Root, kind = w.value(v, scope{path: p.Path, deep: w.Deep}); kind != "" {
		return p.Contest(kind)
	}
	if lined {
		p.Head, p.Foot = w.trivia(w.Head(p.At)), w.trivia(w.Below(p.At))
		return p
	}
	if p.Root.Lines != nil || !w.frame(p) {
		return p.Contest(ConflictValue)
	}
	return p
}

// frame chooses the head and foot of a document whose root shares its lines
// with them. It reports false where they cannot be chosen as a whole.
func (w *Walker) frame(p *Document) bool {
	var head, foot bool
	p.Form, head = three.PickFunc(w.Texts(p.At, HeadOf), bytes.Equal)
	p.FootForm, foot = three.PickFunc(w.Texts(p.At, FootOf), bytes.Equal)
	return head && foot && (p.Root.Flows() || p.Root.Spread() || w.Framed(p))
}
