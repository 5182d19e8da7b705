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

// What two versions differ in is arithmetic. Of a slot, choose: a change of one side, or of both alike. Of things that
// may stand several times, counts. Of lines, edits: what a side kept of the base, and what it put between.

// A version is one of the four files of a claim: a side, or the result.
type version = three.Version

const (
	base     = three.Original
	ours     = three.Dest
	theirs   = three.Updated
	result   = Result
	versions = version(4) // their number
)

// Result is the fourth version, beside original, dest and updated.
const Result = version(3)

// sides are the versions that edit the base.
var sides = three.Sides

// choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func choose[T comparable](values [versions]T) (want T, ok bool) {
	s, ok := three.Pick([3]T(values[:result]))
	return values[s], ok
}

// versionCounts are how often a thing stands in each version.
type versionCounts [versions]int32

// expectedRange are how often a thing stands, at least and at most, where each side did to the
// base what it did: what both did counts once, or once for each.
func (n versionCounts) expectedRange() (least, most int32) {
	b, o, t := n[base], n[ours]-n[base], n[theirs]-n[base]
	switch {
	case o > 0 && t > 0:
		return b + max(o, t), b + o + t
	case o < 0 && t < 0:
		return b + o + t, b + min(o, t)
	}
	return b + o + t, b + o + t
}

// isExpected reports whether the result has what the edits of both sides make of
// the base; exactly, if what both added is one thing.
func (n versionCounts) isExpected(exact bool) bool {
	least, most := n.expectedRange()
	if exact && most > n[base] {
		most = least
	}
	return n[result] >= least && n[result] <= most
}

// isLostEverywhere reports whether all versions have a thing once, and the result has it not.
func (n versionCounts) isLostEverywhere() bool { return n == versionCounts{1, 1, 1, 0} }

// exceedsInputs reports whether the result has a thing more often than each version: what both sides added stands once.
func (n versionCounts) exceedsInputs() bool { return n[result] > max(1, n[base], n[ours], n[theirs]) }

// isTooFew reports whether the result has a thing less often than the edits of both sides leave it.
func (n versionCounts) isTooFew() bool {
	least, _ := n.expectedRange()
	return n[result] < least
}

// bothRemovedCopy reports whether each side removed another one of two equal things, so that the result has fewer than either side.
func (n versionCounts) bothRemovedCopy() bool {
	return n[base] > 1 && n[ours] > 0 && n[theirs] > 0 && n[result] < min(n[ours], n[theirs])
}

// A countsByFact is how often each fact stands in each version.
type countsByFact[F comparable] map[F]versionCounts

// add adds a fact of v.
func (b countsByFact[F]) add(v version, fact F) {
	n := b[fact]
	n[v]++
	b[fact] = n
}

// A Conflict is one conflict.
type Conflict struct {
	// At are its lines in base, ours and theirs; empty where a version
	// has nothing.
	At [3]text.Span
	// Chosen is the side whose text the result has there: what the other one has counts as if it
	// had left it alone. It is Result where a person decided: see Findings.
	Chosen version
}

// A mask is lines of a version that stand in conflict.
type mask struct {
	text.Span
	CountsFor version // the side for which these lines of the base count; else base
	isManual  bool    // a person decided
}

// masksOf returns what of v stands in conflict and was not taken: of the
// base, what counts in the place of what was not taken.
func masksOf(conflicts []Conflict, v version) []mask {
	var masks []mask
	for _, o := range conflicts {
		if v == result {
			return nil
		}
		k := mask{Span: o.At[v], isManual: o.Chosen == result}
		switch {
		case k.Empty(), !k.isManual && v == o.Chosen:
			continue
		case !k.isManual && v == base:
			k.CountsFor = o.Chosen.Other()
		}
		masks = append(masks, k)
	}
	slices.SortFunc(masks, func(a, b mask) int { return a.Start - b.Start })
	return masks
}

// maskAt returns the mask that s touches, and whether that holds all of it.
func maskAt(masks []mask, s text.Span) (found mask, contains, touched bool) {
	i := sort.Search(len(masks), func(i int) bool { return masks[i].End > s.Start })
	if i == len(masks) || masks[i].Start >= max(s.End, s.Start+1) {
		return found, false, false
	}
	return masks[i], masks[i].Contains(s), true
}

// seed is a constant of the process: sums of different checks may be compared.
var seed = maphash.MakeSeed()

func Hash(s string) uint64 { return maphash.String(seed, s) }

// hashLines is the sum of the lines of b, without blanks around them.
func hashLines(b []byte) uint64 {
	b = bytes.TrimSpace(b)
	s := uint64(5)
	for line := range bytes.Lines(b) {
		s = syntax.CombineHashes(s, maphash.Bytes(seed, bytes.TrimSpace(line)))
	}
	return s
}

// ByKey knows a field by its key.
func ByKey(n *Node) uint64 { return n.KeyHash }

// ByValue knows an item by all that it says; one that is in conflict in part is
// like no other.
func ByValue(n *Node) uint64 {
	if n.Partial {
		return 0
	}
	return n.Data
}

// listItemID knows an item by what identifies it in l; what lacks that, by its value.
func listItemID(l schema.List) func(*Node) uint64 {
	return func(n *Node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return Hash(x)
		}
		return ByValue(n)
	}
}

// nameless is the name of what has none.
const nameless = 2

// nodeNameHash tells an item of a list from others, as far as that goes without
// knowing the list.
func nodeNameHash(n *syntax.Node) uint64 {
	if n.Kind == syntax.Scalar {
		return Hash(n.Value)
	}
	if name := syntax.NameOf(n); name != "" {
		return Hash(name)
	}
	return nameless
}

// IsBlank reports whether nothing is written in a document.
func (n Node) IsBlank() bool {
	return n.Kind == syntax.Scalar && n.Style == syntax.Plain && n.Span.Empty()
}

// IsResource reports whether n is known by a kind and a name, or by its anchor.
func IsResource(n *Node) bool { return schema.KindAndName(n.Node) != "" }

// Where a thing stands is told by keys and names, from the root of its document on; what a
// version calls otherwise than the base stands where that has it.

// NameHash is what tells n from what stands beside it.
func (n *Node) NameHash() uint64 {
	switch {
	case n.KeyHash != 0:
		return n.KeyHash
	case n.Entry == nil:
		return Hash(schema.Identity(n.Node))
	}
	return nodeNameHash(n.Node)
}

// resourceHash knows resources, as far as one is told from another in any way.
func resourceHash(n *Node) uint64 {
	if !IsResource(n) {
		return 0
	}
	return Hash(schema.Identity(n.Node) + n.ScalarAt("apiVersion"))
}

// appendLeafHashes appends the sums of the scalars, aliases and empty collections in n, each with its path, to a list. A scalar of
// several lines has a sum for each line that is not blank.
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

// leafHashes returns the sums of the leaves of n, which are lines in a text, in order.
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

// countCommonLeaves returns how many parts of b are in n, and how many parts b has.
func (c *checker) countCommonLeaves(b, n *Node) (common, size int) {
	x, y := c.leafHashes(b), c.leafHashes(n)
	if b.Kind != n.Kind {
		return 0, len(x)
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return common, len(x)
}

// containsMostOf reports whether n has four fifths of the parts of b.
func (c *checker) containsMostOf(n, b *Node) bool {
	common, size := c.countCommonLeaves(b, n)
	return 5*common >= 4*size
}

// IsWrittenLike reports whether n may be r, which says the same: it is written as r, or in
// other surroundings.
func (n *Node) IsWrittenLike(r *Node) bool {
	return n.Format == r.Format && n.commentHash == r.commentHash || n.InFlow != r.InFlow
}

// identical reports whether a and b are the same bytes, with those of their entries.
func identical(a, b *Node) bool {
	return a == b || a != nil && b != nil && a.reader != nil && b.reader != nil &&
		bytes.Equal(a.reader.file.Slice(a.EntrySpan()), b.reader.file.Slice(b.EntrySpan()))
}

// containsAll reports whether a has all that b has and that counts.
func containsAll(a, b *Node) bool {
	if a.Data == b.Data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || !a.SameProperties(b.Node) {
		return false
	}
	i := 0
	for j := range b.Children {
		k := &b.Children[j]
		if k.Masked {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(a.Children) && !(a.Children[i].KeyHash == k.KeyHash && containsAll(&a.Children[i], k)) {
			i++
		}
		if i == len(a.Children) {
			return false
		}
		i++
	}
	return true
}
