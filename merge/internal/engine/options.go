package engine

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Style is the style of conflict markers. It is a small integer; the zero value is StyleMerge.
type Style = text.Style

// The styles of git's merge.conflictStyle.
const (
	StyleMerge  = text.StyleMerge  // ours and theirs
	StyleDiff3  = text.StyleDiff3  // ours, base and theirs
	StyleZdiff3 = text.StyleZdiff3 // as diff3, with common lines at the start and end of the sides outside of the markers
)

// DefaultMarkerSize is the number of characters of git's markers.
const DefaultMarkerSize = text.MarkerSize

// Markers describes how conflicts are marked. Style is the style. Size is the number of characters of a marker; 0
// means DefaultMarkerSize. Base, Ours and Theirs are the labels after the markers; an empty label is omitted.
type Markers = text.Markers

// Resolve is a way to decide all conflicts.
type Resolve uint8

// The ways to decide conflicts.
const (
	ResolveNone   Resolve = iota // leave all conflicts
	ResolveOurs                  // take ours
	ResolveTheirs                // take theirs
	ResolveUnion                 // take the lines of ours, then those of theirs; leave conflicts where that is not valid
)

// Own is the side that is the user's own work. The other side is upstream's branch, which is released first.
type Own uint8

// The values of Own. OwnUnknown leaves conflicts that depend on the own side.
const (
	OwnUnknown Own = iota
	OwnOurs
	OwnTheirs
)

// Options are the options of a merge. The zero value selects the default rules. Functions return an error for a value
// that is not one of the constants of its type.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	// The file is not opened.
	Path string
	// Rules are the team's rules for lists and fields, or nil.
	Rules *schema.Rules
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

// rules returns o.Rules, or empty rules if there are none. Empty rules still have the built-in types and the inference
// of list kinds.
func (o Options) rules() *schema.Rules {
	if o.Rules == nil {
		return new(schema.Rules) // not stored: what it computes is computed again for the next call
	}
	return o.Rules
}

// validate returns an error if RuleSet or Resolve is not one of the constants of its type. Values that functions of o
// return are checked by withValidatedFuncs.
func (o Options) validate() error {
	switch {
	case o.RuleSet > KustomizeRules:
		return fmt.Errorf("merge: there is no rule set %d", o.RuleSet)
	case o.Resolve > ResolveUnion:
		return fmt.Errorf("merge: there is no way %d to decide conflicts", o.Resolve)
	}
	return nil
}

// withValidatedFuncs returns a copy of o with functions that check the results of Own and Markers. If a result is not
// valid, they set *err and return OwnUnknown or StyleMerge instead.
func (o Options) withValidatedFuncs(err *error) Options {
	if own := o.Own; own != nil {
		o.Own = func() Own {
			side := own()
			if side > OwnTheirs {
				*err, side = fmt.Errorf("merge: there is no own side %d", side), OwnUnknown
			}
			return side
		}
	}
	if markers := o.Markers; markers != nil {
		o.Markers = func() Markers {
			k := markers()
			if bad := k.Style.Err(); bad != nil {
				*err, k.Style = bad, StyleMerge
			}
			return k
		}
	}
	return o
}
