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
	comments [3][]syntax.Comment
	sought   [3]bool            // in which comments were sought
	times    [3]map[string]int  // of the comments, once they are asked for
	undone   [3]map[string]bool // what removed remembers
}

// New returns the versions of parsed streams.
func New(streams [3]*syntax.Stream) *Versions {
	f := &Versions{Streams: streams}
	for s, st := range streams {
		f.Files[s] = st.File
	}
	return f
}

// Bytes returns what stands at sp in version s.
func (f *Versions) Bytes(s three.Side, sp text.Span) []byte { return f.Files[s].Slice(sp) }

// Tail gathers what stands below the last entries of block collections.
func (f *Versions) Tail(v three.Nodes) plan.Slot {
	var t plan.Slot
	for s, n := range v {
		if n != nil && n.Style == syntax.Block {
			t.Spans[s] = n.Tail
			t.Lines[s] = plan.Lines(f.Files[s], n.Tail, n.Indent)
		}
	}
	return t
}

// Lead gathers what stands above the versions of an entry of the block collections v.
func (f *Versions) Lead(at three.Entries, v three.Nodes) plan.Slot {
	return f.around(at, v, (*syntax.Entry).Lead)
}

// Foot gathers what stands below them.
func (f *Versions) Foot(at three.Entries, v three.Nodes) plan.Slot {
	return f.around(at, v, (*syntax.Entry).Foot)
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
