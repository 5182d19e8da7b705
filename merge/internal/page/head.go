package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// headLine returns the first line of an entry with its line break: key, properties, value and comment. A block
// collection without remaining entries is written in flow style.
func (r *Renderer) headLine(c *plan.MergedEntry, v three.Nodes, col int, commentSide three.Version) []byte {
	m := c.Value
	b := r.keyLineStart(c, v, col)
	if s, ok := c.Head.Get(); ok {
		e := c.Entries[s]
		rest := r.bytes(s, text.Span{Start: e.Colon, End: e.HeadEnd})
		return append(b, toColumn(v[s], col).ApplyExceptFirst(rest)...)
	}
	props, content := r.propertiesText(m), r.contentOnLine(m, v, col)
	if len(props)+len(content) > 0 {
		b = append(b, r.gapBeforeValue(c, m, v, col)...)
	}
	b = append(append(b, props...), content...)
	if len(content) == 0 {
		b = bytes.TrimRight(b, " ")
	}
	return append(b, r.lineEnd(c, v, commentSide)...)
}

// keyLineStart returns the indentation and the mapping key, or the dash, of an entry.
func (r *Renderer) keyLineStart(c *plan.MergedEntry, v three.Nodes, col int) []byte {
	key := r.keyText(c.Key, c.Entries[c.Key], v[c.Key], false)
	return append(text.Spaces(col), toColumn(v[c.Key], col).ApplyExceptFirst(key)...)
}

// writeExpandedFlowEntry writes an entry of a block collection that has an expanded flow collection as its value.
func (r *Renderer) writeExpandedFlowEntry(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	var outer [3]text.Move
	for s, n := range v {
		if n != nil {
			outer[s] = toColumn(n, col)
		}
	}
	p.addText(slices.Concat(r.keyLineStart(c, v, col), r.gapBeforeValue(c, c.Value, v, col), r.propertiesText(c.Value)))
	r.writeExpandedFlow(c.Value, outer, p)
	p.appendToLast(r.lineEnd(c, v, c.Comment.Side))
}

// lineEnd returns the text after the value on its line: blanks, comment and line break. If several versions have the
// same comment, the blanks are those of the version that changed them.
func (r *Renderer) lineEnd(c *plan.MergedEntry, v three.Nodes, commentSide three.Version) []byte {
	want := bytes.TrimSpace(r.lineComment(c, commentSide))
	var ends [3][]byte
	for s, e := range c.Entries {
		if e != nil && v[s].Style != syntax.Flow && bytes.Equal(bytes.TrimSpace(r.lineComment(c, three.Version(s))), want) {
			ends[s] = r.ownLineEnd(three.Version(s), e)
		}
	}
	end := ends[formatSide(ends)]
	for _, s := range [3]three.Version{c.Value.FormatFrom, three.Dest, three.Updated} {
		if end == nil {
			end = ends[s]
		}
	}
	if end == nil {
		return append(bytes.Clone(r.lineComment(c, commentSide)), r.lineBreak(c)...)
	}
	return end
}

// formatSide returns updated if dest's bytes equal the original's, and dest otherwise.
func formatSide(v [3][]byte) three.Version {
	if bytes.Equal(v[three.Original], v[three.Dest]) {
		return three.Updated
	}
	return three.Dest
}

// ownLineEnd returns the text after an entry's value on its line in version s. It returns nil if the line does not
// end there with a line feed.
func (r *Renderer) ownLineEnd(s three.Version, e *syntax.Entry) []byte {
	start := r.valueEnd(s, e)
	b := r.bytes(s, text.Span{Start: start, End: min(max(r.Files[s].LineEnd(start), start), max(e.HeadEnd, start))})
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return nil
	}
	return b
}

// valueEnd returns the offset at which an entry's value ends on its first line.
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

// contentOnLine returns the part of the value that is on the entry's first line.
func (r *Renderer) contentOnLine(m *plan.Value, v three.Nodes, col int) []byte {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.IsEmptyBlock():
		return []byte(emptyFlow(n))
	case n.Style == syntax.Block:
		return nil
	case n.IsBlockScalar():
		return r.bytes(m.FormatFrom, n.BlockHeader(r.Files[m.FormatFrom]))
	}
	b := r.bytes(m.FormatFrom, n.Content)
	switch {
	case m.IsFlowText():
		b = r.flowText(m)
	case m.Lines != nil:
		b = r.joinLines(m)
	}
	return toColumn(v[m.FormatFrom], col).ApplyExceptFirst(b)
}

// gapBeforeValue returns the bytes between colon and value. They are copied from the side that changed them, so that
// aligned columns remain aligned. They are copied from m.FormatFrom if that side has no value on the line, or if a line
// break is involved and the value cannot start on a line of its own (see canKeepOwnLine). The default is one blank.
func (r *Renderer) gapBeforeValue(c *plan.MergedEntry, m *plan.Value, v three.Nodes, col int) []byte {
	var gaps [3][]byte
	for s, e := range c.Entries {
		if e != nil && (e.Value.Style != syntax.Block || e.Value.HasProperties()) {
			gaps[s] = r.bytes(three.Version(s), text.Span{Start: e.Colon, End: max(e.Value.Span.Start, e.Colon)})
		}
	}
	from := formatSide(gaps)
	gap, own := gaps[from], gaps[m.FormatFrom]
	if hasBreak := bytes.ContainsAny(gap, "\n\r") || bytes.ContainsAny(own, "\n\r"); len(gap) == 0 || hasBreak && !r.canKeepOwnLine(m, v[from], col) {
		gap = own
	}
	if len(gap) == 0 {
		return []byte(" ")
	}
	return gap
}

// canKeepOwnLine reports whether a value can start on a line of its own in the result, as in the collection parent: it is
// a scalar or flow collection on one line, and the entries of parent do not move to another column.
func (r *Renderer) canKeepOwnLine(m *plan.Value, parent *syntax.Node, col int) bool {
	n := m.Nodes[m.FormatFrom]
	inline := n.Style != syntax.Block && !n.IsBlockScalar() && m.Lines == nil
	return inline && parent != nil && parent.Indent == col && bytes.IndexByte(r.bytes(m.FormatFrom, n.Content), '\n') < 0
}

// lineBreak returns the line break of the entry's line: the break of that line in the side of the format, in dest or
// in updated, or else r.LineBreak.
func (r *Renderer) lineBreak(c *plan.MergedEntry) []byte {
	for _, s := range [3]three.Version{c.Value.FormatFrom, three.Dest, three.Updated} {
		e := c.Entries[s]
		if e == nil {
			continue
		}
		b := r.bytes(s, text.Span{Start: e.Colon, End: max(e.HeadEnd, e.Colon)})
		switch {
		case bytes.HasSuffix(b, []byte("\r\n")):
			return b[len(b)-2:]
		case bytes.HasSuffix(b, []byte("\r")), bytes.HasSuffix(b, lf):
			return b[len(b)-1:]
		}
	}
	return r.LineBreak
}

// layouts are the indentation styles of the three versions, and the merged one.
type layouts struct {
	own    [3]syntax.Layout
	merged syntax.Layout
}

// newLayouts reads the layouts of the streams and merges them.
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

// mergeIndent merges one indentation width. If the original is mixed and each side changed it to a different width,
// the result is mixed.
func mergeIndent(o, d, u int) int {
	if o == syntax.MixedIndent && d != o && u != o && d != u {
		return o
	}
	return three.Form(o, d, u)
}

// fillUnknown sets an unknown width (of lists or of texts, selected by indentOf) to the version's width of mappings,
// provided that the known widths of the other versions also equal their widths of mappings.
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

// indentOfValue returns the number of columns by which n, copied from s as the value of a field of parent, is indented in
// the result.
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

// A blockMover copies a part of version s to out, and moves every block in it to the column that the
// merged layout gives the block.
type blockMover struct {
	r   *Renderer
	s   three.Version
	out []byte
	at  int // the offset up to which the version is copied
	end int // the offset at which the part ends
}

// writeUpTo copies the lines up to the offset off, or up to z.end if that comes first, moved by delta columns.
func (z *blockMover) writeUpTo(off, delta int) {
	if off = min(off, z.end); off <= z.at {
		return
	}
	b, move := z.r.bytes(z.s, text.Span{Start: z.at, End: off}), text.MoveColumns(0, delta)
	if f := z.r.Files[z.s]; f.LineStart(z.at) == z.at {
		b = move.Apply(b)
	} else {
		b = move.ApplyExceptFirst(b)
	}
	z.out, z.at = append(z.out, b...), off
}

// writeEntry copies the entry e of in. The line of its key moves by delta columns.
func (z *blockMover) writeEntry(e *syntax.Entry, in *syntax.Node, delta int) {
	z.writeValue(e, in, delta)
	z.writeUpTo(e.Span.End, delta)
}

// writeValue copies the entry e of in up to the end of its value. The line of its key moves by delta columns.
// If the value has no lines of its own, nothing is copied.
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

// writeEntries copies the entries of the block collection n and its tail. They move by delta columns.
func (z *blockMover) writeEntries(n *syntax.Node, delta int) {
	for _, e := range n.Entries {
		z.writeEntry(e, n, delta)
	}
	z.writeUpTo(n.Tail.End, delta)
}

// readLayouts returns the layouts of the versions. It computes them at the first call.
func (r *Renderer) readLayouts() *layouts {
	if r.cachedLayouts == nil {
		r.cachedLayouts = newLayouts(r.Streams)
	}
	return r.cachedLayouts
}
