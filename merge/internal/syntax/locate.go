package syntax

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A locator finds the bytes of each node. It moves its cursor forward over the file while it walks the nodes of the
// YAML parser in the order of the document. The kind, the style and the value of a node determine which text must be at
// the cursor, and the line and column of the node confirm it.
//
// In its methods, n is a node of the tree and y is the node of the YAML parser that n represents. Parse recovers and
// returns the *Error with which a method panics.
type locator struct {
	cursor
	file        *text.File
	parserInput []byte // the input of the YAML parser (see makeAcceptable)
	decoder     *yaml.Decoder
	finder      offsetFinder
	gap         gap
	rootIndent  int       // the Indent of the document's root; -1 if the root is not a block collection
	docIndex    int       // the index of the current document
	comments    []Comment // the comments found so far, in order
	// commentPlaces has the places of comments that are not those of their text, by the offset of their line.
	commentPlaces map[int]CommentPlace
	// memory for the next nodes and entries of the tree
	nodes   []Node
	extras  []Extra
	entries []Entry
}

// allocate returns a pointer to a zero T: the first element of *free, which it removes from the slice. If *free is
// empty, allocate first sets it to a new slice of 16 elements. This is faster than one allocation for each T.
func allocate[T any](free *[]T) *T {
	if len(*free) == 0 {
		*free = make([]T, 16)
	}
	v := &(*free)[0]
	*free = (*free)[1:]
	return v
}

// fail panics with an Error at the cursor, because a part of the file cannot be located.
func (p *locator) fail(msg string) {
	e := errorAt(p.file, p.pos, msg)
	e.PositionsUncertain = true
	panic(e)
}

// expect moves over the byte b. It panics with an *Error if b is not at the cursor.
func (p *locator) expect(b byte) {
	if !p.nextIs(b) {
		p.fail("expected " + string(rune(b)))
	}
	p.pos++
}

// confirmPosition panics with an *Error unless the cursor is at the position that the YAML parser reported for y.
func (p *locator) confirmPosition(y *yaml.Node) {
	if off, ok := p.finder.find(y.Line, y.Column); !ok || off != p.pos {
		p.fail("a node in an unexpected position")
	}
}

// isUnwritten reports whether y, which must be at the cursor, is a null that has no text in the file, as the value of
// `a:`. An anchor, a tag or a lone "!", which the YAML parser ignores, is text. The cursor does not move.
func (p *locator) isUnwritten(y *yaml.Node) bool {
	if !isBare(y) {
		return false
	}
	saved := p.cursor
	p.skipTrivia()
	// a tag of y or of the next node; without a tag, the position of y would not be reliable
	hasLoneTag := p.atIndicator('!') && p.isAt(y)
	p.cursor = saved
	return !hasLoneTag
}

// isAt reports whether the cursor is at the position that the YAML parser reported for y. It returns false if p.finder,
// which it does not move, is already past that position.
func (p *locator) isAt(y *yaml.Node) bool {
	finder := p.finder
	off, ok := finder.find(y.Line, y.Column)
	return ok && off == p.pos
}

// skipComment moves the cursor over the comment at the cursor, up to the line break, and returns its span. The span is
// empty if there is no comment. It adds the comment to p.comments, unless an earlier scan of the same text did.
func (p *locator) skipComment() text.Span {
	s := text.Span{Start: p.pos, End: p.pos}
	if p.nextIs('#') {
		p.pos = p.lineEnd(p.pos)
		s.End = p.pos
		if n := len(p.comments); n == 0 || p.comments[n-1].Span.Start < s.Start {
			p.comments = append(p.comments, Comment{s, p.docIndex})
		}
	}
	return s
}

// skipTrivia moves over blanks, comments and line breaks, up to other text or the end of the file. It returns the first
// comment, or an empty span if there is none, and reports whether it moved to another line.
func (p *locator) skipTrivia() (first text.Span, crossedLine bool) {
	for {
		p.skipBlanks()
		if s := p.skipComment(); first.Empty() {
			first = s
		}
		if !p.skipLineBreak() {
			return first, crossedLine
		}
		crossedLine = true
	}
}

// locateStream returns the tree of the file with the byte spans of all parts. It panics with an *Error if the YAML
// parser rejects the file, if a part cannot be found with certainty, or if the spans have gaps or overlap.
func (p *locator) locateStream() *Stream {
	s := &Stream{File: p.file}
	start, y := 0, p.nextDocument()
	if y == nil && len(p.src) > 0 { // only comments and blank lines: one document with an empty root
		y = &yaml.Node{Content: []*yaml.Node{{Kind: yaml.ScalarNode}}}
	}
	for y != nil {
		next := p.nextDocument()
		d := p.locateDocument(y, start, next == nil)
		s.Docs = append(s.Docs, d)
		start, y = d.Span.End, next
		p.docIndex++ // for the Doc of the next comments
	}
	if p.skipTrivia(); p.pos != len(p.src) {
		p.fail("unexpected content after the last document")
	}
	s.comments = p.comments
	if e := checkSpans(s); e != nil {
		panic(e)
	}
	return s
}

// locateDocument returns the document whose parser's node is y, with all its parts. The cursor moves from start, the
// end of the previous document, over the document and the comments after it: to the "---" or the directives of the next
// document or, if isLast is set, to the end of the file. It panics with an *Error if there is other text after the
// document.
func (p *locator) locateDocument(y *yaml.Node, start int, isLast bool) *Document {
	d := &Document{}
	d.Span.Start, d.Head.Start = start, start
	leadStart := p.skipPrologue(d)
	p.rootIndent = -1
	d.Root = p.locateRoot(d, y.Content[0], leadStart)
	d.Head.End = d.Root.Span.Start
	if d.Root.Style == Block { // its properties, on lines above its first entry, are in the Head
		d.Head.End = d.Root.Content.Start
	}
	d.Foot.Start = p.pos
	p.skipTrivia()
	// a "..." and the comments around it are in the Foot
	for p.column() == 0 && p.atMarker("...") {
		p.pos += len("...")
		// a new Entry, because a document has no Comment or Irregular
		p.skipRestOfLine(new(Entry))
		p.skipTrivia()
	}
	isAtEnd := p.pos == len(p.src)
	if !isLast {
		isAtEnd = p.column() == 0 && (p.nextIs('%') || p.atMarker("---"))
	}
	if !isAtEnd {
		p.fail("unexpected content after the root of a document")
	}
	d.Foot.End, d.Span.End = p.pos, p.pos
	return d
}

// skipPrologue moves the cursor over the comments and directives at the start of d and over its "---", and sets
// d.Explicit. leadStart is the offset from which comments can belong to the first entry: after the line of the "---"
// or, without one, where the cursor was. It panics with an *Error if "---" is missing after directives.
func (p *locator) skipPrologue(d *Document) (leadStart int) {
	leadStart = p.pos
	hasDirectives := false
	for p.skipTrivia(); p.column() == 0 && p.nextIs('%'); p.skipTrivia() {
		end := p.lineEnd(p.pos)
		for p.pos < end && (p.src[p.pos] != '#' || !isBlank(p.src[p.pos-1])) {
			p.pos++
		}
		hasDirectives = true
	}
	d.Explicit = p.column() == 0 && p.atMarker("---")
	if d.Explicit {
		p.pos += len("---")
		leadStart = p.nextLineStart(p.pos)
	} else if hasDirectives {
		p.fail("expected --- after directives")
	}
	return leadStart
}

// locateRoot returns the root node of document d with its spans and entries, and moves the cursor over it. y is the
// YAML parser's node for the root; a root without text is located at the cursor. The comments directly above the first
// entry of a block collection become part of this entry, unless they are before offset leadStart. It panics with an
// *Error if the root is not where the parser found it.
func (p *locator) locateRoot(d *Document, y *yaml.Node, leadStart int) *Node {
	n := p.newNode(y)
	var unused Entry // gets the comments at the root, which is not in an entry
	if p.isUnwritten(y) {
		if d.Explicit {
			p.skipRestOfLine(&unused)
		}
		p.locateEmpty(n)
		return n
	}
	p.skipTrivia()
	p.confirmPosition(y)
	if !isBlock(y) {
		p.locateNonBlock(n, y, -1, &unused)
		return n
	}
	if p.hasProperties(y) { // on lines of their own
		p.skipProperties(n, y, -1, &unused)
		p.skipRestOfLine(&unused)
		leadStart = p.pos // comments above the anchor or tag are not part of the first entry
		p.skipTrivia()
	}
	p.locateBlock(n, y, p.attachedStart(leadStart))
	return n
}

// attachedStart returns where the comments directly above the line of the cursor start, to make them part of the entry
// on that line. It is the start of the cursor's line if there are none. Any other line, such as a blank one, ends the
// comments. Lines before offset limit are ignored.
func (p *locator) attachedStart(limit int) int {
	start := p.lineStart // while there is no block
	for off := limit; off < p.lineStart; off = p.nextLineStart(off) {
		switch hashOffset := skipBlanksFrom(p.src, off); {
		case !isComment(p.src, hashOffset): // any other line ends the block
			start = p.lineStart
		case start == p.lineStart: // the first line of a block
			start = off
		}
	}
	return start
}

// newNode returns the node for y, the YAML parser's node: with its kind, style, anchor, resolved tag and value. The
// byte spans, the entries and TagText are not set yet. It panics with an *Error if y is of another kind than mapping,
// sequence, scalar and alias.
func (p *locator) newNode(y *yaml.Node) *Node {
	n := allocate(&p.nodes)
	n.Style, n.Tag, n.Extra = styleOf(y), y.ShortTag(), sharedExtra
	if y.Anchor != "" || isCollection(y) {
		n.Extra = allocate(&p.extras)
		n.Indent, n.Anchor = -1, y.Anchor
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Mapping
	case yaml.SequenceNode:
		n.Kind = Sequence
	case yaml.ScalarNode:
		n.Kind, n.Value = Scalar, y.Value
	case yaml.AliasNode:
		n.Kind, n.Value, n.Tag = Alias, y.Value, ""
	default:
		p.fail("unknown kind of node")
	}
	return n
}

// locateEmpty sets the spans of n to the empty span at the cursor.
func (p *locator) locateEmpty(n *Node) {
	n.Span = text.Span{Start: p.pos, End: p.pos}
	n.Content = n.Span
}

// replaceWithText turns n, a flow collection whose spans are set, into a scalar of style FlowText with its source text
// as the value: `{{ x }}` is a mapping to YAML, but one value in the tree. y is the YAML parser's node for n. It panics
// with an *Error if n has several lines, an anchor or an alias below it.
func (p *locator) replaceWithText(n *Node, y *yaml.Node) {
	content := p.src[n.Content.Start:n.Content.End]
	if bytes.ContainsAny(content, "\r\n\u0085\u2028\u2029") || containsReferences(y) {
		failKey(y)
	}
	n.Kind, n.Style, n.Value = Scalar, FlowText, string(content)
	n.Entries, n.Tail, n.Implicit = nil, text.Span{}, false
}

// checkKey panics with an *Error if the key y cannot become a scalar: if it is a block collection, or an alias of a
// collection.
func (p *locator) checkKey(y *yaml.Node) {
	if isBlock(y) || y.Alias != nil && isCollection(y.Alias) {
		failKey(y)
	}
}

// failKey panics with an *Error at the position of the key y, which is a collection. The Error is not about an
// uncertain position.
func failKey(y *yaml.Node) {
	panic(&Error{Line: y.Line, Column: y.Column, Msg: "a mapping or sequence as a mapping key is not supported"})
}

// skipHeadTrivia moves the cursor over blanks, comments and line breaks between the key, the anchor or tag and the
// value of e. The first comment becomes e.Comment if e has none yet. A line break marks e as Irregular.
func (p *locator) skipHeadTrivia(e *Entry) {
	comment, crossedLine := p.skipTrivia()
	e.addComment(comment)
	e.Irregular = e.Irregular || crossedLine
}

// skipRestOfLine moves the cursor over blanks and a comment to the start of the next line, or to the end of the file.
// The comment becomes e.Comment. If e already has a Comment, e keeps it and becomes Irregular. It panics with an *Error
// if other text is on the rest of the line.
func (p *locator) skipRestOfLine(e *Entry) {
	p.skipBlanks()
	if s := p.skipComment(); !s.Empty() {
		e.Irregular = e.Irregular || !e.Comment.Empty()
		e.addComment(s)
	}
	if !p.skipLineBreak() && p.pos < len(p.src) {
		p.fail("unexpected text after a value")
	}
}

// isBare reports whether y is a null without content, anchor and tag. It may still have a lone "!", which the YAML
// parser drops.
func isBare(y *yaml.Node) bool {
	return hasNoContent(y) && y.Anchor == "" && y.Style&yaml.TaggedStyle == 0
}

// hasNoContent reports whether y is a plain scalar without text. It may have an anchor or a tag.
func hasNoContent(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0
}

// isCollection reports whether y is a mapping or a sequence.
func isCollection(y *yaml.Node) bool {
	return y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode
}

// isBlock reports whether y is a block collection.
func isBlock(y *yaml.Node) bool { return isCollection(y) && y.Style&yaml.FlowStyle == 0 }

// hasCollectionKey reports whether y is a mapping with a collection as a key. A key that is an alias does not count. It
// returns false for every other node.
func hasCollectionKey(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(y.Content); i += 2 {
		if isCollection(y.Content[i]) {
			return true
		}
	}
	return false
}

// containsReferences reports whether there is an anchor or an alias below y, at any depth. y itself is not considered.
func containsReferences(y *yaml.Node) bool {
	for _, c := range y.Content {
		if c.Anchor != "" || c.Kind == yaml.AliasNode || containsReferences(c) {
			return true
		}
	}
	return false
}

// nodesPerEntry returns the number of children that an entry of y has in the YAML parser's node: 2 for a mapping, 1 for
// a sequence. y must be one of the two.
func nodesPerEntry(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// styleOf returns the style of y: Block or Flow for a collection, DoubleQuoted, SingleQuoted, Literal or Folded for
// such a scalar, and Plain for every other scalar and for an alias.
func styleOf(y *yaml.Node) Style {
	switch style := y.Style; {
	case isBlock(y):
		return Block
	case style&yaml.FlowStyle != 0:
		return Flow
	case style&yaml.DoubleQuotedStyle != 0:
		return DoubleQuoted
	case style&yaml.SingleQuotedStyle != 0:
		return SingleQuoted
	case style&yaml.LiteralStyle != 0:
		return Literal
	case style&yaml.FoldedStyle != 0:
		return Folded
	}
	return Plain
}
