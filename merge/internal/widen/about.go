package widen

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// about makes conflicts of the smallest entries that hold subject and that
// the sides do not have alike: those with the anchor that it names, deleted
// ones among them, for with it in conflict its aliases may be clean; else those
// that are written with it; else all, also deleted ones with a comment.
func (g *Widener) about(subject string) bool {
	name, alias := strings.CutPrefix(subject, "*")
	anchor := "&" + name
	for _, x := range []grower{
		{Widener: g, gone: true, held: func(c *plan.Child) bool { return alias && g.holds(c, anchor) }},
		{Widener: g, held: func(c *plan.Child) bool { return mentions(g.written(c), subject) }},
		{Widener: g, gone: !alias, held: func(c *plan.Child) bool { return g.holds(c, subject) || alias && g.holds(c, anchor) }},
	} {
		grown := false
		for _, d := range g.documents {
			if d.Clash == nil && d.Root != nil {
				x.doc = d
				grown = x.within(d.Root, nil) || grown
			}
		}
		if grown {
			return true
		}
	}
	return false
}

// grower makes conflicts of the entries that hold something.
type grower struct {
	*Widener
	doc  *plan.Document
	held func(*plan.Child) bool // outside the entries that merged one by one
	gone bool                   // look at deleted entries too
}

// within makes the entries of m, below up, that hold it conflicts of their own.
func (g grower) within(m *plan.Value, up *plan.Child) bool {
	if m.Flows() {
		return false
	}
	grown := false
	for i, c := range m.Kids {
		switch {
		case c.Clash != nil:
		case g.held(c) && !g.alike(c):
			if n := g.parts(c, m.V, up); n != nil {
				m.Kids[i] = n
			} else {
				g.refuse(c)
			}
			grown = true
		case c.Value != nil:
			grown = g.within(c.Value, c) || grown
		}
	}
	return g.gone && g.restore(m) || grown
}

// parts is an entry of the collection v that was to be taken whole, merged part
// by part, with the conflicts below it; nil if it has no such parts.
func (g grower) parts(c *plan.Child, v three.Nodes, up *plan.Child) *plan.Child {
	if c.Whole == three.Original || slices.Contains(c.At[:], nil) {
		return nil
	}
	n := g.by.Apart(c, v, up, g.doc)
	if n.Clash == nil && n.Value.Merged && !n.Value.Flows() && !g.held(n) && g.within(n.Value, n) {
		g.children = append(g.children, n)
		g.note(n.Value)
		return n
	}
	return nil
}

// restore makes the deleted entries of m that hold it conflicts: deleted or
// not.
func (g grower) restore(m *plan.Value) bool {
	before := len(m.Kids)
	left := m.Gone[:0]
	for _, x := range m.Gone {
		x.At += len(m.Kids) - before
		if !g.held(x.Child) {
			left = append(left, x)
			continue
		}
		g.refuse(x.Child)
		m.Kids = slices.Insert(m.Kids, x.At, x.Child)
	}
	m.Gone = left
	return len(m.Kids) > before
}

// holds reports whether one of the versions of c has subject, outside the
// entries that merged one by one.
func (g *Widener) holds(c *plan.Child, subject string) bool {
	for s := range c.At {
		if mentions(g.ownOf(c, three.Side(s)), subject) {
			return true
		}
	}
	return false
}

// alike reports whether both sides have the same bytes in c, outside the entries
// that merged one by one.
func (g *Widener) alike(c *plan.Child) bool {
	return bytes.Equal(g.ownOf(c, three.Dest), g.ownOf(c, three.Updated))
}

// written is what c has in the version that it is written from, outside the
// entries that merged one by one.
func (g *Widener) written(c *plan.Child) []byte {
	switch {
	case c.Whole != three.Original:
		return g.ownOf(c, c.Whole)
	case c.Value != nil:
		return g.ownOf(c, c.Value.Form)
	}
	return nil
}

func (g *Widener) ownOf(c *plan.Child, s three.Side) []byte {
	if c.At[s] == nil {
		return nil
	}
	e := c.At[s]
	if c.Value != nil && c.Value.Spread() {
		return g.by.Bytes(s, text.Span{Start: e.Span.Start, End: e.Value.Content.Start})
	}
	return g.own(s, e, c.Value != nil && c.Value.Merged)
}

// own is the bytes of an entry; of a merged collection, those before its
// entries.
func (g *Widener) own(s three.Side, e *syntax.Entry, merged bool) []byte {
	sp := e.Span
	if merged && e.Value.Style == syntax.Block && e.HeadEnd() > sp.Start {
		sp.End = e.HeadEnd()
	}
	return g.by.Bytes(s, sp)
}

// mentions reports whether b holds subject: a comment, or an anchor or alias.
func mentions(b []byte, subject string) bool {
	if subject[0] != '*' && subject[0] != '&' {
		return bytes.Contains(b, []byte(subject))
	}
	for {
		i := bytes.Index(b, []byte(subject))
		if i < 0 {
			return false
		}
		b = b[i+len(subject):]
		if len(b) == 0 || bytes.IndexByte([]byte(" \t\r\n,]}"), b[0]) >= 0 {
			return true
		}
	}
}
