package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMergeJSON(t *testing.T) {
	for _, c := range []struct {
		name string
		q    request
		want string // part of the response
	}{
		{"clean where git is not", request{Base: "a: 1\nb: 1\n", Ours: "a: 2\nb: 1\n", Theirs: "a: 1\nb: 2\n"},
			`{"merged":"a: 2\nb: 2\n","how":"field","notes":[],"conflicts":[],"decided":[],"git":{"merged":"<<<<<<< ours\n`},
		{"a conflict", request{Base: "a: 1\n", Ours: "a: 2\n", Theirs: "a: 3\n"}, `"conflicts":[{"line":1,"path":"a","why":"both modified"}]`},
		{"diff3", request{Base: "a: 1\n", Ours: "a: 2\n", Theirs: "a: 3\n", Style: "diff3"}, `||||||| base\na: 1\n`},
		{"a rule", request{Base: "a: 1\n", Ours: "a: 2\n", Theirs: "a: 3\n", Rules: "rules:\n  - files: '*'\n    fields: {a: highest}\n", Path: "x.yaml"}, `"decided":[{"line":0,"path":"a","why":"took theirs by policy highest`},
		{"invalid rules", request{Rules: "rules: 1\n"}, `"error":".git-merge-yaml.yaml:1:8: `},
		{"invalid YAML", request{Base: "a: 1\n", Ours: "a: [\n", Theirs: "a: 3\n"}, `"how":"delegated","notes":["ours cannot be read as YAML: line 1`},
	} {
		in, err := json.Marshal(c.q)
		if err != nil {
			t.Fatal(err)
		}
		out := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(mergeJSON(in)))
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %s, want %s", c.name, out, c.want)
		}
	}
	if out := string(mergeJSON([]byte("{"))); !strings.Contains(out, `"error":`) {
		t.Error(out)
	}
}
