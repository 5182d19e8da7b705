package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// growAbout makes conflicts of the smallest entries that hold subject and that
// the sides do not have alike: those with the anchor that it names, deleted
// ones among them, for with it in conflict its aliases may be clean; else those
// that are written with it; else all, also deleted ones with a comment.
func (w *walker) growAbout(docs []*docPlan, subject string) bool {
	name, alias := strings.CutPrefix(subject, "*")
	anchor := "&" + name
	for _, g := range []grower{
		{w: w, gone: true, held: func(c *child) bool { return alias && w.holds(c, anchor) }},
		{w: w, held: func(c *child) bool { return mentions(w.written(c), subject) }},
		{w: w, gone: !alias, held: func(c *child) bool { return w.holds(c, subject) || alias && w.holds(c, anchor) }},
	} {
		grown := false
		for _, d := range docs {
			if d.clash == nil && d.root != nil {
				g.doc = d
				grown = g.within(d.root, nil) || grown
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
	w    *walker
	doc  *docPlan
	held func(*child) bool // outside the entries that merged one by one
	gone bool              // look at deleted entries too
}

// within makes the entries of m, below up, that hold it conflicts of their own.
func (g grower) within(m *value, up *child) bool {
	grown := false
	for i, c := range m.kids {
		switch {
		case c.clash != nil:
		case g.held(c) && !g.w.alike(c):
			if n := g.parts(c, m.v, up); n != nil {
				m.kids[i] = n
			} else {
				g.w.refuse(c)
			}
			grown = true
		case c.value != nil:
			grown = g.within(c.value, c) || grown
		}
	}
	return g.gone && g.restore(m) || grown
}

// parts is an entry of the collection v that was to be taken whole, merged part
// by part, with the conflicts below it; nil if it has no such parts.
func (g grower) parts(c *child, v nodes, up *child) *child {
	if c.whole == original || slices.Contains(c.at[:], nil) {
		return nil
	}
	w, known := g.w, len(g.w.children)
	defer func(deep bool, d *docPlan, c *child) { w.deep, w.doc, w.up = deep, d, c }(w.deep, w.doc, w.up)
	w.deep, w.doc, w.up = true, g.doc, up
	n := w.merged(c.at, v, c.name)
	if n.clash == nil && n.value.merged && n.value.flow == nil && !g.held(n) && g.within(n.value, n) {
		return n
	}
	w.children = w.children[:known]
	return nil
}

// restore makes the deleted entries of m that hold it conflicts: deleted or
// not.
func (g grower) restore(m *value) bool {
	before := len(m.kids)
	left := m.gone[:0]
	for _, x := range m.gone {
		x.at += len(m.kids) - before
		if !g.held(x.child) {
			left = append(left, x)
			continue
		}
		g.w.refuse(x.child)
		m.kids = slices.Insert(m.kids, x.at, x.child)
	}
	m.gone = left
	return len(m.kids) > before
}

// holds reports whether one of the versions of c has subject, outside the
// entries that merged one by one.
func (w *walker) holds(c *child, subject string) bool {
	for s := range c.at {
		if mentions(w.ownOf(c, side(s)), subject) {
			return true
		}
	}
	return false
}

// alike reports whether both sides have the same bytes in c, outside the entries
// that merged one by one.
func (w *walker) alike(c *child) bool {
	return bytes.Equal(w.ownOf(c, dest), w.ownOf(c, updated))
}

// written is what c has in the version that it is written from, outside the
// entries that merged one by one.
func (w *walker) written(c *child) []byte {
	switch {
	case c.whole != original:
		return w.ownOf(c, c.whole)
	case c.value != nil:
		return w.ownOf(c, c.value.form)
	}
	return nil
}

func (w *walker) ownOf(c *child, s side) []byte {
	if c.at[s] == nil {
		return nil
	}
	return w.own(s, c.at[s], c.value != nil && c.value.merged)
}

// own is the bytes of an entry; of a merged collection, those before its
// entries.
func (w *walker) own(s side, e *syntax.Entry, merged bool) []byte {
	sp := e.Span
	if merged && e.Value.Style == syntax.Block && e.HeadEnd > sp.Start {
		sp.End = e.HeadEnd
	}
	return w.bytes(s, sp)
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
