package schema

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	input "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// resources parses documents in a short notation: apiVersion, kind, namespace (- if it has no namespace) and name.
func resources(t *testing.T, in string) *syntax.Stream {
	t.Helper()
	var b strings.Builder
	for d := range strings.SplitSeq(in, ";") {
		f := strings.Fields(d)
		if len(f) != 4 || f[0][0] == '{' {
			b.WriteString("---\n" + strings.TrimSpace(d) + "\n")
			continue
		}
		b.WriteString("---\napiVersion: " + f[0] + "\nkind: " + f[1] + "\nmetadata:\n  name: " + f[3] + "\n")
		if f[2] != "-" {
			b.WriteString("  namespace: " + f[2] + "\n")
		}
	}
	st, err := syntax.Parse(input.New([]byte(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func rootsOf(st *syntax.Stream) (roots []*syntax.Node) {
	for _, d := range st.Docs {
		roots = append(roots, d.Root)
	}
	return roots
}

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
		v := [3][]*syntax.Node{rootsOf(resources(t, c.base)), rootsOf(resources(t, c.ours)), rootsOf(resources(t, c.theirs))}
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
	live := resources(t, "v1 Pod m a;v1 Pod m b;v1 Pod n b;v1 Pod default c;v1 Pod n c")
	in := NamespacesOf(AllResources(live))
	for _, c := range []struct{ of, want, filled string }{
		{"v1 Pod x a", "x", "x"},
		{"v1 Pod - a", "m", "m"},
		{"v1 Pod - b", "default", ""},
		{"v1 Pod - c", "default", "default"},
		{"v1 Pod - d", "default", ""},
	} {
		n := rootsOf(resources(t, c.of))[0]
		if got, filled := in.NamespaceOf(n), in.KnownNamespace(n); got != c.want || filled != c.filled {
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
		st := resources(t, c.in)
		if got := IsList(st.Docs[0].Root); got != (c.items > 0) || len(AllResources(st)) != max(c.items, 1) {
			t.Errorf("%s: %v, %d", c.in, got, len(AllResources(st)))
		}
	}
	n := rootsOf(resources(t, "v1 Pod m a"))[0]
	if ResourceName(n) != "Pod/a" || ResourceTitle(n) != "Pod/a in m" || ResourceTitle(rootsOf(resources(t, "a: 1"))[0]) != "" {
		t.Errorf("%q, %q", ResourceName(n), ResourceTitle(n))
	}
}
