package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The versions of a merge, as indices of an array. Package three defines the same.
const (
	original = iota
	dest
	updated
)

// IdentityFunc returns a function that returns the identity of a document, by which the versions of a resource are
// paired: kind, namespace and name, with the API group if these are not unique. v has the documents of each version.
// Other documents are identified as by Identity.
func IdentityFunc(v [3][]*syntax.Node, namespace func(*syntax.Node) string) func(*syntax.Node) string {
	// without the version, so that a resource may move from extensions/v1beta1 to apps/v1
	return identityFuncWithGroups(v, namespace, map[string]bool{})
}

// StrictIdentityFunc returns a function like that of IdentityFunc, but a resource of dest and one of updated that differ
// only in their API groups get different identities, namely with the group. If useOriginal is true, the original shows
// that two are the same:
//
//	the original has their kind, namespace and name          the identity of IdentityFunc
//	each version has their kind and name exactly once        kind and name, in any namespace and group
func StrictIdentityFunc(v [3][]*syntax.Node, namespace func(*syntax.Node) string, useOriginal bool) func(*syntax.Node) string {
	var byIdentity [3]map[string]*syntax.Node
	for s, ns := range v {
		byIdentity[s] = map[string]*syntax.Node{}
		for _, n := range ns {
			byIdentity[s][identityIn(n, namespace(n))] = n
		}
	}
	withGroup := map[string]bool{}
	for id, u := range byIdentity[updated] {
		d, isInOriginal := byIdentity[dest][id], byIdentity[original][id] != nil
		if d != nil && !HaveSameGroup(d, u) && !(useOriginal && isInOriginal) {
			withGroup[id] = true
		}
	}
	identity := identityFuncWithGroups(v, namespace, withGroup)
	if !useOriginal {
		return identity
	}
	isUnique := uniqueNameFunc(v)
	return func(n *syntax.Node) string {
		if name := KindAndName(n); isUnique(name) {
			return name
		}
		return identity(n)
	}
}

// uniqueNameFunc returns a function that reports whether a kind and name (KindAndName) occur exactly once in each
// version of v. It returns false for "".
func uniqueNameFunc(v [3][]*syntax.Node) func(kindAndName string) bool {
	counts := map[string][3]int{}
	for s, ns := range v {
		for _, n := range ns {
			count := counts[KindAndName(n)]
			count[s]++
			counts[KindAndName(n)] = count
		}
	}
	return func(name string) bool { return name != "" && counts[name] == [3]int{1, 1, 1} }
}

// HaveSameGroup reports whether two resources of the same kind belong to the same API group. A group and the group that
// replaced it count as one, as extensions and apps for a Deployment. A resource without apiVersion belongs to every
// group.
func HaveSameGroup(a, b *syntax.Node) bool {
	x, y, kind := a.ScalarAt("apiVersion"), b.ScalarAt("apiVersion"), a.ScalarAt("kind")
	return x == "" || y == "" || currentGroup(x, kind) == currentGroup(y, kind)
}

// identityFuncWithGroups returns a function that returns the identity of a document: kind, namespace and name.
// withGroup has the identities to which the API group is added, to distinguish resources that differ only in it.
// Identities that are repeated within a version of v are added to withGroup. namespace returns the namespace of a
// resource.
func identityFuncWithGroups(v [3][]*syntax.Node, namespace func(*syntax.Node) string, withGroup map[string]bool) func(*syntax.Node) string {
	for _, ns := range v {
		seen := map[string]bool{}
		for _, n := range ns {
			id := identityIn(n, namespace(n))
			withGroup[id] = withGroup[id] || seen[id]
			seen[id] = true
		}
	}
	return func(n *syntax.Node) string {
		id := identityIn(n, namespace(n))
		if id == "" || !withGroup[id] {
			return id
		}
		return id + "\x01" + TypeOf(n.ScalarAt("apiVersion"), "").Group
	}
}

// Identity returns the identity of a resource, made of its kind, namespace and name (see IdentityOf). For a document
// without kind or name, it returns "&" and the anchor of the document, or "" if it has none.
func Identity(n *syntax.Node) string { return identityIn(n, Namespace(n)) }

// ResourceTitle returns the kind and name of a resource for messages: "Deployment/web", or "Deployment/web in prod" if
// the resource has a namespace. For a document without kind or name, it returns "&" and its anchor, or "" if it has no
// anchor.
func ResourceTitle(n *syntax.Node) string {
	id := kindNamePair(n)
	switch {
	case id[0] == "" || id[1] == "":
		return Identity(n)
	case Namespace(n) != "":
		return ResourceName(n) + " in " + Namespace(n)
	}
	return ResourceName(n)
}

// KindAndName returns an identity made of the kind and name of a resource, without its namespace and API group. For a
// document without kind or name, it returns the result of Identity.
func KindAndName(n *syntax.Node) string { return identityIn(n, "") }

// identityIn returns the identity of the resource n in this namespace, whatever n has in metadata.namespace. Without
// kind or name, it returns "&" and the anchor of n, as in files of the game engine Unity, or "". n may be nil.
func identityIn(n *syntax.Node, namespace string) string {
	switch id := kindNamePair(n); {
	case id[0] != "" && id[1] != "":
		return IdentityOf(id[0], namespace, id[1])
	case n != nil && n.Anchor != "":
		return "&" + n.Anchor
	}
	return ""
}

// IdentityOf returns the identity of a resource with this kind, namespace and name: the three texts, with the byte 1
// between them.
func IdentityOf(kind, namespace, name string) string {
	return kind + "\x01" + namespace + "\x01" + name
}

// DefaultNamespace is the namespace of a resource that does not have the field metadata.namespace.
const DefaultNamespace = "default"

// PositionFunc returns a function that identifies a document by its position among the documents of its version: "1"
// for the first one. v holds the documents of each version. Documents without content are not counted; they, and
// documents that are not in v, have the identity "".
func PositionFunc(v [3][]*syntax.Node) func(*syntax.Node) string {
	position := map[*syntax.Node]string{}
	for _, ns := range v {
		i := 0
		for _, n := range ns {
			if !n.Content.Empty() {
				i++
				position[n] = strconv.Itoa(i)
			}
		}
	}
	return func(n *syntax.Node) string { return position[n] }
}

// Namespace returns the value of metadata.namespace of n, or "" if n does not have it. n may be nil.
func Namespace(n *syntax.Node) string { return n.ScalarAt("metadata", "namespace") }

// Namespaces has the namespaces of the resources of a cluster (live resources). The key is the pair of kind and name. A
// resource without the field metadata.namespace has the entry "".
type Namespaces map[[2]string][]string

// NamespacesOf returns the namespaces of the resources in live, the state of a cluster, so that a resource without a
// namespace in a file can be found there (see KnownNamespace).
func NamespacesOf(live []*syntax.Node) Namespaces {
	in := Namespaces{}
	for _, n := range live {
		in[kindNamePair(n)] = append(in[kindNamePair(n)], Namespace(n))
	}
	return in
}

// kindNamePair returns the kind and the name of a resource; each is "" if n does not have it.
func kindNamePair(n *syntax.Node) [2]string {
	return [2]string{n.ScalarAt("kind"), n.ScalarAt("metadata", "name")}
}

// NamespaceOf returns the namespace of the resource n like KnownNamespace, but DefaultNamespace if it is not known.
func (in Namespaces) NamespaceOf(n *syntax.Node) string {
	return cmp.Or(in.KnownNamespace(n), DefaultNamespace)
}

// LiveNamespaces returns the namespaces of the live resources with the kind and name of n: "" for each that does not
// have the field metadata.namespace, and nil if there is no such resource.
func (in Namespaces) LiveNamespaces(n *syntax.Node) []string { return in[kindNamePair(n)] }

// KnownNamespace returns the namespace of the resource n. If n does not name one, it is found among the live resources
// with the kind and name of n: the namespace of the only one, or DefaultNamespace if one of several is there, otherwise
// "". in may be nil.
func (in Namespaces) KnownNamespace(n *syntax.Node) string {
	live := in.LiveNamespaces(n)
	switch namespace := Namespace(n); {
	case namespace == "" && len(live) == 1:
		return live[0]
	case namespace == "" && slices.Contains(live, DefaultNamespace):
		return DefaultNamespace
	default:
		return namespace
	}
}

// Resources returns the items of root if it is a List of resources (see IsList), otherwise root itself as the only
// element.
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

// IsList reports whether root is a List of resources: its kind ends in List, and its field items is a list of one or
// more documents, each with a kind and a name, or with an anchor. root may be nil.
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

// AllResources returns the resources of all documents of a stream, in their order. A document that is a List of
// resources counts as its items.
func AllResources(st *syntax.Stream) (all []*syntax.Node) {
	for _, d := range st.Docs {
		all = append(all, Resources(d.Root)...)
	}
	return all
}

// ResourceName returns the kind and name of a resource for messages: "Deployment/web". If n has only one of the two,
// the result is "Deployment/" or "/web"; if n has neither, it is "".
func ResourceName(n *syntax.Node) string {
	id := kindNamePair(n)
	if id[0]+id[1] == "" {
		return ""
	}
	return id[0] + "/" + id[1]
}

// AreDifferentResources reports whether docs, the documents of three versions, have more than one identity, so that
// they cannot all be merged with each other. It returns false if a document has no identity, because it is not a
// resource.
func AreDifferentResources(docs [3][]*syntax.Document) bool {
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	// the namespace may differ if kind and name occur exactly once in each version
	ids, id := map[string]bool{}, StrictIdentityFunc(roots, Namespace, true)
	for _, n := range slices.Concat(roots[:]...) {
		ids[id(n)] = true
	}
	return len(ids) > 1 && !ids[""]
}
