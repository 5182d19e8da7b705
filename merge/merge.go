package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
)

// Options are the options of a merge. The zero value selects the default rules. Functions return an error for a value
// that is not one of the constants of its type.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	// The file is not opened.
	Path string
	// Rules are the team's rules for lists and fields, or nil.
	Rules *Rules
	// Names are the names of base, ours and theirs in errors. The default for an empty name is base, ours or theirs.
	Names [3]string
	// RuleSet selects the rules of the merge. With a rule set other than DefaultRules, Resolve is ignored, and the
	// line merge is used only for versions that cannot be merged as YAML.
	RuleSet RuleSet
	// Markers returns the style, size and labels of the conflict markers. It is called at most once, and only if the
	// result has conflicts. nil means the merge style, seven characters, and the labels base, ours and theirs.
	Markers func() Markers
	// Resolve decides all conflicts instead of marking them, except for a ConflictEncrypted.
	Resolve Resolve
	// Own returns which side is the user's own, for the policies own, upstream and next. It is called only if such a
	// policy has something to decide. nil means that the side is not known.
	Own func() Own
}

// engineOptions returns o for the engine.
func (o Options) engineOptions() engine.Options {
	return engine.Options{
		Path: o.Path, Rules: o.Rules.schemaOrEmpty(), Names: o.Names, RuleSet: o.RuleSet, Markers: o.Markers, Resolve: o.Resolve, Own: o.Own,
	}
}

type (
	Style          = engine.Style
	Markers        = engine.Markers
	Resolve        = engine.Resolve
	Own            = engine.Own
	RuleSet        = engine.RuleSet
	RuleError      = engine.RuleError
	Result         = engine.Result
	Method         = engine.Method
	Rename         = engine.Rename
	Combination    = engine.Combination
	Conflict       = engine.Conflict
	ConflictKind   = engine.ConflictKind
	Decision       = engine.Decision
	Version        = engine.Version
	MarkedConflict = engine.MarkedConflict
	Finding        = engine.Finding
	Change         = engine.Change
	ChangeKind     = engine.ChangeKind
	List           = engine.List
	ListKind       = engine.ListKind
	Resolution     = engine.Resolution
	Question       = engine.Question
	Answer         = engine.Answer
	AnswerError    = engine.AnswerError
	Take           = engine.Take
)

const (
	StyleMerge           = engine.StyleMerge
	StyleDiff3           = engine.StyleDiff3
	StyleZdiff3          = engine.StyleZdiff3
	DefaultMarkerSize    = engine.DefaultMarkerSize
	ResolveNone          = engine.ResolveNone
	ResolveOurs          = engine.ResolveOurs
	ResolveTheirs        = engine.ResolveTheirs
	ResolveUnion         = engine.ResolveUnion
	OwnUnknown           = engine.OwnUnknown
	OwnOurs              = engine.OwnOurs
	OwnTheirs            = engine.OwnTheirs
	DefaultRules         = engine.DefaultRules
	KustomizeRules       = engine.KustomizeRules
	Trivial              = engine.Trivial
	ByLine               = engine.ByLine
	Structural           = engine.Structural
	Delegated            = engine.Delegated
	ConflictValue        = engine.ConflictValue        // both sides changed one value differently
	ConflictDeleteModify = engine.ConflictDeleteModify // one side deleted an entry that the other side changed
	ConflictAddAdd       = engine.ConflictAddAdd       // both sides added different things at the same place
	ConflictReplace      = engine.ConflictReplace      // both sides replaced the same items or lines
	ConflictList         = engine.ConflictList         // overlapping changes of a list's items
	ConflictComment      = engine.ConflictComment      // both sides changed the same comment differently
	ConflictText         = engine.ConflictText         // both sides changed the same lines of a multi-line scalar
	ConflictRefused      = engine.ConflictRefused      // no clean result passed verification
	ConflictLine         = engine.ConflictLine         // a conflict of the line merge
	ConflictEncrypted    = engine.ConflictEncrypted    // a file or value that SOPS has to write, such as its mac
	ConflictMultiplied   = engine.ConflictMultiplied   // each side widened a different one of fields that multiply each other
	ConflictGenerated    = engine.ConflictGenerated
	ChangeAdded          = engine.ChangeAdded
	ChangeDeleted        = engine.ChangeDeleted
	ChangeModified       = engine.ChangeModified
	ChangeRenamed        = engine.ChangeRenamed
	ChangeReordered      = engine.ChangeReordered
	ChangeGuarded        = engine.ChangeGuarded
	ChangeActions        = engine.ChangeActions
	ListMap              = engine.ListMap
	ListSet              = engine.ListSet
	ListAtomic           = engine.ListAtomic
	ListOrdered          = engine.ListOrdered
	Undecided            = engine.Undecided
	TakeOurs             = engine.TakeOurs
	TakeTheirs           = engine.TakeTheirs
	TakeBase             = engine.TakeBase
	TakeBoth             = engine.TakeBoth
	TakeHighest          = engine.TakeHighest
	TakeNext             = engine.TakeNext
	TakeLowest           = engine.TakeLowest
	TakeText             = engine.TakeText
)

var (
	ErrEdited       = engine.ErrEdited
	ErrHalfResolved = engine.ErrHalfResolved
)

// Merge merges the changes that ours and theirs made to base, and returns the merged YAML file.
func Merge(base, ours, theirs []byte, opts Options) (Result, error) {
	return engine.Merge(base, ours, theirs, opts.engineOptions())
}

// Check returns the errors in the result of a three-way merge.
func Check(base, ours, theirs, result []byte, opts Options) ([]Finding, error) {
	return engine.Check(base, ours, theirs, result, opts.engineOptions())
}

// Changes returns the differences between two versions of a file.
func Changes(base, version []byte, opts Options) ([]Change, error) {
	return engine.Changes(base, version, opts.engineOptions())
}

// Lists returns the lists of a file.
func Lists(data []byte, opts Options) ([]List, error) {
	return engine.Lists(data, opts.engineOptions())
}

// Unmatched returns the patterns and paths in the team's own rules that match nothing in the given files.
func (r *Rules) Unmatched(files []string, read func(path string) ([]byte, error)) []string {
	return engine.Unmatched(r.schemaOrEmpty(), files, read)
}

// NewResolution starts a merge that the user completes conflict by conflict.
func NewResolution(base, ours, theirs []byte, opts Options) (*Resolution, error) {
	return engine.NewResolution(base, ours, theirs, opts.engineOptions())
}

// Apply returns live as `kubectl apply` would change it.
func Apply(lastApplied, config, live []byte, opts Options) (Result, error) {
	return engine.Apply(lastApplied, config, live, opts.engineOptions())
}

// ApplyAnnotated does what Apply does, and also writes the annotation.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (Result, error) {
	return engine.ApplyAnnotated(lastApplied, config, live, opts.engineOptions())
}

// Merge2 merges the fields of src into dest.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	return engine.Merge2(src, dest, opts.engineOptions())
}

// MergeLines returns the result of git merge for three versions.
func MergeLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return engine.MergeLines(base, ours, theirs, m)
}

// MergeFileLines is like MergeLines for git merge-file.
func MergeFileLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return engine.MergeFileLines(base, ours, theirs, m)
}

// ResolveLines is like MergeLines with all conflicts decided.
func ResolveLines(base, ours, theirs []byte, r Resolve) (merged []byte, err error) {
	return engine.ResolveLines(base, ours, theirs, r)
}

// DelegatedResult returns the Result for a line merge.
func DelegatedResult(merged []byte, conflicts, size int, reason string) Result {
	return engine.DelegatedResult(merged, conflicts, size, reason)
}

// ParseConflicts returns the conflicts in a file.
func ParseConflicts(file []byte, size int) []MarkedConflict { return engine.ParseConflicts(file, size) }

// EqualButLabels reports whether two files are identical except for the labels of markers.
func EqualButLabels(a, b []byte, size int) bool { return engine.EqualButLabels(a, b, size) }

// LinesInConflict returns the number of lines of both sides between the markers of a file.
func LinesInConflict(file []byte, size int) int { return engine.LinesInConflict(file, size) }
