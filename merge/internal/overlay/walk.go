package overlay

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A scope is where the merge is. It goes down by value, so that what an entry says of
// what it holds ends with it.
type scope struct {
	dest *syntax.Entry // the entry at hand in dest; at the root of a document, the root
	path *three.Path
	cols [3]int // the column of the entry at hand in each version

	of   three.Nodes                     // the collection whose entries are merged
	held *rowset                         // what stands in it; nil in what is one value
	name func(three.Entries) *three.Path // spells the path of one of its entries
}

// within is the scope of the root of p.
func within(p *plan.Document) scope {
	in := scope{path: p.Path}
	if d := p.At[three.Dest]; d != nil {
		in.dest = &syntax.Entry{Span: d.Root.Span, Start: d.Root.Content.Start}
	}
	return in
}

// below is the scope of what the entry c of the collection at hand holds.
func (in scope) below(c *plan.Child) scope {
	in.dest, in.path = c.At[three.Dest], c.Path
	for s, n := range in.of {
		if n != nil {
			in.cols[s] = max(n.Indent, 0)
		}
	}
	return in
}

func take(v three.Nodes, s three.Version) *plan.Value { return &plan.Value{V: v, Form: s, Props: s} }

// cut reports whether something in n does not stand, or a directive took it out: then
// the bytes of n are not what stands of it.
func (m *Merger) cut(n *syntax.Node) bool {
	if n == nil || m.Cut[n] || len(n.Entries) == 0 {
		return m.Cut[n]
	}
	cut, known := m.cuts[n]
	if !known {
		held := m.stands.held[n]
		cut = slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool { return held != nil && !held.has(e) || m.cut(e.Value) })
		m.cuts[n] = cut
	}
	return cut
}

// lost reports whether s has a change that is not in the other side.
func (m *Merger) lost(v three.Nodes, s three.Version) bool {
	return v[s] != nil && !m.Hasher.Equal(v[three.Original], v[s]) && !m.Hasher.Equal(v[s], v[s.Other()])
}

// value merges a node that both sides have.
func (m *Merger) value(v three.Nodes, in scope) *plan.Value {
	d, u := v[three.Dest], v[three.Updated]
	if d.Kind == u.Kind {
		m.checkKeys(v, in.path)
	}
	equal := m.Hasher.Equal(d, u)
	switch held := m.stands.held[d]; {
	case !equal && (held == nil || held != m.stands.held[u]):
		return m.winner(v, in)
	case equal && m.rules.Always && d.Kind == syntax.Scalar:
		return take(v, three.Dest)
	}
	s, ok := m.same(func(a, b three.Version) bool { return m.SameNode(v, a, b) })
	switch {
	case ok && !m.cut(v[s]):
		return take(v, s)
	case d.Kind == syntax.Mapping || d.Kind == syntax.Sequence:
		return m.collection(v, in)
	}
	return take(v, three.Dest) // the same scalar, as both wrote it anew
}

// winner is the value that stands as a whole, but for what does not stand in it.
func (m *Merger) winner(v three.Nodes, in scope) *plan.Value {
	s, ok := m.same(func(a, b three.Version) bool { return m.Hasher.Equal(v[a], v[b]) })
	if !ok {
		s = three.Updated
	}
	if s == three.Updated {
		m.checkKinds(v, in.path)
		if m.lost(v, three.Dest) {
			m.tell(in.path, three.Dest, in.dest)
		}
	}
	if m.cut(v[s]) {
		var alone three.Nodes
		alone[s] = v[s]
		return m.part(alone, s, in)
	}
	return take(v, s)
}

// collection merges two mappings or two lists. An original of another kind counts
// as empty; how the result is written is not the original's to say where updated always stands.
func (m *Merger) collection(v three.Nodes, in scope) *plan.Value {
	props, ok := m.PickProperties(v)
	if !ok {
		props = three.Updated
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	x := &plan.Value{V: v, Props: props, Merged: true, Kids: m.kids(v, in)}
	if m.rules.Always {
		x.V[three.Original] = nil
	}
	x.Form = m.Collection(x, in.cols)
	if other := x.Form.Other(); v[x.Form].Style == syntax.Flow {
		if !x.Clashes() && m.flows(x) && (v[other].Style == syntax.Flow || len(x.Kids) == 0 || m.silent(other, v[other])) {
			return x
		}
		if v[other].Style == syntax.Flow {
			m.settle(v[three.Dest].Span, v[three.Updated].Span)
			if m.rules.Always && m.destSays(x) {
				return take(v, three.Dest)
			}
			return m.winner(v, in)
		}
		x.Form, x.Flow = other, plan.Flow{} // its comments have places there
	}
	x.Tail = m.slot(m.Tail(v))
	return x
}

// destSays reports whether dest has the very values of x, a merged collection, and a comment of its own
// wherever updated has one that dest lacks.
func (m *Merger) destSays(x *plan.Value) bool {
	if !m.SameMembers(x, three.Dest) {
		return false
	}
	d, u := m.CommentsIn(three.Dest, x.V[three.Dest].Span), m.CommentsIn(three.Updated, x.V[three.Updated].Span)
	clashes := 0
	for _, c := range x.Kids {
		if c.Whole == three.Updated || c.Whole == three.Original && (c.Value.Merged || !m.Hasher.Equal(c.Value.V[c.Value.Form], c.At[three.Dest].Value)) {
			return false
		}
		if c.Comment.Clash {
			clashes++
		}
	}
	u = slices.DeleteFunc(u, func(c string) bool { return slices.Contains(d, c) })
	return len(u) <= clashes
}

// part is what stands of a collection that of both sides s alone has.
func (m *Merger) part(v three.Nodes, s three.Version, in scope) *plan.Value {
	x := &plan.Value{V: v, Form: s, Props: s, Merged: true, Kids: m.kids(v, in)}
	x.V[three.Original] = nil
	switch {
	case v[s].Style != syntax.Flow:
		x.Tail = m.Tail(x.V).Take(s)
	case !m.flows(x):
		return take(x.V, s)
	}
	return x
}

// kids merges the entries of two mappings, or two lists, as they are paired where they have
// parts that stand.
func (m *Merger) kids(v three.Nodes, in scope) (all []*plan.Child) {
	s := three.Dest
	if v[s] == nil {
		s = three.Updated
	}
	p, mapping, held := in.path, v[s].Kind == syntax.Mapping, m.stands.held[v[s]]
	if o := v[three.Original]; o != nil && (o.Kind != v[s].Kind || held != nil && len(o.Entries) > 0 && held.rows[o.Entries[0]] == 0) {
		v[three.Original] = nil
	}
	in.of, in.held = v, held
	switch {
	case mapping:
		in.name = func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
	case held != nil && held.resources:
		in.name = m.ResourcePathFunc(p)
	case held != nil && held.list.Kind == schema.Map:
		in.name = func(e three.Entries) *three.Path { return p.Item(held.list.Label(e[e.First()].Value)) }
	default:
		in.name = m.IndexPathFunc(p, v)
	}
	var steps []pair.Step
	if held == nil && !mapping {
		steps = m.PairOrdered(v, schema.List{})
	} else {
		key := (*syntax.Entry).FieldKey
		if held != nil {
			key = func(e *syntax.Entry) string { return strconv.Itoa(held.rows[e]) }
		}
		steps = pair.PairByKey(m.KeyedElems(v, key), m.rules.Always)
		if !mapping {
			steps = m.placed(steps, held.resources)
		}
	}
	for _, st := range steps {
		if c := m.entry(st.Entries(v), in); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// placed puts the items of a list, or documents, where the rules want new ones: at the end, or
// all of updated's first, in its order.
func (m *Merger) placed(steps []pair.Step, resources bool) []pair.Step {
	var first, last []pair.Step
	byUpdated := &last
	if m.rules.Ordered && !resources {
		byUpdated = &first
	}
	for _, st := range steps {
		if byUpdated == &first && st.Index[three.Updated] >= 0 || byUpdated == &last && st.Index[three.Dest] >= 0 {
			first = append(first, st)
		} else {
			last = append(last, st)
		}
	}
	slices.SortStableFunc(*byUpdated, func(a, b pair.Step) int { return a.Index[three.Updated] - b.Index[three.Updated] })
	return append(first, last...)
}

// entry merges an entry; nil means that it is not in the result.
func (m *Merger) entry(at three.Entries, in scope) *plan.Child {
	s := at.First()
	switch {
	case s == three.Original:
		return nil
	case in.held != nil && !in.held.has(at[s]): // it goes, with what a side changed in it
		for _, s := range three.Sides {
			tookOut := s == three.Updated && at[three.Dest] == nil && !in.held.resources // of what dest deleted
			if !tookOut && m.lost(at.Values(), s) && !at[s].Value.IsNull() {
				m.tell(in.name(at), s, at[s])
			}
		}
		return nil
	case at[s.Other()] == nil:
		return m.alone(at, s, in)
	}
	same, ok := m.same(func(a, b three.Version) bool { return m.SameEntry(at, in.of, a, b) })
	if ok && !m.cut(at[same].Value) {
		return &plan.Child{At: at, Whole: same}
	}
	values := at.Values()
	if m.rules.Always {
		at[three.Original] = nil // how it is written is not the original's to say
	}
	c := &plan.Child{At: at, Path: in.name(at), Key: three.Dest, Comment: m.remark(at)}
	if o := at[three.Original]; o != nil && o.Key != nil && bytes.Equal(m.KeyText(three.Original, o), m.KeyText(three.Dest, at[three.Dest])) {
		c.Key = three.Updated
	}
	c.Lead, c.Foot = m.slot(m.Lead(at, in.of)), m.slot(m.Foot(at, in.of))
	c.Value = m.value(values, in.below(c))
	m.chooseHead(c)
	return c
}

// alone is what stands of an entry that of both sides s alone has.
func (m *Merger) alone(at three.Entries, s three.Version, in scope) *plan.Child {
	e, values := at[s], at.Values()
	at[three.Original] = nil
	c := &plan.Child{At: at, Whole: s}
	if e.Value.Kind == syntax.Sequence {
		m.checkKeys(values, in.name(at))
	}
	if !m.cut(e.Value) {
		return c
	}
	c.Path = in.name(at)
	c.Value = m.part(values, s, in.below(c))
	c.Whole, c.Key, c.Comment = three.Original, s, plan.Remark{Side: s}
	c.Lead, c.Foot = m.Lead(at, in.of).Take(s), m.Foot(at, in.of).Take(s)
	if m.Odd(s, e) {
		c.Head = s
	}
	return c
}

// checkKeys fails where an item lacks the key by which its list is paired.
func (m *Merger) checkKeys(v three.Nodes, p *three.Path) {
	for s, n := range v {
		if !m.rules.Strategic || n == nil || n.Kind != syntax.Sequence {
			continue
		}
		if e, keys := m.Rules.WithoutKey(p.Place(), n); e != nil {
			what := ", the key of that list"
			if len(keys) > 1 {
				what = ", a key of that list"
			}
			m.fail(three.Version(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+what)
		}
	}
}

// checkKinds fails where a list and a mapping are to be one value.
func (m *Merger) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	switch kinds := [2]syntax.Kind{d.Kind, u.Kind}; {
	case !m.rules.Strategic:
	case kinds == [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a list here and a mapping in "+m.names[three.Dest])
	case kinds == [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a mapping here and a list in "+m.names[three.Dest])
	}
}
