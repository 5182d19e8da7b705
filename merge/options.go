package merge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Style is how conflicts are written: a small number, whose zero value is
// StyleMerge.
type Style = text.Style

// The styles of git's merge.conflictStyle.
const (
	StyleMerge  = text.StyleMerge  // ours and theirs
	StyleDiff3  = text.StyleDiff3  // ours, base and theirs
	StyleZdiff3 = text.StyleZdiff3 // as diff3, common lines at the edges outside the markers
)

// DefaultMarkerSize is the number of characters of git's markers.
const DefaultMarkerSize = text.MarkerSize

// Markers is how conflicts are written. Its fields are Style; Size, the number of
// characters of a marker, 0 for DefaultMarkerSize; and Base, Ours and Theirs, the
// labels behind the markers, empty for none.
type Markers = text.Markers

// Resolve says how conflicts are decided.
type Resolve uint8

// Conflicts stay conflicts, or take a side, or both sides one after the other.
const (
	ResolveNone Resolve = iota
	ResolveOurs
	ResolveTheirs
	ResolveUnion
)

// Own is which side of a merge is one's own work; the other one is what that is
// to be released after: upstream's branch.
type Own uint8

// Nobody knows, or one of the sides is.
const (
	OwnUnknown Own = iota
	OwnOurs
	OwnTheirs
)

// Options of a merge. The zero value is the default rules. A value that its type does
// not have is an error.
type Options struct {
	// Path is the path of the file in its repository, slash separated. It
	// selects rules for well-known files; it is never opened.
	Path string
	// Rules are the team's rules of lists and fields; nil if there are none.
	Rules *Rules
	// Names are what errors call base, ours and theirs; empty ones
	// are base, ours and theirs.
	Names [3]string
	// RuleSet is what decides. Under other than the default rules no line
	// merge is taken unless the inputs cannot be merged as YAML, and Resolve
	// says nothing.
	RuleSet RuleSet
	// Markers is called once, and only if the result has conflicts; nil
	// means merge style, seven characters, and the labels base, ours and theirs.
	Markers func() Markers
	// Resolve decides conflicts instead of marking them.
	Resolve Resolve
	// Own says which side is the own one, for the policies own, upstream and
	// next. It is called only where these have something to decide; nil means
	// that nobody knows.
	Own func() Own
}

// validate is an error for values that their types do not have.
func (o Options) validate() error {
	switch {
	case o.RuleSet > KustomizeRules:
		return fmt.Errorf("merge: there is no rule set %d", o.RuleSet)
	case o.Resolve > ResolveUnion:
		return fmt.Errorf("merge: there is no way %d to decide conflicts", o.Resolve)
	}
	return nil
}

// withValidatedFuncs returns o with functions that leave in err what they return wrongly, and
// return the zero value instead.
func (o Options) withValidatedFuncs(err *error) Options {
	if own := o.Own; own != nil {
		o.Own = func() Own {
			is := own()
			if is > OwnTheirs {
				*err, is = fmt.Errorf("merge: there is no own side %d", is), OwnUnknown
			}
			return is
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
