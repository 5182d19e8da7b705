package form

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Scalar is the side that alone changed how a scalar is written, dest if both did. It
// stands in entries at the columns cols.
func (f *Versions) Scalar(v three.Nodes, cols [3]int) three.Side {
	if f.writtenAlike(v[three.Original], v[three.Dest]) && !f.Reindented(v, three.Dest, cols) {
		return three.Updated
	}
	return three.Dest
}

// writtenAlike reports whether dest wrote a scalar as the original did; the comment
// behind the header of a block scalar is none of its own.
func (f *Versions) writtenAlike(o, d *syntax.Node) bool {
	if tree.SameProps(o, d) && !bytes.Equal(f.Properties(three.Original, o), f.Properties(three.Dest, d)) {
		return false
	}
	if tree.IsBlockScalar(o) && tree.IsBlockScalar(d) {
		same := bytes.Equal(f.Bytes(three.Original, o.Lines), f.Bytes(three.Dest, d.Lines))
		return same && bytes.Equal(f.header(three.Original, o), f.header(three.Dest, d))
	}
	return bytes.Equal(f.Bytes(three.Original, o.Content), f.Bytes(three.Dest, d.Content))
}

func (f *Versions) header(s three.Side, n *syntax.Node) []byte {
	return f.Bytes(s, tree.BlockHeader(f.Files[s], n))
}

// Reindented reports whether s alone gave a block scalar another indent below
// its parent.
func (f *Versions) Reindented(v three.Nodes, s three.Side, cols [3]int) bool {
	at := func(s three.Side) int { return v[s].Indent - cols[s] }
	return tree.IsBlockScalar(v[three.Original]) && tree.IsBlockScalar(v[s]) && at(s) != at(three.Original)
}
