package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// locateBlock sets the byte spans and the entries of n. y is the YAML parser's node for n, a block collection. The
// cursor is on the key or dash of the first entry. Its Span, which includes the comments above it that belong to it,
// starts at spanStart. inline is set if the entry starts on a line after other text, as in `- a: 1`. At the end, the
// cursor is after the comments below the last entry that belong to the collection, at the start of a line. It panics
// with an *Error if an entry or its value is not where the YAML parser found it.
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

// locateBlockEntry returns an entry of the block collection n. y holds the YAML parser's node of the value, preceded by
// that of the key if n is a mapping. The cursor is on the key or dash of the entry. Comments and blank lines from
// spanStart to the line of the cursor are its Lead, the trivia above that belongs to it. inline is set if the entry
// starts on a line after other text, as in `- a: 1`.
//
// At the end, the cursor is at the start of the line after the value. The trivia below that belongs to the entry (its
// Foot) is not set yet, nor is the end of its Span. locateBlockEntry panics with an *Error if the text at the cursor is
// not such an entry.
func (p *locator) locateBlockEntry(n *Node, y []*yaml.Node, spanStart int, inline bool) *Entry {
	e := allocate(&p.entries)
	e.Inline, e.Start, e.Span.Start = inline, p.pos, spanStart
	e.Lead = text.Span{Start: spanStart, End: p.lineStart}
	if inline {
		e.Lead.End = spanStart
	}
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

// locateBlockValue sets the spans and entries of the value of e. y is the YAML parser's node for the value, a block
// collection. The cursor is after the colon or dash of e and moves to the end of the collection. It sets e.HeadEnd, the
// offset where the lines of the collection start. That is after the line of the key with its anchor, tag and comment.
// If the first entry is on the same line (`- a: 1`), it is at this entry. It panics with an *Error if the collection is
// not where the YAML parser found it.
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

// endHead moves over the rest of the line after last, the last node on the line of an entry. The rest may only be a
// comment; endHead panics with an *Error if it is not. The head of e, its part up to the end of that line, ends there:
// endHead sets e.HeadEnd. After a block scalar (`|` or `>`), the cursor is already at the start of a line and does not
// move.
func (p *locator) endHead(e *Entry, last *Node) {
	if last.Kind != Scalar || last.Style != Literal && last.Style != Folded {
		p.skipRestOfLine(e)
	}
	e.HeadEnd = p.pos
}

// locateBlockKey sets the Key of e, a field of a block mapping, and moves after its colon. y is the YAML parser's node
// for the key, and indent is the column of the mapping. An explicit key may have no colon, as in `? a`. Then
// locateBlockKey reports false, marks e as Irregular (an entry that can only be merged as a whole) and moves to the end
// of the key. For every other key, it reports true. It panics with an *Error if the key is a collection in block style
// or an alias of a collection, or if the colon of another key is missing.
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

// A gap is the part of the file between a block entry and the next token: whole lines of comments and blank lines. The
// token is the next key or dash, or the end of the document. The gap is divided among all collections that end in it.
// Therefore it is scanned once and stored in the locator.
type gap struct {
	token        int  // offset of the next token; the gap is valid until the cursor is after it
	tokenLine    int  // start of the token's line
	endsDocument bool // the document ends at the token
	// commentLine is the start of the first line at or after the cursor that contains a comment, and commentColumn is the
	// column of the comment. commentLine is tokenLine if there is no comment.
	commentLine, commentColumn int
}

// currentGap returns the gap that contains the cursor: the lines of comments and blank lines up to the next key or dash
// or the end of the document. The cursor must be at the start of a line and does not move. The gap is scanned only if
// the one in p.gap, from the last call, ends above the cursor; otherwise that one is returned.
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

// moveToGapLine moves the cursor to the start of a line in the current gap, the comments and blank lines before the
// next key or dash. The line starts at off. It sets commentLine and commentColumn of p.gap to the first comment at or
// after off, or commentLine to the end of the gap if there is none.
func (p *locator) moveToGapLine(off int) {
	p.pos, p.lineStart = off, off
	for ; off < p.gap.tokenLine; off = p.nextLineStart(off) {
		if hashOffset := skipBlanksFrom(p.src, off); isComment(p.src, hashOffset) {
			p.gap.commentLine, p.gap.commentColumn = off, hashOffset-off
			if place, ok := p.commentPlaces[off]; ok {
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

// skipIndentedComments moves the cursor over the comment lines before the next key or dash, and over the blank lines
// above them, as long as they are in column minColumn or right of it. It ends at the start of the line after the last
// such comment. It does not move if the next comment is left of minColumn, or if there is none.
func (p *locator) skipIndentedComments(minColumn int) {
	g := p.currentGap()
	for g.commentLine < g.tokenLine && g.commentColumn >= minColumn {
		p.moveToGapLine(p.nextLineStart(g.commentLine))
	}
}

// locateFoot decides which comments below e belong to e, sets e.Foot to their lines and the end of e.Span after them,
// and moves there. e is an entry of a block collection at column indent; the cursor is at the start of the line after
// it. These comments belong to e:
//
//   - the next comments that are indented more than indent, with the blank lines above them;
//   - if e is not the last entry, also the block of comments directly below that, if a blank line follows it. This does
//     not apply if p.commentPlaces has one of its lines as IsLead.
//
// For example, both comments belong to a in
//
//	a: 1
//	  # indented more
//	# directly below, before a blank line
//
//	b: 2
func (p *locator) locateFoot(e *Entry, indent int, isLast bool) {
	start := p.pos
	p.skipIndentedComments(indent + 1)
	if g := p.currentGap(); !isLast && g.commentLine == p.pos {
		off, belongsBelow := p.pos, false
		for off < g.tokenLine && isComment(p.src, skipBlanksFrom(p.src, off)) {
			belongsBelow = belongsBelow || p.commentPlaces[off].IsLead
			off = p.nextLineStart(off)
		}
		if off > p.pos && off < g.tokenLine && !belongsBelow {
			p.moveToGapLine(off)
		}
	}
	e.setEnd(start, p.pos)
}

// skipTail moves the cursor over the comments below the last entry of a block collection that belong to the collection
// and to none of its entries (its Tail), with the blank lines above them. indent is the column of the collection. They
// are the next comments in that column or right of it, if they are also right of the next key or dash. At the end of a
// document, the column of its root takes the place of the column of the next key.
//
//	a:
//	  b: 1
//	  # in the Tail of the mapping below a
//	c: 1
func (p *locator) skipTail(indent int) {
	g := p.currentGap()
	tokenColumn := g.token - g.tokenLine
	if g.endsDocument {
		tokenColumn = p.rootIndent
	}
	p.skipIndentedComments(max(indent, tokenColumn+1))
}
