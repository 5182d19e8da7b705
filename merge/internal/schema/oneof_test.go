package schema

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
)

// unionRows lists all unions that the documentation of Kubernetes' types mentions: type, members, resource and path.
// Package gen generates it.
//
//go:embed testdata/unions.tsv
var unionRows string

func TestUnionRows(t *testing.T) {
	n := 0
	for line := range strings.Lines(unionRows) {
		n++
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		p := place(c[2], c[3])
		got := BuiltinFor(p).OneOf(p)
		if !slices.ContainsFunc(got, func(u Unit) bool { return slices.Equal(u.fields, parseUnion(c[1]).fields) }) {
			t.Errorf("%s at %s %s: %v, want %s", c[0], c[2], c[3], got, c[1])
		}
	}
	if n < 80 {
		t.Errorf("%d rows", n)
	}
}

func TestOneOf(t *testing.T) {
	const pod = "apps/v1 Deployment"
	for _, c := range []struct {
		resource, path, mapping string
		held                    int
	}{
		{pod, "spec.template.spec.containers.*.env.*", "{name: A, value: a}", 1},
		{pod, "spec.template.spec.containers.*.env.*", "{name: A, value: a, valueFrom: {}}", 2},
		{pod, "spec.template.spec.containers.*.env.*", "{name: A, value: ~, valueFrom: {}}", 1},
		{pod, "spec.template.spec.containers.*.livenessProbe", "{httpGet: {}, exec: {}}", 2},
		{pod, "spec.template.spec.volumes.*", "{name: v, emptyDir: {}, secret: {}}", 2},
		{pod, "spec.strategy", "{type: Recreate, rollingUpdate: {}}", 2},
		{pod, "spec.strategy", "{type: RollingUpdate, rollingUpdate: {}}", 1},
		{pod, "spec.strategy", "{type: Recreate, rollingUpdate: ~}", 1},
		{"networking.k8s.io/v1 Ingress", "spec.defaultBackend", "{service: {}, resource: {}}", 2},
	} {
		mapping, most := trees.Root(t, c.mapping), 0
		for _, u := range BuiltinFor(place(c.resource, "")).OneOf(place(c.resource, c.path)) {
			most = max(most, u.countPresent(mapping.Entries))
		}
		if most != c.held {
			t.Errorf("%s %s %s: %d of one, want %d", c.resource, c.path, c.mapping, most, c.held)
		}
	}
	step := Place{File: ".github/workflows/ci.yaml", Path: []string{"jobs", "a", "steps", "*"}}
	if u := BuiltinFor(step).OneOf(step); len(u) != 1 || !u[0].HasName("run") || !u[0].HasName("uses") {
		t.Errorf("a step of a workflow: %v", u)
	}
}
