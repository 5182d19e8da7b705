// Package schema says which list is what: items paired by keys, a set, one
// value, or items in order.
//
// It answers from, first hit wins: the team's rules, the built-in Kubernetes
// types, CRDs, presets for well-known files, and inference from the items
// themselves.
package schema

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

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
	// Keys are the fields that identify an item of a Map list together.
	Keys []string
	// Defaults are the values of Keys that an item may leave out.
	Defaults map[string]string
	// Source says where the answer came from, for people.
	Source string
}

// A Place is where a list stands.
type Place struct {
	// File is the path of the file in the repository, slash separated; may be empty.
	File string
	// APIVersion and Kind are those of the resource; empty if it is none.
	APIVersion, Kind string
	// Path are the field names from the resource's root to the list; "*"
	// stands for an item of a list.
	Path []string
}

// Rules answer what a list is. The zero value knows the built-in types, the
// presets and inference.
type Rules struct{}

// Of returns what the list at p is, given all its versions (nil where a
// version has none). A list whose items lack a key, or have one twice within
// a version, is Ordered whatever else is known; so is one whose version is
// no sequence.
func (r *Rules) Of(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) {
		return List{Kind: Ordered, Source: "no sequence"}
	}
	if l, ok := r.known(p); ok {
		return l.checked(versions)
	}
	return infer(versions)
}

// known returns what the first source that knows the list at p says.
func (r *Rules) known(p Place) (List, bool) {
	return kubernetesList(p)
}

// checked returns l, or an Ordered list where l is a Map that cannot tell the
// items of a version apart.
func (l List) checked(versions []*syntax.Node) List {
	if l.Kind == Map && !l.identifies(versions) {
		return List{Kind: Ordered, Source: l.Source + ", but a key is missing or doubled"}
	}
	return l
}

// AtomicMap reports whether Kubernetes treats the mapping at p as one value (a
// label selector, a reference to an object). The default rules merge it field
// by field all the same: people who edit different fields of a reference want
// both edits.
func (r *Rules) AtomicMap(p Place) bool {
	s, ok := builtin(p)
	return ok && s.atomic
}

// sequences reports whether every version that there is, is a sequence.
func sequences(versions []*syntax.Node) bool {
	for _, v := range versions {
		if v != nil && v.Kind != syntax.Sequence {
			return false
		}
	}
	return true
}
