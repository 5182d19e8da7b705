package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// documents makes the plan of a whole stream.
func (w *walker) documents() []*docPlan {
	var docs [3][]*syntax.Document
	single := true
	for s, st := range w.streams {
		docs[s] = st.Docs
		single = single && len(st.Docs) <= 1
	}
	w.multi = !single
	if single && !(w.set.updatedWins && !w.set.strategic && replacedResource(docs)) {
		st := triple(-1, -1, -1)
		for s := range docs {
			st.at[s] = len(docs[s]) - 1
		}
		return w.docSteps(docs, []step{st})
	}
	return w.docSteps(docs, w.appended(w.pair(w.docElems(docs))))
}

func (w *walker) docSteps(docs [3][]*syntax.Document, steps []step) []*docPlan {
	var out []*docPlan
	for _, st := range steps {
		var p *docPlan
		if st.cause != noCause {
			p = &docPlan{clash: &docClash{kind: kindOf(st.cause)}, path: &path{root: &schema.Place{File: w.file}}}
			for s, run := range st.runs {
				for _, i := range run {
					p.clash.runs[s] = append(p.clash.runs[s], docs[s][i])
				}
			}
		} else {
			var at [3]*syntax.Document
			for s, i := range st.at {
				if i >= 0 {
					at[s] = docs[s][i]
				}
			}
			p = w.document(at, st.at)
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// document merges one document; nil means that it is deleted.
func (w *walker) document(at [3]*syntax.Document, index [3]int) *docPlan {
	o, d, u := at[original], at[dest], at[updated]
	p := &docPlan{at: at}
	if w.set.updatedWins && (d == nil || u == nil) {
		return w.resourceAlone(p)
	}
	if w.set.updatedWins && !w.set.always && d.Root.Content.Empty() != u.Root.Content.Empty() {
		p.path = w.docPath(at, index)
		if w.withoutResource(p) {
			return p
		}
	}
	switch {
	case w.set.updatedWins && (w.holdsNull(d.Root) || w.holdsNull(u.Root)):
		p.path = w.docPath(at, index)
		return w.mergedDoc(p)
	case d == nil && u == nil:
		return nil
	case d == nil || u == nil:
		p.whole = dest
		if d == nil {
			p.whole = updated
		}
		if o == nil {
			return p
		}
		p.path = w.docPath(at, index)
		if w.sums.equal(o.Root, at[p.whole].Root) && !w.newDocComments(o, p.whole, at[p.whole]) {
			return nil
		}
		return p.contest(ConflictDeleteModify)
	case w.sameDoc(dest, d, updated, u), !w.set.always && w.sameDoc(original, o, updated, u):
		p.whole = dest
		return p
	case !w.set.always && w.sameDoc(original, o, dest, d):
		p.whole = updated
		return p
	}
	p.path = w.docPath(at, index)
	return w.mergedDoc(p)
}

func (w *walker) newDocComments(o *syntax.Document, s side, x *syntax.Document) bool {
	return w.addedComments(&syntax.Entry{Span: o.Span}, s, &syntax.Entry{Span: x.Span})
}

func (w *walker) sameDoc(a side, x *syntax.Document, b side, y *syntax.Document) bool {
	return !w.deep && x != nil && y != nil && bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// mergedDoc merges a document that both sides have.
func (w *walker) mergedDoc(p *docPlan) *docPlan {
	var v nodes
	lined := true
	for s, d := range p.at {
		if d != nil {
			v[s] = d.Root
			lined = lined && w.lined(side(s), d)
		}
	}
	w.doc, w.up, w.cols = p, nil, [3]int{}
	var kind ConflictKind
	if p.root, kind = w.value(v, p.path); kind != "" {
		return p.contest(kind)
	}
	if lined {
		p.head = w.mergeSlot(w.docSlot(p.at, func(_ side, d *syntax.Document) text.Span { return d.Head }))
		p.foot = w.mergeSlot(w.docSlot(p.at, w.linedFoot))
		return p
	}
	if p.root.lines != nil || !w.frame(p) {
		if w.set.updatedWins && !p.root.merged {
			p.whole = p.root.form
			return p
		}
		return p.contest(ConflictValue)
	}
	return p
}

// lined reports whether the root's bytes and what surrounds them are whole
// lines.
func (w *walker) lined(s side, d *syntax.Document) bool {
	f := w.files[s]
	starts := d.Head.End == f.LineStart(d.Head.End)
	return starts && (d.Foot.Start == f.LineStart(d.Foot.Start) || w.set.updatedWins && w.flowLine(s, d))
}

// flowLine reports whether a root in flow style has its last line for itself,
// so that it can become a block.
func (w *walker) flowLine(s side, d *syntax.Document) bool {
	rest := w.bytes(s, text.Span{Start: d.Foot.Start, End: w.files[s].LineEnd(d.Foot.Start)})
	return d.Root.Style == syntax.Flow && !propped(d.Root) && len(bytes.TrimRight(rest, "\r\n")) == 0
}

// linedFoot is what stands below the lines of the root.
func (w *walker) linedFoot(s side, d *syntax.Document) text.Span {
	foot := d.Foot
	if f := w.files[s]; foot.Start != f.LineStart(foot.Start) {
		foot.Start = f.LineEnd(foot.Start)
	}
	return foot
}

// frame chooses the head and foot of a document whose root shares its lines
// with them. It reports false where they cannot be chosen as a whole.
func (w *walker) frame(p *docPlan) bool {
	head, ok := w.frameSide(p, headSpan)
	foot, ok2 := w.frameSide(p, footSpan)
	p.form, p.footForm = head, foot
	if !ok || !ok2 {
		return false
	}
	m := p.root
	if m.flow != nil {
		return true // written anew, between any two
	}
	own := w.bytes(m.form, m.v[m.form].Span)
	for _, f := range [3]side{m.form, head, foot} {
		stands := f == m.form || !m.merged && bytes.Equal(w.bytes(f, m.v[f].Span), own)
		if stands && w.sameSpan(p, f, head, headSpan) && w.sameSpan(p, f, foot, footSpan) {
			m.form = f
			return true
		}
	}
	return false
}

func headSpan(d *syntax.Document) text.Span { return d.Head }

func footSpan(d *syntax.Document) text.Span { return d.Foot }

func (w *walker) sameSpan(p *docPlan, a, b side, get func(*syntax.Document) text.Span) bool {
	return a == b || bytes.Equal(w.bytes(a, get(p.at[a])), w.bytes(b, get(p.at[b])))
}

func (w *walker) frameSide(p *docPlan, get func(*syntax.Document) text.Span) (side, bool) {
	var t [3][]byte
	for s, d := range p.at {
		if d != nil {
			t[s] = w.bytes(side(s), get(d))
		}
	}
	switch {
	case w.set.always && w.standInDest(commentText(triviaLines(w.files[updated], get(p.at[updated]), 0))):
		return dest, true
	case bytes.Equal(t[dest], t[updated]), bytes.Equal(t[original], t[updated]):
		return dest, true
	case bytes.Equal(t[original], t[dest]):
		return updated, true
	}
	return dest, false
}

func (w *walker) docSlot(at [3]*syntax.Document, get func(side, *syntax.Document) text.Span) slot {
	var t slot
	for s, d := range at {
		if d != nil {
			t.spans[s] = get(side(s), d)
			t.lines[s] = triviaLines(w.files[s], t.spans[s], 0)
		}
	}
	return t
}
