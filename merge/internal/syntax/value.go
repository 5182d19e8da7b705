package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

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
	e.headEnd = int32(p.pos)
	p.trivia()
	p.block(e.Value, y, e.HeadEnd(), inline)
}

// space moves over the trivia inside the head of e.
func (p *placer) space(e *Entry) {
	comment, crossed := p.trivia()
	e.note(comment)
	e.Odd = e.Odd || crossed
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

// endHead ends the head of e behind last, on which nothing but a comment may
// follow. Behind a block scalar the line has ended already.
func (p *placer) endHead(e *Entry, last *Node) {
	if last.Kind != Scalar || last.Style != Literal && last.Style != Folded {
		p.headBreak(e)
	}
	e.headEnd = int32(p.pos)
}

// headBreak moves over the comment and the break that end a line.
func (p *placer) headBreak(e *Entry) {
	p.blanks()
	if s := p.comment(); !s.Empty() {
		e.Odd = e.Odd || !e.Comment().Empty()
		e.note(s)
	}
	if !p.lineBreak() && p.pos < len(p.src) {
		p.fail("unexpected text behind a value")
	}
}

// inner places y, which is no block collection, at the cursor, inside a block
// collection with the given indent. Trivia inside it is noted in the head e.
func (p *placer) inner(n *Node, y *yaml.Node, indent int, e *Entry) {
	if p.err != nil {
		return
	}
	n.Span.Start = p.pos
	pair := n.Style == Flow && p.isPair(y)
	if !pair && p.properties(n, y, indent, e) {
		if blank(y) {
			n.Content = text.Span{Start: p.pos, End: p.pos}
			n.Span.End = p.pos
			return
		}
		p.space(e)
	}
	n.Content.Start = p.pos
	switch {
	case pair:
		e.Odd = true
		p.pair(n, y)
	case n.Style == Flow:
		p.flow(n, y)
	default:
		p.scalar(n, indent, e)
	}
	n.Content.End, n.Span.End = p.pos, p.pos
	if hasCollectionKey(y) {
		p.seal(n, y)
	}
}
