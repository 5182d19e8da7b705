package schema

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	source "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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
		got := new(Rules).OneOf(place(c[2], c[3]))
		if !slices.ContainsFunc(got, func(u OneOf) bool { return slices.Equal(u, decodeUnion(c[1])) }) {
			t.Errorf("%s at %s %s: %v, want %s", c[0], c[2], c[3], got, c[1])
		}
	}
	if n < 80 {
		t.Errorf("%d rows", n)
	}
}

func TestAreDistinctFields(t *testing.T) {
	for _, c := range []struct {
		file, path, a, b string
		want             bool
	}{
		{"pod.yaml", "spec.containers.*.resources", "limits", "requests", true},
		{"values.yaml", "web.resources", "requests", "limits", true},
		{"pod.yaml", "spec.containers.*", "command", "args", true},
		{"pod.yaml", "spec.containers.*.securityContext.capabilities", "add", "drop", true},
		{"pod.yaml", "spec.containers.*", "command", "command", false},
		{"pod.yaml", "spec.containers.*", "command", "cmd", false},
		{"pod.yaml", "services", "web", "db", false},
		{".github/workflows/ci.yaml", "on.push", "branches", "branches-ignore", true},
		{".github/workflows/ci.yaml", "on.push", "branches", "tags", true},
		{".github/workflows/ci.yaml", "jobs", "branches", "tags", false},
		{"compose.yaml", "services.web", "cap_add", "cap_drop", true},
		{"package.json", ".", "dependencies", "devDependencies", true},
	} {
		p := Place{File: c.file, Path: strings.Split(c.path, ".")}
		if c.path == "." {
			p.Path = nil
		}
		if got := new(Rules).AreDistinctFields(p, c.a, c.b); got != c.want {
			t.Errorf("%s %s: %s and %s: %v", c.file, c.path, c.a, c.b, got)
		}
	}
	if !new(Rules).AreDistinctFields(place("v1 Pod", "spec.containers.*.env.*"), "value", "valueFrom") {
		t.Error("fields that exclude each other are not distinct")
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
		s, err := syntax.Parse(source.New([]byte(c.mapping + "\n")))
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, u := range new(Rules).OneOf(place(c.resource, c.path)) {
			most = max(most, u.countPresent(s.Docs[0].Root.Entries))
		}
		if most != c.held {
			t.Errorf("%s %s %s: %d of one, want %d", c.resource, c.path, c.mapping, most, c.held)
		}
	}
	step := Place{File: ".github/workflows/ci.yaml", Path: []string{"jobs", "a", "steps", "*"}}
	if u := new(Rules).OneOf(step); len(u) != 1 || !u[0].hasName("run") || !u[0].hasName("uses") {
		t.Errorf("a step of a workflow: %v", u)
	}
}
