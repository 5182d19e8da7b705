package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/compare"

// ListsOptions are the options of Lists.
type ListsOptions struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	Path string
	// Rules are the team's rules. nil means none.
	Rules *Rules
}

// A List describes one list of a file; see docs/rules.md.
type List struct {
	// Path names the list, as in spec.template.spec.containers. It is empty for a list that is the whole document.
	Path string `json:"path"`
	// Line is the line of its first item, from 1; of the list itself if it is empty.
	Line int `json:"line"`
	// Kind is how its items are matched.
	Kind ListKind `json:"kind"`
	// Keys are the associative keys of a ListMap: the fields that together identify an item. They are nil for other
	// kinds, and if Separators are used.
	Keys []string `json:"keys,omitempty"`
	// Defaults has the values of keys that an item may omit.
	Defaults map[string]string `json:"defaults,omitempty"`
	// Separators are used instead of Keys if the items are strings: the text before a separator identifies an item.
	Separators []string `json:"separators,omitempty"`
	// Source is the source of the rule, for the user: the team's file, a type, or similar.
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
)

// Lists returns the lists of a file, in its order, with the kinds that a merge would use if all versions were equal
// to data. It returns an error if data cannot be parsed as YAML, or if a custom resource definition that it needs is
// invalid.
func Lists(data []byte, opts ListsOptions) ([]List, error) {
	found, err := compare.Lists(data, compareOptions(opts.Path, opts.Rules))
	var all []List
	for _, l := range found {
		all = append(all, List{l.Path, l.Line, ListKind(l.Kind), l.Keys, l.Defaults, l.Separators, l.Source})
	}
	return all, err
}
