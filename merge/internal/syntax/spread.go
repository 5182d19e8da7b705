package syntax

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Spread reports whether n is a flow collection of f with lines of their own for each of its
// entries, and for its closing bracket.
func (n *Node) Spread(f *text.File) bool {
	if n.Style != Flow || n.Implicit || len(n.Entries) == 0 {
		return false
	}
	for _, e := range n.Entries {
		if e.Odd || !beginsLine(f, e.Start, e.Span.Start) {
			return false
		}
	}
	return beginsLine(f, n.Content.End-1, n.Tail.Start) &&
		blankIn(f, text.Span{Start: n.Content.Start + 1, End: n.Entries[0].SpreadLines(f).Start})
}

// beginsLine reports whether off is the first on its line, which begins behind after.
func beginsLine(f *text.File, off, after int) bool {
	start := f.LineStart(off)
	return start > after && blankIn(f, text.Span{Start: start, End: off})
}

func blankIn(f *text.File, s text.Span) bool { return len(bytes.TrimSpace(f.Slice(s))) == 0 }

// SpreadLines are the whole lines of an entry of a collection that is spread: those of its Lead,
// and its own.
func (e *Entry) SpreadLines(f *text.File) text.Span {
	return text.Span{Start: f.LineEnd(e.Span.Start), End: f.LineEnd(e.Span.End)}
}

// SpreadTail are the lines between the last entry and the closing bracket of n, which is spread.
func (n *Node) SpreadTail(f *text.File) text.Span {
	return text.Span{Start: f.LineEnd(n.Tail.Start), End: f.LineStart(n.Content.End - 1)}
}

// SpreadIndent is what stands before the entries of n, which is spread, and before its closing
// bracket.
func (n *Node) SpreadIndent(f *text.File) (entries, bracket []byte) {
	before := func(off int) []byte { return f.Slice(text.Span{Start: f.LineStart(off), End: off}) }
	return before(n.Entries[0].Start), before(n.Content.End - 1)
}

// CommaAt is where the comma behind e, an entry of a collection that is spread, stands in f, or
// would stand.
func (e *Entry) CommaAt(f *text.File) int {
	at := e.Foot.Start
	if e.Comma {
		at += bytes.IndexByte(f.Slice(e.Foot), ',')
	}
	return at
}
