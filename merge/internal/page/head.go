package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// headLine returns the first line of the merged entry c, an entry of a block collection, with its line break:
// indentation up to column col, key or dash, anchor and tag, value and comment.
//
//	a: 1 # x      all of it; a scalar or flow collection of several lines is included with all of them
//	a: |2-        without the lines of a block scalar
//	a: &x         without the entries of a block collection
//	a: {}         a block collection of which no entry remains; [] for a list
//
// If c.Head names a version, everything after the key is copied from that version. v is the collection that contains c,
// in each version. commentSide is the version from which the comment on the line is copied. If it has none, the line
// has no comment.
func (r *Renderer) headLine(c *plan.MergedEntry, v three.Nodes, col int, commentSide three.Version) sourced {
	m := c.Value
	b := r.keyLineStart(c, v, col)
	if s, ok := c.Head.Get(); ok {
		e := c.Entries[s]
		rest := r.text(s, text.Span{Start: e.Colon, End: e.HeadEnd})
		return concat(b, rest.moveExceptFirst(toColumn(v[s], col)))
	}
	props, content := r.propertiesText(m), r.contentOnLine(m, v, col)
	if len(props.bytes)+len(content.bytes) > 0 {
		b = concat(b, r.gapBeforeValue(c, m, v, col))
	}
	b = concat(b, props, content)
	if len(content.bytes) == 0 {
		b = b.trimRight()
	}
	return concat(b, r.lineEnd(c, v, commentSide))
}

// keyLineStart returns the indentation up to column col, and the mapping key with its colon, or the dash, of the
// merged entry c. v is the collection that contains c, in each version.
func (r *Renderer) keyLineStart(c *plan.MergedEntry, v three.Nodes, col int) sourced {
	key := r.keyText(c.Key, c.Entries[c.Key], v[c.Key], false)
	return concat(spaces(col), key.moveExceptFirst(toColumn(v[c.Key], col)))
}

// writeExpandedFlowEntry writes the merged entry c of a block collection, if its value is a flow collection with lines
// of its own for each entry:
//
//	key: [
//	  a,
//	  b
//	] # comment
//
// It adds all of these lines to p, with the key at column col and a line break at the end. Entries in conflict become
// conflicts of p. v is the collection that contains c, in each version.
func (r *Renderer) writeExpandedFlowEntry(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	var outer [3]text.Move
	for s, n := range v {
		if n != nil {
			outer[s] = toColumn(n, col)
		}
	}
	p.addText(concat(r.keyLineStart(c, v, col), r.gapBeforeValue(c, c.Value, v, col), r.propertiesText(c.Value)))
	r.writeExpandedFlow(c.Value, outer, p)
	p.appendToLast(r.lineEnd(c, v, c.Comment.Side))
}

// lineEnd returns the text after the value of the merged entry c on its line: blanks, comment and line break.
// commentSide is the version with the comment to write; it may have none. v is the collection that contains c, in each
// version.
//
// The text is copied from a version with this comment, because the versions may differ in the blanks. It is the first
// of these that has it, with a line break, in a block collection:
//
//   - updated if dest's text equals the original's, and dest otherwise
//   - the version from which the value is copied (c.Value.FormatFrom), dest, updated
//
// If there is no such version, the comment of commentSide is joined with the line break of the entry. The result may
// share memory with a version.
func (r *Renderer) lineEnd(c *plan.MergedEntry, v three.Nodes, commentSide three.Version) sourced {
	want := bytes.TrimSpace(r.lineComment(c, commentSide).bytes)
	var ends [3]sourced
	for s, e := range c.Entries {
		if e != nil && v[s].Style != syntax.Flow && bytes.Equal(bytes.TrimSpace(r.lineComment(c, three.Version(s)).bytes), want) {
			ends[s] = r.ownLineEnd(three.Version(s), e)
		}
	}
	end := ends[formatSide(ends)]
	for _, s := range [3]three.Version{c.Value.FormatFrom, three.Dest, three.Updated} {
		if end.bytes == nil {
			end = ends[s]
		}
	}
	if end.bytes == nil {
		return concat(r.lineComment(c, commentSide), r.lineBreak(c))
	}
	return end
}

// formatSide returns updated if dest's bytes equal the original's, so that only updated can have changed them.
// Otherwise it returns dest. A nil version is equal to an empty one.
func formatSide(v [3]sourced) three.Version {
	if bytes.Equal(v[three.Original].bytes, v[three.Dest].bytes) {
		return three.Updated
	}
	return three.Dest
}

// ownLineEnd returns the text after an entry's value up to the end of the line, including the line feed, in the file
// of version s. For `a: 1 # x` this is ` # x` and the line feed. Its bytes are nil if the last line has no line feed, or
// if the entry's head ends earlier (`- - x`).
func (r *Renderer) ownLineEnd(s three.Version, e *syntax.Entry) sourced {
	start := r.valueEnd(s, e)
	end := r.text(s, text.Span{Start: start, End: min(max(r.Files[s].LineEnd(start), start), max(e.HeadEnd, start))})
	if !bytes.HasSuffix(end.bytes, lf) {
		return sourced{}
	}
	return end
}

// valueEnd returns the offset in the file of s after which only blanks, a comment and the line break can follow on the
// line:
//
//	a: 1         after the 1; in general, after the last byte of a scalar or flow collection
//	a: |2-       after the header |2-
//	a: &x !t     after the anchor and the tag of a block collection
//	a:           after the colon, for a block collection without properties or an empty value
func (r *Renderer) valueEnd(s three.Version, e *syntax.Entry) int {
	n := e.Value
	switch {
	case n.IsBlockScalar():
		return n.BlockHeader(r.Files[s]).End
	case n.Style != syntax.Block:
		return max(n.Span.End, e.Colon)
	case n.HasProperties():
		return n.PropsEnd(r.Files[s])
	}
	return e.Colon
}

// contentOnLine returns the part of a value that is written after its key and its properties, before the comment:
//
//	a: 1         1; in general, all lines of a scalar that is not a block scalar
//	a: [1, 2]    [1, 2]; all lines of a flow collection
//	a: |2-       the header |2-
//	a:           empty for a block collection; {} or [] if no entry of it remains
//	a:           empty for an empty value
//
// m is the merged value, v the collection that contains the entry in each version, and col the column of the entry in
// the result. All lines but the first move by as many columns as the entry.
func (r *Renderer) contentOnLine(m *plan.Value, v three.Nodes, col int) sourced {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.IsEmptyBlock():
		return written(three.EmptyCollection, []byte(emptyFlow(n)))
	case n.Style == syntax.Block:
		return sourced{}
	case n.IsBlockScalar():
		return r.text(m.FormatFrom, n.BlockHeader(r.Files[m.FormatFrom]))
	}
	t := r.text(m.FormatFrom, n.Content)
	switch {
	case m.IsFlowText():
		t = r.flowText(m)
	case m.Lines != nil:
		t = r.joinLines(m)
	}
	return t.moveExceptFirst(toColumn(v[m.FormatFrom], col))
}

// gapBeforeValue returns the bytes between the colon or dash and the value of the merged entry c, usually one blank. m
// is the value, v the collection that contains c in each version, and col the column of c in the result.
//
// The bytes are those of updated if dest's equal the original's, and those of dest otherwise. Values that are aligned
// in columns thus remain aligned. The bytes of the version from which the value is copied (m.FormatFrom) are used in
// two cases:
//
//   - The selected version has no such bytes.
//   - One of the two has a line break there, and the value cannot start on a line of its own in the result
//     (canKeepOwnLine).
//
// If that version has no such bytes either, the result is one blank.
func (r *Renderer) gapBeforeValue(c *plan.MergedEntry, m *plan.Value, v three.Nodes, col int) sourced {
	var gaps [3]sourced
	for s, e := range c.Entries {
		if e != nil && (e.Value.Style != syntax.Block || e.Value.HasProperties()) {
			gaps[s] = r.text(three.Version(s), text.Span{Start: e.Colon, End: max(e.Value.Span.Start, e.Colon)})
		}
	}
	from := formatSide(gaps)
	gap, own := gaps[from], gaps[m.FormatFrom]
	if hasBreak := bytes.ContainsAny(gap.bytes, "\n\r") || bytes.ContainsAny(own.bytes, "\n\r"); len(gap.bytes) == 0 || hasBreak && !r.canKeepOwnLine(m, v[from], col) {
		gap = own
	}
	if len(gap.bytes) == 0 {
		return punctuation(" ")
	}
	return gap
}

// canKeepOwnLine reports whether a value can start on the line after its key in the result. It can if it is a scalar
// or a flow collection, is written on one line, and the entries of parent, the collection that contains it, are in
// column col, so that they do not move. The answer is false if parent is nil.
func (r *Renderer) canKeepOwnLine(m *plan.Value, parent *syntax.Node, col int) bool {
	n := m.Nodes[m.FormatFrom]
	inline := n.Style != syntax.Block && !n.IsBlockScalar() && m.Lines == nil
	return inline && parent != nil && parent.Indent == col && bytes.IndexByte(r.bytes(m.FormatFrom, n.Content), '\n') < 0
}

// lineBreak returns the line break to write after the head line of the merged entry c: CRLF, CR or LF. It is copied
// from the first of these versions that has the entry, with a line break after its head:
//
//   - the version from which the format of the value is copied
//   - dest
//   - updated
//
// If there is none, it is r.LineBreak.
func (r *Renderer) lineBreak(c *plan.MergedEntry) sourced {
	for _, s := range [3]three.Version{c.Value.FormatFrom, three.Dest, three.Updated} {
		e := c.Entries[s]
		if e == nil {
			continue
		}
		t := r.text(s, text.Span{Start: e.Colon, End: max(e.HeadEnd, e.Colon)})
		switch b := t.bytes; {
		case bytes.HasSuffix(b, []byte("\r\n")):
			return t.from(len(b) - 2)
		case bytes.HasSuffix(b, []byte("\r")), bytes.HasSuffix(b, lf):
			return t.from(len(b) - 1)
		}
	}
	return written(three.LineBreak, r.LineBreak)
}

// layouts are the indentation widths (of mappings, lists and block scalars) of the three versions, and the widths that
// the result has.
type layouts struct {
	own    [3]syntax.Layout
	merged syntax.Layout
}

// newLayouts returns the indentation widths (of mappings, lists and block scalars) of the three streams and of their
// merge. If a stream has no list, the width of its lists is that of its mappings. This is not so, and the width remains
// unknown, if one of the streams indents lists and mappings differently. The same applies to block scalars.
//
// Each width is merged separately, without conflicts: it is updated's if dest has that of the original, and dest's
// otherwise. There is one exception: if the original has several widths and each side changed all of them to a
// different one, the merged width is syntax.MixedIndent.
func newLayouts(streams [3]*syntax.Stream) *layouts {
	var l layouts
	for s, st := range streams {
		l.own[s] = st.Layout()
	}
	l.fillUnknown(func(l *syntax.Layout) *int { return &l.List })
	l.fillUnknown(func(l *syntax.Layout) *int { return &l.Text })
	o, d, u := l.own[three.Original], l.own[three.Dest], l.own[three.Updated]
	l.merged = syntax.Layout{Mapping: mergeIndent(o.Mapping, d.Mapping, u.Mapping), List: mergeIndent(o.List, d.List, u.List), Text: mergeIndent(o.Text, d.Text, u.Text)}
	return &l
}

// mergeIndent merges one indentation width: it returns u if d equals o, and d otherwise. There is one exception: if o
// is syntax.MixedIndent and the two sides have different widths that are not o, it returns o.
func mergeIndent(o, d, u int) int {
	if o == syntax.MixedIndent && d != o && u != o && d != u {
		return o
	}
	return three.Form(o, d, u)
}

// fillUnknown replaces the indentation of lists or of block scalars in each version in which it is
// syntax.UnknownIndent. indentOf selects one of the two. The new value is the indentation of mappings in that version.
//
// It does nothing if a version indents lists or block scalars by another width than mappings, because one cannot be
// guessed from the other then.
func (l *layouts) fillUnknown(indentOf func(*syntax.Layout) *int) {
	for s := range l.own {
		if by := *indentOf(&l.own[s]); by != syntax.UnknownIndent && by != l.own[s].Mapping {
			return
		}
	}
	for s := range l.own {
		if by := indentOf(&l.own[s]); *by == syntax.UnknownIndent {
			*by = l.own[s].Mapping
		}
	}
}

// indentOfValue returns the indentation in the result of a node n that is copied from version s. It is the number of
// columns from the entries of parent to the entries of n, or to the lines of the block scalar n. n is the value of an
// entry of parent.
//
// It is the merged width if all of this is true, and n's own indentation otherwise:
//
//   - s uses one width for all such values, and it is known
//   - the merged width is known, and is not syntax.MixedIndent
//   - the merged width is not 0, or n is a block list
func (l *layouts) indentOfValue(s three.Version, parent, n *syntax.Node) int {
	own := n.Indent - parent.Indent
	from := l.own[s].IndentFor(parent, n)
	if from == nil || *from < 0 {
		return own
	}
	if to := *l.merged.IndentFor(parent, n); to >= 0 && (to > 0 || n.Style == syntax.Block && n.Kind == syntax.Sequence) {
		return to
	}
	return own
}

// A blockMover copies lines of version s to out. It changes their indentation to that of the result: each collection
// and block scalar in them is moved to the column that the merged indentation widths give it.
type blockMover struct {
	r   *Renderer
	s   three.Version
	out sourced
	at  int // the offset in the version up to which it is copied
	end int // the offset at which the part ends
}

// writeUpTo appends the text from z.at, where the last copy ended, up to the offset off to z.out, and sets z.at to off.
// It copies at most up to z.end. The lines move by delta columns. If z.at is within a line, the rest of this line does
// not move. writeUpTo does nothing if off is not after z.at.
func (z *blockMover) writeUpTo(off, delta int) {
	if off = min(off, z.end); off <= z.at {
		return
	}
	t, move := z.r.text(z.s, text.Span{Start: z.at, End: off}), text.MoveColumns(0, delta)
	if f := z.r.Files[z.s]; f.LineStart(z.at) == z.at {
		t = t.move(move)
	} else {
		t = t.moveExceptFirst(move)
	}
	z.out.append(t)
	z.at = off
}

// writeEntry copies e, an entry of the collection in, from z.at to the end of e. The line of its key moves by delta
// columns, and its value by the columns that the merged indentation requires.
func (z *blockMover) writeEntry(e *syntax.Entry, in *syntax.Node, delta int) {
	z.writeValue(e, in, delta)
	z.writeUpTo(e.Span.End, delta)
}

// writeValue copies e, an entry of the collection in, from z.at to the end of the value of e. The line of the key moves
// by delta columns. The other lines depend on the value:
//
//   - block scalar: they move so that it is indented by the merged width. With an indentation indicator (|2), they move
//     by delta columns
//   - block collection that starts on the line of its dash (`- a: 1`): they move by delta columns
//   - other block collection: they move so that it is indented by the merged width
//   - any other value: nothing is copied. The caller copies such an entry as one piece
func (z *blockMover) writeValue(e *syntax.Entry, in *syntax.Node, delta int) {
	n := e.Value
	inner := in.Indent + delta + z.r.readLayouts().indentOfValue(z.s, in, n) - n.Indent
	switch {
	case n.IsBlockScalar():
		if z.hasIndentIndicator(n) {
			inner = delta
		}
		z.writeUpTo(n.Lines.Start, delta)
		z.writeUpTo(n.Lines.End, inner)
	case n.Style == syntax.Block && n.IsCompact():
		z.writeEntries(n, delta)
	case n.Style == syntax.Block:
		z.writeUpTo(e.HeadEnd, delta)
		z.writeEntries(n, inner)
	}
}

// hasIndentIndicator reports whether the header of the block scalar n has a number, as in "|2".
func (z *blockMover) hasIndentIndicator(n *syntax.Node) bool {
	return bytes.ContainsAny(z.r.bytes(z.s, n.BlockHeader(z.r.Files[z.s])), "0123456789")
}

// writeEntries copies the entries of the block collection n, and the comments and blank lines after the last one. They
// move by delta columns.
func (z *blockMover) writeEntries(n *syntax.Node, delta int) {
	for _, e := range n.Entries {
		z.writeEntry(e, n, delta)
	}
	z.writeUpTo(n.Tail.End, delta)
}

// readLayouts returns the indentation widths of the versions and of the result. It computes them in the first call.
func (r *Renderer) readLayouts() *layouts {
	if r.cachedLayouts == nil {
		r.cachedLayouts = newLayouts(r.Streams)
	}
	return r.cachedLayouts
}
