package resource

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Patch is the directive that says what is to be done with what it stands in.
const Patch = "$patch"

// directives are the fields by which a strategic merge patch says what is to be
// done; the last two with the name of a list behind a slash.
var directives = []string{Patch, "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"}

// Directives refuses an updated that has directives of a patch: they would be written
// as if they were fields. Of patches, it refuses those that are not obeyed.
func (c Check) Directives(patches bool) error {
	for _, root := range c.Roots[three.Updated] {
		e := directive(root, func(name string) bool { return !patches || name != Patch })
		switch {
		case e != nil && patches:
			return c.problem(three.Updated, e.Start, e.Key.Value+" is a directive of a strategic merge patch, of which "+Patch+" alone is obeyed")
		case e != nil:
			return c.problem(three.Updated, e.Start, e.Key.Value+" is a directive of a strategic merge patch; "+
				c.Names[three.Updated]+" is a resource")
		}
	}
	return nil
}

// Directive is the first $patch at or below n, nil if there is none.
func Directive(n *syntax.Node) *syntax.Entry {
	return directive(n, func(name string) bool { return name == Patch })
}

// directive is the first one at or below n that of holds for, nil if there is none.
func directive(n *syntax.Node, of func(name string) bool) *syntax.Entry {
	for _, e := range n.Entries {
		if e.Key != nil && e.Key.Kind == syntax.Scalar {
			if name, _, _ := strings.Cut(e.Key.Value, "/"); slices.Contains(directives, name) && of(name) {
				return e
			}
		}
		if found := directive(e.Value, of); found != nil {
			return found
		}
	}
	return nil
}
