package merge

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestChanges(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"same", "a: 1\n", "a: 1\n", ""},
		{"form only", "a: x # c\nb: [1]\n", "b:\n- 1\n\na: \"x\"\n", ""},
		{"value", "a:\n  b: 1\n", "a:\n  b: 2\n", "modified a.b 1:2 > 2:2"},
		{"type", "a: 1\n", "a: \"1\"\n", `modified a 1:1 > "1":1`},
		{"kind", "a: 1\n", "a: {b: 1}\n", "modified a 1:1 > {b: 1}:1"},
		{"added", "a: 1\n", "a: 1\nb: 2\n", "added b > 2:2"},
		{"deleted", "a: 1\nb: 2\n", "a: 1\n", "deleted b 2:2"},
		{"anchor", "a: x\n", "a: &k x\n", "modified a x:1 > &k x:1"},
		{"renamed", "web: {a: 1, b: 2, c: 3, d: 4}\n", "api: {a: 1, b: 2, c: 4, d: 4}\n", "renamed web web:1 > api:1; modified web.c 3:1 > 4:1"},
		{"by key", "l:\n- {name: x, v: 1}\n- {name: y, v: 1}\n", "l:\n- {name: y, v: 2}\n- {name: x, v: 1}\n", "modified l[name=y].v 1:3 > 2:2 (items by name (inference))"},
		{"reordered", "l:\n- {name: x}\n- {name: y}\n", "l:\n- {name: y}\n- {name: x}\n", "reordered l - {name: x}\n- {name: y}\n:2 > - {name: y}\n- {name: x}\n:2"},
		{"in order", "l: [a, b]\n", "l: [a, c, b]\n", "added l[1] > c:1 (items in order (no key))"},
		{"documents", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: y}\n", "kind: B\nmetadata: {name: y}\nv: 2\n", "deleted A/x kind: A\nmetadata: {name: x}\nv: 1\n:1; added B/y: v > 2:3"},
		{"empty", "", "a: 1\n", "added  > a: 1\n:1"},
		{"guard", "a: {{ .b }}\nc: 1\n", "a: {{ .b }}\n{{- if .d }}\nc: 1\n{{- end }}\n", "guarded c > {{ if .d }}:3"},
		{"no guard", "{{ if .d }}\na: {{ .b }}\n{{ else }}\nc: 1\n{{ end }}\n", "a: {{ .b }}\n{{ if .e }}\nc: 1\n{{ end }}\n", "guarded a {{ if .d }}:2; guarded c {{ if .d }} {{ else }}:4 > {{ if .e }}:3"},
		{"action", "a:\n{{ .b }}\nc: 1\n", "a:\n{{ .d }}\nc: 1\n", "actions a {{ .b }}:2 > {{ .d }}:2"},
		{"order of actions", "{{ .a }}\n{{ .b }}\nc: 1\n", "{{ .b }}\n{{ .a }}\nc: 1\n", "actions "},
		{"crlf", "a: |\n  x\n", "a: |\r\n  x\r\n", ""},
	} {
		changes, err := Changes([]byte(c.from), []byte(c.to), FileOptions{})
		if got := spell(changes); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestChangesAtomic checks that an atomic list is one change, even if its tag changed as well as its items.
func TestChangesAtomic(t *testing.T) {
	rules, err := ParseRules("r", []byte("rules:\n- lists: {a: atomic}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"a: [1]\n", "a: [2]\n", "modified a [1]:1 > [2]:1 (one value (r:2))"},
		{"a: !x [1]\n", "a: !y [2]\n", "modified a !x [1]:1 > !y [2]:1 (one value (r:2))"},
		{"a: !x [1]\n", "a: !y [1]\n", "modified a !x [1]:1 > !y [1]:1 (one value (r:2))"},
	} {
		changes, err := Changes([]byte(c.from), []byte(c.to), FileOptions{Rules: rules})
		if got := spell(changes); got != c.want || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.to, got, err, c.want)
		}
	}
}

// spell returns changes as one line, with "; " between them: kind, path, the values with their lines, and the list. A
// value that a version does not have is left out. It returns "" for no changes.
//
//	modified l[name=y].v 1:3 > 2:2 (items by name (inference))
func spell(changes []Change) string {
	var all []string
	for _, c := range changes {
		s := string(c.Kind) + " " + c.Path
		if c.From.Line > 0 {
			s += fmt.Sprintf(" %s:%d", c.From.Text, c.From.Line)
		}
		if c.To.Line > 0 {
			s += fmt.Sprintf(" > %s:%d", c.To.Text, c.To.Line)
		}
		if c.List != "" {
			s += " (" + c.List + ")"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func TestChangesErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"a: [", "", "the base: "},
		{"a: 1\n", "{{ x\n", "the changed version: "},
		{"<<<<<<< a\n=======\n>>>>>>> b\n", "a: 1\n", "base has a conflict marker at line 1"},
	} {
		if _, err := Changes([]byte(c.from), []byte(c.to), FileOptions{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %q", c.from, c.to, err, c.want)
		}
	}
}

// TestChangesHostileNesting checks that Changes returns an error for excessive nesting.
func TestChangesHostileNesting(t *testing.T) {
	const n = 100_000
	for _, deep := range []string{
		strings.Repeat("[", n) + strings.Repeat("]", n), strings.Repeat("[", n), strings.Repeat("{a: ", n) + strings.Repeat("}", n),
		"\n" + strings.Repeat("- ", n) + "a", "\n" + strings.Repeat("  ? ", n) + "a",
	} {
		if _, err := Changes([]byte("a: "+deep+"\n"), []byte("# d\na: "+deep+"\n"), FileOptions{}); err == nil {
			t.Errorf("no error for a: %.10s", deep)
		}
	}
}

// TestChangesLaws compares all versions of all merge test cases with each other. A version must not differ from itself.
// If Changes finds a difference, or fails, in one direction, it must do so in the other direction too.
func TestChangesLaws(t *testing.T) {
	files, _ := filepath.Glob("../testdata/merge/*.txtar")
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	for _, f := range files {
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range ar.Files {
			for _, y := range ar.Files[i:] {
				there, err1 := Changes(x.Data, y.Data, FileOptions{})
				back, err2 := Changes(y.Data, x.Data, FileOptions{})
				if (len(there) == 0) != (len(back) == 0) || (err1 == nil) != (err2 == nil) {
					t.Errorf("%s: %s and %s: %q, %v and %q, %v", f, x.Name, y.Name, spell(there), err1, spell(back), err2)
				}
				if x.Name == y.Name && len(there) > 0 {
					t.Errorf("%s: %s and itself: %q", f, x.Name, spell(there))
				}
			}
		}
	}
}
