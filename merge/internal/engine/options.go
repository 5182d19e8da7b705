package engine

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Options are the options of a merge. The zero value selects the default rules. Merge and NewDraft return an error for
// a negative limit; other functions do not check the options.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	// The file is not opened.
	Path string
	// Rules are the rules of the team's file (.git-merge-yaml.yaml) for lists and fields, or nil.
	Rules *team.Rules
	// Names are the names of base, ours and theirs in errors. The default for an empty name is base, ours or theirs.
	Names [3]string
	// Kustomize selects the rules of kustomize's documented three-way merge. Theirs wins, so there are no conflicts. A
	// null in theirs deletes the field, and a list without associative keys is one value. Result.Resolved has the
	// changes of ours that were overridden. Resolve is ignored, and git's merge by lines is used only for versions that
	// cannot be merged by these rules.
	Kustomize bool
	// Markers are the style, size and labels of the conflict markers. The zero value has the labels base, ours and
	// theirs; in other values, an empty label is omitted.
	Markers text.Markers
	// Resolve decides all conflicts instead of marking them, except for an encrypted one. With diff3.FavorUnion,
	// conflicts remain where the lines of both sides are not valid.
	Resolve diff3.Favor
	// Own is the side that is the user's own work, for the policies own, upstream and next. The other side is
	// upstream's branch, which is released first. If it is not set and one of the policies has something to decide,
	// Result.NeedsOwn is set.
	Own three.Optional
	// Limits bound the work of the merge.
	Limits Limits
	// needsOwn is set if Own was needed and is unknown. It is shared with the mergers of parts of the merge.
	needsOwn *bool
}

// Limits bound the work of a merge. They are counted in bytes and not in seconds, so that every machine has the same
// result. 0 means the default.
type Limits struct {
	MaxBytes int // the size of a version up to which it is merged as YAML; by default 64 MiB
	MaxSteps int // the number of bytes that are verified; by default 1 MiB and twice the size of the versions
}

// rules returns o.Rules, or new rules without any entry if o.Rules is nil. These still know the built-in types, such as
// Deployment.
func (o Options) rules() *team.Rules {
	if o.Rules == nil {
		return new(team.Rules) // not stored: what it computes is computed again for the next call
	}
	return o.Rules
}

// validate returns an error if a limit is negative.
func (o Options) validate() error {
	if o.Limits.MaxBytes < 0 || o.Limits.MaxSteps < 0 {
		return errors.New("merge: negative limit")
	}
	return nil
}

// markers returns o.Markers. If it is the zero value, the labels are base, ours and theirs.
func (o Options) markers() text.Markers { return withDefaultLabels(o.Markers) }

// withDefaultLabels returns k or, if k is the zero value, git's default markers with the labels base, ours and theirs.
// If k has any other field, empty labels stay empty.
func withDefaultLabels(k text.Markers) text.Markers {
	if k == (text.Markers{}) {
		k.Base, k.Ours, k.Theirs = three.Names[three.Original], three.Names[three.Dest], three.Names[three.Updated]
	}
	return k
}
