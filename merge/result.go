package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Method is how a result came about.
type Method uint8

// The methods, in the order of the decision table.
const (
	// Trivial: two of the inputs are equal byte for byte, or one side has all that the other one made.
	Trivial Method = iota + 1
	// ByLine: the line merge was clean and right.
	ByLine
	// Structural: merged by resource and field.
	Structural
	// Delegated: the line merge's result as it is, because the inputs
	// could not be merged as YAML; Result.Reason says why.
	Delegated
)

var methods = [...]string{"none", "trivial", "by line", "structural", "delegated"}

// String is the method in a word or two: trivial, by line, structural, delegated.
func (m Method) String() string { return methods[int(m)%len(methods)] }

// A Result is the outcome of a merge.
type Result struct {
	// Bytes is the merged file, with conflict markers if there are conflicts.
	Bytes []byte
	// Conflicts are the conflicts in the order of their markers; those that
	// touch are marked as one, and share their line. Those of a Delegated
	// result have no path, and no versions but from a Resolution.
	Conflicts []Conflict
	// Resolved are the conflicts that the team's rules or Options.Resolve
	// decided.
	Resolved []Conflict
	// Followed are the items and documents that one side gave another name and
	// the other side changed, where the change went along. Only of a Structural
	// result.
	Followed []Rename
	// Combined are the references of images that neither side wrote as a whole: one side changed the name, the other the
	// version. The line merge may have combined them if they consist of several fields.
	Combined []Combination
	// Method is how Bytes were made.
	Method Method
	// Reason says why the line merge was taken as it is, or what is wrong with it
	// though it is clean; empty otherwise.
	Reason string
	// Refused says why something is in conflict that neither side's edits contradict: no
	// clean merge of it is right. Empty otherwise.
	Refused string
	// LineConflicts is the number of conflicts of the line merge, -1 if it
	// did not run.
	LineConflicts int
}

// A Rename is an item or a document that got another name.
type Rename struct {
	From, To string // paths, as those of conflicts
}

// Clean reports whether the result has no conflicts.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// A Conflict is a question that only a person can answer.
type Conflict struct {
	// Path names the field, item or document, as in
	// spec.template.spec.containers[name=web].image.
	Path string `json:"path"`
	// Kind says what is in conflict.
	Kind ConflictKind `json:"kind"`
	// Detail says more of what is in conflict: of a ConflictMultiplied which fields the sides widened; else empty.
	// Why has it in its answer.
	Detail string `json:"-"`
	// Line is the line, from 1, of the opening marker in Result.Bytes; 0 if
	// the conflict was resolved by Options.Resolve.
	Line int `json:"line,omitempty"`
	// Base, Ours and Theirs are the three versions in conflict.
	Base   Version `json:"base,omitzero"`
	Ours   Version `json:"ours,omitzero"`
	Theirs Version `json:"theirs,omitzero"`
	// By is what decided it, in JSON a text: a side, for Options.Resolve, a policy of the team's
	// rules, or a rule set. Zero while it stands.
	By Decision `json:"by,omitzero"`
	// Took is the side whose value stands where one decided, ours or theirs.
	Took string `json:"took,omitempty"`
	// Wrote is the value that the policy next wrote where neither side has it.
	Wrote string `json:"wrote,omitempty"`
}

// A Decision is what decided a conflict.
type Decision = schema.Decision

// A Version is what one input has at a conflict.
type Version struct {
	// Text is the input's own lines; empty where it has nothing there.
	Text string `json:"text"`
	// Line is the line, from 1, at which Text starts in that input (or
	// would stand); 0 if unknown.
	Line int `json:"line"`
}

// conflictOf tells of a mark.
func conflictOf(k page.Mark) Conflict {
	v := func(s three.Version) Version { return Version{Text: k.Versions[s].Text, Line: k.Versions[s].Line} }
	return Conflict{Path: k.Conflict.Path.String(), Kind: k.Conflict.Kind, Detail: k.Conflict.Detail, Line: k.Line, Base: v(three.Original),
		Ours: v(three.Dest), Theirs: v(three.Updated)}
}

// decisions tells of conflicts that were decided.
func decisions(done []page.Decision) (all []Conflict) {
	for _, d := range done {
		c := conflictOf(d.Mark)
		c.By, c.Took, c.Wrote = d.By, d.Side, d.NewValue
		all = append(all, c)
	}
	return all
}

// ConflictKind classifies a conflict: it is a string.
type ConflictKind = plan.ConflictKind

// The kinds of conflicts.
const (
	ConflictValue        = plan.ConflictValue        // both changed one value differently
	ConflictDeleteModify = plan.ConflictDeleteModify // one deleted what the other changed
	ConflictAddAdd       = plan.ConflictAddAdd       // both added something different at one place
	ConflictReplace      = plan.ConflictReplace      // both removed and added in one gap
	ConflictList         = plan.ConflictList         // overlapping changes of a list's items
	ConflictComment      = plan.ConflictComment      // both changed the same comment
	ConflictText         = plan.ConflictText         // lines of a multi-line scalar
	ConflictRefused      = plan.ConflictRefused      // the merged result did not verify
	ConflictLine         = plan.ConflictLine         // a conflict of the line merge
	ConflictEncrypted    = plan.ConflictEncrypted    // a SOPS mac
	ConflictMultiplied   = plan.ConflictMultiplied   // each side widened another field of those that are multiplied

	// ConflictGenerated is that of callers which leave a file to the program that makes it; Merge
	// has none.
	ConflictGenerated ConflictKind = "generated"
)

// A MarkedConflict is a conflict as it stands in a file. Its fields are the Markers
// around it, and Break, the line break of these, nil for LF; Base, Ours and Theirs,
// the lines of the versions; Line, that of the opening marker, from 1; Start and
// End, the bytes of the file that it takes, with its markers.
//
// Its method Lines counts the lines of both sides, and Append writes it.
type MarkedConflict = text.Conflict

// ParseConflicts returns the conflicts of a file whose markers have size characters,
// 0 for DefaultMarkerSize, in order: whoever marked them, in any style. What looks
// like a marker and is not where one belongs is text. Appended to what stands
// between them, they are the file, but for the line break of its last line.
func ParseConflicts(file []byte, size int) []MarkedConflict { return text.Conflicts(file, size) }

// EqualButLabels reports whether two files are equal but for the labels behind
// markers of size characters, 0 for DefaultMarkerSize.
func EqualButLabels(a, b []byte, size int) bool { return text.EqualExceptLabels(a, b, size) }

// LinesInConflict is how many lines of both sides stand between the markers of a
// file, of size characters, 0 for DefaultMarkerSize. By that Merge chooses between
// its own result and git's.
func LinesInConflict(file []byte, size int) int { return text.CountConflictLines(file, size) }
