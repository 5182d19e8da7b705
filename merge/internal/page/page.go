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
	Alt   [3][]byte
	Kind  plan.ConflictKind
	Path  *three.Path
	At    [3]text.Span // where the versions stand in the inputs
	Entry plan.Entry   // the entry in conflict, if it is a single one; else nil
	// Items are the lines of Alt at which the items start that both sides added, and their
	// number behind the last: markers stand there. Nil in all other conflicts.
	Items [3][]int
	// Behind is how long what stands behind the last entry of dest is, where that lacks the comma which it
	// has before another one; nil elsewhere.
	Behind *int
	// Detail says what is in conflict, where Kind does not say enough.
	Detail string
	// Merged is the text with the edits of both sides, if they are in conflict only for what they mean together
	// (plan.ConflictMultiplied); else nil.
	Merged []byte
	// Lines is how git marks it, by style, if it is a conflict of the line
	// merge.
	Lines *[3]diff3.MarkedText
}

// Whole is one conflict around everything.
func Whole(versions [3][]byte) *Conflict {
	c := &Conflict{Kind: plan.ConflictRefused}
	for s, b := range versions {
		c.Alt[s], c.At[s] = b, text.Span{End: len(b)}
	}
	return c
}

// whole reports whether no lines of c merge by themselves.
func (c *Conflict) whole() bool {
	e, ok := c.Entry.(*plan.EntryConflict)
	return ok && e.Indivisible
}

// Page collects parts in order.
type Page struct {
	Parts []Part
	// Merged are the chunks of lines that a line merge put together; nil if the page is none.
	Merged []diff3.Chunk
}

func (p *Page) text(b []byte) {
	if len(b) > 0 {
		p.Parts = append(p.Parts, Part{Text: b})
	}
}

// extend writes more behind the last part, which is text.
func (p *Page) extend(more ...[]byte) {
	last := &p.Parts[len(p.Parts)-1]
	last.Text = slices.Concat(append([][]byte{last.Text}, more...)...)
}

// Add adds a conflict.
func (p *Page) Add(m *Conflict) { p.Parts = append(p.Parts, Part{Conflict: m}) }

// Agree drops the conflicts whose sides came out the same.
func (p *Page) Agree() {
	for i, x := range p.Parts {
		if c := x.Conflict; c != nil && c.Kind != plan.ConflictEncrypted && bytes.Equal(c.Alt[three.Dest], c.Alt[three.Updated]) {
			p.Parts[i] = Part{Text: c.Alt[three.Dest]}
		}
	}
}

// of is a part with one side taken.
func (x Part) of(s three.Version) []byte {
	if x.Conflict != nil {
		return x.Conflict.Alt[s]
	}
	return x.Text
}

// Choose is the file with one side taken at every conflict.
func (p *Page) Choose(s three.Version) []byte {
	n := 0
	for _, x := range p.Parts {
		n += len(x.of(s))
	}
	b := make([]byte, 0, n)
	for _, x := range p.Parts {
		b = append(b, x.of(s)...)
	}
	return b
}

// clean returns the bytes of p, nil if it has conflicts.
func (p *Page) clean() []byte {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return p.Choose(three.Dest)
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

// Cuts reports whether p has in no single conflict all of a conflict of whole of which no lines merge by themselves.
func (p *Page) Cuts(whole *Page) bool {
	return slices.ContainsFunc(whole.Conflicts(), func(c *Conflict) bool {
		return c.whole() && !slices.ContainsFunc(p.Conflicts(), func(part *Conflict) bool {
			for s, at := range c.At {
				if !at.Empty() && !part.At[s].Contains(at) {
					return false
				}
			}
			return true
		})
	})
}

var lf = []byte("\n")

// OfLines returns the page of a line merge of the versions raw, of which these are the parts and the chunks.
func OfLines(raw [3][]byte, parts []diff3.Part, merged []diff3.Chunk) *Page {
	p := &Page{Merged: merged}
	for _, x := range parts {
		if x.Conflict == nil {
			p.text(x.Text)
			continue
		}
		c := &Conflict{Kind: plan.ConflictLine, Lines: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.Alt[s] = raw[s][at.Start:at.End]
			c.At[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.Add(c)
	}
	return p
}

// Both returns ours, then theirs, each in whole lines; c.Merged if c has one.
func (c *Conflict) Both(nl []byte) []byte {
	if c.Merged != nil {
		return c.Merged
	}
	ours := c.Alt[three.Dest]
	if c.Behind != nil && len(c.Alt[three.Updated]) > 0 {
		at := len(ours) - *c.Behind
		return slices.Concat(ours[:at], []byte(","), ours[at:], c.Alt[three.Updated])
	}
	if c.Lines != nil && len(ours) > 0 && len(c.Alt[three.Updated]) > 0 && !bytes.HasSuffix(ours, []byte("\n")) {
		return slices.Concat(ours, nl, c.Alt[three.Updated])
	}
	return slices.Concat(ours, c.Alt[three.Updated])
}

// Renderer writes a plan with the bytes of the three versions.
type Renderer struct {
	Sources
	laid *layouts
}

// Sources is what a page is written from.
type Sources struct {
	Files   [3]*text.File
	Streams [3]*syntax.Stream
	Break   []byte // the line break of what has none of its own
	// DestStarts says that only dest decides whether the file starts with ---.
	DestStarts bool
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

// props is the merged properties of a value, with the blank behind them where
// content follows on the line.
func (r *Renderer) props(m *plan.Value) []byte {
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

// joined is the merged lines, or parts of a line, of a scalar that is no block.
func (r *Renderer) joined(m *plan.Value) (b []byte) {
	for _, l := range m.Lines {
		b = append(b, r.bytes(l.Side, l.Span)...)
	}
	return b
}

// remark is the comment of side s with the blanks before it.
func (r *Renderer) remark(c *plan.MergedEntry, s three.Version) []byte {
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

// trivia writes a merged slot whose owner is at column col. The path is that of conflicts in it, or nil.
func (r *Renderer) trivia(t plan.Trivia, path *three.Path, col int, p *Page) {
	for _, part := range t {
		if part.Conflict == nil {
			p.text(moveLines(part.Lines, col))
			continue
		}
		m := &Conflict{Kind: plan.ConflictComment, Path: path, At: part.Conflict.Spans}
		for s, ls := range part.Conflict.Lines {
			m.Alt[s] = moveLines(ls, col)
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
