package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Updated wins: that is the default merge after the base was rewritten to dest where
// both sides changed one thing, and pick and wins are that rewriting. Where updated
// always stands, also where it changed nothing, the base is not asked at all.
//
// What is below does not fit in there, for it is not about who changed what:
//
//   - a null removes a field, so that equal bytes may not stand as they are, and
//     what one side alone has is walked too;
//   - a deleted collection leaves what dest added to it;
//   - a list that is not keyed is one value, and so is all in it;
//   - a resource is there or not, whatever stands in its file beside it;
//   - a comment is not decided by the base but by where it stands: dest's stay;
//   - what was overridden is told.

// pick is three.PickBy with the base that the rule set leaves: none, where updated
// always stands.
func (w *Walker) pick(same func(a, b three.Side) bool) (three.Side, bool) {
	return three.PickBy(func(a, b three.Side) bool {
		return (a != three.Original || !w.RuleSet.Always) && same(a, b)
	})
}

// wins is what a pick is with the base that the rule set leaves where both sides
// changed a thing: dest's.
func (w *Walker) wins(s three.Side, ok bool) (three.Side, bool) {
	if !ok && w.RuleSet.UpdatedWins {
		return three.Updated, true
	}
	return s, ok
}

// valueBySet merges a node where updated wins; it reports false where it merges as
// any other.
func (w *Walker) valueBySet(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind, bool) {
	d, u := v[three.Dest], v[three.Updated]
	equal := w.Sums.Equal(d, u)
	switch {
	case !equal && !w.together(v, in.path):
		return w.winner(v, in), "", true
	case equal && w.RuleSet.Always && d.Kind == syntax.Scalar:
		return w.take(v, three.Dest), "", true
	case !in.frozen && (w.HoldsNull(d) || w.HoldsNull(u)) && w.together(v, in.path):
		m, kind := w.collection(v, in)
		return m, kind, true
	}
	return nil, "", false
}

// entryBySet merges an entry where updated wins; nil means that it is not in
// the result.
func (w *Walker) entryBySet(at three.Entries, in scope) *plan.Child {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	switch {
	case d == nil && u == nil:
		return nil
	case u == nil:
		return w.withoutUpdated(at, in)
	case w.cleared(at, in):
		return w.dropped(at, in)
	case d != nil:
		return w.merged(at, in)
	case w.RuleSet.Always:
		at[three.Original] = nil
	case o != nil && w.Sums.Equal(o.Value, u.Value):
		return nil // it stays deleted
	}
	return w.alone(at, three.Updated, in)
}

// withoutUpdated merges an entry that dest has and updated lacks.
func (w *Walker) withoutUpdated(at three.Entries, in scope) *plan.Child {
	o, d := at[three.Original], at[three.Dest]
	switch {
	case w.sent(at, in):
		return w.alone(at, three.Dest, in)
	case w.cleared(at, in):
		return w.dropped(at, in)
	case o != nil && (w.RuleSet.Always || !tree.IsNull(o.Value)):
		return w.remainder(at, in)
	case in.retain && d.Key != nil:
		return nil
	}
	return w.alone(at, three.Dest, in)
}

// dropped is an entry that one side removes, with what the other changed in it.
func (w *Walker) dropped(at three.Entries, in scope) *plan.Child {
	for _, s := range three.Sides {
		if w.lost(at.Values(), s) && !tree.IsNull(at[s].Value) {
			w.tell(in.name(at), s, at[s])
		}
	}
	return nil
}

// remainder is what dest alone has in a collection that updated deleted.
func (w *Walker) remainder(at three.Entries, in scope) *plan.Child {
	if w.RuleSet.Always || !w.divisible(at, in) {
		return w.dropped(at, in)
	}
	told := len(w.Told)
	c := w.alone(at, three.Dest, in)
	if c == nil {
		w.Told = w.Told[:told]
		return w.dropped(at, in)
	}
	return c
}

// divisible reports whether original and dest have an entry as collections
// that merge by what they hold.
func (w *Walker) divisible(at three.Entries, in scope) bool {
	o, d := at[three.Original].Value, at[three.Dest].Value
	return o.Kind == d.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && w.keyedList(at.Values(), in.name(at)))
}

// lost reports whether s has a change that is not in the other side.
func (w *Walker) lost(v three.Nodes, s three.Side) bool {
	return v[s] != nil && !w.Sums.Equal(v[three.Original], v[s]) && !w.Sums.Equal(v[s], v[s.Other()])
}

// tell notes that a change of s did not stand.
func (w *Walker) tell(p *three.Path, s three.Side, e *syntax.Entry) {
	if w.RuleSet.Always {
		return // what dest changed is not asked for
	}
	w.Told = append(w.Told, Lost{Path: p, Side: s, Entry: e})
}

// Lost is an entry with a change of a side that does not stand.
type Lost struct {
	Path  *three.Path
	Side  three.Side
	Entry *syntax.Entry
}

// together reports whether the values of both sides merge by what they hold.
func (w *Walker) together(v three.Nodes, p *three.Path) bool {
	d, u := v[three.Dest], v[three.Updated]
	return d.Kind == u.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && w.keyedList(v, p))
}

// keyedList reports whether the items of a list are paired; else it is one value.
func (w *Walker) keyedList(v three.Nodes, p *three.Path) bool {
	for s, n := range v {
		if n != nil && n.Kind != syntax.Sequence {
			v[s] = nil
		}
	}
	if w.Resources(v, p) != nil {
		return true
	}
	kind := w.listOf(v, p).Kind
	return kind == schema.Map || kind == schema.Set && w.RuleSet.Strategic
}

// listOf is what is known of the list at p, whose items have its keys.
func (w *Walker) listOf(v three.Nodes, p *three.Path) schema.List {
	if w.RuleSet.Strategic {
		w.checkKeys(v, p)
	}
	return w.Matcher.ListOf(v, p)
}

// winner is the value that stands as a whole where updated wins.
func (w *Walker) winner(v three.Nodes, in scope) *plan.Value {
	if s, ok := w.pick(func(a, b three.Side) bool { return w.Sums.Equal(v[a], v[b]) }); ok && s == three.Dest {
		return w.whole(v, three.Dest, in)
	}
	if w.RuleSet.Strategic {
		w.checkKinds(v, in.path)
	}
	if w.lost(v, three.Dest) {
		w.tell(in.path, three.Dest, in.current(three.Dest))
	}
	return w.whole(v, three.Updated, in)
}

// whole is the value of s; without its nulls where the other side has a value
// of another kind, so that it is as if s alone had it. A resource that is added
// stays as it is.
func (w *Walker) whole(v three.Nodes, s three.Side, in scope) *plan.Value {
	added := in.up == nil && v[s.Other()].Content.Empty()
	if v[three.Dest].Kind != v[three.Updated].Kind && !in.frozen && !added && w.HoldsNull(v[s]) {
		var own three.Nodes
		own[s] = v[s]
		if v[s].Kind == syntax.Mapping || w.pruned[v[s]] || w.keyedList(own, in.path) {
			return w.part(own, s, nil, in)
		}
	}
	return w.take(v, s)
}

// current is the entry at hand in s; of a document, its root.
func (in scope) current(s three.Side) *syntax.Entry {
	if in.up != nil {
		return in.up.At[s]
	}
	n := in.doc.At[s].Root
	return &syntax.Entry{Span: n.Span, Start: n.Content.Start}
}

// alone is an entry that of both sides s alone has: without its nulls and,
// where the original has it too, without what s left alone there, or, if s is
// dest, with nothing but what s added.
func (w *Walker) alone(at three.Entries, s three.Side, in scope) *plan.Child {
	e, values := at[s], at.Values()
	at[three.Original] = nil
	c := &plan.Child{At: at, Name: in.name, Whole: s}
	if values[three.Original] == nil && w.untouchable(e, in) {
		return c
	}
	p := in.name(at)
	if e.Value.Kind != syntax.Mapping && (e.Value.Kind != syntax.Sequence || !w.pruned[e.Value] && !w.keyedList(values, p)) {
		return c
	}
	c.Up, c.Doc, c.Path = in.up, in.doc, p
	var isKey func(string) bool
	if e.Key == nil {
		isKey = in.isKey
	}
	if c.Value = w.part(values, s, isKey, in.below(c)); c.Value == nil {
		return nil
	}
	c.Whole, c.Key, c.Comment = three.Original, s, plan.Remark{Side: s}
	c.Lead = w.entrySlot(at, in.of, func(e *syntax.Entry) text.Span { return e.Lead() }).Take(s)
	c.Foot = w.entrySlot(at, in.of, func(e *syntax.Entry) text.Span { return e.Foot() }).Take(s)
	if w.odd(s, e) {
		c.Head = s
	}
	return c
}

// part is what stands of a collection that s alone has; nil if nothing of it
// is new. The fields that isKey names stay, for they say which item it is.
func (w *Walker) part(v three.Nodes, s three.Side, isKey func(string) bool, in scope) *plan.Value {
	if o := v[three.Original]; o != nil && o.Kind != v[s].Kind {
		v[three.Original] = nil
	}
	m := &plan.Value{V: v, Form: s, Props: s, Merged: true}
	m.V[three.Original] = nil
	if v[s].Kind == syntax.Mapping {
		m.Kids, _ = w.mapping(v, in)
	} else {
		m.Kids, _ = w.list(v, in)
	}
	if v[three.Original] != nil && len(m.Kids) == 0 {
		return nil
	}
	if v[three.Original] != nil && v[s].Kind == syntax.Mapping && isKey != nil {
		m.Kids = withKeys(m.Kids, v[s], s, isKey)
	}
	if v[s].Style == syntax.Flow {
		if !w.flows(m) {
			return w.take(m.V, s)
		}
		return m
	}
	m.Tail = w.slot(func(n *syntax.Node) (text.Span, int, bool) { return n.Tail, n.Indent, true }, m.V).Take(s)
	return m
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

// wonHead is the side of an odd head under rules by which updated wins: that of
// the value's form, or updated's where the values are equal and only that has a
// comment in it.
func (w *Walker) wonHead(c *plan.Child) three.Side {
	m := c.Value
	d, u := c.At[three.Dest], c.At[three.Updated]
	if d != nil && u != nil && d.Comment().Empty() && !u.Comment().Empty() && !m.Merged && w.Sums.Equal(m.V[three.Dest], m.V[three.Updated]) {
		m.Form = three.Updated
	}
	if e := c.At[c.Key]; e.Key != nil && e.Colon() == e.KeySpan().End {
		c.Key = m.Form // "? key" has no colon for a value
	}
	return m.Form
}
