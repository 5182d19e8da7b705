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
	for i := 0; i < len(y.Content); i += each {
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
	colon, value := true, y[len(y)-1]
	if n.Kind == Mapping {
		colon = p.blockKey(e, y[0], n.Indent)
	} else if p.indicator('-') {
		p.pos++
	} else {
		p.fail("expected an item")
	}
	e.Colon = p.pos
	e.Value = p.node(value)
	switch {
	case !colon && !bare(value):
		p.fail("expected :")
	case !colon:
		p.void(e.Value)
		p.endHead(e, e.Key)
	case p.nothing(value):
		p.void(e.Value)
		p.endHead(e, e.Value)
	case isBlock(value):
		p.blockCollection(e, value)
	default:
		p.space(e)
		p.confirm(value)
		p.inner(e.Value, value, n.Indent, e)
		p.endHead(e, e.Value)
	}
	return e
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

// blockKey places the key of a block mapping with its indicators. It reports
// whether there is a colon.
func (p *placer) blockKey(e *Entry, y *yaml.Node, indent int) bool {
	p.refuseKey(y)
	e.Key = p.node(y)
	if !p.indicator('?') {
		p.key(e, y, indent)
		p.blanks()
		p.expect(':')
		return true
	}
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

// A gap is the whole lines of trivia between a block entry and what follows
// it. Who owns its lines depends on the column of what follows and on the
// collections that end in the gap, so it is looked at once per collection;
// what was found is kept.
type gap struct {
	token int  // offset of what follows; valid while the cursor is not behind it
	bol   int  // start of the token's line
	end   bool // the document ends there
	// The first comment line at or behind the cursor; at bol if there is none.
	line, hash int
}

// look finds the gap that the cursor, at the start of a line, stands in.
func (p *placer) look() *gap {
	g := &p.gap
	if g.token < p.pos {
		save := p.cursor
		p.trivia()
		*g = gap{token: p.pos, bol: p.bol}
		g.end = p.pos == len(p.src) ||
			p.column() == 0 && (p.marker("---") || p.marker("...") || p.at('%'))
		if p.pos == len(p.src) {
			g.bol = p.pos
		}
		p.cursor = save
		p.toLine(p.pos)
	}
	return g
}

// toLine moves to the line of the gap that starts at off, and finds the first comment line from there on.
func (p *placer) toLine(off int) {
	p.pos, p.bol = off, off
	for ; off < p.gap.bol; off = p.lineAfter(off) {
		if hash := skipBlanks(p.src, off); isComment(p.src, hash) {
			p.gap.line, p.gap.hash = off, hash
			return
		}
	}
	p.gap.line = p.gap.bol
}

func isComment(src []byte, off int) bool { return off < len(src) && src[off] == '#' }

// toToken moves to what follows the gap.
func (p *placer) toToken() {
	g := p.look()
	if g.end {
		p.fail("a collection has fewer entries than it should")
	}
	p.pos, p.bol = g.token, g.bol
}

// take moves behind the last of the comments from here on that stand at
// limit or a greater column, up to the first that does not.
func (p *placer) take(limit int) {
	g := p.look()
	for g.line < g.bol && g.hash-g.line >= limit {
		p.toLine(p.lineAfter(g.line))
	}
}

// foot places the Foot of e, an entry of a collection with the given indent:
// the comments at a greater column, and, before a sibling, the block of
// comments that touches e and is followed by a blank line, if none of them belongs to the entry below.
func (p *placer) foot(e *Entry, indent int, last bool) {
	start := p.pos
	p.take(indent + 1)
	if g := p.look(); !last && g.line == p.pos {
		off, leads := p.pos, false
		for off < g.bol && isComment(p.src, skipBlanks(p.src, off)) {
			leads = leads || p.leads[off]
			off = p.lineAfter(off)
		}
		if off > p.pos && off < g.bol && !leads {
			p.toLine(off)
		}
	}
	e.end(start, p.pos)
}

// tail moves over the Tail of a block collection with the given indent, all
// of whose entries are placed: the comments in its own column, if that is not
// also the column of what follows, or of the document's root at its end.
func (p *placer) tail(indent int) {
	g := p.look()
	next := g.token - g.bol
	if g.end {
		next = p.base
	}
	p.take(max(indent, next+1))
}
