package verify

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

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

// byID knows an item by what identifies it in l; what lacks that, by its value.
func byID(l schema.List) func(*Node) uint64 {
	return func(n *Node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return Hash(x)
		}
		return ByValue(n)
	}
}

// nameless is the name of what has none.
const nameless = 2

// nameOf tells an item of a list from others, as far as that goes without
// knowing the list.
func nameOf(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return Hash(n.Value)
	}
	for _, name := range syntax.NameFields {
		if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
			return Hash(name + "=" + e.Value.Value)
		}
	}
	return nameless
}

// Scalar returns the scalar at a path of fields, "" if there is none.
func (n *Node) Scalar(fields ...string) string { return n.Node.ScalarAt(fields...) }

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
	return nameOf(n.Node)
}

// resourceID knows resources, as far as one is told from another in any way.
func resourceID(n *Node) uint64 {
	if !IsResource(n) {
		return 0
	}
	return Hash(schema.Identity(n.Node) + n.Scalar("apiVersion"))
}

// leaves are the sums of what is in n with its path.
func leaves(to []uint64, n *Node, path uint64) []uint64 {
	if len(n.Kids) == 0 {
		return append(to, syntax.Mix(path, n.Data))
	}
	for i := range n.Kids {
		to = leaves(to, &n.Kids[i], syntax.Mix(path, n.Kids[i].ID))
	}
	return to
}

// shared is how many leaves of b are in a.
func shared(a, b *Node) int {
	x, n := leaves(nil, a, 7), 0
	slices.Sort(x)
	for _, leaf := range leaves(nil, b, 7) {
		if _, ok := slices.BinarySearch(x, leaf); ok {
			n++
		}
	}
	return n
}

// most reports whether a has four fifths of the leaves of b.
func most(a, b *Node) bool { return 5*shared(a, b) >= 4*len(leaves(nil, b, 7)) }

// As reports whether n may be r, which says the same: it is written as r, or in
// other surroundings.
func (n *Node) As(r *Node) bool {
	return n.Form == r.Form && n.notes == r.notes || n.InFlow != r.InFlow
}

// same reports whether a and b are the same bytes, with those of their entries.
func same(a, b *Node) bool {
	return a == b || a != nil && b != nil && a.in != nil && b.in != nil &&
		bytes.Equal(a.in.file.Slice(a.Whole()), b.in.file.Slice(b.Whole()))
}

// holds reports whether a has all that b has and that counts.
func holds(a, b *Node) bool {
	if a.Data == b.Data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || a.Anchor != b.Anchor || a.TagText != b.TagText {
		return false
	}
	i := 0
	for j := range b.Kids {
		k := &b.Kids[j]
		if k.Masked {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(a.Kids) && !(a.Kids[i].ID == k.ID && holds(&a.Kids[i], k)) {
			i++
		}
		if i == len(a.Kids) {
			return false
		}
		i++
	}
	return true
}

// Named is n for people, with its key.
func (n *Node) Named() string {
	if n.Entry != nil && n.Entry.Key != nil {
		return n.Entry.KeyText() + ": " + n.Show()
	}
	return n.Show()
}

// Show is n for people, in one short line.
func (n *Node) Show() string {
	const most = 60
	switch n.Kind {
	case syntax.Mapping:
		return collection(len(n.Entries), "key mapping")
	case syntax.Sequence:
		return collection(len(n.Entries), "item list")
	case syntax.Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value[:min(len(n.Value), 2*most)])
	if len(s) > most {
		s = s[:most] + "..."
	}
	switch n.Tag {
	case "!!str":
		return s
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if s == `"`+n.Value+`"` { // as a file has it: true, for !!bool "true"
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag + " " + s
}

// collection is a collection of n entries for people: a 2-key mapping, an empty list.
func collection(n int, what string) string {
	if _, name, _ := strings.Cut(what, " "); n == 0 {
		return "an empty " + name
	}
	article := "a "
	if s := strconv.Itoa(n); s[0] == '8' || s == "11" || s == "18" {
		article = "an "
	}
	return article + strconv.Itoa(n) + "-" + what
}

func (n *Node) IsNull() bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// Syntax is the node of n; nil if there is none.
func (n *Node) Syntax() *syntax.Node {
	if n == nil {
		return nil
	}
	return n.Node
}
