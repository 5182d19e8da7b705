package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateBlock sets the spans and entries of n, a block collection, and moves the cursor from its first key or dash to
// the end of its Tail. y is the YAML parser's node for n. spanStart is where the Span of the first entry starts: at the
// comments above it or, in `- a: 1`, at the cursor. It panics with an *Error if the file differs from y.
func (p *locator) locateBlock(n *Node, y *yaml.Node, spanStart int) {
	if !n.HasProperties() { // otherwise, skipProperties has set it
		n.Span.Start = spanStart
	}
	n.Content.Start = spanStart
	n.Indent = p.column()
	if p.rootIndent < 0 {
		p.rootIndent = n.Indent
	}
	step := nodesPerEntry(y)
	n.Entries = make([]*Entry, 0, len(y.Content)/step)
	for i := 0; i < len(y.Content); i += step {
		if i > 0 {
			spanStart = p.pos
			p.moveToToken()
		}
		e := p.locateBlockEntry(n, y.Content[i:i+step], spanStart)
		n.Entries = append(n.Entries, e)
		p.locateFoot(e, n.Indent, i+step == len(y.Content))
	}
	n.Tail.Start = p.pos
	p.skipTail(n.Indent)
	n.Tail.End, n.Content.End, n.Span.End = p.pos, p.pos, p.pos
}

// locateBlockEntry returns the entry at the cursor in the block collection n, and moves the cursor to the line after
// its value. The caller sets the Foot and the end of the Span. y holds the parser's nodes: key and value, or only the
// value of an item. The Span starts at spanStart. It panics with an *Error if the file differs from y.
func (p *locator) locateBlockEntry(n *Node, y []*yaml.Node, spanStart int) *Entry {
	e := allocate(&p.entries)
	e.Inline, e.Start, e.Span.Start = spanStart > p.lineStart, p.pos, spanStart
	e.Lead = text.Span{Start: spanStart, End: max(spanStart, p.lineStart)}
	if p.column() != n.Indent {
		p.fail("an entry in an unexpected column")
	}
	hasColon, value := true, y[len(y)-1]
	if n.Kind == Mapping {
		hasColon = p.locateBlockKey(e, y[0], n.Indent)
	} else if p.atIndicator('-') {
		p.pos++
	} else {
		p.fail("expected -")
	}
	e.Colon = p.pos
	switch {
	case !hasColon:
		p.locateMissingValue(e, value)
	case isBlock(value):
		p.locateBlockValue(e, value)
		return e
	default:
		p.locateValue(e, value, n.Indent)
	}
	if p.column() > 0 { // after a block scalar, the cursor is already at the start of the next line
		p.skipRestOfLine(e)
	}
	e.HeadEnd = p.pos
	return e
}

// locateBlockValue sets the value of e, a block collection, with its spans and entries, and e.HeadEnd. It moves the
// cursor from the colon or dash of e to the end of the collection. It panics with an *Error if the file differs from y.
func (p *locator) locateBlockValue(e *Entry, y *yaml.Node) {
	e.Value = p.newNode(y)
	saved := p.cursor
	_, crossedLine := p.skipTrivia()
	p.confirmPosition(y)
	if hasProperties := p.hasProperties(y); crossedLine || hasProperties {
		p.cursor = saved // e gets the comments up to the end of the line of its colon, anchor or tag
		if hasProperties {
			p.skipHeadTrivia(e)
			p.skipProperties(e.Value, y, -1, e)
		}
		p.skipRestOfLine(e)
	}
	e.HeadEnd = p.pos // comments from here on belong to the first entry
	p.skipTrivia()
	p.locateBlock(e.Value, y, e.HeadEnd)
}

// locateBlockKey sets e.Key for e, a field of a block mapping, and moves the cursor after the colon. hasColon is false
// if there is no colon, which is allowed only after an explicit key (`? a`). indent is the column of the mapping. It
// panics with an *Error if the text is not the key y, if a colon is missing, or if y cannot be a key in the tree, such
// as a block collection.
func (p *locator) locateBlockKey(e *Entry, y *yaml.Node, indent int) (hasColon bool) {
	p.checkKey(y)
	e.Key = p.newNode(y)
	if !p.atIndicator('?') {
		p.locateKey(e, y, indent)
		p.skipBlanks()
		p.expect(':')
		return true
	}
	p.pos++
	p.locateKey(e, y, indent)
	saved := p.cursor
	comment, _ := p.skipTrivia()
	e.Irregular = e.Irregular || !comment.Empty()
	if p.atIndicator(':') {
		p.pos++
		return true
	}
	p.cursor, e.Irregular = saved, true
	return false
}

// A gap is the part of the file between a block entry and the next token: whole lines of comments and blank lines. The
// token is the next key or dash, or the end of the document. The gap is divided among all collections that end in it.
// Therefore it is scanned once and stored in the locator, while the cursor moves through it.
type gap struct {
	token        int  // offset of the next token; the gap is valid until the cursor is after it
	tokenLine    int  // start of the token's line
	endsDocument bool // the document ends at the token
	// commentLine is the start of the first line at or after the cursor that contains a comment, and commentColumn is
	// the column of the comment. commentLine is tokenLine if there is no comment.
	commentLine, commentColumn int
}

// currentGap returns the gap at the cursor: the lines of comments and blank lines before the next key or dash, or
// before the end of the document. The cursor must be at the start of a line, and does not move. The result points to
// p.gap, which later calls change.
func (p *locator) currentGap() *gap {
	g := &p.gap
	// while its token is ahead, p.gap is still valid: all collections that end in the gap share it
	if g.token < p.pos {
		saved := p.cursor
		p.skipTrivia()
		*g = gap{token: p.pos, tokenLine: p.lineStart}
		g.endsDocument = p.pos == len(p.src) ||
			p.column() == 0 && (p.atMarker("---") || p.atMarker("...") || p.nextIs('%'))
		if p.pos == len(p.src) {
			g.tokenLine = p.pos
		}
		p.cursor = saved
		p.moveToGapLine(p.pos) // to find the first comment
	}
	return g
}

// moveToGapLine moves the cursor to off, the start of a line in p.gap (the comments and blank lines before the next
// token). It also sets commentLine and commentColumn of p.gap to the line and column of the first comment from there
// on. If there is no comment, commentLine becomes the end of the gap, and commentColumn has no meaning.
func (p *locator) moveToGapLine(off int) {
	p.pos, p.lineStart = off, off
	for ; off < p.gap.tokenLine; off = p.nextLineStart(off) {
		if hashOffset := skipBlanksFrom(p.src, off); isComment(p.src, hashOffset) {
			p.gap.commentLine, p.gap.commentColumn = off, hashOffset-off
			if place, ok := p.commentPlaces[off]; ok { // the caller of ParseAs may choose another column
				p.gap.commentColumn = place.Column
			}
			return
		}
	}
	p.gap.commentLine = p.gap.tokenLine
}

// isComment reports whether there is a # at off.
func isComment(src []byte, off int) bool { return off < len(src) && src[off] == '#' }

// moveToToken moves the cursor over the comments and blank lines at the cursor to the next key or dash. It panics with
// an *Error if the document ends before one.
func (p *locator) moveToToken() {
	g := p.currentGap()
	if g.endsDocument {
		p.fail("a collection with fewer entries than expected")
	}
	p.pos, p.lineStart = g.token, g.tokenLine
}

// skipIndentedComments moves the cursor over comment lines, and the blank lines above them, before the next key or
// dash. It stops before the first comment that is left of minColumn.
func (p *locator) skipIndentedComments(minColumn int) {
	g := p.currentGap()
	for g.commentLine < g.tokenLine && g.commentColumn >= minColumn {
		p.moveToGapLine(p.nextLineStart(g.commentLine))
	}
}

// locateFoot decides which comments below e, an entry of a block collection at column indent, belong to e, and moves
// the cursor over them. It sets e.Foot and the end of e.Span. isLast is set if no sibling follows. Both comments belong
// to a:
//
//	a: 1
//	  # indented more
//	# directly below, before a blank line and another entry
//
//	b: 2
func (p *locator) locateFoot(e *Entry, indent int, isLast bool) {
	start := p.pos
	p.skipIndentedComments(indent + 1)
	if g := p.currentGap(); !isLast && g.commentLine == p.pos { // the next line is a comment
		off, belongsBelow := p.pos, false // off becomes the line after the block of comments
		for off < g.tokenLine && isComment(p.src, skipBlanksFrom(p.src, off)) {
			// the caller of ParseAs may place a comment above the next entry
			belongsBelow = belongsBelow || p.commentPlaces[off].IsLead
			off = p.nextLineStart(off)
		}
		hasBlankLineBelow := off < g.tokenLine
		if hasBlankLineBelow && !belongsBelow {
			p.moveToGapLine(off)
		}
	}
	e.setEnd(start, p.pos)
}

// skipTail moves the cursor over the comments below the last entry of a block collection that belong to the collection
// itself. indent is the column of the collection: such comments are not left of it. They are also right of the next key
// or, at the end of the document, of the root.
//
//	a:
//	  b: 1
//	  # in the Tail of the mapping below a
//	c: 1
func (p *locator) skipTail(indent int) {
	g := p.currentGap()
	tokenColumn := g.token - g.tokenLine
	// no key follows: the column of the root takes its place
	if g.endsDocument {
		tokenColumn = p.rootIndent
	}
	p.skipIndentedComments(max(indent, tokenColumn+1))
}
