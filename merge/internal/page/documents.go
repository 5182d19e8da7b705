package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Page writes the documents of a plan.
func (r *Renderer) Page(docs []*plan.Document) *Page {
	p := &Page{}
	top := [3]bool{true, true, true}
	for _, d := range docs {
		if d.Clash != nil {
			r.docClash(d, &top, p)
			continue
		}
		r.document(d, r.first(top, p), p)
		top = [3]bool{}
	}
	p.Agree()
	return p
}

// first reports whether nothing stands above, in the file of either side: top
// says of which it holds. Where a conflict leaves one side without a document,
// the separator of the next one goes into the conflict.
func (r *Renderer) first(top [3]bool, p *Page) bool {
	if top[three.Dest] == top[three.Updated] {
		return top[three.Dest]
	}
	c := p.Parts[len(p.Parts)-1].Conflict
	for s := range c.Alt {
		if !top[s] {
			c.Alt[s] = append(c.Alt[s], r.separator()...)
		}
	}
	return true
}

func (r *Renderer) separator() []byte { return append([]byte("---"), r.Break...) }

// document writes a document that is not in conflict, with the --- that its
// place asks for.
func (r *Renderer) document(d *plan.Document, first bool, p *Page) {
	doc := &Page{}
	if d.Whole != three.Original {
		doc.text(r.bytes(d.Whole, d.At[d.Whole].Span))
	} else {
		r.mergedDoc(d, doc)
	}
	own := r.cutSeparator(d, doc)
	switch {
	case first && !r.explicit():
	case len(own) > 0:
		p.text(own)
	case !r.starts(d):
		p.text(r.separator())
	}
	p.Parts = append(p.Parts, doc.Parts...)
}

// explicit reports whether the first document of the result starts with ---.
func (r *Renderer) explicit() bool {
	var e [3]bool
	for s, st := range r.Streams {
		e[s] = len(st.Docs) > 0 && st.Docs[0].Explicit
	}
	if r.DestStarts && len(r.Streams[three.Dest].Docs) > 0 {
		return e[three.Dest] // the others are other files
	}
	return three.Form(e[three.Original], e[three.Dest], e[three.Updated])
}

// cutSeparator takes a line that is nothing but --- from the start of a
// document, and returns it. An empty document keeps its own.
func (r *Renderer) cutSeparator(d *plan.Document, doc *Page) []byte {
	if len(doc.Parts) == 0 || doc.Parts[0].Conflict != nil || r.rootless(d) {
		return nil
	}
	b := doc.Parts[0].Text
	end := bytes.IndexByte(b, '\n') + 1
	if string(bytes.TrimRight(b[:end], "\r\n")) != "---" {
		return nil
	}
	doc.Parts[0].Text = b[end:]
	return b[:end]
}

// rootless reports whether nothing but trivia is written in a document.
func (r *Renderer) rootless(d *plan.Document) bool {
	if d.Whole != three.Original {
		return d.At[d.Whole].Root.Span.Empty()
	}
	return d.Root.V[d.Root.Form].Span.Empty()
}

// starts reports whether the head of d has a --- line.
func (r *Renderer) starts(d *plan.Document) bool {
	if d.Whole != three.Original {
		return d.At[d.Whole].Explicit
	}
	if d.Form != three.Original {
		return d.At[d.Form].Explicit
	}
	return slices.ContainsFunc(d.Head, func(part plan.TriviaPart) bool {
		if c := part.Clash; c != nil {
			return hasSeparator(c.Lines[three.Dest]) && hasSeparator(c.Lines[three.Updated])
		}
		return hasSeparator(part.Lines)
	})
}

func hasSeparator(lines []plan.Line) bool {
	return slices.ContainsFunc(lines, func(l plan.Line) bool { return bytes.HasPrefix(l.Text, []byte("---")) })
}

func (r *Renderer) mergedDoc(d *plan.Document, p *Page) {
	if d.Form != three.Original {
		p.text(r.bytes(d.Form, d.At[d.Form].Head))
		r.root(d, p)
		p.text(r.bytes(d.FootForm, d.At[d.FootForm].Foot))
		return
	}
	r.trivia(d.Head, nil, 0, p)
	r.root(d, p)
	if m := d.Root; m.V[m.Form].Style == syntax.Flow {
		p.text(r.Break)
	}
	r.trivia(d.Foot, nil, 0, p)
}

func (r *Renderer) root(d *plan.Document, p *Page) {
	m := d.Root
	n := m.V[m.Form]
	switch {
	case m.Merged && n.Style == syntax.Block:
		if len(m.Kids) == 0 {
			p.text(append([]byte(emptyFlow(n)), r.Break...))
		}
		r.kids(m, n.Indent, p)
	case m.Flows():
		p.text(append(bytes.Clone(r.props(m)), r.flow(m)...))
	case m.Spread():
		p.text(r.props(m))
		r.spread(m, [3]move{}, p)
	case n.Style == syntax.Block:
		p.text(r.bytes(m.Form, n.Content)) // the properties are in the head
	default:
		p.text(r.bytes(m.Form, n.Span))
	}
}

// docClash writes a conflict over documents. It says in top which sides still
// have no document.
func (r *Renderer) docClash(d *plan.Document, top *[3]bool, p *Page) {
	m := &Conflict{Kind: d.Clash.Kind, Path: d.Path}
	for s, run := range d.Clash.Runs {
		for i, x := range run {
			if i == 0 {
				m.At[s] = x.Span
			}
			m.At[s].End = x.Span.End
			if !top[s] && !x.Explicit {
				m.Alt[s] = append(m.Alt[s], r.separator()...)
			}
			m.Alt[s] = append(m.Alt[s], r.bytes(three.Side(s), x.Span)...)
			top[s] = false
		}
	}
	p.Add(m)
}
