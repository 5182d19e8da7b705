package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// AsJSON returns the merge result st as JSON, so that a JSON file remains JSON. The layout, such as indentation, is
// that of dest or, if dest is blank, of updated. If this version is not plain JSON, AsJSON returns the bytes of st,
// which the caller must not modify. It fails if JSON cannot express st.
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
		return nil, errors.New(in.nameOf(three.Dest) + " is JSON, but the result cannot be written as JSON: " + err.Error())
	}
	modelFile, err := in.Open(model)
	if err != nil {
		return nil, err
	}
	modelRoot := modelFile.Docs[0].Root
	w := newJSONWriter(st.File, modelFile.Stream, in.MergedFormat.LineEndOrDefault())
	w.out = append(w.out, model[:modelRoot.Content.Start]...)
	w.writeValue(root, modelRoot, 0, w.oneLine)
	w.out = append(w.out, model[modelRoot.Content.End:]...)
	// verify that the JSON has the data of st
	var written, want any
	errWritten, errWant := json.Unmarshal(w.out, &written), json.Unmarshal(encodeJSON(data), &want)
	if errWritten != nil || errWant != nil || !reflect.DeepEqual(written, want) {
		return nil, errors.New("the merge could not be verified: the JSON differs from the merged YAML")
	}
	return w.out, nil
}

// A jsonWriter writes a tree as JSON in the layout of a model, which is a side of the merge. The model of a node in the
// tree is the value at the same path of that side; it may be missing.
type jsonWriter struct {
	file    *text.File // of the tree
	out     []byte     // the JSON so far
	lineEnd string
	indent  string // one step of indentation
	colon   string // between a key and its value
	comma   string // between entries on one line
	oneLine bool   // the model is on one line
	model   *text.File
}

// newJSONWriter returns a jsonWriter that writes a tree of file in the layout of model, the tree of a JSON file. The
// layout is the indentation, and the spaces after colons and commas, as at the first entries of model. Lines end with
// newline.
func newJSONWriter(file *text.File, model *syntax.Stream, newline string) *jsonWriter {
	w := &jsonWriter{file: file, lineEnd: newline, indent: "  ", colon: ": ", comma: ", ", model: model.File}
	between := func(start, end int) string { return string(model.File.Slice(text.Span{Start: start, End: end})) }
	root := model.Docs[0].Root
	w.oneLine = !isMultiline(model.File, root)
	if len(root.Entries) == 0 {
		return w
	}
	first := root.Entries[0]
	before := between(model.File.LineStart(first.Start), first.Start)
	if isIndent := before != "" && strings.TrimSpace(before) == ""; isIndent && !w.oneLine {
		w.indent = before
	}
	if first.Key != nil {
		if gap := between(first.Key.Span.End, first.Value.Content.Start); !strings.Contains(gap, "\n") {
			w.colon = gap
		}
	}
	if w.oneLine && len(root.Entries) > 1 { // on several lines, a line break follows the comma
		w.comma = between(first.Value.Content.End, root.Entries[1].Start)
	}
	return w
}

// isMultiline reports whether the content of n in f spans several lines.
func isMultiline(f *text.File, n *syntax.Node) bool {
	return bytes.ContainsAny(f.Slice(n.Content), "\n")
}

// writeValue appends the value n to w.out as JSON. model is the value at the same path in the file whose layout is
// used, or nil. A scalar that is JSON already keeps its text; of any other value that equals model, the text of model
// is written. depth is the number of collections around n. inline states that the collection around n is written on one
// line.
func (w *jsonWriter) writeValue(n, model *syntax.Node, depth int, inline bool) {
	own := w.file.Slice(n.Content)
	switch {
	case n.Kind == syntax.Scalar && n.TagText == "" && json.Valid(own): // it is JSON already
		w.out = append(w.out, own...)
	case model != nil && hasEqualJSON(n, model):
		w.out = append(w.out, w.model.Slice(model.Content)...)
	case n.Kind == syntax.Mapping:
		w.writeCollection(n, model, "{}", depth, inline)
	case n.Kind == syntax.Sequence:
		w.writeCollection(n, model, "[]", depth, inline)
	default:
		w.out = append(w.out, encodeJSON(n.JSONScalar())...)
	}
}

// hasEqualJSON reports whether a and b have the same data as JSON. It returns false if one of them cannot be JSON.
func hasEqualJSON(a, b *syntax.Node) bool {
	x, errX := a.JSON()
	y, errY := b.JSON()
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

// writeCollection appends the mapping or list n to w.out, between brackets, which are "{}" or "[]". model is the value
// at the same path in the file whose layout is used, or nil. depth is the number of collections around n. n is written
// on one line if the collection around it is (aroundInline), or if n or model is on one line in its file.
func (w *jsonWriter) writeCollection(n, model *syntax.Node, brackets string, depth int, aroundInline bool) {
	isOnOneLine := n.Style == syntax.Flow && !isMultiline(w.file, n)
	isModelOnOneLine := model != nil && len(model.Entries) > 0 && !isMultiline(w.model, model)
	inline := aroundInline || isOnOneLine || isModelOnOneLine
	comma, lineBreak, lastLineBreak := w.comma, "", ""
	if !inline {
		lastLineBreak = w.lineEnd + strings.Repeat(w.indent, depth)
		comma, lineBreak = ",", lastLineBreak+w.indent
	}
	modelOf := valuesByName(model)
	w.out = append(w.out, brackets[0])
	for i, e := range n.Entries {
		if i > 0 {
			w.out = append(w.out, comma...)
		}
		w.out = append(w.out, lineBreak...)
		if e.Key != nil {
			w.writeKey(e.Key)
		}
		w.writeValue(e.Value, modelOf[nameOf(e, i)], depth+1, inline)
	}
	if len(n.Entries) > 0 {
		w.out = append(w.out, lastLineBreak...)
	}
	w.out = append(w.out, brackets[1])
}

// valuesByName returns the values of the entries of n by their names (nameOf). n may be nil.
func valuesByName(n *syntax.Node) map[string]*syntax.Node {
	values := map[string]*syntax.Node{}
	if n != nil {
		for i, e := range n.Entries {
			values[nameOf(e, i)] = e.Value
		}
	}
	return values
}

// nameOf returns the key of a field, or i, the index of an item, as a text.
func nameOf(e *syntax.Entry, i int) string {
	if e.Key == nil {
		return strconv.Itoa(i)
	}
	return e.Key.Value
}

// writeKey appends the mapping key to w.out as a JSON string, and the colon.
func (w *jsonWriter) writeKey(key *syntax.Node) {
	written := w.file.Slice(key.Span)
	if key.Style != syntax.DoubleQuoted || !json.Valid(written) {
		written = encodeJSON(key.Value)
	}
	w.out = append(w.out, written...)
	w.out = append(w.out, w.colon...)
}

// encodeJSON returns v as JSON on one line, without escapes of <, > and &. v is a value as package encoding/json
// decodes it. It returns nil if JSON cannot represent v, such as NaN.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
