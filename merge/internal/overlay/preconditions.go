package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A checker checks whether the resources of three streams can be identified, and whether updated contains directives of
// a strategic merge patch, such as $patch. Its errors are of type *three.InputError.
type checker struct {
	streams [3]*syntax.Stream
	roots   [3][]*syntax.Node // by version, the roots of the documents
	names   [3]string
}

// problemAt returns an error at the first field of n, a node of version s.
func problemAt(s three.Version, n *syntax.Node, format string, a ...any) error {
	return &three.InputError{Side: s, Off: firstOffset(n), Text: fmt.Sprintf(format, a...)}
}

// firstOffset returns the offset at which n starts, for a line number: that of its first entry, without the comments
// above it. If n has no entries, it is the offset of its content.
func firstOffset(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// checkIdentities returns an error if resources of one version could be confused. Each of several documents with
// content needs an identity, and no two may have the same. A single document needs none. identityOf returns the
// identity of a document, or "".
func (c checker) checkIdentities(identityOf func(*syntax.Node) string) error {
	for s, roots := range c.roots {
		roots = slices.DeleteFunc(slices.Clone(roots), func(n *syntax.Node) bool { return n.Content.Empty() })
		if len(roots) == 1 {
			continue
		}
		lineOf := map[string]int{}
		for _, n := range roots {
			identity := identityOf(n)
			if identity == "" {
				missing := "metadata.name"
				if n.ScalarAt("kind") == "" {
					missing = "kind"
				}
				return problemAt(three.Version(s), n, "missing %s; each resource of a file with several needs kind and metadata.name", missing)
			}
			if line, isDuplicate := lineOf[identity]; isDuplicate {
				return problemAt(three.Version(s), n, "duplicate %s (first at line %d)", schema.ResourceName(n), line)
			}
			lineOf[identity] = c.streams[s].File.Line(firstOffset(n))
		}
	}
	return nil
}

// checkLive returns an error if it is not clear which resource of dest, the live state of a cluster, a resource of
// updated, the configuration, stands for: see the functions that it calls.
func (c checker) checkLive() error {
	return cmp.Or(c.checkGeneratedNames(), c.checkSameResource(), c.checkLists(), c.checkNamespaces())
}

// checkGeneratedNames returns an error about the first resource of updated with generateName and no name, or nil.
func (c checker) checkGeneratedNames() error {
	for _, n := range schema.AllResources(c.streams[three.Updated]) {
		if generateName := n.ScalarAt("metadata", "generateName"); generateName != "" && n.ScalarAt("metadata", "name") == "" {
			return problemAt(three.Updated, n, "from %s: cannot use generate name with apply", generateName)
		}
	}
	return nil
}

// checkLists returns an error if one side has a kind: List and the other several documents, or nil. The resources in a
// List are not paired with documents.
func (c checker) checkLists() error {
	for _, s := range three.Sides {
		for _, n := range c.roots[s] {
			if schema.IsList(n) && len(c.roots[s.Other()]) > 1 {
				return problemAt(s, n, "the resources are in a %s, but %s has several documents", n.ScalarAt("kind"), c.names[s.Other()])
			}
		}
	}
	return nil
}

// checkNamespaces returns an error if it is not clear in which namespace a resource of updated is: it names none, and
// dest has resources of its name in several namespaces, but none in the default one. The error is about the first such
// resource; otherwise it is nil.
func (c checker) checkNamespaces() error {
	namespaces := schema.NamespacesOf(schema.AllResources(c.streams[three.Dest]))
	for _, n := range schema.AllResources(c.streams[three.Updated]) {
		live := namespaces.LiveNamespaces(n)
		hasDefault := slices.Contains(live, schema.DefaultNamespace) || slices.Contains(live, "")
		if schema.Namespace(n) == "" && len(live) > 1 && !hasDefault {
			return problemAt(three.Updated, n, "%s has no metadata.namespace, and %s has resources of this name in %s",
				schema.ResourceName(n), c.names[three.Dest], strings.Join(live, ", "))
		}
	}
	return nil
}

// checkSameResource returns an error if dest and updated have one document each that are different resources. The
// message names the first of kind, name, namespace and API group in which they differ; "here" means updated:
//
//	not the same resource as in live.yaml: kind is Job here, but Service in live.yaml
//
// Fields that one of the two lacks are not compared, nor are the versions of an API group. Otherwise it returns nil.
func (c checker) checkSameResource() error {
	if len(c.roots[three.Dest]) != 1 || len(c.roots[three.Updated]) != 1 {
		return nil
	}
	live, config := c.roots[three.Dest][0], c.roots[three.Updated][0]
	differsIn := func(field, inConfig, inLive string) error {
		return problemAt(three.Updated, config, "not the same resource as in %[1]s: %[2]s is %[3]s here, but %[4]s in %[1]s", c.names[three.Dest], field, inConfig, inLive)
	}
	for _, path := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		if inConfig, inLive := config.ScalarAt(path...), live.ScalarAt(path...); inConfig != "" && inLive != "" && inConfig != inLive {
			return differsIn(strings.Join(path, "."), inConfig, inLive)
		}
	}
	if !schema.HaveSameGroup(live, config) {
		return differsIn("apiVersion", config.ScalarAt("apiVersion"), live.ScalarAt("apiVersion"))
	}
	return nil
}

// patchField is the directive of a patch that sets how the mapping or list that contains it is applied.
const patchField = "$patch"

// directiveNames are the directives of a strategic merge patch. The last two are followed by a slash and the name of a
// list.
var directiveNames = []string{patchField, "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"}

// checkDirectives returns an error if updated contains a directive of a strategic merge patch, at any depth, because
// the result would contain it like a field:
//
//	$patch is a directive of a strategic merge patch, but new.yaml is a resource
//
// patches says that updated may be a patch: $patch is then allowed, but no other directive. The error is about the
// first directive, or nil if there is none.
func (c checker) checkDirectives(patches bool) error {
	for _, root := range c.roots[three.Updated] {
		e := findDirective(root, func(name string) bool { return !patches || name != patchField })
		if e == nil {
			continue
		}
		reason := ", but " + c.names[three.Updated] + " is a resource"
		if patches {
			reason = "; only " + patchField + " is supported"
		}
		return &three.InputError{Side: three.Updated, Off: e.Start, Text: e.Key.Value + " is a directive of a strategic merge patch" + reason}
	}
	return nil
}

// findPatch returns the first $patch field in n, at any depth, or nil if there is none.
func findPatch(n *syntax.Node) *syntax.Entry {
	return findDirective(n, func(name string) bool { return name == patchField })
}

// findDirective returns the first directive of a strategic merge patch in n, at any depth, or nil if there is none.
// Only those for which matches returns true count. Directives are fields such as $patch, $retainKeys,
// $setElementOrder/containers or $deleteFromPrimitiveList/finalizers. matches gets the name before the slash.
func findDirective(n *syntax.Node, matches func(name string) bool) *syntax.Entry {
	for _, e := range n.Entries {
		if e.Key != nil && e.Key.Kind == syntax.Scalar {
			if name, _, _ := strings.Cut(e.Key.Value, "/"); slices.Contains(directiveNames, name) && matches(name) {
				return e
			}
		}
		if found := findDirective(e.Value, matches); found != nil {
			return found
		}
	}
	return nil
}
