package tree

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// IsNull reports whether n is null, in whichever way.
func IsNull(n *syntax.Node) bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// ScalarAt is the scalar at a path of fields, "" if there is none.
func ScalarAt(n *syntax.Node, fields ...string) string {
	for _, f := range fields {
		if n == nil || n.Kind != syntax.Mapping {
			return ""
		}
		e := n.Field(f)
		if e == nil {
			return ""
		}
		n = e.Value
	}
	if n.Kind != syntax.Scalar {
		return ""
	}
	return n.Value
}
