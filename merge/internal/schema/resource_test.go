package schema

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// TestIdentityFuncs checks which resources of ours and theirs are the same.
func TestIdentityFuncs(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		plain, strict            bool // whether the first resources of ours and theirs have the same identity
	}{
		{"the same", "v1 Pod - a", "v1 Pod - a", "v1 Pod - a", true, true},
		{"another name", "v1 Pod - a", "v1 Pod - a", "v1 Pod - b", false, false},
		{"another kind", "v1 Pod - a", "v1 Pod - a", "v1 Job - a", false, false},
		{"another version", "x/v1 K - a", "x/v1 K - a", "x/v2 K - a", true, true},
		{"moved to another group", "extensions/v1beta1 Deployment - a", "extensions/v1beta1 Deployment - a", "apps/v1 Deployment - a", true, true},
		{"moved to another namespace, the only one", "v1 Pod m a", "v1 Pod m a", "v1 Pod n a", false, true},
		{"in two namespaces", "v1 Pod m a;v1 Pod n a", "v1 Pod m a;v1 Pod n a", "v1 Pod n a;v1 Pod m a", false, false},
		{"two groups in one file", "x/v1 K - a;y/v1 K - a", "x/v1 K - a;y/v1 K - a", "y/v1 K - a;x/v1 K - a", false, false},
		{"both added, in two groups", "v1 Pod - z", "x/v1 K - a", "y/v1 K - a", true, false},
		{"no resource", "a: 1", "a: 1", "a: 2", true, true},
	} {
		var v [3][]*syntax.Node
		for s, documents := range []string{c.base, c.ours, c.theirs} {
			_, v[s] = trees.Resources(t, documents)
		}
		ours, theirs := v[dest][0], v[updated][0]
		if id := IdentityFunc(v, Namespace); (id(ours) == id(theirs)) != c.plain {
			t.Errorf("%s: %q and %q", c.name, id(ours), id(theirs))
		}
		if id := StrictIdentityFunc(v, Namespace, true); (id(ours) == id(theirs)) != c.strict {
			t.Errorf("%s, apart: %q and %q", c.name, id(ours), id(theirs))
		}
	}
}

func TestNamespaces(t *testing.T) {
	live, _ := trees.Resources(t, "v1 Pod m a;v1 Pod m b;v1 Pod n b;v1 Pod default c;v1 Pod n c")
	in := NamespacesOf(AllResources(live))
	for _, c := range []struct{ of, want, filled string }{
		{"v1 Pod x a", "x", "x"},
		{"v1 Pod - a", "m", "m"},
		{"v1 Pod - b", "default", ""},
		{"v1 Pod - c", "default", "default"},
		{"v1 Pod - d", "default", ""},
	} {
		_, n := trees.Resources(t, c.of)
		if got, filled := in.NamespaceOf(n[0]), in.KnownNamespace(n[0]); got != c.want || filled != c.filled {
			t.Errorf("%s is in %q, filled in %q", c.of, got, filled)
		}
	}
}

func TestIsList(t *testing.T) {
	for _, c := range []struct {
		in    string
		items int
	}{
		{"{kind: List, items: [{kind: Pod, metadata: {name: a}}, {kind: Pod, metadata: {name: b}}]}", 2},
		{"{kind: PodList, items: [{kind: Pod, metadata: {name: a}}]}", 1},
		{"{kind: List, items: [{kind: Pod, metadata: {name: a}}, {b: 1}]}", 0},
		{"{kind: List, items: []}", 0},
		{"{kind: Pod, items: [{kind: Pod, metadata: {name: a}}]}", 0},
	} {
		st, _ := trees.Resources(t, c.in)
		if got := IsList(st.Docs[0].Root); got != (c.items > 0) || len(AllResources(st)) != max(c.items, 1) {
			t.Errorf("%s: %v, %d", c.in, got, len(AllResources(st)))
		}
	}
	_, n := trees.Resources(t, "v1 Pod m a;a: 1")
	if ResourceName(n[0]) != "Pod/a" || ResourceTitle(n[0]) != "Pod/a in m" || ResourceTitle(n[1]) != "" {
		t.Errorf("%q, %q", ResourceName(n[0]), ResourceTitle(n[0]))
	}
}
