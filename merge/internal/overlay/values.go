package overlay

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// value merges a node that both sides have.
func (m *Merger) value(v three.Nodes, in scope) *plan.Value {
	d, u := v[three.Dest], v[three.Updated]
	together, equal := m.together(v, in.path), m.Sums.Equal(d, u)
	switch {
	case !equal && !together:
		return m.winner(v, in)
	case equal && m.rules.Always && d.Kind == syntax.Scalar:
		return take(v, three.Dest)
	case !in.frozen && together && (m.holdsNull(d) || m.holdsNull(u)), equal && (m.Cut[d] || m.Cut[u]):
		return m.collection(v, in)
	}
	if s, ok := m.same(func(a, b three.Side) bool { return m.sameValue(v, a, b) }); ok {
		return take(v, s)
	}
	if d.Kind == syntax.Mapping || d.Kind == syntax.Sequence {
		return m.collection(v, in)
	}
	return m.leaf(v, in)
}

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

// winner is the value that stands as a whole.
func (m *Merger) winner(v three.Nodes, in scope) *plan.Value {
	if m.pick(func(a, b three.Side) bool { return m.Sums.Equal(v[a], v[b]) }) == three.Dest {
		return m.whole(v, three.Dest, in)
	}
	if m.rules.Strategic {
		m.checkKinds(v, in.path)
	}
	if m.lost(v, three.Dest) {
		m.tell(in.path, three.Dest, in.current(three.Dest))
	}
	return m.whole(v, three.Updated, in)
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

// whole is the value of s, which does not merge with the other side's, without its nulls:
// it is as if s alone had it. A resource that dest alone has stays as it is.
func (m *Merger) whole(v three.Nodes, s three.Side, in scope) *plan.Value {
	own := s == three.Dest && in.up == nil && v[three.Updated].Content.Empty()
	if !in.frozen && !own && m.holdsNull(v[s]) {
		var alone three.Nodes
		alone[s] = v[s]
		if v[s].Kind == syntax.Mapping || m.Cut[v[s]] || m.keyed(alone, in.path) {
			return m.part(alone, s, nil, in)
		}
	}
	return take(v, s)
}

// collection merges two mappings or two lists. An original of another kind counts
// as empty; how the result is written is not the original's to say where updated always stands.
func (m *Merger) collection(v three.Nodes, in scope) *plan.Value {
	props, ok := m.Props(v)
	if !ok {
		props = three.Updated
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	x := &plan.Value{V: v, Props: props, Merged: true}
	if m.rules.Always {
		x.V[three.Original] = nil
	}
	x.Kids = m.kids(v, in)
	x.Form = m.Collection(x, in.cols)
	if other := x.Form.Other(); v[x.Form].Style == syntax.Flow {
		if !x.Clashes() && m.flows(x) && (v[other].Style == syntax.Flow || len(x.Kids) == 0 || m.silent(other, v[other])) {
			return x
		}
		if v[other].Style == syntax.Flow {
			m.settle(v[three.Dest].Span, v[three.Updated].Span)
			return m.winner(v, in)
		}
		x.Form, x.Flow = other, plan.Flow{} // its comments have places there
	}
	x.Tail = m.slot(m.Tail(v))
	return x
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

// kids merges the entries of two mappings, or two lists.
func (m *Merger) kids(v three.Nodes, in scope) []*plan.Child {
	for _, n := range v {
		if n != nil && n.Kind == syntax.Mapping {
			return m.mapping(v, in)
		}
	}
	return m.list(v, in)
}

// part is what stands of a collection that s alone has; nil if nothing of it
// is new. The fields that isKey names stay, for they say which item it is.
func (m *Merger) part(v three.Nodes, s three.Side, isKey func(string) bool, in scope) *plan.Value {
	if o := v[three.Original]; o != nil && o.Kind != v[s].Kind {
		v[three.Original] = nil
	}
	x := &plan.Value{V: v, Form: s, Props: s, Merged: true}
	x.V[three.Original] = nil
	x.Kids = m.kids(v, in)
	if v[three.Original] != nil && len(x.Kids) == 0 {
		return nil
	}
	if v[three.Original] != nil && v[s].Kind == syntax.Mapping && isKey != nil {
		x.Kids = withKeys(x.Kids, v[s], s, isKey)
	}
	if v[s].Style == syntax.Flow {
		if !m.flows(x) {
			return take(x.V, s)
		}
		return x
	}
	x.Tail = m.Tail(x.V).Take(s)
	return x
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
			c.Name = func(three.Entries) *three.Path { return nil }
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
