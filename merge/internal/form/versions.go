package form

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Versions are three files as they are written.
type Versions struct {
	Streams [3]*syntax.Stream
	Files   [3]*text.File // of the streams
	// Cut holds the collections out of which entries were taken, so that they are not
	// what their bytes say.
	Cut      map[*syntax.Node]bool
	spread   map[*syntax.Node]bool // whether flow collections are, once it is asked for
	comments [3][]syntax.Comment
	sought   [3]bool            // in which comments were sought
	times    [3]map[string]int  // of the comments, once they are asked for
	undone   [3]map[string]bool // what removed remembers
}

// New returns the versions of parsed streams.
func New(streams [3]*syntax.Stream) *Versions {
	f := &Versions{Streams: streams, spread: map[*syntax.Node]bool{}}
	for s, st := range streams {
		f.Files[s] = st.File
	}
	return f
}

// Bytes returns what stands at sp in version s.
func (f *Versions) Bytes(s three.Side, sp text.Span) []byte { return f.Files[s].Slice(sp) }

// Tail gathers what stands below the last entries of collections that have a line for each.
func (f *Versions) Tail(v three.Nodes) plan.Slot {
	var t plan.Slot
	for s, n := range v {
		switch {
		case n == nil:
		case n.Style == syntax.Block:
			t.Spans[s] = n.Tail
			t.Lines[s] = plan.Lines(f.Files[s], n.Tail, n.Indent)
		case f.Spread(three.Side(s), n):
			t.Spans[s] = tree.SpreadTail(f.Files[s], n)
			t.Lines[s] = plan.Lines(f.Files[s], t.Spans[s], f.column(three.Side(s), n))
		}
	}
	return t
}

// Lead gathers what stands above the versions of an entry of the collections v, which have a
// line for each.
func (f *Versions) Lead(at three.Entries, v three.Nodes) plan.Slot {
	t := f.around(at, v, func(e *syntax.Entry) text.Span { return e.Lead })
	for s, e := range at {
		if e != nil && v[s].Style == syntax.Flow && f.Spread(three.Side(s), v[s]) {
			file := f.Files[s]
			t.Spans[s] = text.Span{Start: tree.SpreadLines(file, e).Start, End: file.LineStart(e.Start)}
			t.Lines[s] = plan.Lines(file, t.Spans[s], f.column(three.Side(s), v[s]))
		}
	}
	return t
}

// Spread reports whether n is a flow collection with lines of their own for its entries.
func (f *Versions) Spread(s three.Side, n *syntax.Node) bool {
	spread, known := f.spread[n]
	if !known {
		spread = tree.Spread(f.Files[s], n)
		f.spread[n] = spread
	}
	return spread
}

// column is that of the entries of n, which is spread.
func (f *Versions) column(s three.Side, n *syntax.Node) int {
	indent, _ := tree.SpreadIndent(f.Files[s], n)
	return len(indent)
}

// Foot gathers what stands below them.
func (f *Versions) Foot(at three.Entries, v three.Nodes) plan.Slot {
	return f.around(at, v, func(e *syntax.Entry) text.Span { return e.Foot })
}

func (f *Versions) around(at three.Entries, v three.Nodes, get func(*syntax.Entry) text.Span) plan.Slot {
	var t plan.Slot
	for s, e := range at {
		if e == nil || v[s].Style == syntax.Flow {
			continue
		}
		t.Spans[s] = get(e)
		t.Lines[s] = plan.Lines(f.Files[s], t.Spans[s], v[s].Indent)
	}
	return t
}

// KeyText is what introduces the value of e, as it is written.
func (f *Versions) KeyText(s three.Side, e *syntax.Entry) []byte { return f.Bytes(s, tree.KeySpan(e)) }

// Properties is how anchor and tag of n are written, with what stands between them and the content.
func (f *Versions) Properties(s three.Side, n *syntax.Node) []byte {
	return f.Bytes(s, text.Span{Start: n.Span.Start, End: n.Content.Start})
}
