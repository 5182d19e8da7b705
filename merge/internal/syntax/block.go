package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateBlock sets the spans and the entries of n, which is the block collection y. The cursor is on the first entry,
// whose Span starts at spanStart and which is Inline if inline is set. At the end, the cursor is after
// the collection's Tail, at the start of a line.
func (p *locator) locateBlock(n *Node, y *yaml.Node, spanStart int, inline bool) {
	if n.Span.End == 0 {
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
			p.moveToToken()
		}
		e := p.locateBlockEntry(n, y.Content[i:i+step], spanStart, inline && i == 0)
		n.Entries = append(n.Entries, e)
		p.locateFoot(e, n.Indent, i+step == len(y.Content))
		spanStart = p.pos
	}
	n.Tail.Start = p.pos
	p.skipTail(n.Indent)
	n.Tail.End, n.Content.End, n.Span.End = p.pos, p.pos, p.pos
}

// locateBlockEntry returns an entry of the block collection n, without its Foot. y holds the value of the entry, or
// its key and value. The cursor is on the entry, whose Lead starts at spanStart. At the end, the cursor is at the
// entry's HeadEnd or, if the value is a block collection, after that collection.
func (p *locator) locateBlockEntry(n *Node, y []*yaml.Node, spanStart int, inline bool) *Entry {
	e := &Entry{Inline: inline, Start: p.pos, Lead: text.Span{Start: spanStart, End: p.lineStart}}
	e.Span.Start = spanStart
	if inline {
		e.Lead.End = spanStart
	}
	if p.column() != n.Indent {
		p.fail("an entry does not stand in its collection's column")
	}
	hasColon, value := true, y[len(y)-1]
	if n.Kind == Mapping {
		hasColon = p.locateBlockKey(e, y[0], n.Indent)
	} else if p.atIndicator('-') {
		p.pos++
	} else {
		p.fail("expected an item")
	}
	e.Colon = p.pos
	e.Value = p.newNode(value)
	switch {
	case !hasColon && !isBare(value):
		p.fail("expected :")
	case !hasColon:
		p.locateEmpty(e.Value)
		p.endHead(e, e.Key)
	case p.isUnwritten(value):
		p.locateEmpty(e.Value)
		p.endHead(e, e.Value)
	case isBlock(value):
		p.locateBlockValue(e, value)
	default:
		p.skipHeadTrivia(e)
		p.confirmPosition(value)
		p.locateNonBlock(e.Value, value, n.Indent, e)
		p.endHead(e, e.Value)
	}
	return e
}

// locateBlockValue sets the HeadEnd of e, creates the spans and entries of its value, which is the block collection y,
// and moves after that collection. The cursor is after the colon or dash of e.
func (p *locator) locateBlockValue(e *Entry, y *yaml.Node) {
	saved := p.cursor
	_, crossedLine := p.skipTrivia()
	p.confirmPosition(y)
	hasProperties := p.hasProperties(y)
	if hasProperties {
		p.cursor = saved
		p.skipHeadTrivia(e)
		p.skipProperties(e.Value, y, -1, e)
	} else if crossedLine {
		p.cursor = saved
	}
	inline := !crossedLine && !hasProperties
	if !inline {
		p.skipRestOfLine(e)
	}
	e.HeadEnd = p.pos
	p.skipTrivia()
	p.locateBlock(e.Value, y, e.HeadEnd, inline)
}

// endHead moves over the rest of the line after last, which may only be a comment, and sets the HeadEnd of e. After a
// block scalar, the cursor is already at the start of a line and does not move.
func (p *locator) endHead(e *Entry, last *Node) {
	if last.Kind != Scalar || last.Style != Literal && last.Style != Folded {
		p.skipRestOfLine(e)
	}
	e.HeadEnd = p.pos
}

// locateBlockKey sets the Key of e, a field of a block mapping, and moves after its colon. It reports whether there is
// a colon. indent is the column of the mapping.
func (p *locator) locateBlockKey(e *Entry, y *yaml.Node, indent int) bool {
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
	if comment, _ := p.skipTrivia(); !comment.Empty() {
		e.Irregular = true
	}
	if p.atIndicator(':') {
		p.pos++
		return true
	}
	p.cursor, e.Irregular = saved, true
	return false
}

// A gap is the trivia between a block entry and the next token, as whole lines. The gap is divided among all
// collections that end in it. Therefore it is scanned once and stored in the locator.
type gap struct {
	token        int  // offset of the next token; the gap is valid until the cursor is after it
	tokenLine    int  // start of the token's line
	endsDocument bool // the document ends at the token
	// commentLine is the start of the first line at or after the cursor that contains a comment, and commentStart
	// is the offset of its #. commentLine is tokenLine if there is no comment.
	commentLine, commentStart int
}

// currentGap returns the gap that contains the cursor, which must be at the start of a line. It scans the gap if the
// stored one is above the cursor. It does not move the cursor.
func (p *locator) currentGap() *gap {
	g := &p.gap
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
		p.moveToGapLine(p.pos)
	}
	return g
}

// moveToGapLine moves to the line of the gap that starts at off, and updates the gap's first comment line.
func (p *locator) moveToGapLine(off int) {
	p.pos, p.lineStart = off, off
	for ; off < p.gap.tokenLine; off = p.nextLineStart(off) {
		if hashOffset := skipBlanksFrom(p.src, off); isComment(p.src, hashOffset) {
			p.gap.commentLine, p.gap.commentStart = off, hashOffset
			return
		}
	}
	p.gap.commentLine = p.gap.tokenLine
}

// isComment reports whether there is a # at off.
func isComment(src []byte, off int) bool { return off < len(src) && src[off] == '#' }

// moveToToken moves to the token after the gap. It fails if the document ends there.
func (p *locator) moveToToken() {
	g := p.currentGap()
	if g.endsDocument {
		p.fail("a collection has fewer entries than it should")
	}
	p.pos, p.lineStart = g.token, g.tokenLine
}

// skipIndentedComments moves over the comment lines that follow in the gap, and over the blank lines above them, as
// long as the comments are at column minColumn or to the right of it. It does not move if there are none.
func (p *locator) skipIndentedComments(minColumn int) {
	g := p.currentGap()
	for g.commentLine < g.tokenLine && g.commentStart-g.commentLine >= minColumn {
		p.moveToGapLine(p.nextLineStart(g.commentLine))
	}
}

// locateFoot sets the Foot and the end of e, an entry of a collection at column indent, and moves to its end. The Foot
// consists of the comments to the right of indent. If e is not the last entry, the Foot also includes the block of
// comments directly below, if a blank line follows that block and none of its lines is in p.leads.
func (p *locator) locateFoot(e *Entry, indent int, isLast bool) {
	start := p.pos
	p.skipIndentedComments(indent + 1)
	if g := p.currentGap(); !isLast && g.commentLine == p.pos {
		off, belongsBelow := p.pos, false
		for off < g.tokenLine && isComment(p.src, skipBlanksFrom(p.src, off)) {
			belongsBelow = belongsBelow || p.leads[off]
			off = p.nextLineStart(off)
		}
		if off > p.pos && off < g.tokenLine && !belongsBelow {
			p.moveToGapLine(off)
		}
	}
	e.setEnd(start, p.pos)
}

// skipTail moves over the Tail of a block collection at column indent: the comments at that column or to the right of
// it. If the next token is at the same column, there is no Tail. At the end of a document, the column of the root
// counts as the column of the next token.
func (p *locator) skipTail(indent int) {
	g := p.currentGap()
	tokenColumn := g.token - g.tokenLine
	if g.endsDocument {
		tokenColumn = p.rootIndent
	}
	p.skipIndentedComments(max(indent, tokenColumn+1))
}
