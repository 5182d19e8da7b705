package facts

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/meaning"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
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

// keyID is the identity of a key: its value, so that z and "z" are one.
func keyID(k *syntax.Node) uint64 {
	switch {
	case k.Kind == syntax.Scalar && k.Tag == "!!null":
		return 1
	case k.Kind == syntax.Scalar:
		return Hash(k.Value)
	}
	return Mix(uint64(k.Kind), Hash(k.Value))
}

// keyID is that of a field of a template.
func (r *reader) keyID(e *syntax.Entry) uint64 {
	if key, ok := r.facts.Keys[e]; ok {
		return Hash(key)
	}
	return keyID(e.Key)
}

const Nameless = 2

// NameOf tells an item of a list from others, as far as that goes without
// knowing the list.
func NameOf(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return Hash(n.Value)
	}
	for _, name := range meaning.Names {
		if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
			return Hash(name + "=" + e.Value.Value)
		}
	}
	return Nameless
}

// Scalar returns the scalar at a path of fields, "" if there is none.
func (n *Node) Scalar(fields ...string) string {
	at := n.Node
	for _, f := range fields {
		e := at.Field(f)
		if e == nil {
			return ""
		}
		at = e.Value
	}
	if at.Kind != syntax.Scalar {
		return ""
	}
	return at.Value
}

// IsBlank reports whether nothing is written in a document.
func (n *Node) IsBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Span.Empty()
}

// KindName is the kind and name of a resource, and the anchor of another root; empty without.
func KindName(n *Node) string {
	kind, name := n.Scalar("kind"), n.Scalar("metadata", "name")
	switch {
	case kind != "" && name != "":
		return kind + "\x00" + name
	case n.Entry == nil && n.Node != nil && n.Anchor != "":
		return "&" + n.Anchor
	}
	return ""
}

// Identity is the kind, name and namespace of a resource; empty for what is none.
func Identity(n *Node) string {
	id := KindName(n)
	if id != "" {
		id += "\x00" + n.Scalar("metadata", "namespace") + "\x00"
	}
	return id
}

func IsResource(n *Node) bool { return KindName(n) != "" }

// Where a thing stands is told by keys and names, from the root of its document on; what a
// version calls otherwise than the base stands where that has it.

// Called is what tells n from what stands beside it.
func (n *Node) Called() uint64 {
	switch {
	case n.ID != 0:
		return n.ID
	case n.Entry == nil:
		return Hash(Identity(n))
	}
	return NameOf(n.Node)
}

// ResourceID knows resources, as far as one is told from another in any way.
func ResourceID(n *Node) uint64 {
	if !IsResource(n) {
		return 0
	}
	return Hash(Identity(n) + n.Scalar("apiVersion"))
}
