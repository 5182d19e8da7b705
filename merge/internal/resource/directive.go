package resource

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// directives are the fields by which a strategic merge patch says what is to be
// done; the last two with the name of a list behind a slash.
var directives = []string{"$patch", "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"}

// Directives refuses an updated that is a patch: its directives would be written as
// if they were fields.
func (c Check) Directives() error {
	for _, root := range c.Roots[three.Updated] {
		if e := directive(root); e != nil {
			return c.problem(three.Updated, e.Start, e.Key.Value+" is a directive of a strategic merge patch; "+c.Names[three.Updated]+" is a resource")
		}
	}
	return nil
}

// directive is the first one at or below n, nil if there is none.
func directive(n *syntax.Node) *syntax.Entry {
	for _, e := range n.Entries {
		if e.Key != nil && e.Key.Kind == syntax.Scalar {
			if name, _, _ := strings.Cut(e.Key.Value, "/"); slices.Contains(directives, name) {
				return e
			}
		}
		if found := directive(e.Value); found != nil {
			return found
		}
	}
	return nil
}
