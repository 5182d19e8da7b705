package form

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Collection is the side whose form (block or flow, indent) a merged collection
// keeps: updated's where it alone changed the original's, else dest's. What a
// side emptied has no form of its own, unless the result is empty. It stands in entries
// at the columns cols.
func (f *Versions) Collection(m *plan.Value, cols [3]int) three.Side {
	o, d, u := m.V[three.Original], m.V[three.Dest], m.V[three.Updated]
	switch {
	case len(m.Kids) == 0 && len(d.Entries) > 0 && len(u.Entries) == 0, len(m.Kids) > 0 && len(d.Entries) == 0:
		return three.Updated
	case len(d.Entries) == 0 || len(u.Entries) == 0 || o == nil:
		return three.Dest
	}
	if o.Style == d.Style && d.Style != u.Style {
		return three.Updated
	}
	n := len(o.Entries)
	if len(d.Entries) != n || len(u.Entries) != n {
		n = min(n, len(d.Entries), len(u.Entries), 2)
	}
	if d.Style != u.Style {
		return three.Dest
	}
	was := f.shape(three.Original, o, n, cols)
	if f.shape(three.Dest, d, n, cols) == was && f.shape(three.Updated, u, n, cols) != was {
		return three.Updated
	}
	return three.Dest
}

// shape is how a collection is laid out: its style, its indent below its
// parent, whether it starts on its parent's line; in flow style what
// stands between its first few entries.
type shape struct {
	style  syntax.Style
	indent int
	inline bool
	blanks string
}

func (f *Versions) shape(s three.Side, n *syntax.Node, few int, cols [3]int) shape {
	if n.Style != syntax.Flow {
		return shape{style: n.Style, indent: n.Indent - cols[s], inline: tree.Compact(n)}
	}
	var between bytes.Buffer
	for _, e := range n.Entries[:few] {
		between.Write(f.Bytes(s, text.Span{Start: e.Span.Start, End: e.Start}))
		between.WriteByte('|')
		between.Write(f.Bytes(s, e.Foot))
		between.WriteByte('|')
	}
	between.Write(f.Bytes(s, n.Tail))
	return shape{style: syntax.Flow, blanks: between.String()}
}
