package ident

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Hasher computes hashes of the values of nodes, and caches them. Nodes with equal values have equal hashes.
// Format and trivia are ignored, as is the order of the fields of a mapping. Two different values may have the
// same hash; then elements may be paired wrongly, but nothing is lost, because the result is verified without
// these hashes.
type Hasher struct {
	seed   maphash.Seed
	nodes  map[*syntax.Node]uint64
	leaves map[leavesKey]leafHashes
}

// A leavesKey tells the leaves of an element with and without the fields of its identity apart.
type leavesKey struct {
	node       *syntax.Node
	withoutKey bool
}

// NewHasher returns a Hasher with an empty cache. Hashes of different hashers cannot be compared.
func NewHasher() *Hasher {
	return &Hasher{maphash.MakeSeed(), map[*syntax.Node]uint64{}, map[leavesKey]leafHashes{}}
}

// Hash returns a hash of the value, the anchor and the explicit tag of n, or 0 if n is nil.
func (h *Hasher) Hash(n *syntax.Node) uint64 {
	if n == nil {
		return 0
	}
	return syntax.CombineHashes(h.HashContent(n), h.HashProperties(n))
}

// HashContent returns a hash of the value of n. It ignores the anchor and explicit tag of n itself, but not the anchors
// and tags of the nodes below n. n must not be nil. These nodes have the same hash:
//
//	&x {a: 1, b: 2}
//	{b: 2, a: 1}    # comment
func (h *Hasher) HashContent(n *syntax.Node) uint64 {
	if len(n.Entries) == 0 && len(n.Value) < minCachedLen {
		return h.computeContentHash(n)
	}
	if hash, ok := h.nodes[n]; ok {
		return hash
	}
	hash := h.computeContentHash(n)
	h.nodes[n] = hash
	return hash
}

// minCachedLen is the minimum length of a scalar in bytes for its hash to be cached. For shorter ones, computing
// the hash again takes less time than a look-up.
const minCachedLen = 32

// computeContentHash returns a hash of the value of n, without its own anchor and tag, for HashContent, which caches
// it. The numbers 1 to 4 make the hashes of different kinds different.
func (h *Hasher) computeContentHash(n *syntax.Node) (hash uint64) {
	switch n.Kind {
	case syntax.Mapping:
		for _, e := range n.Entries {
			hash += syntax.CombineHashes(h.Hash(e.Key), h.Hash(e.Value))
		}
		hash = syntax.CombineHashes(1, hash)
	case syntax.Sequence:
		hash = 2
		for _, e := range n.Entries {
			hash = syntax.CombineHashes(hash, h.Hash(e.Value))
		}
	case syntax.Alias:
		hash = syntax.CombineHashes(3, maphash.String(h.seed, n.Value))
	default:
		tag, value := n.ScalarData()
		hash = syntax.CombineHashes(syntax.CombineHashes(4, maphash.String(h.seed, tag)), maphash.String(h.seed, value))
	}
	return hash
}

// HashProperties returns the hash of the anchor and the explicit tag of n, or 0 if it has neither.
func (h *Hasher) HashProperties(n *syntax.Node) uint64 {
	if n.Anchor == "" && n.TagText == "" {
		return 0
	}
	return syntax.CombineHashes(maphash.String(h.seed, n.Anchor), maphash.String(h.seed, n.TagText)+1)
}

// Equal reports whether two nodes have equal values, anchors and explicit tags. A nil node only equals another
// nil node.
func (h *Hasher) Equal(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return h.Hash(a) == h.Hash(b)
}

// HaveSameKey reports whether two entries have the same mapping key, with the same anchor and tag. It returns true if
// one of them is an item, which has no key.
func (h *Hasher) HaveSameKey(a, b *syntax.Entry) bool {
	return a.Key == nil || b.Key == nil || a.FieldKey() == b.FieldKey() && h.HashProperties(a.Key) == h.HashProperties(b.Key)
}

// A leaf is a scalar, an alias or an empty collection in an element. Each line of a scalar with several lines is
// a leaf of its own, so that a text has as much weight as it has lines that are not blank.
type leaf struct {
	node *syntax.Node // for a line, the whole scalar
	hash uint64       // of the mapping keys that lead to the leaf and of its value
	// textHash is the hash of the same mapping keys and of all words of the scalar, if the leaf is a line; otherwise 0.
	textHash uint64
	// boilerplate is true if the leaf may be the same in two elements that have nothing to do with each other: an API
	// version, a kind, or the null of a mapping key without a value.
	boilerplate bool
}

// forEachLeaf calls f for each leaf of n (scalar, alias, empty collection or line of a text) in document order, except
// in fields for which isExcluded returns true. The path for isExcluded, such as metadata.name, begins at n or the
// innermost list item. isExcluded may be nil.
//
//	n: {a: 1, b: [x, {}], c: *d}    leaves: 1, x, {}, *d
func (h *Hasher) forEachLeaf(n *syntax.Node, isExcluded func(path string) bool, f func(leaf)) {
	// key is the mapping key of n, place the hash of all mapping keys that lead to n, and path its dotted path
	var visit func(n, key *syntax.Node, place uint64, path string)
	visit = func(n, key *syntax.Node, place uint64, path string) {
		if lines := n.TextLines(); len(lines) > 1 {
			textHash := syntax.CombineHashes(place, maphash.String(h.seed, strings.Join(strings.Fields(n.Value), " ")))
			for _, line := range lines {
				f(leaf{node: n, hash: syntax.CombineHashes(place, maphash.String(h.seed, line)), textHash: textHash})
			}
			return
		}
		if len(n.Entries) == 0 {
			boilerplate := n.IsNull() || key != nil && (key.Value == "apiVersion" || key.Value == "kind")
			f(leaf{node: n, hash: syntax.CombineHashes(place, h.Hash(n)), boilerplate: boilerplate})
			return
		}
		for _, e := range n.Entries {
			if e.Key == nil { // all items have one place, and paths begin at each
				visit(e.Value, nil, syntax.CombineHashes(place, hashOfItem), "")
				continue
			}
			childPath := ""
			if isExcluded != nil {
				childPath = e.Key.Value
				if path != "" {
					childPath = path + "." + childPath
				}
				if isExcluded(childPath) {
					continue
				}
			}
			visit(e.Value, e.Key, syntax.CombineHashes(place, h.Hash(e.Key)), childPath)
		}
	}
	visit(n, nil, hashOfRoot, "")
}

// The hashes that take the place of that of a mapping key: of a list item, and of the element whose leaves are hashed.
// Any two numbers would do.
const hashOfItem, hashOfRoot = 5, 17

// leafHashes has the hashes of the leaves of an element: of its scalars, aliases and empty collections, each with the
// mapping keys that lead to it.
type leafHashes struct {
	all, boilerplate []uint64            // sorted; of all leaves, and of the leaves that are boilerplate
	texts            map[uint64][]uint64 // sorted; of the lines of each text, by its textHash; nil if there is no text
}

// hashLeaves returns the hashes of the leaves of n, without the fields that are part of its identity, for which
// isKeyField returns true (see Elem). isKeyField may be nil. The result is cached, and must not be changed.
func (h *Hasher) hashLeaves(n *syntax.Node, isKeyField func(path string) bool) leafHashes {
	key := leavesKey{n, isKeyField != nil}
	if known, ok := h.leaves[key]; ok {
		return known
	}
	var l leafHashes
	h.forEachLeaf(n, isKeyField, func(x leaf) {
		l.all = append(l.all, x.hash)
		if x.boilerplate {
			l.boilerplate = append(l.boilerplate, x.hash)
		}
		if x.textHash != 0 {
			if l.texts == nil {
				l.texts = map[uint64][]uint64{}
			}
			l.texts[x.textHash] = append(l.texts[x.textHash], x.hash)
		}
	})
	slices.Sort(l.all)
	slices.Sort(l.boilerplate)
	for _, lines := range l.texts {
		slices.Sort(lines)
	}
	h.leaves[key] = l
	return l
}

// leavesOf returns the hashes of all leaves of n: of its scalars, aliases and empty collections, each with its path of
// mapping keys. The result is cached, and must not be changed.
func (h *Hasher) leavesOf(n *syntax.Node) leafHashes { return h.hashLeaves(n, nil) }

// compare returns the number of leaves that two elements have in common, and those of the smaller and the larger one.
// Leaves that unrelated elements often share (apiVersion, kind, nulls) do not count if both have them. Here the results
// are 1, 2 and 2:
//
//	kind: ConfigMap         kind: ConfigMap
//	data: {a: 1, mem: 4g}   data: {b: 1, mem: 4g}
func (a leafHashes) compare(b leafHashes) (same, smaller, larger int) {
	ignored := syntax.CountCommon(a.boilerplate, b.boilerplate)
	sizeA, sizeB := len(a.all)-ignored, len(b.all)-ignored
	return a.countShared(b) - ignored, min(sizeA, sizeB), max(sizeA, sizeB)
}

// countShared returns how many leaves a and b have in common. Texts with the same words under the same keys count as
// equal even if their lines are broken differently: one of 3 lines and one of 2 lines have 2 in common.
func (a leafHashes) countShared(b leafHashes) int {
	shared := syntax.CountCommon(a.all, b.all)
	for textHash, lines := range a.texts {
		if rewrapped := b.texts[textHash]; rewrapped != nil {
			shared += min(len(lines), len(rewrapped)) - syntax.CountCommon(lines, rewrapped)
		}
	}
	return shared
}

// Contains reports whether b is a without some of its entries, at any depth. Anchors and explicit tags have to be
// equal, items in the same order, and fields in any order. An empty collection is only contained in an equal one.
//
//	a               b        result
//	{x: 1, y: 2}    {y: 2}   true
//	[1, 2, 3]       [1, 3]   true
//	[1, 2, 3]       [3, 1]   false
func (h *Hasher) Contains(a, b *syntax.Node) bool {
	if h.Equal(a, b) {
		return true
	}
	if a.Kind != b.Kind || len(b.Entries) == 0 || h.HashProperties(a) != h.HashProperties(b) {
		return false
	}
	rest := a.Entries
	for _, e := range b.Entries {
		if e.Key != nil {
			rest = a.Entries // fields may be in any order
		}
		i := slices.IndexFunc(rest, func(x *syntax.Entry) bool { return h.HaveSameKey(x, e) && h.Contains(x.Value, e.Value) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// leavesWithoutKey returns the hashes of the leaves of e, without the fields that are part of its identity, such as
// metadata.name of a resource. The result is cached, and must not be changed.
func (h *Hasher) leavesWithoutKey(e Elem) leafHashes { return h.hashLeaves(e.Node, e.IsKeyField) }

// has reports whether the element has a leaf with this hash.
func (a leafHashes) has(hash uint64) bool {
	_, ok := slices.BinarySearch(a.all, hash)
	return ok
}

// hash returns one hash for all leaves of the element. Elements with the same leaves have the same hash.
func (a leafHashes) hash() (hash uint64) {
	for _, leaf := range a.all {
		hash = syntax.CombineHashes(hash, leaf)
	}
	return hash
}
