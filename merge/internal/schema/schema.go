// Package schema knows Kubernetes and well-known files: which lists, fields and resources have rules for merging. For a
// list, it has the kind (a map of items with keys, a set, an ordered list, or an atomic value) and the identity of each
// item. For a document, it has the identity of the Kubernetes resource in it. It also knows which fields exclude each
// other or belong together, and which hold image references. It does not merge anything, and it does not know the
// team's file: package team combines the rules of both, and is what a merge asks.
//
// A [Place] describes where a list or field is, a [List] how a list is merged. [BuiltinFor] returns what is known about
// the documents of a kind in a file, from the table kubernetes.txt and the presets in presets.txt. An [Entry] is a set
// of rules for some files and kinds, of a preset or a team. The containers of a Deployment are a map list with the
// associative key name:
//
//	p := schema.Place{APIVersion: "apps/v1", Kind: "Deployment", Path: []string{"spec", "template", "spec", "containers"}}
//	list, ok := schema.BuiltinFor(p).KubernetesList(p)
//	// list.Kind is schema.Map, list.Keys is [name]
//	id, ok := list.ID(item) // "web", true for the item {name: web, image: web:1}
//
// Terms of the comments:
//
//   - Identity: a text for an item or a document. If it is the same in two versions, both are the same thing.
//   - Associative key: a field such as name whose value identifies an item of a Map list.
//   - Map, Set, Ordered, Atomic: the kinds of lists. Items are matched by keys, by value, or in order; an Atomic list
//     is one value.
//   - Resource: an object of Kubernetes, which is a document, or an item of a document of kind List.
//   - Preset: a named set of rules for well-known files and kinds, in presets.txt.
//   - Type: a type of Kubernetes' API, such as PodSpec. The table has one line for each, in short the line of the type.
//   - Mark: what this line says about one of the fields: how a list is merged, such as "#name", or "@" for an image
//     reference.
//   - Unit: a group of fields of one mapping that exclude each other or are one value.
package schema

import (
	"regexp"
	"slices"

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
	// secondaryKeys are further fields that help to distinguish items with the same Keys, if the items have them.
	secondaryKeys []string
	// Separators are set for a Map list of strings. A string is identified by its text before the first
	// occurrence of a separator: KEY=value with the separator "=" is identified by KEY. An item that is a mapping
	// is identified by the name of its only field, as pip in a list of conda.
	Separators []string
	// After is the text after which the identity of a string begins, if it has this text. If After is "::", the
	// identity of bioconda::star=2.6 is star.
	After string
	// pattern is set by presets in place of Separators and After. Its groups in a string are the identity of the string,
	// or all of the string if it does not match. An item that is a mapping is identified by the only one of Keys.
	pattern *regexp.Regexp
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

// AreSequences reports whether all versions that are not nil are sequences.
func AreSequences(versions []*syntax.Node) bool {
	return !slices.ContainsFunc(versions, func(v *syntax.Node) bool { return v != nil && v.Kind != syntax.Sequence })
}
