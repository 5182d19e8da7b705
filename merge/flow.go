package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// flowText writes a merged collection in the flow style of its form side. It
// reports false where something cannot be written so: then the entry that
// holds the collection is in conflict.
func (w *walker) flowText(m *value) ([]byte, bool) {
	if o := m.form.other(); w.flowComments(m.v) && !w.sameMembers(m, m.form) && w.sameMembers(m, o) && m.v[o].Style == syntax.Flow {
		m.form = o // comments have their places there
	}
	if w.set.updatedWins && w.commented(m, updated) && !w.commented(m, dest) && w.sameMembers(m, updated) {
		m.form = updated // its comments win, and have their places there
	}
	n := m.v[m.form]
	texts := make([][]byte, len(m.kids))
	for i, c := range m.kids {
		var ok bool
		if texts[i], ok = w.flowEntry(c, m); !ok {
			return nil, false
		}
	}
	if w.sameMembers(m, m.form) {
		return w.spliceFlow(m.form, n, texts), true
	}
	if w.flowComments(m.v) {
		return nil, false
	}
	return w.rebuildFlow(m, texts), true
}

// sameMembers reports whether the merged entries are those of s, in its order.
func (w *walker) sameMembers(m *value, s side) bool {
	n := m.v[s]
	if len(m.kids) != len(n.Entries) {
		return false
	}
	for i, c := range m.kids {
		if c.at[s] != n.Entries[i] {
			return false
		}
	}
	return true
}

// spliceFlow puts the texts in the place of n's entries.
func (w *walker) spliceFlow(s side, n *syntax.Node, texts [][]byte) []byte {
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
func (w *walker) commented(m *value, s side) bool {
	n := m.v[s]
	return n != nil && n.Style == syntax.Flow && len(w.commentsIn(s, n.Span)) > 0
}

// flowComments reports whether a comment stands in one of the versions: they
// belong to places that a new list of entries does not have.
func (w *walker) flowComments(v nodes) bool {
	for s, n := range v {
		if gone := w.set.updatedWins && side(s) == original; n != nil && !gone && len(w.commentsIn(side(s), n.Span)) > 0 {
			return true
		}
	}
	return false
}

// rebuildFlow lists the texts with the separators of the form side.
func (w *walker) rebuildFlow(m *value, texts [][]byte) []byte {
	s, n := m.form, m.v[m.form]
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

func (w *walker) trailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma >= 0
}

// flowEntry is the text of one merged entry, without what separates it from
// others.
func (w *walker) flowEntry(c *child, m *value) ([]byte, bool) {
	if c.whole != original {
		return w.wholeFlow(c.whole, c.at[c.whole], m.v[c.whole])
	}
	e := c.at[m.form]
	if e == nil {
		return nil, false
	}
	val, ok := w.flowValue(c.value)
	if !ok {
		return nil, false
	}
	if e.Key == nil {
		return val, true
	}
	key := w.flowKey(c.key, c.at[c.key], m.v[c.key])
	gap := w.bytes(m.form, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Span.Start)})
	if len(gap) == 0 {
		gap = []byte(" ")
	}
	if len(val) == 0 {
		gap = nil
	}
	return append(append(bytes.Clone(key), gap...), val...), true
}

// flowKey is the key of an entry with its colon.
func (w *walker) flowKey(s side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style == syntax.Flow {
		return w.keyText(s, e)
	}
	return append(bytes.Clone(w.bytes(s, e.Key.Span)), ':')
}

// wholeFlow is the text of an entry as its version has it.
func (w *walker) wholeFlow(s side, e *syntax.Entry, in *syntax.Node) ([]byte, bool) {
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
func (w *walker) flowNode(s side, n *syntax.Node) ([]byte, bool) {
	b := w.bytes(s, n.Span)
	switch {
	case n.Style == syntax.Block || isBlockScalar(n):
		return nil, false
	case n.Style == syntax.Plain && bytes.ContainsAny(b, ",[]{}\n"):
		return nil, false
	}
	return b, true
}

// flowValue is the text of a merged value.
func (w *walker) flowValue(m *value) ([]byte, bool) {
	n := m.v[m.form]
	content := w.bytes(m.form, n.Content)
	switch {
	case m.flow != nil:
		content = m.flow
	case m.merged || m.lines != nil:
		return nil, false
	default:
		if _, ok := w.flowNode(m.form, n); !ok {
			return nil, false
		}
	}
	if m.propsSide() == m.form {
		return append(bytes.Clone(w.bytes(m.form, text.Span{Start: n.Span.Start, End: n.Content.Start})), content...), true
	}
	if x := m.v[m.props]; propped(x) {
		content = append([]byte(propsText(x)+" "), content...)
	}
	return content, true
}
