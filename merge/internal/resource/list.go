package resource

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Of are the items of a List, else the root itself.
func Of(root *syntax.Node) []*syntax.Node {
	if !IsList(root) {
		return []*syntax.Node{root}
	}
	var items []*syntax.Node
	for _, e := range root.Field("items").Value.Entries {
		items = append(items, e.Value)
	}
	return items
}

// IsList reports whether root is a List of resources.
func IsList(root *syntax.Node) bool {
	if !strings.HasSuffix(tree.ScalarAt(root, "kind"), "List") || root.Field("items") == nil {
		return false
	}
	items := root.Field("items").Value.Entries
	for _, e := range items {
		if e.Key != nil || Identity(e.Value) == "" {
			return false
		}
	}
	return len(items) > 0
}

// In are all resources of a stream.
func In(st *syntax.Stream) []*syntax.Node {
	var all []*syntax.Node
	for _, d := range st.Docs {
		all = append(all, Of(d.Root)...)
	}
	return all
}

// start is where the first field of a resource stands, below its
// comments.
func start(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// missing is what n lacks to be a resource.
func missing(n *syntax.Node) string {
	if tree.ScalarAt(n, "kind") == "" {
		return "kind"
	}
	return "metadata.name"
}

// Name names a resource for people; empty if it has neither kind nor name.
func Name(n *syntax.Node) string {
	if missing(n) == "kind" && tree.ScalarAt(n, "metadata", "name") == "" {
		return ""
	}
	return tree.ScalarAt(n, "kind") + "/" + tree.ScalarAt(n, "metadata", "name")
}

// Replaced reports whether single documents are not one resource.
func Replaced(docs [3][]*syntax.Document) bool {
	ids := map[string]bool{}
	for _, ds := range docs {
		for _, d := range ds {
			ids[Identity(d.Root)] = true
		}
	}
	return len(ids) > 1 && !ids[""]
}
