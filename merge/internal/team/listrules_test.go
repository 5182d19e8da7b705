package team

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

func TestOrderedPresetsPreventInference(t *testing.T) {
	steps := trees.Roots(t, "[{name: a, run: x}]", "[{name: a, run: y}]", "[{name: b, run: x}]")
	p := schema.Place{File: ".github/workflows/ci.yml", Path: []string{"jobs", "x", "steps"}}
	if l := new(Rules).ListAt(p, steps...); l.Kind != schema.Ordered || l.Source != "preset GitHub workflow" {
		t.Errorf("%s from %s", kindNames[l.Kind], l.Source)
	}
	p.File = "ci.yml"
	if l := new(Rules).ListAt(p, steps...); l.Kind != schema.Map || l.Source != "inference" {
		t.Errorf("%s from %s", kindNames[l.Kind], l.Source)
	}
}

func TestNilRules(t *testing.T) {
	var r *Rules
	if l := r.ListAt(place("v1 Pod", "spec.containers"), trees.Roots(t, "[{name: a}]")...); l.Kind != schema.Map {
		t.Errorf("%s from %s", kindNames[l.Kind], l.Source)
	}
}

func TestConcurrentUse(t *testing.T) {
	r := parseTeam(t, teamFile)
	done := make(chan bool)
	for range 8 {
		go func() {
			for _, f := range []string{"a.yaml", "b.yaml", "kustomization.yaml"} {
				r.ListAt(schema.Place{File: f, Path: []string{"resources"}})
				r.DecisionAt(schema.Place{File: f, Path: []string{"spec", "tags"}})
			}
			done <- true
		}()
	}
	for range 8 {
		<-done
	}
}

func BenchmarkListAt(b *testing.B) {
	r := new(Rules)
	for name, p := range map[string]schema.Place{
		"kubernetes": {File: "a/b.yaml", APIVersion: "apps/v1", Kind: "Deployment", Path: strings.Split("spec.template.spec.containers", ".")},
		"preset":     {File: "a/kustomization.yaml", Path: []string{"images"}},
		"inferred":   {File: "a/b.yaml", Path: []string{"things"}},
	} {
		b.Run(name, func(b *testing.B) {
			v := trees.Roots(b, "[{name: a}, {name: b}]", "[{name: a}, {name: b}]", "[{name: a}, {name: b}]")
			b.ReportAllocs()
			for b.Loop() {
				r.ListAt(p, v...)
			}
		})
	}
}

func TestDeclaredKeysAreChecked(t *testing.T) {
	ports := place("v1 Service", "spec.ports")
	for _, c := range []struct {
		place    schema.Place
		versions []string
		want     schema.Kind
	}{
		{ports, []string{"[{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]"}, schema.Map},
		{ports, []string{"[{port: 53, protocol: UDP}, {port: 53}]", "[]", ""}, schema.Map},
		{ports, []string{"[{port: 53}, {port: 53, protocol: TCP}]"}, schema.Ordered},
		{ports, []string{"[{port: 53}]", "[{name: dns}]"}, schema.Ordered},
		{ports, []string{"", "", ""}, schema.Map},
		{ports, []string{"[]", "{}"}, schema.Ordered},
		{place("v1 Pod", "spec.containers.*.env"), []string{"[{name: A}, {name: A}]"}, schema.Ordered},
		{place("v1 Pod", "metadata.finalizers"), []string{"[a, a]"}, schema.Set},
		{place("v1 Pod", "spec.tolerations"), []string{"[{name: a}]"}, schema.Ordered},
		{place("v1 Pod", "spec.containers.*.args"), []string{"[a]"}, schema.Ordered},
		{place("rbac.authorization.k8s.io/v1 Role", "rules"), []string{"[{verbs: [get]}]"}, schema.Ordered},
		{place("rbac.authorization.k8s.io/v1 Role", "rules.*.verbs"), []string{"[get]"}, schema.Set},
	} {
		if l := new(Rules).ListAt(c.place, trees.Roots(t, c.versions...)...); l.Kind != c.want {
			t.Errorf("%v %q: %s (%s), want %s", c.place.Path, c.versions, kindNames[l.Kind], l.Source, kindNames[c.want])
		}
	}
}

func TestInference(t *testing.T) {
	for _, c := range []struct {
		versions []string
		keys     string // "" for an ordered list
	}{
		{[]string{"[{name: a}, {name: b}]", "[{name: a}]", "[{name: c}]"}, "name"},
		{[]string{"", "[{name: a}]", "[{name: a}]"}, "name"},
		{[]string{"[]", "[{name: a}]", "[{name: b}]"}, "name"},
		{[]string{"", "", ""}, ""},
		{[]string{"[]", "[]", "[]"}, ""},
		{[]string{"[{name: a, mountPath: /a}, {name: a, mountPath: /b}]"}, "mountPath"},
		{[]string{"[{name: a, mountPath: /a}, {name: b, mountPath: /a}]"}, "name"},
		{[]string{"[{name: a, mountPath: /a}]", "[{name: a}]"}, "name"},
		{[]string{"[{containerPort: 80}, {containerPort: 81}]"}, "containerPort"},
		{[]string{"[{containerPort: 80}, {containerPort: '80'}]"}, ""},
		{[]string{"[{type: A, ip: 1}, {type: B, ip: 2}]"}, "ip"},
		{[]string{"[{topologyKey: a, name: x}]"}, "topologyKey"},
		{[]string{"[{devicePath: /a, ip: 1}]"}, "devicePath"},
		{[]string{"[{name: a}, {name: a}]"}, ""},
		{[]string{"[{name: a}]", "[{name: a}, {name: a}]"}, ""},
		{[]string{"[{name: a}, {id: b}]"}, ""},
		{[]string{"[{name: a}, b]"}, ""},
		{[]string{"[a, b]"}, ""},
		{[]string{"[{name: [a]}]"}, ""},
		{[]string{"[{name: null}]"}, ""},
		{[]string{"[{name: ''}]"}, "name"},
		{[]string{"[&x {name: a}, *x]"}, ""},
		{[]string{"[&x {name: a}, {<<: *x}]"}, ""},
		{[]string{"[{name: a}]", "{name: a}"}, ""},
		{[]string{"[{name: a}]", "null"}, ""},
	} {
		l := new(Rules).ListAt(schema.Place{}, trees.Roots(t, c.versions...)...)
		if got := strings.Join(l.Keys, ","); got != c.keys || (l.Kind == schema.Map) != (c.keys != "") {
			t.Errorf("%q: kind %d, keys %q; want %q", c.versions, l.Kind, got, c.keys)
		}
	}
}
