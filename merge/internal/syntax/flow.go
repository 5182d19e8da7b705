package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateFlow creates the entries and the Tail of n, which is the flow collection y, and moves over the collection with
// its brackets.
func (p *locator) locateFlow(n *Node, y *yaml.Node) {
	opening, closing := byte('['), byte(']')
	if n.Kind == Mapping {
		opening, closing = '{', '}'
	}
	p.expect(opening)
	step := nodesPerEntry(y)
	n.Entries = make([]*Entry, 0, len(y.Content)/step)
	for i := 0; i < len(y.Content); i += step {
		e := p.locateFlowEntry(y.Content[i : i+step])
		n.Entries = append(n.Entries, e)
		p.locateFlowFoot(e)
		if !e.Comma && i+step < len(y.Content) {
			p.fail("expected ,")
		}
	}
	n.Tail.Start = p.pos
	p.skipTrivia()
	n.Tail.End = p.pos
	p.expect(closing)
}

// locateFlowEntry returns an entry of a flow collection, without its Foot, and moves to the end of its value. y holds
// the value of the entry, or its key and value.
func (p *locator) locateFlowEntry(y []*yaml.Node) *Entry {
	e := new(Entry)
	e.Span.Start = p.pos
	p.skipTrivia()
	e.Lead = text.Span{Start: e.Span.Start, End: p.pos}
	e.Start = p.pos
	if len(y) == 2 {
		p.locateFlowField(e, y[0], y[1])
		return e
	}
	e.Colon = p.pos
	p.locateFlowValue(e, y[0])
	return e
}

// locateFlowField sets the key, the value, Colon and HeadEnd of e, a field of a flow mapping, and moves to the end of
// the value. The colon may be missing: {a, b: 1}.
func (p *locator) locateFlowField(e *Entry, key, value *yaml.Node) {
	p.checkKey(key)
	e.Key = p.newNode(key)
	if p.nextIs('?') {
		p.pos++
		e.Irregular = true
	}
	p.locateKey(e, key, -1)
	e.Colon = p.pos
	saved := p.cursor
	comment, crossedLine := p.skipTrivia()
	if p.nextIs(':') {
		p.pos++
		e.Colon = p.pos
		e.Irregular = e.Irregular || crossedLine || !comment.Empty()
		p.locateFlowValue(e, value)
		return
	}
	p.cursor = saved
	if !isBare(value) {
		p.fail("expected :")
	}
	e.Value = p.newNode(value)
	p.locateEmpty(e.Value)
	e.HeadEnd = p.pos
}

// locateKey sets the spans of e.Key, which is the key y, and moves over it. If the key is irregular, it marks e as
// Irregular. It does not set the Comment of e. A flow collection becomes a scalar (see replaceWithText).
func (p *locator) locateKey(e *Entry, y *yaml.Node, indent int) {
	if p.isUnwritten(y) {
		p.locateEmpty(e.Key)
		return
	}
	var head Entry
	comment, _ := p.skipTrivia()
	p.confirmPosition(y)
	p.locateNonBlock(e.Key, y, indent, &head)
	if isCollection(y) {
		p.replaceWithText(e.Key, y)
	}
	e.Irregular = e.Irregular || head.Irregular || !comment.Empty()
}

// locateFlowValue sets the Value and the HeadEnd of e, an entry of a flow collection, and moves to the end of the
// value, which is y.
func (p *locator) locateFlowValue(e *Entry, y *yaml.Node) {
	e.Value = p.newNode(y)
	if p.isUnwritten(y) {
		p.locateEmpty(e.Value)
	} else {
		p.skipHeadTrivia(e)
		p.confirmPosition(y)
		p.locateNonBlock(e.Value, y, -1, e)
	}
	e.HeadEnd = p.pos
}

// locateNonBlock sets the spans of n, which is y, and moves over it. y is not a block collection. It starts at the
// cursor. indent is the column of the block collection around it. Comments between its properties and its content, or
// in the header of a block scalar, are added to e. If n has a collection as a key, it becomes a scalar (see
// replaceWithText).
func (p *locator) locateNonBlock(n *Node, y *yaml.Node, indent int, e *Entry) {
	n.Span.Start = p.pos
	isPair := n.Style == Flow && p.isBracelessPair(y)
	if !isPair && p.skipProperties(n, y, indent, e) {
		if hasNoContent(y) {
			n.Content = text.Span{Start: p.pos, End: p.pos}
			n.Span.End = p.pos
			return
		}
		p.skipHeadTrivia(e)
	}
	n.Content.Start = p.pos
	switch {
	case isPair:
		e.Irregular = true
		p.locatePair(n, y)
	case n.Style == Flow:
		p.locateFlow(n, y)
	default:
		p.skipScalar(n, indent, e)
	}
	n.Content.End, n.Span.End = p.pos, p.pos
	if hasCollectionKey(y) {
		p.replaceWithText(n, y)
	}
}

// locateFlowFoot sets the Foot, the Comma and the end of e, an entry of a flow collection, and moves to its end. The
// Foot consists of the comment on the line of the value, the comma with the trivia before it, and the comment on the
// line of the comma. If the comma is on another line than the value, e is marked as Irregular.
func (p *locator) locateFlowFoot(e *Entry) {
	start := p.pos
	p.skipLineComment(e)
	saved := p.cursor
	comment, crossedLine := p.skipTrivia()
	if p.nextIs(',') {
		e.Comma = true
		e.Irregular = e.Irregular || crossedLine || !comment.Empty()
		p.pos++
		p.skipLineComment(e)
	} else {
		p.cursor = saved
	}
	e.setEnd(start, p.pos)
}

// skipLineComment moves over blanks and the comment after them, which it adds to e. If e already has a Comment, it
// marks e as Irregular. It does not move if there is no comment.
func (p *locator) skipLineComment(e *Entry) {
	start := p.pos
	p.skipBlanks()
	comment := p.skipComment()
	switch {
	case comment.Empty():
		p.pos = start
	case e.Comment.Empty():
		e.addComment(comment)
	default:
		e.Irregular = true
	}
}

// isBracelessPair reports whether the flow mapping y at the cursor is a pair without braces, such as [a: b]. Properties
// before such a pair belong to its key.
func (p *locator) isBracelessPair(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) != 2 {
		return false
	}
	return startsWithKey(y) || !p.nextIs('{') && !p.atProperties()
}

// locatePair creates the only entry of n, which is the pair without braces y, marks n as Implicit, and moves over the
// pair.
func (p *locator) locatePair(n *Node, y *yaml.Node) {
	e := new(Entry)
	e.Span.Start, e.Start = p.pos, p.pos
	e.Lead = text.Span{Start: p.pos, End: p.pos}
	p.locateFlowField(e, y.Content[0], y.Content[1])
	e.setEnd(p.pos, p.pos)
	n.Tail = e.Foot
	n.Entries = []*Entry{e}
	n.Implicit = true
}
