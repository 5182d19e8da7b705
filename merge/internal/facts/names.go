package facts

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// ByKey knows a field by its key.
func ByKey(n *Node) uint64 { return n.ID }

// ByValue knows an item by all that it says; one that is in conflict in part is
// like no other.
func ByValue(n *Node) uint64 {
	if n.Partial {
		return 0
	}
	return n.Data
}

// ByID knows an item by what identifies it in l; what lacks that, by its value.
func ByID(l schema.List) func(*Node) uint64 {
	return func(n *Node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return Hash(x)
		}
		return ByValue(n)
	}
}

// keyID is the identity of a field: that of its key by value, so that z and "z" are one; in a template what its key prints.
func (r *reader) keyID(e *syntax.Entry) uint64 {
	if r.facts != nil {
		if key, ok := r.facts.Keys[e]; ok { // as tree.FieldKey has it
			return Hash("=" + key)
		}
	}
	return Hash(tree.FieldKey(e))
}

const Nameless = 2

// NameOf tells an item of a list from others, as far as that goes without
// knowing the list.
func NameOf(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return Hash(n.Value)
	}
	for _, name := range tree.Names {
		if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
			return Hash(name + "=" + e.Value.Value)
		}
	}
	return Nameless
}

// Scalar returns the scalar at a path of fields, "" if there is none.
func (n *Node) Scalar(fields ...string) string { return tree.ScalarAt(n.Node, fields...) }

// IsBlank reports whether nothing is written in a document.
func (n *Node) IsBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Span.Empty()
}

// IsResource reports whether n is known by a kind and a name, or by its anchor.
func IsResource(n *Node) bool { return schema.Kin(n.Node) != "" }

// Where a thing stands is told by keys and names, from the root of its document on; what a
// version calls otherwise than the base stands where that has it.

// Called is what tells n from what stands beside it.
func (n *Node) Called() uint64 {
	switch {
	case n.ID != 0:
		return n.ID
	case n.Entry == nil:
		return Hash(schema.Identity(n.Node))
	}
	return NameOf(n.Node)
}

// ResourceID knows resources, as far as one is told from another in any way.
func ResourceID(n *Node) uint64 {
	if !IsResource(n) {
		return 0
	}
	return Hash(schema.Identity(n.Node) + n.Scalar("apiVersion"))
}
