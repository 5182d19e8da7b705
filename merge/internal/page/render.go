package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// kids writes the entries of a merged block collection at column col.
func (r *Renderer) kids(m *plan.Value, col int, p *Page) {
	for _, c := range m.Kids {
		r.entry(c, m.V, col, p)
	}
	r.trivia(m.Tail, nil, col, p)
}

// entry writes one entry of the collection v at column col.
func (r *Renderer) entry(c *plan.Child, v three.Nodes, col int, p *Page) {
	switch {
	case c.Clash != nil:
		r.clash(c, v, col, p)
	case c.Whole != three.Original:
		p.text(r.entryText(c.Whole, c.At[c.Whole], v[c.Whole], c.At[c.Whole].Span, col))
	default:
		r.trivia(c.Lead, c, col, p)
		r.merged(c, v, col, p)
		r.trivia(c.Foot, c, col, p)
	}
}

// entryText returns the part sp of an entry (whole lines of it) at column col.
func (r *Renderer) entryText(s three.Side, e *syntax.Entry, in *syntax.Node, sp text.Span, col int) []byte {
	if in.Style == syntax.Flow {
		return r.fromFlow(s, e, in, col)
	}
	if r.relays(s) {
		return r.relay(s, e, in, sp, col)
	}
	if !e.Inline {
		return text.Shift(r.bytes(s, sp), col-in.Indent)
	}
	sp.Start = e.Start
	return append(text.Spaces(col), text.ShiftRest(r.bytes(s, sp), col-in.Indent)...)
}

// fromFlow writes an entry of a flow collection as a line of its own.
func (r *Renderer) fromFlow(s three.Side, e *syntax.Entry, in *syntax.Node, col int) []byte {
	b := append(text.Spaces(col), r.keyText(s, e, in)...)
	if v := r.bytes(s, e.Value.Span); len(v) > 0 {
		b = append(append(b, ' '), v...)
	}
	return append(b, r.Break...)
}

// merged writes an entry whose parts merged one by one.
func (r *Renderer) merged(c *plan.Child, v three.Nodes, col int, p *Page) {
	if c.Value.Spread() {
		r.spreadField(c, v, col, p)
		return
	}
	body := &Page{}
	r.body(c, v, col, body)
	if n := c.Value.V[c.Value.Form]; tree.Compact(n) && len(bytes.TrimSpace(r.remark(c, c.Comment.Side))) == 0 {
		if overlay(body, r.headKey(c, v, col), r.inner(c.Value, v, col)) {
			p.Parts = append(p.Parts, body.Parts...)
			return
		}
	}
	if !c.Comment.Clash {
		p.text(r.headLine(c, v, col, c.Comment.Side))
	} else {
		m := &Conflict{Kind: plan.ConflictComment, Path: c.Path}
		for s, e := range c.At {
			if e != nil {
				m.Alt[s] = r.headLine(c, v, col, three.Side(s))
				m.At[s] = e.Comment
			}
		}
		p.Parts = append(p.Parts, Part{Conflict: m})
	}
	p.Parts = append(p.Parts, body.Parts...)
}

// overlay writes key over the indentation of the first line of body, a compact
// collection at column col. It reports false where that line is no entry in
// one of the versions.
func overlay(body *Page, key []byte, col int) bool {
	last := len(key) - (bytes.LastIndexByte(key, '\n') + 1)
	if len(body.Parts) == 0 || last >= col {
		return false
	}
	pad := append(key, text.Spaces(col-last)...)
	put := func(b []byte) []byte {
		if len(b) <= col || len(bytes.TrimLeft(b[:col], " ")) > 0 || bytes.IndexByte([]byte(" #\r\n"), b[col]) >= 0 {
			return nil
		}
		return append(bytes.Clone(pad), b[col:]...)
	}
	first := &body.Parts[0]
	if first.Conflict == nil {
		b := put(first.Text)
		if b == nil {
			return false
		}
		first.Text = b
		return true
	}
	borrow(body)
	var alt [3][]byte
	for s := range alt {
		if s == int(three.Original) && len(first.Conflict.Alt[s]) == 0 {
			continue
		}
		if alt[s] = put(first.Conflict.Alt[s]); alt[s] == nil {
			return false
		}
	}
	first.Conflict.Alt = alt
	return true
}

// borrow gives the conflict at the start of body the line below it, where one
// side has nothing: that line is then the first.
func borrow(body *Page) {
	c := body.Parts[0].Conflict
	if len(c.Alt[three.Dest]) > 0 && len(c.Alt[three.Updated]) > 0 || len(body.Parts) < 2 || body.Parts[1].Conflict != nil {
		return
	}
	b := body.Parts[1].Text
	end := bytes.IndexByte(b, '\n') + 1
	for s := range c.Alt {
		if s != int(three.Original) || len(c.Alt[s]) > 0 {
			c.Alt[s] = append(bytes.Clone(c.Alt[s]), b[:end]...)
		}
	}
	body.Parts[1].Text = b[end:]
}

// inner is the column of the entries of a merged or taken collection whose
// holder moves to column col.
func (r *Renderer) inner(m *plan.Value, v three.Nodes, col int) int {
	f := m.Form
	return col + m.V[f].Indent - max(v[f].Indent, 0)
}

// body writes what follows the head line: the entries of a block collection,
// or the lines of a block scalar.
func (r *Renderer) body(c *plan.Child, v three.Nodes, col int, p *Page) {
	m := c.Value
	n := m.V[m.Form]
	switch {
	case m.Merged && n.Style == syntax.Block:
		r.kids(m, r.inner(m, v, col), p)
	case m.Lines != nil && tree.IsBlockScalar(n):
		r.textLines(c, r.inner(m, v, col), p)
	case tree.IsBlockScalar(n):
		p.text(text.Shift(r.bytes(m.Form, n.Lines), col-max(v[m.Form].Indent, 0)))
	case n.Style == syntax.Block:
		e := c.At[m.Form]
		sp := text.Span{Start: e.HeadEnd, End: e.Foot.Start}
		delta := col - max(v[m.Form].Indent, 0)
		if tree.Compact(n) {
			p.text(append(text.Spaces(n.Indent+delta), text.ShiftRest(r.bytes(m.Form, sp), delta)...))
			return
		}
		if r.relays(m.Form) {
			p.text(r.relayBlock(m.Form, e, v[m.Form], delta))
			return
		}
		p.text(text.Shift(r.bytes(m.Form, sp), delta))
	}
}

// textLines writes the merged lines of a block scalar at column col.
func (r *Renderer) textLines(c *plan.Child, col int, p *Page) {
	m := c.Value
	for _, l := range m.Lines {
		if l.Clash == nil {
			p.text(r.moved(l.Side, l.Span, col-m.V[l.Side].Indent))
			continue
		}
		k := &Conflict{Kind: plan.ConflictText, Path: c.Path, Child: c, At: *l.Clash}
		for s, sp := range l.Clash {
			if m.V[s] != nil {
				k.Alt[s] = r.moved(three.Side(s), sp, col-m.V[s].Indent)
			}
		}
		p.Parts = append(p.Parts, Part{Conflict: k})
	}
}

// clash writes a conflict over entries.
func (r *Renderer) clash(c *plan.Child, v three.Nodes, col int, p *Page) {
	m := &Conflict{Kind: c.Clash.Kind, Path: c.Path, Child: c}
	for s, run := range c.Clash.Runs {
		for _, e := range run {
			sp := e.Span
			if c.Clash.Bare && v[s].Style != syntax.Flow {
				sp = text.Span{Start: e.Lead.End, End: e.Foot.Start}
			}
			m.At[s] = joinSpans(m.At[s], sp)
			m.Items[s] = append(m.Items[s], bytes.Count(m.Alt[s], lf))
			m.Alt[s] = append(m.Alt[s], r.entryText(three.Side(s), e, v[s], sp, col)...)
		}
		m.Items[s] = append(m.Items[s], bytes.Count(m.Alt[s], lf))
	}
	if !c.Clash.TwoInsertions() {
		m.Items = [3][]int{}
	}
	if c.Clash.Bare {
		r.trivia(c.Lead, c, col, p)
	}
	p.Add(m)
	if c.Clash.Bare {
		r.trivia(c.Foot, c, col, p)
	}
}
