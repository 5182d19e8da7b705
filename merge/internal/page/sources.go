package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

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
func (r *Renderer) bytes(s three.Side, sp text.Span) []byte { return r.Files[s].Slice(sp) }

func (r *Renderer) moved(s three.Side, sp text.Span, delta int) []byte {
	return text.Shift(r.bytes(s, sp), delta)
}

// keyText is what introduces a value in a block collection.
func (r *Renderer) keyText(s three.Side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style != syntax.Flow {
		return r.bytes(s, tree.KeySpan(e))
	}
	if e.Key == nil {
		return []byte("-")
	}
	return append(bytes.Clone(r.bytes(s, e.Key.Span)), ':')
}

// props is the merged properties of a value, with the blank behind them where
// content follows on the line.
func (r *Renderer) props(m *plan.Value) []byte {
	n, x := m.V[m.Form], m.V[m.Props]
	switch {
	case !tree.Propped(x):
		return nil
	case m.PropsSide() != m.Form, m.Emptied():
		return []byte(tree.PropsText(x) + " ")
	case n.Style == syntax.Block:
		return r.bytes(m.Form, text.Span{Start: n.Span.Start, End: tree.PropsEnd(r.Files[m.Form], n)})
	}
	return r.bytes(m.Form, text.Span{Start: n.Span.Start, End: n.Content.Start})
}

// joined is the merged lines, or parts of a line, of a scalar that is no block.
func (r *Renderer) joined(m *plan.Value) (b []byte) {
	for _, l := range m.Lines {
		b = append(b, r.bytes(l.Side, l.Span)...)
	}
	return b
}

// remark is the comment of side s with the blanks before it.
func (r *Renderer) remark(c *plan.Child, s three.Side) []byte {
	e := c.At[s]
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

// trivia writes a merged slot whose owner stands at column col.
func (r *Renderer) trivia(t plan.Trivia, c *plan.Child, col int, p *Page) {
	for _, part := range t {
		if part.Clash == nil {
			p.text(moveLines(part.Lines, col))
			continue
		}
		m := &Conflict{Kind: plan.ConflictComment, At: part.Clash.Spans}
		if c != nil {
			m.Path = c.Path
		}
		for s, ls := range part.Clash.Lines {
			m.Alt[s] = moveLines(ls, col)
		}
		p.Add(m)
	}
}

func moveLines(ls []plan.Line, col int) []byte {
	if len(ls) == 1 && ls[0].Base == col {
		return ls[0].Text
	}
	var b []byte
	for _, l := range ls {
		b = append(b, text.Shift(l.Text, col-l.Base)...)
	}
	return b
}
