package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Documents makes the plan of a whole stream.
func (w *Walker) Documents() []*plan.Document { return w.docSteps(w.pairDocuments()) }

// pairDocuments are the documents of the streams, and which of them are the same.
func (w *Walker) pairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	single := true
	for s, st := range w.Streams {
		docs[s] = st.Docs
		single = single && len(st.Docs) <= 1
	}
	w.Multi = !single
	if single && !(w.RuleSet.UpdatedWins && !w.RuleSet.Strategic && resource.Replaced(docs)) {
		st := pair.Triple(-1, -1, -1)
		for s := range docs {
			st.At[s] = len(docs[s]) - 1
		}
		return docs, []pair.Step{st}
	}
	steps = w.Appended(w.Pair(w.DocElems(docs)))
	w.follow(steps, nil, func(s three.Side, i int) (string, *syntax.Node) {
		n := docs[s][i].Root
		return resource.Title(n), n
	})
	return docs, steps
}

func (w *Walker) docSteps(docs [3][]*syntax.Document, steps []pair.Step) []*plan.Document {
	var out []*plan.Document
	for _, st := range steps {
		var p *plan.Document
		if st.Cause != pair.NoCause {
			p = &plan.Document{Clash: &plan.DocClash{Kind: kindOf(st.Cause)}, Path: &three.Path{Root: &schema.Place{File: w.File}}}
			for s, run := range st.Runs {
				for _, i := range run {
					p.Clash.Runs[s] = append(p.Clash.Runs[s], docs[s][i])
				}
			}
		} else {
			var at [3]*syntax.Document
			for s, i := range st.At {
				if i >= 0 {
					at[s] = docs[s][i]
				}
			}
			p = w.document(at, st.At)
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// document merges one document; nil means that it is deleted.
func (w *Walker) document(at [3]*syntax.Document, index [3]int) *plan.Document {
	p := &plan.Document{At: at}
	if w.RuleSet.UpdatedWins {
		if p, done := w.documentBySet(p, index); done {
			return p
		}
	}
	if at[three.Dest] == nil || at[three.Updated] == nil {
		return w.oneSided(p, index)
	}
	if s, ok := w.pick(func(a, b three.Side) bool { return w.sameDoc(at, a, b) }); ok {
		p.Whole = s
		return p
	}
	p.Path = w.DocPath(at, index)
	return w.mergedDoc(p)
}

// oneSided merges a document that dest or updated lacks: it was added, or deleted
// by one or both; a conflict where the other side changed it.
func (w *Walker) oneSided(p *plan.Document, index [3]int) *plan.Document {
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
	if w.Sums.Equal(o.Root, x.Root) && !w.newDocComments(o, s, x) {
		return nil
	}
	return p.Contest(plan.ConflictDeleteModify)
}

func (w *Walker) newDocComments(o *syntax.Document, s three.Side, x *syntax.Document) bool {
	return w.addedComments(&syntax.Entry{Span: o.Span}, s, &syntax.Entry{Span: x.Span})
}

func (w *Walker) sameDoc(at [3]*syntax.Document, a, b three.Side) bool {
	x, y := at[a], at[b]
	return !w.Deep && x != nil && y != nil && bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// mergedDoc merges a document that both sides have.
func (w *Walker) mergedDoc(p *plan.Document) *plan.Document {
	var v three.Nodes
	lined := true
	for s, d := range p.At {
		if d != nil {
			v[s] = d.Root
			lined = lined && w.lined(three.Side(s), d)
		}
	}
	var kind plan.ConflictKind
	if p.Root, kind = w.value(v, scope{doc: p, path: p.Path, deep: w.Deep}); kind != "" {
		return p.Contest(kind)
	}
	if lined {
		p.Head = w.mergeSlot(w.docSlot(p.At, func(_ three.Side, d *syntax.Document) text.Span { return d.Head }))
		p.Foot = w.mergeSlot(w.docSlot(p.At, w.linedFoot))
		return p
	}
	if p.Root.Lines != nil || !w.frame(p) {
		if w.RuleSet.UpdatedWins && !p.Root.Merged {
			p.Whole = p.Root.Form
			return p
		}
		return p.Contest(plan.ConflictValue)
	}
	return p
}

// lined reports whether the root's bytes and what surrounds them are whole
// lines.
func (w *Walker) lined(s three.Side, d *syntax.Document) bool {
	f := w.Files[s]
	starts := d.Head.End == f.LineStart(d.Head.End)
	return starts && (d.Foot.Start == f.LineStart(d.Foot.Start) || w.RuleSet.UpdatedWins && w.flowLine(s, d))
}

// flowLine reports whether a root in flow style has its last line for itself,
// so that it can become a block.
func (w *Walker) flowLine(s three.Side, d *syntax.Document) bool {
	rest := w.bytes(s, text.Span{Start: d.Foot.Start, End: w.Files[s].LineEnd(d.Foot.Start)})
	return d.Root.Style == syntax.Flow && !tree.Propped(d.Root) && len(bytes.TrimRight(rest, "\r\n")) == 0
}

// linedFoot is what stands below the lines of the root.
func (w *Walker) linedFoot(s three.Side, d *syntax.Document) text.Span {
	foot := d.Foot
	if f := w.Files[s]; foot.Start != f.LineStart(foot.Start) {
		foot.Start = f.LineEnd(foot.Start)
	}
	return foot
}

// frame chooses the head and foot of a document whose root shares its lines
// with them. It reports false where they cannot be chosen as a whole.
func (w *Walker) frame(p *plan.Document) bool {
	head, ok := w.frameSide(p, headSpan)
	foot, ok2 := w.frameSide(p, footSpan)
	p.Form, p.FootForm = head, foot
	if !ok || !ok2 {
		return false
	}
	m := p.Root
	if m.Flows() {
		return true // written anew, between any two
	}
	own := w.bytes(m.Form, m.V[m.Form].Span)
	for _, f := range [3]three.Side{m.Form, head, foot} {
		stands := f == m.Form || !m.Merged && bytes.Equal(w.bytes(f, m.V[f].Span), own)
		if stands && w.sameSpan(p, f, head, headSpan) && w.sameSpan(p, f, foot, footSpan) {
			m.Form = f
			return true
		}
	}
	return false
}

func headSpan(d *syntax.Document) text.Span { return d.Head }

func footSpan(d *syntax.Document) text.Span { return d.Foot }

func (w *Walker) sameSpan(p *plan.Document, a, b three.Side, get func(*syntax.Document) text.Span) bool {
	return a == b || bytes.Equal(w.bytes(a, get(p.At[a])), w.bytes(b, get(p.At[b])))
}

func (w *Walker) frameSide(p *plan.Document, get func(*syntax.Document) text.Span) (three.Side, bool) {
	var t [3][]byte
	for s, d := range p.At {
		if d != nil {
			t[s] = w.bytes(three.Side(s), get(d))
		}
	}
	if w.RuleSet.Always && w.standInDest(plan.Comments(plan.Lines(w.Files[three.Updated], get(p.At[three.Updated]), 0))) {
		return three.Dest, true
	}
	return three.PickFunc(t, bytes.Equal)
}

func (w *Walker) docSlot(at [3]*syntax.Document, get func(three.Side, *syntax.Document) text.Span) plan.Slot {
	var t plan.Slot
	for s, d := range at {
		if d != nil {
			t.Spans[s] = get(three.Side(s), d)
			t.Lines[s] = plan.Lines(w.Files[s], t.Spans[s], 0)
		}
	}
	return t
}
