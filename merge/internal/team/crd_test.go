package team

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

const crdFile = `apiVersion: v1
kind: ConfigMap
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names: {kind: Thing}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              ports: &ports
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [port, protocol]
                items:
                  properties:
                    protocol: {default: TCP}
                    args: {x-kubernetes-list-type: atomic}
              tags: {x-kubernetes-list-type: set}
              plain: {type: array, items: {type: object}}
              groups:
                additionalProperties: {x-kubernetes-list-type: set}
              ref: {x-kubernetes-map-type: atomic}
              changed: {x-kubernetes-list-type: set}
  - name: v2
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              ports: *ports
              changed: {x-kubernetes-list-type: atomic}
---
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  group: example.com
  version: v1
  names: {kind: Old}
  validation:
    openAPIV3Schema: {properties: {tags: {x-kubernetes-list-type: set}}}
`

func TestCRDLists(t *testing.T) {
	r := new(Rules)
	if err := r.AddCRD("crd.yaml", []byte(crdFile)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ resource, path, want string }{
		{"example.com/v1 Thing", "spec.ports", "map port,protocol=TCP"},
		{"example.com/v1 Thing", "spec.ports.*.args", "ordered"},
		{"example.com/v1 Thing", "spec.tags", "set"},
		{"example.com/v1 Thing", "spec.groups.any", "set"},
		{"example.com/v1 Thing", "spec.plain", ""},
		{"example.com/v1 Thing", "spec.nothing", ""},
		{"example.com/v1 Thing", "metadata.finalizers", "set"},
		{"example.com/v1 Thing", "spec.changed", "set"},
		{"example.com/v2 Thing", "spec.changed", "ordered"},
		{"example.com/v3 Thing", "spec.changed", ""},
		{"example.com/v3 Thing", "spec.ports", "map port,protocol=TCP"},
		{"example.com/v3 Thing", "spec.tags", "set"},
		{"example.com/v1 Old", "tags", "set"},
		{"other.com/v1 Thing", "spec.tags", ""},
	} {
		if got := describe(r.DeclaredList(place(c.resource, c.path))); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.resource, c.path, got, c.want)
		}
	}
}

func TestFirstCRDIsKept(t *testing.T) {
	r := new(Rules)
	for _, text := range []string{crdFile, strings.Replace(crdFile, "tags: {x-kubernetes-list-type: set}", "tags: {x-kubernetes-list-type: atomic}", 1)} {
		if err := r.AddCRD("crd.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, resource := range []string{"example.com/v1 Thing", "example.com/v3 Thing"} { // v3 has no definition
		if got := describe(r.DeclaredList(place(resource, "spec.tags"))); got != "set" {
			t.Errorf("%s: %q", resource, got)
		}
	}
}

func TestInvalidCRDs(t *testing.T) {
	crd := func(field string) string {
		return "kind: CustomResourceDefinition\nspec:\n  group: g\n  names: {kind: K}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        properties:\n          a: {" + field + "}\n"
	}
	for _, c := range []struct{ text, want string }{
		{crd("x-kubernetes-list-type: list"), `f:10:39: x-kubernetes-list-type is "list"; expected atomic, set or map`},
		{crd("x-kubernetes-list-type: map"), "f:10:39: x-kubernetes-list-type map needs x-kubernetes-list-map-keys"},
		{crd("items: {properties: {b: {x-kubernetes-list-type: x}}}"), `f:10:64: x-kubernetes-list-type is "x"; expected atomic, set or map`},
		{"a: [", "f:1:1: invalid YAML: did not find expected node content"},
		{crd("x-kubernetes-list-type: list") + "---\n- {\n", `f:10:39: x-kubernetes-list-type is "list"; expected atomic, set or map` + "\nf:12:1: invalid YAML: did not find expected node content"},
	} {
		r := new(Rules)
		err := r.AddCRD("f", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if len(r.crds) > 0 {
			t.Errorf("%s: added all the same", c.want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "a: b", "[a]", "kind: CustomResourceDefinition", crd("properties: &p {x: {properties: *p}}")} {
		if err := new(Rules).AddCRD("f", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzAddCRD(f *testing.F) {
	f.Add(crdFile, "spec.ports.*.args")
	f.Add("kind: CustomResourceDefinition\nspec: &s {group: g, names: {kind: K}, versions: [{name: v, schema: {openAPIV3Schema: *s}}]}", "spec")
	f.Fuzz(func(t *testing.T, text, path string) {
		r := new(Rules)
		if err := r.AddCRD("f", []byte(text)); err != nil {
			return
		}
		for res := range r.crds {
			l, ok := r.crds.listAt(schema.Place{APIVersion: res.Group + "/" + res.Version, Kind: res.Kind, Path: strings.Split(path, ".")})
			if ok && l.Kind == schema.Map && len(l.Keys) == 0 {
				t.Error("a map without keys")
			}
		}
	})
}

func TestCRDSource(t *testing.T) {
	calls := 0
	r := new(Rules)
	r.SetCRDSource(func() ([]File, error) {
		calls++
		return []File{{"crd.yaml", []byte(crdFile)}, {"bad.yaml", []byte("{{ kind: Other of example.com")}}, nil
	})
	list := func(resource, path string) string {
		l, ok := r.DeclaredList(place(resource, path))
		return describe(l, ok)
	}
	list("apps/v1 Deployment", "spec.template.spec.containers")
	list("", "any.list")
	if calls != 0 {
		t.Error("files were read for what is built in, or no resource")
	}
	for range 2 {
		if got := list("example.com/v1 Thing", "spec.tags"); got != "set" {
			t.Errorf("spec.tags: %s", got)
		}
	}
	if calls != 1 || r.CRDError() != nil {
		t.Errorf("calls %d times, %v", calls, r.CRDError())
	}
	list("example.com/v1 Other", "spec.tags")
	if err := r.CRDError(); err == nil || !strings.HasPrefix(err.Error(), "bad.yaml:1:") {
		t.Errorf("a bad file that is needed: %v", err)
	}
}

// TestCRDOfRootList checks a definition that declares the resource itself to be a list: its fields have no names of
// authors, and nothing panics.
func TestCRDOfRootList(t *testing.T) {
	r := new(Rules)
	text := strings.ReplaceAll(crdFile, "openAPIV3Schema:\n        properties:", "openAPIV3Schema:\n        x-kubernetes-list-type: atomic\n        properties:")
	if err := r.AddCRD("crd.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	p := schema.Place{APIVersion: "example.com/v1", Kind: "Thing"}
	if l, ok := r.DeclaredList(p); !ok || l.Kind != schema.Ordered {
		t.Errorf("the resource is a list of kind %v, %v", l.Kind, ok)
	}
	if r.HasNamesAsKeys(p) {
		t.Error("authors choose the names of fields")
	}
}
