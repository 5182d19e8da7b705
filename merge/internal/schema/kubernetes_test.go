package schema

import (
	_ "embed"
	"strings"
	"testing"
)

// kubernetesRows lists all lists in the schema of server-side apply: type, field, kind, keys, resource and path.
// Package gen generates it from the original schema, before it simplifies the schema for kubernetes.txt.
//
//go:embed testdata/kubernetes.tsv
var kubernetesRows string

var kindNames = map[Kind]string{Ordered: "ordered", Map: "map", Set: "set", Atomic: "atomic"}

func TestKubernetesRows(t *testing.T) {
	count := map[string]int{}
	for line := range strings.Lines(kubernetesRows) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		typ, field, kind, keys := c[0], c[1], c[2], c[3]
		count[kind]++
		if c[4] == "-" {
			// A review is only sent to a webhook; files do not contain it.
			if typ != "io.k8s.api.imagepolicy.v1alpha1.ImageReviewSpec" {
				t.Errorf("%s.%s: no resource has it", typ, field)
			}
			continue
		}
		l, ok := builtinList(place(c[4], c[5]))
		if !ok || kindNames[l.Kind] != kind || strings.Join(l.Keys, ",") != keys {
			t.Errorf("%s.%s at %s %s: %s %v, want %s %s", typ, field, c[4], c[5], kindNames[l.Kind], l.Keys, kind, keys)
		}
	}
	if count["map"] != 135 || count["set"] != 47 || count["atomic"] != 367 {
		t.Errorf("rows: %v", count)
	}
}

// otherRows lists the lists in Go types that are missing in the schema of server-side apply: type, field, kind and keys
// according to the markers in Go, resource and path, the expected kind and keys of the presets or "-", and a reason.
//
//go:embed testdata/others.tsv
var otherRows string

func TestOtherRows(t *testing.T) {
	rows := 0
	for line := range strings.Lines(otherRows) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		typ, field, want, why := c[0], c[1], c[6], c[7]
		rows++
		if why == "" {
			t.Errorf("%s.%s: not explained", typ, field)
		}
		if want == "-" {
			continue
		}
		l, ok := declared(place(c[4], c[5]))
		if got := describe(l, ok); got != want || !strings.HasPrefix(l.Source, "preset ") {
			t.Errorf("%s.%s at %s: %q from %q, want %q", typ, field, c[5], got, l.Source, want)
		}
	}
	if rows != 672-549 {
		t.Errorf("%d rows", rows)
	}
}

// place returns the Place with a resource, written as "apiVersion Kind", and a path, written with dots.
func place(resource, path string) Place {
	apiVersion, kind, _ := strings.Cut(resource, " ")
	return Place{
		APIVersion: apiVersion,
		Kind:       kind,
		Path:       strings.Split(path, "."),
	}
}

func TestKubernetesLists(t *testing.T) {
	const pod = "spec.template.spec."
	for _, c := range []struct{ resource, path, want string }{
		{"apps/v1 Deployment", pod + "containers", "map name"},
		{"apps/v1 Deployment", pod + "containers.*.ports", "map containerPort,protocol=TCP"},
		{"apps/v1 Deployment", pod + "initContainers.*.env", "map name"},
		{"apps/v1 Deployment", pod + "containers.*.volumeMounts", "map mountPath"},
		{"apps/v1 Deployment", pod + "containers.*.args", "atomic"},
		{"apps/v1 Deployment", pod + "volumes", "map name"},
		{"apps/v1 Deployment", pod + "tolerations", "atomic"},
		{"apps/v1 Deployment", pod + "imagePullSecrets", "map name"},
		{"apps/v1 Deployment", pod + "topologySpreadConstraints", "map topologyKey,whenUnsatisfiable"},
		{"apps/v1 Deployment", "metadata.finalizers", "set"},
		{"batch/v1 CronJob", "spec.jobTemplate." + pod + "containers", "map name"},
		{"v1 Pod", "spec.containers", "map name"},
		{"v1 Service", "spec.ports", "map port,protocol=TCP"},
		{"autoscaling/v2 HorizontalPodAutoscaler", "spec.metrics", "atomic"},
		{"rbac.authorization.k8s.io/v1 RoleBinding", "subjects", "atomic"},
		{"networking.k8s.io/v1 Ingress", "spec.rules.*.http.paths", "atomic"},
		{"certificates.k8s.io/v1 CertificateSigningRequest", "spec.extra.x", "atomic"},

		{"apps/v3 Deployment", pod + "containers", "map name"},
		{"autoscaling/v2beta2 HorizontalPodAutoscaler", "spec.metrics", "atomic"},
		{"extensions/v1beta1 Deployment", pod + "containers", "map name"},
		{"apps/v1 DeploymentList", "items.*." + pod + "containers", "map name"},
		{"apps/v1 DeploymentList", "items", ""},
		{"example.com/v1 Thing", "metadata.finalizers", "set"},
		{"example.com/v1 Thing", "metadata.ownerReferences", "map uid"},
		{"example.com/v1 Deployment", pod + "containers", ""},
		{"v1 Deployment", pod + "containers", ""},
		{"apps/v1 deployment", pod + "containers", ""},
		{"v1 Pod", "spec.containers.name", ""},
		{"v1 Pod", "spec.containers.0.ports", ""},
		{"v1 Pod", "spec.containers.*.*", ""},
		{"v1 Pod", "spec.surprise", ""},
		{"v1 Pod", "spec", ""},
		{"v1 Pod", "", ""},
		{" Pod", "spec.containers", ""},
		{"v1 ", "spec.containers", ""},
	} {
		if got := describe(builtinList(place(c.resource, c.path))); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.resource, c.path, got, c.want)
		}
	}
}

// builtinList returns the description of the list at p in the built-in types. It reports false if they do not have it.
func builtinList(p Place) (List, bool) {
	return BuiltinFor(p).KubernetesList(p)
}

// declared returns the description of the list at p, as both sides may edit it in a file, from the built-in types or
// the presets. It reports false if they do not have it.
func declared(p Place) (List, bool) {
	b := BuiltinFor(p)
	l, ok := b.KubernetesList(p)
	if !ok {
		l, ok = b.PresetList(p)
	}
	return l.AsEditedInFile(p), ok
}

// describe returns a list in the notation of the tables in these tests, as in "map port,protocol=TCP". It returns "" if
// ok is false.
func describe(l List, ok bool) string {
	if !ok {
		return ""
	}
	var keys []string
	for _, k := range l.Keys {
		if d, ok := l.Defaults[k]; ok {
			k += "=" + d
		}
		keys = append(keys, k)
	}
	return strings.TrimSpace(kindNames[l.Kind] + " " + strings.Join(keys, ","))
}

func TestKubernetesTableIsSmall(t *testing.T) {
	if n := len(kubernetesText); n == 0 || n > 30_000 {
		t.Errorf("%d bytes", n)
	}
}

func BenchmarkKubernetesList(b *testing.B) {
	p := place("apps/v1 Deployment", "spec.template.spec.containers.*.ports")
	for b.Loop() {
		builtinList(p)
	}
}
