package team

import (
	"strings"
	"testing"
)

func TestGenerated(t *testing.T) {
	r, err := Parse("r.yaml", []byte(`generated:
  - files: [examples/*/rendered/**, README.md]
    from: [charts/**, examples/*/values.yaml]
    by: make generate
  - files: /bundle.yaml
    by:
`), "")
	if err != nil {
		t.Fatal(err)
	}
	all := r.Generated()
	if len(all) != 2 || all[0].By != "make generate" || all[1].By != "" || all[1].Source != "r.yaml:5" {
		t.Fatalf("%+v", all)
	}
	for _, c := range []struct {
		path         string
		makes, needs [2]bool
	}{
		{"examples/a/rendered/x/y.yaml", [2]bool{true, false}, [2]bool{false, true}},
		{"examples/a/values.yaml", [2]bool{}, [2]bool{true, true}},
		{"charts/a/README.md", [2]bool{true, false}, [2]bool{false, true}},
		{"bundle.yaml", [2]bool{false, true}, [2]bool{}},
		{"a/bundle.yaml", [2]bool{}, [2]bool{false, true}},
	} {
		for i, g := range all {
			if g.Makes(c.path) != c.makes[i] || g.Needs(c.path) != c.needs[i] {
				t.Errorf("%s, rule %d: makes %v, needs %v", c.path, i, g.Makes(c.path), g.Needs(c.path))
			}
		}
	}
}

func TestGeneratedMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"generated: a":                        "r.yaml:1:12: generated is",
		"generated: [a]":                      "an entry of generated is",
		"generated: [{by: x}]":                "the entry has no files",
		"generated: [{files: '!a'}]":          "a leading ! is not supported",
		"generated: [{files: a, by: [x]}]":    "by is a list",
		"generated: [{files: a, command: x}]": `unknown field "command"; expected one of files, from, by`,
	} {
		if _, err := Parse("r.yaml", []byte(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
