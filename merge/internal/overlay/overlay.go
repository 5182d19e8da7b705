// Package overlay merges by rules under which updated wins: kustomize's three-way and two-way merge, and kubectl apply.
// By the rules of kustomize:
//
//	original   dest    updated   result
//	a: 1       a: 2    a: 3      a: 3
//	b: 1       b: 2    b: 1      b: 2
//	           c: 1              c: 1
//
// A Merger takes three parsed versions and one of the Rules. Its Plan has conflicts only between comments, and lists
// the changes that the result does not contain. Errors are about inputs that the rules do not allow, such as two
// resources with the same name.
//
// Which values the result has is computed first, on the trees: see Override.ExpectedResult in expected.go. Verification
// compares the result with the same computation. The bytes of the result come from a plan.Walker, with Merger as its
// plan.RuleSet (decidevalue.go and resources.go):
//
//   - an entry of one side keeps its bytes, without the parts that are not in the result;
//   - a value that is merged as a unit has the bytes of the side that wins;
//   - comments are merged with the original by the rules Kustomize; by the other rules they are merged without it, so
//     that those of dest are kept;
//   - the directives of a patch are applied to the trees before the merge (patch.go).
//
// The package does not write the result and does not verify it.
//
// Terms in the comments of this package:
//
//   - side: dest or updated. For kubectl apply, dest is the live resource, as it is in the cluster.
//   - updated always wins: the rules of merge2 and apply, by which updated wins even if only dest changed the value.
//   - kubectl's rules: the rules Apply and Annotate (Override.Strategic).
//   - unit: a value that is not merged by its entries. It is that of one side as a whole.
//   - identity: the text by which resources of different versions are paired, such as kind, namespace and name.
//   - row: a field or item with its entry in each version that has it. A rowSet has the rows of one collection.
//   - nodes: the parameter with one node by version, nil for a version that lacks it.
//   - lost change: a change of one side that the result does not contain, because the other side won.
//   - directive: a field such as "$patch: delete" in a strategic merge patch, which says how to change dest.
package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Rules are a set of rules under which the value of updated wins if both sides changed a field.
type Rules struct {
	Name string // for messages
	Override
	// CommentsFrom is the side whose comment wins if both sides changed it.
	CommentsFrom three.Version
	// OrderByUpdated puts the items of updated first in a list, in the order of updated, before the items that only
	// dest has. Otherwise new items are at the end. Resources are not reordered.
	OrderByUpdated bool
	// ApplyPatches allows updated to be a strategic merge patch, and applies its $patch directives.
	ApplyPatches bool
	// KeepJSON makes the result JSON if dest is JSON, or if dest is blank and updated is JSON.
	KeepJSON bool
}

// Kustomize are the rules of kustomize's documented three-way merge.
var Kustomize = Rules{Name: "rules kustomize", Override: Override{DestNullDeletes: true}, CommentsFrom: three.Updated}

// Merge2 are the rules of kustomize's documented two-way merge. There is no original, and the comments of dest are
// kept.
var Merge2 = Rules{Name: "rules of merge2", Override: Override{UpdatedAlwaysWins: true}, CommentsFrom: three.Dest, ApplyPatches: true, KeepJSON: true}

// Apply are the rules of `kubectl apply`. The original is the configuration that was applied last, dest the live
// resource, and updated the new configuration.
var Apply = Rules{Name: "rules of apply", Override: Override{UpdatedAlwaysWins: true, Strategic: true}, CommentsFrom: three.Dest, OrderByUpdated: true, KeepJSON: true}

// Annotate are the rules for writing annotations into a configuration: each resource gets the annotations of the
// resource at the same position in the other file.
var Annotate = Rules{Name: Apply.Name, Override: Override{UpdatedAlwaysWins: true, Strategic: true, ByPosition: true}, CommentsFrom: three.Dest}

// A Merger makes the plan of a merge by a rule set. A plan.Walker calls it, as its plan.RuleSet, for the decisions that
// differ from a usual three-way merge.
type Merger struct {
	*pair.Matcher
	*plan.Versions
	rules        Rules
	names        [3]string // of the files, for errors
	expected     *expectedResult
	partial      map[*syntax.Node]bool // results of IsPartial
	destComments map[string]bool       // all comments of dest; nil until destHasComments needs them
	plan         *Plan                 // the plan so far
	err          error                 // the first error
	removed      [][3]text.Span        // entries and documents that directives removed, and blank documents
	allComments  bool                  // comments of updated are added even if dest has them elsewhere
}

// New returns a Merger of streams (original, dest and updated) by the given rules. matcher matches entries; its
// identity function is replaced by that of rules. The streams may change: if the rules say so, blank documents are
// removed, and $patch directives are applied. names are the names of the files, for errors. If the rules do not allow
// the inputs, the error is a *three.InputError.
func New(streams [3]*syntax.Stream, matcher *pair.Matcher, rules Rules, names [3]string) (*Merger, error) {
	rules.ListRules = matcher.Rules
	matcher.NewIdentityFunc = rules.NewIdentityFunc
	m := &Merger{Matcher: matcher, Versions: plan.NewVersions(streams), rules: rules, names: names, partial: map[*syntax.Node]bool{}}
	if rules.UpdatedAlwaysWins { // blank documents change nothing
		isBlank := func(d *syntax.Document) bool { return d.Root.Content.Empty() }
		streams[three.Original].Docs = slices.DeleteFunc(streams[three.Original].Docs, isBlank)
		m.removeDocuments(three.Updated, isBlank)
	}
	if err := m.checkResources(); err != nil {
		return nil, err
	}
	if rules.ApplyPatches {
		m.applyPatches()
	}
	m.expected = buildExpected(streams, m.File, rules.Override)
	return m, m.err
}

// removeDocuments removes the documents for which isRemoved returns true from the stream of version s, and adds their
// places to m.removed.
func (m *Merger) removeDocuments(s three.Version, isRemoved func(*syntax.Document) bool) {
	m.Streams[s].Docs = slices.DeleteFunc(slices.Clone(m.Streams[s].Docs), func(d *syntax.Document) bool {
		if isRemoved(d) {
			m.recordRemoved(s, d.Span)
		}
		return isRemoved(d)
	})
}

// A LostChange is an entry that Side changed in a way that the result does not contain.
type LostChange struct {
	Path  *three.Path
	Side  three.Version
	Entry *syntax.Entry
}

// A Plan describes the result of a merge, and the changes that it does not contain.
type Plan struct {
	Documents   []plan.Document
	LostChanges []LostChange
	// IgnoredComments are the places whose comments need not be in the result: what directives removed, blank
	// documents, and places at which both sides have comments and the result has at most those of one side.
	IgnoredComments [][3]text.Span
}

// Merge returns the plan for the versions. The error is the first *three.InputError that was found, such as a list item
// without a key that kubectl needs. allComments matters if updated always wins: it adds comments of updated even if
// dest has them at another place. The caller sets it if the result lacks that place.
func (m *Merger) Merge(allComments bool) (*Plan, error) {
	m.allComments, m.plan = allComments, &Plan{IgnoredComments: slices.Clone(m.removed)}
	w := plan.Walker{Matcher: m.Matcher, Versions: m.Versions, RuleSet: m, IgnoreOriginal: m.rules.UpdatedAlwaysWins}
	m.plan.Documents = w.Merge(nil).Documents
	return m.plan, m.err
}

// checkResources returns a *three.InputError if the rules do not allow the inputs, and nil otherwise. They do not if
//
//   - the resources of a version cannot be distinguished
//   - updated has directives of a strategic merge patch that would be written to the result
//   - for kubectl apply, it is not clear which live resource a resource of updated is about; live means dest
func (m *Merger) checkResources() error {
	c := checker{streams: m.Streams, names: m.names}
	for s, st := range m.Streams {
		for _, d := range st.Docs {
			c.roots[s] = append(c.roots[s], d.Root)
		}
	}
	if err := c.checkIdentities(m.IdentityFunc(c.roots)); err != nil {
		return err
	}
	if m.rules.UpdatedAlwaysWins {
		if err := c.checkDirectives(m.rules.ApplyPatches); err != nil {
			return err
		}
	}
	if m.rules.Strategic && !m.rules.ByPosition {
		return c.checkLive()
	}
	return nil
}

// failAt sets m.err to an error at offset off of version s, unless there is an error already.
func (m *Merger) failAt(s three.Version, off int, problem string) {
	if m.err == nil {
		m.err = &three.InputError{Side: s, Off: off, Text: problem}
	}
}

// recordLost adds a change of side s at p to the lost changes of the plan. It does nothing if updated always wins,
// because changes of dest are then expected to be lost.
func (m *Merger) recordLost(p *three.Path, s three.Version, e *syntax.Entry) {
	if !m.rules.UpdatedAlwaysWins {
		m.plan.LostChanges = append(m.plan.LostChanges, LostChange{Path: p, Side: s, Entry: e})
	}
}

// recordIgnoredComments adds a place at which both sides have comments, and the result at most those of one side, to
// the plan's IgnoredComments. d and u are the place in dest and in updated.
func (m *Merger) recordIgnoredComments(d, u text.Span) {
	m.plan.IgnoredComments = append(m.plan.IgnoredComments, [3]text.Span{three.Dest: d, three.Updated: u})
}
