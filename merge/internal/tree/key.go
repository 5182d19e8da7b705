package tree

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// FieldKey is the identity of a field: its key by value, so that z and "z"
// are one.
func FieldKey(e *syntax.Entry) string {
	switch {
	case e.Key.Kind == syntax.Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}
