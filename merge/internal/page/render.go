package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Page writes the documents of a plan.
func (r *Renderer) Page(docs []plan.Document) *Page {
	p := &Page{}
	top := [3]bool{true, true, true}
	for _, d := range docs {
		if c, ok := d.(*plan.DocumentConflict); ok {
			r.documentConflict(c, &top, p)
			continue
		}
		r.document(d, r.first(top, p), p)
		top = [3]bool{}
	}
	p.Agree()
	return p
}

// first reports whether nothing stands above, in the file of either side: top
// says of which it holds. Where a conflict leaves one side without a document,
// the separator of the next one goes into the conflict.
func (r *Renderer) first(top [3]bool, p *Page) bool {
	if top[three.Dest] == top[three.Updated] {
		return top[three.Dest]
	}
	c := p.Parts[len(p.Parts)-1].Conflict
	for s := range c.Alt {
		if !top[s] {
			c.Alt[s] = append(c.Alt[s], r.separator()...)
		}
	}
	return true
}

func (r *Renderer) separator() []byte { return append([]byte("---"), r.Break...) }

// document writes a document that is not in conflict, with the --- that its
// place asks for.
func (r *Renderer) document(d plan.Document, first bool, p *Page) {
	doc := &Page{}
	switch d := d.(type) {
	case *plan.TakenDocument:
		doc.text(r.bytes(d.Side, d.Documents[d.Side].Span))
	case *plan.MergedDocument:
		r.mergedDoc(d, doc)
	}
	own := r.cutSeparator(d, doc)
	switch {
	case first && !r.explicit():
	case len(own) > 0:
		p.text(own)
	case !r.starts(d):
		p.text(r.separator())
	}
	p.Parts = append(p.Parts, doc.Parts...)
}

// explicit reports whether the first document of the result starts with ---.
func (r *Renderer) explicit() bool {
	var e [3]bool
	for s, st := range r.Streams {
		e[s] = len(st.Docs) > 0 && st.Docs[0].Explicit
	}
	if r.DestStarts && len(r.Streams[three.Dest].Docs) > 0 {
		return e[three.Dest] // the others are other files
	}
	return three.Form(e[three.Original], e[three.Dest], e[three.Updated])
}

// cutSeparator takes a line that is nothing but --- from the start of a
// document, and returns it. An empty document keeps its own.
func (r *Renderer) cutSeparator(d plan.Document, doc *Page) []byte {
	if len(doc.Parts) == 0 || doc.Parts[0].Conflict != nil || r.rootless(d) {
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

// rootless reports whether nothing but trivia is written in a document.
func (r *Renderer) rootless(d plan.Document) bool {
	if d, ok := d.(*plan.TakenDocument); ok {
		return d.Documents[d.Side].Root.Span.Empty()
	}
	root := d.(*plan.MergedDocument).Root
	return root.Nodes[root.FormatFrom].Span.Empty()
}

// starts reports whether the head of d has a --- line.
func (r *Renderer) starts(d plan.Document) bool {
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

func hasSeparator(lines []plan.Line) bool {
	return slices.ContainsFunc(lines, func(l plan.Line) bool { return bytes.HasPrefix(l.Text, []byte("---")) })
}

func (r *Renderer) mergedDoc(d *plan.MergedDocument, p *Page) {
	if f := d.Frame; f != nil {
		p.text(r.bytes(f.Head, d.Documents[f.Head].Head))
		r.root(d.Root, p)
		p.text(r.bytes(f.Foot, d.Documents[f.Foot].Foot))
		return
	}
	r.trivia(d.Head, nil, 0, p)
	r.root(d.Root, p)
	if m := d.Root; m.Nodes[m.FormatFrom].Style == syntax.Flow {
		p.text(r.Break)
	}
	r.trivia(d.Foot, nil, 0, p)
}

// root writes the plan m of the root of a document.
func (r *Renderer) root(m *plan.Value, p *Page) {
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		if len(m.Children) == 0 {
			p.text(append([]byte(emptyFlow(n)), r.Break...))
		}
		r.kids(m, n.Indent, p)
	case m.IsFlowText():
		p.text(append(bytes.Clone(r.props(m)), r.flow(m)...))
	case m.IsExpandedFlow():
		p.text(r.props(m))
		r.spread(m, [3]text.Move{}, p)
	case n.Style == syntax.Block:
		p.text(r.bytes(m.FormatFrom, n.Content)) // the properties are in the head
	default:
		p.text(r.bytes(m.FormatFrom, n.Span))
	}
}

// documentConflict writes a conflict over documents. It clears top for each version that has a document in it.
func (r *Renderer) documentConflict(d *plan.DocumentConflict, top *[3]bool, p *Page) {
	m := &Conflict{Kind: d.Kind, Path: d.Path, Detail: d.Detail}
	if d.Both != nil {
		merged := &Page{}
		r.document(d.Both, top[three.Dest] && top[three.Updated], merged)
		m.Merged = merged.clean()
	}
	for s, run := range d.Runs {
		for i, x := range run {
			if i == 0 {
				m.At[s] = x.Span
			}
			m.At[s].End = x.Span.End
			if !top[s] && !x.Explicit {
				m.Alt[s] = append(m.Alt[s], r.separator()...)
			}
			m.Alt[s] = append(m.Alt[s], r.bytes(three.Version(s), x.Span)...)
			top[s] = false
		}
	}
	p.Add(m)
}

// kids writes the entries of a merged block collection at column col.
func (r *Renderer) kids(m *plan.Value, col int, p *Page) {
	for _, c := range m.Children {
		r.entry(c, m.Nodes, col, p)
	}
	r.trivia(m.Tail, nil, col, p)
}

// entry writes one entry of the collection v at column col.
func (r *Renderer) entry(e plan.Entry, v three.Nodes, col int, p *Page) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		var merged []byte
		if c.Both != nil {
			both := &Page{}
			r.entry(c.Both, v, col, both)
			merged = both.clean()
		}
		r.entryConflict(c, merged, col, p, func(s three.Version, e *syntax.Entry) ([]byte, text.Span) {
			sp := e.Span
			if c.Around != nil && v[s].Style != syntax.Flow {
				sp = text.Span{Start: e.Lead.End, End: e.Foot.Start}
			}
			return r.entryText(s, e, v[s], sp, col), sp
		})
	case *plan.TakenEntry:
		p.text(r.entryText(c.Side, c.Entries[c.Side], v[c.Side], c.Entries[c.Side].Span, col))
	case *plan.MergedEntry:
		r.trivia(c.Lead, c.Path, col, p)
		r.merged(c, v, col, p)
		r.trivia(c.Foot, c.Path, col, p)
	}
}

// entryText returns the part sp of an entry (whole lines of it) at column col.
func (r *Renderer) entryText(s three.Version, e *syntax.Entry, in *syntax.Node, sp text.Span, col int) []byte {
	if in.Style == syntax.Flow {
		return slices.Concat(text.Spaces(col), r.restyled(s, e, in), r.Break)
	}
	z := &blockMover{r: r, s: s, at: sp.Start, end: sp.End}
	if e.Inline {
		z.at = e.Start
		z.out = append(z.out, text.Spaces(col)...)
	}
	z.writeEntry(e, in, col-in.Indent)
	return z.out
}

// merged writes an entry whose parts merged one by one.
func (r *Renderer) merged(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	if c.Value.IsExpandedFlow() {
		r.spreadField(c, v, col, p)
		return
	}
	body := &Page{}
	r.body(c, v, col, body)
	if n := c.Value.Nodes[c.Value.FormatFrom]; n.IsCompact() && len(bytes.TrimSpace(r.remark(c, c.Comment.Side))) == 0 {
		if overlay(body, r.headKey(c, v, col), r.inner(c.Value, v, col)) {
			p.Parts = append(p.Parts, body.Parts...)
			return
		}
	}
	if c.Comment.Conflict {
		p.Add(remarks(c, func(s three.Version) []byte { return r.headLine(c, v, col, s) }))
	} else {
		p.text(r.headLine(c, v, col, c.Comment.Side))
	}
	p.Parts = append(p.Parts, body.Parts...)
}

// overlay writes key over the indentation of the first line of body, a compact
// collection at column col. It reports false where that line is no entry in
// one of the versions.
func overlay(body *Page, key []byte, col int) bool {
	last := len(key) - (bytes.LastIndexByte(key, '\n') + 1)
	if len(body.Parts) == 0 || last >= col {
		return false
	}
	pad := append(key, text.Spaces(col-last)...)
	put := func(b []byte) []byte {
		if len(b) <= col || len(bytes.TrimLeft(b[:col], " ")) > 0 || bytes.IndexByte([]byte(" #\r\n"), b[col]) >= 0 {
			return nil
		}
		return append(bytes.Clone(pad), b[col:]...)
	}
	first := &body.Parts[0]
	if first.Conflict == nil {
		b := put(first.Text)
		if b == nil {
			return false
		}
		first.Text = b
		return true
	}
	borrow(body)
	var alt [3][]byte
	for s := range alt {
		if s == int(three.Original) && len(first.Conflict.Alt[s]) == 0 {
			continue
		}
		if alt[s] = put(first.Conflict.Alt[s]); alt[s] == nil {
			return false
		}
	}
	first.Conflict.Alt = alt
	return true
}

// borrow gives the conflict at the start of body the line below it, where one
// side has nothing: that line is then the first.
func borrow(body *Page) {
	c := body.Parts[0].Conflict
	if len(c.Alt[three.Dest]) > 0 && len(c.Alt[three.Updated]) > 0 || len(body.Parts) < 2 || body.Parts[1].Conflict != nil {
		return
	}
	b := body.Parts[1].Text
	end := bytes.IndexByte(b, '\n') + 1
	for s := range c.Alt {
		if s != int(three.Original) || len(c.Alt[s]) > 0 {
			c.Alt[s] = append(bytes.Clone(c.Alt[s]), b[:end]...)
		}
	}
	body.Parts[1].Text = b[end:]
}

// toColumn returns the move of the entries of n, or of the lines of a block scalar n, to column col.
func toColumn(n *syntax.Node, col int) text.Move { return text.MoveColumns(max(n.Indent, 0), col) }

// inner is the column of the entries of a merged or taken collection whose
// holder moves to column col.
func (r *Renderer) inner(m *plan.Value, v three.Nodes, col int) int {
	f := m.FormatFrom
	return col + m.Nodes[f].Indent - max(v[f].Indent, 0)
}

// body writes the lines after the head line of an entry: the entries of a block collection, or the lines of a
// block scalar. It writes nothing for other values.
func (r *Renderer) body(c *plan.MergedEntry, v three.Nodes, col int, p *Page) {
	m := c.Value
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		r.kids(m, r.inner(m, v, col), p)
	case m.Lines != nil && n.IsBlockScalar():
		r.textLines(c, r.inner(m, v, col), p)
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
		p.text(z.out)
	}
}

// textLines writes the merged lines of a block scalar at column col.
func (r *Renderer) textLines(c *plan.MergedEntry, col int, p *Page) {
	m := c.Value
	for _, l := range m.Lines {
		if l.Conflict == nil {
			p.text(toColumn(m.Nodes[l.Side], col).Apply(r.bytes(l.Side, l.Span)))
			continue
		}
		k := &Conflict{Kind: plan.ConflictText, Path: c.Path, Entry: c, At: *l.Conflict}
		for s, sp := range l.Conflict {
			if m.Nodes[s] != nil {
				k.Alt[s] = toColumn(m.Nodes[s], col).Apply(r.bytes(three.Version(s), sp))
			}
		}
		p.Add(k)
	}
}

// entryConflict writes a conflict over entries at column col. lines returns the text of an entry, and its span in its version.
// merged is Conflict.Merged.
func (r *Renderer) entryConflict(c *plan.EntryConflict, merged []byte, col int, p *Page, lines func(three.Version, *syntax.Entry) ([]byte, text.Span)) {
	m := &Conflict{Kind: c.Kind, Path: c.Path, Entry: c, Detail: c.Detail, Merged: merged}
	for s, run := range c.Runs {
		for _, e := range run {
			b, sp := lines(three.Version(s), e)
			m.At[s] = joinSpans(m.At[s], sp)
			m.Items[s] = append(m.Items[s], bytes.Count(m.Alt[s], lf))
			m.Alt[s] = append(m.Alt[s], b...)
		}
		m.Items[s] = append(m.Items[s], bytes.Count(m.Alt[s], lf))
	}
	if !c.IsTwoInsertions() {
		m.Items = [3][]int{}
	}
	if c.Around == nil {
		p.Add(m)
		return
	}
	r.trivia(c.Around.Lead, c.Path, col, p)
	p.Add(m)
	r.trivia(c.Around.Foot, c.Path, col, p)
}

// joinSpans is from a to b, which stands behind it; either may be none.
func joinSpans(a, b text.Span) text.Span {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return text.Span{Start: a.Start, End: b.End}
}

// remarks is a conflict of the comments of an entry, each in the line that it makes.
func remarks(c *plan.MergedEntry, line func(three.Version) []byte) *Conflict {
	m := &Conflict{Kind: plan.ConflictComment, Path: c.Path}
	for s, e := range c.Entries {
		if e != nil {
			m.Alt[s], m.At[s] = line(three.Version(s)), e.Comment
		}
	}
	return m
}
