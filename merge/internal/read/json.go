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

// AsJSON writes st, the merge, as JSON if the model is, which is dest, or updated if dest says nothing: what
// stands there so stands as it did, the rest is laid out as the model is. Comments have no place there. A
// merge without content, and one whose model is not JSON, is as it was.
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
	like, err := syntax.Parse(text.New(model))
	if err != nil {
		return nil, err
	}
	w := layoutOf(like, in.Merged.LineBreak())
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

// A jsonWriter writes a tree as JSON.
type jsonWriter struct {
	file    *text.File
	out     []byte
	newline string
	unit    []byte     // one step of the indent
	colon   []byte     // between a key and its value
	comma   []byte     // between entries on one line
	oneLine bool       // the model is on one line
	model   *text.File // how it is laid out
}

// layoutOf reads how a file of JSON is laid out.
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

// breaks reports whether n stands on several lines of f.
func breaks(f *text.File, n *syntax.Node) bool { return bytes.ContainsAny(f.Slice(n.Content), "\n") }

// value writes n, which is was in the model, nil if it is not there; on one line if inline. What the model says
// stands as it does.
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

// encoded is v as JSON; empty where it cannot be said so.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
