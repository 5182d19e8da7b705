package syntax

import (
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// place places the nodes of f.
func place(f *text.File) (*Stream, *Error) {
	src := f.Bytes()
	p := &placer{cursor: newCursor(src), file: f, where: newPositions(src), gap: gap{token: -1}}
	s := &Stream{File: f}
	p.documents(s, documents(src))
	if p.err != nil {
		return nil, p.err
	}
	if p.trivia(); p.pos != len(src) {
		p.fail("content behind the last document")
	}
	if p.err == nil {
		p.err = check(s)
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

// documents places those of roots in s.
func (p *placer) documents(s *Stream, roots source) {
	start := 0
	y, err := roots()
	for y != nil && p.err == nil {
		var below *yaml.Node
		below, err = roots()
		d := p.document(y, start, below == nil)
		s.Docs = append(s.Docs, d)
		start, y = d.Span.End, below
	}
	for y != nil && err == nil { // what is no YAML says more than what could not be placed
		y, err = roots()
	}
	if err != nil {
		p.err = err
	}
	if len(s.Docs) == 0 {
		s.Docs = p.noDocument()
	}
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
	p.epilogue(last)
	d.Foot.End, d.Span.End = p.pos, p.pos
	return d
}

// prologue moves over the trivia, the directives and the --- of d. It returns
// the offset from which comments may belong to the root's first entry.
func (p *placer) prologue(d *Document) (top int) {
	top = p.pos
	directives := false
	for p.trivia(); p.column() == 0 && p.at('%'); p.trivia() {
		p.nextLine()
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
	if p.hasProperties(y) {
		top = p.rootProperties(n, y)
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

// rootProperties places the properties of the block collection n, which stand
// on lines of their own, and returns the end of their last line.
func (p *placer) rootProperties(n *Node, y *yaml.Node) int {
	var head Entry
	p.properties(n, y, -1, &head)
	p.headBreak(&head)
	top := p.pos
	p.trivia()
	return top
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

// epilogue moves over what stands behind the root up to the next document:
// to its ---, or behind "..." to its first directive.
func (p *placer) epilogue(last bool) {
	p.trivia()
	for p.column() == 0 && p.marker("...") {
		p.pos += len("...")
		if p.headBreak(new(Entry)); p.err != nil {
			return
		}
		p.trivia()
	}
	switch {
	case last && p.pos == len(p.src):
	case !last && p.column() == 0 && (p.at('%') || p.marker("---")):
	default:
		p.fail("unexpected content behind a document's root")
	}
}

// noDocument returns the documents of a file without any: one with an empty
// root if there are bytes to own, else none.
func (p *placer) noDocument() []*Document {
	end := len(p.src)
	if end == 0 {
		return nil
	}
	at := text.Span{Start: end, End: end}
	root := NewNode(Scalar, Plain)
	root.Tag = "!!null"
	root.Span, root.Content = at, at
	whole := text.Span{Start: 0, End: end}
	return []*Document{{Span: whole, Head: whole, Root: root, Foot: at}}
}
