package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Model is the version after which a merge by a rule set is written: dest, or updated
// if dest says nothing.
func (in *Inputs) Model() []byte {
	if len(bytes.TrimSpace(in.Data[three.Dest])) == 0 {
		return in.Data[three.Updated]
	}
	return in.Data[three.Dest]
}

// AsJSON writes st, the merge, as JSON if the model is: what stands there so stands as
// it did, the rest is laid out as the model is. Comments have no place there. A merge
// without content, and one whose model is not JSON, is as it was.
func (in *Inputs) AsJSON(st *syntax.Stream) ([]byte, error) {
	model := in.Model()
	if !json.Valid(model) || len(st.Docs) != 1 || st.Docs[0].Root.Content.Empty() {
		return st.File.Bytes(), nil
	}
	root := st.Docs[0].Root
	data, err := tree.JSON(root)
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
	w.value(root, nil, w.oneLine)
	w.out = append(w.out, model[around.End:]...)
	if !saysJSON(w.out, data) {
		return nil, errors.New("the merge could not be verified: written as JSON it says something else")
	}
	return w.out, nil
}

// saysJSON reports whether b is JSON that says data.
func saysJSON(b []byte, data any) bool {
	want, err := json.Marshal(data)
	var x, y any
	return err == nil && json.Unmarshal(b, &x) == nil && json.Unmarshal(want, &y) == nil && reflect.DeepEqual(x, y)
}

// A jsonWriter writes a tree as JSON.
type jsonWriter struct {
	file    *text.File
	out     []byte
	known   map[string]string // the texts of the model's values, by where they stand and what they say
	inlined map[string]bool   // the places of its collections that stand on one line
	newline string
	unit    []byte // one step of the indent
	colon   []byte // between a key and its value
	comma   []byte // between entries on one line
	oneLine bool   // the model is on one line
}

// layoutOf reads how a file of JSON is laid out.
func layoutOf(st *syntax.Stream, newline string) *jsonWriter {
	w := &jsonWriter{
		file: st.File, newline: newline, known: map[string]string{}, inlined: map[string]bool{},
		unit: []byte("  "), colon: []byte(": "), comma: []byte(", "),
	}
	root := st.Docs[0].Root
	w.oneLine = !w.breaks(root)
	w.read(root, nil)
	w.separators(st.File, root)
	return w
}

// read notes how the model has n, which stands at path.
func (w *jsonWriter) read(n *syntax.Node, path []string) {
	own := string(w.file.Slice(n.Content))
	for _, k := range keys(n, path) {
		if _, ok := w.known[k]; !ok {
			w.known[k] = own
		}
	}
	if len(n.Entries) > 0 && !w.breaks(n) {
		w.inlined[placeKey(path)] = true
	}
	for i, e := range n.Entries {
		w.read(e.Value, below(path, e, i))
	}
}

// keys are those of the texts of n: what it says at its path, and in its depth.
func keys(n *syntax.Node, path []string) []string {
	data, err := tree.JSON(n)
	if err != nil {
		return nil
	}
	said, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	return []string{placeKey(path) + string(said), strconv.Itoa(len(path)) + "=" + string(said)}
}

func placeKey(path []string) string { return strings.Join(path, "\x00") + "\x00=" }

// below is the path of the i-th entry of what stands at path.
func below(path []string, e *syntax.Entry, i int) []string {
	if e.Key == nil {
		return append(slices.Clip(path), strconv.Itoa(i))
	}
	return append(slices.Clip(path), e.Key.Value)
}

// breaks reports whether n stands on several lines.
func (w *jsonWriter) breaks(n *syntax.Node) bool {
	return bytes.ContainsAny(w.file.Slice(n.Content), "\n")
}

// separators reads what stands between the first entries of the model.
func (w *jsonWriter) separators(f *text.File, root *syntax.Node) {
	if len(root.Entries) == 0 {
		return
	}
	first := root.Entries[0]
	if before := f.Slice(text.Span{Start: f.LineStart(first.Start), End: first.Start}); !w.oneLine && len(before) > 0 &&
		len(bytes.TrimSpace(before)) == 0 {
		w.unit = before
	}
	if first.Key != nil {
		if gap := f.Slice(text.Span{Start: first.Key.Span.End, End: first.Value.Content.Start}); !bytes.ContainsAny(gap, "\n") {
			w.colon = gap
		}
	}
	if w.oneLine && len(root.Entries) > 1 {
		w.comma = f.Slice(text.Span{Start: first.Value.Content.End, End: root.Entries[1].Start})
	}
}

// value writes n, which stands at path; on one line if inline.
func (w *jsonWriter) value(n *syntax.Node, path []string, inline bool) {
	own := w.file.Slice(n.Content)
	if n.Kind == syntax.Scalar && n.TagText == "" && json.Valid(own) {
		w.out = append(w.out, own...)
		return
	}
	for _, k := range keys(n, path) {
		if text, ok := w.known[k]; ok {
			w.out = append(w.out, text...)
			return
		}
	}
	switch n.Kind {
	case syntax.Mapping:
		w.collection(n, "{}", path, inline)
	case syntax.Sequence:
		w.collection(n, "[]", path, inline)
	default:
		w.encode(tree.JSONScalar(n))
	}
}

func (w *jsonWriter) collection(n *syntax.Node, brackets string, path []string, inline bool) {
	inline = inline || w.inlined[placeKey(path)] || len(w.inlined) > 0 && n.Style == syntax.Flow && !w.breaks(n)
	w.out = append(w.out, brackets[0])
	for i, e := range n.Entries {
		switch {
		case i > 0 && inline:
			w.out = append(w.out, w.comma...)
		case i > 0:
			w.out = append(w.out, ',')
		}
		w.line(len(path)+1, inline)
		if e.Key != nil {
			w.key(e.Key)
			w.out = append(w.out, w.colon...)
		}
		w.value(e.Value, below(path, e, i), inline)
	}
	if len(n.Entries) > 0 {
		w.line(len(path), inline)
	}
	w.out = append(w.out, brackets[1])
}

// line begins a line, unless all stands on one.
func (w *jsonWriter) line(depth int, inline bool) {
	if !inline {
		w.out = slices.Concat(w.out, []byte(w.newline), bytes.Repeat(w.unit, depth))
	}
}

// key writes a key, as it stands if that is JSON.
func (w *jsonWriter) key(k *syntax.Node) {
	if own := w.file.Slice(k.Span); k.Style == syntax.DoubleQuoted && json.Valid(own) {
		w.out = append(w.out, own...)
		return
	}
	w.encode(k.Value)
}

// encode writes a scalar.
func (w *jsonWriter) encode(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err == nil {
		w.out = append(w.out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	}
}
