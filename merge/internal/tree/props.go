package tree

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// SameProps reports whether two nodes have the same anchor and written tag.
func SameProps(a, b *syntax.Node) bool { return a.Anchor == b.Anchor && a.TagText == b.TagText }

// KeySpan is where what introduces the value of e stands: its key and colon, or
// its dash.
func KeySpan(e *syntax.Entry) text.Span { return text.Span{Start: e.Start, End: e.Colon} }

// Propped reports whether n has an anchor or a written tag.
func Propped(n *syntax.Node) bool { return n.Anchor != "" || n.TagText != "" }

// PropsText spells anchor and tag.
func PropsText(n *syntax.Node) string {
	switch {
	case n.Anchor == "":
		return n.TagText
	case n.TagText == "":
		return "&" + n.Anchor
	}
	return "&" + n.Anchor + " " + n.TagText
}

// PropsEnd is the end of the properties of a block collection on the line
// where they start.
func PropsEnd(f *text.File, n *syntax.Node) int {
	line := f.Slice(text.Span{Start: n.Span.Start, End: min(f.LineEnd(n.Span.Start), n.Content.Start)})
	return n.Span.Start + len(bytes.TrimRight(cutComment(line), " \t\r\n"))
}

// cutComment is what stands before a comment on a line of properties.
func cutComment(line []byte) []byte {
	if i := bytes.Index(line, []byte(" #")); i >= 0 {
		return line[:i]
	}
	return line
}
