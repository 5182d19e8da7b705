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
// The first failure sticks in err; from then on every method does nothing of
// use, and the loops end.
type placer struct {
	cursor
	file  *text.File
	where positions
	gap   gap
	base  int // the indent of the document's root; -1 if it is no block collection
	err   *Error
}

// fail records that something at the cursor could not be placed.
func (p *placer) fail(msg string) {
	if p.err == nil {
		p.err = errorAt(p.file, p.pos, Unplaced, msg)
	}
}

// expect moves over b.
func (p *placer) expect(b byte) {
	if p.err != nil {
		return
	}
	if !p.at(b) {
		p.fail("expected " + string(rune(b)))
		return
	}
	p.pos++
}

// confirm fails unless the YAML parser saw y at the cursor.
func (p *placer) confirm(y *yaml.Node) {
	if p.err != nil {
		return
	}
	if off, ok := p.where.offset(y.Line, y.Column); !ok || off != p.pos {
		p.fail("the position of a node is not certain")
	}
}

// isHere reports whether the YAML parser saw y at the cursor. Unlike confirm
// it may be asked about nodes whose position means nothing.
func (p *placer) isHere(y *yaml.Node) bool {
	ahead := p.where
	off, ok := ahead.offset(y.Line, y.Column)
	return ok && off == p.pos
}

// nothing reports whether nothing is written of y, neither at the cursor nor
// behind trivia.
func (p *placer) nothing(y *yaml.Node) bool {
	if !bare(y) {
		return false
	}
	save := p.cursor
	p.trivia()
	lone := p.indicator('!') && p.isHere(y)
	p.cursor = save
	return !lone
}

// node returns the node of y, with everything but its spans.
func (p *placer) node(y *yaml.Node) *Node {
	n := &Node{Style: styleOf(y), Anchor: y.Anchor, Indent: -1, Tag: y.ShortTag()}
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
	if p.err != nil {
		return
	}
	content := p.src[n.Content.Start:n.Content.End]
	if bytes.ContainsAny(content, "\r\n\u0085\u2028\u2029") || refersWithin(y) {
		p.failKey(y)
		return
	}
	n.Kind, n.Style, n.Value = Scalar, Sealed, string(content)
	n.Entries, n.Tail, n.Implicit = nil, text.Span{}, false
}

// refuseKey fails if y is a key that no scalar can stand for: a block
// collection, or an alias to a collection.
func (p *placer) refuseKey(y *yaml.Node) bool {
	if isCollection(y) && isBlock(y) || y.Kind == yaml.AliasNode && y.Alias != nil && isCollection(y.Alias) {
		p.failKey(y)
	}
	return p.err != nil
}

func (p *placer) failKey(y *yaml.Node) {
	if p.err == nil {
		p.err = &Error{Line: y.Line, Column: y.Column, Reason: ComplexKey, Msg: "a mapping or sequence as the key of a mapping"}
	}
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
