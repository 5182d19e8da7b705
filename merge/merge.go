package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Options are the options of Merge and NewResolution. The zero value selects the default rules.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files, and
	// entries of the team's rules. The file is not opened. If it is empty, only rules for all files apply.
	Path string
	// Rules are the team's rules for lists and fields, as ParseRules returns them. nil means none; the built-in types,
	// such as Deployment, are known nevertheless.
	Rules *Rules
	// Names are the names of the versions in errors and in Result.Reason. Empty names are base, ours and theirs.
	Names Names
	// Markers are the style, size and labels of the conflict markers. Result.WithMarkers writes a result with other
	// markers.
	Markers Markers
	// Resolve decides all conflicts instead of marking them: TakeOurs, TakeTheirs, or TakeBoth for the lines of both,
	// which leaves conflicts where that is not valid. A ConflictEncrypted remains, because only SOPS can decide it. The
	// zero value leaves all conflicts. NewResolution ignores it.
	Resolve Take
	// Own is the side that is the user's own work, for the policies own, upstream and next of the team's rules. The
	// zero value is SideUnknown: conflicts that these policies would decide remain, and Result.NeedsOwn is true.
	Own Side
	// Limits bound the work of the merge. The zero value means the default limits.
	Limits Limits
}

// Names are the names of the three versions in errors and in Result.Reason. An empty name means base, ours or theirs.
type Names struct{ Base, Ours, Theirs string }

// Side is one of the two sides of a merge. As Options.Own, it is the side that is the user's own work. The other side
// is then upstream's branch, which is released first: in a merge of main into your branch, ours is your own; in a
// rebase, theirs is.
type Side string

// The sides.
const (
	SideUnknown Side = "" // neither, or not known
	SideOurs    Side = "ours"
	SideTheirs  Side = "theirs"
)

// Markers describes how conflicts are marked. The zero value marks them in git's style merge, with seven characters and
// the labels base, ours and theirs.
type Markers struct {
	// Style is a value of git's setting merge.conflictStyle. The zero value means StyleMerge.
	Style Style
	// Size is the number of characters of a marker. 0 means 7.
	Size int
	// Base, Ours and Theirs are the labels after the markers. An empty label means base, ours or theirs.
	Base, Ours, Theirs string
}

// Style is the style of conflict markers: a value of git's setting merge.conflictStyle.
type Style string

// The styles. The empty string means StyleMerge.
const (
	StyleMerge  Style = "merge"  // ours and theirs
	StyleDiff3  Style = "diff3"  // ours, base and theirs
	StyleZdiff3 Style = "zdiff3" // as StyleDiff3, with common lines at the start and end of the sides outside of the markers
)

// Limits bound the work of a merge. They are counted in bytes and not in seconds, so that every machine has the same
// result. If a merge reaches a limit, the versions are merged by lines, as git does it, and Result.Method is
// MethodDelegated. A negative limit is an error.
type Limits struct {
	// MaxBytes is the size of a version, in bytes, up to which it is merged as YAML. 0 means 64 MiB.
	MaxBytes int
	// MaxSteps is the number of bytes of results that may be compared with the versions. A result is compared more
	// than once if it has to be corrected. 0 means 1 MiB plus twice the size of the three versions, which takes a
	// second or two for a file of some MiB.
	MaxSteps int
}

// Method is the way in which a result was made.
type Method string

// The methods, in the order in which Merge tries them.
const (
	// MethodTrivial: two of the versions are identical, or one side already contains all changes of the other side.
	MethodTrivial Method = "trivial"
	// MethodLine: git's merge by lines has no conflict, and no error as YAML, such as a duplicate mapping key.
	MethodLine Method = "line"
	// MethodField: the versions were merged by resource and field.
	MethodField Method = "field"
	// MethodDelegated: git's merge by lines, because the versions could not be merged as YAML, or because it has fewer
	// lines in conflict than the merge by field. Result.Cause and Result.Reason are the reason. It may have conflicts
	// or be clean.
	MethodDelegated Method = "delegated"
)

// A Cause is why git's merge by lines is the result although it is not known to be correct, or has conflicts: the
// Method of the result is MethodDelegated.
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
	CauseFewerLines Cause = "lines"      // git's merge by lines leaves fewer lines in conflict
	CauseInternal   Cause = "internal"   // an error of this package
)

// A Result is the outcome of a merge.
type Result struct {
	// Bytes is the merged file. It has conflict markers if there are conflicts. It may share memory with a version.
	Bytes []byte `json:"-"`
	// Conflicts are the conflicts, in the order of their markers. Adjacent conflicts share one pair of markers and have
	// the same Line. Conflicts of a MethodDelegated result (git's merge by lines) have no Path, and they may have no
	// Base, Ours and Theirs; in a result of a Resolution they have them. It is nil if the result is clean.
	Conflicts []Conflict `json:"conflicts"`
	// Resolved are the conflicts that the team's rules, a rule set of package kube, or Options.Resolve decided, in no
	// particular order. Their By says what decided them. It is nil if there are none.
	Resolved []Conflict `json:"resolved"`
	// Followed are the renames of items and documents by one side to which a change of the other side was applied.
	// Only a MethodField result has them.
	Followed []Rename `json:"followed,omitempty"`
	// Combined are the image references that combine an edit of each side, so that no version contains the whole
	// reference, and other values that mean something else than in the side that wrote them. Git's merge by lines, too,
	// may have combined them.
	Combined []Combination `json:"combined,omitempty"`
	// GuessedOrders are the lists in which both sides added items at one place, and no rule says whether their order
	// matters: the items of ours are first. Lists in conflict are left out. Only a MethodField result has them.
	GuessedOrders []GuessedOrder `json:"guessed_orders,omitempty"`
	// Method is the way in which Bytes were made.
	Method Method `json:"method"`
	// Cause is why the result is git's merge by lines, if Method is MethodDelegated. It is empty for other methods.
	Cause Cause `json:"cause,omitempty"`
	// Reason is a sentence about why the result is git's merge by lines (Method is MethodDelegated), or about an error
	// for which a clean merge by lines was not used, such as a duplicate mapping key. Otherwise it is empty.
	Reason string `json:"reason,omitempty"`
	// Refused is a sentence about why something is in conflict although the edits of the sides do not contradict each
	// other: no merge of it without a conflict passed verification. Otherwise it is empty.
	Refused string `json:"refused,omitempty"`
	// LineConflicts is the number of conflicts of git's merge by lines, or -1 if that did not run.
	LineConflicts int `json:"line_conflicts"`
	// NeedsOwn means that a policy of the team's rules depends on which side is the user's own, and that Options.Own
	// is SideUnknown. A caller for which it takes long to find out the side can do so now, and merge again.
	NeedsOwn bool `json:"needs_own,omitempty"`

	// render returns the bytes and the conflicts with other markers. It is nil if there are no conflicts.
	render func(text.Markers) ([]byte, []Conflict)
}

// Clean reports whether the result has no conflicts.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// WithMarkers returns a copy of r with other conflict markers: Bytes, and the places in Conflicts, are new. A clean
// result, or one not returned by a merge, does not change. If the style of m is unknown, it returns r and an error.
func (r Result) WithMarkers(m Markers) (Result, error) {
	markers, err := m.toText()
	if err == nil && r.render != nil {
		r.Bytes, r.Conflicts = r.render(markers)
	}
	return r, err
}

// A Rename is an item or a document whose identity one side changed.
type Rename struct {
	// From and To are the paths before and after the rename, as those of conflicts.
	From string `json:"from"`
	To   string `json:"to"`
}

// A GuessedOrder is a list whose items are in an order that neither side and no rule decided. A team's rule "lists:
// {RulePath: Rule}" makes such additions a conflict, and "lists: {RulePath: {keys: [name]}}" or, for strings, set says
// that the order means nothing.
type GuessedOrder struct {
	// Path names the list, as in spec.routes[0].middlewares.
	Path string `json:"path"`
	// RulePath is the path of the list in a rule, as in spec.routes.*.middlewares.
	RulePath string `json:"rule_path"`
	// Rule is the kind of list: ordered or, for a list of strings, which an ordered list keeps, atomic.
	Rule string `json:"rule"`
}

// A Combination is a value of the result of which each side made a part, so that the user should look at it. Usually it
// is an image reference, or a similar one such as that of a GitHub action, that no version contains as a whole: one
// side changed one part, for example the registry, and the other side another part, for example the tag.
type Combination struct {
	// Kind is what is combined.
	Kind CombinationKind `json:"kind"`
	// Path names the field with the value, or the mapping if several of its fields form a reference.
	Path string `json:"path"`
	// Value is the reference, as in registry.example.com/web:1.2, & and the name of an anchor, * and that of an alias,
	// or another value.
	Value string `json:"value"`
	// By is the side that has the alias or value. It is empty if Value is from both sides.
	By Side `json:"by,omitempty"`
}

// A CombinationKind is what a Combination combines.
type CombinationKind string

// The kinds.
const (
	CombinedReference CombinationKind = "reference" // the parts of one reference
	CombinedAnchor    CombinationKind = "anchor"    // an anchor that both sides define, at different places
	CombinedAlias     CombinationKind = "alias"     // an alias that one side added, to a value that the other side changed
	CombinedValue     CombinationKind = "value"     // a name or value that one side uses, and that the other side replaced or deleted everywhere
)

// Merge applies the changes of ours and theirs to base, and returns the merged file, with markers around conflicts.
// Versions that cannot be merged as YAML are merged by lines; Result.Cause says why. It fails for an invalid option,
// and with linemerge.ErrBinary or linemerge.ErrTooLarge.
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
