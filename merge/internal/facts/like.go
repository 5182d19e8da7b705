package facts

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// leaves are the sums of what is in n with its path.
func leaves(to []uint64, n *Node, path uint64) []uint64 {
	if n.Size() == 0 {
		return append(to, Mix(path, n.Data))
	}
	kids := n.Kids()
	for i := range kids {
		to = leaves(to, &kids[i], Mix(path, kids[i].ID))
	}
	return to
}

// Shared is how many leaves of b are in a.
func Shared(a, b *Node) int {
	x, n := leaves(nil, a, 7), 0
	slices.Sort(x)
	for _, leaf := range leaves(nil, b, 7) {
		if _, ok := slices.BinarySearch(x, leaf); ok {
			n++
		}
	}
	return n
}

// Rewritten reports whether r cannot be written as want, a collection: another
// one is empty, or stands in brackets with other entries.
func (r *Node) Rewritten(want *Node) bool {
	if len(want.Entries) == 0 && len(r.Entries) == 0 {
		return false
	}
	return len(want.Entries) == 0 || len(r.Entries) == 0 || r.Style == syntax.Flow && r.Data != want.Data
}

// As reports whether n may be r, which says the same: it is written as r, or in
// other surroundings.
func (n *Node) As(r *Node) bool {
	return n.Form == r.Form && n.notes == r.notes || n.InFlow != r.InFlow
}

func Same(a, b *Node) bool {
	return a == b || a != nil && b != nil && bytes.Equal(a.src(), b.src())
}

// Holds reports whether a has all that b has and that counts.
func Holds(a, b *Node) bool {
	if a.Data == b.Data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || a.Anchor != b.Anchor || a.TagText != b.TagText {
		return false
	}
	of, kids := a.Kids(), b.Kids()
	i := 0
	for j := range kids {
		k := &kids[j]
		if k.Masked {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(of) && !(of[i].ID == k.ID && Holds(&of[i], k)) {
			i++
		}
		if i == len(of) {
			return false
		}
		i++
	}
	return true
}
