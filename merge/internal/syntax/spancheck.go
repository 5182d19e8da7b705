package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// checkSpans returns an error if the parts of the file have a gap or overlap, at the first such place, and otherwise
// nil. The comments of Stream, Document, Node and Entry describe how the parts follow each other. checkSpans does not
// rely on the code that sets the spans.
func checkSpans(s *Stream) *Error {
	c := spanChecker{src: s.File.Bytes()}
	for _, d := range s.Docs {
		c.requireAt(d.Span.Start)
		c.checkTile(d.Head)
		c.checkNode(d.Root)
		c.checkTile(d.Foot)
		c.requireAt(d.Span.End)
	}
	c.requireAt(len(c.src))
	if !c.failed {
		return nil
	}
	e := errorAt(s.File, c.pos, "the parts of the file have gaps or overlap")
	e.PositionsUncertain = true
	return e
}

// A spanChecker walks over the parts of a file from its start. pos is the offset at which the next part must start.
// If a check fails, failed is set, and remains so.
type spanChecker struct {
	src    []byte
	pos    int
	failed bool
}

// require marks the check as failed if ok is false.
func (t *spanChecker) require(ok bool) { t.failed = t.failed || !ok }

// requireAt requires that the next part starts at off.
func (t *spanChecker) requireAt(off int) { t.require(off == t.pos) }

// moveTo moves to off, the end of a part. It requires that off is not before the current offset and not after the
// end of the file.
func (t *spanChecker) moveTo(off int) {
	if t.require(off >= t.pos && off <= len(t.src)); !t.failed {
		t.pos = off
	}
}

// checkTile requires that the next part of the file is s: that s starts where the last part ended. It moves to the end
// of s.
func (t *spanChecker) checkTile(s text.Span) {
	t.requireAt(s.Start)
	t.moveTo(s.End)
}

// checkNode checks that the parts of n follow each other without gaps and overlaps, as the comments of Node describe.
// It starts at the current offset and moves to the end of n. In a block collection, it starts at the first entry,
// because the check of the entry around n moves over the anchor and the tag.
func (t *spanChecker) checkNode(n *Node) {
	t.require(n.Span.Start <= n.Content.Start)
	if n.Style != Block {
		t.requireAt(n.Span.Start)
		t.moveTo(n.Content.Start)
	}
	t.requireAt(n.Content.Start)
	switch n.Style {
	case Block, Flow:
		bracketLen := 0
		if n.Style == Flow && !n.Implicit {
			bracketLen = len("[")
		}
		t.require(n.Style == Flow || len(n.Entries) > 0)
		t.moveTo(n.Content.Start + bracketLen)
		for _, e := range n.Entries {
			t.checkEntry(e, n.Style == Flow)
		}
		t.checkTile(n.Tail)
		t.moveTo(n.Tail.End + bracketLen)
	default:
		t.moveTo(n.Content.End)
		t.require(t.failed || textFitsNode(n, t.src[n.Content.Start:n.Content.End]))
	}
	t.requireAt(n.Content.End)
	t.requireAt(n.Span.End)
}

// checkEntry checks that the parts of e, such as its Lead, its key and its value, follow each other without gaps and
// overlaps, as the comment of Entry describes. It starts at the current offset and moves to the end of e. flow is set
// for an entry of a flow collection: there, the key or value must start directly after Lead, and the head must end with
// the value.
func (t *spanChecker) checkEntry(e *Entry, flow bool) {
	t.requireAt(e.Span.Start)
	t.checkTile(e.Lead)
	t.require(!flow || e.Start == t.pos)
	t.moveTo(e.Start)
	if e.Key != nil {
		t.moveTo(e.Key.Span.Start)
		t.checkNode(e.Key)
	}
	t.moveTo(e.Colon)
	if e.Value.Style == Block {
		t.require(e.Value.Span.Start >= e.Colon && e.Value.Span.Start <= e.HeadEnd)
		t.moveTo(e.HeadEnd)
		t.checkNode(e.Value)
	} else {
		t.moveTo(e.Value.Span.Start)
		t.checkNode(e.Value)
		t.require(!flow || e.HeadEnd == t.pos)
		t.moveTo(e.HeadEnd)
	}
	t.checkTile(e.Foot)
	t.requireAt(e.Span.End)
}

// textFitsNode reports whether textOfNode can be the source text of the scalar or alias n, without its anchor and tag.
// It is a rough check of spans that are already set:
//
//	*a          an alias: the whole text must fit
//	'a', "a"    a quoted scalar: only the two quotes must fit
//	|, >        a block scalar: only the first character must fit
//	a, {a: b}   a plain scalar or FlowText: the text must be empty exactly if the value is
func textFitsNode(n *Node, textOfNode []byte) bool {
	isQuoted := func(by byte) bool {
		return len(textOfNode) > 1 && textOfNode[0] == by && textOfNode[len(textOfNode)-1] == by
	}
	switch {
	case n.Kind == Alias:
		return len(textOfNode) > 0 && textOfNode[0] == '*' && string(textOfNode[1:]) == n.Value
	case n.Style == SingleQuoted:
		return isQuoted('\'')
	case n.Style == DoubleQuoted:
		return isQuoted('"')
	case n.Style == Literal:
		return len(textOfNode) > 0 && textOfNode[0] == '|'
	case n.Style == Folded:
		return len(textOfNode) > 0 && textOfNode[0] == '>'
	}
	// plain or FlowText
	return (len(textOfNode) == 0) == (n.Value == "")
}
