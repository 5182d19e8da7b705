package tree

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Compact reports whether n is a block collection that starts on the line of
// the entry that holds it.
func Compact(n *syntax.Node) bool {
	return n.Style == syntax.Block && len(n.Entries) > 0 && n.Entries[0].Inline
}

// TextSpan is what merges by lines: a block scalar's lines, or the whole
// content of another scalar.
func TextSpan(n *syntax.Node) text.Span {
	if IsBlockScalar(n) {
		return n.Lines
	}
	return n.Content
}

// IsBlockScalar reports whether n is a literal or folded text.
func IsBlockScalar(n *syntax.Node) bool {
	return n != nil && (n.Style == syntax.Literal || n.Style == syntax.Folded)
}

// BlockHeader is the | or > of a block scalar with its indicators.
func BlockHeader(f *text.File, n *syntax.Node) text.Span {
	end := n.Content.Start + 1
	for b := f.Bytes(); end < n.Content.End && bytes.IndexByte([]byte("+-0123456789"), b[end]) >= 0; {
		end++
	}
	return text.Span{Start: n.Content.Start, End: end}
}
