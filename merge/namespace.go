package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// defaultNamespace is where a resource is that says no namespace.
const defaultNamespace = "default"

// identities is what tells resources apart under the rules of w.
func (w *walker) identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case w.set.byPlace:
		return places(v)
	case w.set.strategic:
		return identities(v, namespacesOf(v[dest]).of)
	}
	return identities(v, namespace)
}

// places makes the place of a resource in its file its identity; what has no
// content is none.
func places(v [3][]*syntax.Node) func(*syntax.Node) string {
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

func namespace(n *syntax.Node) string { return scalarAt(n, "metadata", "namespace") }

// namespaces are those that the resources of live say, by kind and name.
type namespaces map[[2]string][]string

func namespacesOf(live []*syntax.Node) namespaces {
	in := namespaces{}
	for _, n := range live {
		in[kindAndName(n)] = append(in[kindAndName(n)], namespace(n))
	}
	return in
}

func kindAndName(n *syntax.Node) [2]string {
	return [2]string{scalarAt(n, "kind"), scalarAt(n, "metadata", "name")}
}

// of is the namespace of a resource: what it says, else that in which live has
// the only one of its kind and name, else the default one.
func (in namespaces) of(n *syntax.Node) string { return cmp.Or(in.filled(n), defaultNamespace) }

// filled is of, but empty where neither n nor live says one.
func (in namespaces) filled(n *syntax.Node) string {
	live := in[kindAndName(n)]
	switch own := namespace(n); {
	case own == "" && len(live) == 1:
		return live[0]
	case own == "" && slices.Contains(live, defaultNamespace):
		return defaultNamespace
	default:
		return own
	}
}

// checkLive refuses a config of which it is not clear what it is in live.
func (w *walker) checkLive(v [3][]*syntax.Node) error {
	if len(v[dest]) == 1 && len(v[updated]) == 1 {
		if err := w.checkPair(v[dest][0], v[updated][0]); err != nil {
			return err
		}
	}
	for _, s := range sides {
		for _, n := range v[s] {
			if isList(n) && len(v[s.other()]) > 1 {
				return w.ruleError(s, resourceStart(n), "a "+scalarAt(n, "kind")+" of resources, and "+w.names[s.other()]+" has them as documents")
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
	return w.checkNamespaces(v)
}

// checkPair refuses the config of one resource for another.
func (w *walker) checkPair(live, config *syntax.Node) error {
	for _, f := range [...][]string{{"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		l, c := scalarAt(live, f...), scalarAt(config, f...)
		if l != "" && c != "" && l != c {
			return w.ruleError(updated, resourceStart(config), fmt.Sprintf("another resource than in %s: %s is %s, not %s", w.names[dest], strings.Join(f, "."), c, l))
		}
	}
	return nil
}

// checkNamespaces refuses a resource of config without a namespace that live
// has in several, none of them the default one.
func (w *walker) checkNamespaces(v [3][]*syntax.Node) error {
	in := namespacesOf(v[dest])
	for _, n := range v[updated] {
		live := in[kindAndName(n)]
		if namespace(n) == "" && len(live) > 1 && !slices.Contains(live, defaultNamespace) && !slices.Contains(live, "") {
			return w.ruleError(updated, resourceStart(n), fmt.Sprintf("%s says no metadata.namespace, and %s has it in %s",
				resourceName(n), w.names[dest], strings.Join(live, ", ")))
		}
	}
	return nil
}
