package overlay

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestCheck checks the errors of a checker and their positions.
func TestCheck(t *testing.T) {
	byName := func(n *syntax.Node) string { return schema.Identity(n) }
	live := func(c checker) error { return c.checkLive() }
	streams := func(c checker) error { return c.checkIdentities(byName) }
	directives := func(c checker) error { return c.checkDirectives(false) }
	patches := func(c checker) error { return c.checkDirectives(true) }
	for _, c := range []struct {
		name         string
		check        func(checker) error
		dest, config string
		want         string // start of the error; "" for no error
		side         three.Version
		line         int
	}{
		{"different documents", streams, "v1 Pod - a;v1 Pod - b", "v1 Pod - a", "", 0, 0},
		{"twice", streams, "v1 Pod - a", "v1 Pod - a;v1 Job - a;v1 Pod - a", "duplicate Pod/a (first at line 2)", three.Updated, 12},
		{"no name", streams, "v1 Pod - a;kind: Pod", "v1 Pod - a", "missing metadata.name; each resource of a file", three.Dest, 7},
		{"one without a name", streams, "kind: Pod", "kind: Pod", "", 0, 0},
		{"one and a separator below it", streams, "kind: Pod;", ";kind: Pod", "", 0, 0},
		{"another kind", live, "v1 Pod - a", "v1 Job - a", "not the same resource as in live: kind is Job here, but Pod in live", three.Updated, 2},
		{"another group", live, "x/v1 K - a", "y/v1 K - a", "not the same resource as in live: apiVersion", three.Updated, 2},
		{"in several namespaces", live, "v1 Pod m a;v1 Pod n a", "v1 Pod - a", "Pod/a has no metadata.namespace", three.Updated, 2},
		{"in the default one too", live, "v1 Pod default a;v1 Pod n a", "v1 Pod - a", "", 0, 0},
		{"a name to be made", live, "v1 Pod - a", "{kind: Pod, metadata: {generateName: a-}}", "from a-: cannot use generate name", three.Updated, 2},
		{"a patch", directives, "a: 1", "{a: {$patch: delete}}", "$patch is a directive", three.Updated, 2},
		{"a patch that is obeyed", patches, "a: 1", "{a: {$patch: delete}}", "", 0, 0},
		{"an order that is not", patches, "a: 1", "{$setElementOrder/a: [1]}", "$setElementOrder/a is a directive", three.Updated, 2},
	} {
		k := checker{names: [3]string{"last", "live", "config"}}
		for s, documents := range []string{"a: 1", c.dest, c.config} {
			st, roots := trees.Resources(t, documents)
			k.roots[s], k.streams[s] = roots, st
		}
		err := c.check(k)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		p, ok := err.(*three.InputError)
		if !ok || p.Side != c.side || !strings.HasPrefix(p.Text, c.want) || k.streams[p.Side].File.Line(p.Off) != c.line {
			t.Errorf("%s: %+v", c.name, err)
		}
	}
}
