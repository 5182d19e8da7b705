package page

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// layouts are those of the three versions, and the merged one.
type layouts struct {
	own    [3]tree.Layout
	merged tree.Layout
}

func layoutsOf(streams [3]*syntax.Stream) *layouts {
	var l layouts
	for s, st := range streams {
		l.own[s] = tree.LayoutOf(st)
	}
	l.fill(func(l *tree.Layout) *int { return &l.List })
	l.fill(func(l *tree.Layout) *int { return &l.Text })
	o, d, u := l.own[three.Original], l.own[three.Dest], l.own[three.Updated]
	l.merged = tree.Layout{Mapping: way(o.Mapping, d.Mapping, u.Mapping), List: way(o.List, d.List, u.List), Text: way(o.Text, d.Text, u.Text)}
	return &l
}

// way merges one way to indent. Where the original has several and each side kept
// another one, none of them is that of the file.
func way(o, d, u int) int {
	if o == tree.Unsettled && d != o && u != o && d != u {
		return o
	}
	return three.Form(o, d, u)
}

// fill supposes that a version without lists (or texts) would indent them like
// its mappings, where the others do.
func (l *layouts) fill(what func(*tree.Layout) *int) {
	for s := range l.own {
		if by := *what(&l.own[s]); by != tree.Unseen && by != l.own[s].Mapping {
			return
		}
	}
	for s := range l.own {
		if by := what(&l.own[s]); *by == tree.Unseen {
			*by = l.own[s].Mapping
		}
	}
}

// by returns the columns by which the value n of a field of in is indented in
// the result, where it comes from s.
func (l *layouts) by(s three.Side, in, n *syntax.Node) int {
	own := n.Indent - in.Indent
	from := l.own[s].Of(in, n)
	if from == nil || *from < 0 {
		return own
	}
	if to := *l.merged.Of(in, n); to >= 0 && (to > 0 || n.Style == syntax.Block && n.Kind == syntax.Sequence) {
		return to
	}
	return own
}

// relaid writes what stands in version s anew, every block moved to the column
// that it has in the merged layout.
type relaid struct {
	r   *Renderer
	s   three.Side
	out []byte
	at  int // what stands before it is written
	end int // nothing is written from here on
}

// upTo writes the lines up to off, moved by delta.
func (z *relaid) upTo(off, delta int) {
	if off = min(off, z.end); off <= z.at {
		return
	}
	b := z.r.bytes(z.s, text.Span{Start: z.at, End: off})
	if f := z.r.Files[z.s]; f.LineStart(z.at) == z.at {
		b = text.Shift(b, delta)
	} else {
		b = text.ShiftRest(b, delta)
	}
	z.out, z.at = append(z.out, b...), off
}

// entry writes the entry e of in, moved by delta.
func (z *relaid) entry(e *syntax.Entry, in *syntax.Node, delta int) {
	n := e.Value
	inner := in.Indent + delta + z.r.layouts().by(z.s, in, n) - n.Indent
	switch {
	case tree.IsBlockScalar(n):
		if z.counted(n) {
			inner = delta
		}
		z.upTo(n.Lines.Start, delta)
		z.upTo(n.Lines.End, inner)
	case n.Style == syntax.Block && tree.Compact(n):
		z.entries(n, delta)
	case n.Style == syntax.Block:
		z.upTo(e.HeadEnd, delta)
		z.entries(n, inner)
	}
	z.upTo(e.Span.End, delta)
}

// counted reports whether the header of a block scalar says how far its lines
// are indented.
func (z *relaid) counted(n *syntax.Node) bool {
	for _, c := range z.r.bytes(z.s, tree.BlockHeader(z.r.Files[z.s], n)) {
		if '0' <= c && c <= '9' {
			return true
		}
	}
	return false
}

// entries writes the entries of a block collection and its tail.
func (z *relaid) entries(n *syntax.Node, delta int) {
	for _, e := range n.Entries {
		z.entry(e, n, delta)
	}
	z.upTo(n.Tail.End, delta)
}

// layouts reads the layouts of the versions, once.
func (r *Renderer) layouts() *layouts {
	if r.laid == nil {
		r.laid = layoutsOf(r.Streams)
	}
	return r.laid
}
