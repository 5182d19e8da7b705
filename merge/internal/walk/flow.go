package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// flow merges what is written in flow style: as a whole, or not at all.
func (w *Walker) flow(m *plan.Value, in scope) (*plan.Value, plan.ConflictKind) {
	if m.Clashes() {
		return nil, plan.ConflictValue
	}
	if s, ok := w.flowOf(m.V, in); ok {
		m.Form, m.Flow = s, plan.Flow{Style: plan.FlowTaken, Form: s}
		return m, ""
	}
	if !w.flows(m) {
		return nil, plan.ConflictValue
	}
	return m, ""
}

// flowOf returns the side whose text a merged flow collection is: the one that
// alone rewrote it, down to its commas and blanks; dest, where both made the
// same of it. It reports false where text has to be merged.
func (w *Walker) flowOf(v three.Nodes, in scope) (three.Side, bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if o == nil && !w.RuleSet.UpdatedWins && d.Style == syntax.Flow && u.Style == syntax.Flow {
		return three.Dest, bytes.Equal(w.bytes(three.Dest, d.Content), w.bytes(three.Updated, u.Content))
	}
	if w.RuleSet.UpdatedWins || o == nil || d.Style != syntax.Flow || u.Style != syntax.Flow {
		return three.Dest, false
	}
	var at [3][]byte
	for s, n := range v {
		at[s] = text.ShiftRest(w.bytes(three.Side(s), n.Content), -in.cols[s])
	}
	if s, ok := three.PickFunc(at, bytes.Equal); ok {
		return w.formOfProperties(v, at, s), true
	}
	return three.Dest, w.Sums.Equal(d, u) && !w.flowComments(v)
}

// formOfProperties returns s, or where all wrote the same text of a collection, the side that alone
// wrote the properties in front of it in another way.
func (w *Walker) formOfProperties(v three.Nodes, at [3][]byte, s three.Side) three.Side {
	if !bytes.Equal(at[three.Original], at[three.Dest]) || !bytes.Equal(at[three.Original], at[three.Updated]) {
		return s
	}
	for side, n := range v {
		at[side] = w.properties(three.Side(side), n)
	}
	if by, ok := three.PickFunc(at, bytes.Equal); ok && tree.SameProps(v[s], v[by]) {
		return by
	}
	return s
}

// flows reports whether a merged collection can be written in the flow style of
// its form side, and says in it how. Where it cannot, the entry that holds the
// collection is in conflict.
func (w *Walker) flows(m *plan.Value) bool {
	if o := m.Form.Other(); w.flowComments(m.V) && !w.sameMembers(m, m.Form) && w.sameMembers(m, o) && m.V[o].Style == syntax.Flow {
		m.Form = o // comments have their places there
	}
	if w.RuleSet.UpdatedWins && w.commented(m, three.Updated) && !w.commented(m, three.Dest) && w.sameMembers(m, three.Updated) {
		m.Form = three.Updated // its comments win, and have their places there
	}
	for _, c := range m.Kids {
		if !w.entryFlows(c, m) {
			return false
		}
	}
	switch {
	case w.sameMembers(m, m.Form):
		m.Flow = plan.Flow{Style: plan.FlowSpliced, Form: m.Form}
	case !w.flowComments(m.V):
		m.Flow = plan.Flow{Style: plan.FlowListed, Form: m.Form}
	}
	return m.Flows()
}

// entryFlows reports whether a merged entry of m can be written in flow style.
func (w *Walker) entryFlows(c *plan.Child, m *plan.Value) bool {
	if c.Whole != three.Original {
		return w.wholeFlows(c.Whole, c.At[c.Whole], m.V[c.Whole])
	}
	v := c.Value
	return c.At[m.Form] != nil && (v.Flows() || !v.Merged && (v.Lines == nil || v.Joined) && w.nodeFlows(v.Form, v.V[v.Form]))
}

// wholeFlows reports whether an entry can be written as its version has it.
func (w *Walker) wholeFlows(s three.Side, e *syntax.Entry, in *syntax.Node) bool {
	if in.Style == syntax.Flow {
		return true
	}
	blank := func(sp text.Span) bool { return len(bytes.TrimSpace(w.bytes(s, sp))) == 0 }
	return e.Comment().Empty() && blank(e.Lead()) && blank(e.Foot()) && w.nodeFlows(s, e.Value)
}

// nodeFlows reports whether a node can stand in a flow collection as it is.
func (w *Walker) nodeFlows(s three.Side, n *syntax.Node) bool {
	return n.Style != syntax.Block && !tree.IsBlockScalar(n) &&
		!(n.Style == syntax.Plain && bytes.ContainsAny(w.bytes(s, n.Span), ",[]{}\n"))
}

// sameMembers reports whether the merged entries are those of s, in its order.
func (w *Walker) sameMembers(m *plan.Value, s three.Side) bool {
	n := m.V[s]
	if len(m.Kids) != len(n.Entries) || w.pruned[n] {
		return false
	}
	for i, c := range m.Kids {
		if c.At[s] != n.Entries[i] {
			return false
		}
	}
	return true
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
