package verify

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// The edits of two sides are merged by arithmetic: for one value, choose returns the side that changed it; for things
// that can occur several times, versionCounts computes how often they may occur.

// A version is base, ours, theirs or the result.
type version = three.Version

const (
	base     = three.Original
	ours     = three.Dest
	theirs   = three.Updated
	result   = Result
	versions = version(4) // their number
)

// Result is the fourth version, after original, dest and updated.
const Result = version(3)

// sides are the versions that edit the base: ours and theirs.
var sides = three.Sides

// choose returns the value that a three-way merge gives: that of the only side that changed the base's value, or the
// common value of the sides. ok is false if both sides changed it differently; want is then the value of ours.
func choose[T comparable](values [versions]T) (want T, ok bool) {
	s, ok := three.Pick([3]T(values[:result]))
	return values[s], ok
}

// versionCounts are the numbers of occurrences of one thing in each version: of a comment, an item or a template block,
// for example.
type versionCounts [versions]int32

// A countRange is a range of numbers of occurrences, from least to most.
type countRange struct{ least, most int32 }

// contains reports whether n is in r.
func (r countRange) contains(n int32) bool { return r.least <= n && n <= r.most }

// expectedRange returns the numbers of occurrences that are correct in a merge: the base's number, with the additions
// and deletions of both sides. If both sides added copies, or both deleted copies, these may be the same copies or
// different ones. The numbers can be negative.
//
//	base   ours   theirs   least   most
//	1      2      1        2       2      only ours added a copy
//	1      2      2        2       3      both added a copy
//	3      2      2        1       2      both deleted a copy
//	1      2      0        1       1      1 + 1 - 1
func (n versionCounts) expectedRange() countRange {
	b, o, t := n[base], n[ours]-n[base], n[theirs]-n[base]
	switch {
	case o > 0 && t > 0:
		return countRange{b + max(o, t), b + o + t}
	case o < 0 && t < 0:
		return countRange{b + o + t, b + min(o, t)}
	}
	return countRange{b + o + t, b + o + t}
}

// isExpected reports whether the number of occurrences in the result is within expectedRange.
func (n versionCounts) isExpected() bool { return n.expectedRange().contains(n[result]) }

// isExpectedAtOnePlace reports whether the result has the right number of copies at one place, such as equal comments
// at one entry. Copies that both sides added there are the same: 1, 2 and 2 in base, ours and theirs give 2, and not
// 3.
func (n versionCounts) isExpectedAtOnePlace() bool {
	expected := n.expectedRange()
	if expected.most > n[base] { // both sides added copies, or least and most are the same
		expected.most = expected.least
	}
	return expected.contains(n[result])
}

// isLostEverywhere reports whether all inputs contain the counted thing equally often, and the result less often.
func (n versionCounts) isLostEverywhere() bool {
	return n[ours] == n[base] && n[theirs] == n[base] && n[result] < n[base]
}

// isRestored reports whether the result contains a copy of the counted thing that one side removed, and so more copies
// than expected. It returns false if both sides removed copies, because these may be the same ones.
//
//	base   ours   theirs   result
//	1      0      1        1        the copy that ours removed is back
//	2      1      2        2        so is one of two
//	1      0      2        1        not restored: theirs added a copy
func (n versionCounts) isRestored() bool {
	return n[result] > n.expectedRange().most && min(n[ours], n[theirs]) < n[base] && max(n[ours], n[theirs]) >= n[base]
}

// isDeletedByOther reports whether the base and s have the counted thing once, the other side deleted it, and the
// result has it.
func (n versionCounts) isDeletedByOther(s version) bool {
	return s == ours && n == versionCounts{1, 1, 0, 1} || s == theirs && n == versionCounts{1, 0, 1, 1}
}

// hasExtraCopy reports whether all inputs contain the counted thing equally often, at least once, and the result
// contains it more often.
func (n versionCounts) hasExtraCopy() bool {
	return n[base] > 0 && n[ours] == n[base] && n[theirs] == n[base] && n[result] > n[base]
}

// exceedsInputs reports whether the result contains the counted thing more than once and more often than each input.
func (n versionCounts) exceedsInputs() bool { return n[result] > max(1, n[base], n[ours], n[theirs]) }

// bothRemovedCopy reports whether the base contains several copies, and the result fewer than either side, because each
// side removed a different one.
func (n versionCounts) bothRemovedCopy() bool {
	return n[base] > 1 && n[result] < min(n[ours], n[theirs])
}

// occurrenceCounts maps each counted thing, such as the hash of a comment, to its numbers of occurrences.
type occurrenceCounts[F comparable] map[F]versionCounts

// add counts one more occurrence of counted in v.
func (b occurrenceCounts[F]) add(v version, counted F) {
	n := b[counted]
	n[v]++
	b[counted] = n
}

// nodeGroups are the nodes of each version by a hash, such as that of their name, in the order of the file.
type nodeGroups [versions]map[uint64][]*Node

// countsOf returns how many nodes with this hash each version has.
func (g nodeGroups) countsOf(hash uint64) (n versionCounts) {
	for v := range versions {
		n[v] = int32(len(g[v][hash]))
	}
	return n
}

// first returns the first node with this hash in each version, nil for versions without one.
func (g nodeGroups) first(hash uint64) (q nodeVersions) {
	for v := range versions {
		if nodes := g[v][hash]; len(nodes) > 0 {
			q[v] = nodes[0]
		}
	}
	return q
}

// A Conflict is a part of the versions that was not merged automatically.
type Conflict struct {
	// At are the conflict's lines in base, ours and theirs. A span is empty if the version has no lines.
	At [3]text.Span
	// Chosen is the version with its text in the result: a side or, rarely, the base. Another side is treated as if it
	// had left the base unchanged there. It is Result if a person resolved the conflict, with any text.
	Chosen version
}

// A conflictState is whether a node or line is in a conflict, and how it is then verified.
type conflictState uint8

const (
	outside conflictState = iota // not in a conflict
	partly                       // a part of it is in a conflict, so its hashes cannot be compared
	masked                       // it is in a conflict and ignored
	// It is in the base, in a conflict, and the side that was not chosen is treated as containing it, too.
	countsForOurs
	countsForTheirs
)

// countsFor reports whether v is the side that is treated as containing a node or line of the base with the state s.
func (s conflictState) countsFor(v version) bool {
	return s == countsForOurs && v == ours || s == countsForTheirs && v == theirs
}

// A mask marks lines of a version that are in a conflict. Its state is masked, countsForOurs or countsForTheirs.
type mask struct {
	text.Span
	state    conflictState
	isManual bool // a person resolved the conflict
}

// masksOf returns the masks of version v, in the order of the file: its parts in conflicts that are ignored, or count
// for a side.
//
//	version    ours was chosen          a person resolved it    the base was chosen
//	base       counts for theirs, too   ignored                 no mask
//	ours       no mask                  ignored                 ignored
//	theirs     ignored                  ignored                 ignored
//	result     no mask                  no mask                 no mask
func masksOf(conflicts []Conflict, v version) (masks []mask) {
	if v == result {
		return nil
	}
	for _, o := range conflicts {
		if o.At[v].Empty() || o.Chosen == v {
			continue
		}
		k := mask{o.At[v], masked, o.Chosen == result}
		if v == base && !k.isManual {
			k.state = [...]conflictState{ours: countsForTheirs, theirs: countsForOurs}[o.Chosen] // not the chosen side
		}
		masks = append(masks, k)
	}
	slices.SortFunc(masks, func(a, b mask) int { return a.Start - b.Start })
	return masks
}

// maskAt returns the first of masks that overlaps s, or a mask with the state outside if there is none. An empty s
// counts as if it had one byte. masks must be in the order of the file.
func maskAt(masks []mask, s text.Span) mask {
	i := sort.Search(len(masks), func(i int) bool { return masks[i].End > s.Start })
	if i == len(masks) || masks[i].Start >= max(s.End, s.Start+1) {
		return mask{}
	}
	return masks[i]
}

// seed is constant in a process, so hashes from different verifications can be compared.
var seed = maphash.MakeSeed()

// Hash returns the hash of s. It is the same everywhere in this process, but not in other processes.
func Hash(s string) uint64 { return maphash.String(seed, s) }

// hashLines returns the hash of the lines of b, without the white space around b and around each line. Blank lines
// within b count. Texts that differ only in indentation and line ends have the same hash.
func hashLines(b []byte) uint64 {
	b = bytes.TrimSpace(b)
	s := uint64(5)
	for line := range bytes.Lines(b) {
		s = syntax.CombineHashes(s, maphash.Bytes(seed, bytes.TrimSpace(line)))
	}
	return s
}

// ByKey returns the hash of the mapping key of field n, by which fields match.
func ByKey(n *Node) uint64 { return n.KeyHash }

// ByValue returns the hash of the data of n (its values, tags and anchors), by which items without names match. It
// returns 0, which matches no other item, if a part of n is in a conflict.
func ByValue(n *Node) uint64 {
	if n.conflict == partly {
		return 0
	}
	return n.Data
}

// listItemID returns a function for the hash that identifies an item of list l: of its associative key, such as name,
// or its value in a set. Other items have the hash of their data, or 0 if partly in a conflict.
func listItemID(l schema.List) func(*Node) uint64 {
	return func(n *Node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return Hash(x)
		}
		return ByValue(n)
	}
}

// nameless is the name hash of nodes without a name.
const nameless = 2

// nodeNameHash returns the hash of the name of a list item with the value n: the value of a scalar, or the first field
// of syntax.NameFields that a mapping has, as in "name=web". It returns the constant nameless for other values.
func nodeNameHash(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return Hash(n.Value)
	}
	if name := syntax.NameOf(n); name != "" {
		return Hash(name)
	}
	return nameless
}

// IsBlank reports whether n is an empty document.
func (n Node) IsBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Span.Empty()
}

// IsResource reports whether n can be identified by its kind and name, as a Kubernetes resource, or by its anchor, as a
// document of Unity.
func IsResource(n *Node) bool { return schema.KindAndName(n.Node) != "" }

// The address of a node is the hash of the mapping keys and item names from the root of its document down. If a version
// renamed a node, it still has the base's address.

// NameHash returns the hash of the name of n, by which it is distinguished from the other children of its parent:
//
//	field                     its mapping key
//	item that is a scalar     its value
//	item with a name          the name, such as name=web
//	other item                a constant, the same for all
//	document                  its kind, namespace and name; without these, its anchor
//	other document            a constant, the same for all
func (n *Node) NameHash() uint64 {
	switch {
	case n.KeyHash != 0:
		return n.KeyHash
	case n.nameHash != 0:
	case n.Entry == nil:
		n.nameHash = Hash(schema.Identity(n.Node))
	default:
		n.nameHash = nodeNameHash(n.Node)
	}
	return n.nameHash
}

// resourceHash returns the hash of a resource's kind, namespace, name and API version, or 0 if n is not a resource.
func resourceHash(n *Node) uint64 {
	if !IsResource(n) {
		return 0
	}
	return Hash(schema.Identity(n.Node) + n.ScalarAt("apiVersion"))
}

// appendLeafHashes appends the hashes of the leaves in n to hashes, and returns the extended list, like append. Leaves
// are scalars, aliases and empty collections, each combined with its path. path is the hash for the path of n. A scalar
// of several lines has a hash for each line that is not blank.
func appendLeafHashes(hashes []uint64, n *Node, path uint64) []uint64 {
	if lines := n.TextLines(); len(lines) > 1 {
		for _, line := range lines {
			hashes = append(hashes, syntax.CombineHashes(path, Hash(line)))
		}
		return hashes
	}
	if len(n.Children) == 0 {
		return append(hashes, syntax.CombineHashes(path, n.Data))
	}
	for i := range n.Children {
		hashes = appendLeafHashes(hashes, &n.Children[i], syntax.CombineHashes(path, n.Children[i].KeyHash))
	}
	return hashes
}

// leafHashes returns the sorted hashes of the leaves of n: scalars, aliases and empty collections, each with the
// mapping keys from n to it, but without positions in lists. Each line of a text is a leaf. The result must not be
// changed.
func (c *checker) leafHashes(n *Node) []uint64 {
	hashes, ok := c.leafHashCache[n]
	if ok {
		return hashes
	}
	hashes = appendLeafHashes(nil, n, 7)
	slices.Sort(hashes)
	c.leafHashCache[n] = hashes
	return hashes
}

// countCommonLeaves returns how many leaves (see leafHashes) b and n have in common, and the number of leaves of b.
// Equal leaves count as often as both have them. Nodes of different kinds have none in common.
//
//	b                    n                    common, size
//	{x: 1, y: [a, b]}    {x: 2, y: [b, c]}    1, 3
func (c *checker) countCommonLeaves(b, n *Node) (common, size int) {
	x, y := c.leafHashes(b), c.leafHashes(n)
	if b.Kind != n.Kind {
		return 0, len(x)
	}
	return syntax.CountCommon(x, y), len(x)
}

// containsMostOf reports whether n contains at least four fifths of the leaves of b (values with their mapping keys).
// Nodes of different kinds, such as a mapping and a list, have no leaves in common.
func (c *checker) containsMostOf(n, b *Node) bool {
	common, size := c.countCommonLeaves(b, n)
	return 5*common >= 4*size
}

// identical reports whether the entries of a and b have the same bytes. It returns true if both are nil, and false if
// only one is, or if one was not read from a file.
func identical(a, b *Node) bool {
	wasRead := func(n *Node) bool { return n != nil && n.reader != nil }
	return a == b || wasRead(a) && wasRead(b) &&
		bytes.Equal(a.reader.file.Slice(a.EntrySpan()), b.reader.file.Slice(b.EntrySpan()))
}

// containsAll reports whether a has all fields and items of b, with values that contain everything in those of b. Items
// must be in the same order, perhaps with others between them. Scalars, aliases, anchors and tags must be equal.
// Children of b in a conflict (masked) need not be in a.
//
//	a               b            result
//	{x: 1, y: 2}    {y: 2}       true
//	[p, q, r]       [p, r]       true
//	[p, q, r]       [r, p]       false
func containsAll(a, b *Node) bool {
	if a.Data == b.Data {
		return true
	}
	isCollection := a.Kind == syntax.Mapping || a.Kind == syntax.Sequence
	if !isCollection || a.Kind != b.Kind || !a.SameProperties(b.Node) {
		return false
	}
	i := 0
	for j := range b.Children {
		child := &b.Children[j]
		if child.conflict == masked {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0 // fields may have any order
		}
		for i < len(a.Children) && !(a.Children[i].KeyHash == child.KeyHash && containsAll(&a.Children[i], child)) {
			i++
		}
		if i == len(a.Children) {
			return false
		}
		i++
	}
	return true
}
