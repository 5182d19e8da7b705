package overlay_test

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// overrides are the rule sets, without rules for lists.
var overrides = map[string]overlay.Override{
	"kustomize": {DestNullDeletes: true, ListRules: new(team.Rules)},
	"merge2":    {UpdatedAlwaysWins: true, ListRules: new(team.Rules)},
	"apply":     {UpdatedAlwaysWins: true, Strategic: true, ListRules: new(team.Rules)},
	"annotate":  {UpdatedAlwaysWins: true, Strategic: true, ByPosition: true, ListRules: new(team.Rules)},
}

const (
	a1  = "kind: A\nmetadata: {name: a}\n"
	an  = "kind: A\nmetadata: {name: a, namespace: n}\n"
	am  = "kind: A\nmetadata: {name: a, namespace: m}\n"
	b1  = "kind: B\nmetadata: {name: b}\n"
	dep = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"
)

// overlayCases are merges by rule sets, each with its correct result and wrong results with the violated rule.
var overlayCases = []struct {
	name, rules, o, d, u, r string
	wrong                   map[string]string
}{
	{"both changed", "kustomize", "a: 1\n", "a: 2\n", "a: 3\n", "a: 3\n", map[string]string{"a: 2\n": "wrong value", "a: 1\n": "wrong value", "{}\n": "nothing left"}},
	{"dest alone changed", "kustomize", "a: 1\n", "a: 2\n", "a: 1\n", "a: 2\n", map[string]string{"a: 1\n": "wrong value"}},
	{"only dest changed, updated always wins", "merge2", "", "a: 2\n", "a: 1\n", "a: 1\n", map[string]string{"a: 2\n": "wrong value"}},
	{"each added", "kustomize", "a: 1\n", "a: 1\nb: 1\n", "a: 1\nc: 1\n", "a: 1\nb: 1\nc: 1\n", map[string]string{"a: 1\nb: 1\n": "lost", "a: 1\nc: 1\n": "lost", "a: 1\nb: 1\nc: 1\nx: 1\n": "unexpected"}},
	{"deleted and left", "kustomize", "a: 1\nb: 1\n", "a: 1\nb: 1\n", "a: 1\n", "a: 1\n", map[string]string{"a: 1\nb: 1\n": "unexpected"}},
	{"deleted by dest", "kustomize", "a: 1\nb: 1\n", "a: 1\n", "a: 1\nb: 1\n", "a: 1\n", map[string]string{"a: 1\nb: 1\n": "unexpected"}},
	{"deleted by dest, changed", "kustomize", "a: 1\nb: 1\n", "a: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 2\n", map[string]string{"a: 1\n": "lost", "a: 1\nb: 1\n": "wrong value"}},
	{"deleted, with what dest added", "kustomize", "m:\n  a: 1\n", "m:\n  a: 1\n  b: 1\n", "x: 1\n", "x: 1\nm:\n  b: 1\n", map[string]string{"x: 1\n": "lost", "x: 1\nm:\n  a: 1\n  b: 1\n": "unexpected"}},
	{"deleted by dest, with what updated added", "kustomize", "m:\n  a: 1\nx: 1\n", "x: 1\n", "m:\n  a: 1\n  b: 1\nx: 1\n", "m:\n  b: 1\nx: 1\n", map[string]string{"x: 1\n": "lost"}},
	{"null clears", "kustomize", "a: 1\nb: 1\n", "a: 1\nb: 1\n", "a: 1\nb: null\n", "a: 1\n", map[string]string{"a: 1\nb: 1\n": "unexpected", "a: 1\nb: null\n": "unexpected"}},
	{"a null of dest clears", "kustomize", "a: 1\nb: 1\n", "a: 1\nb: null\n", "a: 1\nb: 2\n", "a: 1\n", map[string]string{"a: 1\nb: 2\n": "unexpected"}},
	{"a null of dest stays", "merge2", "", "a: 1\nb: null\n", "a: 2\n", "a: 2\nb: null\n", map[string]string{"a: 2\n": "lost"}},
	{"another kind, without its nulls", "kustomize", "a: 1\n", "a: 2\n", "a:\n  x: 1\n  y: null\n", "a:\n  x: 1\n", map[string]string{"a:\n  x: 1\n  y: null\n": "unexpected", "a: 2\n": "wrong value"}},
	{"a list is one value", "kustomize", "l: [1, 2]\n", "l: [1, 2, 3]\n", "l: [0, 1, 2]\n", "l: [0, 1, 2]\n", map[string]string{"l: [0, 1, 2, 3]\n": "wrong value", "l: [2, 1, 0]\n": "wrong value"}},
	{"a list with keys", "kustomize", "l:\n- name: a\n  v: 1\n", "l:\n- name: a\n  v: 1\n- name: b\n", "l:\n- name: a\n  v: 2\n", "l:\n- name: a\n  v: 2\n- name: b\n", map[string]string{"l:\n- name: a\n  v: 2\n": "lost", "l:\n- name: a\n  v: 1\n- name: b\n": "wrong value", "l:\n- name: a\n  v: 2\n- name: b\n- name: b\n": "duplicate"}},
	{"a deleted item with what dest added", "kustomize", "l:\n- name: a\n  v: 1\n- name: b\n", "l:\n- name: a\n  v: 1\n  w: 1\n- name: b\n", "l:\n- name: b\n", "l:\n- name: b\n- name: a\n  w: 1\n", map[string]string{"l:\n- name: b\n": "lost", "l:\n- name: b\n- w: 1\n": "lost"}},
	{"resources", "kustomize", a1 + "v: 1\n---\n" + b1, a1 + "v: 1\n---\n" + b1, a1 + "v: 2\n---\n" + b1 + "v: 1\n", a1 + "v: 2\n---\n" + b1 + "v: 1\n", map[string]string{a1 + "v: 2\n": "lost", a1 + "v: 2\n---\n" + b1: "lost", a1 + "v: 1\n---\n" + b1 + "v: 1\n": "wrong value"}},
	{"a deleted resource", "kustomize", a1 + "---\n" + b1, a1 + "---\n" + b1 + "v: 1\n", a1, a1, map[string]string{a1 + "---\n" + b1 + "v: 1\n": "duplicate"}},
	{"an added resource", "merge2", "", a1, a1 + "---\n" + b1, a1 + "---\n" + b1, map[string]string{a1: "lost"}},
	{"a resource and a document that is none", "kustomize", "", a1, "v: 1\n", a1 + "v: 1\n", map[string]string{a1: "lost", "v: 1\n": "lost"}},
	{"items of a List", "kustomize", "kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n- kind: B\n  metadata: {name: b}\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n  v: 1\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n  v: 1\n- kind: B\n  metadata: {name: b}\n", map[string]string{"kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n  v: 1\n": "lost"}},
	{"items that are no resources are one value", "kustomize", "kind: List\nitems: [a, b]\n", "kind: List\nitems: [a, b, c]\n", "kind: List\nitems: [a, x]\n", "kind: List\nitems: [a, x]\n", map[string]string{"kind: List\nitems: [a, x, c]\n": "wrong value"}},
	{"applied before and gone", "apply", pod + "  x: 1\n  y: 1\n", pod + "  x: 1\n  y: 1\n  z: 1\n", pod + "  y: 2\n", pod + "  y: 2\n  z: 1\n", map[string]string{pod + "  x: 1\n  y: 2\n  z: 1\n": "unexpected", pod + "  y: 2\n": "lost"}},
	{"the namespace is sent", "apply", "kind: A\nmetadata: {name: a, namespace: n}\n", "kind: A\nmetadata: {name: a, namespace: n}\n", "kind: A\nmetadata: {name: a}\n", "kind: A\nmetadata: {name: a, namespace: n}\n", map[string]string{"kind: A\nmetadata: {name: a}\n": "lost"}},
	{"the default namespace", "apply", "", a1 + "---\n" + b1, "kind: A\nmetadata: {name: a, namespace: default}\nv: 1\n---\n" + b1, "kind: A\nmetadata: {name: a, namespace: default}\nv: 1\n---\n" + b1, map[string]string{a1 + "---\n" + b1: "lost"}},
	{"two groups", "merge2", "", "apiVersion: v1\n" + a1 + "---\n" + b1, "apiVersion: g/v1\n" + a1 + "---\n" + b1, "apiVersion: v1\n" + a1 + "---\n" + b1 + "---\napiVersion: g/v1\n" + a1, map[string]string{"apiVersion: g/v1\n" + a1 + "---\n" + b1: "lost"}},
	{"another namespace", "kustomize", a1 + "v: 1\n---\n" + b1, a1 + "v: 2\n---\n" + b1, an + "v: 1\n---\n" + b1, an + "v: 2\n---\n" + b1, map[string]string{an + "v: 1\n---\n" + b1: "wrong value", a1 + "v: 2\n---\n" + b1: "lost", b1: "lost"}},
	{"another namespace in dest", "kustomize", a1 + "v: 1\n---\n" + b1, an + "v: 1\n---\n" + b1, a1 + "v: 2\n---\n" + b1, an + "v: 2\n---\n" + b1, map[string]string{an + "v: 1\n---\n" + b1: "wrong value", a1 + "v: 2\n---\n" + b1: "lost"}},
	{"two namespaces, one name", "kustomize", a1 + "v: 1\n---\n" + b1, a1 + "v: 2\n---\n" + b1, an + "v: 1\n---\n" + am, an + "v: 1\n---\n" + am, map[string]string{an + "v: 2\n---\n" + am: "lost"}},
	{"two namespaces without a base", "merge2", "", a1 + "v: 1\n---\n" + b1, an + "v: 2\n---\n" + b1, a1 + "v: 1\n---\n" + b1 + "---\n" + an + "v: 2\n", map[string]string{an + "v: 2\n---\n" + b1: "lost"}},
	{"two of one key", "merge2", "", "l:\n- {name: a, v: 1}\n- {name: a, v: 2}\n", "l:\n- {name: a, v: 3}\n", "l:\n- {name: a, v: 3}\n- {name: a, v: 2}\n", map[string]string{"l:\n- {name: a, v: 3}\n": "lost"}},
	{"a union", "apply", "", dep + "  strategy:\n    type: A\n    rollingUpdate: {x: 1}\n", dep + "  strategy:\n    type: B\n", dep + "  strategy:\n    type: B\n", map[string]string{dep + "  strategy:\n    type: B\n    rollingUpdate: {x: 1}\n": "unexpected"}},
	{"a set", "apply", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [a, b]}\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [a, b, c]}\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [b]}\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [b, c]}\n", map[string]string{"kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [b]}\n": "lost", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [a, b, c]}\n": "unexpected"}},
	{"a set with a value twice", "apply", "", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [a, b, a]}\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [c, c]}\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [c, a, b]}\n", map[string]string{"kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [c, a, b, a]}\n": "duplicate", "kind: Pod\napiVersion: v1\nmetadata: {name: a, finalizers: [c, c, a, b]}\n": "duplicate"}},
	{"two of what excludes each other", "merge2", "", dep + "  strategy:\n    rollingUpdate: {x: 1}\n", dep + "  strategy:\n    type: A\n", dep + "  strategy:\n    rollingUpdate: {x: 1}\n    type: A\n", map[string]string{dep + "  strategy:\n    type: A\n": "lost"}},
	{"each has another tag", "merge2", "", "a: !t\n  b: 1\n", "a: !u\n  c: 1\n", "a: !u\n  b: 1\n  c: 1\n", map[string]string{"a: !t\n  b: 1\n  c: 1\n": "wrong anchor or tag"}},
	{"keys of two types", "merge2", "", "1: a\n", "\"1\": b\n", "1: b\n", map[string]string{"1: a\n": "wrong value", "\"2\": b\n": "lost"}},
	{"an alias", "merge2", "", "a: &x 1\nc: &x 2\nb: *x\n", "a: &x 1\nd: 1\n", "a: &x 1\nc: &x 2\nb: *x\nd: 1\n", map[string]string{"a: &x 1\nb: *x\nc: &x 2\nd: 1\n": "wrong alias"}},
	{"by place", "annotate", "", a1 + "---\n" + a1, a1 + "v: 1\n---\n" + a1 + "v: 2\n", a1 + "v: 1\n---\n" + a1 + "v: 2\n", map[string]string{a1 + "v: 2\n---\n" + a1 + "v: 1\n": "wrong value"}},
	{"comments", "kustomize", "a: 1\n", "# d\na: 1\n", "a: 2\n# u\nb: 1\n", "# d\na: 2\n# u\nb: 1\n", map[string]string{"a: 2\n# u\nb: 1\n": "wrong comment", "# d\na: 2\nb: 1\n": "wrong comment", "# d\na: 2\n# u\nb: 1\n# d\n": "wrong comment", "# d\na: 2\n# u\nb: 1\n# x\n": "wrong comment"}},
	{"a comment of what goes", "kustomize", "a: 1\nb: 1\n", "a: 1\n# d\nb: 1\n", "a: 1\n", "a: 1\n", nil},
	{"a comment in what is overridden", "kustomize", "l: [1]\n", "l:\n# d\n- 2\n", "l: [3]\n", "l: [3]\n", nil},
	{"a document of comments", "merge2", "", "# d\n", "a: 1\n", "# d\na: 1\n", map[string]string{"{}\n": "nothing left"}},
	{"an added resource without its nulls", "merge2", "", a1, a1 + "---\n" + b1 + "v: ~\nw: 1\n", a1 + "---\n" + b1 + "w: 1\n", map[string]string{a1 + "---\n" + b1 + "v: ~\nw: 1\n": "unexpected", a1 + "---\n" + b1: "lost"}},
}

// checkOverlay returns the violation of c under the rules of this name, or nil.
func checkOverlay(c verify.Merge, rules string) *verify.Violation {
	return verify.CheckOverlay(c, overrides[rules].ExpectedResult([3]*syntax.Stream{c.Base, c.Ours, c.Theirs}, ""))
}

func TestCheckOverlay(t *testing.T) {
	for _, m := range overlayCases {
		t.Run(m.name, func(t *testing.T) {
			c := verify.Merge{Base: trees.Parse(t, m.o), Ours: trees.Parse(t, m.d), Theirs: trees.Parse(t, m.u)}
			c.Result = trees.Parse(t, m.r)
			if x := checkOverlay(c, m.rules); x != nil {
				t.Errorf("refused: %v", x)
			}
			for w, rule := range m.wrong {
				c.Result = trees.Parse(t, w)
				x := checkOverlay(c, m.rules)
				if x == nil {
					t.Errorf("accepted:\n%s", w)
				} else if x.Rule.String() != rule {
					t.Errorf("%v, want %s, of:\n%s", x, rule, w)
				}
			}
		})
	}
}

// TestCheckOverlayIgnoredComments checks that the result need not have both comments at a place of a conflict.
func TestCheckOverlayIgnoredComments(t *testing.T) {
	o, d, u := "# o\na: 1\n", "# d\na: 1\n", "# u\na: 1\n"
	at := strings.Index(o, "o")
	line := verify.Conflict{}
	for v := range line.At {
		line.At[v].End = at + 2
	}
	c := verify.Merge{Base: trees.Parse(t, o), Ours: trees.Parse(t, d), Theirs: trees.Parse(t, u), Result: trees.Parse(t, u)}
	if checkOverlay(c, "kustomize") == nil {
		t.Error("accepted without dest's comment")
	}
	c.Conflicts = []verify.Conflict{line}
	if x := checkOverlay(c, "kustomize"); x != nil {
		t.Errorf("refused: %v", x)
	}
}
