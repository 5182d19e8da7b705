// Package team reads the team's file (.git-merge-yaml.yaml) and combines its rules with those of package schema. [Rules]
// answer what a merge asks about lists, fields and resources, and which policy of the team decides a conflict. They do
// not merge anything. The kind of a list comes from the first of these sources that knows it:
//
//	source                       read from
//	the team's rules             .git-merge-yaml.yaml, by [Parse]
//	built-in Kubernetes types    package schema
//	custom resource definitions  files in the repository, by [Rules.AddCRD] or [Rules.SetCRDSource]
//	presets for known files      package schema
//	inference                    the fields that the items have
//
// The zero value has no rules of a team:
//
//	rules := new(team.Rules)
//	list := rules.ListAt(schema.Place{
//		APIVersion: "apps/v1", Kind: "Deployment", Path: []string{"spec", "template", "spec", "containers"},
//	}, base, ours, theirs)
//	// list.Kind is schema.Map, list.Keys is [name]
//
// Terms:
//
//	entry        an item of the list rules in the team's file: rules, and the files and kinds that they are for
//	place        a schema.Place: where a list or field is, by file, API version, kind and path
//	description  a schema.List: how the items of a list are matched
//	identity     what an item is matched by in a Map list: the values of its associative keys, or a part of its text
//	preset       built-in rules: for known files, or with a name that the team's file lists in extends
//	mention      a file pattern, kind or path in an entry, from which a Usage finds those that match nothing
//	unit         fields of one mapping that are merged as one value
//	rd           the reader of a file, which collects the mistakes in it
package team

import (
	"sync"
	"sync/atomic"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// Rules hold the rules of a team's file and the custom resource definitions of a repository, and answer questions about
// lists, fields and resources. The zero value knows only the built-in types, the presets and inference. Methods that
// take a Place also accept nil Rules, which know the same. Rules must not be copied. They are safe for concurrent use
// after the last definition was added.
type Rules struct {
	team        []*entry
	presetNames []string  // the names of the presets in team
	mentions    []mention // the file patterns and paths in team, except those of presets
	generated   []*Generated
	// acceptsTrailers is true with check: {accept: trailers}.
	acceptsTrailers bool
	crdGlobs        []wildmatch.Glob
	crdPatterns     []string
	crds            crdTypes
	crdSource       func() ([]File, error) // set by SetCRDSource, otherwise nil
	crdError        atomic.Pointer[error]
	remarks         []string
	selections      sync.Map // [3]string{file, apiVersion, kind} to *selection
}

// Remarks returns notes about the team's file that are not errors, for example that the version of this program is not
// a release. Each note begins with its place in the file, as in file:line:column.
func (r *Rules) Remarks() []string {
	return r.remarks
}

// IsEmpty reports whether the team's file states nothing: no rules, presets, patterns of definitions, generated files
// or settings. Custom resource definitions that were added to r do not count.
func (r *Rules) IsEmpty() bool {
	return len(r.team)+len(r.presetNames)+len(r.crdPatterns)+len(r.generated) == 0 && !r.acceptsTrailers
}

// AcceptsTrailers reports whether the team's file has check: {accept: trailers}, so that a trailer of a merge commit
// may accept findings of a check. r may be nil.
func (r *Rules) AcceptsTrailers() bool { return r != nil && r.acceptsTrailers }

// CRDPatterns returns the patterns of files with custom resource definitions, from the field crds of the team's file.
func (r *Rules) CRDPatterns() []string {
	return r.crdPatterns
}

// IsCRD reports whether the file at path matches a pattern in the field crds of the team's file, which lists files with
// custom resource definitions. path is relative to the top of the work tree.
func (r *Rules) IsCRD(path string) bool {
	return matchesAny(r.crdGlobs, path)
}

// DecisionAt returns how the team's rules decide a conflict in the field at p: the policy of the first rule for the
// field, and the place of this rule. It returns the zero Decision if there is no such rule, or if its policy is a
// mistake. r may be nil.
func (r *Rules) DecisionAt(p schema.Place) (d Decision) {
	if r != nil && len(r.team) > 0 {
		d, _ = schema.FirstMatch(r.selectionFor(p).team, p.Path, (*entry).fieldRules)
	}
	return d
}
