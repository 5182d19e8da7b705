// Package schema knows the rules for merging lists, fields and resources. For a list, it returns its kind (a map of
// items with keys, a set, an ordered list, or an atomic value) and the identity of each item. For a document, it
// returns the identity of the Kubernetes resource in it. It also knows which fields exclude each other, which fields
// hold image references, and which policy of the team's rules decides a conflict. It does not merge anything.
//
// [Rules] holds all this knowledge. The kind of a list comes from the first of these sources that knows it:
//
//	source                       read from
//	the team's rules             .git-merge-yaml.yaml, by [Parse]
//	built-in Kubernetes types    kubernetes.txt
//	custom resource definitions  files in the repository, by [Rules.AddCRD] or [Rules.SetCRDSource]
//	presets for known files      presets.txt
//	inference                    the fields that the items have
//
// A [Place] describes where a list or field is, a [List] is the answer for a list, and a [Decision] the answer for a
// field. For example, the containers of a Deployment are a map list with the associative key name:
//
//	rules := new(schema.Rules)
//	list := rules.ListAt(schema.Place{
//		APIVersion: "apps/v1", Kind: "Deployment", Path: []string{"spec", "template", "spec", "containers"},
//	}, base, ours, theirs)
//	// list.Kind is schema.Map, list.Keys is [name]
//	id, ok := list.ID(item) // "web", true for the item {name: web, image: web:1}
package schema

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Kind is the kind of a list. The kinds are those of Kubernetes' structured merge, and Ordered.
type Kind uint8

// The kinds of lists.
const (
	Ordered Kind = iota // items aligned by a diff
	Map                 // items are mappings, paired by Keys
	Set                 // items are paired by value
	Atomic              // merged as a unit
)

// A List describes a list: its kind, and how its items are identified.
type List struct {
	Kind Kind
	// Keys are the associative keys: the fields that together identify an item of a Map list. A dot leads into a
	// nested field, as in metadata.name. A | separates alternatives, as in alias|name: the first field that the item
	// has is used.
	Keys []string
	// SecondaryKeys are further fields that help to distinguish items with the same Keys, if the items have them.
	SecondaryKeys []string
	// Separators are set for a Map list of strings. A string is identified by its text before the first
	// occurrence of a separator: KEY=value with the separator "=" is identified by KEY. An item that is a mapping
	// is identified by the only one of Keys or, without Keys, by the name of its only field, as pip in a list of conda.
	Separators []string
	// After is the text after which the identity of a string begins, if it has this text. If After is "::", the
	// identity of bioconda::star=2.6 is star.
	After string
	// Defaults are values of associative keys that an item may omit, by key.
	Defaults map[string]string
	// DistinctBy are fields of the items of an Ordered list. Two items that differ in one of these fields are
	// different items, however similar they are otherwise.
	DistinctBy []string
	// OrderMatters is true if a preset or the team's file says that the list is ordered, and for initContainers.
	// Different mappings that both sides added at one place are a conflict then. An Ordered list of Kubernetes, or one of
	// which nothing is known, may have an order that means nothing.
	OrderMatters bool
	// Source names the source of this answer, for messages.
	Source string
}

// A Place describes where a list or another field is. Inside a `kind: List`, each item counts as a resource:
// APIVersion and Kind are the item's, and Path begins at the item.
type Place struct {
	// File is the path of the file in the repository, separated by slashes. It may be empty.
	File string
	// APIVersion and Kind are those of the resource; they are empty if the document is not a resource.
	APIVersion, Kind string
	// Path holds the field names from the root of the resource to the list or field. "*" represents an item of a list.
	Path []string
}

// Rules hold the rules of a team's file and the custom resource definitions of a repository, and answer questions about
// lists, fields and resources. The zero value knows only the built-in types, the presets and inference. Methods that
// take a Place also accept nil Rules, which know the same. Rules must not be copied. They are safe for concurrent use
// after the last definition was added.
type Rules struct {
	team        []*rulesEntry
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

// ListAt returns the description of the list at p, which is inferred from its items if no source knows the list.
// versions are nil for a version without the list. The result is Ordered if a version is not a sequence, or if items of
// a Map list lack or repeat an identity. r may be nil.
func (r *Rules) ListAt(p Place, versions ...*syntax.Node) List {
	if !areSequences(versions) {
		return List{Kind: Ordered, Source: "no sequence"}
	}
	if l, ok := r.DeclaredList(p); ok {
		return l.orOrdered(versions, true)
	}
	return inferList(versions, inferableKeys[:], true)
}

// DeclaredList returns the description of the list at p from the first source that knows it, without a look at the
// items: the team's rules, built-in types, custom resource definitions or presets. ok is false if there is none. An
// Atomic list becomes a Set or Ordered (see asEditedInFile), unless it is from the team's rules. r may be nil.
func (r *Rules) DeclaredList(p Place) (l List, ok bool) {
	l, team, ok := r.declaredBySource(p)
	if !team {
		l = l.asEditedInFile(p)
	}
	return l, ok
}

// declaredBySource returns the description of the list at p from the first source that knows it: the team's rules,
// built-in Kubernetes types, custom resource definitions and presets. team reports whether it is the team's rules. ok
// is false if no source knows the list. r may be nil.
func (r *Rules) declaredBySource(p Place) (l List, team, ok bool) {
	sel := r.selectionFor(p)
	if l, ok = firstMatch(sel.team, p.Path, listRules); ok {
		return l, true, true
	}
	if l, ok = kubernetesList(sel.types(), p); !ok && r != nil && len(sel.types()) == 0 {
		defined := r.crds
		if r.crdSource != nil && p.APIVersion != "" && p.Kind != "" {
			defined = sel.crds()
		}
		l, ok = defined.listAt(p)
	}
	if !ok {
		l, ok = firstMatch(sel.typelessPresets(), p.Path, listRules)
	}
	return l, false, ok
}

// DecisionAt returns the decision with which the team's rules resolve a conflict in the field at p. It returns the zero
// Decision if they have no policy for the field. r may be nil.
func (r *Rules) DecisionAt(p Place) (d Decision) {
	if r != nil && len(r.team) > 0 {
		d, _ = firstMatch(r.selectionFor(p).team, p.Path, fieldRules)
	}
	return d
}

// Remarks returns notes about the team's file that are not errors. Each begins with its place in the file, as in
// file:line:column.
func (r *Rules) Remarks() []string {
	return r.remarks
}

// IsEmpty reports whether the team's file has no rules, presets, patterns of definitions, generated files or settings.
func (r *Rules) IsEmpty() bool {
	return len(r.team)+len(r.presetNames)+len(r.crdPatterns)+len(r.generated) == 0 && !r.acceptsTrailers
}

// AcceptsTrailers reports whether a trailer of a merge commit may accept findings of a check. r may be nil.
func (r *Rules) AcceptsTrailers() bool { return r != nil && r.acceptsTrailers }

// CRDPatterns returns the patterns of files with custom resource definitions, as the team's file lists them in crds.
func (r *Rules) CRDPatterns() []string {
	return r.crdPatterns
}

// IsCRD reports whether the team's file lists the file at path, relative to the top of the work tree, as one with
// custom resource definitions.
func (r *Rules) IsCRD(path string) bool {
	return slices.ContainsFunc(r.crdGlobs, func(g wildmatch.Glob) bool { return g.Match(path) })
}

// IsImage reports whether the field at p holds an image reference. It returns true if the team's rules list the field
// in images. Otherwise the built-in Kubernetes type decides, or the presets if the kind is not built-in. r may be nil.
func (r *Rules) IsImage(p Place) bool {
	sel := r.selectionFor(p)
	if is, _ := firstMatch(sel.team, p.Path, imageRules); is {
		return true
	}
	if list, ok := builtinMark(sel.types(), p); ok {
		return list == imageMark
	}
	is, _ := firstMatch(sel.typelessPresets(), p.Path, imageRules)
	return is
}

// HasNamesAsKeys reports whether the mapping keys or the associative keys of items at p are names that authors choose,
// as in labels and env, so that two different keys always mean two different things. versions are the versions of the
// mapping or list, nil if a version does not have it. r may be nil.
func (r *Rules) HasNamesAsKeys(p Place, versions ...*syntax.Node) bool {
	if isStringMap(p, versions...) {
		return true
	}
	if l, ok := r.DeclaredList(p); ok && areSequences(versions) {
		return l.Kind == Map && !l.OrderMatters && l.identifiesItems(versions, true)
	}
	is, _ := firstMatch(r.selectionFor(p).typelessPresets(), p.Path, nameRules)
	return is
}

// areSequences reports whether all versions that are not nil are sequences. It returns true if there are none.
func areSequences(versions []*syntax.Node) bool {
	return !slices.ContainsFunc(versions, func(v *syntax.Node) bool { return v != nil && v.Kind != syntax.Sequence })
}
