package facts

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// leaves are the sums of what is in n with its path.
func leaves(to []uint64, n *Node, path uint64) []uint64 {
	if len(n.Kids) == 0 {
		return append(to, Mix(path, n.Data))
	}
	kids := n.Kids
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

// A Likeness knows many nodes by what they say.
type Likeness struct {
	nodes int32
	has   map[uint64][]int32 // which nodes have a leaf
	work  int
}

// mostAlike bounds how many pairs of equal leaves a Likeness looks at.
const mostAlike = 1 << 22

// NewLikeness returns one that knows no node yet.
func NewLikeness() *Likeness { return &Likeness{has: map[uint64][]int32{}} }

// Add adds a node.
func (l *Likeness) Add(n *Node) {
	l.nodes++
	for _, leaf := range leaves(nil, n, 7) {
		if at := l.has[leaf]; len(at) == 0 || at[len(at)-1] != l.nodes {
			l.has[leaf] = append(at, l.nodes)
		}
	}
}

// Most reports whether one of the nodes has four fifths of the leaves of n, or it takes too
// long to tell.
func (l *Likeness) Most(n *Node) bool {
	if l.nodes == 0 {
		return false
	}
	all, shared := leaves(nil, n, 7), map[int32]int{}
	for _, leaf := range all {
		l.work += len(l.has[leaf])
		if l.work > mostAlike {
			return true
		}
		for _, at := range l.has[leaf] {
			if shared[at]++; 5*shared[at] >= 4*len(all) {
				return true
			}
		}
	}
	return false
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
	of, kids := a.Kids, b.Kids
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
