package page

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Page returns the merged file for the documents of a plan, with the "---" lines between them. A conflict with the same
// text in both sides becomes plain text, except one over the checksum (mac) of a SOPS file.
func (r *Renderer) Page(docs []plan.Document) *Page {
	p := &Page{}
	isTop := [3]bool{true, true, true} // whether no document of the version has been written yet
	for _, d := range docs {
		if c, ok := d.(*plan.DocumentConflict); ok {
			r.writeDocumentConflict(c, &isTop, p)
			continue
		}
		if isTop[three.Dest] != isTop[three.Updated] {
			r.endDocuments(isTop, p.Parts[len(p.Parts)-1].Conflict) // only a conflict has documents of one side
		}
		r.writeDocument(d, isTop[three.Dest] || isTop[three.Updated], p)
		isTop = [3]bool{}
	}
	p.ResolveIdentical()
	return p
}

// endDocuments adds a "---" line to the end of the conflict c over whole documents, because a document follows that is
// not in conflict. Each version gets the line, except those that have no document yet (isTop), in which the next
// document is the first.
func (r *Renderer) endDocuments(isTop [3]bool, c *Conflict) {
	for s := range c.Texts {
		if !isTop[s] {
			c.extend(s, r.separator(), text.Span{})
		}
	}
}

// separator returns a "---" line with its line break.
func (r *Renderer) separator() sourcedText {
	return writtenText(three.Separator, slices.Concat([]byte("---"), r.LineBreak))
}

// writeDocument adds a document that is not in conflict to p, with a "---" line before it. The line is the one of the
// document or, if it has none, a new one. first says that the document can be the first of the file; the line is then
// written only if startsWithSeparator says so. A line with more text, such as "--- # x", is a part of the document, and
// always written.
func (r *Renderer) writeDocument(d plan.Document, first bool, p *Page) {
	doc := &Page{}
	switch d := d.(type) {
	case *plan.TakenDocument:
		doc.addText(r.text(d.Side, d.Documents[d.Side].Span))
	case *plan.MergedDocument:
		r.writeMergedDocument(d, doc)
	}
	own := r.cutSeparator(d, doc)
	needsSeparator := !first || r.startsWithSeparator()
	switch {
	case needsSeparator && len(own.bytes) > 0:
		p.addText(own)
	case needsSeparator && !hasOwnSeparator(d):
		p.addText(r.separator())
	}
	p.Parts = append(p.Parts, doc.Parts...)
}

// startsWithSeparator reports whether the first document of the result starts with "---". It is so in updated if dest
// did not change this, and otherwise as in dest. A version without documents counts as one without "---". If the
// versions are different files (r.DestDecidesSeparator), only dest decides, unless it has no document.
func (r *Renderer) startsWithSeparator() bool {
	var hasSeparator [3]bool
	for s, st := range r.Streams {
		hasSeparator[s] = len(st.Docs) > 0 && st.Docs[0].Explicit
	}
	if r.DestDecidesSeparator && len(r.Streams[three.Dest].Docs) > 0 {
		return hasSeparator[three.Dest] // the other versions are other files
	}
	return three.Form(hasSeparator[three.Original], hasSeparator[three.Dest], hasSeparator[three.Updated])
}

// cutSeparator removes the "---" line from the start of a written document and returns it, so that the caller can
// decide whether to write it. d is the plan of the document, and doc its text. It returns nothing if the first line is
// not exactly "---", or if the document is empty, because it would be lost without the line.
func (r *Renderer) cutSeparator(d plan.Document, doc *Page) sourcedText {
	if len(doc.Parts) == 0 || doc.Parts[0].Conflict != nil || isRootEmpty(d) { // without the line, an empty document would be lost
		return sourcedText{}
	}
	t := doc.Parts[0].sourcedText()
	line, rest := t.cut(bytes.IndexByte(t.bytes, '\n') + 1)
	if string(bytes.TrimRight(line.bytes, "\r\n")) != "---" {
		return sourcedText{}
	}
	doc.Parts[0].set(rest)
	return line
}

// isRootEmpty reports whether a document has no content, but only comments, blank lines, directives and separators. d
// is its plan, which must not be a conflict. Of a merged document, the version from which the root gets its format is
// inspected.
func isRootEmpty(d plan.Document) bool {
	if d, ok := d.(*plan.TakenDocument); ok {
		return d.Documents[d.Side].Root.Span.Empty()
	}
	root := d.(*plan.MergedDocument).Root
	return root.Nodes[root.FormatFrom].Span.Empty()
}

// hasOwnSeparator reports whether the document d is written with a line that starts with "---" before the root, so that
// no separator has to be added. If comments before the root are in conflict, both sides of the conflict must have the
// line. d must not be a conflict over whole documents.
func hasOwnSeparator(d plan.Document) bool {
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

// writeMergedDocument adds the merged document d to p: the comments and "---" lines before the root, the root, and the
// text after it. Any of these may contain conflicts.
func (r *Renderer) writeMergedDocument(d *plan.MergedDocument, p *Page) {
	if f := d.Frame; f != nil { // the root shares a line with the text around it: `--- {a: 1} # x`
		p.addText(r.text(f.Head, d.Documents[f.Head].Head))
		r.writeRoot(d.Root, p)
		p.addText(r.text(f.Foot, d.Documents[f.Foot].Foot))
		return
	}
	p.writeTrivia(d.Head, nil, 0)
	r.writeRoot(d.Root, p)
	if m := d.Root; m.Nodes[m.FormatFrom].Style == syntax.Flow {
		p.addText(writtenText(three.LineBreak, r.LineBreak))
	}
	p.writeTrivia(d.Foot, nil, 0)
}

// writeRoot adds the root of a merged document, with the plan m, to p. A block collection is written as whole lines,
// without its anchor and tag, which the caller has written as part of the text before it. Any other value is written
// without the rest of its last line, which the caller adds.
func (r *Renderer) writeRoot(m *plan.Value, p *Page) {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		if len(m.Children) == 0 { // no entry remains
			p.addText(concat(writtenText(three.EmptyCollection, []byte(emptyFlow(n))), writtenText(three.LineBreak, r.LineBreak)))
		}
		r.writeEntries(m, n.Indent, p)
	case m.IsFlowText(): // without a conflict
		p.addText(concat(r.propertiesText(m), r.flowText(m)))
	case m.IsExpandedFlow(): // entries can be in conflict
		p.addText(r.propertiesText(m))
		r.writeExpandedFlow(m, text.Move{}, p)
	case n.Style == syntax.Block: // copied as a whole; its anchor and tag are in the text before it
		p.addText(r.text(m.FormatFrom, n.Content))
	default: // a scalar, an alias or a flow collection, copied as a whole
		p.addText(r.text(m.FormatFrom, n.Span))
	}
}

// writeDocumentConflict adds a conflict over whole documents to p, with a "---" line before each document that needs
// one. isTop[s] says whether no document of version s has been written yet; it becomes false if s has a document here.
func (r *Renderer) writeDocumentConflict(d *plan.DocumentConflict, isTop *[3]bool, p *Page) {
	conflict := &Conflict{Kind: d.Kind, Path: d.Path, Detail: d.Detail}
	if d.Both != nil {
		merged := &Page{}
		r.writeDocument(d.Both, isTop[three.Dest] && isTop[three.Updated], merged)
		conflict.BothEdits = merged.cleanBytes()
	}
	for s, run := range d.Runs {
		for _, x := range run {
			if !isTop[s] && !x.Explicit {
				conflict.extend(s, r.separator(), text.Span{})
			}
			conflict.extend(s, r.text(three.Version(s), x.Span), x.Span)
			isTop[s] = false
		}
	}
	p.Add(conflict)
}

// writeEntries adds the entries of the merged block collection m to p, and the comments and blank lines after the last
// entry. col is the column of their keys or dashes in the result.
func (r *Renderer) writeEntries(m *plan.Value, col int, p *Page) {
	for _, c := range m.Children {
		r.writeEntry(c, m.Nodes, col, p)
	}
	p.writeTrivia(m.Tail, nil, col)
}

// writeEntry adds the lines of an entry to p, in block style. e is its plan, and not a *plan.DeletedEntry. v has the
// versions of the collection around it, of any style. col is the column of the key or dash in the result.
func (r *Renderer) writeEntry(e plan.Entry, v three.Nodes, col int, p *Page) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		conflict := newEntryConflict(c, func(s three.Version, e *syntax.Entry) (sourcedText, text.Span) {
			lines := e.Span
			if c.Around != nil && v[s].Style != syntax.Flow { // the comments around it are written outside of the conflict
				lines = text.Span{Start: e.Lead.End, End: e.Foot.Start}
			}
			return r.entryText(s, e, v[s], lines, col), lines
		})
		if c.Both != nil {
			both := &Page{}
			r.writeEntry(c.Both, v, col, both)
			conflict.BothEdits = both.cleanBytes()
		}
		p.writeAround(conflict, c, col)
	case *plan.TakenEntry:
		p.addText(r.entryText(c.Side, c.Entries[c.Side], v[c.Side], c.Entries[c.Side].Span, col))
	case *plan.MergedEntry:
		if c.Collections != nil { // a side moved the entry to another mapping
			v = *c.Collections
		}
		p.writeTrivia(c.Lead, c.Path, col)
		entryWriter{r, c, v, col}.write(p)
		p.writeTrivia(c.Foot, c.Path, col)
	}
}

// entryText returns lines of the entry e of version s, indented as in the result. sp is the span of the lines, and col
// the column of the key or dash in the result. parent is the collection that contains e. If it is a flow collection, e
// becomes one line in block style, without comments.
func (r *Renderer) entryText(s three.Version, e *syntax.Entry, parent *syntax.Node, sp text.Span, col int) sourcedText {
	if parent.Style == syntax.Flow {
		return concat(spaces(col), r.restyledEntry(s, e, parent), writtenText(three.LineBreak, r.LineBreak))
	}
	mover := &blockMover{r: r, s: s, next: sp.Start, end: sp.End}
	if e.Inline { // an entry on the line of another dash (`- - a`) gets a line of its own
		mover.next = e.Start
		mover.out.append(spaces(col))
	}
	mover.writeEntry(e, parent, col-parent.Indent)
	return mover.out
}

// newEntryConflict returns the conflict of the page for c, a conflict of the plan over entries. linesOf returns the
// lines of an entry of version s as they are in the result, and their place in s. If both sides added list items,
// ItemStarts are set, so that markers are written between items.
func newEntryConflict(c *plan.EntryConflict, linesOf func(s three.Version, e *syntax.Entry) (sourcedText, text.Span)) *Conflict {
	conflict := &Conflict{Kind: c.Kind, Path: c.Path, Entry: c, Detail: c.Detail}
	for s, run := range c.Runs {
		starts := []int{0} // the line at which each entry starts, and the number of lines
		for _, e := range run {
			lines, at := linesOf(three.Version(s), e)
			conflict.extend(s, lines, at)
			starts = append(starts, bytes.Count(conflict.Texts[s], lf))
		}
		if c.IsTwoInsertions() {
			conflict.ItemStarts[s] = starts
		}
	}
	return conflict
}

// writeAround adds a conflict over entries to p, with the merged comments above and below it (c.Around). conflict is
// the conflict to write, c is its plan, and col is the column of the entries in the result.
func (p *Page) writeAround(conflict *Conflict, c *plan.EntryConflict, col int) {
	around := cmp.Or(c.Around, &plan.Surroundings{})
	p.writeTrivia(around.Lead, c.Path, col)
	p.Add(conflict)
	p.writeTrivia(around.Foot, c.Path, col)
}

// extend adds a text to the version s of the conflict. t is the text, and sp its place in the file of s, empty if it is
// not copied from there.
func (c *Conflict) extend(s int, t sourcedText, sp text.Span) {
	all := c.sourcedText(s)
	all.append(t)
	c.set(s, all)
	c.Spans[s] = joinSpans(c.Spans[s], sp)
}

// joinSpans returns the smallest span that contains a and b. An empty span is ignored, wherever it is.
func joinSpans(a, b text.Span) text.Span {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return text.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// newLineCommentConflict returns a conflict over the comment at the end of the line of the entry c. line returns the
// whole line in a version. The texts of the conflict are these lines, but its spans are only those of the comments;
// both are empty for a version without the entry. Entry is nil, because the entry itself merged.
func newLineCommentConflict(c *plan.MergedEntry, line func(three.Version) sourcedText) *Conflict {
	conflict := &Conflict{Kind: plan.ConflictComment, Path: c.Path}
	for s, e := range c.Entries {
		if e != nil {
			conflict.Spans[s] = e.Comment
			conflict.set(s, line(three.Version(s)))
		}
	}
	return conflict
}
