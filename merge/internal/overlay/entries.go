package overlay

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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

// divisible reports whether original and dest have an entry as collections
// that merge by what they hold.
func (m *Merger) divisible(at three.Entries, in scope) bool {
	o, d := at[three.Original].Value, at[three.Dest].Value
	return o.Kind == d.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && m.keyed(at.Values(), in.name(at)))
}

// sameEntry reports whether two versions of an entry are the same bytes,
// trivia included, in collections of one indent.
func (m *Merger) sameEntry(at three.Entries, a, b three.Side, in scope) bool {
	x, y, v := at[a], at[b], in.of
	return x != nil && y != nil && v[a].Indent == v[b].Indent && v[a].Style == v[b].Style && x.Inline == y.Inline &&
		bytes.Equal(m.Bytes(a, x.Span), m.Bytes(b, y.Span))
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
// those of the side of the value's form. Where the values are equal and updated alone has
// a comment, or changed these bytes, that is updated.
func (m *Merger) chooseHead(c *plan.Child) {
	odd := false
	var head [3]string
	for s, e := range c.At {
		if e != nil {
			odd = odd || m.Odd(three.Side(s), e)
			head[s] = string(m.Bytes(three.Side(s), text.Span{Start: e.Colon, End: e.HeadEnd}))
		}
	}
	if !odd {
		return
	}
	x, d, u := c.Value, c.At[three.Dest], c.At[three.Updated]
	onlyUpdated := func() bool {
		if head[three.Original] == head[three.Dest] {
			return head[three.Dest] != head[three.Updated]
		}
		return d.Comment.Empty() && !u.Comment.Empty() || strings.Count(head[three.Dest], "#") < strings.Count(head[three.Updated], "#")
	}
	if d != nil && u != nil && onlyUpdated() && !x.Merged && m.Sums.Equal(x.V[three.Dest], x.V[three.Updated]) {
		x.Form = three.Updated
	}
	c.Head = x.Form
	if e := c.At[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.Form // "? key" has no colon for a value
	}
}
