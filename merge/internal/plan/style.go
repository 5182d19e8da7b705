package plan

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Odd reports whether more than blanks, properties and one comment stands
// between key and value. A value that merely starts on a line of its own is
// not odd.
func (f *Versions) Odd(s three.Version, e *syntax.Entry) bool {
	if !e.Irregular || e.Value.Implicit {
		return e.Irregular
	}
	inline := e.Value.Style != syntax.Block && !e.Value.IsBlockScalar() && !e.Value.Content.Empty()
	gap := f.Bytes(s, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Content.Start)})
	key := f.KeyText(s, e)
	return !inline || CommentAt(gap) >= 0 || !bytes.HasSuffix(key, []byte(":")) && !bytes.Equal(key, []byte("-"))
}

// Heads returns what each version of an entry has after its key, up to HeadEnd. odd reports whether a version has more there
// than usual. See Odd.
func (f *Versions) Heads(at three.Entries) (heads [3][]byte, odd bool) {
	for s, e := range at {
		if e != nil {
			odd = odd || f.Odd(three.Version(s), e)
			heads[s] = f.Bytes(three.Version(s), text.Span{Start: e.Colon, End: e.HeadEnd})
		}
	}
	return heads, odd
}

// Scalar is the side that alone changed how a scalar is written, dest if both did. It
// stands in entries at the columns cols.
func (f *Versions) Scalar(v three.Nodes, cols [3]int) three.Version {
	if f.writtenAlike(v[three.Original], v[three.Dest]) && !f.Reindented(v, three.Dest, cols) {
		return three.Updated
	}
	return three.Dest
}

// writtenAlike reports whether dest wrote a scalar as the original did. The comment
// behind the header of a block scalar is none of its own.
func (f *Versions) writtenAlike(o, d *syntax.Node) bool {
	if o.SameProperties(d) && !bytes.Equal(f.Properties(three.Original, o), f.Properties(three.Dest, d)) {
		return false
	}
	if o.IsBlockScalar() && d.IsBlockScalar() {
		header := func(s three.Version, n *syntax.Node) []byte { return f.Bytes(s, n.BlockHeader(f.Files[s])) }
		return bytes.Equal(f.Bytes(three.Original, o.Lines), f.Bytes(three.Dest, d.Lines)) &&
			bytes.Equal(header(three.Original, o), header(three.Dest, d))
	}
	return bytes.Equal(f.Bytes(three.Original, o.Content), f.Bytes(three.Dest, d.Content))
}

// Reindented reports whether s alone gave a block scalar another indent below
// its parent.
func (f *Versions) Reindented(v three.Nodes, s three.Version, cols [3]int) bool {
	at := func(s three.Version) int { return v[s].Indent - cols[s] }
	return v[three.Original].IsBlockScalar() && v[s].IsBlockScalar() && at(s) != at(three.Original)
}

// Collection is the side whose form (block or flow, indent) a merged collection
// keeps: updated's where it alone changed the original's, else dest's. What a
// side emptied has no form of its own, unless the result is empty. It stands in entries
// at the columns cols.
func (f *Versions) Collection(m *Value, cols [3]int) three.Version {
	o, d, u := m.V[three.Original], m.V[three.Dest], m.V[three.Updated]
	switch {
	case len(m.Kids) == 0 && len(d.Entries) > 0 && len(u.Entries) == 0, len(m.Kids) > 0 && len(d.Entries) == 0:
		return three.Updated
	case len(d.Entries) == 0 || len(u.Entries) == 0 || o == nil:
		return three.Dest
	}
	if o.Style == d.Style && d.Style != u.Style {
		return three.Updated
	}
	n := len(o.Entries)
	if len(d.Entries) != n || len(u.Entries) != n {
		n = min(n, len(d.Entries), len(u.Entries), 2)
	}
	if d.Style != u.Style {
		return three.Dest
	}
	was := f.shape(three.Original, o, n, cols)
	if f.shape(three.Dest, d, n, cols) == was && f.shape(three.Updated, u, n, cols) != was {
		return three.Updated
	}
	return three.Dest
}

// shape is how a collection is laid out: its style, its indent below its
// parent, whether it starts on its parent's line; in flow style what
// stands between its first few entries.
type shape struct {
	style  syntax.Style
	indent int
	inline bool
	blanks string
}

func (f *Versions) shape(s three.Version, n *syntax.Node, few int, cols [3]int) shape {
	if n.Style != syntax.Flow {
		return shape{style: n.Style, indent: n.Indent - cols[s], inline: n.IsCompact()}
	}
	var between bytes.Buffer
	for _, e := range n.Entries[:few] {
		between.Write(f.Bytes(s, text.Span{Start: e.Span.Start, End: e.Start}))
		between.WriteByte('|')
		between.Write(f.Bytes(s, e.Foot))
		between.WriteByte('|')
	}
	between.Write(f.Bytes(s, n.Tail))
	return shape{style: syntax.Flow, blanks: between.String()}
}

// Spreads reports whether the entries of a merged collection can stand on lines of their own in
// flow style, as they do in all versions that have any, and says so in it. Those that cannot be
// merged there are in conflict then.
func (f *Versions) Spreads(m *Value) bool {
	for s, n := range m.V {
		if n == nil || f.IsExpanded(three.Version(s), n) {
			continue
		}
		if empty := n.Style == syntax.Flow && len(n.Entries) == 0; !empty || s != int(three.Original) {
			return false
		}
	}
	m.Flow = Flow{Style: FlowSpread, Form: m.Form}
	for _, c := range m.Kids {
		if c.Clash == nil && (c.Head != three.Original || !f.entryFlows(c, m)) {
			c.Contest(ConflictValue)
		}
	}
	return true
}

// Place sets the form of the merged flow collection m to the other side, if notes has comments, and only the other side
// has the merged entries in a flow collection, so that the comments keep their places in it.
func (f *Versions) Place(m *Value, notes three.Nodes) {
	o := m.Form.Other()
	if n := m.V[o]; n == nil || n.Style != syntax.Flow {
		return
	}
	if f.Commented(notes) && !f.SameMembers(m, m.Form) && f.SameMembers(m, o) {
		m.Form = o
	}
}

// Flows reports whether a merged collection can be written in the flow style of
// its form side, and says in it how: the comments of notes belong to places that a new
// list of entries does not have.
func (f *Versions) Flows(m *Value, notes three.Nodes) bool {
	for _, c := range m.Kids {
		if !f.entryFlows(c, m) {
			return false
		}
	}
	switch {
	case f.SameMembers(m, m.Form):
		m.Flow = Flow{Style: FlowSpliced, Form: m.Form}
	case !f.Commented(notes):
		m.Flow = Flow{Style: FlowListed, Form: m.Form}
	}
	return m.Flows()
}

// entryFlows reports whether a merged entry of m can be written in flow style.
func (f *Versions) entryFlows(c *Child, m *Value) bool {
	if c.Whole != three.Original {
		return f.wholeFlows(c.Whole, c.At[c.Whole], m.V[c.Whole])
	}
	v := c.Value
	if c.At[m.Form] == nil && v.V[three.Dest] != nil && v.V[three.Updated] != nil {
		return false
	}
	if v.Flows() || v.Spread() {
		return true
	}
	return !v.Merged && (v.Lines == nil || v.Joined) && f.nodeFlows(v.Form, v.V[v.Form])
}

// wholeFlows reports whether an entry can be written as its version has it.
func (f *Versions) wholeFlows(s three.Version, e *syntax.Entry, in *syntax.Node) bool {
	if in.Style == syntax.Flow {
		return true
	}
	blank := func(sp text.Span) bool { return len(bytes.TrimSpace(f.Bytes(s, sp))) == 0 }
	return e.Comment.Empty() && blank(e.Lead) && blank(e.Foot) && f.nodeFlows(s, e.Value)
}

// nodeFlows reports whether a node can stand in a flow collection as it is.
func (f *Versions) nodeFlows(s three.Version, n *syntax.Node) bool {
	return n.Style != syntax.Block && !n.IsBlockScalar() &&
		!(n.Style == syntax.Plain && bytes.ContainsAny(f.Bytes(s, n.Span), ",[]{}\n"))
}

// SameMembers reports whether the merged entries are those of s, in its order.
func (f *Versions) SameMembers(m *Value, s three.Version) bool {
	n := m.V[s]
	if len(m.Kids) != len(n.Entries) || f.Cut[n] {
		return false
	}
	for i, c := range m.Kids {
		if c.At[s] != n.Entries[i] {
			return false
		}
	}
	return true
}

// Commented reports whether a comment stands in one of the versions.
func (f *Versions) Commented(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && len(f.CommentsIn(three.Version(s), n.Span)) > 0 {
			return true
		}
	}
	return false
}
