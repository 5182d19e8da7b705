package mutant

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A file is a parsed file to which mutations are applied.
type file struct {
	src          []byte
	lines        [][]byte // with their line breaks
	stream       *syntax.Stream
	entries      []entry // the entries of block collections
	comments     []text.Span
	anchors      []name
	aliases      []name
	blockScalars []*syntax.Node
}

// parseFile returns b as a file, or nil if b does not parse.
func parseFile(b []byte) *file {
	st := parse(b)
	if st == nil {
		return nil
	}
	f := &file{src: b, stream: st, lines: slices.Collect(bytes.Lines(b))}
	for _, c := range st.Comments() {
		f.comments = append(f.comments, c.Span)
	}
	for i, d := range st.Docs {
		f.addNode(i, d.Root, nil)
	}
	return f
}

// addNode adds to f the names, block scalars and entries of n and of all nodes in it. doc is the index of the
// document. parent is the entry whose value is n; it is nil for a root.
func (f *file) addNode(doc int, n *syntax.Node, parent *entry) {
	f.addName(doc, n)
	if n.IsBlockScalar() {
		f.blockScalars = append(f.blockScalars, n)
	}
	for i, e := range n.Entries {
		if e.Key != nil {
			f.addName(doc, e.Key)
		}
		added := entry{Entry: e, doc: doc, collection: n, index: i, parent: parent}
		if n.Style == syntax.Block {
			f.entries = append(f.entries, added)
		}
		f.addNode(doc, e.Value, &added)
	}
}

// A name is the name of an anchor or an alias, without its & or *.
type name struct {
	span text.Span
	name string
	doc  int // the index of the document
}

// addName adds the name of n to f if n is an alias or has an anchor.
func (f *file) addName(doc int, n *syntax.Node) {
	switch {
	case n.Kind == syntax.Alias:
		f.aliases = append(f.aliases, name{text.Span{Start: n.Content.End - len(n.Value), End: n.Content.End}, n.Value, doc})
	case n.Anchor != "":
		if i := bytes.Index(f.src[n.Span.Start:n.Content.Start], []byte("&"+n.Anchor)); i >= 0 {
			start := n.Span.Start + i + 1
			f.anchors = append(f.anchors, name{text.Span{Start: start, End: start + len(n.Anchor)}, n.Anchor, doc})
		}
	}
}

// parse returns the stream of b, or nil if b does not parse.
func parse(b []byte) *syntax.Stream {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return nil
	}
	return st
}

// replace returns the bytes of f with texts[i] in place of spans[i]. The spans must be in order and must not
// overlap.
func (f *file) replace(spans []text.Span, texts ...string) []byte {
	var out []byte
	copied := 0
	for i, s := range spans {
		out = append(append(out, f.src[copied:s.Start]...), texts[i]...)
		copied = s.End
	}
	return append(out, f.src[copied:]...)
}

func (f *file) textOf(s text.Span) string { return string(f.src[s.Start:s.End]) }

// lineOf returns the number of the line at an offset, from 1.
func (f *file) lineOf(offset int) int { return 1 + bytes.Count(f.src[:offset], []byte("\n")) }
