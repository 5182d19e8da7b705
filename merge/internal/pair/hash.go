package pair

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A hasher computes hashes of the values of nodes, and caches them. Nodes with equal values have equal hashes.
// Format and trivia are ignored, as is the order of the fields of a mapping. Two different values may have the
// same hash; then elements may be paired wrongly, but nothing is lost, because the result is verified without
// these hashes.
type hasher struct {
	seed   maphash.Seed
	nodes  map[*syntax.Node]uint64
	leaves map[*syntax.Node]leafHashes
}

// NewHasher returns a hasher with an empty cache. Hashes of different hashers cannot be compared.
func NewHasher() *hasher {
	return &hasher{maphash.MakeSeed(), map[*syntax.Node]uint64{}, map[*syntax.Node]leafHashes{}}
}

// hash returns the hash of n with its anchor and explicit tag, or 0 if n is nil.
func (h *hasher) hash(n *syntax.Node) uint64 {
	if n == nil {
		return 0
	}
	return syntax.CombineHashes(h.HashContent(n), h.HashProperties(n))
}

// HashContent returns the hash of the value of n, without the anchor and explicit tag of n itself; those of nodes below
// n are included. Comments, format and the order of a mapping's fields make no difference. These have the same hash:
//
//	&x {a: 1, b: 2}
//	{b: 2, a: 1}    # comment
//
// n must not be nil.
func (h *hasher) HashContent(n *syntax.Node) uint64 {
	if len(n.Entries) == 0 && len(n.Value) < minCachedLen {
		return h.computeContentHash(n)
	}
	if hash, ok := h.nodes[n]; ok {
		return hash
	}
	s := h.computeContentHash(n)
	h.nodes[n] = s
	return s
}

// minCachedLen is the minimum length of a scalar in bytes for its hash to be cached. For shorter ones, computing
// the hash again takes less time than a look-up.
const minCachedLen = 32

// computeContentHash returns the hash of the value of n, without the anchor and explicit tag of n itself, and
// regardless of comments, format and the order of a mapping's fields. Unlike HashContent, it does not look the hash of
// n up in the cache or store it there, but it does so for nodes below n.
func (h *hasher) computeContentHash(n *syntax.Node) (hash uint64) {
	switch n.Kind {
	case syntax.Mapping:
		for _, e := range n.Entries {
			hash += syntax.CombineHashes(h.hash(e.Key), h.hash(e.Value))
		}
		hash = syntax.CombineHashes(1, hash)
	case syntax.Sequence:
		hash = 2
		for _, e := range n.Entries {
			hash = syntax.CombineHashes(hash, h.hash(e.Value))
		}
	case syntax.Alias:
		hash = syntax.CombineHashes(3, maphash.String(h.seed, n.Value))
	default:
		tag, value := n.ScalarData()
		hash = syntax.CombineHashes(syntax.CombineHashes(4, maphash.String(h.seed, tag)), maphash.String(h.seed, value))
	}
	return hash
}

// HashProperties returns the hash of the anchor and the explicit tag of n, or 0 if it has neither. The resolved
// tag is not included: that of a collection follows from its kind.
func (h *hasher) HashProperties(n *syntax.Node) uint64 {
	if n.Anchor == "" && n.TagText == "" {
		return 0
	}
	return syntax.CombineHashes(maphash.String(h.seed, n.Anchor), maphash.String(h.seed, n.TagText)+1)
}

// Equal reports whether two nodes have equal values, anchors and explicit tags. A nil node only equals another
// nil node.
func (h *hasher) Equal(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return h.hash(a) == h.hash(b)
}

// HaveSameKey reports whether two entries have the same mapping key, with the same anchor and tag. It returns true if
// one of them is an item, which has no key. Neither may be nil.
func (h *hasher) HaveSameKey(a, b *syntax.Entry) bool {
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

// forEachLeaf calls f for each leaf of n, in document order. A leaf is a scalar, an alias or an empty collection; a
// scalar with several lines has one leaf for each line that is not blank. If n itself is a scalar, an alias or an empty
// collection, it is the only leaf. The leaf of each value has a hash that depends on the mapping keys that lead to it.
// If isExcluded is not nil, fields for which it returns true are left out. Its argument is the dotted path of the field
// in n, such as metadata.name.
//
//	n: {a: 1, b: [x, {}], c: *d}    leaves: 1, x, {}, *d
func (h *hasher) forEachLeaf(n *syntax.Node, isExcluded func(path string) bool, f func(leaf)) {
	var visit func(n *syntax.Node, key *syntax.Node, path uint64, name string)
	visit = func(n *syntax.Node, key *syntax.Node, path uint64, name string) {
		if lines := n.TextLines(); len(lines) > 1 {
			textHash := syntax.CombineHashes(path, maphash.String(h.seed, strings.Join(strings.Fields(n.Value), " ")))
			for _, line := range lines {
				f(leaf{node: n, hash: syntax.CombineHashes(path, maphash.String(h.seed, line)), textHash: textHash})
			}
			return
		}
		if len(n.Entries) == 0 {
			boilerplate := n.IsNull() || key != nil && (key.Value == "apiVersion" || key.Value == "kind")
			f(leaf{node: n, hash: syntax.CombineHashes(path, h.hash(n)), boilerplate: boilerplate})
			return
		}
		for _, e := range n.Entries {
			childPath, childName := syntax.CombineHashes(path, 5), ""
			if e.Key != nil {
				childPath = syntax.CombineHashes(path, h.hash(e.Key))
			}
			if isExcluded != nil && e.Key != nil {
				if childName = e.Key.Value; name != "" {
					childName = name + "." + childName
				}
				if isExcluded(childName) {
					continue
				}
			}
			visit(e.Value, e.Key, childPath, childName)
		}
	}
	visit(n, nil, 17, "")
}

// leafHashes has the hashes of the leaves of an element: of its scalars, aliases and empty collections, each with the
// mapping keys that lead to it.
type leafHashes struct {
	all, boilerplate []uint64            // sorted; of all leaves, and of the leaves that are boilerplate
	texts            map[uint64][]uint64 // sorted; of the lines of each text, by its textHash; nil if there is no text
}

// hashLeaves returns the hashes of the leaves of n: of its scalars, aliases and empty collections at any depth, each
// with the mapping keys that lead to it. Fields for which isExcluded returns true are left out; its argument is the
// dotted path of the field in n, such as metadata.name. If isExcluded is nil, no field is left out.
func (h *hasher) hashLeaves(n *syntax.Node, isExcluded func(path string) bool) (l leafHashes) {
	h.forEachLeaf(n, isExcluded, func(x leaf) {
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
	return l
}

// leavesOf returns the hashes of all leaves of n: of its scalars, aliases and empty collections at any depth, each with
// the mapping keys that lead to it. The result is cached. It must not be changed.
func (h *hasher) leavesOf(n *syntax.Node) leafHashes {
	l, ok := h.leaves[n]
	if !ok {
		l = h.hashLeaves(n, nil)
		h.leaves[n] = l
	}
	return l
}

// compare returns the number of leaves that are equal in a and b, and the number of leaves of the smaller and of the
// larger of the two. Leaves are scalars, aliases and empty collections with the mapping keys that lead to them. Leaves
// that are equal in many elements (apiVersion, kind and nulls) are no evidence that the two are one thing. If both have
// them, they are subtracted from all three results.
//
//	kind: ConfigMap         kind: ConfigMap
//	data: {a: 1, mem: 4g}   data: {b: 1, mem: 4g}
//
// The results are 1, 2 and 2: they have mem in common.
func (a leafHashes) compare(b leafHashes) (same, smaller, larger int) {
	sharedBoilerplate := syntax.CountCommon(a.boilerplate, b.boilerplate)
	return a.countShared(b) - sharedBoilerplate, min(len(a.all), len(b.all)) - sharedBoilerplate, max(len(a.all), len(b.all)) - sharedBoilerplate
}

// countShared returns how many leaves a and b have in common. A leaf is a scalar, an alias, an empty collection or a
// line of a text, with the mapping keys that lead to it. If both have a text with the same words, but with line breaks
// between other words, all lines of the text with fewer lines count as common.
func (a leafHashes) countShared(b leafHashes) int {
	n := syntax.CountCommon(a.all, b.all)
	for textHash, lines := range a.texts {
		if rewrapped := b.texts[textHash]; rewrapped != nil {
			n += min(len(lines), len(rewrapped)) - syntax.CountCommon(lines, rewrapped)
		}
	}
	return n
}

// similarity returns how similar two items of an ordered list are, from 0, which means that they are not one thing, to
// 1, which means equal. Items of different kinds, such as a scalar and a mapping, have 0. Otherwise it is the greatest
// of:
//
//   - the share of equal leaves (scalars, aliases and empty collections) among the leaves of the larger item, if it is
//     at least a quarter
//   - 0.9 for mappings with the same value in one of the fields name, id, path, key, host, url, title, href and slug
//   - 0.6 for mappings whose fields named "uses" only differ after "@", as in actions/checkout@v4
//   - 0.5 for scalars with the same text before a version, such as app:1.2 and app:1.3
func (h *hasher) similarity(a, b *syntax.Node) float64 {
	if a.Kind != b.Kind {
		return 0
	}
	if h.hash(a) == h.hash(b) {
		return 1
	}
	same, smaller, larger := h.leavesOf(a).compare(h.leavesOf(b))
	share := 0.0
	if 4*smaller >= larger {
		share = float64(same) / float64(max(larger, 1))
	}
	if 4*share < 1 {
		share = 0
	}
	if a.Kind == syntax.Scalar {
		return max(share, stringSimilarity(a.Value, b.Value))
	}
	for _, field := range syntax.NameFields {
		if x := a.ScalarAt(field); x != "" && x == b.ScalarAt(field) {
			return max(share, 0.9)
		}
	}
	// the same action with another version
	if x := a.Action(); x != "" && x == b.Action() {
		return max(share, 0.6)
	}
	return share
}

// stringSimilarity returns 0.5 if two strings have the same text before a version or a separator, such as app:1.2 and
// app:1.3, or A=1 and A=2. Otherwise it returns 0, also for two equal strings that have neither.
func stringSimilarity(a, b string) float64 {
	x, y := textBeforeVersion(a), textBeforeVersion(b)
	if x != "" && x == y {
		return 0.5
	}
	return 0
}

// textBeforeVersion returns the text of s before the first of "=", ":", "@", "<", ">" and "~", or before a version: a
// digit, or "v" and a digit, after "-", "_" or a space. The separator is not part of the result. It returns "" if s has
// none of these.
//
//	nginx:1.27     nginx
//	golang-v1.24   golang
//	alpine         ""
//
// The first byte of s is never a separator.
func textBeforeVersion(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '=', ':', '@', '<', '>', '~':
			return strings.TrimSpace(s[:i])
		case '-', '_', ' ':
			if version := strings.TrimPrefix(s[i+1:], "v"); version != "" && isDigit(version[0]) {
				return s[:i]
			}
		}
	}
	return ""
}

// isDigit reports whether c is an ASCII digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isSameThing reports whether two items that both sides added are surely one thing, so that they can be merged. It
// depends on their names: the first of the fields name, id, path, key, host, url, title, href and slug that an item
// has, with its value.
//
//	lists, or items of different kinds          false
//	different names, or only one has a name     false
//	the same name, in the field name or id      true
//	the same name in another field, or none     true if they have at least three leaves (scalars, aliases or empty
//	                                            collections), and more than two thirds of them are equal
//
// An equal path, key or host is not enough, because several items of a list may have it, such as two tolerations. A
// scalar has no name and only one leaf for each line, so the result is false for a scalar with one line.
func (h *hasher) isSameThing(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Sequence {
		return false
	}
	switch n := syntax.NameOf(a); {
	case n != syntax.NameOf(b):
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	la, lb := h.leavesOf(a), h.leavesOf(b)
	return isNearlyEqual(la.countShared(lb), max(len(la.all), len(lb.all)))
}

// isNearlyEqual reports whether two elements are nearly equal: n is at least three, and same is more than two thirds of
// it. n is the number of their leaves (scalars, aliases and empty collections), and same the number of equal ones.
func isNearlyEqual(same, n int) bool { return n >= 3 && 3*same > 2*n }

// areVariants reports whether two texts may be variants of one value. They may be in these cases:
//
//	one contains the other, or they are equal
//	they have the same text before a version or separator: app:1.2 and app:next, or A=1 and A=2
//	they differ only in digits, dots and asterisks: 1.2.* and 1.3
//
// An empty text is a variant of every text.
func areVariants(a, b string) bool {
	withoutDigits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.*", r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.Contains(a, b) || strings.Contains(b, a) || stringSimilarity(a, b) > 0 || withoutDigits(a) == withoutDigits(b)
}

// areUnrelated reports whether two items of one kind are surely two things. Scalars are, unless they may be variants of
// one value, such as app:1 and app:2. Mappings are if both have a name, the names differ, and less than half of the
// leaves (scalars, aliases and empty collections) of the larger one are equal. The name is the first of the fields
// name, id, path, key, host, url, title, href and slug, with its value. areUnrelated returns false for lists and
// aliases, and if the kinds differ.
func (h *hasher) areUnrelated(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Scalar {
		return a.Kind == b.Kind && !areVariants(a.Value, b.Value)
	}
	x, y := syntax.NameOf(a), syntax.NameOf(b)
	la, lb := h.leavesOf(a), h.leavesOf(b)
	return x != "" && y != "" && x != y && 2*la.countShared(lb) < max(len(la.all), len(lb.all))
}

// Contains reports whether a has everything that b has: it is equal to b, or is a collection of the same kind with the
// same anchor and tag that contains each entry of b. a may have further entries anywhere. The items of a list have to
// be in the same order in a and b, the fields of a mapping need not.
//
//	a               b        result
//	{x: 1, y: 2}    {y: 2}   true
//	[1, 2, 3]       [1, 3]   true
//	[1, 2, 3]       [3, 1]   false
func (h *hasher) Contains(a, b *syntax.Node) bool {
	if h.Equal(a, b) {
		return true
	}
	if a.Kind != b.Kind || len(b.Entries) == 0 || h.HashProperties(a) != h.HashProperties(b) {
		return false
	}
	i := 0
	for _, e := range b.Entries {
		if e.Key != nil {
			i = 0
		}
		for i < len(a.Entries) && !(h.HaveSameKey(a.Entries[i], e) && h.Contains(a.Entries[i].Value, e.Value)) {
			i++
		}
		if i == len(a.Entries) {
			return false
		}
		i++
	}
	return true
}
