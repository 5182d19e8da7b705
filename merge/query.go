package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// fieldKey is the identity of a field: its key by value, so that z and "z"
// are one.
func fieldKey(e *syntax.Entry) string {
	switch {
	case e.Key.Kind == syntax.Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}

// scalarAt is the scalar at a path of fields, "" if there is none.
func scalarAt(n *syntax.Node, fields ...string) string {
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
