package engine

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Method is the way in which a result was made.
type Method uint8

// The methods, in the order of the decision table.
const (
	// Trivial: two of the versions are identical, or one side already contains all changes of the other side.
	Trivial Method = iota + 1
	// ByLine: git's line merge was clean and has no defect.
	ByLine
	// Structural: the versions were merged by resource and field.
	Structural
	// Delegated: the result of the line merge, because the versions could not be merged as YAML, or because the line
	// merge has fewer lines in conflict than the merge by field. Result.Reason is the reason.
	Delegated
)

// methods has the names of the methods.
var methods = [...]string{"none", "trivial", "by line", "structural", "delegated"}

// String returns the name of the method: trivial, by line, structural or delegated. For the zero Method it returns
// none.
func (m Method) String() string { return methods[int(m)%len(methods)] }

// A Result is the outcome of a merge.
type Result struct {
	// Bytes is the merged file. It has conflict markers if there are conflicts.
	Bytes []byte
	// Conflicts are the conflicts, in the order of their markers. Adjacent conflicts share one pair of markers and
	// have the same Line. Conflicts of a Delegated result have no Path, and may have no versions; if the result is
	// that of a Resolution, they have them.
	Conflicts []Conflict
	// Resolved are the conflicts that the team's rules or Options.Resolve decided.
	Resolved []Conflict
	// Followed are the renames of items and documents by one side to which a change of the other side was applied.
	// Only a Structural result has them.
	Followed []Rename
	// Combined are the image references that combine an edit of each side, so that no version contains the whole
	// reference. The line merge, too, may have combined a reference that consists of several fields.
	Combined []Combination
	// Method is the way in which Bytes were made.
	Method Method
	// Reason is why the line merge was used, or the defect because of which a clean line merge was not used.
	// Otherwise it is empty.
	Reason string
	// Refused is why something is in conflict although the edits of the sides do not contradict each other: no clean
	// merge of it passed verification. Otherwise it is empty.
	Refused string
	// LineConflicts is the number of conflicts of the line merge, or -1 if it did not run.
	LineConflicts int
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
	Path string `json:"path"`
	// Kind is the kind of the conflict.
	Kind ConflictKind `json:"kind"`
	// Detail describes a ConflictMultiplied further: which fields the sides widened. For other kinds it is empty. Why
	// returns it.
	Detail string `json:"-"`
	// Line is the line of the opening marker in Result.Bytes, from 1. It is 0 if the conflict was decided.
	Line int `json:"line,omitempty"`
	// Base, Ours and Theirs are the conflicting parts of the three versions.
	Base   Version `json:"base,omitzero"`
	Ours   Version `json:"ours,omitzero"`
	Theirs Version `json:"theirs,omitzero"`
	// By is what decided the conflict: a side (for Options.Resolve), a policy of the team's rules, or a rule set. In
	// JSON it is a string. It is zero if the conflict is not decided.
	By Decision `json:"by,omitzero"`
	// Took is the side that was chosen, ours or theirs, if the decision chose a side.
	Took string `json:"took,omitempty"`
	// Wrote is the value that the policy next wrote, if neither side has that value.
	Wrote string `json:"wrote,omitempty"`
}

// A Decision is what decided a conflict.
type Decision = schema.Decision

// A Version is the part of one version of the file that belongs to a conflict or a change.
type Version struct {
	// Text is the lines of that version; for a Change of a scalar, the value only. It is empty if the version has
	// nothing there.
	Text string `json:"text"`
	// Line is the line of that version at which Text starts, or would be inserted, from 1. It is 0 if it is not
	// known.
	Line int `json:"line"`
}

// conflictOf returns the Conflict that is marked by k.
func conflictOf(k page.Mark) Conflict {
	v := func(s three.Version) Version { return Version{Text: k.Versions[s].Text, Line: k.Versions[s].Line} }
	return Conflict{Path: k.Conflict.Path.String(), Kind: k.Conflict.Kind, Detail: k.Conflict.Detail, Line: k.Line, Base: v(three.Original),
		Ours: v(three.Dest), Theirs: v(three.Updated)}
}

// decidedConflicts returns the decided conflicts, with By, Took and Wrote set.
func decidedConflicts(done []page.Decision) (all []Conflict) {
	for _, d := range done {
		c := conflictOf(d.Mark)
		c.By, c.Took, c.Wrote = d.By, d.Side, d.NewValue
		all = append(all, c)
	}
	return all
}

// ConflictKind is the kind of a conflict. It is a string.
type ConflictKind = plan.ConflictKind

// The kinds of conflicts.
const (
	ConflictValue        = plan.ConflictValue        // both sides changed one value differently
	ConflictDeleteModify = plan.ConflictDeleteModify // one side deleted an entry that the other side changed
	ConflictAddAdd       = plan.ConflictAddAdd       // both sides added different things at the same place
	ConflictReplace      = plan.ConflictReplace      // both sides replaced the same items or lines
	ConflictList         = plan.ConflictList         // overlapping changes of a list's items
	ConflictComment      = plan.ConflictComment      // both sides changed the same comment differently
	ConflictText         = plan.ConflictText         // both sides changed the same lines of a multi-line scalar
	ConflictRefused      = plan.ConflictRefused      // no clean result passed verification
	ConflictLine         = plan.ConflictLine         // a conflict of the line merge
	ConflictEncrypted    = plan.ConflictEncrypted    // a file or value that SOPS has to write, such as its mac
	ConflictMultiplied   = plan.ConflictMultiplied   // each side widened a different one of fields that multiply each other

	// ConflictGenerated is for callers that leave a file to the program that generates it. Merge never returns it.
	ConflictGenerated ConflictKind = "generated"
)

// A MarkedConflict is a conflict that is marked in a file. It embeds the Markers around it. Break is the line break
// of the markers, nil for LF. Base, Ours and Theirs are the lines of the versions. Line is the line of the opening
// marker, from 1. Start and End are the offsets in the file of the conflict and its markers.
//
// The method Lines returns the number of lines of both sides, and Append appends the conflict to a buffer.
type MarkedConflict = text.Conflict

// ParseConflicts returns the conflicts in a file, in order and in any style, no matter which program marked them.
// Markers have size characters; 0 means DefaultMarkerSize. A line that looks like a marker, but is not at a place
// where a marker is allowed, is text.
//
// The text between the conflicts and the output of Append for each conflict together are the file again, except for
// the line break of its last line.
func ParseConflicts(file []byte, size int) []MarkedConflict { return text.Conflicts(file, size) }

// EqualButLabels reports whether two files are identical except for the labels of markers of size characters; 0 means
// DefaultMarkerSize.
func EqualButLabels(a, b []byte, size int) bool { return text.EqualExceptLabels(a, b, size) }

// LinesInConflict returns the number of lines of both sides between the markers of a file. Markers have size
// characters; 0 means DefaultMarkerSize. Merge compares its result to that of git by a similar count.
func LinesInConflict(file []byte, size int) int { return text.CountConflictLines(file, size) }
