package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// headLine returns the first line of the merged entry c of a block collection, with its line break: all except for the
// lines of a block scalar, or the entries of a block collection. The key is at column col. v is the collection in each
// version, and commentSide the version that has the comment.
//
//	a: 1 # x      all lines of another scalar, or of a flow collection
//	a: |2-        without the lines
//	a: {}         a block collection of which no entry remains
func (r *Renderer) headLine(c *plan.MergedEntry, v three.Nodes, col int, commentSide three.Version) sourcedText {
	m := c.Value
	b := r.keyLineStart(c, v, col)
	// all after the key is copied from one version
	if s, ok := c.Head.Get(); ok {
		e := c.Entries[s]
		rest := r.text(s, text.Span{Start: e.Colon, End: e.HeadEnd})
		return concat(b, rest.moveExceptFirst(toColumn(v[s], col)))
	}
	props, content := r.propertiesText(m), r.contentOnLine(m, v, col)
	if len(props.bytes)+len(content.bytes) > 0 {
		b = concat(b, r.gapBeforeValue(c, v, col))
	}
	return concat(concat(b, props, content).trimRight(), r.lineEnd(c, v, commentSide))
}

// keyLineStart returns the indentation up to column col, and the mapping key with its colon, or the dash, of the
// merged entry c. v is the collection that contains c, in each version.
func (r *Renderer) keyLineStart(c *plan.MergedEntry, v three.Nodes, col int) sourcedText {
	key := r.keyText(c.Key, c.Entries[c.Key], v[c.Key], false)
	return concat(spaces(col), key.moveExceptFirst(toColumn(v[c.Key], col)))
}

// writeExpandedFlowEntry adds the lines of the merged entry c of a block collection to p, with the key at column col.
// Its value must be a flow collection with lines of its own for each entry (see writeExpandedFlow), and the comment
// after it not in conflict. v is the collection that contains c in each version.
func (r *Renderer) writeExpandedFlowEntry(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	var outer [3]text.Move
	for s, n := range v {
		if n != nil {
			outer[s] = toColumn(n, col)
		}
	}
	p.addText(concat(r.keyLineStart(c, v, col), r.gapBeforeValue(c, v, col), r.propertiesText(c.Value)))
	r.writeExpandedFlow(c.Value, outer, p)
	p.appendToLast(r.lineEnd(c, v, c.Comment.Side))
}

// lineEnd returns the text after the value of the merged entry c on its line: the comment that commentSide has there,
// or none, with the blanks before it and the line break. If several versions have an equal comment, the blanks are
// those of the side that changed them. v is the collection that contains c in each version.
func (r *Renderer) lineEnd(c *plan.MergedEntry, v three.Nodes, commentSide three.Version) sourcedText {
	want := bytes.TrimSpace(r.lineComment(c, commentSide).bytes)
	var ends [3]sourcedText
	for s, e := range c.Entries {
		if e != nil && v[s].Style != syntax.Flow && bytes.Equal(bytes.TrimSpace(r.lineComment(c, three.Version(s)).bytes), want) {
			ends[s] = r.ownLineEnd(three.Version(s), e)
		}
	}
	// versions with an equal comment may differ in the blanks
	if end := ends[formatSide(ends)]; end.bytes != nil {
		return end
	}
	// that version has no such line end
	return concat(r.lineComment(c, commentSide), writtenText(three.LineBreak, r.LineBreak))
}

// formatSide returns the side whose format v the result gets: updated if the bytes of dest equal those of the original,
// so that only updated can have changed them, and otherwise dest. Missing bytes are equal to empty ones.
func formatSide(v [3]sourcedText) three.Version {
	if bytes.Equal(v[three.Original].bytes, v[three.Dest].bytes) {
		return three.Updated
	}
	return three.Dest
}

// ownLineEnd returns the text after an entry's value up to the end of its line in version s, with the line feed, as
// ` # x` for `a: 1 # x`. It is empty if the line has no line feed, or if the value, a collection, starts on this line
// (`- - x`).
func (r *Renderer) ownLineEnd(s three.Version, e *syntax.Entry) sourcedText {
	start := r.headContentEnd(s, e)
	end := r.text(s, text.Span{Start: start, End: min(max(r.Files[s].LineEnd(start), start), max(e.HeadEnd, start))})
	if !bytes.HasSuffix(end.bytes, lf) {
		return sourcedText{}
	}
	return end
}

// headContentEnd returns the offset in the file of s at which the text of e that belongs to its first line ends,
// without the comment after it. This is the end of a scalar or a flow collection, of the header of a block scalar, or
// of the anchor and tag of a block collection. For another block collection, it is the end of the colon or dash, even
// in `- a: 1`.
func (r *Renderer) headContentEnd(s three.Version, e *syntax.Entry) int {
	n := e.Value
	switch {
	case n.IsBlockScalar():
		// a: |2-
		return n.BlockHeader(r.Files[s]).End
	case n.Style != syntax.Block:
		// a: 1
		return max(n.Span.End, e.Colon)
	case n.HasProperties():
		// a: &x !t, before a block collection
		return n.PropsEnd(r.Files[s])
	}
	// a:
	return e.Colon
}

// contentOnLine returns the part of the merged value m that headLine writes after the key and the properties (anchor
// and tag). col is the column of the entry in the result, and v the collection that contains it in each version. m must
// not be an expanded flow collection with merged entries.
func (r *Renderer) contentOnLine(m *plan.Value, v three.Nodes, col int) sourcedText {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.IsEmptyBlock():
		return writtenText(three.EmptyCollection, []byte(emptyFlow(n)))
	case n.Style == syntax.Block:
		return sourcedText{}
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

// gapBeforeValue returns the bytes between the colon or dash and the value of the merged entry c. They are those of the
// side that changed them, so that values in aligned columns remain aligned. If these are empty or have a line break
// that does not fit, they are those of the version whose format the value has, or a blank. v is the collection that
// contains c in each version, and col the column of c in the result.
func (r *Renderer) gapBeforeValue(c *plan.MergedEntry, v three.Nodes, col int) sourcedText {
	var gaps [3]sourcedText
	for s, e := range c.Entries {
		// a block collection without properties begins on the next line, so it has no gap
		if e != nil && (e.Value.Style != syntax.Block || e.Value.HasProperties()) {
			gaps[s] = r.text(three.Version(s), text.Span{Start: e.Colon, End: max(e.Value.Span.Start, e.Colon)})
		}
	}
	m, from := c.Value, formatSide(gaps)
	// a line break needs a value of one line that does not move
	isOneLine := m.Lines == nil && !bytes.Contains(r.Files[m.FormatFrom].Slice(m.Nodes[m.FormatFrom].Content), lf)
	canBreak := isOneLine && v[from] != nil && v[from].Indent == col
	fits := canBreak || !bytes.ContainsAny(gaps[from].bytes, "\n\r")
	switch {
	case fits && len(gaps[from].bytes) > 0:
		return gaps[from]
	case len(gaps[m.FormatFrom].bytes) > 0:
		return gaps[m.FormatFrom]
	}
	return punctuation(" ")
}

// layouts are the indentation widths (of mappings, lists and block scalars) of the three versions, and the widths that
// the result has.
type layouts struct {
	own    [3]syntax.Layout
	merged syntax.Layout
}

// newLayouts returns the indentation widths of the three streams and of their merge, for mappings, lists and block
// scalars. Each width is merged by itself (see mergeIndent). A stream without lists, or without block scalars, gets the
// width of its mappings for them, if that can be assumed (see fillUnknown).
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

// mergeIndent merges one indentation width, as three.Form does, with one exception. If the original is mixed
// (syntax.MixedIndent) and both sides changed it, to different widths, it remains mixed.
func mergeIndent(o, d, u int) int {
	changed := d != o && u != o
	if o == syntax.MixedIndent && changed && d != u {
		return o
	}
	return three.Form(o, d, u)
}

// fillUnknown sets the indentation of lists or of block scalars, which indentOf selects, to that of mappings in each
// version in which it is syntax.UnknownIndent. It does nothing if a version indents them by another width than
// mappings: then one cannot be guessed from the other.
func (l *layouts) fillUnknown(indentOf func(*syntax.Layout) *int) {
	for s := range l.own {
		if by := *indentOf(&l.own[s]); by != syntax.UnknownIndent && by != l.own[s].Mapping {
			return
		}
	}
	for s := range l.own {
		*indentOf(&l.own[s]) = l.own[s].Mapping
	}
}

// indentOfValue returns by how many columns the value n of an entry of parent, copied from version s, is indented in
// the result. It is the merged width if parent is a mapping in block style, and s and the result each have one width
// for such values. Otherwise it is n's own indentation.
func (l *layouts) indentOfValue(s three.Version, parent, n *syntax.Node) int {
	own := n.Indent - parent.Indent
	from := l.own[s].IndentFor(parent, n)
	if from == nil || *from < 0 {
		return own
	}
	if to := *l.merged.IndentFor(parent, n); to >= 0 {
		return to
	}
	return own
}

// A blockMover copies lines of version s to out. It changes their indentation to that of the result: each collection
// and block scalar in them is moved to the column that the merged indentation widths give it.
type blockMover struct {
	r   *Renderer
	s   three.Version
	out sourcedText
	at  int // the offset in the version up to which it is copied
	end int // the offset at which the part ends
}

// writeUpTo appends the text from z.at, where the last copy ended, up to the offset off, at most z.end, to z.out, and
// sets z.at to its end. The lines move by delta columns, but not the rest of a line if z.at is within it.
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
	z.writeBlockValue(e, in, delta)
	z.writeUpTo(e.Span.End, delta)
}

// writeBlockValue copies the text from z.at, where the last copy ended, to the end of the value of e, an entry of the
// collection in, if it is a block collection or a block scalar. The line of the key moves by delta columns, and so does
// a value that starts on it (`- a: 1`); any other moves to the merged indentation.
func (z *blockMover) writeBlockValue(e *syntax.Entry, in *syntax.Node, delta int) {
	n := e.Value
	inner := in.Indent + delta + z.r.readLayouts().indentOfValue(z.s, in, n) - n.Indent
	switch {
	case n.IsBlockScalar():
		z.writeUpTo(n.Lines.Start, delta)
		z.writeUpTo(n.Lines.End, inner)
	// it starts on the line of its dash
	case n.Style == syntax.Block && n.IsCompact():
		z.writeEntries(n, delta)
	case n.Style == syntax.Block:
		z.writeUpTo(e.HeadEnd, delta)
		z.writeEntries(n, inner)
	}
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
