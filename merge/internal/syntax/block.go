package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// block places the entries of the block collection y. The cursor stands on
// the first one; its Span starts at from. At the end the cursor stands behind
// the collection's Tail, at the start of a line.
func (p *placer) block(n *Node, y *yaml.Node, from int, inline bool) {
	if n.Span.End == 0 {
		n.Span.Start = from
	}
	n.Content.Start = from
	n.Indent = p.column()
	if p.base < 0 {
		p.base = n.Indent
	}
	each := pairs(y)
	n.Entries = make([]*Entry, 0, len(y.Content)/each)
	for i := 0; i < len(y.Content) && p.err == nil; i += each {
		if i > 0 {
			p.toToken()
		}
		e := p.blockEntry(n, y.Content[i:i+each], from, inline && i == 0)
		n.Entries = append(n.Entries, e)
		p.foot(e, n.Indent, i+each == len(y.Content))
		from = p.pos
	}
	n.Tail.Start = p.pos
	p.tail(n.Indent)
	n.Tail.End, n.Content.End, n.Span.End = p.pos, p.pos, p.pos
}

// blockEntry places one entry of n, from its Lead to its HeadEnd or the end
// of its value's entries. The cursor stands on it; its Lead starts at from.
func (p *placer) blockEntry(n *Node, y []*yaml.Node, from int, inline bool) *Entry {
	e := &Entry{Inline: inline, Start: p.pos, Lead: text.Span{Start: from, End: p.bol}}
	e.Span.Start = from
	if inline {
		e.Lead.End = from
	}
	if p.column() != n.Indent {
		p.fail("an entry does not stand in its collection's column")
	}
	colon := true
	if n.Kind == Sequence {
		p.dash()
	} else {
		colon = p.blockKey(e, y[0], n.Indent)
	}
	e.Colon = p.pos
	if colon {
		p.blockValue(e, y[len(y)-1], n.Indent)
	} else {
		p.noValue(e, y[len(y)-1])
	}
	return e
}

// blockValue places the value y of the entry e of a block collection with the
// given indent. The cursor stands behind what introduces it.
func (p *placer) blockValue(e *Entry, y *yaml.Node, indent int) {
	if p.err != nil {
		return
	}
	n := p.node(y)
	e.Value = n
	switch {
	case p.nothing(y):
		p.void(n)
		p.endHead(e, n)
	case isBlock(y):
		p.blockCollection(e, y)
	default:
		p.space(e)
		p.confirm(y)
		p.inner(n, y, indent, e)
		p.endHead(e, n)
	}
}

// blockCollection places the block collection y as the value of e.
func (p *placer) blockCollection(e *Entry, y *yaml.Node) {
	save := p.cursor
	_, crossed := p.trivia()
	p.confirm(y)
	properties := p.hasProperties(y)
	if properties {
		p.cursor = save
		p.space(e)
		p.properties(e.Value, y, -1, e)
	} else if crossed {
		p.cursor = save
	}
	inline := !crossed && !properties
	if !inline {
		p.headBreak(e)
	}
	e.HeadEnd = p.pos
	p.trivia()
	p.block(e.Value, y, e.HeadEnd, inline)
}

// endHead ends the head of e behind last, on which nothing but a comment may
// follow. Behind a block scalar the line has ended already.
func (p *placer) endHead(e *Entry, last *Node) {
	if last.Kind != Scalar || last.Style != Literal && last.Style != Folded {
		p.headBreak(e)
	}
	e.HeadEnd = p.pos
}

// noValue places y, the value of a "? key" without a colon, of which nothing
// is written.
func (p *placer) noValue(e *Entry, y *yaml.Node) {
	if p.err != nil {
		return
	}
	if !bare(y) {
		p.fail("expected :")
		return
	}
	e.Value = p.node(y)
	p.void(e.Value)
	p.endHead(e, e.Key)
}

// dash moves over the indicator of an item.
func (p *placer) dash() {
	if !p.indicator('-') {
		p.fail("expected an item")
		return
	}
	p.pos++
}

// blockKey places the key of a block mapping with its indicators. It reports
// whether there is a colon.
func (p *placer) blockKey(e *Entry, y *yaml.Node, indent int) bool {
	if p.refuseKey(y) {
		return false
	}
	e.Key = p.node(y)
	if p.indicator('?') {
		return p.explicitKey(e, y, indent)
	}
	p.key(e, y, indent)
	p.blanks()
	p.expect(':')
	return true
}

// explicitKey places a key behind "?", and the ":" that may follow it.
func (p *placer) explicitKey(e *Entry, y *yaml.Node, indent int) bool {
	p.pos++
	p.key(e, y, indent)
	save := p.cursor
	if comment, _ := p.trivia(); !comment.Empty() {
		e.Odd = true
	}
	if p.indicator(':') {
		p.pos++
		return true
	}
	p.cursor, e.Odd = save, true
	return false
}
