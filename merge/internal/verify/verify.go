// Package verify takes three versions of a file and a result, and returns the violations in the result: the points in
// which it is not the three-way merge of the versions. The three are the inputs: the base, and the sides ours and
// theirs. The package shares definitions with those that create results (which documents are the same resource, when
// two scalars are equal), but no decision. It does not parse the result and does not check blank lines. A violation has
// a position in each version.
//
// A node has these properties: its kind, its value, its anchor and tag, its comments, its order, and in a template its
// guard: the blocks such as {{ if .a }} ... {{ end }} that are around the node but not around its parent. A result is
// correct if it differs from the base in every property that a side changed, and in no other one. A change that both
// sides made is expected once. If both sides changed the same property differently, no result without conflicts is
// correct. The same applies if both sides added different entries with the same name, unless one entry contains
// everything in the other, or both are maps of strings.
//
//	base   ours   theirs   result
//	a: 1   a: 2   a: 1     a: 2
//	b: 1   b: 1   b: 1     b: 1     correct
//	              c: 1     d: 1     violations: c is lost, d is invented
//
// In a conflict, the result has the lines of one side, which was chosen. The other side is treated as if it had left
// the base's lines unchanged there, so its own lines are ignored: they are masked.
//
// The rules depend on who created the result: this program, git, a person, or this program with the rules of kustomize
// or kubectl. The tables in ruletable.go list all rules and checks for each of them. A line merge is a result that git
// made line by line, without knowledge of YAML.
//
// Nodes are matched by address. If a side renamed an entry, or the items of a list have no names, the creator of the
// result reports which nodes match (Merge.ClaimedMatches). The verifier checks each of these claims against the
// versions. Git reports no matches, so for line merges the verifier looks for renamed nodes itself (origins.go).
//
// Terms:
//
//	address    the mapping keys and item names from the root of a document to a node, as a hash
//	identity   the hash of the key, name or value by which children of a collection match; 0 matches nothing
//	match      one child of a collection, as its node in each version
//	member     a child of a collection, or a line of a text, which is verified like a list of lines
//	leaf       a scalar, an alias or an empty collection, with its mapping keys; in some checks, a line of a text
//	masked     in a conflict and therefore ignored
//	claim      that nodes match, or that a side moved a field, as the creator of the result reports
//	original   of a node in git's line merge: the node of the base or, if a side added it, of the side that it is from
//	owner      the collection or value into which an output line of a template, such as {{ include "x" . }}, prints
//	branch     of a block in a template: the part up to its {{ else }}, written "if .a", or from there, "if .a / else"
//	record     add a violation to those found, and go on, unless enough are found
//
// Start with ruletable.go (which rules apply to which result), facts.go and nodetree.go (the nodes of a version),
// pair.go (matching the nodes of four versions) and verifynode.go (comparing one node with the edits of both sides).
package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Merge is the claim that Result is the three-way merge of Base, Ours and Theirs.
type Merge struct {
	Base, Ours, Theirs, Result *syntax.Stream
	// File is the path of the file. It selects the list rules.
	File  string
	Rules *team.Rules
	// Conflicts are the conflicting parts of the inputs. For each, the result contains the lines of one version.
	Conflicts []Conflict
	// Sources are the sources of the bytes of Result: bytes of a version, or what the merge wrote itself. They are nil
	// if they are unknown.
	Sources []three.Piece
	// Decided are scalars with a value in the result that a policy chose, and not a version. Everything else about them
	// is verified as usual.
	Decided []three.Nodes
	// Facts are the contents of each version that the syntax tree of a template lacks, such as lines of actions. They
	// are nil if the versions are not templates.
	Facts [4]*template.Facts
	// ClaimedMatches are nodes of base, ours and theirs that the creator of the result matched, for example because a
	// side renamed a field; nil in versions without the node. The verifier does not trust them: it rejects matches that
	// the versions contradict.
	ClaimedMatches []three.Nodes
	// ClaimedMoves are the mappings among ClaimedMatches that one side moved to another mapping. The verifier does not
	// trust them either.
	ClaimedMoves []three.Nodes
	// MergedChunks are the chunks of git's line merge that is the result, or nil if the result was created otherwise.
	MergedChunks []diff3.Chunk
	// Trees has the nodes that earlier verifications of the same merge read, so that the versions need not be read
	// again. The verification updates it. It may be nil.
	Trees *Trees
}

// A Violation describes a point in which the result is not the merge of the versions.
type Violation struct {
	Rule   Rule
	Detail string // the expected and the actual value
	// Problem is the message of the parser without its position, if the result is invalid. Otherwise it is empty.
	Problem string
	// At is the position in base, ours, theirs and the result. It is empty for versions without such a position. A node
	// that no input contains has the position of its parent in the inputs.
	At [4]text.Span
	// Subject is the comment or the line of a template in violation, or an alias as "*name". It is empty for other
	// violations.
	Subject string
}

func (r *Violation) Error() string { return r.Rule.String() + ": " + r.Detail }

// CheckWellFormed returns a violation if c.Result cannot be a merge, regardless of who created it: it is not JSON
// although all inputs are, or has a field, item, document or output line more than once and more often than each
// input.
func CheckWellFormed(c Merge) *Violation {
	k := newChecker(c, byFields)
	return k.firstViolation(k.checkJSON, k.checkDuplicates)
}

// Check verifies c.Result as a merge of the values of c.Base, c.Ours and c.Theirs, field by field. It returns the first
// violation, or nil if there is none.
func Check(c Merge) *Violation {
	return cmp.Or(newChecker(c, byFields).findViolations(1)...)
}

// Violations verifies c.Result as a merge of the values of c.Base, c.Ours and c.Theirs, field by field. It returns at
// most limit violations in the order of the checks, or nil if there are none. limit is at least 1.
func Violations(c Merge, limit int) []*Violation {
	return newChecker(c, byFields).findViolations(limit)
}

// HidesConflict reports whether c.Result, a merge without conflicts, silently decides something that a person should:
//
//   - Each side deleted a different one of two equal entries or lines of a text.
//   - The result still has what a side deleted or replaced, or the base's value where both sides changed it.
//   - One side deleted an element that the other side moved or wrote in another form, or both moved it to different places.
func HidesConflict(c Merge) bool {
	k := newChecker(c, byFields)
	return slices.ContainsFunc(k.runChecks(math.MaxInt, k.checkDocuments, k.checkLeaves), func(violation *Violation) bool {
		return slices.Contains([]Rule{RuleSplitDuplicate, RuleUndone, RuleMisplaced, RuleDeletedItemKept}, violation.Rule)
	})
}

// ManualViolations returns at most limit violations in c.Result, which a person created. limit is at least 1. Format,
// order and the parts in c.Conflicts are not verified. If a conflict is in a list whose items match by value, the
// person may have edited its other items, too. Such a list is only searched for additions and deletions of the sides
// that the result lacks.
func ManualViolations(c Merge, limit int) []*Violation {
	return newChecker(c, byPerson).findViolations(limit)
}

// CheckLineMerge returns the first violation of c.Result as git's line merge of the versions, or nil. Values are not
// compared, because git copies lines of the versions. It finds, for example, duplicates, edits in the wrong place (only
// with c.MergedChunks), and lines that together grant wider access.
func CheckLineMerge(c Merge) *Violation {
	return cmp.Or(newChecker(c, byLines).findViolations(1)...)
}

// CheckAnswer verifies c.Result like CheckLineMerge, with one side chosen in all c.Conflicts. bad is a violation or
// nil. isDefect reports whether it violates a rule that must hold whichever side is chosen, such as that of duplicate
// keys. If there is such a violation, bad is the first one, and otherwise the first violation of any rule.
func CheckAnswer(c Merge) (bad *Violation, isDefect bool) {
	all := newChecker(c, byLines).findViolations(math.MaxInt)
	if i := slices.IndexFunc(all, func(bad *Violation) bool { return rules[bad.Rule].makers&pageDefect != 0 }); i >= 0 {
		return all[i], true
	}
	return cmp.Or(all...), false
}

// ExpectedResult is the expected result of merging three versions with rules that prefer theirs, as for kustomize or
// kubectl.
type ExpectedResult struct {
	// Docs are the roots of the documents, as one list.
	Docs *Node
	// ListKinds maps the lists in Docs to their kinds. A list without an entry is atomic.
	ListKinds map[*syntax.Node]schema.List
	// Discarded are the parts of ours and theirs that are not in the result. Comments in them may be missing.
	Discarded [versions][]text.Span
	// ByPosition is true if resources are matched by their position in the file.
	ByPosition bool
}

// CheckOverlay compares c.Result with expected, the result that the rules of kustomize or kubectl give, and returns the
// first difference in aliases, data or comments, or nil. The order of entries only matters in atomic lists. Comments
// may be missing in expected.Discarded and in c.Conflicts.
func CheckOverlay(c Merge, expected *ExpectedResult) *Violation {
	conflicts := c.Conflicts
	c.Conflicts, c.ClaimedMatches, c.ClaimedMoves, c.Trees = nil, nil, nil, nil
	k := newChecker(c, byRules)
	for _, docs := range k.docs {
		docs.Children = slices.DeleteFunc(docs.Children, Node.IsBlank)
	}
	for _, s := range sides {
		discarded := slices.Clone(expected.Discarded[s])
		for _, o := range conflicts {
			discarded = append(discarded, o.At[s])
		}
		k.masks[s] = unionMasks(discarded)
	}
	// comments and aliases are compared with the inputs, and data with the expected result in place of each input
	comments := k.listRemarks()
	if bad := k.checkAliases(); bad != nil {
		return bad
	}
	k.expected, k.docs = expected, nodeVersions{expected.Docs, expected.Docs, expected.Docs, k.docs[result]}
	if bad := k.firstViolation(k.checkDocuments); bad != nil {
		return bad
	}
	return comments.checkOverlay()
}

// A checker is the state of one verification. Methods with names that begin with check or verify return a violation, or
// nil. The caller records what they return; checks that can find several violations record the others themselves (see
// record).
type checker struct {
	Merge
	streams       [versions]*syntax.Stream
	files         [versions]*text.File
	masks         [versions][]mask                  // the parts of each version that are in conflicts
	docs          nodeVersions                      // the roots of the documents of each version, as one list
	nodes         [versions][]*Node                 // all nodes by their index; nil before nodesOf needs them
	parents       [versions][]*Node                 // the parent of each node by its index; see parentOf
	claims        [result]map[*syntax.Node]int      // the index in ClaimedMatches of each node in it
	decided       map[*syntax.Node]bool             // the nodes in Decided
	moves         moves                             // the accepted ClaimedMoves
	baseAddr      map[*syntax.Node]uint64           // addresses in the base of nodes that another version calls differently
	byAddr        nodeGroups                        // see nodesWithAddress; nil before it is needed
	leafHashCache map[*Node][]uint64                // results of leafHashes
	textLists     map[*syntax.Node]*Node            // results of textLines
	nodeGuards    map[*syntax.Node][]template.Level // template blocks around lines of scalars and output lines
	targets       map[*syntax.Node]*syntax.Node     // the anchored node of each alias; nil before expand needs it
	hasher        *ident.Hasher                     // for hasWitness; nil before it is needed
	expected      *ExpectedResult                   // the result expected by CheckOverlay, otherwise nil
	found         []*Violation
	limit         int                // number of violations that ends the verification
	seen          map[Violation]bool // the violations in found, without their subjects
	maker         maker              // who created the result
}

// newChecker returns a checker of c.Result with the rules for its creator. It reads the nodes of all versions, or takes
// them from c.Trees, marks the nodes that are in c.Conflicts, and decides which of c.ClaimedMoves are accepted. The
// four streams of c must not be nil.
func newChecker(c Merge, creator maker) *checker {
	k := &checker{
		Merge: c, maker: creator, claims: indexClaims(c.ClaimedMatches), limit: 1, seen: map[Violation]bool{},
		streams: [versions]*syntax.Stream{c.Base, c.Ours, c.Theirs, c.Result}, decided: map[*syntax.Node]bool{},
		baseAddr: map[*syntax.Node]uint64{}, nodeGuards: map[*syntax.Node][]template.Level{},
		textLists: map[*syntax.Node]*Node{}, leafHashCache: map[*Node][]uint64{},
	}
	k.Trees = cmp.Or(k.Trees, &Trees{})
	for _, d := range c.Decided {
		for _, n := range d {
			k.decided[n] = n != nil // nil for a version without the scalar
		}
	}
	for v := range versions {
		k.files[v] = k.streams[v].File
		k.masks[v] = masksOf(c.Conflicts, v)
		k.docs[v] = k.Trees.read(k.streams[v], v, k.masks[v], c.Facts[v])
	}
	k.openOnlyDocuments()
	k.moves = k.acceptMoves(c.ClaimedMoves)
	return k
}

// openOnlyDocuments makes it possible to verify edits beside a conflict that is the whole document of a side. If each
// input is one mapping, and one of these has parts outside of the conflicts, all of them count as only partly in a
// conflict. Here, b is in the conflict, which is the whole document of ours:
//
//	base    ours    theirs
//	a: 1    b: 2    a: 1
//	b: 1            b: 3
func (c *checker) openOnlyDocuments() {
	hasOpen := false // an input has a document with parts outside of the conflicts
	for v, docs := range c.docs[:result] {
		if len(docs.Children) != 1 || docs.Children[0].Kind != syntax.Mapping {
			return
		}
		span := docs.Children[0].Span
		hasOpen = hasOpen || !slices.ContainsFunc(c.Conflicts, func(o Conflict) bool { return o.At[v].Contains(span) })
	}
	if !hasOpen {
		return
	}
	for _, docs := range c.docs[:result] {
		if d := &docs.Children[0]; d.conflict != outside {
			d.conflict = partly
		}
	}
}

// firstViolation runs the checks in order until one finds a violation, and returns it, or nil if there is none.
func (c *checker) firstViolation(all ...func() *Violation) *Violation {
	return cmp.Or(c.runChecks(1, all...)...)
}

// runChecks runs the checks in order until they have found limit violations, and returns these: c.found. A check
// returns a violation or nil, and may record others in c.found itself. Repeated violations, and those of rules that do
// not apply to the creator of the result, are left out (see record).
func (c *checker) runChecks(limit int, checks ...func() *Violation) []*Violation {
	c.limit = limit
	for _, check := range checks {
		if !c.isDone() {
			c.record(check())
		}
	}
	return c.found
}

// record appends violation to c.found. It leaves out a violation that is nil, whose rule does not apply to the creator
// of the result, or that has the rule, detail and position of an earlier one. After the end of the verification
// (isDone), it does nothing.
func (c *checker) record(violation *Violation) {
	if violation == nil || c.isDone() || !c.demands(violation.Rule) {
		return
	}
	if key := (Violation{Rule: violation.Rule, Detail: violation.Detail, At: violation.At}); !c.seen[key] {
		c.found, c.seen[key] = append(c.found, violation), true
	}
}

// isDone reports whether the verification has ended, because c.limit violations are found. Further ones are not
// recorded, so it is only asked where going on would take long.
func (c *checker) isDone() bool { return len(c.found) >= c.limit }

// newViolation returns a violation of rule r at the positions of q. format and a give its Detail, as in fmt.Sprintf.
func (q nodeVersions) newViolation(r Rule, format string, a ...any) *Violation {
	return &Violation{Rule: r, Detail: fmt.Sprintf(format, a...), At: q.spans()}
}

// spans returns the positions of q in each version: the span of the field or item, or of the document. It is empty for
// a version that lacks the node. This includes a side that was not chosen in a conflict, and has the base's node in its
// place.
func (q nodeVersions) spans() (at [versions]text.Span) {
	for v, n := range q {
		if n != nil && n.Version == version(v) {
			at[v] = n.EntrySpan()
		}
	}
	return at
}

// differsFromMerge reports whether the result's value is not the three-way merge of the values of the inputs. It
// returns false if both sides changed the value differently.
func differsFromMerge[T comparable](values [versions]T) bool {
	want, ok := choose(values)
	return ok && want != values[result]
}
