package syntax

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// IsExpanded reports whether n is a flow collection in which each entry, and the closing bracket, starts on a line of
// its own, so that entries can be merged as lines. It returns false if there are no entries, if an entry is Irregular,
// or if a comment follows the opening bracket on its line.
//
//	list: [
//	  a,    # a comment
//	  b
//	]
func (n *Node) IsExpanded(f *text.File) bool {
	if n.Style != Flow || n.Implicit || len(n.Entries) == 0 {
		return false
	}
	for _, e := range n.Entries {
		if e.Irregular || !startsLine(f, e.Start, e.Span.Start) {
			return false
		}
	}
	restOfFirstLine := text.Span{Start: n.Content.Start + 1, End: n.Entries[0].ExpandedLines(f).Start}
	return isWhiteSpace(f, restOfFirstLine) && startsLine(f, n.Content.End-1, n.Tail.Start)
}

// startsLine reports whether only blanks precede off on its line, and whether this line starts after the offset
// previousEnd.
func startsLine(f *text.File, off, previousEnd int) bool {
	start := f.LineStart(off)
	return start > previousEnd && isWhiteSpace(f, text.Span{Start: start, End: off})
}

// isWhiteSpace reports whether s contains only white space.
func isWhiteSpace(f *text.File, s text.Span) bool { return len(bytes.TrimSpace(f.Slice(s))) == 0 }

// ExpandedLines returns the whole lines of e, an entry of an expanded flow collection (see IsExpanded): the lines of
// the comments and blank lines above it, the value, and the comma with its comment.
func (e *Entry) ExpandedLines(f *text.File) text.Span {
	return text.Span{Start: f.LineEnd(e.Span.Start), End: f.LineEnd(e.Span.End)}
}

// ExpandedTail returns the lines of comments and blank lines between the last entry and the closing bracket of n, an
// expanded flow collection (see IsExpanded). The span is empty if there are none.
func (n *Node) ExpandedTail(f *text.File) text.Span {
	return text.Span{Start: f.LineEnd(n.Tail.Start), End: f.LineStart(n.Content.End - 1)}
}

// ExpandedIndents returns the indentation of the first entry and the indentation of the closing bracket of n, an
// expanded flow collection (see IsExpanded), as the blanks at the start of their lines.
func (n *Node) ExpandedIndents(f *text.File) (entries, bracket []byte) {
	before := func(off int) []byte { return f.Slice(text.Span{Start: f.LineStart(off), End: off}) }
	return before(n.Entries[0].Start), before(n.Content.End - 1)
}

// CommaOffset returns the offset of the comma after e in file f or, if there is none, the end of e's value, before any
// comment, where a comma can be inserted. e must be an entry of an expanded flow collection (see IsExpanded).
func (e *Entry) CommaOffset(f *text.File) int {
	offset := e.Foot.Start
	if e.Comma {
		offset += bytes.IndexByte(f.Slice(e.Foot), ',')
	}
	return offset
}
