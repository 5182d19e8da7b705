package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// compact reports whether n is a block collection that starts on the line of
// the entry that holds it.
func compact(n *syntax.Node) bool {
	return n.Style == syntax.Block && len(n.Entries) > 0 && n.Entries[0].Inline
}

// textSpan is what merges by lines: a block scalar's lines, or the whole
// content of another scalar.
func textSpan(n *syntax.Node) text.Span {
	if isBlockScalar(n) {
		return n.Lines
	}
	return n.Content
}

func isBlockScalar(n *syntax.Node) bool {
	return n != nil && (n.Style == syntax.Literal || n.Style == syntax.Folded)
}

// blockHeader is the | or > of a block scalar with its indicators.
func blockHeader(f *text.File, n *syntax.Node) text.Span {
	end := n.Content.Start + 1
	for b := f.Bytes(); end < n.Content.End && bytes.IndexByte([]byte("+-0123456789"), b[end]) >= 0; {
		end++
	}
	return text.Span{Start: n.Content.Start, End: end}
}
