package tree

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// Layout is how a file indents the blocks that are values of fields: by how
// many columns, or Unsettled where it has none or several ways.
type Layout struct{ Mapping, List, Text int }

// Unsettled is no way to indent, or several; Unseen, that there was nothing to see it by.
const (
	Unsettled = -1
	Unseen    = -2
)

// LayoutOf reads the layout of a file off its tree.
func LayoutOf(st *syntax.Stream) Layout {
	l := Layout{Unseen, Unseen, Unseen}
	for _, d := range st.Docs {
		l.read(d.Root)
	}
	return l
}

func (l *Layout) read(n *syntax.Node) {
	for _, e := range n.Entries {
		if to := l.Of(n, e.Value); to != nil {
			see(to, e.Value.Indent-n.Indent)
		}
		l.read(e.Value)
	}
}

// see adds to what was seen of one kind of block another that is indented by
// so many columns.
func see(to *int, by int) {
	switch *to {
	case Unseen:
		*to = by
	case by:
	default:
		*to = Unsettled
	}
}

// Of is what l says of the value n of a field of in, nil if nothing.
func (l *Layout) Of(in, n *syntax.Node) *int {
	switch {
	case in.Kind != syntax.Mapping || in.Style != syntax.Block:
		return nil
	case n.Style == syntax.Block && n.Kind == syntax.Mapping:
		return &l.Mapping
	case n.Style == syntax.Block:
		return &l.List
	case IsBlockScalar(n) && !n.Lines.Empty():
		return &l.Text
	}
	return nil
}
