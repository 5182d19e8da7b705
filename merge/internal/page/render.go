package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Page returns the page of the documents of a plan. Conflicts that have the same text in both sides are resolved.
func (r *Renderer) Page(docs []plan.Document) *Page {
	p := &Page{}
	isTop := [3]bool{true, true, true}
	for _, d := range docs {
		if c, ok := d.(*plan.DocumentConflict); ok {
			r.writeDocumentConflict(c, &isTop, p)
			continue
		}
		r.writeDocument(d, r.isFirst(isTop, p), p)
		isTop = [3]bool{}
	}
	p.ResolveIdentical()
	return p
}

// isFirst reports whether the next document is the first one of the file in a side. isTop states this for each version.
// If only one side has no document yet, after a conflict, isFirst also adds a separator to that conflict, in each version
// that already has a document.
func (r *Renderer) isFirst(isTop [3]bool, p *Page) bool {
	if isTop[three.Dest] == isTop[three.Updated] {
		return isTop[three.Dest]
	}
	c := p.Parts[len(p.Parts)-1].Conflict
	for s := range c.Texts {
		if !isTop[s] {
			c.Texts[s] = append(c.Texts[s], r.separator()...)
		}
	}
	return true
}

// separator returns a "---" line.
func (r *Renderer) separator() []byte { return append([]byte("---"), r.LineBreak...) }

// writeDocument writes a document that is not in conflict, with a "---" line if its place requires one.
func (r *Renderer) writeDocument(d plan.Document, first bool, p *Page) {
	doc := &Page{}
	switch d := d.(type) {
	case *plan.TakenDocument:
		doc.addText(r.bytes(d.Side, d.Documents[d.Side].Span))
	case *plan.MergedDocument:
		r.writeMergedDocument(d, doc)
	}
	own := r.cutSeparator(d, doc)
	switch {
	case first && !r.startsWithSeparator():
	case len(own) > 0:
		p.addText(own)
	case !r.hasOwnSeparator(d):
		p.addText(r.separator())
	}
	p.Parts = append(p.Parts, doc.Parts...)
}

// startsWithSeparator reports whether the first document of the result starts with "---".
func (r *Renderer) startsWithSeparator() bool {
	var explicit [3]bool
	for s, st := range r.Streams {
		explicit[s] = len(st.Docs) > 0 && st.Docs[0].Explicit
	}
	if r.DestDecidesSeparator && len(r.Streams[three.Dest].Docs) > 0 {
		return explicit[three.Dest] // the others are other files
	}
	return three.Form(explicit[three.Original], explicit[three.Dest], explicit[three.Updated])
}

// cutSeparator removes the first line of a document if it is only "---", and returns it. It returns nil for any other
// line, and for an empty document, which keeps its separator.
func (r *Renderer) cutSeparator(d plan.Document, doc *Page) []byte {
	if len(doc.Parts) == 0 || doc.Parts[0].Conflict != nil || r.isRootEmpty(d) {
		return nil
	}
	b := doc.Parts[0].Text
	end := bytes.IndexByte(b, '\n') + 1
	if string(bytes.TrimRight(b[:end], "\r\n")) != "---" {
		return nil
	}
	doc.Parts[0].Text = b[end:]
	return b[:end]
}

// isRootEmpty reports whether a document consists only of trivia.
func (r *Renderer) isRootEmpty(d plan.Document) bool {
	if d, ok := d.(*plan.TakenDocument); ok {
		return d.Documents[d.Side].Root.Span.Empty()
	}
	root := d.(*plan.MergedDocument).Root
	return root.Nodes[root.FormatFrom].Span.Empty()
}

// hasOwnSeparator reports whether the head of d has a "---" line.
func (r *Renderer) hasOwnSeparator(d plan.Document) bool {
	if d, ok := d.(*plan.TakenDocument); ok {
		return d.Documents[d.Side].Explicit
	}
	m := d.(*plan.MergedDocument)
	if m.Frame != nil {
		return m.Documents[m.Frame.Head].Explicit
	}
	return slices.ContainsFunc(m.Head, func(part plan.TriviaPart) bool {
		if c := part.Conflict; c != nil {
			return hasSeparator(c.Lines[three.Dest]) && hasSeparator(c.Lines[three.Updated])
		}
		return hasSeparator(part.Lines)
	})
}

// hasSeparator reports whether one of the lines starts with "---".
func hasSeparator(lines []plan.Line) bool {
	return slices.ContainsFunc(lines, func(l plan.Line) bool { return bytes.HasPrefix(l.Text, []byte("---")) })
}

// writeMergedDocument writes the root of a merged document, and the bytes or the trivia before and after it.
func (r *Renderer) writeMergedDocument(d *plan.MergedDocument, p *Page) {
	if f := d.Frame; f != nil {
		p.addText(r.bytes(f.Head, d.Documents[f.Head].Head))
		r.writeRoot(d.Root, p)
		p.addText(r.bytes(f.Foot, d.Documents[f.Foot].Foot))
		return
	}
	r.writeTrivia(d.Head, nil, 0, p)
	r.writeRoot(d.Root, p)
	if m := d.Root; m.Nodes[m.FormatFrom].Style == syntax.Flow {
		p.addText(r.LineBreak)
	}
	r.writeTrivia(d.Foot, nil, 0, p)
}

// writeRoot writes the plan m of the root of a document.
func (r *Renderer) writeRoot(m *plan.Value, p *Page) {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		if len(m.Children) == 0 {
			p.addText(append([]byte(emptyFlow(n)), r.LineBreak...))
		}
		r.writeEntries(m, n.Indent, p)
	case m.IsFlowText():
		p.addText(append(bytes.Clone(r.propertiesText(m)), r.flowText(m)...))
	case m.IsExpandedFlow():
		p.addText(r.propertiesText(m))
		r.writeExpandedFlow(m, [3]text.Move{}, p)
	case n.Style == syntax.Block:
		p.addText(r.bytes(m.FormatFrom, n.Content)) // the properties are in the head
	default:
		p.addText(r.bytes(m.FormatFrom, n.Span))
	}
}

// writeDocumentConflict writes a conflict over documents. It clears isTop for each version that has a document in it.
func (r *Renderer) writeDocumentConflict(d *plan.DocumentConflict, isTop *[3]bool, p *Page) {
	conflict := &Conflict{Kind: d.Kind, Path: d.Path, Detail: d.Detail}
	if d.Both != nil {
		merged := &Page{}
		r.writeDocument(d.Both, isTop[three.Dest] && isTop[three.Updated], merged)
		conflict.BothEdits = merged.cleanBytes()
	}
	for s, run := range d.Runs {
		for i, x := range run {
			if i == 0 {
				conflict.Spans[s] = x.Span
			}
			conflict.Spans[s].End = x.Span.End
			if !isTop[s] && !x.Explicit {
				conflict.Texts[s] = append(conflict.Texts[s], r.separator()...)
			}
			conflict.Texts[s] = append(conflict.Texts[s], r.bytes(three.Version(s), x.Span)...)
			isTop[s] = false
		}
	}
	p.Add(conflict)
}

// writeEntries writes the entries of a merged block collection at column col, and its tail.
func (r *Renderer) writeEntries(m *plan.Value, col int, p *Page) {
	for _, c := range m.Children {
		r.writeEntry(c, m.Nodes, col, p)
	}
	r.writeTrivia(m.Tail, nil, col, p)
}

// writeEntry writes one entry of the collection v at column col.
func (r *Renderer) writeEntry(e plan.Entry, v three.Nodes, col int, p *Page) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		var merged []byte
		if c.Both != nil {
			both := &Page{}
			r.writeEntry(c.Both, v, col, both)
			merged = both.cleanBytes()
		}
		r.writeEntryConflict(c, merged, col, p, func(s three.Version, e *syntax.Entry) ([]byte, text.Span) {
			sp := e.Span
			if c.Around != nil && v[s].Style != syntax.Flow {
				sp = text.Span{Start: e.Lead.End, End: e.Foot.Start}
			}
			return r.entryText(s, e, v[s], sp, col), sp
		})
	case *plan.TakenEntry:
		p.addText(r.entryText(c.Side, c.Entries[c.Side], v[c.Side], c.Entries[c.Side].Span, col))
	case *plan.MergedEntry:
		if c.Collections != nil {
			v = *c.Collections
		}
		r.writeTrivia(c.Lead, c.Path, col, p)
		r.writeMerged(c, v, col, p)
		r.writeTrivia(c.Foot, c.Path, col, p)
	}
}

// entryText returns the whole lines at sp of an entry of the collection parent, moved to column col.
func (r *Renderer) entryText(s three.Version, e *syntax.Entry, parent *syntax.Node, sp text.Span, col int) []byte {
	if parent.Style == syntax.Flow {
		return slices.Concat(text.Spaces(col), r.restyledEntry(s, e, parent), r.LineBreak)
	}
	z := &blockMover{r: r, s: s, at: sp.Start, end: sp.End}
	if e.Inline {
		z.at = e.Start
		z.out = append(z.out, text.Spaces(col)...)
	}
	z.writeEntry(e, parent, col-parent.Indent)
	return z.out
}

// writeMerged writes an entry with parts that merged one by one.
func (r *Renderer) writeMerged(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	if c.Value.IsExpandedFlow() {
		r.writeExpandedFlowEntry(c, v, col, p)
		return
	}
	body := &Page{}
	r.writeBody(c, v, col, body)
	if n := c.Value.Nodes[c.Value.FormatFrom]; n.IsCompact() && len(bytes.TrimSpace(r.lineComment(c, c.Comment.Side))) == 0 {
		if overwriteIndent(body, r.keyLineStart(c, v, col), r.childColumn(c.Value, v, col)) {
			p.Parts = append(p.Parts, body.Parts...)
			return
		}
	}
	if c.Comment.Conflict {
		p.Add(newLineCommentConflict(c, func(s three.Version) []byte { return r.headLine(c, v, col, s) }))
	} else {
		p.addText(r.headLine(c, v, col, c.Comment.Side))
	}
	p.Parts = append(p.Parts, body.Parts...)
}

// overwriteIndent writes key over the indentation of the first line of body, a compact collection at column col. It
// returns false if the first line is not an entry in one of the versions.
func overwriteIndent(body *Page, key []byte, col int) bool {
	last := len(key) - (bytes.LastIndexByte(key, '\n') + 1)
	if len(body.Parts) == 0 || last >= col {
		return false
	}
	pad := append(key, text.Spaces(col-last)...)
	overwrite := func(b []byte) []byte {
		if len(b) <= col || len(bytes.TrimLeft(b[:col], " ")) > 0 || bytes.IndexByte([]byte(" #\r\n"), b[col]) >= 0 {
			return nil
		}
		return append(bytes.Clone(pad), b[col:]...)
	}
	first := &body.Parts[0]
	if first.Conflict == nil {
		b := overwrite(first.Text)
		if b == nil {
			return false
		}
		first.Text = b
		return true
	}
	extendEmptySide(body)
	var alt [3][]byte
	for s := range alt {
		if s == int(three.Original) && len(first.Conflict.Texts[s]) == 0 {
			continue
		}
		if alt[s] = overwrite(first.Conflict.Texts[s]); alt[s] == nil {
			return false
		}
	}
	first.Conflict.Texts = alt
	return true
}

// extendEmptySide moves the line after the conflict at the start of body into both sides of the conflict if one side is
// empty. That line is then the first line of the empty side. The line is also added to the original, unless the original
// is empty.
func extendEmptySide(body *Page) {
	c := body.Parts[0].Conflict
	if len(c.Texts[three.Dest]) > 0 && len(c.Texts[three.Updated]) > 0 || len(body.Parts) < 2 || body.Parts[1].Conflict != nil {
		return
	}
	b := body.Parts[1].Text
	end := bytes.IndexByte(b, '\n') + 1
	for s := range c.Texts {
		if s != int(three.Original) || len(c.Texts[s]) > 0 {
			c.Texts[s] = append(bytes.Clone(c.Texts[s]), b[:end]...)
		}
	}
	body.Parts[1].Text = b[end:]
}

// toColumn returns the move of the entries of n, or of the lines of a block scalar n, to column col.
func toColumn(n *syntax.Node, col int) text.Move { return text.MoveColumns(max(n.Indent, 0), col) }

// childColumn returns the column of the entries of a merged or taken collection if the entry that contains it moves
// to column col.
func (r *Renderer) childColumn(m *plan.Value, v three.Nodes, col int) int {
	f := m.FormatFrom
	return col + m.Nodes[f].Indent - max(v[f].Indent, 0)
}

// writeBody writes the lines after the head line of an entry: the entries of a block collection, or the lines of a
// block scalar. It writes nothing for other values.
func (r *Renderer) writeBody(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	m := c.Value
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		r.writeEntries(m, r.childColumn(m, v, col), p)
	case m.Lines != nil && n.IsBlockScalar():
		r.writeTextLines(c, r.childColumn(m, v, col), p)
	case n.Style == syntax.Block || n.IsBlockScalar():
		e, in := c.Entries[m.FormatFrom], v[m.FormatFrom]
		delta := col - in.Indent
		z := &blockMover{r: r, s: m.FormatFrom, at: e.HeadEnd, end: e.Foot.Start}
		switch {
		case n.IsBlockScalar():
			z.at = n.Lines.Start
		case n.IsCompact():
			z.out = text.Spaces(n.Indent + delta)
		}
		z.writeValue(e, in, delta)
		p.addText(z.out)
	}
}

// writeTextLines writes the merged lines of a block scalar at column col.
func (r *Renderer) writeTextLines(c *plan.MergedEntry, col int, p *Page) {
	m := c.Value
	for _, l := range m.Lines {
		if l.Conflict == nil {
			p.addText(toColumn(m.Nodes[l.Side], col).Apply(r.bytes(l.Side, l.Span)))
			continue
		}
		conflict := &Conflict{Kind: plan.ConflictText, Path: c.Path, Entry: c, Spans: *l.Conflict}
		for s, sp := range l.Conflict {
			if m.Nodes[s] != nil {
				conflict.Texts[s] = toColumn(m.Nodes[s], col).Apply(r.bytes(three.Version(s), sp))
			}
		}
		p.Add(conflict)
	}
}

// writeEntryConflict writes a conflict over entries at column col. lines returns the text of an entry, and its span
// in its version. merged becomes Conflict.BothEdits.
func (r *Renderer) writeEntryConflict(c *plan.EntryConflict, merged []byte, col int, p *Page, lines func(three.Version, *syntax.Entry) ([]byte, text.Span)) {
	conflict := &Conflict{Kind: c.Kind, Path: c.Path, Entry: c, Detail: c.Detail, BothEdits: merged}
	for s, run := range c.Runs {
		for _, e := range run {
			b, sp := lines(three.Version(s), e)
			conflict.Spans[s] = joinSpans(conflict.Spans[s], sp)
			conflict.ItemStarts[s] = append(conflict.ItemStarts[s], bytes.Count(conflict.Texts[s], lf))
			conflict.Texts[s] = append(conflict.Texts[s], b...)
		}
		conflict.ItemStarts[s] = append(conflict.ItemStarts[s], bytes.Count(conflict.Texts[s], lf))
	}
	if !c.IsTwoInsertions() {
		conflict.ItemStarts = [3][]int{}
	}
	if c.Around == nil {
		p.Add(conflict)
		return
	}
	r.writeTrivia(c.Around.Lead, c.Path, col, p)
	p.Add(conflict)
	r.writeTrivia(c.Around.Foot, c.Path, col, p)
}

// joinSpans returns the span from the start of a to the end of b, which follows a. If one of them is empty, it
// returns the other one.
func joinSpans(a, b text.Span) text.Span {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return text.Span{Start: a.Start, End: b.End}
}

// newLineCommentConflict returns the conflict over the comments at the end of an entry's line. line returns the whole
// line with the comment of a version.
func newLineCommentConflict(c *plan.MergedEntry, line func(three.Version) []byte) *Conflict {
	conflict := &Conflict{Kind: plan.ConflictComment, Path: c.Path}
	for s, e := range c.Entries {
		if e != nil {
			conflict.Texts[s], conflict.Spans[s] = line(three.Version(s)), e.Comment
		}
	}
	return conflict
}
