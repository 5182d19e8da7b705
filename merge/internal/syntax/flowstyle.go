package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateFlow sets the entries and the Tail of n, a flow collection such as [a, b] or {a: 1}, and moves the cursor from
// its opening bracket to the byte after its closing bracket. y is the YAML parser's node for n. It panics with an
// *Error if a bracket or comma is not where it must be.
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

// locateFlowEntry returns the entry of a flow collection after the cursor, without its Foot and the end of its Span,
// and moves the cursor to the end of the value. y holds the YAML parser's nodes: key and value for a field, or only the
// value for an item. It panics with an *Error if the text does not fit y.
func (p *locator) locateFlowEntry(y []*yaml.Node) *Entry {
	e := allocate(&p.entries)
	e.Span.Start = p.pos
	p.skipTrivia()
	e.Lead = text.Span{Start: e.Span.Start, End: p.pos}
	e.Start = p.pos
	if len(y) == 2 {
		p.locateFlowField(e, y[0], y[1])
		return e
	}
	e.Colon = p.pos
	p.locateValue(e, y[0], -1)
	return e
}

// locateFlowField locates the key, the colon and the value of e, a field of a flow mapping, and moves the cursor over
// them. key and value are the YAML parser's nodes. It makes e Irregular if the key starts with "?", or if the colon is
// on another line than the key. Without a colon, as for a in {a, b: 1}, Colon is the end of the key; if the value is
// not empty, it then panics with an *Error.
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
		p.locateValue(e, value, -1)
		return
	}
	p.cursor = saved
	p.locateMissingValue(e, value)
}

// locateMissingValue sets the value of e, a field without a colon, to an empty node at the cursor, which becomes
// e.HeadEnd; in a block collection, the caller moves it to the next line. It panics with an *Error if y, the YAML
// parser's node for the value, is not empty.
func (p *locator) locateMissingValue(e *Entry, y *yaml.Node) {
	if !isBare(y) {
		p.fail("expected :")
	}
	e.Value = p.newNode(y)
	p.locateEmpty(e.Value)
	e.HeadEnd = p.pos
}

// locateKey sets the spans of e.Key and moves the cursor over the key. y is the YAML parser's node for the key; a flow
// collection as a key becomes a scalar. e becomes Irregular for example if a comment is directly before the key, or a
// line break between its anchor and its text. indent is the column of the block mapping with the key, or -1 in a flow
// mapping.
func (p *locator) locateKey(e *Entry, y *yaml.Node, indent int) {
	if p.isUnwritten(y) {
		p.locateEmpty(e.Key)
		return
	}
	var head Entry // e.Comment is not for comments around the key
	comment, _ := p.skipTrivia()
	p.confirmPosition(y)
	p.locateNonBlock(e.Key, y, indent, &head)
	if isCollection(y) {
		p.replaceWithText(e.Key, y)
	}
	e.Irregular = e.Irregular || head.Irregular || !comment.Empty()
}

// locateValue sets the value of e, a scalar, an alias or a flow collection, and moves the cursor to its end, which
// becomes e.HeadEnd; in a block collection, the caller moves it to the next line. The cursor must be after the colon or
// dash, or at the start of a flow item. indent is the column of the block collection around e, or -1. It panics with an
// *Error if the text does not fit y.
func (p *locator) locateValue(e *Entry, y *yaml.Node, indent int) {
	e.Value = p.newNode(y)
	if p.isUnwritten(y) {
		p.locateEmpty(e.Value)
	} else {
		p.skipHeadTrivia(e)
		p.confirmPosition(y)
		p.locateNonBlock(e.Value, y, indent, e)
	}
	e.HeadEnd = p.pos
}

// locateNonBlock sets the spans and entries of n, a scalar, an alias or a flow collection, and moves the cursor over n.
// A flow mapping with a collection as a key becomes a scalar. e is the entry of n, which may get a comment and become
// Irregular. indent is the column of the block collection around n, or -1. It panics with an *Error if the text does
// not fit y.
func (p *locator) locateNonBlock(n *Node, y *yaml.Node, indent int, e *Entry) {
	n.Span.Start = p.pos
	isPair := p.isBracelessPair(y) // an anchor or tag before it belongs to its key
	if !isPair && p.skipProperties(n, y, indent, e) && !hasNoContent(y) {
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

// locateFlowFoot sets the Foot, the Comma and the end of the Span of e, an entry of a flow collection. It moves the
// cursor over a comment on the line of the value, the comma, and a comment on the line of the comma. Without a comma,
// it stops after the first comment. If the comma is on another line than the value, e becomes Irregular.
//
//	[a, # in the Foot of a
//	 b  # in the Foot of b
//	]
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

// skipLineComment moves the cursor over blanks and a comment after them, which becomes e.Comment. If e already has a
// Comment, e keeps it and becomes Irregular, because it can then only be merged as a whole. If there is no comment at
// the cursor, the cursor does not move.
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

// isBracelessPair reports whether the flow mapping y at the cursor is a field without braces in a flow sequence, such
// as a: b in [a: b]. An anchor or a tag before such a pair belongs to its key.
func (p *locator) isBracelessPair(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) != 2 {
		return false
	}
	return startsWithKey(y) || !p.nextIs('{') && !p.atProperties()
}

// locatePair locates n, a mapping of one field without braces, such as a: b in [a: b], and moves the cursor over it. It
// sets the Entries and the Tail of n, and marks n as Implicit. It panics with an *Error if the colon is missing before
// a value that is not empty.
func (p *locator) locatePair(n *Node, y *yaml.Node) {
	e := allocate(&p.entries)
	e.Span.Start, e.Start = p.pos, p.pos
	e.Lead = text.Span{Start: p.pos, End: p.pos}
	p.locateFlowField(e, y.Content[0], y.Content[1])
	e.setEnd(p.pos, p.pos)
	n.Tail = e.Foot
	n.Entries = []*Entry{e}
	n.Implicit = true
}
