// Package differential compares the rule sets with the programs that they are
// documented for. It is a module of its own, so that the program depends on
// none of these.
package differential

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

type object = map[string]any

// A maker makes values at random.
type maker struct{ *rand.Rand }

func (m maker) pick(values ...any) any { return values[m.IntN(len(values))] }

// some returns a mapping with some of the fields.
func (m maker) some(fields ...func(object)) object {
	o := object{}
	for _, f := range fields {
		if m.IntN(3) > 0 {
			f(o)
		}
	}
	return o
}

func (m maker) set(name string, values ...any) func(object) {
	return func(o object) { o[name] = m.pick(values...) }
}

func (m maker) in(name string, make func() any) func(object) {
	return func(o object) { o[name] = make() }
}

// items are some mappings, each of another key.
func (m maker) items(key string, keys []any, make func() object) func() any {
	return func() any {
		l := []any{}
		for _, i := range m.Perm(len(keys)) {
			if m.IntN(2) > 0 {
				o := make()
				o[key] = keys[i]
				l = append(l, o)
			}
		}
		return l
	}
}

func (m maker) pod() any {
	names := []any{"a", "b", "c", "d"}
	container := func() object {
		return m.some(m.set("image", "x:1", "x:2", "x:3"), m.set("args", []any{"a"}, []any{"a", "b"}, []any{"c"}), m.set("tty", true, false),
			m.in("env", m.items("name", names, func() object { return m.some(m.set("value", "1", "2")) })),
			m.in("ports", m.items("containerPort", []any{80, 81, 82}, func() object { return m.some(m.set("protocol", "TCP", "UDP"), m.set("name", "p", "q")) })))
	}
	volume := func() object {
		return m.pick(object{"emptyDir": object{}}, object{"hostPath": object{"path": "/x"}}, object{"configMap": object{"name": "c"}},
			object{"configMap": object{"name": "c", "optional": true}}, object{"emptyDir": object{}, "hostPath": object{"path": "/x"}}).(object)
	}
	fresh := func() object { // the picked mapping is shared
		o := object{}
		for k, v := range volume() {
			o[k] = v
		}
		return o
	}
	o := m.some(m.in("volumes", m.items("name", names, fresh)), m.set("hostNetwork", true, false),
		m.set("tolerations", []any{object{"key": "a"}}, []any{object{"key": "b"}, object{"key": "a"}}),
		m.set("nodeSelector", object{"a": "1"}, object{"a": "2", "b": "1"}, object{"c": "1"}))
	o["containers"] = m.items("name", names, container)()
	return o
}

var kinds = []struct {
	version, kind string
	schema        any
	body          func(maker) (string, any)
}{
	{"apps/v1", "Deployment", &appsv1.Deployment{}, func(m maker) (string, any) {
		return "spec", m.some(m.set("replicas", 1, 2, 3), m.in("template", func() any { return object{"spec": m.pod()} }),
			m.set("strategy", object{"type": "Recreate"}, object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": 1}}, object{"type": "RollingUpdate"}))
	}},
	{"v1", "Service", &corev1.Service{}, func(m maker) (string, any) {
		return "spec", m.some(m.set("type", "ClusterIP", "NodePort"), m.set("selector", object{"a": "1"}, object{"b": "1"}),
			m.in("ports", m.items("port", []any{80, 81, 82}, func() object { return m.some(m.set("name", "x", "y"), m.set("targetPort", 1, "z")) })))
	}},
	{"v1", "Pod", &corev1.Pod{}, func(m maker) (string, any) { return "spec", m.pod() }},
	{"v1", "ConfigMap", &corev1.ConfigMap{}, func(m maker) (string, any) {
		return "data", m.some(m.set("a", "1", "2"), m.set("b", "1", "2"), m.set("c", "1", "2"), m.set("d", "x\ny\n", "z"))
	}},
	{"batch/v1", "Job", &batchv1.Job{}, func(m maker) (string, any) {
		return "spec", m.some(m.set("parallelism", 1, 2), m.in("template", func() any { return object{"spec": m.pod()} }))
	}},
	{"rbac.authorization.k8s.io/v1", "RoleBinding", &rbacv1.RoleBinding{}, func(m maker) (string, any) {
		return "subjects", m.items("name", []any{"a", "b", "c"}, func() object { return object{"kind": "User"} })()
	}},
}

func TestApply(t *testing.T) {
	for n := range 1200 {
		k := kinds[n%len(kinds)]
		m := maker{rand.New(rand.NewPCG(1, uint64(n)))}
		var v [3][]byte // last applied, config, live
		for i := range v {
			meta := m.some(m.set("labels", object{"a": "1"}, object{"a": "2", "b": "1"}), m.set("finalizers", []any{"a", "b"}, []any{"a", "c"}, []any{"a", "b", "d"}))
			meta["name"] = "n"
			o := object{"apiVersion": k.version, "kind": k.kind, "metadata": meta}
			name, body := k.body(m)
			o[name] = body
			v[i], _ = json.Marshal(o)
		}
		want, err := kubectl(v, k.schema)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		live, _ := yaml.JSONToYAML(v[2])
		config, _ := yaml.JSONToYAML(v[1])
		res, err := merge.Apply(v[0], config, live, merge.Options{})
		if err != nil {
			t.Errorf("%s %d: %v", k.kind, n, err)
			continue
		}
		got, err := yaml.YAMLToJSON(res.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(sorted(t, got), sorted(t, want)) {
			t.Errorf("%s %d: last applied\n%s\nconfig\n%s\nlive\n%s\ngot\n%s\nwant\n%s", k.kind, n, v[0], v[1], v[2], got, want)
		}
	}
}

// kubectl is what `kubectl apply` makes of live.
func kubectl(v [3][]byte, schema any) ([]byte, error) {
	meta, err := strategicpatch.NewPatchMetaFromStruct(schema)
	if err != nil {
		return nil, err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(v[0], v[1], v[2], meta, true)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatch(v[2], patch, schema)
}

// sorted is data without the order of lists, and without what the patch leaves
// behind in what live lacks: it is put in as it is there, with its directives
// and with the nulls that would remove fields. The API server's types drop
// both, but for items that are to be deleted, of which it keeps the key: those
// are no part of the document, and this program does not write them.
func sorted(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return unordered(v)
}

func unordered(v any) any {
	switch x := v.(type) {
	case object:
		for k := range x {
			if strings.HasPrefix(k, "$") || x[k] == nil {
				delete(x, k)
				continue
			}
			x[k] = unordered(x[k])
		}
	case []any:
		x = slices.DeleteFunc(x, func(e any) bool { o, ok := e.(object); return ok && o["$patch"] == "delete" })
		v = x
		for i := range x {
			x[i] = unordered(x[i])
		}
		sort.Slice(x, func(i, j int) bool { return fmt.Sprint(x[i]) < fmt.Sprint(x[j]) })
	}
	return v
}
