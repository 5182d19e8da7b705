package overlay

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

func take(v three.Nodes, s three.Side) *plan.Value { return &plan.Value{V: v, Form: s, Props: s} }

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (m *Merger) sameValue(v three.Nodes, a, b three.Side) bool {
	x, y := v[a], v[b]
	return x != nil && y != nil && x.Kind == y.Kind && x.Style == y.Style && x.Indent == y.Indent &&
		bytes.Equal(m.Bytes(a, x.Span), m.Bytes(b, y.Span))
}

// leaf is a scalar or an alias that both sides have alike.
func (m *Merger) leaf(v three.Nodes, in scope) *plan.Value {
	props, _ := m.Props(v)
	x := &plan.Value{V: v, Form: three.Dest, Props: props}
	if o := v[three.Original]; o != nil && m.Sums.Content(o) == m.Sums.Content(v[three.Dest]) {
		x.Form = m.Scalar(v, in.cols)
	}
	return x
}

// together reports whether the values of both sides merge by what they hold.
func (m *Merger) together(v three.Nodes, p *three.Path) bool {
	d, u := v[three.Dest], v[three.Updated]
	return d.Kind == u.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && m.keyed(v, p))
}

// checkKinds fails where a list and a mapping are to be one value.
func (m *Merger) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	switch [2]syntax.Kind{d.Kind, u.Kind} {
	case [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a list here and a mapping in "+m.names[three.Dest])
	case [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a mapping here and a list in "+m.names[three.Dest])
	}
}

// silent reports whether no comment of n, which is of s, needs a place.
func (m *Merger) silent(s three.Side, n *syntax.Node) bool {
	if m.Cut[n] && len(n.Entries) == 0 {
		return true
	}
	notes := m.CommentsIn(s, n.Span)
	return len(notes) == 0 || s == three.Updated && m.rules.Always && !m.all && m.standInDest(notes)
}

// flows reports whether a merged collection can be written in flow style. Comments of
// the original need no place, those of updated win.
func (m *Merger) flows(x *plan.Value) bool {
	notes := x.V
	for s, n := range notes {
		if three.Side(s) == three.Original || n != nil && m.silent(three.Side(s), n) {
			notes[s] = nil
		}
	}
	m.Place(x, notes)
	flow := func(s three.Side) bool {
		return notes[s] != nil && notes[s].Style == syntax.Flow
	}
	if flow(three.Updated) && !flow(three.Dest) && m.SameMembers(x, three.Updated) {
		x.Form = three.Updated
	}
	return m.Flows(x, notes)
}

// withKeys returns kids with the fields of n that are keys, in the order of n.
func withKeys(kids []*plan.Child, n *syntax.Node, s three.Side, isKey func(string) bool) []*plan.Child {
	have := map[*syntax.Entry]*plan.Child{}
	for _, c := range kids {
		have[c.At[s]] = c
	}
	var out []*plan.Child
	for _, e := range n.Entries {
		c := have[e]
		if c == nil && isKey(e.Key.Value) && !tree.IsNull(e.Value) {
			c = &plan.Child{Whole: s}
			c.At[s] = e
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// holdsNull reports whether a field at or below n is null, or a directive took out
// an entry: it does not stand as its bytes are.
func (m *Merger) holdsNull(n *syntax.Node) bool {
	if m.Cut[n] {
		return true
	}
	if n == nil || len(n.Entries) == 0 {
		return false
	}
	if null, ok := m.nulls[n]; ok {
		return null
	}
	null := false
	for _, e := range n.Entries {
		null = null || e.Key != nil && tree.IsNull(e.Value) || m.holdsNull(e.Value)
	}
	if m.nulls == nil {
		m.nulls = map[*syntax.Node]bool{}
	}
	m.nulls[n] = null
	return null
}
