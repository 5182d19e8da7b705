// Package schema says which list is what: items paired by keys, a set, one
// value, or items in order; and which resource is which: by kind, namespace and name,
// and the API group where these are not enough.
//
// It answers from, first hit wins: the team's rules, the built-in Kubernetes
// types, CRDs, presets for well-known files, and inference from the items
// themselves.
package schema

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Kind is the kind of a list, as in Kubernetes' structured merge.
type Kind uint8

// The kinds of lists.
const (
	Ordered Kind = iota // items aligned by a diff
	Map                 // items are mappings, paired by Keys
	Set                 // items are paired by value
	Atomic              // one value
)

// A List is what is known of a list.
type List struct {
	Kind Kind
	// Keys are the fields that identify an item of a Map list together. A
	// dot leads into a field (metadata.name), a | separates fields of which
	// the first that is there counts (alias|name).
	Keys []string
	// Rest are the fields that tell items apart that have the same Keys, as far as
	// they do.
	Rest []string
	// Separators identify the items of a Map list that are strings, instead
	// of Keys: by the text before the first of them (KEY=value). An item that
	// is a mapping of one field (conda's pip) is identified by its name.
	Separators []string
	// After leaves out of such an identity what stands before it: with "::",
	// bioconda::star=2.6 is star.
	After string
	// Defaults are the values of Keys that an item may leave out.
	Defaults map[string]string
	// Apart are the fields of which two items of an Ordered list differ in one at least that are
	// surely two things.
	Apart []string
	// Source says where the answer came from, for people.
	Source string
}

// A Place is where a list or another field stands. For what is inside an item
// of `kind: List`, it is that of the item: its APIVersion and Kind, and Path
// from the item's root.
type Place struct {
	// File is the path of the file in the repository, slash separated; may be empty.
	File string
	// APIVersion and Kind are those of the resource; empty if it is none.
	APIVersion, Kind string
	// Path are the field names from the resource's root to the list; "*"
	// stands for an item of a list.
	Path []string
}

// Rules answer what a list is. The zero value knows the built-in types, the presets
// and inference, and so does nil where it is asked about a Place. Rules must not be copied. They
// are safe for concurrent use once no more CRDs are added.
type Rules struct {
	team        []*entry
	extended    []string  // names of the sets that are in team
	written     []mention // in the team's own entries
	generated   []*Generated
	crdFiles    []wildmatch.Glob
	crdPatterns []string
	crds        crdTypes
	crdSource   func() ([]File, error) // nil if AddCRD gets them
	crdError    atomic.Pointer[error]
	remarks     []string
	selections  sync.Map // [3]string{file, apiVersion, kind} to *selection
}

// Of returns what the list at p is, given all its versions (nil where a
// version has none). A list whose items lack a key, or have one twice within
// a version, is Ordered whatever else is known; so is one whose version is
// no sequence.
func (r *Rules) Of(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) {
		return List{Kind: Ordered, Source: "no sequence"}
	}
	if l, ok := r.Known(p); ok {
		return l.of(versions, true)
	}
	return infer(versions, associative[:], true)
}

// Known returns what the first source that knows the list at p says, whatever is in the list;
// false where none does.
func (r *Rules) Known(p Place) (List, bool) {
	l, team, ok := r.declared(p)
	if !team {
		l = l.edited(p)
	}
	return l, ok
}

// declared is what the first source that knows the list at p says of it, and whether that is the team.
func (r *Rules) declared(p Place) (l List, team, ok bool) {
	sel := r.selection(p)
	if l, ok = first(sel.team, p.Path, lists); ok {
		return l, true, true
	}
	if l, ok = kubernetesList(sel.types(), p); !ok && r != nil && len(sel.types()) == 0 {
		defined := r.crds
		if r.crdSource != nil && p.APIVersion != "" && p.Kind != "" {
			defined = sel.crds()
		}
		l, ok = defined.list(p)
	}
	if !ok {
		l, ok = first(sel.presets(), p.Path, lists)
	}
	return l, false, ok
}

// Field returns the team's policy for the field at p; the zero Decision if there is none.
func (r *Rules) Field(p Place) (d Decision) {
	if r != nil && len(r.team) > 0 {
		d, _ = first(r.selection(p).team, p.Path, fields)
	}
	return d
}

// Remarks are what is no mistake in the team's file and yet worth a word, each with its
// place.
func (r *Rules) Remarks() []string {
	return r.remarks
}

// CRDs returns the patterns of the files that hold CRDs, as they are written.
func (r *Rules) CRDs() []string {
	return r.crdPatterns
}

// IsCRD reports whether the file at path, from the top of the work tree, is
// to be given to AddCRD.
func (r *Rules) IsCRD(path string) bool {
	return slices.ContainsFunc(r.crdFiles, func(g wildmatch.Glob) bool { return g.Match(path) })
}

// Image reports whether the field at p is the reference of an image: by the team's
// rules, Kubernetes' types or the presets.
func (r *Rules) Image(p Place) bool {
	sel := r.selection(p)
	if is, _ := first(sel.team, p.Path, images); is {
		return true
	}
	if list, ok := builtin(sel.types(), p); ok {
		return list == imageMark
	}
	is, _ := first(sel.presets(), p.Path, images)
	return is
}

// Names reports whether the keys of the mapping at p are names of things, so that two of them
// are never two ways to say one thing: it is a map of strings in all its versions (nil where one
// has none), or a preset says so.
func (r *Rules) Names(p Place, versions ...*syntax.Node) bool {
	if stringMap(p, versions...) {
		return true
	}
	is, _ := first(r.selection(p).presets(), p.Path, names)
	return is
}

// sequences reports whether every version that there is, is a sequence.
func sequences(versions []*syntax.Node) bool {
	return !slices.ContainsFunc(versions, func(v *syntax.Node) bool { return v != nil && v.Kind != syntax.Sequence })
}
