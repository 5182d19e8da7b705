package overlay

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
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

// kids merges the entries of two mappings, or two lists.
func (m *Merger) kids(v three.Nodes, in scope) []*plan.Child {
	for _, n := range v {
		if n != nil && n.Kind == syntax.Mapping {
			return m.mapping(v, in)
		}
	}
	return m.list(v, in)
}

// mapping merges the fields of mappings by key.
func (m *Merger) mapping(v three.Nodes, in scope) []*plan.Child {
	p := in.path
	in.retain = m.retained(v, p)
	steps := pair.ByKey(m.Elems(v, tree.FieldKey, valueOf), m.rules.Always)
	return m.steps(steps, in.inside(v, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }))
}

// list merges lists by what is known of them.
func (m *Merger) list(v three.Nodes, in scope) []*plan.Child {
	p := in.path
	if steps := m.resources(v, p); steps != nil {
		in.whole = true
		return m.steps(steps, in.inside(v, m.ResourcePath(p)))
	}
	switch l := m.listOf(v, p); l.Kind {
	case schema.Map:
		in.isKey = l.IsKey
		return m.steps(m.pairItems(v, l), in.inside(v, func(e three.Entries) *three.Path {
			return p.Labelled(l.Label(e[e.First()].Value))
		}))
	case schema.Set:
		in.frozen = true
		return m.steps(m.pairSet(v, l), in.inside(v, m.Indexed(p, v)))
	}
	in.frozen = true
	return m.steps(m.PairOrdered(v, schema.List{}), in.inside(v, m.Indexed(p, v)))
}

// steps turns the paired entries of three collections into plans.
func (m *Merger) steps(steps []pair.Step, in scope) []*plan.Child {
	out := make([]*plan.Child, 0, len(steps))
	for _, st := range steps {
		if c := m.entry(st.Entries(in.of), in); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// entry merges an entry; nil means that it is not in the result.
func (m *Merger) entry(at three.Entries, in scope) *plan.Child {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	switch {
	case d == nil && u == nil:
		return nil
	case in.whole && (d == nil || u == nil):
		return m.resource(at, in)
	case u == nil:
		return m.withoutUpdated(at, in)
	case m.cleared(at, in):
		return m.dropped(at, in)
	case d != nil:
		return m.both(at, in)
	case m.rules.Always:
		at[three.Original] = nil
	case o != nil && m.Sums.Equal(o.Value, u.Value):
		return nil // it stays deleted
	}
	return m.alone(at, three.Updated, in)
}

// resource merges a resource in a List that dest or updated lacks: it stands, or is gone.
func (m *Merger) resource(at three.Entries, in scope) *plan.Child {
	o, s := at[three.Original], three.Dest
	if at[s] == nil {
		s = three.Updated
	}
	switch {
	case o != nil && !m.rules.Always:
		if !m.Sums.Equal(o.Value, at[s].Value) {
			m.tell(in.name(at), s, at[s])
		}
		return nil
	case s == three.Dest:
		return &plan.Child{At: at, Whole: s}
	}
	at[three.Original] = nil
	return m.alone(at, s, in)
}

// withoutUpdated merges an entry that dest has and updated lacks.
func (m *Merger) withoutUpdated(at three.Entries, in scope) *plan.Child {
	o, d := at[three.Original], at[three.Dest]
	switch {
	case m.sent(at, in):
		return m.alone(at, three.Dest, in)
	case m.cleared(at, in):
		return m.dropped(at, in)
	case o != nil && (m.rules.Always || !tree.IsNull(o.Value)):
		return m.remainder(at, in)
	case in.retain && d.Key != nil:
		return nil
	}
	return m.alone(at, three.Dest, in)
}

// remainder is what dest alone has in a collection that updated deleted.
func (m *Merger) remainder(at three.Entries, in scope) *plan.Child {
	if m.rules.Always || !m.divisible(at, in) {
		return m.dropped(at, in)
	}
	told := len(m.made.Lost)
	c := m.alone(at, three.Dest, in)
	if c == nil {
		m.made.Lost = m.made.Lost[:told]
		return m.dropped(at, in)
	}
	return c
}

// both merges an entry that both sides have. How it is written is not the original's to
// say where updated always stands.
func (m *Merger) both(at three.Entries, in scope) *plan.Child {
	if in.frozen || !m.holdsNull(at[three.Dest].Value) && !m.holdsNull(at[three.Updated].Value) {
		if s, ok := m.same(func(a, b three.Side) bool { return m.sameEntry(at, a, b, in) }); ok {
			return &plan.Child{At: at, Whole: s}
		}
	}
	values := at.Values()
	if m.rules.Always {
		at[three.Original] = nil
	}
	c := &plan.Child{At: at, Path: in.name(at), Key: m.key(at), Comment: m.remark(at)}
	c.Lead, c.Foot = m.slot(m.Lead(at, in.of)), m.slot(m.Foot(at, in.of))
	c.Value = m.value(values, in.below(c))
	m.chooseHead(c)
	return c
}

// alone is an entry that of both sides s alone has: without its nulls and,
// where the original has it too, without what s left alone there, or, if s is
// dest, with nothing but what s added.
func (m *Merger) alone(at three.Entries, s three.Side, in scope) *plan.Child {
	e, values := at[s], at.Values()
	at[three.Original] = nil
	c := &plan.Child{At: at, Whole: s}
	p := in.name(at)
	if e.Value.Kind == syntax.Sequence && !m.keyed(values, p) {
		values[three.Original] = nil // it is another list
	}
	if values[three.Original] == nil && (in.frozen || !m.holdsNull(e.Value)) {
		return c
	}
	if e.Value.Kind != syntax.Mapping && (e.Value.Kind != syntax.Sequence || !m.Cut[e.Value] && !m.keyed(values, p)) {
		return c
	}
	c.Path = p
	var isKey func(string) bool
	if e.Key == nil {
		isKey = in.isKey
	}
	if c.Value = m.part(values, s, isKey, in.below(c)); c.Value == nil {
		return nil
	}
	c.Whole, c.Key, c.Comment = three.Original, s, plan.Remark{Side: s}
	c.Lead, c.Foot = m.Lead(at, in.of).Take(s), m.Foot(at, in.of).Take(s)
	if m.Odd(s, e) {
		c.Head = s
	}
	return c
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
