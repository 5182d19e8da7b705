package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A resourceCheck looks whether the resources of three streams are told apart
// by what they are; what is not so is a *problem.
type resourceCheck struct {
	roots [3][]*syntax.Node // of the documents
	files [3]*text.File
	names [3]string
}

func (c resourceCheck) problem(s side, off int, what string) error {
	return &problem{side: s, off: off, text: what}
}

// streams refuses streams of several documents that are not resources,
// or not told apart by what they are.
func (c resourceCheck) streams(id func(*syntax.Node) string) error {
	for s := range c.roots {
		if err := c.stream(side(s), id); err != nil {
			return err
		}
	}
	return nil
}

// stream refuses resources of a stream that have no identity, or one that
// another has.
func (c resourceCheck) stream(s side, id func(*syntax.Node) string) error {
	roots := c.roots[s]
	seen := map[string]int{}
	for _, n := range roots {
		at := resourceStart(n)
		switch key := id(n); {
		case len(roots) == 1 || n.Content.Empty():
		case key == "":
			return c.problem(s, at, "a resource without "+missing(n)+", in a file with several: these are known by kind, namespace and name")
		case seen[key] > 0:
			return c.problem(s, at, fmt.Sprintf("%s is in this file twice, first at line %d", resourceName(n), seen[key]))
		default:
			seen[key] = c.files[s].Line(at)
		}
	}
	return nil
}

// live refuses a config of which it is not clear what it is in live.
func (c resourceCheck) live() error {
	v := c.roots
	if len(v[dest]) == 1 && len(v[updated]) == 1 {
		if err := c.pair(v[dest][0], v[updated][0]); err != nil {
			return err
		}
	}
	for _, s := range sides {
		for _, n := range v[s] {
			if isList(n) && len(v[s.other()]) > 1 {
				return c.problem(s, resourceStart(n), "a "+scalarAt(n, "kind")+" of resources, and "+c.names[s.other()]+" has them as documents")
			}
		}
	}
	for s := range v {
		var all []*syntax.Node
		for _, root := range v[s] {
			all = append(all, resourcesOf(root)...)
		}
		v[s] = all
	}
	return c.namespaces(v)
}

// pair refuses the config of one resource for another.
func (c resourceCheck) pair(live, config *syntax.Node) error {
	for _, f := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		l, want := scalarAt(live, f...), scalarAt(config, f...)
		if l != "" && want != "" && l != want {
			return c.problem(updated, resourceStart(config), fmt.Sprintf("another resource than in %s: %s is %s, not %s", c.names[dest], strings.Join(f, "."), want, l))
		}
	}
	return nil
}

// namespaces refuses a resource of config without a namespace that live
// has in several, none of them the default one.
func (c resourceCheck) namespaces(v [3][]*syntax.Node) error {
	in := namespacesOf(v[dest])
	for _, n := range v[updated] {
		live := in[kindAndName(n)]
		if namespace(n) == "" && len(live) > 1 && !slices.Contains(live, defaultNamespace) && !slices.Contains(live, "") {
			return c.problem(updated, resourceStart(n), fmt.Sprintf("%s says no metadata.namespace, and %s has it in %s",
				resourceName(n), c.names[dest], strings.Join(live, ", ")))
		}
	}
	return nil
}
