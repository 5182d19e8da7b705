package syntax

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A placer finds the bytes of nodes. Its cursor moves forward over the file
// while it walks the YAML parser's nodes in document order: it knows from the
// kind, style and value of a node what must stand at the cursor, and the
// node's line and column confirm it.
//
// A failure is a panic with an *Error, which Parse returns.
type placer struct {
	cursor
	file     *text.File
	data     []byte // what the YAML parser reads
	yaml     *yaml.Decoder
	where    positions
	gap      gap
	base     int          // the indent of the document's root; -1 if it is no block collection
	doc      int          // the index of the document
	comments []Comment    // all that the cursor has passed, in their order
	leads    map[int]bool // the offsets of lines whose comments belong to the entry below them
}

// fail ends the reading: something at the cursor could not be placed.
func (p *placer) fail(msg string) {
	e := errorAt(p.file, p.pos, msg)
	e.Unplaced = true
	panic(e)
}

// expect moves over b.
func (p *placer) expect(b byte) {
	if !p.at(b) {
		p.fail("expected " + string(rune(b)))
	}
	p.pos++
}

// confirm fails unless the YAML parser saw y at the cursor.
func (p *placer) confirm(y *yaml.Node) {
	if off, ok := p.where.offset(y.Line, y.Column); !ok || off != p.pos {
		p.fail("the position of a node is not certain")
	}
}

// nothing reports whether nothing is written of y, neither at the cursor nor
// behind trivia.
func (p *placer) nothing(y *yaml.Node) bool {
	if !bare(y) {
		return false
	}
	save, ahead := p.cursor, p.where
	p.trivia()
	lone := p.indicator('!')
	if lone { // only then is it looked for: the position of nothing may mean nothing
		off, ok := ahead.offset(y.Line, y.Column)
		lone = ok && off == p.pos
	}
	p.cursor = save
	return !lone
}

// comment moves over a comment, if one stands at the cursor, and returns it.
func (p *placer) comment() text.Span {
	s := text.Span{Start: p.pos, End: p.pos}
	if p.at('#') {
		p.pos = p.lineEnd(p.pos)
		s.End = p.pos
		if n := len(p.comments); n == 0 || p.comments[n-1].Span.Start < s.Start {
			p.comments = append(p.comments, Comment{s, p.doc})
		}
	}
	return s
}

// trivia moves over blanks, comments and breaks. It returns the first
// comment and whether it moved to another line.
func (p *placer) trivia() (first text.Span, crossed bool) {
	for {
		p.blanks()
		if s := p.comment(); first.Empty() {
			first = s
		}
		if !p.lineBreak() {
			return first, crossed
		}
		crossed = true
	}
}

// stream places all documents.
func (p *placer) stream() *Stream {
	s := &Stream{File: p.file}
	start := 0
	for y := p.next(); y != nil; p.doc++ {
		below := p.next()
		d := p.document(y, start, below == nil)
		s.Docs = append(s.Docs, d)
		start, y = d.Span.End, below
	}
	if end := len(p.src); len(s.Docs) == 0 && end > 0 { // trivia alone
		root := NewNode(Scalar, Plain)
		root.Tag = "!!null"
		root.Span = text.Span{Start: end, End: end}
		root.Content = root.Span
		whole := text.Span{Start: 0, End: end}
		s.Docs = []*Document{{Span: whole, Head: whole, Root: root, Foot: root.Span}}
	}
	if p.trivia(); p.pos != len(p.src) {
		p.fail("content behind the last document")
	}
	s.comments = p.comments
	if e := check(s); e != nil {
		panic(e)
	}
	return s
}

// document places the document y, which starts at start.
func (p *placer) document(y *yaml.Node, start int, last bool) *Document {
	d := &Document{}
	d.Span.Start, d.Head.Start = start, start
	top := p.prologue(d)
	p.base = -1
	d.Root = p.root(d, y.Content[0], top)
	d.Head.End = d.Root.Span.Start
	if d.Root.Style == Block {
		d.Head.End = d.Root.Content.Start
	}
	d.Foot.Start = max(d.Root.Span.End, d.Root.Content.End)
	p.trivia()
	for p.column() == 0 && p.marker("...") {
		p.pos += len("...")
		p.headBreak(new(Entry))
		p.trivia()
	}
	switch {
	case last && p.pos == len(p.src):
	case !last && p.column() == 0 && (p.at('%') || p.marker("---")):
	default:
		p.fail("unexpected content behind a document's root")
	}
	d.Foot.End, d.Span.End = p.pos, p.pos
	return d
}

// prologue moves over the trivia, the directives and the --- of d. It returns
// the offset from which comments may belong to the root's first entry.
func (p *placer) prologue(d *Document) (top int) {
	top = p.pos
	directives := false
	for p.trivia(); p.column() == 0 && p.at('%'); p.trivia() {
		end := p.lineEnd(p.pos)
		for p.pos < end && (p.src[p.pos] != '#' || !isBlank(p.src[p.pos-1])) {
			p.pos++
		}
		directives = true
	}
	d.Explicit = p.column() == 0 && p.marker("---")
	if d.Explicit {
		p.pos += len("---")
		top = p.lineAfter(p.pos)
	} else if directives {
		p.fail("directives without a document")
	}
	return top
}

// root places the root of d.
func (p *placer) root(d *Document, y *yaml.Node, top int) *Node {
	n := p.node(y)
	if p.nothing(y) {
		if d.Explicit {
			p.headBreak(new(Entry))
		}
		p.void(n)
		return n
	}
	_, crossed := p.trivia()
	p.confirm(y)
	if !isBlock(y) {
		p.inner(n, y, -1, new(Entry))
		return n
	}
	if p.hasProperties(y) { // on lines of their own
		p.properties(n, y, -1, new(Entry))
		p.headBreak(new(Entry))
		top = p.pos
		p.trivia()
		crossed = true
	}
	inline := d.Explicit && !crossed
	from := p.pos
	if !inline {
		from = p.attached(top)
	}
	p.block(n, y, from, inline)
	return n
}

// attached returns the start of the comments that touch the line of the
// cursor from above, but nothing before top.
func (p *placer) attached(top int) int {
	from := p.bol
	for off := top; off < p.bol; off = p.lineAfter(off) {
		switch hash := skipBlanks(p.src, off); {
		case !isComment(p.src, hash):
			from = p.bol
		case from == p.bol:
			from = off
		}
	}
	return from
}

// node returns the node of y, with everything but its spans.
func (p *placer) node(y *yaml.Node) *Node {
	n := &Node{Style: styleOf(y), Tag: y.ShortTag(), More: nothingMore}
	if y.Anchor != "" || isCollection(y) {
		n.own()
		n.Anchor = y.Anchor
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

// void places n, of which nothing is written, at the cursor.
func (p *placer) void(n *Node) {
	n.Span = text.Span{Start: p.pos, End: p.pos}
	n.Content = n.Span
}

// seal makes n, the flow collection y that has been placed, a scalar: its
// text. So {{ .Values.image }}, which to YAML is a mapping whose key is a
// mapping, is one value. It fails where the text alone does not say what y
// means: on several lines, or with anchors or aliases inside.
func (p *placer) seal(n *Node, y *yaml.Node) {
	content := p.src[n.Content.Start:n.Content.End]
	if bytes.ContainsAny(content, "\r\n\u0085\u2028\u2029") || refersWithin(y) {
		p.failKey(y)
	}
	n.Kind, n.Style, n.Value = Scalar, Sealed, string(content)
	n.Entries, n.Tail, n.Implicit = nil, text.Span{}, false
}

// refuseKey fails if y is a key that no scalar can stand for: a block
// collection, or an alias to a collection.
func (p *placer) refuseKey(y *yaml.Node) {
	if isBlock(y) || y.Kind == yaml.AliasNode && y.Alias != nil && isCollection(y.Alias) {
		p.failKey(y)
	}
}

func (p *placer) failKey(y *yaml.Node) {
	panic(&Error{Line: y.Line, Column: y.Column, Msg: "a mapping or sequence as the key of a mapping"})
}

// space moves over the trivia inside the head of e.
func (p *placer) space(e *Entry) {
	comment, crossed := p.trivia()
	e.note(comment)
	e.Odd = e.Odd || crossed
}

// headBreak moves over the comment and the break that end a line.
func (p *placer) headBreak(e *Entry) {
	p.blanks()
	if s := p.comment(); !s.Empty() {
		e.Odd = e.Odd || !e.Comment.Empty()
		e.note(s)
	}
	if !p.lineBreak() && p.pos < len(p.src) {
		p.fail("unexpected text behind a value")
	}
}

// bare reports whether y is a value of which nothing is written, or nothing
// but a lone "!", which the YAML parser drops.
func bare(y *yaml.Node) bool { return blank(y) && y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 }

// blank reports whether y has no content, but perhaps properties.
func blank(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0
}

func isCollection(y *yaml.Node) bool {
	return y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode
}

// isBlock reports whether y is a block collection.
func isBlock(y *yaml.Node) bool { return isCollection(y) && y.Style&yaml.FlowStyle == 0 }

// hasCollectionKey reports whether y is a mapping with a collection as a key.
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

// refersWithin reports whether an anchor or an alias stands inside y.
func refersWithin(y *yaml.Node) bool {
	for _, c := range y.Content {
		if c.Anchor != "" || c.Kind == yaml.AliasNode || refersWithin(c) {
			return true
		}
	}
	return false
}

// pairs returns how many nodes an entry of y has.
func pairs(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

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
