package merge_test

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestWhy checks the text that Conflict.Why returns: what each side did and, if one side deleted what the other side
// changed, the changed fields, at most three by name.
func TestWhy(t *testing.T) {
	const base = "server:\n  image: a\n  resources:\n    limits:\n      cpu: 1\n      memory: 2\n  ports:\n    - name: http\n      port: 80\n"
	rules, err := merge.ParseRules("r", []byte("rules:\n- lists: {one: atomic}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, base, ours, theirs, want string }{
		{"a list that is one value", "one:\n- a\n- b\n", "one:\n- c\n- b\n", "one:\n- a\n- d\n", "both modified the list"},
		{"an added list that is one value", "a: 1\n", "a: 1\none: [a]\n", "a: 1\none: [b]\n", "both added the list"},
		{"items of a list", "l:\n- a\n- b\n", "l:\n- c\n- b\n", "l:\n- d\n- b\n", "both modified the same items"},
		{"deep in a mapping", "a: 1\n" + base, "a: 1\n", "a: 1\n" + "server:\n  image: a\n  resources:\n    limits:\n      cpu: 3\n      memory: 2\n  ports:\n    - name: http\n      port: 81\n",
			"deleted by us, modified by them (resources.limits.cpu, ports[name=http].port)"},
		{"in a keyed item", "l:\n- name: a\n  v: 1\n- name: b\n  v: 1\n", "l:\n- name: a\n  v: 2\n- name: b\n  v: 1\n", "l:\n- name: b\n  v: 1\n", "deleted by them, modified by us (v)"},
		{"in an item of an ordered list", "l:\n- x: 1\n- run: a\n  env: {b: 1}\n  z: 1\n", "l:\n- x: 1\n", "l:\n- x: 1\n- run: a\n  env: {b: 2}\n  z: 1\n", "deleted by us, modified by them (env.b)"},
		{"a scalar", "a: 1\nb: 1\n", "b: 1\n", "a: 2\nb: 1\n", "deleted by us, modified by them"},
		{"many", "m:\n  a: 1\n  b: 1\n  c: 1\n  d: 1\n  e: 1\nz: 1\n", "z: 1\n", "m:\n  a: 2\n  b: 2\n  c: 2\n  d: 2\n  e: 2\nz: 1\n", "deleted by us, modified by them (a, b, c and 2 more)"},
		{"a part of a flow mapping", "m: {a: {b: 1, c: 1}, d: 1}\n", "m: {d: 1}\n", "m: {a: {b: 2, c: 1}, d: 1}\n", "a deleted by us, modified by them (a.b)"},
		{"a field is added", "a: 1\nm:\n  b: 1\n", "a: 1\n", "a: 1\nm:\n  b: 1\n  c: 1\n", "deleted by us, modified by them (added c)"},
		{"a value", "a: 1\n", "a: 2\n", "a: 3\n", "both modified"},
		{"an added field", "a: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 3\n", "both added"},
		{"an added item", "l:\n- run: a\n", "l:\n- run: a\n- run: b\n", "l:\n- run: a\n- run: c\n", "both added, at the same place"},
		{"one added field", "k: 1\n", "k: 1\nm:\n  b: 1\n", "k: 1\nm:\n  c: 1\n", "added by us, another entry added by them"},
		{"a renamed key", "k: 1\na: {x: 1, y: 2}\n", "k: 1\nb: {x: 1, y: 2}\n", "k: 1\nc: {x: 1, y: 2}\n", "both renamed"},
		{"a comment", "# a\nk: 1\n", "# b\nk: 1\n", "# c\nk: 1\n", "both modified the comment"},
		{"a deleted comment", "# a\nk: 1\n", "k: 1\n", "# c\nk: 1\n", "comment deleted by us, modified by them"},
		{"a text", "k: |\n  a\n  b\n", "k: |\n  a\n  c\n", "k: |\n  a\n  d\n", "both modified the same lines of the text"},
		{"lines added to a text", "k: |\n  a\n", "k: |\n  a\n  b\n", "k: |\n  a\n  c\n", "both added lines of the text at the same place"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := merge.Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), merge.Options{Rules: rules})
			if err != nil || len(res.Conflicts) == 0 {
				t.Fatalf("%v\n%s", err, res.Bytes)
			}
			if got := res.Conflicts[0].Why(); got != c.want {
				t.Errorf("%s: %q, want %q\n%s", res.Conflicts[0].Path, got, c.want, res.Bytes)
			}
		})
	}
}
