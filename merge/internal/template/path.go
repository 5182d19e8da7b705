package template

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// document is what paths in a document start with, as in a merge: nothing in a
// file of one.
func (r *Reading) document(i int, d *syntax.Document) string {
	if len(r.Stream.Docs) < 2 {
		return ""
	}
	kind, name := scalarAt(d.Root, "kind"), ""
	if m := d.Field("metadata"); m != nil {
		name = scalarAt(m.Value, "name")
	}
	if kind == "" || name == "" {
		return "document " + strconv.Itoa(i+1) + ": "
	}
	return kind + "/" + name + ": "
}

func scalarAt(n *syntax.Node, field string) string {
	if e := n.Field(field); e != nil && e.Value.Kind == syntax.Scalar {
		return e.Value.Value
	}
	return ""
}

// below is the path of an entry below path, spelled as a merge does it. Items are
// known by their name alone; others cannot be told apart.
func below(path string, e *syntax.Entry) string {
	if e.Key == nil {
		if name := scalarAt(e.Value, "name"); name != "" {
			return path + "[name=" + name + "]"
		}
		return path + "[]"
	}
	return field(path, e.Key.Value)
}

// field is the path of a field of what has a path.
func field(path, field string) string {
	if field == "" || strings.ContainsFunc(field, func(c rune) bool { return c < ' ' || c == 0x7f || strings.ContainsRune(`. []"=,:`, c) }) {
		field = strconv.Quote(field)
	}
	if path == "" || strings.HasSuffix(path, ": ") {
		return path + field
	}
	return path + "." + field
}
