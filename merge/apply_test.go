package merge

import (
	"strings"
	"testing"
)

const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n"

// A row of the documented tables: is a field in the config, in the live
// resource, in what was applied last.
func TestApplyTables(t *testing.T) {
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\n"
	for _, c := range []struct{ name, last, config, live, want string }{
		{"primitive: config yes, live yes, last no", "", "a: 2\n", "a:   1 # one\n", "a:   2 # one\n"},
		{"primitive: config yes, live yes, last yes; only live drifted", "a: 2\n", "a: 2\n", "a:   1 # one\n", "a:   2 # one\n"},
		{"primitive: config yes, live no", "a: 2\n", "a: 2 # two\n", "# top\nb: 1\n", "# top\nb: 1\na: 2 # two\n"},
		{"primitive: config no, live yes, last yes", "a: 2\nb: 1\n", "b: 1\n", "a: 3 # gone\nb:  1 # b\n", "b:  1 # b\n"},
		{"primitive: config no, live yes, last no", "", "b: 1\n", "a: 3 # kept\nb:  1\n", "a: 3 # kept\nb:  1\n"},
		{"primitive: config no, live no, last yes", "a: 1\nb: 1\n", "b: 1\n", "b:  1\n", "b:  1\n"},
		{"primitive: null in config", "a: 1\n", "a: ~\nb: 1\n", "a: 1\nb:  1 # b\n", "b:  1 # b\n"},
		{"primitive: config no, live yes, last null", "a: ~\nb: 1\n", "b: 1\n", "a: 3 # gone\nb:  1 # b\n", "b:  1 # b\n"},
		{"map: config yes, live yes", "m: {x: 1, y: 1}\n", "m: {x: 2, z: 1}\n", "m: # map\n  w: 1 # live\n  x: 9 # x\n  y: 1\n", "m: # map\n  w: 1 # live\n  x: 2 # x\n  z: 1\n"},
		{"map: config yes, live no", "m: {x: 1}\n", "m:\n  x: 1 # x\n  n: ~\n", "a: 1\n", "a: 1\nm:\n  x: 1 # x\n"},
		{"map: config no, live yes, last yes", "m: {x: 1}\nb: 1\n", "b: 1\n", "m:\n  x: 1\n  y: 1 # live's\nb: 1\n", "b: 1\n"},
		{"map: config no, live yes, last no", "b: 1\n", "b: 1\n", "m:\n  x: 1 # x\nb: 1\n", "m:\n  x: 1 # x\nb: 1\n"},
		{"lists of unknown types are replaced", "l: [{name: a}]\n", "l:\n- name: b # b\n", "l:\n- name: a\n- name: c\n", "l:\n- name: b # b\n"},
		{"a list in last applied alone of config", "l: [a]\nb: 1\n", "b: 1\n", "l: [a, b]\nb: 1\n", "b: 1\n"},
		{"a list only in live", "b: 1\n", "b: 1\n", "l: [a, b] # l\nb: 1\n", "l: [a, b] # l\nb: 1\n"},
		{"a set", pod + "  finalizers: [a, b]\n", pod + "  finalizers: [a, c]\n", pod + "  # held\n  finalizers:\n  - a # first\n  - b\n  - d # live's\n", pod + "  # held\n  finalizers:\n  - a # first\n  - c\n  - d # live's\n"},
		{"a list that is one value", pod + "spec:\n  containers: [{name: c, args: [a, b]}]\n", pod + "spec:\n  containers:\n  - name: c\n    args: [a, c]\n", pod + "spec:\n  containers:\n  - name: c # c\n    args: [a, b, d] # args\n", pod + "spec:\n  containers:\n  - name: c # c\n    args: [a, c] # args\n"},
		{"a union changes its member", deployment + "spec: {strategy: {type: RollingUpdate}}\n", deployment + "spec:\n  strategy:\n    type: Recreate\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1\n    type: RollingUpdate # how\n", deployment + "spec:\n  strategy:\n    type: Recreate # how\n"},
		{"a union has no fields but those of config", deployment + "spec: {strategy: {type: RollingUpdate}}\n", deployment + "spec:\n  strategy:\n    type: RollingUpdate\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1\n    type: RollingUpdate # how\n", deployment + "spec:\n  strategy:\n    type: RollingUpdate # how\n"},
		{"a union of which config says nothing keeps what live has", "", deployment + "spec:\n  strategy: {}\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1 # one\n    type: RollingUpdate\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1 # one\n    type: RollingUpdate\n"},
		{"a union whose only field is null in config", "", deployment + "spec:\n  strategy: {type: ~}\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1 # one\n    type: RollingUpdate\n", deployment + "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 1 # one\n"},
		{"a volume gets another source", pod + "spec: {volumes: [{name: v, emptyDir: {}}]}\n", pod + "spec:\n  volumes:\n  - name: v\n    hostPath: {path: /x}\n", pod + "spec:\n  volumes:\n  - emptyDir: {}\n    name: v # v\n", pod + "spec:\n  volumes:\n  - name: v # v\n    hostPath: {path: /x}\n"},
		{"container ports pair by their number alone", pod + "spec: {containers: [{name: c, ports: [{containerPort: 80}]}]}\n", pod + "spec:\n  containers:\n  - name: c\n    ports:\n    - containerPort: 80\n      protocol: UDP\n", pod + "spec:\n  containers:\n  - name: c\n    ports:\n    - containerPort: 80\n      protocol: TCP # p\n      hostPort: 1\n", pod + "spec:\n  containers:\n  - name: c\n    ports:\n    - containerPort: 80\n      protocol: UDP # p\n      hostPort: 1\n"},
	} {
		res, err := Apply([]byte(c.last), []byte(c.config), []byte(c.live), Options{})
		if err != nil || string(res.Bytes) != c.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", c.name, err, res.Bytes, c.want)
		}
	}
}

// The lists of objects of kubectl's document.
func TestApplyDocumentedContainers(t *testing.T) {
	const head = pod + "spec:\n  containers:\n"
	const last = head + `  - name: nginx
    image: nginx:1.10
  - name: nginx-helper-a
    image: helper:1.3
  - name: nginx-helper-b
    image: helper:1.3
`
	const config = head + `  - name: nginx
    image: nginx:1.10
  - name: nginx-helper-b
    image: helper:1.3
  - name: nginx-helper-c # key: nginx-helper-c; will be added in result
    image: helper:1.3
`
	const live = head + `  - name: nginx
    image: nginx:1.10
  - name: nginx-helper-a
    image: helper:1.3
  - name: nginx-helper-b
    image: helper:1.3
    args: ["run"] # Field will be retained
  - name: nginx-helper-d # key: nginx-helper-d; will be retained
    image: helper:1.3
`
	const want = head + `  - name: nginx
    image: nginx:1.10
  - name: nginx-helper-b
    image: helper:1.3
    args: ["run"] # Field will be retained
  - name: nginx-helper-c # key: nginx-helper-c; will be added in result
    image: helper:1.3
  - name: nginx-helper-d # key: nginx-helper-d; will be retained
    image: helper:1.3
`
	res, err := Apply([]byte(last), []byte(config), []byte(live), Options{})
	if err != nil || string(res.Bytes) != want {
		t.Errorf("got %v\n%s", err, res.Bytes)
	}
}

// The list of primitives of kubectl's document: the team calls args a set.
func TestApplyDocumentedArgs(t *testing.T) {
	rules, err := ParseRules("rules.yaml", []byte("rules:\n- lists:\n    \"spec.containers[*].args\": set\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	const head = pod + "spec:\n  containers:\n  - name: c\n    args: "
	res, err := Apply([]byte(head+"[a, b]\n"), []byte(head+"[a, c]\n"), []byte(head+"[a, b, d]\n"), Options{Rules: rules})
	if err != nil || string(res.Bytes) != head+"[a, c, d]\n" {
		t.Errorf("got %v\n%s", err, res.Bytes)
	}
}

func TestApplyErrors(t *testing.T) {
	for _, c := range []struct{ config, live, want string }{
		{pod + "spec:\n  containers:\n  # no name\n  - image: x\n", pod + "spec:\n  containers:\n  - name: a\n", "CONFIG:8:3: an item of spec.containers has no name, the key of that list (rules of apply)"},
		{"a:\n- x\n", "a:\n  x: 1\n", "CONFIG:2:1: a is a list here and a mapping in LIVE (rules of apply)"},
	} {
		_, err := Apply(nil, []byte(c.config), []byte(c.live), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestAnnotate(t *testing.T) {
	const key = "kubectl.kubernetes.io/last-applied-configuration"
	config := "# c\nkind: A\nmetadata:\n  annotations:\n    " + key + ": '{}'\n    x: y # kept\n  name: a # a\nb: '<'\na: [1, 1.5, ~, 2001-01-01, true]\n"
	want := strings.Replace(config, "'{}'", "|\n      "+
		`{"a":[1,1.5,null,"2001-01-01",true],"b":"\u003c","kind":"A","metadata":{"annotations":{"x":"y"},"name":"a"}}`, 1)
	got, err := Annotate([]byte(config), Options{})
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	last, err := LastApplied(got)
	if err != nil || !strings.HasPrefix(string(last), "---\n{\"a\":[1,") {
		t.Errorf("got %v %s", err, last)
	}
	if _, err := Annotate([]byte("a: &x 1\nb: *x\n"), Options{}); err == nil || err.Error() != "CONFIG:2:4: JSON has no aliases" {
		t.Errorf("got %v", err)
	}
}
