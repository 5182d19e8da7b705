package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateFlow sets the entries of n and moves the cursor over n, from its opening bracket to the byte after its closing
// bracket. y is the YAML parser's node for n, a flow collection such as [a, b] or {a: 1}. It sets n.Tail to the bytes
// from the last entry to the closing bracket. It panics with an *Error if a bracket or comma is not where it must be.
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

// locateFlowEntry returns an entry of a flow collection and moves the cursor from the end of the previous entry, or
// from the opening bracket, to the end of the value. y holds the YAML parser's node of the value, preceded by that of
// the key for a field. It sets the key, the value, Lead (the comments and blanks before the entry), Start, Colon (the
// end of the key and its colon) and HeadEnd (the end of the value). The comma and comments after the value, which are
// the Foot, and the end of the Span are not set yet. For an item, Key is nil and Colon is Start.
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
	p.locateFlowValue(e, y[0])
	return e
}

// locateFlowField sets the key and the value of e, a field of a flow mapping. The cursor is on the key and moves to the
// end of the value. It sets e.Colon to the offset after the colon, and e.HeadEnd to the end of the value. The colon may
// be missing, as after a in {a, b: 1}: the value is then empty, and e.Colon and e.HeadEnd are the end of the key. It
// panics with an *Error if the colon before another value is missing. key and value are the YAML parser's nodes.
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

// locateKey sets the spans of e.Key and moves the cursor over the key. y is the YAML parser's node for it, and indent
// is the column of the block collection around it, or -1. A flow collection as the key becomes a scalar whose value is
// its text, as in `[e, f]: 1`. An entry that can only be merged as a whole is marked as Irregular: e is one if a
// comment precedes the key, or if the anchor, tag and content of the key are on different lines. It does not change
// e.Comment.
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

// locateFlowValue sets the value of e, an entry of a flow collection, with all of its spans and entries. It moves the
// cursor, which is after the colon or at the start of an item, to the end of the value, and sets e.HeadEnd to this
// offset. A comment before the value becomes e.Comment. y is the YAML parser's node for the value. An empty value has
// empty spans at the cursor.
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

// locateNonBlock sets Span (from the anchor or tag), Content (without them) and all entries of n, and moves the cursor
// over n. n is a scalar, an alias or a flow collection that starts at the cursor; y is the YAML parser's node for it.
// indent is the column of the block collection around it, or -1.
//
// The first comment between the anchor or tag and the content, or in the header of a block scalar (`| # x`), becomes
// the Comment of e. A line break there, or a pair without braces ([a: b]), marks e as Irregular: it can only be merged
// as a whole. A mapping with a collection as a key, such as {{ .Values.image }}, becomes a scalar whose value is its
// text. locateNonBlock panics with an *Error if the text at the cursor does not fit y.
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

// locateFlowFoot moves the cursor from the end of the value of e, an entry of a flow collection, to the end of e. That
// is after its comma and the comment on the line of the comma. If there is no comma, it is after the comment on the
// line of the value. It sets e.Foot to the bytes it moved over, e.Comma if there is a comma, e.Comment if e has none
// yet, and the end of e.Span. It marks e as Irregular (an entry that can only be merged as a whole) if the comma is on
// another line than the value, or if there is a second comment.
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

// skipLineComment moves over blanks and the comment after them, and sets e.Comment to it. If e has a Comment already,
// it marks e as Irregular instead: as an entry that can only be merged as a whole. It does not move if there is no
// comment. The comment is also added to p.comments.
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
// as a: b in [a: b]. It returns false if y is not a mapping with exactly one field. An anchor or a tag before such a
// pair belongs to its key.
func (p *locator) isBracelessPair(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) != 2 {
		return false
	}
	return startsWithKey(y) || !p.nextIs('{') && !p.atProperties()
}

// locatePair sets the only entry of n and moves the cursor over n. n is a mapping of one field without braces in a flow
// sequence, such as a: b in [a: b]; y is the YAML parser's node for it. It sets n.Implicit, which marks such mappings.
// It panics with an *Error if the colon is missing before a value that is not empty.
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
