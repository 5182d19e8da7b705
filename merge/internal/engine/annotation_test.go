package engine

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// annotated parses in as YAML. It fails the test at once if in cannot be parsed.
func annotated(t *testing.T, in string) *syntax.Stream {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestReadAnnotations(t *testing.T) {
	note := func(says string) string {
		return "kind: Pod\nmetadata:\n  name: a\n  annotations:\n    " + annotationKey + ": |\n      " + says + "\n"
	}
	item := strings.ReplaceAll(strings.TrimSuffix(note(`{"a":1}`), "\n"), "\n", "\n  ")
	for _, c := range []struct{ live, want string }{
		{"kind: Pod\n", ""},
		{note(`{"a":1}`), "---\n{\"a\":1}\n"},
		{note(`{"a":1}`) + "---\nkind: Pod\n---\n" + note(`{"b":1}`), "---\n{\"a\":1}\n---\n{\"b\":1}\n"},
		{"kind: List\nitems:\n- " + item + "\n- " + item + "\n", "---\n{kind: List, items: [\n{\"a\":1},\n{\"a\":1}\n]}\n"},
	} {
		got, err := readAnnotations(annotated(t, c.live))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.live, got, err)
		}
	}
	_, err := readAnnotations(annotated(t, note(`{"a":`)))
	if p, ok := err.(*three.InputError); !ok || p.Side != three.Dest || !strings.Contains(p.Text, "is not valid JSON") {
		t.Errorf("%v", err)
	}
}

// TestWriteAnnotations checks that writeAnnotations writes the configuration as kubectl would, and that readAnnotations
// reads the same JSON back.
func TestWriteAnnotations(t *testing.T) {
	live := "kind: Pod\nmetadata: {name: a, namespace: m}\n"
	for _, c := range []struct{ config, want string }{
		{"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec: {b: [1, \"2\"]}\n",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{},"name":"a","namespace":"m"},"spec":{"b":[1,"2"]}}`},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: b, annotations: {x: y, " + annotationKey + ": old}}\n",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"x":"y"},"name":"b","namespace":"default"}}`},
		{"apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n", `{"apiVersion":"v1","kind":"Namespace","metadata":{"annotations":{},"name":"n"}}`},
	} {
		b, err := writeAnnotations(annotated(t, c.config), annotated(t, live))
		if err != nil {
			t.Fatal(err)
		}
		again, err := readAnnotations(annotated(t, string(b)))
		if err != nil || string(again) != "---\n"+c.want+"\n" {
			t.Errorf("%s became\n%swhich says\n%s%v", c.config, b, again, err)
		}
	}
	_, err := writeAnnotations(annotated(t, "kind: Pod\nmetadata: {name: a}\na: &x 1\nb: *x\n"), annotated(t, live))
	if p, ok := err.(*three.InputError); !ok || p.Side != three.Updated || p.Text != "JSON does not support aliases" {
		t.Errorf("%v", err)
	}
}
