package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A List is one list of a file, and how a merge matches its items; see docs/rules.md.
type List struct {
	// Path names the list, as in spec.template.spec.containers. It is empty for a list that is the whole document.
	Path string `json:"path"`
	// Line is the line of its first item, from 1; of the list itself if it is empty.
	Line int `json:"line"`
	// Kind is how a merge matches the items of the list. It is never empty.
	Kind ListKind `json:"kind"`
	// Keys are the associative keys of a ListMap, the fields that together identify an item, or the fields of a
	// ListUnit. They are nil for other kinds.
	Keys []string `json:"keys,omitempty"`
	// Defaults has the values of associative keys that an item may omit, by the name of the key, as in protocol: TCP.
	// It is nil if there are none.
	Defaults map[string]string `json:"defaults,omitempty"`
	// Separators are used for the items of a ListMap that are strings: the text before a separator identifies an item,
	// as "A" does in "A=1". They are nil for other lists, and for those of which a preset knows a more complex form.
	Separators []string `json:"separators,omitempty"`
	// After is the text after which the text that identifies a string begins, if the string has it, as "star" in
	// "bioconda::star" begins after "::". It is empty if the text begins at the start.
	After string `json:"after,omitempty"`
	// Source says where the way to match comes from, for the user: the team's file, a built-in type, or similar.
	Source string `json:"source"`
}

// ListKind is the way in which the items of a list are matched.
type ListKind string

// The kinds of lists.
const (
	ListMap     ListKind = "map"     // by associative keys
	ListSet     ListKind = "set"     // by value
	ListAtomic  ListKind = "atomic"  // not at all: the list is one value
	ListOrdered ListKind = "ordered" // aligned by a diff, as lines are
	ListUnit    ListKind = "unit"    // no list: the fields Keys of a mapping are one value, and all come from the same side
)

// listKinds has the ListKind for each kind of list of package schema.
var listKinds = map[schema.Kind]ListKind{
	schema.Map: ListMap, schema.Set: ListSet, schema.Atomic: ListAtomic, schema.Ordered: ListOrdered,
}

// Lists returns all lists in data, a YAML file, each with how a merge matches its items, in the order of the file. It
// fails, without lists, if data cannot be parsed, is too large or has conflict markers. An error about a custom
// resource definition is returned together with the lists.
func Lists(data []byte, opts FileOptions) ([]List, error) {
	rules := opts.Rules.teamOrEmpty()
	l := &listCollector{Matcher: pair.NewMatcher(rules, opts.Path)}
	if err := l.collectFile(data); err != nil {
		return nil, err
	}
	return l.lists, rules.CRDError()
}
