package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// lineMerges are results of line merges with the rule of their violation, or "" for correct results.
var lineMerges = []struct {
	merge
	rule string
}{
	{merge{"right", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", "a: 2\nb: 2\n"}, ""},
	{merge{"key doubled", "m: 1\n", "z: 1\nm: 1\n", "m: 1\nz: 2\n", "z: 1\nm: 1\nz: 2\n"}, "duplicate"},
	{merge{"added field gone with what was moved", "m:\n  a: 1\n  b: 1\n", "m:\n  a: 1\n  b: 1\n  c: 1\n", "n:\n  a: 1\n  b: 1\nm: {}\n", "n:\n  a: 1\n  b: 1\n  c: 1\nm: {}\n"}, ""},
	{merge{"scalar doubled", "l:\n- a\n- b\n", "l:\n- x\n- a\n- b\n", "l:\n- a\n- b\n- x\n", "l:\n- x\n- a\n- b\n- x\n"}, "duplicate"},
	{merge{"named item doubled", "l:\n- name: a\n", "l:\n- name: x\n- name: a\n", "l:\n- name: a\n- name: x\n", "l:\n- name: x\n- name: a\n- name: x\n"}, "duplicate"},
	{merge{"run of items doubled", "l:\n- a: 1\n  b: 1\n", "l:\n- f: 1\n  b: 1\n- g: 1\n  b: 1\n- a: 1\n  b: 1\n", "l:\n- f: 1\n  b: 1\n- g: 1\n  b: 1\n\n- a: 1\n  b: 1\n", "l:\n- f: 1\n  b: 1\n- g: 1\n  b: 1\n\n- f: 1\n  b: 1\n- g: 1\n  b: 1\n- a: 1\n  b: 1\n"}, "duplicate"},
	{merge{"item that both added, at two places", "l:\n- a: 1\n  b: 1\n", "l:\n- f: 1\n  b: 1\n- a: 1\n  b: 1\n", "l:\n- a: 1\n  b: 1\n- f: 1\n  b: 1\n", "l:\n- f: 1\n  b: 1\n- a: 1\n  b: 1\n- f: 1\n  b: 1\n"}, "duplicate"},
	{merge{"of two fields with one key, the one that no side deleted remains", "a: 1\nb: 1\n", "a: 1\nb: 1\na: 2\n", "b: 1\n", "b: 1\na: 2\n"}, "duplicate key"},
	{merge{"of two of a key, the one that was deleted is left", "a: 1\nb: 1\n", "a: 1\nb: 1\na: 2\n", "b: 1\n", "a: 1\nb: 1\n"}, "duplicate key"},
	{merge{"the last of two of a key hides a change", "a: 1\nb: 1\n", "a: 1\nb: 1\na: 2\n", "a: 3\nb: 1\n", "a: 3\nb: 1\na: 2\n"}, "duplicate key"},
	{merge{"two of a key, both as both sides want it", "a: 1\nb: 1\n", "a: 1\nb: 1\na: 3\n", "a: 3\nb: 1\n", "a: 3\nb: 1\na: 3\n"}, ""},
	{merge{"two of a key in all versions", "a: 1\nb: 1\na: 2\n", "a: 3\nb: 1\na: 2\n", "a: 1\nb: 1\na: 4\n", "a: 3\nb: 1\na: 4\n"}, ""},
	{merge{"text indented in part", "t: |-\n    a\n\n    b\n    c\n", "t: |-\n  a\n\n    b\n    c\n", "t: |-\n    a\n\n    b\n    d\n", "t: |-\n  a\n\n    b\n    d\n"}, ""},
	{merge{"blank line below a text that keeps it", "a: |\n  x\nb: 1\n", "a: |+\n  x\nb: 1\n", "a: |\n  x\n\nb: 1\n", "a: |+\n  x\n\nb: 1\n"}, "wrong text"},
	{merge{"blank line below a text that both changed", "a: |\n  x\nb: 1\n", "a: |+\n  x\nb: 1\n", "a: |\n  y\n  x\n\nb: 1\n", "a: |+\n  y\n  x\n\nb: 1\n"}, "wrong text"},
	{merge{"blank line below a text that keeps none", "a: |-\n  x\nb: 1\n", "a: |\n  x\nb: 1\n", "a: |-\n  x\n\nb: 1\n", "a: |\n  x\n\nb: 1\n"}, ""},
	{merge{"alias captured", "m: 1\n", "a: &x 1\nm: 1\no: *x\n", "z: &x 9\nm: 1\nt: *x\n", "a: &x 1\nz: &x 9\nm: 1\no: *x\nt: *x\n"}, "wrong alias"},
	{merge{"two of one", podWithEnv("- name: A", ""), podWithEnv("- name: A\n      value: a", ""), podWithEnv("- name: A", "\n      valueFrom: {}"), podWithEnv("- name: A\n      value: a", "\n      valueFrom: {}")}, "exclusive fields"},
	{merge{"another access field of each side", roleWith("[a]", "[x]"), roleWith("[a, b]", "[x]"), roleWith("[a]", "[x, y]"), roleWith("[a, b]", "[x, y]")}, "wider access"},
	{merge{"another access field by each side, one in the result", roleWith("[a]", "[x]"), roleWith("[a, b]", "[x]"), roleWith("[a]", "[x, y]"), roleWith("[a]", "[x, y]")}, ""},
	{merge{"one access field", roleWith("[a]", "[x]"), roleWith("[a, b]", "[x]"), roleWith("[a, c]", "[x]"), roleWith("[a, b, c]", "[x]")}, ""},
	{merge{"another access field, in a document", bindingWith("r", "a"), bindingWith("s", "a"), bindingWith("r", "a}, {name: b"), bindingWith("s", "a}, {name: b")}, "wider access"},
	{merge{"another access field, in an item of a list without keys", nestedPolicyWith("[a]", "x"), nestedPolicyWith("[a, b]", "x"), nestedPolicyWith("[a]", "'*'"), nestedPolicyWith("[a, b]", "'*'")}, "wider access"},
	{merge{"a statement that all have, below 64 others", longPolicyWith("", ""), longPolicyWith("    - {Action: o, Resource: o}\n", ""), longPolicyWith("", "    - {Action: t, Resource: t}\n"), longPolicyWith("    - {Action: o, Resource: o}\n", "    - {Action: t, Resource: t}\n")}, ""},
	{merge{"comment twice, and order", "a: 1\nb: 1\n", "# x\na: 1\nb: 1\n", "a: 1\nb: 2\n", "b: 2\n# x\n# x\na: 1\n"}, ""},
}

// podWithEnv returns a pod with an item of env and the text that follows it.
func podWithEnv(item, below string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    env:\n    " + item + below + "\n"
}

// roleWith returns a role with two rules, one of them with these verbs and resources.
func roleWith(verbs, resources string) string {
	return "kind: Role\nrules:\n- resources: [other]\n- resources: " + resources + "\n  verbs: " + verbs + "\n"
}

// bindingWith returns a binding of a role to a subject.
func bindingWith(role, subjects string) string {
	return "kind: RoleBinding\nroleRef: {name: " + role + "}\nsubjects: [{name: " + subjects + "}]\n"
}

// nestedPolicyWith returns a policy with a statement in nested lists.
func nestedPolicyWith(action, resource string) string {
	return "Policies:\n- Document:\n    Statement:\n    - Action: " + action + "\n      Resource: " + resource + "\n"
}

// longPolicyWith returns a policy with 70 statements between the lines before and after.
func longPolicyWith(before, after string) string {
	all := "Policies:\n- Document:\n    Statement:\n" + before
	for i := range 70 {
		all += fmt.Sprintf("    - {Action: a%d, Resource: r%d}\n", i, i)
	}
	return all + after
}

func TestCheckLineMerge(t *testing.T) {
	for _, m := range lineMerges {
		t.Run(m.name, func(t *testing.T) {
			x := CheckLineMerge(Merge{Base: parse(t, m.o), Ours: parse(t, m.d), Theirs: parse(t, m.u), Result: parse(t, m.r)})
			if x == nil && m.rule != "" || x != nil && x.Rule.String() != m.rule {
				t.Errorf("got %v, want %q", x, m.rule)
			}
		})
	}
}

// TestTemplateLineMerge tests which line merges of templates are refused: both sides put a block around another one.
func TestTemplateLineMerge(t *testing.T) {
	const inner = "{{- if .a }}\nx: 1\n{{- else }}\nx: 2\n{{- end }}\n"
	const outer = "{{- if .b }}\n" + inner + "{{- end }}\n"
	const swapped = "{{- if .a }}\n{{- if .b }}\nx: 1\n{{- else }}\nx: 2\n{{- end }}\n{{- end }}\n"
	for _, c := range []struct{ name, result, want string }{
		{"right", outer, ""},
		{"the opening actions are swapped", swapped, "wrong action"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := CheckLineMerge(parseTemplates(t, "y: 1\n"+inner+"z: 1\n", "y: 2\n"+outer+"z: 1\n", "y: 1\n"+outer+"z: 2\n", "y: 2\n"+c.result+"z: 2\n"))
			if x == nil && c.want != "" || x != nil && x.Rule.String() != c.want {
				t.Errorf("got %v, want %q", x, c.want)
			}
		})
	}
}

// TestViolationLimits tests that Violations and ManualViolations return all violations up to the limit.
func TestViolationLimits(t *testing.T) {
	c := Merge{Base: parse(t, "a: 1\nb: 1\nc: x\n"), Ours: parse(t, "a: 2\nb: 1\nc: x\n"), Theirs: parse(t, "a: 1\nb: 2\nc: x\n"), Result: parse(t, "a: 3\nb: 4\nc: x\n")}
	for _, w := range []struct {
		most, refusals, findings int
	}{{9, 2, 2}, {1, 1, 1}} {
		if n := len(Violations(c, w.most)); n < min(w.refusals, w.most) || n > w.most {
			t.Errorf("%d refusals, want %d", n, w.refusals)
		}
		if n := len(ManualViolations(c, w.most)); n != w.findings {
			t.Errorf("%d findings, want %d", n, w.findings)
		}
	}
}

// TestManualViolationsInList tests that items of a List are identified as resources only if all are resources.
// Otherwise, a person may have created a new item next to a conflict.
func TestManualViolationsInList(t *testing.T) {
	const head = "apiVersion: v1\nkind: List\nitems:\n- kind: W\n"
	o, at := cutMarks(head + "«  metadata:\n    name: a\n»- kind: W\n  metadata:\n    name: b\n")
	u, edited := cutMarks(head + "«  metadata:\n    name: a\n    z: 1\n»- kind: W\n  metadata:\n    name: b\n")
	c := Merge{Base: parse(t, o), Ours: parse(t, head+"- kind: W\n  metadata:\n    name: b\n"), Theirs: parse(t, u), Result: parse(t, u)}
	c.Conflicts = []Conflict{{At: [3]text.Span{at, {}, edited}, Chosen: Result}}
	if all := ManualViolations(c, 9); len(all) > 0 {
		t.Errorf("found %v", all[0])
	}
}

// TestMessages tests the messages that users see.
func TestMessages(t *testing.T) {
	x := check(t, "a: 1\n", "a: 2\n", "a: 1\n", "a: 1\n")
	if x == nil {
		t.Fatal("accepted")
	}
	if want := `wrong value: expected 2`; len(x.Error()) < len(want) || x.Error()[:len(want)] != want {
		t.Errorf("got %q", x)
	}
	if base.String() != "base" || ours.String() != "ours" || theirs.String() != "theirs" {
		t.Error("versions are named otherwise")
	}
	x = check(t, "a: 1\n", "a: 2\n", "a: 1\n", "a: 2\nb: 1\n")
	if x == nil || !strings.Contains(x.Detail, "b: 1") {
		t.Errorf("got %v, want it to name b", x)
	}
}

// TestTrivialMergeIsFast tests that nodes that one side left unchanged are not compared in detail.
func TestTrivialMergeIsFast(t *testing.T) {
	many := "many:\n" + strings.Repeat("- {a: 1, b: {c: 2}}\n", 500)
	o, changed := parse(t, "a: 1\nb: 1\n"+many), parse(t, "a: 2\nb: 1\n"+many)
	k := newChecker(Merge{Base: o, Ours: changed, Theirs: parse(t, "a: 1\nb: 2\n"+many), Result: parse(t, "a: 2\nb: 2\n"+many)}, byFields)
	if n := testing.AllocsPerRun(1, func() { k.checkDocuments() }); n > 500 {
		t.Errorf("%v allocations", n)
	}
}
