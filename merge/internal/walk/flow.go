package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// flowText writes a merged collection in the flow style of its form side. It
// reports false where something cannot be written so: then the entry that
// holds the collection is in conflict.
func (w *Walker) flowText(m *plan.Value) ([]byte, bool) {
	if o := m.Form.Other(); w.flowComments(m.V) && !w.sameMembers(m, m.Form) && w.sameMembers(m, o) && m.V[o].Style == syntax.Flow {
		m.Form = o // comments have their places there
	}
	if w.RuleSet.UpdatedWins && w.commented(m, three.Updated) && !w.commented(m, three.Dest) && w.sameMembers(m, three.Updated) {
		m.Form = three.Updated // its comments win, and have their places there
	}
	n := m.V[m.Form]
	texts := make([][]byte, len(m.Kids))
	for i, c := range m.Kids {
		var ok bool
		if texts[i], ok = w.flowEntry(c, m); !ok {
			return nil, false
		}
	}
	if w.sameMembers(m, m.Form) {
		return w.spliceFlow(m.Form, n, texts), true
	}
	if w.flowComments(m.V) {
		return nil, false
	}
	return w.rebuildFlow(m, texts), true
}

// sameMembers reports whether the merged entries are those of s, in its order.
func (w *Walker) sameMembers(m *plan.Value, s three.Side) bool {
	n := m.V[s]
	if len(m.Kids) != len(n.Entries) {
		return false
	}
	for i, c := range m.Kids {
		if c.At[s] != n.Entries[i] {
			return false
		}
	}
	return true
}

// spliceFlow puts the texts in the place of n's entries.
func (w *Walker) spliceFlow(s three.Side, n *syntax.Node, texts [][]byte) []byte {
	var b []byte
	at := n.Content.Start
	for i, e := range n.Entries {
		b = append(b, w.bytes(s, text.Span{Start: at, End: e.Start})...)
		b = append(b, texts[i]...)
		at = e.Foot.Start
	}
	return append(b, w.bytes(s, text.Span{Start: at, End: n.Content.End})...)
}

// commented reports whether a comment stands in version s, which is in flow
// style.
func (w *Walker) commented(m *plan.Value, s three.Side) bool {
	n := m.V[s]
	return n != nil && n.Style == syntax.Flow && len(w.commentsIn(s, n.Span)) > 0
}

// flowComments reports whether a comment stands in one of the versions: they
// belong to places that a new list of entries does not have.
func (w *Walker) flowComments(v three.Nodes) bool {
	for s, n := range v {
		if gone := w.RuleSet.UpdatedWins && three.Side(s) == three.Original; n != nil && !gone && len(w.commentsIn(three.Side(s), n.Span)) > 0 {
			return true
		}
	}
	return false
}

// rebuildFlow lists the texts with the separators of the form side.
func (w *Walker) rebuildFlow(m *plan.Value, texts [][]byte) []byte {
	s, n := m.Form, m.V[m.Form]
	first, next := []byte(nil), []byte(" ")
	if len(n.Entries) > 0 {
		first = w.bytes(s, n.Entries[0].Lead)
		if bytes.ContainsAny(first, "\n") {
			next = first
		}
	}
	if len(n.Entries) > 1 {
		next = w.bytes(s, n.Entries[1].Lead)
	}
	b := bytes.Clone(w.bytes(s, text.Span{Start: n.Content.Start, End: n.Content.Start + 1}))
	for i, t := range texts {
		lead := next
		if i == 0 {
			lead = first
		}
		b = append(append(b, lead...), t...)
		if i+1 < len(texts) || w.trailingComma(n) {
			b = append(b, ',')
		}
	}
	return append(b, w.bytes(s, text.Span{Start: n.Tail.Start, End: n.Content.End})...)
}

func (w *Walker) trailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma >= 0
}

// flowEntry is the text of one merged entry, without what separates it from
// others.
func (w *Walker) flowEntry(c *plan.Child, m *plan.Value) ([]byte, bool) {
	if c.Whole != three.Original {
		return w.wholeFlow(c.Whole, c.At[c.Whole], m.V[c.Whole])
	}
	e := c.At[m.Form]
	if e == nil {
		return nil, false
	}
	val, ok := w.flowValue(c.Value)
	if !ok {
		return nil, false
	}
	if e.Key == nil {
		return val, true
	}
	key := w.flowKey(c.Key, c.At[c.Key], m.V[c.Key])
	gap := w.bytes(m.Form, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Span.Start)})
	if len(gap) == 0 {
		gap = []byte(" ")
	}
	if len(val) == 0 {
		gap = nil
	}
	return append(append(bytes.Clone(key), gap...), val...), true
}

// flowKey is the key of an entry with its colon.
func (w *Walker) flowKey(s three.Side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style == syntax.Flow {
		return w.keyText(s, e)
	}
	return append(bytes.Clone(w.bytes(s, e.Key.Span)), ':')
}

// wholeFlow is the text of an entry as its version has it.
func (w *Walker) wholeFlow(s three.Side, e *syntax.Entry, in *syntax.Node) ([]byte, bool) {
	if in.Style == syntax.Flow {
		return w.bytes(s, text.Span{Start: e.Start, End: e.Foot.Start}), true
	}
	if !e.Comment.Empty() || len(bytes.TrimSpace(w.bytes(s, e.Lead))) > 0 || len(bytes.TrimSpace(w.bytes(s, e.Foot))) > 0 {
		return nil, false
	}
	val, ok := w.flowNode(s, e.Value)
	if !ok || e.Key == nil {
		return val, ok
	}
	key := w.flowKey(s, e, in)
	if len(val) == 0 {
		return key, true
	}
	return append(append(key, ' '), val...), true
}

// flowNode is a node as it can stand in a flow collection.
func (w *Walker) flowNode(s three.Side, n *syntax.Node) ([]byte, bool) {
	b := w.bytes(s, n.Span)
	switch {
	case n.Style == syntax.Block || tree.IsBlockScalar(n):
		return nil, false
	case n.Style == syntax.Plain && bytes.ContainsAny(b, ",[]{}\n"):
		return nil, false
	}
	return b, true
}

// flowValue is the text of a merged value.
func (w *Walker) flowValue(m *plan.Value) ([]byte, bool) {
	n := m.V[m.Form]
	content := w.bytes(m.Form, n.Content)
	switch {
	case m.Flow != nil:
		content = m.Flow
	case m.Merged || m.Lines != nil:
		return nil, false
	default:
		if _, ok := w.flowNode(m.Form, n); !ok {
			return nil, false
		}
	}
	if m.PropsSide() == m.Form {
		return append(bytes.Clone(w.bytes(m.Form, text.Span{Start: n.Span.Start, End: n.Content.Start})), content...), true
	}
	if x := m.V[m.Props]; tree.Propped(x) {
		content = append([]byte(tree.PropsText(x)+" "), content...)
	}
	return content, true
}
