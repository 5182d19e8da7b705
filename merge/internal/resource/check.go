package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A Check looks whether the resources of three streams are told apart
// by what they are; what is not so is a *problem.
type Check struct {
	Roots [3][]*syntax.Node // of the documents
	Files [3]*text.File
	Names [3]string
}

func problem(s three.Side, n *syntax.Node, what string) error { return problemAt(s, start(n), what) }

func problemAt(s three.Side, off int, what string) error {
	return &three.Problem{Side: s, Off: off, Text: what}
}

// start is where the first field of a resource stands, below its
// comments.
func start(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// Streams refuses streams of several documents that are not resources: one has no identity, or that of another.
func (c Check) Streams(id func(*syntax.Node) string) error {
	for s, roots := range c.Roots {
		seen := map[string]int{}
		for _, n := range roots {
			switch key := id(n); {
			case len(roots) == 1 || n.Content.Empty():
			case key == "":
				missing := "metadata.name"
				if tree.ScalarAt(n, "kind") == "" {
					missing = "kind"
				}
				return problem(three.Side(s), n, "a resource without "+missing+", in a file with several: these are known by kind, namespace and name")
			case seen[key] > 0:
				return problem(three.Side(s), n, fmt.Sprintf("%s is in this file twice, first at line %d", Name(n), seen[key]))
			default:
				seen[key] = c.Files[s].Line(start(n))
			}
		}
	}
	return nil
}

// Live refuses a config of which it is not clear what it is in live: also a resource without a namespace that
// live has in several, none of them the default one.
func (c Check) Live() error {
	v := c.Roots
	for _, root := range v[three.Updated] {
		for _, n := range Of(root) {
			if given := tree.ScalarAt(n, "metadata", "generateName"); given != "" && tree.ScalarAt(n, "metadata", "name") == "" {
				return problem(three.Updated, n, "from "+given+": cannot use generate name with apply")
			}
		}
	}
	if len(v[three.Dest]) == 1 && len(v[three.Updated]) == 1 {
		if err := c.pair(v[three.Dest][0], v[three.Updated][0]); err != nil {
			return err
		}
	}
	for _, s := range three.Sides {
		for _, n := range v[s] {
			if IsList(n) && len(v[s.Other()]) > 1 {
				return problem(s, n, "a "+tree.ScalarAt(n, "kind")+" of resources, and "+c.Names[s.Other()]+" has them as documents")
			}
		}
	}
	in := NamespacesOf(ofAll(v[three.Dest]))
	for _, n := range ofAll(v[three.Updated]) {
		live := in[kindAndName(n)]
		if Namespace(n) == "" && len(live) > 1 && !slices.Contains(live, DefaultNamespace) && !slices.Contains(live, "") {
			return problem(three.Updated, n, fmt.Sprintf("%s says no metadata.namespace, and %s has it in %s",
				Name(n), c.Names[three.Dest], strings.Join(live, ", ")))
		}
	}
	return nil
}

// pair refuses the config of one resource for another.
func (c Check) pair(live, config *syntax.Node) error {
	for _, f := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		l, want := tree.ScalarAt(live, f...), tree.ScalarAt(config, f...)
		if l != "" && want != "" && l != want {
			return problem(three.Updated, config, fmt.Sprintf("another resource than in %s: %s is %s, not %s",
				c.Names[three.Dest], strings.Join(f, "."), want, l))
		}
	}
	if !sameGroup(live, config) {
		return problem(three.Updated, config, fmt.Sprintf("another resource than in %s: apiVersion is %s, not %s",
			c.Names[three.Dest], tree.ScalarAt(config, "apiVersion"), tree.ScalarAt(live, "apiVersion")))
	}
	return nil
}

// Patch is the directive that says what is to be done with what it stands in.
const Patch = "$patch"

// directives are the fields by which a strategic merge patch says what is to be
// done; the last two with the name of a list behind a slash.
var directives = []string{Patch, "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList"}

// Directives refuses an updated that has directives of a patch: they would be written
// as if they were fields. Of patches, it refuses those that are not obeyed.
func (c Check) Directives(patches bool) error {
	for _, root := range c.Roots[three.Updated] {
		e := directive(root, func(name string) bool { return !patches || name != Patch })
		switch {
		case e != nil && patches:
			return problemAt(three.Updated, e.Start, e.Key.Value+" is a directive of a strategic merge patch, of which "+Patch+" alone is obeyed")
		case e != nil:
			return problemAt(three.Updated, e.Start, e.Key.Value+" is a directive of a strategic merge patch; "+
				c.Names[three.Updated]+" is a resource")
		}
	}
	return nil
}

// Directive is the first $patch at or below n, nil if there is none.
func Directive(n *syntax.Node) *syntax.Entry {
	return directive(n, func(name string) bool { return name == Patch })
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
