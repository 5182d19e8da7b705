package page

import (
	"bytes"

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
		at = e.Foot().Start
	}
	return append(b, r.bytes(s, text.Span{Start: at, End: n.Content.End})...)
}

// list lists the texts with the separators of n.
func (r *Renderer) list(s three.Side, n *syntax.Node, texts [][]byte) []byte {
	first, next := []byte(nil), []byte(" ")
	if len(n.Entries) > 0 {
		first = r.bytes(s, n.Entries[0].Lead())
		if bytes.ContainsAny(first, "\n") {
			next = first
		}
	}
	if len(n.Entries) > 1 {
		next = r.bytes(s, n.Entries[1].Lead())
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

func trailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma
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
	key := bytes.Clone(r.flowKey(c.Key, e, m.V[c.Key]))
	var gap []byte
	if e = c.At[m.Flow.Form]; e != nil {
		gap = r.bytes(m.Flow.Form, text.Span{Start: e.Colon(), End: max(e.Colon(), e.Value.Span.Start)})
	}
	switch {
	case len(val) == 0:
		gap = nil
	case len(gap) == 0:
		gap = []byte(" ")
	}
	return append(key, gap...)
}

// flowKey is the key of an entry with its colon.
func (r *Renderer) flowKey(s three.Side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style == syntax.Flow {
		return r.bytes(s, tree.KeySpan(e))
	}
	return append(bytes.Clone(r.bytes(s, e.KeySpan())), ':')
}

// wholeFlow is the text of an entry as its version has it.
func (r *Renderer) wholeFlow(s three.Side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style == syntax.Flow {
		return r.bytes(s, text.Span{Start: e.Start, End: e.Foot().Start})
	}
	val := r.bytes(s, e.Value.Span)
	if e.Key == nil {
		return val
	}
	key := r.flowKey(s, e, in)
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
