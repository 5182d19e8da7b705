package tree

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// DoubledKey returns the first field whose mapping has another one of the same
// key before it; nil if there is none. Such a file is no YAML to most readers,
// whatever the parser says, and no merge of it is right.
func DoubledKey(st *syntax.Stream) *syntax.Entry {
	for _, d := range st.Docs {
		if e := doubledIn(d.Root); e != nil {
			return e
		}
	}
	return nil
}

func doubledIn(n *syntax.Node) *syntax.Entry {
	if n.Kind == syntax.Mapping {
		if e := doubledField(n.Entries); e != nil {
			return e
		}
	}
	for _, e := range n.Entries {
		if d := doubledIn(e.Value); d != nil {
			return d
		}
	}
	return nil
}

// fewFields is how many fields are compared with each other one by one.
const fewFields = 8

func doubledField(fields []*syntax.Entry) *syntax.Entry {
	if len(fields) > fewFields {
		return doubledAmongMany(fields)
	}
	for i, e := range fields {
		for _, f := range fields[:i] {
			if e.Key.Value == f.Key.Value && FieldKey(e) == FieldKey(f) && !MergeKey(e) {
				return e
			}
		}
	}
	return nil
}

func doubledAmongMany(fields []*syntax.Entry) *syntax.Entry {
	seen := make(map[string]bool, len(fields))
	for _, e := range fields {
		k := FieldKey(e)
		if seen[k] && !MergeKey(e) {
			return e
		}
		seen[k] = true
	}
	return nil
}

// MergeKey reports whether e is a << field, which may stand several times.
func MergeKey(e *syntax.Entry) bool { return e.Key.Tag() == "!!merge" }

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
