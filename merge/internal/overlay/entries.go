package overlay

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A scope is where the merge is. It goes down by value, so that what an entry says of
// what it holds ends with it.
type scope struct {
	doc  *plan.Document
	up   *plan.Child // the entry at hand; nil at the root of a document
	path *three.Path
	cols [3]int // the column of the entry at hand in each version

	of   three.Nodes                     // the collection whose entries are merged
	name func(three.Entries) *three.Path // spells the path of one of them

	whole  bool              // the entries at hand are resources, which are there or not
	retain bool              // of the mapping at hand only updated's fields stand
	frozen bool              // a list around the entry at hand is one value
	isKey  func(string) bool // of the list around the entry at hand
}

// inside is the scope of the entries of v.
func (in scope) inside(v three.Nodes, name func(three.Entries) *three.Path) scope {
	in.of, in.name = v, name
	return in
}

// below is the scope of what the entry c of the collection at hand holds.
func (in scope) below(c *plan.Child) scope {
	in.up, in.path, in.whole = c, c.Path, false
	for s, n := range in.of {
		if n != nil {
			in.cols[s] = max(n.Indent, 0)
		}
	}
	return in
}

// current is the entry at hand in s; of a document, its root.
func (in scope) current(s three.Side) *syntax.Entry {
	if in.up != nil {
		return in.up.At[s]
	}
	n := in.doc.At[s].Root
	return &syntax.Entry{Span: n.Span, Start: n.Content.Start}
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
		return &plan.Child{At: at, Name: in.name, Whole: s}
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

// cleared reports whether a null removes the field at.
func (m *Merger) cleared(at three.Entries, in scope) bool {
	if in.frozen || at[at.First()].Key == nil {
		return false
	}
	null := func(s three.Side) bool { return at[s] != nil && tree.IsNull(at[s].Value) }
	return null(three.Updated) || m.rules.DestNull && null(three.Dest)
}

// sent reports whether kubectl sends a field of live that config lacks, so that
// it is not removed; of annotations those are that were applied last.
func (m *Merger) sent(at three.Entries, in scope) bool {
	return m.rules.Strategic && at[three.Dest].Key != nil && schema.Sent(in.name(at).Place())
}

// dropped is an entry that one side removes, with what the other changed in it.
func (m *Merger) dropped(at three.Entries, in scope) *plan.Child {
	for _, s := range three.Sides {
		if m.lost(at.Values(), s) && !tree.IsNull(at[s].Value) {
			m.tell(in.name(at), s, at[s])
		}
	}
	return nil
}

// lost reports whether s has a change that is not in the other side.
func (m *Merger) lost(v three.Nodes, s three.Side) bool {
	return v[s] != nil && !m.Sums.Equal(v[three.Original], v[s]) && !m.Sums.Equal(v[s], v[s.Other()])
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

// divisible reports whether original and dest have an entry as collections
// that merge by what they hold.
func (m *Merger) divisible(at three.Entries, in scope) bool {
	o, d := at[three.Original].Value, at[three.Dest].Value
	return o.Kind == d.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && m.keyed(at.Values(), in.name(at)))
}

// both merges an entry that both sides have. How it is written is not the original's to
// say where updated always stands.
func (m *Merger) both(at three.Entries, in scope) *plan.Child {
	if in.frozen || !m.holdsNull(at[three.Dest].Value) && !m.holdsNull(at[three.Updated].Value) {
		if s, ok := m.same(func(a, b three.Side) bool { return m.sameEntry(at, a, b, in) }); ok {
			return &plan.Child{At: at, Name: in.name, Whole: s}
		}
	}
	values := at.Values()
	if m.rules.Always {
		at[three.Original] = nil
	}
	c := &plan.Child{At: at, Path: in.name(at), Up: in.up, Doc: in.doc, Key: m.key(at), Comment: m.remark(at)}
	c.Lead, c.Foot = m.slot(m.Lead(at, in.of)), m.slot(m.Foot(at, in.of))
	c.Value = m.value(values, in.below(c))
	m.chooseHead(c)
	return c
}

// sameEntry reports whether two versions of an entry are the same bytes,
// trivia included, in collections of one indent.
func (m *Merger) sameEntry(at three.Entries, a, b three.Side, in scope) bool {
	x, y, v := at[a], at[b], in.of
	return x != nil && y != nil && v[a].Indent == v[b].Indent && v[a].Style == v[b].Style && x.Inline == y.Inline &&
		bytes.Equal(m.Bytes(a, x.Span), m.Bytes(b, y.Span))
}

// same is pick for bytes, which may all differ where the values do not.
func (m *Merger) same(same func(a, b three.Side) bool) (three.Side, bool) {
	return three.PickBy(func(a, b three.Side) bool {
		return (a != three.Original || !m.rules.Always) && same(a, b)
	})
}

// key is the side that alone wrote the key in another way, dest if both did.
func (m *Merger) key(at three.Entries) three.Side {
	o, d := at[three.Original], at[three.Dest]
	if o != nil && o.Key != nil && bytes.Equal(m.KeyText(three.Original, o), m.KeyText(three.Dest, d)) {
		return three.Updated
	}
	return three.Dest
}

// chooseHead chooses the bytes between key and value where they hold more than usual:
// those of the side of the value's form. Where the values are equal and only updated has
// a comment, that is updated.
func (m *Merger) chooseHead(c *plan.Child) {
	odd := false
	for s, e := range c.At {
		odd = odd || e != nil && m.Odd(three.Side(s), e)
	}
	if !odd {
		return
	}
	x, d, u := c.Value, c.At[three.Dest], c.At[three.Updated]
	onlyUpdated := d != nil && u != nil && d.Comment().Empty() && !u.Comment().Empty()
	if onlyUpdated && !x.Merged && m.Sums.Equal(x.V[three.Dest], x.V[three.Updated]) {
		x.Form = three.Updated
	}
	c.Head = x.Form
	if e := c.At[c.Key]; e.Key != nil && e.Colon() == e.KeySpan().End {
		c.Key = x.Form // "? key" has no colon for a value
	}
}

// alone is an entry that of both sides s alone has: without its nulls and,
// where the original has it too, without what s left alone there, or, if s is
// dest, with nothing but what s added.
func (m *Merger) alone(at three.Entries, s three.Side, in scope) *plan.Child {
	e, values := at[s], at.Values()
	at[three.Original] = nil
	c := &plan.Child{At: at, Name: in.name, Whole: s}
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
	c.Up, c.Doc, c.Path = in.up, in.doc, p
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
