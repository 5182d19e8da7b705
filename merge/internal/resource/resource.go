package resource

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Identities returns what tells the identity of resources: kind, namespace and
// name, and the API group (without the version) of those that would be doubled
// within a version otherwise. So a resource keeps its identity when it moves
// from extensions/v1beta1 to apps/v1. What is no resource has none.
func Identities(v [3][]*syntax.Node, in func(*syntax.Node) string) func(*syntax.Node) string {
	return identities(v, in, map[string]bool{})
}

// IdentitiesApart is Identities, and takes what dest and updated have in two API
// groups for two resources; where the original may tell that one became the other,
// if it lacks the resource. Then it also takes the only one of its kind and name in
// every version for one, in whatever namespace and group it is.
func IdentitiesApart(v [3][]*syntax.Node, in func(*syntax.Node) string, history bool) func(*syntax.Node) string {
	apart, dest, known := map[string]bool{}, map[string]*syntax.Node{}, map[string]bool{}
	for _, n := range v[three.Original] {
		known[identityIn(n, in(n))] = history
	}
	for _, n := range v[three.Dest] {
		dest[identityIn(n, in(n))] = n
	}
	for _, n := range v[three.Updated] {
		id := identityIn(n, in(n))
		if d := dest[id]; d != nil && !known[id] && !sameGroup(d, n) {
			apart[id] = true
		}
	}
	id := identities(v, in, apart)
	if !history {
		return id
	}
	var kins [3][]string
	for s, ns := range v {
		for _, n := range ns {
			kins[s] = append(kins[s], Kin(n))
		}
	}
	only := Sole(kins)
	return func(n *syntax.Node) string {
		if kin := Kin(n); only[kin] {
			return kin
		}
		return id(n)
	}
}

// Sole are those of the kins of three versions of which every version has just one; "" is
// none.
func Sole(v [3][]string) map[string]bool {
	var times [3]map[string]int
	for s, kins := range v {
		times[s] = make(map[string]int, len(kins))
		for _, kin := range kins {
			times[s][kin]++
		}
	}
	only := map[string]bool{}
	for kin, n := range times[three.Original] {
		if kin != "" && n == 1 && times[three.Dest][kin] == 1 && times[three.Updated][kin] == 1 {
			only[kin] = true
		}
	}
	return only
}

func sameGroup(a, b *syntax.Node) bool {
	return schema.SameGroup(tree.ScalarAt(a, "apiVersion"), tree.ScalarAt(b, "apiVersion"), tree.ScalarAt(a, "kind"))
}

func identities(v [3][]*syntax.Node, in func(*syntax.Node) string, doubled map[string]bool) func(*syntax.Node) string {
	for _, ns := range v {
		seen := map[string]bool{}
		for _, n := range ns {
			id := identityIn(n, in(n))
			doubled[id] = doubled[id] || seen[id]
			seen[id] = true
		}
	}
	return func(n *syntax.Node) string {
		id := identityIn(n, in(n))
		if id == "" || !doubled[id] {
			return id
		}
		return id + "\x01" + group(tree.ScalarAt(n, "apiVersion"))
	}
}

// Identity is the kind, namespace and name of a resource, empty for what is
// none.
func Identity(n *syntax.Node) string { return identityIn(n, Namespace(n)) }

// Title is the kind and name of a resource for people, with its namespace if it
// says one; empty for what is none.
func Title(n *syntax.Node) string {
	if Identity(n) == "" {
		return ""
	}
	if tree.ScalarAt(n, "metadata", "name") == "" {
		return "&" + n.Anchor
	}
	title := tree.ScalarAt(n, "kind") + "/" + tree.ScalarAt(n, "metadata", "name")
	if in := Namespace(n); in != "" {
		title += " in " + in
	}
	return title
}

// Kin is the kind and name of a resource, in whatever namespace and API group it
// is; empty for what is none.
func Kin(n *syntax.Node) string { return identityIn(n, "") }

// identityIn is that of a resource in a namespace; of another document its anchor, as Unity writes them.
func identityIn(n *syntax.Node, namespace string) string {
	kind, name := tree.ScalarAt(n, "kind"), tree.ScalarAt(n, "metadata", "name")
	switch {
	case kind != "" && name != "":
		return Named(kind, namespace, name)
	case n != nil && n.Anchor != "":
		return "&" + n.Anchor
	}
	return ""
}

// Named is the identity of the resource of that kind, namespace and name.
func Named(kind, namespace, name string) string { return kind + "\x01" + namespace + "\x01" + name }

// group is an apiVersion without its version.
func group(apiVersion string) string {
	g, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return g
}

// DefaultNamespace is where a resource is that says no namespace.
const DefaultNamespace = "default"

// Places makes the place of a resource in its file its identity; what has no
// content is none.
func Places(v [3][]*syntax.Node) func(*syntax.Node) string {
	at := map[*syntax.Node]string{}
	for _, ns := range v {
		i := 0
		for _, n := range ns {
			if !n.Content.Empty() {
				i++
				at[n] = strconv.Itoa(i)
			}
		}
	}
	return func(n *syntax.Node) string { return at[n] }
}

// Namespace is what a resource says of its namespace.
func Namespace(n *syntax.Node) string { return tree.ScalarAt(n, "metadata", "namespace") }

// Namespaces are those that the resources of live say, by kind and name.
type Namespaces map[[2]string][]string

// NamespacesOf reads the namespaces of the resources of live.
func NamespacesOf(live []*syntax.Node) Namespaces {
	in := Namespaces{}
	for _, n := range live {
		in[kindAndName(n)] = append(in[kindAndName(n)], Namespace(n))
	}
	return in
}

func kindAndName(n *syntax.Node) [2]string {
	return [2]string{tree.ScalarAt(n, "kind"), tree.ScalarAt(n, "metadata", "name")}
}

// Of is the namespace of a resource: what it says, else that in which live has
// the only one of its kind and name, else the default one.
func (in Namespaces) Of(n *syntax.Node) string { return cmp.Or(in.Filled(n), DefaultNamespace) }

// Filled is of, but empty where neither n nor live says one.
func (in Namespaces) Filled(n *syntax.Node) string {
	live := in[kindAndName(n)]
	switch own := Namespace(n); {
	case own == "" && len(live) == 1:
		return live[0]
	case own == "" && slices.Contains(live, DefaultNamespace):
		return DefaultNamespace
	default:
		return own
	}
}
