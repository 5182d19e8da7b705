package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The versions in [3], as package three has them.
const (
	original = iota
	dest
	updated
)

// Identities returns what tells the identity of resources: kind, namespace and
// name, and the API group (without the version) of those that would be doubled
// within a version otherwise. So a resource keeps its identity when it moves
// from extensions/v1beta1 to apps/v1. What is no resource has none.
func Identities(v [3][]*syntax.Node, in func(*syntax.Node) string) func(*syntax.Node) string {
	return knownApart(v, in, map[string]bool{})
}

// IdentitiesApart is Identities, and takes what dest and updated have in two API
// groups for two resources; where the original may tell that one became the other,
// if it lacks the resource. Then it also takes the only one of its kind and name in
// every version for one, in whatever namespace and group it is.
func IdentitiesApart(v [3][]*syntax.Node, in func(*syntax.Node) string, history bool) func(*syntax.Node) string {
	apart, had, known := map[string]bool{}, map[string]*syntax.Node{}, map[string]bool{}
	for _, n := range v[original] {
		known[identityIn(n, in(n))] = history
	}
	for _, n := range v[dest] {
		had[identityIn(n, in(n))] = n
	}
	for _, n := range v[updated] {
		id := identityIn(n, in(n))
		if d := had[id]; d != nil && !known[id] && !SameKindGroup(d, n) {
			apart[id] = true
		}
	}
	id := knownApart(v, in, apart)
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
	for kin, n := range times[original] {
		if kin != "" && n == 1 && times[dest][kin] == 1 && times[updated][kin] == 1 {
			only[kin] = true
		}
	}
	return only
}

// SameKindGroup reports whether two resources of one kind are of one API group: see SameGroup.
func SameKindGroup(a, b *syntax.Node) bool {
	return SameGroup(a.ScalarAt("apiVersion"), b.ScalarAt("apiVersion"), a.ScalarAt("kind"))
}

// knownApart is Identities, and knows those of doubled by their API groups.
func knownApart(v [3][]*syntax.Node, in func(*syntax.Node) string, doubled map[string]bool) func(*syntax.Node) string {
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
		return id + "\x01" + resourceOf(n.ScalarAt("apiVersion"), "").group
	}
}

// Identity is the kind, namespace and name of a resource, empty for what is
// none.
func Identity(n *syntax.Node) string { return identityIn(n, Namespace(n)) }

// ResourceTitle is the kind and name of a resource for people, with its namespace if it
// says one; empty for what is none.
func ResourceTitle(n *syntax.Node) string {
	id := kindAndName(n)
	switch {
	case id[0] == "" || id[1] == "":
		return Identity(n)
	case Namespace(n) != "":
		return ResourceName(n) + " in " + Namespace(n)
	}
	return ResourceName(n)
}

// Kin is the kind and name of a resource, in whatever namespace and API group it
// is; empty for what is none.
func Kin(n *syntax.Node) string { return identityIn(n, "") }

// identityIn is that of a resource in a namespace; of another document its anchor, as Unity writes them.
func identityIn(n *syntax.Node, namespace string) string {
	switch id := kindAndName(n); {
	case id[0] != "" && id[1] != "":
		return IdentityOf(id[0], namespace, id[1])
	case n != nil && n.Anchor != "":
		return "&" + n.Anchor
	}
	return ""
}

// IdentityOf is the identity of the resource of that kind, namespace and name.
func IdentityOf(kind, namespace, name string) string {
	return kind + "\x01" + namespace + "\x01" + name
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
func Namespace(n *syntax.Node) string { return n.ScalarAt("metadata", "namespace") }

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
	return [2]string{n.ScalarAt("kind"), n.ScalarAt("metadata", "name")}
}

// Of is the namespace of a resource: what it says, else that in which live has
// the only one of its kind and name, else the default one.
func (in Namespaces) Of(n *syntax.Node) string { return cmp.Or(in.Filled(n), DefaultNamespace) }

// All are the namespaces in which live has resources of n's kind and name.
func (in Namespaces) All(n *syntax.Node) []string { return in[kindAndName(n)] }

// Filled is Of, but empty where neither n nor live says one.
func (in Namespaces) Filled(n *syntax.Node) string {
	live := in.All(n)
	switch own := Namespace(n); {
	case own == "" && len(live) == 1:
		return live[0]
	case own == "" && slices.Contains(live, DefaultNamespace):
		return DefaultNamespace
	default:
		return own
	}
}

// Resources are the items of a List, else the root itself.
func Resources(root *syntax.Node) []*syntax.Node {
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
	if !strings.HasSuffix(root.ScalarAt("kind"), "List") || root.Field("items") == nil {
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

// AllResources are all resources of a stream.
func AllResources(st *syntax.Stream) (all []*syntax.Node) {
	for _, d := range st.Docs {
		all = append(all, Resources(d.Root)...)
	}
	return all
}

// ResourceName names a resource for people; empty if it has neither kind nor name.
func ResourceName(n *syntax.Node) string {
	id := kindAndName(n)
	if id[0]+id[1] == "" {
		return ""
	}
	return id[0] + "/" + id[1]
}

// Replaced reports whether single documents are not one resource.
func Replaced(docs [3][]*syntax.Document) bool {
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	ids, id := map[string]bool{}, IdentitiesApart(roots, Namespace, true)
	for _, n := range slices.Concat(roots[:]...) {
		ids[id(n)] = true
	}
	return len(ids) > 1 && !ids[""]
}
