package form

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Spreads reports whether the entries of a merged collection can stand on lines of their own in
// flow style, as they do in all versions that have any, and says so in it. Those that cannot be
// merged there are in conflict then.
func (f *Versions) Spreads(m *plan.Value) bool {
	for s, n := range m.V {
		if n != nil && !f.Spread(three.Side(s), n) && (s != int(three.Original) || n.Style != syntax.Flow || len(n.Entries) > 0) {
			return false
		}
	}
	m.Flow = plan.Flow{Style: plan.FlowSpread, Form: m.Form}
	for _, c := range m.Kids {
		if c.Clash == nil && (c.Head != three.Original || !f.entryFlows(c, m)) {
			c.Contest(plan.ConflictValue)
		}
	}
	return true
}

// Place makes the side the form of a merged flow collection whose members are the merged
// ones, where a comment has its place in it.
func (f *Versions) Place(m *plan.Value, notes three.Nodes) {
	o := m.Form.Other()
	if f.Commented(notes) && !f.SameMembers(m, m.Form) && f.SameMembers(m, o) && m.V[o].Style == syntax.Flow {
		m.Form = o
	}
}

// Flows reports whether a merged collection can be written in the flow style of
// its form side, and says in it how: the comments of notes belong to places that a new
// list of entries does not have.
func (f *Versions) Flows(m *plan.Value, notes three.Nodes) bool {
	for _, c := range m.Kids {
		if !f.entryFlows(c, m) {
			return false
		}
	}
	switch {
	case f.SameMembers(m, m.Form):
		m.Flow = plan.Flow{Style: plan.FlowSpliced, Form: m.Form}
	case !f.Commented(notes):
		m.Flow = plan.Flow{Style: plan.FlowListed, Form: m.Form}
	}
	return m.Flows()
}

// entryFlows reports whether a merged entry of m can be written in flow style.
func (f *Versions) entryFlows(c *plan.Child, m *plan.Value) bool {
	if c.Whole != three.Original {
		return f.wholeFlows(c.Whole, c.At[c.Whole], m.V[c.Whole])
	}
	v := c.Value
	if c.At[m.Form] == nil && v.V[three.Dest] != nil && v.V[three.Updated] != nil {
		return false
	}
	return v.Flows() || v.Spread() || !v.Merged && (v.Lines == nil || v.Joined) && f.nodeFlows(v.Form, v.V[v.Form])
}

// wholeFlows reports whether an entry can be written as its version has it.
func (f *Versions) wholeFlows(s three.Side, e *syntax.Entry, in *syntax.Node) bool {
	if in.Style == syntax.Flow {
		return true
	}
	blank := func(sp text.Span) bool { return len(bytes.TrimSpace(f.Bytes(s, sp))) == 0 }
	return e.Comment.Empty() && blank(e.Lead) && blank(e.Foot) && f.nodeFlows(s, e.Value)
}

// nodeFlows reports whether a node can stand in a flow collection as it is.
func (f *Versions) nodeFlows(s three.Side, n *syntax.Node) bool {
	return n.Style != syntax.Block && !tree.IsBlockScalar(n) &&
		!(n.Style == syntax.Plain && bytes.ContainsAny(f.Bytes(s, n.Span), ",[]{}\n"))
}

// SameMembers reports whether the merged entries are those of s, in its order.
func (f *Versions) SameMembers(m *plan.Value, s three.Side) bool {
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
		if n != nil && len(f.CommentsIn(three.Side(s), n.Span)) > 0 {
			return true
		}
	}
	return false
}
