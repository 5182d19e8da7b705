package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// flow places the flow collection y, brackets included.
func (p *placer) flow(n *Node, y *yaml.Node) {
	open, end := byte('['), byte(']')
	if n.Kind == Mapping {
		open, end = '{', '}'
	}
	p.expect(open)
	each := pairs(y)
	n.Entries = make([]*Entry, 0, len(y.Content)/each)
	for i := 0; i < len(y.Content); i += each {
		e := p.flowEntry(y.Content[i : i+each])
		n.Entries = append(n.Entries, e)
		p.flowFoot(e)
		if !e.Comma && i+each < len(y.Content) {
			p.fail("expected ,")
		}
	}
	n.Tail.Start = p.pos
	p.trivia()
	n.Tail.End = p.pos
	p.expect(end)
}

// flowEntry places one entry of a flow collection up to its value.
func (p *placer) flowEntry(y []*yaml.Node) *Entry {
	e := new(Entry)
	e.Span.Start = p.pos
	p.trivia()
	e.Lead = text.Span{Start: e.Span.Start, End: p.pos}
	e.Start = p.pos
	if len(y) == 2 {
		p.flowField(e, y[0], y[1])
		return e
	}
	e.Colon = p.pos
	p.flowValue(e, y[0])
	return e
}

// flowField places key and value of a field in a flow mapping.
func (p *placer) flowField(e *Entry, key, value *yaml.Node) {
	p.refuseKey(key)
	e.Key = p.node(key)
	if p.at('?') {
		p.pos++
		e.Odd = true
	}
	p.key(e, key, -1)
	e.Colon = p.pos
	save := p.cursor
	comment, crossed := p.trivia()
	if p.at(':') {
		p.pos++
		e.Colon = p.pos
		e.Odd = e.Odd || crossed || !comment.Empty()
		p.flowValue(e, value)
		return
	}
	p.cursor = save
	if !bare(value) {
		p.fail("expected :")
	}
	e.Value = p.node(value)
	p.void(e.Value)
	e.HeadEnd = p.pos
}

// key places the key y itself. Its head is not the entry's: only whether it
// is odd counts.
func (p *placer) key(e *Entry, y *yaml.Node, indent int) {
	if p.nothing(y) {
		p.void(e.Key)
		return
	}
	var head Entry
	comment, _ := p.trivia()
	p.confirm(y)
	p.inner(e.Key, y, indent, &head)
	if isCollection(y) {
		p.seal(e.Key, y)
	}
	e.Odd = e.Odd || head.Odd || !comment.Empty()
}

// flowValue places the value of a flow entry.
func (p *placer) flowValue(e *Entry, y *yaml.Node) {
	e.Value = p.node(y)
	if p.nothing(y) {
		p.void(e.Value)
	} else {
		p.space(e)
		p.confirm(y)
		p.inner(e.Value, y, -1, e)
	}
	e.HeadEnd = p.pos
}

// inner places y, which is no block collection, at the cursor, inside a block
// collection with the given indent. Trivia inside it is noted in the head e.
func (p *placer) inner(n *Node, y *yaml.Node, indent int, e *Entry) {
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

// flowFoot places what follows a flow entry's value: the comment on its line,
// the comma, and the comment behind that.
func (p *placer) flowFoot(e *Entry) {
	start := p.pos
	p.lineComment(e)
	save := p.cursor
	comment, crossed := p.trivia()
	if p.at(',') {
		e.Comma = true
		e.Odd = e.Odd || crossed || !comment.Empty()
		p.pos++
		p.lineComment(e)
	} else {
		p.cursor = save
	}
	e.end(start, p.pos)
}

// lineComment moves over blanks and a comment if there is one, else it does
// not move.
func (p *placer) lineComment(e *Entry) {
	start := p.pos
	p.blanks()
	s := p.comment()
	switch {
	case s.Empty():
		p.pos = start
	case e.Comment.Empty():
		e.note(s)
	default:
		e.Odd = true
	}
}

// isPair reports whether y, a flow mapping at the cursor, is a pair without
// braces in a sequence: [a: b]. Its properties are then those of its key.
func (p *placer) isPair(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) != 2 {
		return false
	}
	return startsWithKey(y) || !p.at('{') && !p.atProperties()
}

// pair places a pair without braces.
func (p *placer) pair(n *Node, y *yaml.Node) {
	e := new(Entry)
	e.Span.Start, e.Start = p.pos, p.pos
	e.Lead = text.Span{Start: p.pos, End: p.pos}
	p.flowField(e, y.Content[0], y.Content[1])
	e.end(p.pos, p.pos)
	n.Tail = e.Foot
	n.Entries = []*Entry{e}
	n.Implicit = true
}
