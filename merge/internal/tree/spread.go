package tree

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Spread reports whether n is a flow collection of f with lines of their own for each of its
// entries, and for its closing bracket.
func Spread(f *text.File, n *syntax.Node) bool {
	if n.Style != syntax.Flow || n.Implicit || len(n.Entries) == 0 {
		return false
	}
	for _, e := range n.Entries {
		if e.Odd || !startsLine(f, e.Start, e.Span.Start) {
			return false
		}
	}
	return startsLine(f, n.Content.End-1, n.Tail.Start) &&
		blank(f, text.Span{Start: n.Content.Start + 1, End: SpreadLines(f, n.Entries[0]).Start})
}

// startsLine reports whether off is the first on its line, which begins behind after.
func startsLine(f *text.File, off, after int) bool {
	start := f.LineStart(off)
	return start > after && blank(f, text.Span{Start: start, End: off})
}

func blank(f *text.File, s text.Span) bool { return len(bytes.TrimSpace(f.Slice(s))) == 0 }

// SpreadLines are the whole lines of an entry of a collection that is spread: those of its Lead,
// and its own.
func SpreadLines(f *text.File, e *syntax.Entry) text.Span {
	return text.Span{Start: f.LineEnd(e.Span.Start), End: f.LineEnd(e.Span.End)}
}

// SpreadTail are the lines between the last entry and the closing bracket of n, which is spread.
func SpreadTail(f *text.File, n *syntax.Node) text.Span {
	return text.Span{Start: f.LineEnd(n.Tail.Start), End: f.LineStart(n.Content.End - 1)}
}

// SpreadIndent is what stands before the entries of n, which is spread, and before its closing
// bracket.
func SpreadIndent(f *text.File, n *syntax.Node) (entries, bracket []byte) {
	before := func(off int) []byte { return f.Slice(text.Span{Start: f.LineStart(off), End: off}) }
	return before(n.Entries[0].Start), before(n.Content.End - 1)
}

// CommaAt is where the comma behind e, an entry of a collection that is spread, stands in f, or
// would stand.
func CommaAt(f *text.File, e *syntax.Entry) int {
	at := e.Foot.Start
	if e.Comma {
		at += bytes.IndexByte(f.Slice(e.Foot), ',')
	}
	return at
}
