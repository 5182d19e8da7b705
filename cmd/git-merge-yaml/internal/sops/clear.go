package sops

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// What is here holds what was encrypted. No error says more than what kind of thing it is about.

var errWrite = errors.New("the merge in the clear needs what sops cannot write value by value (comments, anchors, brackets in keys, empty lists)")

// A step is a value that sops sets or unsets.
type step struct {
	index string // as sops has it: ["a"][0]
	value string // in JSON; it goes through a pipe
	text  string // the same as it stands in the file
	unset bool
}

func (s step) take(f folder) error {
	args := []string{"set", "--value-stdin", file, s.index}
	if s.unset {
		args = []string{"unset", file, s.index}
	}
	_, err := f.run(s.value, args...)
	return err
}

// parse is the root of a document, nil if there is none.
func parse(document []byte) *yaml.Node {
	var n yaml.Node
	if yaml.Unmarshal(document, &n) != nil || len(n.Content) != 1 {
		return nil
	}
	return n.Content[0]
}

// stepsTo are the steps that make one document another one. Comments are not among what sops can set.
func stepsTo(have, want []byte) ([]step, error) {
	a, b := parse(have), parse(want)
	if a == nil || b == nil || !slices.Equal(comments(a), comments(b)) {
		return nil, errWrite
	}
	var w writer
	w.change("", a, b)
	if w.failed {
		return nil, errWrite
	}
	return w.steps, nil
}

// A writer collects steps.
type writer struct {
	steps  []step
	failed bool
}

func (w *writer) unset(index string) { w.steps = append(w.steps, step{index: index, unset: true}) }

// change makes a to b, both of which stand at index.
func (w *writer) change(index string, a, b *yaml.Node) {
	switch {
	case a.Kind == yaml.MappingNode && b.Kind == a.Kind && len(b.Content) > 0:
		w.changeFields(index, a, b)
	case a.Kind == yaml.SequenceNode && b.Kind == a.Kind && len(b.Content) > 0:
		for i, item := range b.Content {
			if at := indexed(index, i); i < len(a.Content) {
				w.change(at, a.Content[i], item)
			} else {
				w.add(at, item)
			}
		}
		for i := len(a.Content) - 1; i >= len(b.Content); i-- {
			w.unset(indexed(index, i))
		}
	case !equal(a, b):
		if b.Kind != yaml.ScalarNode && index != "" {
			w.unset(index)
		}
		w.add(index, b)
	}
}

func (w *writer) changeFields(index string, a, b *yaml.Node) {
	for k := range fields(a) {
		if value(b, a.Content[k].Value) == nil {
			w.unset(w.keyed(index, a.Content[k]))
		}
	}
	for k, v := range fields(b) {
		key := b.Content[k]
		if old := value(a, key.Value); old != nil {
			w.change(w.keyed(index, key), old, v)
		} else {
			w.add(w.keyed(index, key), v)
		}
	}
}

// add writes what is not there.
func (w *writer) add(index string, n *yaml.Node) {
	switch {
	case n.Kind == yaml.ScalarNode && n.Anchor == "":
		var v any
		if n.Decode(&v) != nil {
			w.failed = true
			return
		}
		if n.Tag != "!!bool" && n.Tag != "!!int" && n.Tag != "!!float" && n.Tag != "!!null" {
			v = n.Value
		}
		text, err := json.Marshal(v)
		w.failed = w.failed || err != nil
		w.steps = append(w.steps, step{index: index, value: string(text), text: n.Value})
	case len(n.Content) == 0:
		w.failed = true
	case n.Kind == yaml.MappingNode:
		for k, v := range fields(n) {
			w.add(w.keyed(index, n.Content[k]), v)
		}
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			w.add(indexed(index, i), item)
		}
	}
}

// keyed is the index of a field. sops cuts it at brackets, and takes all else as it is.
func (w *writer) keyed(index string, key *yaml.Node) string {
	if strings.ContainsAny(key.Value, "[]\x00") || key.Tag != "!!str" {
		w.failed = true
	}
	return index + `["` + key.Value + `"]`
}

func indexed(index string, i int) string { return index + "[" + strconv.Itoa(i) + "]" }

// fields are the values of a mapping, by where their keys stand.
func fields(n *yaml.Node) func(yield func(int, *yaml.Node) bool) {
	return func(yield func(int, *yaml.Node) bool) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(i, n.Content[i+1]) {
				return
			}
		}
	}
}

// value is the value of a field, nil if there is none.
func value(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		for k, v := range fields(n) {
			if n.Content[k].Value == key {
				return v
			}
		}
	}
	return nil
}

// same reports whether two documents say the same: data, and comments wherever they stand.
func same(a, b []byte) bool {
	m, n := parse(a), parse(b)
	return m != nil && n != nil && equal(m, n) && slices.Equal(comments(m), comments(n))
}

// comments are the lines of all comments, sorted.
func comments(n *yaml.Node) (all []string) {
	for _, c := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		all = append(all, strings.FieldsFunc(c, func(r rune) bool { return r == '\n' })...)
	}
	for _, c := range n.Content {
		all = append(all, comments(c)...)
	}
	slices.Sort(all)
	return all
}

// repeated is how many bytes of what is encrypted in sealed, and is clear in base, other holds at the same
// places; ok if that is all of it.
func repeated(sealed, base, other *yaml.Node) (n int, ok bool) {
	if sealed == nil || base == nil || other == nil || len(sealed.Content) != len(base.Content) {
		return 0, false
	}
	if sealed.Kind == yaml.ScalarNode {
		if !secret().MatchString(sealed.Value) {
			return 0, true
		}
		return len(base.Value), equal(base, other)
	}
	for i := range sealed.Content {
		at := other
		switch {
		case sealed.Kind == yaml.SequenceNode && i < len(other.Content):
			at = other.Content[i]
		case sealed.Kind == yaml.MappingNode && i%2 == 0:
			continue
		case sealed.Kind == yaml.MappingNode:
			at = value(other, sealed.Content[i-1].Value)
		default:
			at = nil
		}
		more, held := repeated(sealed.Content[i], base.Content[i], at)
		if n += more; !held {
			return 0, false
		}
	}
	return n, true
}

// equal reports whether two nodes are the same data. The order of fields is none.
func equal(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) || a.Value != b.Value {
		return false
	}
	if a.Kind != yaml.MappingNode {
		return slices.EqualFunc(a.Content, b.Content, equal)
	}
	for k, v := range fields(a) {
		if other := value(b, a.Content[k].Value); other == nil || !equal(v, other) {
			return false
		}
	}
	return true
}
