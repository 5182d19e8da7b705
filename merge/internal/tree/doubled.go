package tree

import (
	"iter"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// DoubledKey returns the first field whose mapping has another one of the same
// key before it; nil if there is none. Such a file is no YAML to most readers,
// whatever the parser says.
func DoubledKey(st *syntax.Stream) *syntax.Entry {
	for e := range DoubledKeys(st) {
		return e
	}
	return nil
}

// DoubledKeys yields every field whose mapping has another one of the same key before it.
func DoubledKeys(st *syntax.Stream) iter.Seq[*syntax.Entry] {
	return func(yield func(*syntax.Entry) bool) {
		for _, d := range st.Docs {
			if !doubledIn(d.Root, yield) {
				return
			}
		}
	}
}

// doubledIn yields those in n, and reports whether to go on.
func doubledIn(n *syntax.Node, yield func(*syntax.Entry) bool) bool {
	if n.Kind == syntax.Mapping {
		for e := range DoubledFields(n.Entries) {
			if !yield(e) {
				return false
			}
		}
	}
	for _, e := range n.Entries {
		if !doubledIn(e.Value, yield) {
			return false
		}
	}
	return true
}

// fewFields is how many fields are compared with each other one by one.
const fewFields = 8

// DoubledFields yields those of fields that have another one of the same key before them.
func DoubledFields(fields []*syntax.Entry) iter.Seq[*syntax.Entry] {
	return func(yield func(*syntax.Entry) bool) {
		seen := func(i int) bool {
			return slices.ContainsFunc(fields[:i], func(f *syntax.Entry) bool {
				return fields[i].Key.Value == f.Key.Value && FieldKey(fields[i]) == FieldKey(f)
			})
		}
		if len(fields) > fewFields {
			seen = seenAmongMany(fields)
		}
		for i, e := range fields {
			if seen(i) && !MergeKey(e) && !yield(e) {
				return
			}
		}
	}
}

// seenAmongMany reports, for one field after the other, whether its key stood before.
func seenAmongMany(fields []*syntax.Entry) func(i int) bool {
	known := make(map[string]bool, len(fields))
	return func(i int) bool {
		k := FieldKey(fields[i])
		before := known[k]
		known[k] = true
		return before
	}
}

// MergeKey reports whether e is a << field, which may stand several times.
func MergeKey(e *syntax.Entry) bool { return e.Key.Tag == "!!merge" }

// Encrypted reports whether SOPS encrypted one of the documents: a sops
// mapping with a mac at the top.
func Encrypted(st *syntax.Stream) bool {
	for _, d := range st.Docs {
		if ScalarAt(d.Root, "sops", "mac") != "" {
			return true
		}
	}
	return false
}
