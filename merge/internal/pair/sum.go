package pair

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/meaning"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// sums computes and remembers the data of nodes as numbers: equal data, equal
// sums. Form and trivia do not count, nor does the order of a mapping's keys.
// A collision cannot lose anything: the verifier compares again.
type sums struct {
	seed   maphash.Seed
	nodes  map[*syntax.Node]uint64
	leaves map[*syntax.Node][]uint64
}

// NewSums remembers nothing yet. Sums of two of them do not compare.
func NewSums() *sums {
	return &sums{maphash.MakeSeed(), map[*syntax.Node]uint64{}, map[*syntax.Node][]uint64{}}
}

// of returns the sum of n with its anchor and written tag; nil has the sum 0.
func (c *sums) of(n *syntax.Node) uint64 {
	if n == nil {
		return 0
	}
	return tree.Mix(c.Content(n), c.Props(n))
}

// Content returns the sum of n without its own anchor and written tag.
func (c *sums) Content(n *syntax.Node) uint64 {
	if len(n.Entries) == 0 && len(n.Value) < leastRemembered {
		return c.compute(n)
	}
	if s, ok := c.nodes[n]; ok {
		return s
	}
	s := c.compute(n)
	c.nodes[n] = s
	return s
}

// leastRemembered is from how many bytes on it takes less time to remember the sum of a scalar than
// to compute it again.
const leastRemembered = 32

// compute is Content, and remembers only what is in n.
func (c *sums) compute(n *syntax.Node) (s uint64) {
	switch n.Kind {
	case syntax.Mapping:
		for _, e := range n.Entries {
			s += tree.Mix(c.of(e.Key), c.of(e.Value))
		}
		s = tree.Mix(1, s)
	case syntax.Sequence:
		s = 2
		for _, e := range n.Entries {
			s = tree.Mix(s, c.of(e.Value))
		}
	case syntax.Alias:
		s = tree.Mix(3, maphash.String(c.seed, n.Value))
	default:
		tag, value := meaning.ScalarData(n)
		s = tree.Mix(tree.Mix(4, maphash.String(c.seed, tag)), maphash.String(c.seed, value))
	}
	return s
}

// Props is the sum of anchor and written tag. A collection's resolved tag
// says nothing beyond its kind.
func (c *sums) Props(n *syntax.Node) uint64 {
	if n.Anchor == "" && n.TagText == "" {
		return 0
	}
	return tree.Mix(maphash.String(c.seed, n.Anchor), maphash.String(c.seed, n.TagText)+1)
}

// Equal reports whether two nodes hold the same data.
func (c *sums) Equal(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return c.of(a) == c.of(b)
}

// SameKey reports whether two entries have the same key, as items do.
func (c *sums) SameKey(a, b *syntax.Entry) bool {
	return a.Key == nil || b.Key == nil || tree.FieldKey(a) == tree.FieldKey(b) && c.Props(a.Key) == c.Props(b.Key)
}

// leavesOf returns the sums of the leaves of n with their paths, sorted.
func (c *sums) leavesOf(n *syntax.Node) []uint64 {
	if l, ok := c.leaves[n]; ok {
		return l
	}
	l := c.collect(nil, n, 17)
	slices.Sort(l)
	c.leaves[n] = l
	return l
}

// leavesBut returns the leaves of n without its fields that are aside.
func (c *sums) leavesBut(n *syntax.Node, aside func(string) bool) []uint64 {
	if aside == nil || n.Kind != syntax.Mapping {
		return c.leavesOf(n)
	}
	var rest []*syntax.Entry
	for _, e := range n.Entries {
		if !aside(e.Key.Value) {
			rest = append(rest, e)
		}
	}
	l := c.collect(nil, n.With(rest), 17)
	slices.Sort(l)
	return l
}

func (c *sums) collect(to []uint64, n *syntax.Node, path uint64) []uint64 {
	if len(n.Entries) == 0 {
		return append(to, tree.Mix(path, c.of(n)))
	}
	for _, e := range n.Entries {
		p := tree.Mix(path, 5)
		if e.Key != nil {
			p = tree.Mix(path, c.of(e.Key))
		}
		to = c.collect(to, e.Value, p)
	}
	return to
}

// common returns how many elements two sorted lists share.
func common[T cmp.Ordered](a, b []T) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}
