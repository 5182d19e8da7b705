// Package verify takes three versions of a file and a result, and returns what is wrong with the result, or nothing. It shares
// definitions with the packages that make results (which resource is which, when two scalars are equal), and no decision.
//
// A version is a set of facts. A fact has an address, a slot and a value. The slots are: which kind of node is there, its value,
// its anchor and tag, its comments, its format, its order, and in a template the blocks around it. A result is right if it differs
// from the base in every fact that a side changed, and in no other one. A change that both sides made counts once. Two different
// changes of one fact have no clean result. Nor have two different entries that both sides added under one name, unless one of
// them has all that the other one has, or they are maps of strings.
//
//	base   ours   theirs   result
//	a: 1   a: 2   a: 1     a: 2
//	b: 1   b: 1   b: 1     b: 1     right
//	              c: 1     d: 1     lost: c; invented: d
//
// What is in conflict does not count: the side that was not taken has there what the base has.
//
// What is demanded depends on who made the result: this program, git, a person, or this program with the rules of kustomize or
// kubectl. These are the columns of the two tables in rules.go, which list all rules and all checks.
//
// Facts are matched by their addresses, which are keys and names from the root of a document on. If a side renamed an element, or
// the items of a list have no names, the maker of the result claims which nodes are the same. A claim is checked for its evidence.
// Only in line merges, for which there are no claims, the verifier looks for renamed nodes itself (origins.go).
//
// The caller parses the result: the verifier takes trees. Blank lines are not judged. A violation says where it is in each version.
//
// Read rules.go (what is demanded of whom), facts.go and node.go (what a version says), pair.go (the same node in four versions)
// and meet.go (what the edits of both sides make of it) first.
package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Merge is that Result is the three-way merge of the other three.
type Merge struct {
	Base, Ours, Theirs, Result *syntax.Stream
	// File is the path of the file, for the rules of its lists.
	File  string
	Rules *schema.Rules
	// Conflicts are the parts of the inputs that stand in conflict, of each of
	// which the result has one version.
	Conflicts []Conflict
	// Decided are the scalars of which a policy, and no version, says what their value is in the result. All
	// else of them is as ever.
	Decided []three.Nodes
	// Facts are those of templates, nil where the versions are none.
	Facts [4]*template.Facts
	// ClaimedMatches are nodes of base, ours and theirs, nil where a version has none,
	// that whoever made the result takes for one thing. It is not believed: see claimed.
	ClaimedMatches []three.Nodes
	// MergedChunks are the chunks of lines of which a line merge made the result; nil if no line merge did.
	MergedChunks []diff3.Chunk
	// AlignedChunks are the chunks of lines of the versions, if their line merge is clean; else nil.
	AlignedChunks []diff3.Chunk
}

// A Violation says which fact of a result is wrong.
type Violation struct {
	Rule   string // the rule that is broken, in a word or two
	rule   rule
	Detail string // what was expected
	// At is where the thing stands, in base, ours, theirs and the
	// result; empty where a version lacks it. Where it has no place in the
	// inputs, it is that of what should hold it.
	At [4]text.Span
	// Subject is the comment, or the alias as *name, that is wrong; else empty.
	Subject string
}

func (r *Violation) Error() string { return r.Rule + ": " + r.Detail }

// CheckWellFormed returns why c.Result can be no merge of the versions, or nil: whoever wrote it, nothing stands twice.
func CheckWellFormed(c Merge) *Violation {
	k := newChecker(c, byFields)
	return k.firstViolation(k.checkJSON, k.checkDuplicates)
}

// Check returns why c does not hold as a merge by fields, or nil if it holds.
func Check(c Merge) *Violation {
	return firstOrNil(newChecker(c, byFields).findViolations(1))
}

// Violations returns all that Check would refuse, one behind the other, most at
// most; nil where c holds.
func Violations(c Merge, limit int) []*Violation {
	return newChecker(c, byFields).findViolations(limit)
}

// HidesConflict reports whether c holds only as far as it answers a question that nobody asked: each side removed another one of two equal
// things, or one side deleted what the other moved.
func HidesConflict(c Merge) bool {
	k := newChecker(c, byFields)
	return slices.ContainsFunc(k.runChecks(math.MaxInt, k.checkDocuments, k.checkDeletions), func(violation *Violation) bool {
		return violation.rule == ruleSplitDuplicate || violation.rule == ruleMisplaced
	})
}

// ManualViolations returns what Check would refuse in the result of a person, who may
// reformat and reorder, and who decided at will what c.Conflicts says was in
// conflict. It returns most violations at most; what stands in a list without keys
// in which something was in conflict is not judged.
func ManualViolations(c Merge, limit int) []*Violation {
	return newChecker(c, byPerson).findViolations(limit)
}

// CheckLineMerge returns what is certainly wrong with a line merge, or nil: see the column byLines in rules.go. Git's line merge is refused for
// nothing else. It is much less than what Check demands:
//
//   - a key, an item with a name, a resource or a scalar of a list is there more often than in either side, or a copy of it less
//     often than the edits of both sides leave;
//   - a resource has a name that is made of two, as one side changed its kind and the other its name;
//   - an alias means another node than in the version from which it comes;
//   - an entry is there that one side deleted, and that the other side moved within the same parent or changed;
//   - both of two equal things are gone, of which each side removed one (see doubles.go);
//   - an entry or a line that prints is under blocks of a template under which the edits of both sides do not put it;
//   - a repeated key hides an edit (see repeat.go), or multiplied fields grant what neither side grants;
//   - an edit or a deletion is in another entry than the one in which it was made (see places.go), which needs c.Merged.
//
// Comments, order and format are no defects, nor is an edit in an entry that the other side renamed or moved as a whole, or in
// an item whose name it gave to another. No other value is compared: a line merge has each line from a version, so a line that is
// in its place is right.
func CheckLineMerge(c Merge) *Violation {
	return firstOrNil(newChecker(c, byLines).findViolations(1))
}

// CheckRepeatedKeys returns why c.Result, which Defect may accept, is wrong for a program that reads one of several fields of a key;
// nil if there is no such mapping.
func CheckRepeatedKeys(c Merge) *Violation {
	k := newChecker(c, byLines)
	for _, bad := range k.runChecks(math.MaxInt, k.checkDocuments) {
		if bad.rule == ruleRepeatedKey {
			return bad
		}
	}
	return nil
}

// A ExpectedResult is what stands of three versions by rules under which theirs wins.
type ExpectedResult struct {
	// Docs are the roots of the documents, as one list.
	Docs *Node
	// ListKinds says what the lists in Docs are; one that it lacks is one value.
	ListKinds map[*syntax.Node]schema.List
	// Discarded is what of ours and theirs does not stand.
	Discarded [versions][]text.Span
	// ByPosition says that resources are known by their place in the file.
	ByPosition bool
}

// CheckOverlay returns why c is not what stands of its versions, or nil if it is: the result is held against that, as
// against three versions that agree. Data, aliases and comments are judged, order and form are not.
// Of the comments in c.Conflicts one stands, or none.
func CheckOverlay(c Merge, expected *ExpectedResult) *Violation {
	conflicts := c.Conflicts
	c.Conflicts, c.ClaimedMatches = nil, nil
	k := newChecker(c, byRules)
	for v := range result {
		k.docs[v].Children = slices.DeleteFunc(k.docs[v].Children, Node.IsBlank)
	}
	for _, v := range sides {
		for _, o := range conflicts {
			expected.Discarded[v] = append(expected.Discarded[v], o.At[v])
		}
		k.masks[v] = unionMasks(expected.Discarded[v])
	}
	remarks, counts := k.listRemarks()
	if bad := k.checkAliases(); bad != nil {
		return bad
	}
	k.expected = expected
	resultDocs := k.docs[result]
	resultDocs.Children = slices.DeleteFunc(resultDocs.Children, Node.IsBlank)
	k.docs = nodeVersions{expected.Docs, expected.Docs, expected.Docs, resultDocs}
	if bad := k.firstViolation(k.checkDocuments); bad != nil {
		return bad
	}
	return k.checkOverlayComments(remarks, counts)
}

// checker is the state of one check.
type checker struct {
	Merge
	streams        [versions]*syntax.Stream
	files          [versions]*text.File
	masks          [versions][]mask
	docs           nodeVersions // lists of the documents' roots
	claims         [result]map[*syntax.Node]int
	decided        map[*syntax.Node]bool
	baseAddr       map[*syntax.Node]uint64 // where things stand that a version calls otherwise
	facts          [versions]*template.Facts
	baseConditions [versions]map[int]string          // blocks that the base calls otherwise: as it does
	leafHashCache  map[*Node][]uint64                // of the parts of nodes that were compared
	textLists      map[*syntax.Node]*Node            // the lines of scalars that were asked for
	nodeGuards     map[*syntax.Node][]template.Level // the blocks of a text around its lines
	expected       *ExpectedResult                   // what stands by a rule set; nil where that is not asked
	composed       []text.Span                       // of the result: references put together of two versions
	found          []*Violation
	limit          int                // how many of them end the check
	seen           map[Violation]bool // what is in found, but for its subject
	maker          maker              // who made the result
}

func newChecker(c Merge, by maker) *checker {
	k := &checker{
		Merge: c, maker: by, streams: [versions]*syntax.Stream{c.Base, c.Ours, c.Theirs, c.Result}, claims: indexClaims(c.ClaimedMatches),
		decided: map[*syntax.Node]bool{}, baseAddr: map[*syntax.Node]uint64{}, textLists: map[*syntax.Node]*Node{}, leafHashCache: map[*Node][]uint64{},
		nodeGuards: map[*syntax.Node][]template.Level{}, facts: c.Facts,
	}
	for _, d := range c.Decided {
		for _, n := range d {
			k.decided[n] = n != nil
		}
	}
	for v := range versions {
		k.files[v] = k.streams[v].File
		k.masks[v] = masksOf(c.Conflicts, v)
		k.docs[v] = Read(k.streams[v], v, k.masks[v], c.Facts[v])
	}
	if k.isTemplate() {
		k.baseConditions = k.findRenamedBlocks()
	}
	return k
}

// firstViolation is the first that does not hold.
func (c *checker) firstViolation(all ...func() *Violation) *Violation {
	return firstOrNil(c.runChecks(1, all...))
}

// firstOrNil returns the first of all, nil if there is none.
func firstOrNil(all []*Violation) *Violation {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// runChecks lists all that does not hold, most at most.
func (c *checker) runChecks(limit int, checks ...func() *Violation) []*Violation {
	c.limit, c.seen = limit, map[Violation]bool{}
	for _, check := range checks {
		if c.record(check()) != nil {
			break
		}
	}
	return c.found
}

// record notes a violation of a rule that is demanded, and returns the one that ends the check.
func (c *checker) record(violation *Violation) *Violation {
	if violation == nil || !c.demands(violation.rule) {
		return nil
	}
	if key := (Violation{Rule: violation.Rule, rule: violation.rule, Detail: violation.Detail, At: violation.At}); !c.seen[key] {
		c.found, c.seen[key] = append(c.found, violation), true
	}
	if len(c.found) < c.limit {
		return nil
	}
	return violation
}

// newViolation says that the thing q is wrong.
func (q nodeVersions) newViolation(r rule, format string, a ...any) *Violation {
	return &Violation{Rule: rules[r].name, rule: r, Detail: fmt.Sprintf(format, a...), At: q.spans()}
}

// spans are where q stands in each version; empty where a version lacks it.
func (q nodeVersions) spans() (at [versions]text.Span) {
	for v, n := range q {
		if n != nil && n.Version == version(v) {
			at[v] = n.EntrySpan()
		}
	}
	return at
}

// differsFromMerge reports whether the result's is another one than that of the merge, where
// at most one side changed it, or both alike.
func differsFromMerge[T comparable](values [versions]T) bool {
	want, ok := choose(values)
	return ok && want != values[result]
}
