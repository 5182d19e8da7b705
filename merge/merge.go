package merge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// Options are the options of Merge and NewResolution. The zero value selects the default rules.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	// The file is not opened. If it is empty, only rules for all files apply.
	Path string
	// Rules are the team's rules for lists and fields. nil means none.
	Rules *Rules
	// Names are the names of the versions in errors.
	Names Names
	// Markers are the style, size and labels of the conflict markers. The zero value has the labels base, ours and
	// theirs; in other values, an empty label is omitted. Result.WithMarkers writes a result with other markers.
	Markers linemerge.Markers
	// Resolve decides all conflicts instead of marking them, except for a ConflictEncrypted. NewResolution ignores it.
	Resolve Resolve
	// Own is the side that is the user's own work, for the policies own, upstream and next. If it is OwnUnknown and
	// one of them has something to decide, Result.NeedsOwn is true.
	Own Own
	// Limits bound the work of the merge.
	Limits Limits
}

// Names are the names of the three versions in errors and in Result.Reason. An empty name means base, ours or theirs.
type Names struct{ Base, Ours, Theirs string }

// Resolve is a way to decide all conflicts.
type Resolve string

// The ways to decide conflicts.
const (
	ResolveNone   Resolve = ""       // leave all conflicts
	ResolveOurs   Resolve = "ours"   // take ours
	ResolveTheirs Resolve = "theirs" // take theirs
	ResolveUnion  Resolve = "union"  // take the lines of ours, then those of theirs; leave conflicts where that is not valid
)

// Own is the side that is the user's own work. The other side is upstream's branch, which is released first.
type Own string

// The values of Own.
const (
	OwnUnknown Own = "" // leave conflicts that depend on the own side
	OwnOurs    Own = "ours"
	OwnTheirs  Own = "theirs"
)

// Limits bound the work of a merge. They are counted in bytes and not in seconds, so that every machine has the same
// result. A merge that reaches a limit is left to the line merge.
type Limits struct {
	// MaxBytes is the size of a version, in bytes, up to which it is merged as YAML. 0 means 64 MiB.
	MaxBytes int
	// MaxSteps is the number of bytes that may be verified. 0 means 1 MiB and twice the size of the versions, which is
	// a second or two for a file of some MiB.
	MaxSteps int
}

// Method is the way in which a result was made.
type Method string

// The methods, in the order of the decision table.
const (
	// Trivial: two of the versions are identical, or one side already contains all changes of the other side.
	Trivial Method = "trivial"
	// ByLine: git's line merge was clean and has no defect.
	ByLine Method = "line"
	// Structural: the versions were merged by resource and field.
	Structural Method = "field"
	// Delegated: the result of the line merge, because the versions could not be merged as YAML, or because the line
	// merge has fewer lines in conflict than the merge by field. Result.Cause and Result.Reason are the reason.
	Delegated Method = "delegated"
)

// A Cause is why a result is Delegated.
type Cause string

// The causes.
const (
	CauseSize       Cause = "size"       // a version is too large, or the merge would need too much memory
	CauseMarkers    Cause = "markers"    // a version has conflict markers
	CauseSyntax     Cause = "syntax"     // a version cannot be read as YAML, JSON or a template
	CauseKeys       Cause = "keys"       // a side repeats a key of a mapping
	CauseDefinition Cause = "definition" // a custom resource definition that the merge needs is invalid
	CauseRequired   Cause = "required"   // the versions do not meet the requirements of a rule set of package kube
	CauseUnverified Cause = "unverified" // no merge by field passed verification within its limit
	CauseFewerLines Cause = "lines"      // the line merge leaves fewer lines in conflict
	CauseInternal   Cause = "internal"   // an error of this package
)

// A Result is the outcome of a merge.
type Result struct {
	// Bytes is the merged file. It has conflict markers if there are conflicts.
	Bytes []byte `json:"-"`
	// Conflicts are the conflicts, in the order of their markers. Adjacent conflicts share one pair of markers and
	// have the same Line. Conflicts of a Delegated result have no Path, and may have no versions; if the result is
	// that of a Resolution, they have them.
	Conflicts []Conflict `json:"conflicts"`
	// Resolved are the conflicts that the team's rules, a rule set or Options.Resolve decided.
	Resolved []Conflict `json:"resolved"`
	// Followed are the renames of items and documents by one side to which a change of the other side was applied.
	// Only a Structural result has them.
	Followed []Rename `json:"followed,omitempty"`
	// Combined are the image references that combine an edit of each side, so that no version contains the whole
	// reference. The line merge, too, may have combined a reference that consists of several fields.
	Combined []Combination `json:"combined,omitempty"`
	// Method is the way in which Bytes were made.
	Method Method `json:"method"`
	// Cause is why the result is Delegated. It is empty for other methods.
	Cause Cause `json:"cause,omitempty"`
	// Reason is a sentence about why the line merge was used, or about the defect because of which a clean line merge
	// was not used. Otherwise it is empty.
	Reason string `json:"reason,omitempty"`
	// Refused is why something is in conflict although the edits of the sides do not contradict each other: no clean
	// merge of it passed verification. Otherwise it is empty.
	Refused string `json:"refused,omitempty"`
	// LineConflicts is the number of conflicts of the line merge, or -1 if it did not run.
	LineConflicts int `json:"line_conflicts"`
	// NeedsOwn means that a policy of the team's rules depends on Options.Own, which is OwnUnknown. A caller can find
	// out the side, if that takes long, and merge again.
	NeedsOwn bool `json:"needs_own,omitempty"`

	// render returns the bytes and the conflicts with other markers. It is nil if there are no conflicts.
	render func(linemerge.Markers) ([]byte, []Conflict)
}

// Clean reports whether the result has no conflicts.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// WithMarkers returns the result with other conflict markers: Bytes, and the places in Conflicts. The conflicts are the
// same. It returns r itself if r is clean or was not made by this package, and an error if the style of m is not one of
// the constants of its type.
func (r Result) WithMarkers(m linemerge.Markers) (Result, error) {
	if m.Style > linemerge.StyleZdiff3 {
		return r, fmt.Errorf("merge: unknown style %d", m.Style)
	}
	if r.render != nil {
		r.Bytes, r.Conflicts = r.render(m)
	}
	return r, nil
}

// A Rename is an item or a document whose identity one side changed.
type Rename struct {
	// From and To are the paths before and after the rename, as those of conflicts.
	From string `json:"from"`
	To   string `json:"to"`
}

// A Combination is an image reference, or a similar reference such as that of a GitHub action, that combines an edit
// of each side: one side changed one part, for example the registry, and the other side another part, for example the
// tag. No version contains the whole reference.
type Combination struct {
	// Path names the field with the reference, or the mapping if several of its fields form the reference.
	Path string `json:"path"`
	// Value is the reference, as in registry.example.com/web:1.2.
	Value string `json:"value"`
}

// Merge merges the changes that ours and theirs made to base, and returns the merged YAML file.
//
// The result is the first of these that is clean:
//
//  1. if two versions are identical, the third version
//  2. a side that already contains all changes of the other side
//  3. git's line merge, if it has no defect
//  4. the merge by resource and field
//
// If none of them is clean, Merge returns the result with the fewest lines between conflict markers: the merge by
// field, or a line merge. If the versions cannot be merged as YAML, it returns the line merge, and Result.Cause is
// the reason.
//
// Merge returns an error if a value in opts is not one of the constants of its type or a limit is negative, or if even
// the line merge fails: linemerge.ErrBinary or linemerge.ErrTooLarge.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	o, err := opts.toEngine()
	if err != nil {
		return Result{}, err
	}
	res, err := engine.Merge(base, ours, theirs, o)
	if err != nil {
		return Result{}, err
	}
	return fromEngine([3][]byte{base, ours, theirs}, res), nil
}
