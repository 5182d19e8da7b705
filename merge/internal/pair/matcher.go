// Package pair brings the entries of three versions into the order of the merge result.
//
// Package ident decides which entries are one thing. From this, pair makes a list of steps for three collections, or
// the documents of three streams.
//
// The package does not merge values. The values of one element may differ in any way, and both sides may have changed
// them.
//
// The main types are Matcher, which pairs elements, and Step, which it returns.
//
// An example: Matcher.Pair returns four steps for the fields of these mappings.
//
//	original    dest        updated     steps (Index)
//	name: web   name: web   name: web   {0, 0, 0}
//	cpu: 1      cpu: 2      mem: 1      {1, 1, -1}
//	mem: 1      mem: 1      port: 80    {2, 2, 1}
//	                                    {-1, -1, 2}
//
// The second step has no index in updated, which deleted cpu. The last step has an index only in updated, which added
// port.
//
// Terms:
//
//	side      dest or updated (ours or theirs): the versions that edited the original (base)
//	element   a field of a mapping, an item of a list, or a document
//	step      one element, with its index in each version; or a conflict over several elements of each version, for
//	          example because both sides inserted items at one place
//	region    in ordered lists: the items of each version between two items that all versions have
//	shared    of an item in a region: both sides have it, so that it divides the region into parts
//	gap       in other collections: the elements of each version between two that all versions have in the same order
//	lead      the side whose order the result has
//	run       successive items of two versions that are the same in both, as two first indexes and a length (diff3.Run)
//	elided    left out of large files for speed; if steps might be different with what is elided, for example because
//	          lines are compared, Lines.MayDependOnElided is set, and the complete versions are merged instead
package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Matcher pairs the elements of three versions of a file. Its methods are not safe for concurrent use.
type Matcher struct {
	ident.Table
	itemPaths map[*syntax.Node]func(three.Entries) *three.Path // ItemPath of each list in which PathAt was called
}

// NewMatcher returns a Matcher for the file with this path in its repository, whose lists follow the rules. Its Lines
// are not set.
func NewMatcher(rules *team.Rules, path string) *Matcher {
	return &Matcher{ident.Table{Rules: rules, File: path, Hasher: ident.NewHasher()}, map[*syntax.Node]func(three.Entries) *three.Path{}}
}

// PairedEntries are the entries of three mappings or lists, and the steps that pair them, in the order of the result.
// An entry that both sides deleted may have no step.
type PairedEntries struct {
	ident.Children
	Steps []Step
}

// PairEntries pairs the entries of the mappings or lists v at path p: by keys, by value or in order, according to
// ident.Table.MatchEntries. A version without the collection (nil) has no entries.
func (m *Matcher) PairEntries(v three.Nodes, p *three.Path) PairedEntries {
	c := m.MatchEntries(v, p)
	if c.Keyed != nil {
		return PairedEntries{c, orderKeyed(c.Keyed, c.Rule.OrderMatters)}
	}
	return PairedEntries{c, orderItems(c.Items)}
}

// PairOrdered pairs the items of ordered lists, which have no identity: equal items first, then similar ones between
// them. It returns steps in the order of the result: one for each item, or a conflict. m.Hasher must not be nil. It may
// set m.Lines.MayDependOnElided.
func (m *Matcher) PairOrdered(v three.Nodes, l schema.List) []Step {
	return orderItems(m.MatchItems(v, l))
}

// orderItems returns the steps for matched items of ordered lists, in the order of the result. If one side reordered
// the items and the other only edited or deleted some, this is the order of the first. Otherwise, the regions of the
// lists are merged one by one. An item that the versions have at different places gets one step (joinApart).
func orderItems(items *ident.Items) []Step {
	a := &alignment{Items: items}
	a.steps = a.alignReordered(three.Dest)
	if a.steps == nil {
		a.steps = a.alignReordered(three.Updated)
	}
	if a.steps == nil {
		a.mergeRegions()
	}
	a.joinApart()
	return a.steps
}

// PickProperties merges the anchor and the explicit tag of node v as a unit. It returns the version that has the merged
// ones: the side that changed them, or dest. ok is false if both sides changed them differently. A missing node (nil)
// has neither.
func (m *Matcher) PickProperties(v three.Nodes) (from three.Version, ok bool) {
	var hashes [3]uint64
	for s, n := range v {
		if n != nil {
			hashes[s] = m.Hasher.HashProperties(n)
		}
	}
	return three.Pick(hashes)
}

// A ConflictReason is the reason why a step is a conflict.
type ConflictReason uint8

// The reasons. A step with NoConflict is one element.
const (
	NoConflict       ConflictReason = iota
	BothReplaced                    // both sides replaced an element, or one added elements below some that the other deleted
	Wrapped                         // a side moved elements into another one that it added, and the other side edited or deleted them
	BothInserted                    // both sides added different items at the same position of an ordered list
	overlappingEdits                // both sides edited the same region of an ordered list
)

// A Step is a row of the result of pairing: one element, with its index in each version that has it. The caller merges
// its values, or decides whether it was deleted. A Step can also be a conflict over several elements of each version;
// it then has a reason, and the elements are in Runs.
type Step struct {
	Index    [3]int // of the element in each version; -1 if the version lacks it, and for all versions of a conflict
	Conflict ConflictReason
	Runs     [3][]int // the indexes of the conflicting elements of each version; only set for conflicts
	// PlacedBy is the side that determines the element's position in the result, if the other side added it or moved
	// it to another position. It is none for all other elements.
	PlacedBy three.Optional
}

// NewStep returns the step of one element, which has index o in the original, d in dest and u in updated. An index is
// -1 if the version lacks the element.
func NewStep(o, d, u int) Step { return Step{Index: [3]int{o, d, u}} }

// isInAll reports whether all versions have the element of st.
func (st Step) isInAll() bool { return slices.Min(st.Index[:]) >= 0 }

// isOnlyIn reports whether v has the element of st, and no other version has it.
func (st Step) isOnlyIn(v three.Version) bool {
	only := [3]int{-1, -1, -1}
	only[v] = st.Index[v]
	return st.Index == only && only[v] >= 0
}

// Elements returns the element of a step in each version: all[s][st.Index[s]] for version s, or the zero value if the
// version lacks the element. For a conflict, it returns three zero values.
func Elements[T any](st Step, all [3][]T) (elements [3]T) {
	for s, i := range st.Index {
		if i >= 0 {
			elements[s] = all[s][i]
		}
	}
	return elements
}

// Entries returns the entries of the step, by version: the entry with the index st.Index[s] in collections[s]. An entry
// is nil if the index is -1. For a conflict, all entries are nil.
func (st Step) Entries(collections three.Nodes) three.Entries {
	var all [3][]*syntax.Entry
	for s, n := range collections {
		if n != nil {
			all[s] = n.Entries
		}
	}
	return Elements(st, all)
}
