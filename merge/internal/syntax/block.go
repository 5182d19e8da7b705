package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/outline"
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
	if r := p.run(y); r != nil {
		p.pieces(n, r, from)
	} else {
		n.Entries = p.mem.list(len(y.Content) / pairs(y))
		p.entries(n, y, from, inline, true)
	}
	n.Tail.Start = p.pos
	p.tail(n.Indent)
	n.Tail.End, n.Content.End, n.Span.End = p.pos, p.pos, p.pos
}

// entries places those of y behind the entries that n has; the Span of the first one
// starts at from. All says that there are no more. It returns where the last one ends.
func (p *placer) entries(n *Node, y *yaml.Node, from int, inline, all bool) int {
	each := pairs(y)
	for i := 0; i < len(y.Content) && p.err == nil; i += each {
		if len(n.Entries) > 0 {
			p.toToken()
		}
		e := p.blockEntry(n, y.Content[i:i+each], from, inline && i == 0)
		n.Entries = append(n.Entries, e)
		p.foot(e, n.Indent, all && i+each == len(y.Content))
		from = p.pos
	}
	return from
}

// blockEntry places one entry of n, from its Lead to its HeadEnd or the end
// of its value's entries. The cursor stands on it; its Lead starts at from.
func (p *placer) blockEntry(n *Node, y []*yaml.Node, from int, inline bool) *Entry {
	e := p.mem.entry()
	e.Inline, e.Span.Start, e.lead = inline, from, narrowed{int32(from), int32(p.bol)}
	if inline {
		e.lead.end = e.lead.start
	}
	e.Start = p.pos
	if p.column() != n.Indent {
		p.fail("an entry does not stand in its collection's column")
	}
	colon := true
	if n.Kind == Sequence {
		p.dash()
	} else {
		colon = p.blockKey(e, y[0], n.Indent)
	}
	e.colon = int32(p.pos)
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
	e.headEnd = int32(p.pos)
	p.trivia()
	p.block(e.Value, y, e.HeadEnd(), inline)
}

// endHead ends the head of e behind last, on which nothing but a comment may
// follow. Behind a block scalar the line has ended already.
func (p *placer) endHead(e *Entry, last *Node) {
	if last.Kind != Scalar || last.Style != Literal && last.Style != Folded {
		p.headBreak(e)
	}
	e.headEnd = int32(p.pos)
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
	if p.sharedKey(e, y) {
		p.blanks()
		p.expect(':')
		return true
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

// sharedKey places the key y at the cursor where it is plain, with the node of an equal
// one if there was one; it reports whether it did.
func (p *placer) sharedKey(e *Entry, y *yaml.Node) bool {
	end := p.pos + len(y.Value)
	if p.keys == nil || y.Kind != yaml.ScalarNode || y.Style != 0 || y.Anchor != "" || y.Value == "" ||
		end > len(p.src) || string(p.src[p.pos:end]) != y.Value {
		return false
	}
	p.confirm(y)
	e.Key = p.keys[y.Value]
	if e.Key == nil {
		if len(p.keys) == mostKeys {
			return false
		}
		e.Key = p.node(y)
		e.Key.shared, e.Key.Span = true, text.Span{Start: p.pos, End: end}
		e.Key.Content = e.Key.Span
		p.keys[y.Value] = e.Key
	}
	p.pos = end
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

// run returns the run that stands at the cursor as y, which has one entry; nil if
// there is none.
func (p *placer) run(y *yaml.Node) *outline.Run {
	if len(p.runs) == 0 || len(y.Content) != pairs(y) || p.pos != p.runs[0].First {
		return nil
	}
	r := p.runs[0]
	p.runs = p.runs[1:]
	return r
}

// pieces places the entries of r, all of n's.
func (p *placer) pieces(n *Node, r *outline.Run, from int) {
	outer, start := p.runs, p.start
	if p.read != nil {
		entries := 0
		for _, f := range r.Pieces {
			y := p.read[f.Index].roots[0].Content[0]
			entries += len(y.Content) / pairs(y)
		}
		n.Entries = p.mem.list(entries)
	}
	for i := range r.Pieces {
		f := &r.Pieces[i]
		y := p.piece(f, n.Kind)
		if p.err != nil {
			return
		}
		from = p.entries(n, y, from, false, i == len(r.Pieces)-1)
		if len(p.runs) > 0 {
			p.fail("what looked like a collection is none")
		}
	}
	p.runs, p.start = outer, start
	p.where.reset(r.End, start+r.Line)
}

// piece returns the collection as which f is read, and turns to it.
func (p *placer) piece(f *outline.Piece, kind Kind) *yaml.Node {
	read := new(reading) // of a large file: it is garbage soon
	if p.read != nil {
		read = p.read[f.Index]
	} else {
		ask([][]byte{f.Frame(p.src)}, []*reading{read})
	}
	if read.roots == nil || (read.roots[0].Content[0].Kind == yaml.MappingNode) != (kind == Mapping) {
		p.fail("a piece cannot be read by itself")
		return nil
	}
	p.runs, p.start = f.Runs, read.line
	p.where.reset(f.Start, read.line)
	return read.roots[0].Content[0]
}
