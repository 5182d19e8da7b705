package engine

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Method is the way in which a result was made.
type Method string

// The methods, in the order of the decision table.
const (
	// Trivial: two of the versions are identical, or one side already contains all changes of the other side.
	Trivial Method = "trivial"
	// ByLine: git's merge by lines has no conflict and no defect, which is an error such as a duplicate mapping key.
	ByLine Method = "line"
	// Structural: the versions were merged by resource and field.
	Structural Method = "field"
	// Delegated: git's merge by lines, because the versions could not be merged as YAML, or because it has fewer lines
	// in conflict than the merge by field. Result.Reason is the reason.
	Delegated Method = "delegated"
)

// A Result is the outcome of a merge.
type Result struct {
	// Bytes is the merged file. It has conflict markers if there are conflicts.
	Bytes []byte
	// Conflicts are the conflicts, in the order of their markers. Adjacent conflicts share one pair of markers and
	// have the same Line. Conflicts of a Delegated result (git's merge by lines) have no Path, and they may have no
	// Base, Ours and Theirs; in a result of Draft.Result they have them.
	Conflicts []Conflict
	// Resolved are the conflicts that the team's rules or Options.Resolve decided.
	Resolved []Conflict
	// Followed are the renames of items and documents by one side to which a change of the other side was applied.
	// Only a Structural result has them.
	Followed []Rename
	// Combined are the image references that combine an edit of each side, so that no version contains the whole
	// reference, and other values that mean something else than in the side that wrote them. Git's merge by lines, too,
	// may have combined them.
	Combined []Combination
	// GuessedOrders are the lists in which both sides added items at one place, and no rule says whether their order
	// matters: the items of ours are first. Lists in conflict are left out. Only a Structural result has them.
	GuessedOrders []GuessedOrder
	// Method is the way in which Bytes were made.
	Method Method
	// Cause is why git's merge by lines was used. It is empty if Method is not Delegated.
	Cause Cause
	// Reason is a sentence: why git's merge by lines was used (Method is Delegated), or why it was not used although
	// it has no conflict. Otherwise it is empty.
	Reason string
	// Refused is a sentence about why something is in conflict although the edits of the sides do not contradict each
	// other: no merge of it without a conflict passed verification. Otherwise it is empty.
	Refused string
	// LineConflicts is the number of conflicts of git's merge by lines, or -1 if that did not run.
	LineConflicts int
	// NeedsOwn means that a policy of the team's rules depends on which side is the user's own, and that Options.Own
	// is not set.
	NeedsOwn bool
	// MarkerSize is the size of the markers in Bytes; 0 means the default.
	MarkerSize int
	// Render writes the result with other markers, and returns the bytes and the conflicts. It is nil if there are no
	// conflicts.
	Render func(text.Markers) ([]byte, []Conflict)
}

// A GuessedOrder is a list whose items are in an order that neither side and no rule decided.
type GuessedOrder struct {
	Path     string // of the list, as those of conflicts
	RulePath string // the path of the list in a rule, as in spec.routes.*.middlewares
	Rule     string // the kind of list with which the additions would be a conflict: ordered or atomic
}

// A Rename is an item or a document whose identity one side changed.
type Rename struct {
	From, To string // paths, as those of conflicts
}

// Clean reports whether the result has no conflicts.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// A Conflict is a part of a file that the user has to decide.
type Conflict struct {
	// Path names the field, item or document, as in
	// spec.template.spec.containers[name=web].image.
	Path string
	// Elements are the steps of Path.
	Elements []three.Element
	// Kind is the kind of the conflict.
	Kind plan.ConflictKind
	// Detail is a clause about what Kind does not say, or empty: which fields grant more together than in each side
	// (plan.ConflictAccess), which fields are one value, or which comment a decision left out.
	Detail string
	// Undecided is a clause about why a policy of the team's rules did not decide the conflict, if there is one for it.
	Undecided string
	// Line is the line of the opening marker in Result.Bytes, from 1. It is 0 if the conflict was decided.
	Line int
	// Base, Ours and Theirs are the conflicting parts of the three versions.
	Base   Version
	Ours   Version
	Theirs Version
	// By is what decided the conflict: a side (for Options.Resolve), a policy of the team's rules, or a rule set. In
	// JSON it is a string. It is zero if the conflict is not decided.
	By team.Decision
	// Took is the side that was chosen, ours or theirs, if the decision chose a side.
	Took string
	// Wrote is the value that the policy next wrote, if neither side has that value.
	Wrote string
}

// A Version is the part of one version of the file that belongs to a conflict.
type Version struct {
	// Text is the lines of that version. It is empty if the version has nothing there.
	Text string
	// Line is the line of that version at which Text starts, or would be inserted, from 1. It is 0 if it is not
	// known.
	Line int
}

// conflictOf returns the Conflict for k, the place of a conflict in a file with markers. Path, Elements, Kind, Detail,
// Line and the three versions are set. It is undecided: By, Took and Wrote are not set.
func conflictOf(k page.Mark) Conflict {
	c := k.Conflict
	return Conflict{Path: c.Path.String(), Elements: c.Path.Elements(), Kind: c.Kind, Detail: c.Detail, Undecided: c.Undecided, Line: k.Line,
		Base: Version(k.Versions[three.Original]), Ours: Version(k.Versions[three.Dest]), Theirs: Version(k.Versions[three.Updated])}
}

// decidedConflicts returns a Conflict for each of the decisions in done, in their order, for the user. It has the path,
// the kind and the versions of the conflict, and By, Took and Wrote of the decision; Line is 0. If a comment of the
// other side was dropped together with its value, Detail names the comment.
func decidedConflicts(done []page.Decision) (all []Conflict) {
	for _, d := range done {
		c := conflictOf(d.Mark)
		c.By, c.Took, c.Wrote = d.By, d.Side, d.NewValue
		if d.Dropped != "" {
			c.Detail = "without the comment " + d.Dropped
		}
		all = append(all, c)
	}
	return all
}
