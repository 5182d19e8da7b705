package page

import (
	"bytes"
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
	isTop := [3]bool{true, true, true}
	for _, d := range docs {
		if c, ok := d.(*plan.DocumentConflict); ok {
			r.writeDocumentConflict(c, &isTop, p)
			continue
		}
		r.writeDocument(d, r.beginDocument(isTop, p), p)
		isTop = [3]bool{}
	}
	p.ResolveIdentical()
	return p
}

// beginDocument prepares p for the next document that is not in conflict, and reports whether it is written as the
// first one of the file: a side has no document before it. If the other side has one, that is in the last part of p, a
// conflict. Each version with a document there then gets a "---" line at its end. isTop reports for each version
// whether none of its documents has been written yet.
func (r *Renderer) beginDocument(isTop [3]bool, p *Page) (isFirst bool) {
	if isTop[three.Dest] == isTop[three.Updated] {
		return isTop[three.Dest]
	}
	c := p.Parts[len(p.Parts)-1].Conflict
	for s := range c.Texts {
		if !isTop[s] {
			c.set(s, concat(c.sourcedText(s), r.separator()))
		}
	}
	return true
}

// separator returns a "---" line with its line break.
func (r *Renderer) separator() sourcedText {
	return writtenText(three.Separator, slices.Concat([]byte("---"), r.LineBreak))
}

// writeDocument adds a document that is not in conflict to p, with the "---" line before it unless it has one of its
// own. first reports whether it is the first document of the file. The first has a "---" line only if
// startsWithSeparator is true, or if more text is on that line.
func (r *Renderer) writeDocument(d plan.Document, first bool, p *Page) {
	doc := &Page{}
	switch d := d.(type) {
	case *plan.TakenDocument:
		doc.addText(r.text(d.Side, d.Documents[d.Side].Span))
	case *plan.MergedDocument:
		r.writeMergedDocument(d, doc)
	}
	own := r.cutSeparator(d, doc)
	switch {
	case first && !r.startsWithSeparator():
	case len(own.bytes) > 0:
		p.addText(own)
	case !hasOwnSeparator(d):
		p.addText(r.separator())
	}
	p.Parts = append(p.Parts, doc.Parts...)
}

// startsWithSeparator reports whether the first document of the result starts with "---": as in the side that changed
// this, or as in dest. A version without documents counts as one without "---". If r.DestDecidesSeparator is set and
// dest has a document, only dest counts.
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

// cutSeparator removes the first line from doc, the written document d, if it is "---" and the line break, and returns
// that line. Otherwise it returns no text, as for a document without a root, whose "---" has to remain, and one that
// starts with a conflict. d must not be a conflict.
func (r *Renderer) cutSeparator(d plan.Document, doc *Page) sourcedText {
	if len(doc.Parts) == 0 || doc.Parts[0].Conflict != nil || isRootEmpty(d) {
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

// isRootEmpty reports whether the root of a document has no text: there are only comments, blank lines, directives and
// separators. For a merged document, this is decided by the version from which its root is copied. d must not be a
// conflict.
func isRootEmpty(d plan.Document) bool {
	if d, ok := d.(*plan.TakenDocument); ok {
		return d.Documents[d.Side].Root.Span.Empty()
	}
	root := d.(*plan.MergedDocument).Root
	return root.Nodes[root.FormatFrom].Span.Empty()
}

// hasOwnSeparator reports whether d is written with a line that starts with "---" before its root. If this line is in a
// conflict, both sides must have it. d must not be a conflict over whole documents.
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
// text after it. Any of them may contain conflicts.
func (r *Renderer) writeMergedDocument(d *plan.MergedDocument, p *Page) {
	// the root shares a line with this text (`--- {a: 1} # x`), which is copied
	if f := d.Frame; f != nil {
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

// writeRoot adds the root node m of a merged document to p. A block collection is written as whole lines, without
// anchor and tag, which are in the text before it. Any other root is written without the text after it on its last
// line, even without the line break.
func (r *Renderer) writeRoot(m *plan.Value, p *Page) {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		// no entry remains
		if len(m.Children) == 0 {
			p.addText(concat(writtenText(three.EmptyCollection, []byte(emptyFlow(n))), writtenText(three.LineBreak, r.LineBreak)))
		}
		r.writeEntries(m, n.Indent, p)
	case m.IsFlowText():
		p.addText(concat(r.propertiesText(m), r.flowText(m)))
	case m.IsExpandedFlow():
		p.addText(r.propertiesText(m))
		r.writeExpandedFlow(m, [3]text.Move{}, p)
	case n.Style == syntax.Block:
		p.addText(r.text(m.FormatFrom, n.Content)) // the properties are in the head
	default:
		p.addText(r.text(m.FormatFrom, n.Span))
	}
}

// writeDocumentConflict adds a conflict over whole documents to p. In each version, a document gets a "---" line if it
// has none, unless it is the first of that version: isTop reports this, and is set to false for each version with a
// document in the conflict. If the documents were also merged (d.Both), BothEdits has this text.
func (r *Renderer) writeDocumentConflict(d *plan.DocumentConflict, isTop *[3]bool, p *Page) {
	conflict := &Conflict{Kind: d.Kind, Path: d.Path, Detail: d.Detail}
	if d.Both != nil {
		merged := &Page{}
		r.writeDocument(d.Both, isTop[three.Dest] && isTop[three.Updated], merged)
		conflict.BothEdits = merged.cleanBytes()
	}
	for s, run := range d.Runs {
		var t sourcedText
		for _, x := range run {
			conflict.Spans[s] = joinSpans(conflict.Spans[s], x.Span)
			if !isTop[s] && !x.Explicit {
				t.append(r.separator())
			}
			t.append(r.text(three.Version(s), x.Span))
			isTop[s] = false
		}
		conflict.set(s, t)
	}
	p.Add(conflict)
}

// writeEntries adds the entries of the merged block collection m to p, with their keys or dashes at column col, and
// the comments and blank lines after the last entry.
func (r *Renderer) writeEntries(m *plan.Value, col int, p *Page) {
	for _, c := range m.Children {
		r.writeEntry(c, m.Nodes, col, p)
	}
	p.writeTrivia(m.Tail, nil, col)
}

// writeEntry adds one entry of a merged collection to p, in block style, with its key or dash at column col. The entry
// is a conflict, is copied from one version, or is merged from its parts. v is the collection in each version, which
// may have flow style there.
func (r *Renderer) writeEntry(e plan.Entry, v three.Nodes, col int, p *Page) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		var merged []byte
		if c.Both != nil {
			both := &Page{}
			r.writeEntry(c.Both, v, col, both)
			merged = both.cleanBytes()
		}
		r.writeEntryConflict(c, merged, col, p, func(s three.Version, e *syntax.Entry) (sourcedText, text.Span) {
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
		p.writeTrivia(c.Lead, c.Path, col)
		r.writeMerged(c, v, col, p)
		p.writeTrivia(c.Foot, c.Path, col)
	}
}

// entryText returns the lines at sp of the entry e of version s, in block style. The key or dash is at column col, and
// its values are indented by the merged widths. parent is the collection in s that contains e. If it is a flow
// collection, the whole entry is returned on one line without comments.
func (r *Renderer) entryText(s three.Version, e *syntax.Entry, parent *syntax.Node, sp text.Span, col int) sourcedText {
	if parent.Style == syntax.Flow {
		return concat(spaces(col), r.restyledEntry(s, e, parent), writtenText(three.LineBreak, r.LineBreak))
	}
	z := &blockMover{r: r, s: s, at: sp.Start, end: sp.End}
	// an entry on the line of another dash (`- - a`) gets a line of its own
	if e.Inline {
		z.at = e.Start
		z.out.append(spaces(col))
	}
	z.writeEntry(e, parent, col-parent.Indent)
	return z.out
}

// writeMerged adds the lines of the merged entry c to p, with the key or dash at column col, but without the comments
// and blank lines above and below it. If both sides changed the comment on the line of the key, that line is a
// conflict. v is the collection that contains c in each version.
func (r *Renderer) writeMerged(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	if c.Value.IsExpandedFlow() {
		r.writeExpandedFlowEntry(c, v, col, p)
		return
	}
	body := &Page{}
	r.writeBody(c, v, col, body)
	// a collection on the line of its dash (`- a: 1`) remains there if no comment is on that line
	if n := c.Value.Nodes[c.Value.FormatFrom]; n.IsCompact() && len(bytes.TrimSpace(r.lineComment(c, c.Comment.Side).bytes)) == 0 {
		if overwriteIndent(body, r.keyLineStart(c, v, col), childColumn(c.Value, v, col)) {
			p.Parts = append(p.Parts, body.Parts...)
			return
		}
	}
	if c.Comment.Conflict {
		p.Add(newLineCommentConflict(c, func(s three.Version) sourcedText { return r.headLine(c, v, col, s) }))
	} else {
		p.addText(r.headLine(c, v, col, c.Comment.Side))
	}
	p.Parts = append(p.Parts, body.Parts...)
}

// overwriteIndent joins key, an indented dash, with the first line of body, a collection at column col. It returns
// false, without key in any line, if body has no such line in a side, because of a comment, a blank line or a line at
// another column. Even then, extendEmptySide may have moved a line of body into a conflict.
//
//	key  body        result
//	-      a: 1      - a: 1
//	       b: 1        b: 1
func overwriteIndent(body *Page, key sourcedText, col int) (isJoined bool) {
	if len(body.Parts) == 0 {
		return false
	}
	pad := concat(key, spaces(col-len(lastLine(key.bytes))))
	overwrite := func(t sourcedText) sourcedText {
		return concat(pad, t.from(len(t.bytes)-len(bytes.TrimLeft(t.bytes, " "))))
	}
	first := &body.Parts[0]
	c := first.Conflict
	if c != nil {
		extendEmptySide(body)
	}
	for _, s := range three.Sides {
		b := first.textIn(s).bytes
		indent := len(b) - len(bytes.TrimLeft(b, " "))
		if indent != col || len(b) == col || bytes.IndexByte([]byte("#\r\n"), b[col]) >= 0 {
			return false
		}
	}
	if c == nil {
		first.set(overwrite(first.sourcedText()))
		return true
	}
	// a conflict has key in each version, except in an empty original
	for s, b := range c.Texts {
		if len(b) > 0 {
			c.set(s, overwrite(c.sourcedText(s)))
		}
	}
	return true
}

// extendEmptySide moves the first line of the text after the conflict at the start of body into that conflict, if a
// side of the conflict is empty, so that each side has a line. It does nothing if no text follows directly. An empty
// original remains empty.
//
//	conflict "a: 1\n" | "", text "b: 1\nc: 1\n"    becomes    "a: 1\nb: 1\n" | "b: 1\n", text "c: 1\n"
func extendEmptySide(body *Page) {
	c := body.Parts[0].Conflict
	hasEmptySide := len(c.Texts[three.Dest]) == 0 || len(c.Texts[three.Updated]) == 0
	if !hasEmptySide || len(body.Parts) < 2 || body.Parts[1].Conflict != nil {
		return
	}
	t := body.Parts[1].sourcedText()
	line, rest := t.cut(bytes.IndexByte(t.bytes, '\n') + 1)
	for s := range c.Texts {
		if s != int(three.Original) || len(c.Texts[s]) > 0 {
			c.set(s, concat(c.sourcedText(s), line))
		}
	}
	body.Parts[1].set(rest)
}

// toColumn returns the change of indentation that moves the entries of n, or the lines of a block scalar n, to column
// col.
func toColumn(n *syntax.Node, col int) text.Move { return text.MoveColumns(max(n.Indent, 0), col) }

// childColumn returns the column in the result of the entries of a collection, or of the lines of a block scalar. m is
// its plan, col the column in the result of the entry with this value, and v the collection that contains this entry
// in each version. The indentation relative to the entry is that of m.FormatFrom.
func childColumn(m *plan.Value, v three.Nodes, col int) int {
	f := m.FormatFrom
	return col + m.Nodes[f].Indent - max(v[f].Indent, 0)
}

// writeBody adds the lines after the head line of the merged entry c to p. They are the entries of a block collection,
// or the lines of a block scalar. v is the collection that contains c in each version, and col the column of c in the
// result. The first line of a collection on the line of its dash (`- a: 1`) is indented, for overwriteIndent.
func (r *Renderer) writeBody(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	m := c.Value
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		r.writeEntries(m, childColumn(m, v, col), p)
	case m.Lines != nil && n.IsBlockScalar():
		r.writeTextLines(c, childColumn(m, v, col), p)
	case n.Style == syntax.Block || n.IsBlockScalar():
		e, in := c.Entries[m.FormatFrom], v[m.FormatFrom]
		delta := col - in.Indent
		z := &blockMover{r: r, s: m.FormatFrom, at: e.HeadEnd, end: e.Foot.Start}
		switch {
		case n.IsBlockScalar():
			z.at = n.Lines.Start
		case n.IsCompact():
			z.out = spaces(n.Indent + delta)
		}
		z.writeBlockValue(e, in, delta)
		p.addText(z.out)
	}
}

// writeTextLines adds the merged lines of the block scalar in c to p, without its header. The text of the lines starts
// at column col. Lines that both sides changed differently are a conflict of the kind plan.ConflictText.
func (r *Renderer) writeTextLines(c *plan.MergedEntry, col int, p *Page) {
	m := c.Value
	for _, l := range m.Lines {
		if l.Conflict == nil {
			p.addText(r.text(l.Side, l.Span).move(toColumn(m.Nodes[l.Side], col)))
			continue
		}
		conflict := &Conflict{Kind: plan.ConflictText, Path: c.Path, Entry: c, Spans: *l.Conflict}
		for s, sp := range l.Conflict {
			if m.Nodes[s] != nil {
				conflict.set(s, r.text(three.Version(s), sp).move(toColumn(m.Nodes[s], col)))
			}
		}
		p.Add(conflict)
	}
}

// writeEntryConflict adds a conflict over the entries of c.Runs to p, between the comments and blank lines of c.Around,
// if any. lines returns the lines of one entry in a version, without those comments and blank lines, and their span in
// the file. merged becomes BothEdits, and may be nil. col is the column of the entries.
func (r *Renderer) writeEntryConflict(c *plan.EntryConflict, merged []byte, col int, p *Page, lines func(three.Version, *syntax.Entry) (sourcedText, text.Span)) {
	conflict := &Conflict{Kind: c.Kind, Path: c.Path, Entry: c, Detail: c.Detail, BothEdits: merged}
	for s, run := range c.Runs {
		var all sourcedText
		for _, e := range run {
			t, sp := lines(three.Version(s), e)
			conflict.Spans[s] = joinSpans(conflict.Spans[s], sp)
			conflict.ItemStarts[s] = append(conflict.ItemStarts[s], bytes.Count(all.bytes, lf))
			all.append(t)
		}
		conflict.set(s, all)
		conflict.ItemStarts[s] = append(conflict.ItemStarts[s], bytes.Count(all.bytes, lf))
	}
	if !c.IsTwoInsertions() {
		conflict.ItemStarts = [3][]int{}
	}
	if c.Around == nil {
		p.Add(conflict)
		return
	}
	p.writeTrivia(c.Around.Lead, c.Path, col)
	p.Add(conflict)
	p.writeTrivia(c.Around.Foot, c.Path, col)
}

// joinSpans returns the smallest span that contains a and b. If one of them is empty, it returns the other one.
func joinSpans(a, b text.Span) text.Span {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return text.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// newLineCommentConflict returns a conflict over the comment at the end of an entry's line. Its texts are the whole
// line in each version, its spans those of the comments only, empty for a version without it. It has no entry. line
// returns the line with the comment of a version, and is only called for versions that have the entry.
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
