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

func (c Check) problem(s three.Side, off int, what string) error {
	return &three.Problem{Side: s, Off: off, Text: what}
}

// Streams refuses streams of several documents that are not resources,
// or not told apart by what they are.
func (c Check) Streams(id func(*syntax.Node) string) error {
	for s := range c.Roots {
		if err := c.stream(three.Side(s), id); err != nil {
			return err
		}
	}
	return nil
}

// stream refuses resources of a stream that have no identity, or one that
// another has.
func (c Check) stream(s three.Side, id func(*syntax.Node) string) error {
	roots := c.Roots[s]
	seen := map[string]int{}
	for _, n := range roots {
		at := start(n)
		switch key := id(n); {
		case len(roots) == 1 || n.Content.Empty():
		case key == "":
			return c.problem(s, at, "a resource without "+missing(n)+", in a file with several: these are known by kind, namespace and name")
		case seen[key] > 0:
			return c.problem(s, at, fmt.Sprintf("%s is in this file twice, first at line %d", Name(n), seen[key]))
		default:
			seen[key] = c.Files[s].Line(at)
		}
	}
	return nil
}

// Live refuses a config of which it is not clear what it is in live.
func (c Check) Live() error {
	v := c.Roots
	for _, root := range v[three.Updated] {
		for _, n := range Of(root) {
			if given := tree.ScalarAt(n, "metadata", "generateName"); given != "" && tree.ScalarAt(n, "metadata", "name") == "" {
				return c.problem(three.Updated, start(n), "from "+given+": cannot use generate name with apply")
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
				return c.problem(s, start(n), "a "+tree.ScalarAt(n, "kind")+" of resources, and "+c.Names[s.Other()]+" has them as documents")
			}
		}
	}
	for s := range v {
		var all []*syntax.Node
		for _, root := range v[s] {
			all = append(all, Of(root)...)
		}
		v[s] = all
	}
	return c.namespaces(v)
}

// pair refuses the config of one resource for another.
func (c Check) pair(live, config *syntax.Node) error {
	for _, f := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		l, want := tree.ScalarAt(live, f...), tree.ScalarAt(config, f...)
		if l != "" && want != "" && l != want {
			return c.problem(three.Updated, start(config), fmt.Sprintf("another resource than in %s: %s is %s, not %s",
				c.Names[three.Dest], strings.Join(f, "."), want, l))
		}
	}
	if !sameGroup(live, config) {
		return c.problem(three.Updated, start(config), fmt.Sprintf("another resource than in %s: apiVersion is %s, not %s",
			c.Names[three.Dest], tree.ScalarAt(config, "apiVersion"), tree.ScalarAt(live, "apiVersion")))
	}
	return nil
}

// namespaces refuses a resource of config without a namespace that live
// has in several, none of them the default one.
func (c Check) namespaces(v [3][]*syntax.Node) error {
	in := NamespacesOf(v[three.Dest])
	for _, n := range v[three.Updated] {
		live := in[kindAndName(n)]
		if Namespace(n) == "" && len(live) > 1 && !slices.Contains(live, DefaultNamespace) && !slices.Contains(live, "") {
			return c.problem(three.Updated, start(n), fmt.Sprintf("%s says no metadata.namespace, and %s has it in %s",
				Name(n), c.Names[three.Dest], strings.Join(live, ", ")))
		}
	}
	return nil
}
