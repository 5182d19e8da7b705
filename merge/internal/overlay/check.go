package overlay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A check looks whether the resources of three streams are told apart by what they are; what is not so is a
// *three.Problem.
type check struct {
	roots [3][]*syntax.Node // of the documents
	files [3]*text.File
	names [3]string
}

// problem is one about n, which is of s: at its first field, below its comments.
func problem(s three.Version, n *syntax.Node, format string, a ...any) error {
	return &three.InputError{Side: s, Off: start(n), Text: fmt.Sprintf(format, a...)}
}

func start(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// streams refuses streams of several documents that are not resources: one has no identity, or that of another.
func (c check) streams(id func(*syntax.Node) string) error {
	for s, roots := range c.roots {
		seen := map[string]int{}
		roots = slices.DeleteFunc(slices.Clone(roots), func(n *syntax.Node) bool { return n.Content.Empty() })
		for _, n := range roots {
			switch key := id(n); {
			case len(roots) == 1:
			case key == "":
				missing := "metadata.name"
				if n.ScalarAt("kind") == "" {
					missing = "kind"
				}
				return problem(three.Version(s), n, "a resource without %s, in a file with several: these are known by kind, namespace and name", missing)
			case seen[key] > 0:
				return problem(three.Version(s), n, "%s is in this file twice, first at line %d", schema.ResourceName(n), seen[key])
			default:
				seen[key] = c.files[s].Line(start(n))
			}
		}
	}
	return nil
}

// live refuses a config of which it is not clear what it is in live: also a resource without a namespace that
// live has in several, none of them the default one.
func (c check) live() error {
	v := c.roots
	var all [3][]*syntax.Node // the items of Lists, too
	for _, s := range three.Sides {
		for _, root := range v[s] {
			all[s] = append(all[s], schema.Resources(root)...)
		}
	}
	for _, n := range all[three.Updated] {
		if given := n.ScalarAt("metadata", "generateName"); given != "" && n.ScalarAt("metadata", "name") == "" {
			return problem(three.Updated, n, "from %s: cannot use generate name with apply", given)
		}
	}
	if len(v[three.Dest]) == 1 && len(v[three.Updated]) == 1 {
		if err := c.pair(v[three.Dest][0], v[three.Updated][0]); err != nil {
			return err
		}
	}
	for _, s := range three.Sides {
		for _, n := range v[s] {
			if schema.IsList(n) && len(v[s.Other()]) > 1 {
				return problem(s, n, "a %s of resources, and %s has them as documents", n.ScalarAt("kind"), c.names[s.Other()])
			}
		}
	}
	in := schema.NamespacesOf(all[three.Dest])
	for _, n := range all[three.Updated] {
		live := in.LiveNamespaces(n)
		if schema.Namespace(n) == "" && len(live) > 1 && !slices.Contains(live, schema.DefaultNamespace) && !slices.Contains(live, "") {
			return problem(three.Updated, n, "%s says no metadata.namespace, and %s has it in %s",
				schema.ResourceName(n), c.names[three.Dest], strings.Join(live, ", "))
		}
	}
	return nil
}

// pair refuses the config of one resource for another.
func (c check) pair(live, config *syntax.Node) error {
	differs := func(field, is, want string) error {
		return problem(three.Updated, config, "another resource than in %s: %s is %s, not %s", c.names[three.Dest], field, is, want)
	}
	for _, f := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		if l, want := live.ScalarAt(f...), config.ScalarAt(f...); l != "" && want != "" && l != want {
			return differs(strings.Join(f, "."), want, l)
		}
	}
	if !schema.HaveSameGroup(live, config) {
		return differs("apiVersion", config.ScalarAt("apiVersion"), live.ScalarAt("apiVersion"))
	}
	return nil
}

// patchField is the directive that says what is to be done with what it stands in.
const patchField = "$patch"

// directives are the fields by which a strategic merge patch says what is to be
// done; the last two with the name of a list behind a slash.
var directives = []string{patchField, "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"}

// directives refuses an updated that has directives of a patch: they would be written
// as if they were fields. Of patches, it refuses those that are not obeyed.
func (c check) directives(patches bool) error {
	for _, root := range c.roots[three.Updated] {
		e := directive(root, func(name string) bool { return !patches || name != patchField })
		if e == nil {
			continue
		}
		why := "; " + c.names[three.Updated] + " is a resource"
		if patches {
			why = ", of which " + patchField + " alone is obeyed"
		}
		return &three.InputError{Side: three.Updated, Off: e.Start, Text: e.Key.Value + " is a directive of a strategic merge patch" + why}
	}
	return nil
}

// patchIn is the first $patch at or below n, nil if there is none.
func patchIn(n *syntax.Node) *syntax.Entry {
	return directive(n, func(name string) bool { return name == patchField })
}

// directive is the first one at or below n that of holds for, nil if there is none.
func directive(n *syntax.Node, of func(name string) bool) *syntax.Entry {
	for _, e := range n.Entries {
		if e.Key != nil && e.Key.Kind == syntax.Scalar {
			if name, _, _ := strings.Cut(e.Key.Value, "/"); slices.Contains(directives, name) && of(name) {
				return e
			}
		}
		if found := directive(e.Value, of); found != nil {
			return found
		}
	}
	return nil
}
