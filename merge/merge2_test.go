package merge

import (
	"errors"
	"strings"
	"testing"
)

func TestMerge2(t *testing.T) {
	const pod = "kind: Pod\napiVersion: v1\nspec:\n"
	for _, c := range []struct{ name, src, dest, want string }{
		{"a scalar that only dest has stays", "a: 1\n", "# b\nb:  ~ # two\nc: 'x'\n", "# b\nb:  ~ # two\nc: 'x'\na: 1\n"},
		{"a scalar that src has is that of src", "a: 5\n", "a:   3 # three\n", "a:   5 # three\n"},
		{"a scalar that src has null is cleared", "a: ~\n", "a: 3 # three\nb:  1\n", "b:  1\n"},
		{"a list that only dest has stays", "a: 1\n", "a: 1\nl: [ a,  b ] # l\n", "a: 1\nl: [ a,  b ] # l\n"},
		{"a list of src is that of src", "l: [1, 2, 3]\n", "l: # letters\n- a\n- b\n", "l: [1, 2, 3] # letters\n"},
		{"a list that src has null is cleared", "l:\n", "l:\n- a\nx: 1 # x\n", "x: 1 # x\n"},
		{"maps merge by key", "{key1: value1, key2: value2}\n", "{key2: value0, key3: value3}\n", "{key1: value1, key2: value2, key3: value3}\n"},
		{"maps merge recursively, null removes a field", "m:\n  x: ~\n  # new\n  n: 1\n", "m:\n    x: 1 # x\n    y: 2 # y\n", "m:\n    y: 2 # y\n    # new\n    n: 1\n"},
		{"nulls of what src adds do not come along", "m:\n  x: ~\n  y: 1 # y\n", "a: 1\n", "a: 1\nm:\n  y: 1 # y\n"},
		{"items only in dest stay", pod + "  containers:\n  - name: a\n", pod + "  containers:\n  - name: b # b\n", pod + "  containers:\n  - name: b # b\n  - name: a\n"},
		{"items only in src stand at the end", pod + "  containers:\n  # the a\n  - name: a # a\n", pod + "  containers:\n    - name: b\n", pod + "  containers:\n    - name: b\n    # the a\n    - name: a # a\n"},
		{"items in both merge", pod + "  containers:\n  - name: a\n    image: a:2\n", pod + "  containers:\n  - image: a:1   # one\n    stdin: true\n    name: a\n", pod + "  containers:\n  - image: a:2   # one\n    stdin: true\n    name: a\n"},
		{"comments of src fill in where dest has none", "# theirs\na: 1 # one\n# about b\nb: 2\n", "a: 1\n# mine\nb: 2 # two\n", "# theirs\na: 1 # one\n# mine\nb: 2 # two\n"},
		{"resources pair by identity", "kind: B\nmetadata: {name: b}\nv: 2\n---\nkind: C\nmetadata: {name: c}\n", "kind: A\nmetadata: {name: a}\n---\nkind: B\nmetadata: {name: b}\nv: 1 # v\n",
			"kind: A\nmetadata: {name: a}\n---\nkind: B\nmetadata: {name: b}\nv: 2 # v\n---\nkind: C\nmetadata: {name: c}\n"},
		{"an empty dest becomes src", "a: 1 # one\n", "", "a: 1 # one\n"},
		{"line ends are those of dest", "a: 2\nb: 1\n", "a: 1 # x\r\n", "a: 2 # x\r\nb: 1\r\n"},
	} {
		res, err := Merge2([]byte(c.src), []byte(c.dest), Options{})
		if err != nil || string(res.Bytes) != c.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", c.name, err, res.Bytes, c.want)
		}
	}
}

// The example of kustomize's document, as it stands there.
func TestMerge2Documented(t *testing.T) {
	const src = `apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 3 # scalar
  template:
    spec:
      containers:  # associative list -- (name)
      - name: nginx
        image: nginx:1.7
        command: ['new_run.sh', 'arg1'] # non-associative list
      - name: sidecar2
        image: sidecar2:v1
`
	const dest = `apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: nginx
        image: nginx:1.6
        command: ['old_run.sh', 'arg0']
      - name: sidecar1
        image: sidecar1:v1
`
	const want = `apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 3 # scalar
  template:
    spec:
      containers:  # associative list -- (name)
      - name: nginx
        image: nginx:1.7
        command: ['new_run.sh', 'arg1'] # non-associative list
      - name: sidecar1
        image: sidecar1:v1
      - name: sidecar2
        image: sidecar2:v1
`
	res, err := Merge2([]byte(src), []byte(dest), Options{})
	if err != nil || string(res.Bytes) != want {
		t.Errorf("got %v\n%s", err, res.Bytes)
	}
}

func TestMerge2Errors(t *testing.T) {
	names := [3]string{"", "dest.yaml", "src.yaml"}
	for _, c := range []struct{ src, dest, want string }{
		{"kind: A\nmetadata: {name: a}\n---\n# no name\nkind: B\n", "kind: A\nmetadata: {name: a}\n", "src.yaml:5:1: "},
		{"a: 1\n", "kind: A\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: a}\n", "dest.yaml:4:1: A/a is in this file twice (rules of merge2)"},
		{"a: [\n", "a: 1\n", "src.yaml:1:1: "},
		{"a: 1\n", "a: 1\na: 2\n", "dest.yaml: line 2: "},
	} {
		_, err := Merge2([]byte(c.src), []byte(c.dest), Options{Names: names})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q into %q: %v, want %s", c.src, c.dest, err, c.want)
		}
	}
	_, err := Merge2([]byte("kind: A\n---\nkind: B\n"), nil, Options{})
	if e, ok := errors.AsType[*RuleError](err); !ok || e.File != "SRC" || e.Line != 1 {
		t.Errorf("got %v", err)
	}
}
