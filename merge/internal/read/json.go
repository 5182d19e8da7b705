package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// AsJSON returns the merge result st as JSON, without comments. The model for the layout is dest, or updated if dest is blank:
// values that the model has are copied from it, and all others are written in its layout. If the model is not JSON, or
// st is not one document with content, it returns the bytes of st. The error is not nil if st has a value that JSON
// lacks.
func (in *Inputs) AsJSON(st *syntax.Stream) ([]byte, error) {
	model := in.Data[three.Dest]
	if len(bytes.TrimSpace(model)) == 0 {
		model = in.Data[three.Updated]
	}
	if !json.Valid(model) || len(st.Docs) != 1 || st.Docs[0].Root.Content.Empty() {
		return st.File.Bytes(), nil
	}
	root := st.Docs[0].Root
	data, err := root.JSON()
	if err != nil {
		return nil, errors.New(in.called(three.Dest) + " is JSON, and the merge cannot be written so: " + err.Error())
	}
	like, err := in.Open(model)
	if err != nil {
		return nil, err
	}
	w := layoutOf(like.Stream, in.Merged.LineBreak())
	around := like.Docs[0].Root.Content
	w.file, w.out = st.File, bytes.Clone(model[:around.Start])
	w.value(root, like.Docs[0].Root, 0, w.oneLine)
	w.out = append(w.out, model[around.End:]...)
	var said, want any
	if json.Unmarshal(w.out, &said) != nil || json.Unmarshal(encoded(data), &want) != nil || !reflect.DeepEqual(said, want) {
		return nil, errors.New("the merge could not be verified: written as JSON it says something else")
	}
	return w.out, nil
}

// A jsonWriter writes a tree as JSON in the layout of a model.
type jsonWriter struct {
	file    *text.File // of the tree
	out     []byte     // the JSON so far
	newline string
	unit    []byte // one step of indentation
	colon   []byte // between a key and its value
	comma   []byte // between entries on one line
	oneLine bool   // the model is on one line
	model   *text.File
}

// layoutOf returns a writer with the layout of st, a file of JSON, as its model.
func layoutOf(st *syntax.Stream, newline string) *jsonWriter {
	w := &jsonWriter{file: st.File, newline: newline, unit: []byte("  "), colon: []byte(": "), comma: []byte(", "), model: st.File}
	root, between := st.Docs[0].Root, func(start, end int) []byte { return st.File.Slice(text.Span{Start: start, End: end}) }
	w.oneLine = !breaks(st.File, root)
	if len(root.Entries) == 0 {
		return w
	}
	first := root.Entries[0]
	if before := between(st.File.LineStart(first.Start), first.Start); !w.oneLine && len(before) > 0 && len(bytes.TrimSpace(before)) == 0 {
		w.unit = before
	}
	if first.Key != nil {
		if gap := between(first.Key.Span.End, first.Value.Content.Start); !bytes.ContainsAny(gap, "\n") {
			w.colon = gap
		}
	}
	if w.oneLine && len(root.Entries) > 1 {
		w.comma = between(first.Value.Content.End, root.Entries[1].Start)
	}
	return w
}

// breaks reports whether the content of n in f has several lines.
func breaks(f *text.File, n *syntax.Node) bool { return bytes.ContainsAny(f.Slice(n.Content), "\n") }

// value writes n. was is the value at the same path of the model, or nil; if it is equal, its bytes are copied. If inline
// is set, n is written on one line.
func (w *jsonWriter) value(n, was *syntax.Node, depth int, inline bool) {
	if own := w.file.Slice(n.Content); n.Kind == syntax.Scalar && n.TagText == "" && json.Valid(own) {
		w.out = append(w.out, own...)
		return
	}
	children := map[string]*syntax.Node{} // of was
	name := func(e *syntax.Entry, i int) string {
		if e.Key == nil {
			return strconv.Itoa(i)
		}
		return e.Key.Value
	}
	if was != nil {
		is, err := n.JSON()
		had, err2 := was.JSON()
		if err == nil && err2 == nil && reflect.DeepEqual(is, had) {
			w.out = append(w.out, w.model.Slice(was.Content)...)
			return
		}
		for i, e := range was.Entries {
			children[name(e, i)] = e.Value
		}
	}
	if n.Kind != syntax.Mapping && n.Kind != syntax.Sequence {
		w.out = append(w.out, encoded(n.JSONScalar())...)
		return
	}
	brackets := "[]"
	if n.Kind == syntax.Mapping {
		brackets = "{}"
	}
	flows := n.Style == syntax.Flow && !breaks(w.file, n)
	flowed := was != nil && len(was.Entries) > 0 && !breaks(w.model, was)
	inline = inline || flows || flowed
	line := func(depth int) {
		if !inline {
			w.out = slices.Concat(w.out, []byte(w.newline), bytes.Repeat(w.unit, depth))
		}
	}
	w.out = append(w.out, brackets[0])
	for i, e := range n.Entries {
		switch {
		case i > 0 && inline:
			w.out = append(w.out, w.comma...)
		case i > 0:
			w.out = append(w.out, ',')
		}
		line(depth + 1)
		if e.Key != nil {
			key := w.file.Slice(e.Key.Span)
			if e.Key.Style != syntax.DoubleQuoted || !json.Valid(key) {
				key = encoded(e.Key.Value)
			}
			w.out = slices.Concat(w.out, key, w.colon)
		}
		w.value(e.Value, children[name(e, i)], depth+1, inline)
	}
	if len(n.Entries) > 0 {
		line(depth)
	}
	w.out = append(w.out, brackets[1])
}

// encoded returns v as JSON. It returns nil if JSON lacks the value.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
