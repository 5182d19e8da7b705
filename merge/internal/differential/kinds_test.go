package differential

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// A kind is a kind of resource, with a function that generates its main field.
type kind struct {
	version, name string
	schema        any
	body          func(maker) (field string, value any)
}

var kinds = []kind{
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

// resource returns a random resource of a kind.
func (m maker) resource(k kind) object {
	meta := m.some(m.set("labels", object{"a": "1"}, object{"a": "2", "b": "1"}), m.set("finalizers", []any{"a", "b"}, []any{"a", "c"}, []any{"a", "b", "d"}, []any{"e"}))
	meta["name"] = "n"
	field, body := k.body(m)
	return object{"apiVersion": k.version, "kind": k.name, "metadata": meta, field: body}
}

func (m maker) pod() object {
	names := []any{"a", "b", "c", "d"}
	container := func() object {
		return m.some(m.set("image", "x:1", "x:2", "x:3"), m.set("args", []any{"a"}, []any{"a", "b"}, []any{"c"}), m.set("tty", true, false),
			m.in("env", m.items("name", names, func() object { return m.some(m.set("value", "1", "2")) })),
			m.in("ports", m.items("containerPort", []any{80, 81, 82}, func() object { return m.some(m.set("protocol", "TCP", "UDP"), m.set("name", "p", "q")) })))
	}
	volume := func() object {
		return copied(m.pick(object{"emptyDir": object{}}, object{"hostPath": object{"path": "/x"}}, object{"configMap": object{"name": "c"}},
			object{"configMap": object{"name": "c", "optional": true}}, object{"emptyDir": object{}, "hostPath": object{"path": "/x"}})).(object)
	}
	o := m.some(m.in("volumes", m.items("name", names, volume)), m.set("hostNetwork", true, false),
		m.set("tolerations", []any{object{"key": "a"}}, []any{object{"key": "b"}, object{"key": "a"}}),
		m.set("nodeSelector", object{"a": "1"}, object{"a": "2", "b": "1"}, object{"c": "1"}))
	o["containers"] = m.items("name", names, container)()
	return o
}
