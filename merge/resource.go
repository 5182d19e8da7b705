package merge

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// resourcesOf are the items of a List, else the root itself.
func resourcesOf(root *syntax.Node) []*syntax.Node {
	if !isList(root) {
		return []*syntax.Node{root}
	}
	var items []*syntax.Node
	for _, e := range root.Field("items").Value.Entries {
		items = append(items, e.Value)
	}
	return items
}

// isList reports whether root is a List of resources.
func isList(root *syntax.Node) bool {
	if !strings.HasSuffix(scalarAt(root, "kind"), "List") || root.Field("items") == nil {
		return false
	}
	items := root.Field("items").Value.Entries
	for _, e := range items {
		if e.Key != nil || identity(e.Value) == "" {
			return false
		}
	}
	return len(items) > 0
}

// resourcesIn are all resources of a stream.
func resourcesIn(st *syntax.Stream) []*syntax.Node {
	var all []*syntax.Node
	for _, d := range st.Docs {
		all = append(all, resourcesOf(d.Root)...)
	}
	return all
}

// resourceStart is where the first field of a resource stands, below its
// comments.
func resourceStart(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// missing is what n lacks to be a resource.
func missing(n *syntax.Node) string {
	if scalarAt(n, "kind") == "" {
		return "kind"
	}
	return "metadata.name"
}

// resourceName names a resource for people; empty if it has neither kind nor name.
func resourceName(n *syntax.Node) string {
	if missing(n) == "kind" && scalarAt(n, "metadata", "name") == "" {
		return ""
	}
	return scalarAt(n, "kind") + "/" + scalarAt(n, "metadata", "name")
}

// replacedResource reports whether single documents are not one resource.
func replacedResource(docs [3][]*syntax.Document) bool {
	ids := map[string]bool{}
	for _, ds := range docs {
		for _, d := range ds {
			ids[identity(d.Root)] = true
		}
	}
	return len(ids) > 1 && !ids[""]
}
