package mutant

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A file is what is to be spoilt.
type file struct {
	src      []byte
	lines    [][]byte // with their breaks
	stream   *syntax.Stream
	entries  []entry // of block collections
	comments []text.Span
	anchors  []name
	aliases  []name
	texts    []*syntax.Node // block scalars
}

func read(b []byte) *file {
	st := parsed(b)
	if st == nil {
		return nil
	}
	f := &file{src: b, stream: st, lines: slices.Collect(bytes.Lines(b))}
	for _, c := range st.Comments() {
		f.comments = append(f.comments, c.Span)
	}
	for i, d := range st.Docs {
		f.node(i, d.Root, nil)
	}
	return f
}

// node reads what is in n, the value of up.
func (f *file) node(doc int, n *syntax.Node, up *entry) {
	f.name(doc, n)
	if n.IsBlockScalar() {
		f.texts = append(f.texts, n)
	}
	for i, e := range n.Entries {
		if e.Key != nil {
			f.name(doc, e.Key)
		}
		at := entry{Entry: e, doc: doc, in: n, i: i, up: up}
		if n.Style == syntax.Block {
			f.entries = append(f.entries, at)
		}
		f.node(doc, e.Value, &at)
	}
}

// A name is that of an anchor or an alias, where it is written.
type name struct {
	at   text.Span
	name string
	doc  int
}

func (f *file) name(doc int, n *syntax.Node) {
	switch {
	case n.Kind == syntax.Alias:
		f.aliases = append(f.aliases, name{text.Span{Start: n.Content.End - len(n.Value), End: n.Content.End}, n.Value, doc})
	case n.Anchor != "":
		if i := bytes.Index(f.src[n.Span.Start:n.Content.Start], []byte("&"+n.Anchor)); i >= 0 {
			at := n.Span.Start + i + 1
			f.anchors = append(f.anchors, name{text.Span{Start: at, End: at + len(n.Anchor)}, n.Anchor, doc})
		}
	}
}

func parsed(b []byte) *syntax.Stream {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return nil
	}
	return st
}

// splice returns f with other text at each of spans, which are in order and
// disjoint.
func (f *file) splice(spans []text.Span, with ...string) []byte {
	var out []byte
	at := 0
	for i, s := range spans {
		out = append(append(out, f.src[at:s.Start]...), with[i]...)
		at = s.End
	}
	return append(out, f.src[at:]...)
}

func (f *file) text(s text.Span) string { return string(f.src[s.Start:s.End]) }

func (f *file) lineOf(off int) int { return 1 + bytes.Count(f.src[:off], []byte("\n")) }
