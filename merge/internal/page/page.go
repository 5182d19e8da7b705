// Package page takes a plan and gives the merged file: a page of parts, each of
// them text or a conflict with its three versions, and the page as bytes with
// markers around the conflicts.
//
// All text comes from the inputs, as they wrote it; the page moves it to its
// column, and adds what joins it. It decides nothing about data.
package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Part is a piece of the merged file: text, or a conflict.
type Part struct {
	Text     []byte
	Conflict *Conflict
}

// Conflict is a conflict as it will stand in the file: whole lines per version.
type Conflict struct {
	Texts [3][]byte
	Kind  plan.ConflictKind
	Path  *three.Path
	Spans [3]text.Span // where the versions stand in the inputs
	Entry plan.Entry   // the entry in conflict, if it is a single one; else nil
	// ItemStarts are the lines of Alt at which the items start that both sides added, and their
	// number behind the last: markers stand there. Nil in all other conflicts.
	ItemStarts [3][]int
	// CommaFromEnd is how long what stands behind the last entry of dest is, where that lacks the comma which it
	// has before another one; nil elsewhere.
	CommaFromEnd *int
	// Detail says what is in conflict, where Kind does not say enough.
	Detail string
	// BothEdits is the text with the edits of both sides, if they are in conflict only for what they mean together
	// (plan.ConflictMultiplied); else nil.
	BothEdits []byte
	// LineMerge is how git marks it, by style, if it is a conflict of the line
	// merge.
	LineMerge *[3]diff3.MarkedText
}

// WholeFileConflict is one conflict around everything.
func WholeFileConflict(versions [3][]byte) *Conflict {
	c := &Conflict{Kind: plan.ConflictRefused}
	for s, b := range versions {
		c.Texts[s], c.Spans[s] = b, text.Span{End: len(b)}
	}
	return c
}

// isIndivisible reports whether no lines of c merge by themselves.
func (c *Conflict) isIndivisible() bool {
	e, ok := c.Entry.(*plan.EntryConflict)
	return ok && e.Indivisible
}

// Page collects parts in order.
type Page struct {
	Parts []Part
	// LineMergeChunks are the chunks of lines that a line merge put together; nil if the page is none.
	LineMergeChunks []diff3.Chunk
}

func (p *Page) addText(b []byte) {
	if len(b) > 0 {
		p.Parts = append(p.Parts, Part{Text: b})
	}
}

// appendToLast writes more behind the last part, which is text.
func (p *Page) appendToLast(texts ...[]byte) {
	last := &p.Parts[len(p.Parts)-1]
	last.Text = slices.Concat(append([][]byte{last.Text}, texts...)...)
}

// Add adds a conflict.
func (p *Page) Add(m *Conflict) { p.Parts = append(p.Parts, Part{Conflict: m}) }

// ResolveIdentical drops the conflicts whose sides came out the same.
func (p *Page) ResolveIdentical() {
	for i, x := range p.Parts {
		if c := x.Conflict; c != nil && c.Kind != plan.ConflictEncrypted && bytes.Equal(c.Texts[three.Dest], c.Texts[three.Updated]) {
			p.Parts[i] = Part{Text: c.Texts[three.Dest]}
		}
	}
}

// textOf is a part with one side taken.
func (x Part) textOf(s three.Version) []byte {
	if x.Conflict != nil {
		return x.Conflict.Texts[s]
	}
	return x.Text
}

// Resolve is the file with one side taken at every conflict.
func (p *Page) Resolve(s three.Version) []byte {
	n := 0
	for _, x := range p.Parts {
		n += len(x.textOf(s))
	}
	b := make([]byte, 0, n)
	for _, x := range p.Parts {
		b = append(b, x.textOf(s)...)
	}
	return b
}

// cleanBytes returns the bytes of p, nil if it has conflicts.
func (p *Page) cleanBytes() []byte {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return p.Resolve(three.Dest)
}

// Conflicts returns the conflicts of a page.
func (p *Page) Conflicts() (all []*Conflict) {
	for _, x := range p.Parts {
		if x.Conflict != nil {
			all = append(all, x.Conflict)
		}
	}
	return all
}

// SplitsIndivisible reports whether p has in no single conflict all of a conflict of whole of which no lines merge by themselves.
func (p *Page) SplitsIndivisible(whole *Page) bool {
	return slices.ContainsFunc(whole.Conflicts(), func(c *Conflict) bool {
		return c.isIndivisible() && !slices.ContainsFunc(p.Conflicts(), func(part *Conflict) bool {
			for s, at := range c.Spans {
				if !at.Empty() && !part.Spans[s].Contains(at) {
					return false
				}
			}
			return true
		})
	})
}

var lf = []byte("\n")

// FromLineMerge returns the page of a line merge of the versions raw, of which these are the parts and the chunks.
func FromLineMerge(raw [3][]byte, parts []diff3.Part, merged []diff3.Chunk) *Page {
	p := &Page{LineMergeChunks: merged}
	for _, x := range parts {
		if x.Conflict == nil {
			p.addText(x.Text)
			continue
		}
		c := &Conflict{Kind: plan.ConflictLine, LineMerge: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.Texts[s] = raw[s][at.Start:at.End]
			c.Spans[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.Add(c)
	}
	return p
}

// BothTexts returns ours, then theirs, each in whole lines; c.Merged if c has one.
func (c *Conflict) BothTexts(nl []byte) []byte {
	if c.BothEdits != nil {
		return c.BothEdits
	}
	ours := c.Texts[three.Dest]
	if c.CommaFromEnd != nil && len(c.Texts[three.Updated]) > 0 {
		at := len(ours) - *c.CommaFromEnd
		return slices.Concat(ours[:at], []byte(","), ours[at:], c.Texts[three.Updated])
	}
	if c.LineMerge != nil && len(ours) > 0 && len(c.Texts[three.Updated]) > 0 && !bytes.HasSuffix(ours, []byte("\n")) {
		return slices.Concat(ours, nl, c.Texts[three.Updated])
	}
	return slices.Concat(ours, c.Texts[three.Updated])
}

// Renderer writes a plan with the bytes of the three versions.
type Renderer struct {
	Sources
	cachedLayouts *layouts
}

// Sources is what a page is written from.
type Sources struct {
	Files     [3]*text.File
	Streams   [3]*syntax.Stream
	LineBreak []byte // the line break of what has none of its own
	// DestDecidesSeparator says that only dest decides whether the file starts with ---.
	DestDecidesSeparator bool
}

// bytes returns what stands at sp in version s.
func (r *Renderer) bytes(s three.Version, sp text.Span) []byte { return r.Files[s].Slice(sp) }

// keyText is what introduces the value of e, an entry of in, in a flow or in a block collection.
func (r *Renderer) keyText(s three.Version, e *syntax.Entry, in *syntax.Node, flow bool) []byte {
	switch {
	case flow == (in.Style == syntax.Flow):
		return r.bytes(s, e.KeySpan())
	case e.Key == nil:
		return []byte("-")
	}
	return append(bytes.Clone(r.bytes(s, e.Key.Span)), ':')
}

// propertiesText is the merged properties of a value, with the blank behind them where
// content follows on the line.
func (r *Renderer) propertiesText(m *plan.Value) []byte {
	n, x := m.Nodes[m.FormatFrom], m.Nodes[m.PropertiesFrom]
	switch {
	case !x.HasProperties():
		return nil
	case m.PropertiesTextFrom() != m.FormatFrom, m.IsEmptyBlock():
		return []byte(x.PropsText() + " ")
	case n.Style == syntax.Block:
		return r.bytes(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.PropsEnd(r.Files[m.FormatFrom])})
	}
	return r.bytes(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.Content.Start})
}

// joinLines is the merged lines, or parts of a line, of a scalar that is no block.
func (r *Renderer) joinLines(m *plan.Value) (b []byte) {
	for _, l := range m.Lines {
		b = append(b, r.bytes(l.Side, l.Span)...)
	}
	return b
}

// lineComment is the comment of side s with the blanks before it.
func (r *Renderer) lineComment(c *plan.MergedEntry, s three.Version) []byte {
	e := c.Entries[s]
	if e == nil || e.Comment.Empty() {
		return nil
	}
	b := r.Files[s].Bytes()
	start := e.Comment.Start
	for start > 0 && (b[start-1] == ' ' || b[start-1] == '\t') {
		start--
	}
	return b[start:e.Comment.End]
}

func emptyFlow(n *syntax.Node) string {
	if n.Kind == syntax.Mapping {
		return "{}"
	}
	return "[]"
}

// writeTrivia writes a merged slot whose owner is at column col. The path is that of conflicts in it, or nil.
func (r *Renderer) writeTrivia(t plan.Trivia, path *three.Path, col int, p *Page) {
	for _, part := range t {
		if part.Conflict == nil {
			p.addText(moveLines(part.Lines, col))
			continue
		}
		m := &Conflict{Kind: plan.ConflictComment, Path: path, Spans: part.Conflict.Spans}
		for s, ls := range part.Conflict.Lines {
			m.Texts[s] = moveLines(ls, col)
		}
		p.Add(m)
	}
}

// moveLines returns the lines ls, with their owner moved to column col.
func moveLines(ls []plan.Line, col int) []byte {
	var b []byte
	for _, l := range ls {
		b = append(b, text.MoveColumns(l.OwnerColumn, col).Apply(l.Text)...)
	}
	return b
}
