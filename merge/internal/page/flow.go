package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// flow is the text of a merged collection in flow style.
func (r *Renderer) flow(m *plan.Value) []byte {
	s := m.Flow.Form
	n := m.V[s]
	if m.Flow.Style == plan.FlowTaken {
		return r.bytes(s, n.Content)
	}
	texts := make([][]byte, len(m.Kids))
	for i, c := range m.Kids {
		texts[i] = r.flowEntry(c, m)
	}
	if m.Flow.Style == plan.FlowSpliced {
		return r.splice(s, n, texts)
	}
	return r.list(s, n, texts)
}

// splice puts the texts in the place of n's entries.
func (r *Renderer) splice(s three.Side, n *syntax.Node, texts [][]byte) []byte {
	var b []byte
	at := n.Content.Start
	for i, e := range n.Entries {
		b = append(b, r.bytes(s, text.Span{Start: at, End: e.Start})...)
		b = append(b, texts[i]...)
		at = e.Foot.Start
	}
	return append(b, r.bytes(s, text.Span{Start: at, End: n.Content.End})...)
}

// list lists the texts with the separators of n.
func (r *Renderer) list(s three.Side, n *syntax.Node, texts [][]byte) []byte {
	first, next := []byte(nil), []byte(" ")
	if len(n.Entries) > 0 {
		first = r.bytes(s, n.Entries[0].Lead)
		if bytes.ContainsAny(first, "\n") {
			next = first
		}
	}
	if len(n.Entries) > 1 {
		next = r.bytes(s, n.Entries[1].Lead)
	}
	b := bytes.Clone(r.bytes(s, text.Span{Start: n.Content.Start, End: n.Content.Start + 1}))
	for i, t := range texts {
		lead := next
		if i == 0 {
			lead = first
		}
		b = append(append(b, lead...), t...)
		if i+1 < len(texts) || trailingComma(n) {
			b = append(b, ',')
		}
	}
	return append(b, r.bytes(s, text.Span{Start: n.Tail.Start, End: n.Content.End})...)
}

// flowEntry is the text of one merged entry of m, without what separates it from
// others.
func (r *Renderer) flowEntry(c *plan.Child, m *plan.Value) []byte {
	if s := c.Whole; s != three.Original {
		return r.wholeFlow(s, c.At[s], m.V[s])
	}
	val := r.flowValue(c.Value)
	return append(r.flowHead(c, m, val), val...)
}

// flowHead is what introduces val, the value of a merged entry of m.
func (r *Renderer) flowHead(c *plan.Child, m *plan.Value, val []byte) []byte {
	e := c.At[c.Key]
	if e.Key == nil {
		return nil
	}
	key := bytes.Clone(r.bytes(c.Key, tree.KeySpan(e)))
	if m.V[c.Key].Style != syntax.Flow {
		key = append(bytes.Clone(r.bytes(c.Key, e.Key.Span)), ':')
	}
	var gap []byte
	if e = c.At[m.Flow.Form]; e != nil {
		gap = r.bytes(m.Flow.Form, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Span.Start)})
	}
	switch {
	case len(val) == 0:
		gap = nil
	case len(gap) == 0:
		gap = []byte(" ")
	}
	return append(key, gap...)
}

// wholeFlow is the text of an entry as its version has it.
func (r *Renderer) wholeFlow(s three.Side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style == syntax.Flow {
		return r.bytes(s, text.Span{Start: e.Start, End: e.Foot.Start})
	}
	val := r.bytes(s, e.Value.Span)
	if e.Key == nil {
		return val
	}
	key := append(bytes.Clone(r.bytes(s, e.Key.Span)), ':')
	if len(val) == 0 {
		return key
	}
	return append(append(key, ' '), val...)
}

// flowValue is the text of a merged value.
func (r *Renderer) flowValue(m *plan.Value) []byte {
	n := m.V[m.Form]
	content := r.bytes(m.Form, n.Content)
	switch {
	case m.Flows():
		content = r.flow(m)
	case m.Spread():
		p := &Page{}
		r.spread(m, [3]move{}, p)
		content = p.Choose(three.Dest)
	case m.Lines != nil:
		content = r.joined(m)
	}
	if m.PropsSide() == m.Form {
		return append(bytes.Clone(r.bytes(m.Form, text.Span{Start: n.Span.Start, End: n.Content.Start})), content...)
	}
	if x := m.V[m.Props]; tree.Propped(x) {
		content = append([]byte(tree.PropsText(x)+" "), content...)
	}
	return content
}

// spread writes a merged flow collection from its opening to its closing bracket, behind what stands on
// the line already. The lines around it move as outer says.
func (r *Renderer) spread(m *plan.Value, outer [3]move, p *Page) {
	f := m.Flow.Form
	n := m.V[f]
	own, end := tree.SpreadIndent(r.Files[f], n)
	x := &spread{Renderer: r, of: m, indent: outer[f].line(own)}
	end = outer[f].line(end)
	unit, _ := bytes.CutPrefix(x.indent, end)
	for s, n := range m.V {
		if n != nil && len(n.Entries) > 0 {
			own, end := tree.SpreadIndent(r.Files[s], n)
			was, _ := bytes.CutPrefix(own, end)
			x.moves[s] = move{own, x.indent, was, unit}
		}
	}
	p.text(r.bytes(f, text.Span{Start: n.Content.Start, End: tree.SpreadLines(r.Files[f], n.Entries[0]).Start}))
	for _, c := range m.Kids {
		x.all = append(x.all, x.entry(c))
	}
	x.finish(p)
	r.trivia(m.Tail, nil, len(x.indent), p)
	p.text(append(end, r.bytes(f, text.Span{Start: n.Content.End - 1, End: n.Content.End})...))
}

// entry is one merged entry.
func (x *spread) entry(c *plan.Child) spreadEntry {
	p := &Page{}
	switch {
	case c.Clash != nil:
		return x.clash(c)
	case c.Whole != three.Original:
		b, tail := x.lines(c.Whole, c.At[c.Whole], false)
		p.text(b)
		return spreadEntry{p.Parts, everywhere(tail)}
	}
	x.trivia(c.Lead, c, len(x.indent), p)
	if c.Comment.Clash {
		return x.remarks(c, p)
	}
	behind := x.behind(c.Comment.Side, c.At[c.Comment.Side])
	if c.Value.Spread() {
		p.text(slices.Concat(x.indent, x.flowHead(c, x.of, lf), x.props(c.Value)))
		x.spread(c.Value, x.moves, p)
		p.extend([]byte(","), behind)
	} else {
		p.text(slices.Concat(x.line(c), behind))
	}
	return spreadEntry{p.Parts, everywhere(len(behind))}
}

// line is a merged entry up to its comma.
func (x *spread) line(c *plan.Child) []byte {
	val := x.moves[c.Value.Form].rest(x.flowValue(c.Value))
	return slices.Concat(x.indent, x.flowHead(c, x.of, val), val, []byte(","))
}

// remarks is a merged entry whose comments are in conflict.
func (x *spread) remarks(c *plan.Child, p *Page) spreadEntry {
	k := &Conflict{Kind: plan.ConflictComment, Path: c.Path}
	tail := everywhere(absent)
	for s, e := range c.At {
		if e != nil {
			behind := x.behind(three.Side(s), e)
			k.Alt[s] = slices.Concat(x.line(c), behind)
			k.At[s], tail[s] = e.Comment, len(behind)
		}
	}
	p.Add(k)
	return spreadEntry{p.Parts, tail}
}
