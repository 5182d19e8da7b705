package pair

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// sums computes and remembers the data of nodes as numbers: equal data, equal
// sums. Form and trivia do not count, nor does the order of a mapping's keys.
// A collision cannot lose anything: the verifier compares again.
type sums struct {
	seed   maphash.Seed
	nodes  map[*syntax.Node]uint64
	leaves map[*syntax.Node]leafSums
}

// NewSums remembers nothing yet. Sums of two of them do not compare.
func NewSums() *sums {
	return &sums{maphash.MakeSeed(), map[*syntax.Node]uint64{}, map[*syntax.Node]leafSums{}}
}

// of returns the sum of n with its anchor and written tag; nil has the sum 0.
func (c *sums) of(n *syntax.Node) uint64 {
	if n == nil {
		return 0
	}
	return syntax.CombineHashes(c.Content(n), c.Props(n))
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
			s += syntax.CombineHashes(c.of(e.Key), c.of(e.Value))
		}
		s = syntax.CombineHashes(1, s)
	case syntax.Sequence:
		s = 2
		for _, e := range n.Entries {
			s = syntax.CombineHashes(s, c.of(e.Value))
		}
	case syntax.Alias:
		s = syntax.CombineHashes(3, maphash.String(c.seed, n.Value))
	default:
		tag, value := n.ScalarData()
		s = syntax.CombineHashes(syntax.CombineHashes(4, maphash.String(c.seed, tag)), maphash.String(c.seed, value))
	}
	return s
}

// Props is the sum of anchor and written tag. A collection's resolved tag
// says nothing beyond its kind.
func (c *sums) Props(n *syntax.Node) uint64 {
	if n.Anchor == "" && n.TagText == "" {
		return 0
	}
	return syntax.CombineHashes(maphash.String(c.seed, n.Anchor), maphash.String(c.seed, n.TagText)+1)
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
	return a.Key == nil || b.Key == nil || a.FieldKey() == b.FieldKey() && c.Props(a.Key) == c.Props(b.Key)
}

// A leaf is a scalar, an alias or an empty collection within an entry, or one line of a scalar of several lines. A text
// therefore weighs as much as it has lines that are not blank.
type leaf struct {
	node *syntax.Node // for a line, the scalar
	sum  uint64       // of the keys that lead to the leaf and of its data
	// words is the sum of the same keys and of all words of the text, if the leaf is a line of one; 0 otherwise.
	words uint64
	// boilerplate is true if the leaf may be the same in two entries that have nothing to do with each other: the API version
	// or the kind of a thing, or the null of a key without a value.
	boilerplate bool
}

// eachLeaf calls f for each leaf of n, in order. It leaves out the fields of which aside, given their dotted path in n, returns
// true; a nil aside leaves out none.
func (c *sums) eachLeaf(n *syntax.Node, aside func(path string) bool, f func(leaf)) {
	var in func(n *syntax.Node, key *syntax.Node, path uint64, name string)
	in = func(n *syntax.Node, key *syntax.Node, path uint64, name string) {
		if lines := n.TextLines(); len(lines) > 1 {
			words := syntax.CombineHashes(path, maphash.String(c.seed, strings.Join(strings.Fields(n.Value), " ")))
			for _, line := range lines {
				f(leaf{node: n, sum: syntax.CombineHashes(path, maphash.String(c.seed, line)), words: words})
			}
			return
		}
		if len(n.Entries) == 0 {
			boilerplate := n.IsNull() || key != nil && (key.Value == "apiVersion" || key.Value == "kind")
			f(leaf{node: n, sum: syntax.CombineHashes(path, c.of(n)), boilerplate: boilerplate})
			return
		}
		for _, e := range n.Entries {
			below, named := syntax.CombineHashes(path, 5), ""
			if e.Key != nil {
				below = syntax.CombineHashes(path, c.of(e.Key))
			}
			if aside != nil && e.Key != nil {
				if named = e.Key.Value; name != "" {
					named = name + "." + named
				}
				if aside(named) {
					continue
				}
			}
			in(e.Value, e.Key, below, named)
		}
	}
	in(n, nil, 17, "")
}

// leafSums are the sums of the leaves of an entry.
type leafSums struct {
	all, boilerplate []uint64            // sorted: of all leaves, and of those that are boilerplate
	texts            map[uint64][]uint64 // of the lines of each text, sorted, by the words of the text; nil if there is no text
}

// leafSums returns those of the leaves of n but for the fields that aside names, as in eachLeaf.
func (c *sums) leafSums(n *syntax.Node, aside func(path string) bool) (l leafSums) {
	c.eachLeaf(n, aside, func(x leaf) {
		l.all = append(l.all, x.sum)
		if x.boilerplate {
			l.boilerplate = append(l.boilerplate, x.sum)
		}
		if x.words != 0 {
			if l.texts == nil {
				l.texts = map[uint64][]uint64{}
			}
			l.texts[x.words] = append(l.texts[x.words], x.sum)
		}
	})
	slices.Sort(l.all)
	slices.Sort(l.boilerplate)
	for _, lines := range l.texts {
		slices.Sort(lines)
	}
	return l
}

// leavesOf returns the leafSums of all of n, and remembers them.
func (c *sums) leavesOf(n *syntax.Node) leafSums {
	l, ok := c.leaves[n]
	if !ok {
		l = c.leafSums(n, nil)
		c.leaves[n] = l
	}
	return l
}

// compare counts the leaves that a and b have in common, those of the smaller, and those of the larger. Boilerplate that both
// have is no evidence, and is not counted at all.
//
//	kind: ConfigMap       kind: ConfigMap       one leaf of two: mem
//	data: {a: 1, mem: 4g}  data: {b: 1, mem: 4g}
func (a leafSums) compare(b leafSums) (same, least, most int) {
	none := common(a.boilerplate, b.boilerplate)
	return a.shared(b) - none, min(len(a.all), len(b.all)) - none, max(len(a.all), len(b.all)) - none
}

// shared returns how many leaves a and b have in common. Of a text that one of them has in lines of another length, all
// lines are in common.
func (a leafSums) shared(b leafSums) int {
	n := common(a.all, b.all)
	for words, lines := range a.texts {
		if rewrapped := b.texts[words]; rewrapped != nil {
			n += min(len(lines), len(rewrapped)) - common(lines, rewrapped)
		}
	}
	return n
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

// alike tells how much two items of an ordered list resemble each other, from
// 0 (they are not one thing) to 1: the share of equal leaves, at least a
// quarter; or a name that both bear; or strings with the same text before a
// version.
func (c *sums) alike(a, b *syntax.Node) float64 {
	if a.Kind != b.Kind {
		return 0
	}
	if c.of(a) == c.of(b) {
		return 1
	}
	same, least, most := c.leavesOf(a).compare(c.leavesOf(b))
	share := 0.0
	if 4*least >= most {
		share = float64(same) / float64(max(most, 1))
	}
	if 4*share < 1 {
		share = 0
	}
	if a.Kind == syntax.Scalar {
		return max(share, alikeStrings(a.Value, b.Value))
	}
	for _, field := range syntax.NameFields {
		if x := a.ScalarAt(field); x != "" && x == b.ScalarAt(field) {
			return max(share, 0.9)
		}
	}
	// the same action or image under another version
	x, _, _ := strings.Cut(a.ScalarAt("uses"), "@")
	y, _, _ := strings.Cut(b.ScalarAt("uses"), "@")
	if x != "" && x == y {
		return max(share, 0.6)
	}
	return share
}

// alikeStrings compares two strings by the text before a version, "=", ":" or
// "@".
func alikeStrings(a, b string) float64 {
	x, y := stem(a), stem(b)
	if x != "" && x == y {
		return 0.5
	}
	return 0
}

// stem is the text of s before its first "=", ":" or "@", or before a version
// (a digit behind "-", "_", "v" or a blank); "" if there is none of these.
func stem(s string) string {
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// oneThing reports whether two items that both sides inserted are surely one:
// they have one name or id, or at least three leaves of which more than two thirds
// are equal, as do two texts. Several items of a list may well have one path, key or host: two
// tolerations of one key, say.
func (c *sums) oneThing(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Sequence {
		return false
	}
	switch n := syntax.NameOf(a); {
	case n != syntax.NameOf(b):
		return false
	case strings.HasPrefix(n, "name=") || strings.HasPrefix(n, "id="):
		return true
	}
	la, lb := c.leavesOf(a), c.leavesOf(b)
	return nearlyAlike(la.shared(lb), max(len(la.all), len(lb.all)))
}

// nearlyAlike reports whether two entries that have so many of n leaves in common are nearly alike: more than two thirds of at least
// three leaves.
func nearlyAlike(same, n int) bool { return n >= 3 && 3*same > 2*n }

// likeTexts reports whether two texts may be two ways to say one thing: one holds the other, they
// have the same text before a version, or differ in digits and wildcards alone.
func likeTexts(a, b string) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789.*", r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.Contains(a, b) || strings.Contains(b, a) || alikeStrings(a, b) > 0 || bare(a) == bare(b)
}

// unlike reports whether two items are surely two things: scalars that are no two ways to say
// one, or mappings of distinct names of which under half the leaves are equal.
func (c *sums) unlike(a, b *syntax.Node) bool {
	if a.Kind != b.Kind || a.Kind == syntax.Scalar {
		return a.Kind == b.Kind && !likeTexts(a.Value, b.Value)
	}
	x, y := syntax.NameOf(a), syntax.NameOf(b)
	la, lb := c.leavesOf(a), c.leavesOf(b)
	return x != "" && y != "" && x != y && 2*la.shared(lb) < max(len(la.all), len(lb.all))
}

// Holds reports whether a has all that b has.
func (c *sums) Holds(a, b *syntax.Node) bool {
	if c.Equal(a, b) {
		return true
	}
	if a.Kind != b.Kind || len(b.Entries) == 0 || c.Props(a) != c.Props(b) {
		return false
	}
	i := 0
	for _, e := range b.Entries {
		if e.Key != nil {
			i = 0
		}
		for i < len(a.Entries) && !(c.SameKey(a.Entries[i], e) && c.Holds(a.Entries[i].Value, e.Value)) {
			i++
		}
		if i == len(a.Entries) {
			return false
		}
		i++
	}
	return true
}
