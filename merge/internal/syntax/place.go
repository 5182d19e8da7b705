package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/outline"
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
	mem   memory
	runs  []*outline.Run   // of the piece at the cursor that are not placed yet
	read  []*reading       // the pieces; nil if they are read when they are placed
	start int              // the line with which that piece starts, as the parser counts
	keys  map[string]*Node // that fields may share; nil if none do
	above map[string]bool  // the anchors so far; nil if aliases need none
	err   *Error
}

// Keys are shared in files from manyFields bytes on, so many of them at most.
const (
	manyFields = 64 << 10
	mostKeys   = 1024
)

// place places the nodes of f, as many as sum says, or nothing if it is not known. Each field
// has a key of its own if own is set.
func place(f *text.File, c cut, sum size, own bool) (*Stream, *Error) {
	src := f.Bytes()
	p := &placer{cursor: newCursor(src), file: f, where: newPositions(src), gap: gap{token: -1}, runs: c.runs, read: c.pieces, start: 1}
	if len(src) >= manyFields && !own {
		p.keys = map[string]*Node{}
	} else {
		p.mem = sum.memory()
	}
	if len(c.runs) > 0 {
		p.above = map[string]bool{}
	}
	s := &Stream{File: f}
	p.documents(s, c.roots)
	if p.err != nil {
		return nil, p.err
	}
	if p.trivia(); p.pos != len(src) {
		p.fail("content behind the last document")
	}
	if len(p.runs) > 0 {
		p.fail("what looked like a collection is none")
	}
	if p.err == nil {
		p.err = check(s)
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
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

// bare reports whether y is a value of which nothing is written, or nothing
// but a lone "!", which the YAML parser drops.
func bare(y *yaml.Node) bool { return blank(y) && y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 }

// blank reports whether y has no content, but perhaps properties.
func blank(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0
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

// isBlock reports whether y is a block collection.
func isBlock(y *yaml.Node) bool {
	return (y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode) && y.Style&yaml.FlowStyle == 0
}

// node returns the node of y, with everything but its spans.
func (p *placer) node(y *yaml.Node) *Node {
	n := p.mem.node()
	n.Style, n.Parts = styleOf(y), noParts
	if hasParts(y, n.Style) {
		n.Parts = p.mem.part()
		n.Indent, n.Properties = -1, noProperties
		if n.Style == Literal || n.Style == Folded || y.Anchor != "" {
			n.Properties = &Properties{Anchor: y.Anchor}
		}
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Mapping
		n.SetTag(y.ShortTag())
	case yaml.SequenceNode:
		n.Kind = Sequence
		n.SetTag(y.ShortTag())
	case yaml.ScalarNode:
		n.Kind, n.Value = Scalar, y.Value
		n.SetTag(y.ShortTag())
	case yaml.AliasNode:
		n.Kind, n.Value = Alias, y.Value
	default:
		p.fail("unknown kind of node")
	}
	return n
}

// hasParts reports whether a node in that style, as which y is placed, has parts of its own.
func hasParts(y *yaml.Node, style Style) bool {
	return style >= Literal || y.Anchor != "" || y.Style&yaml.TaggedStyle != 0
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

// void places n, of which nothing is written, at the cursor.
func (p *placer) void(n *Node) {
	n.Span = text.Span{Start: p.pos, End: p.pos}
	n.Content = n.Span
}
