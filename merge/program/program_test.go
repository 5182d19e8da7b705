package program_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// parseRules returns the rules of a team's file, without those that have a mistake. It returns nil for "".
func parseRules(t *testing.T, text string) *merge.Rules {
	t.Helper()
	if text == "" {
		return nil
	}
	rules, err := merge.ParseRules("rules.yaml", []byte(text), "")
	if err != nil || rules == nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return rules
}

// TestQueries calls each function that returns a property of all rules, for team's files with one entry.
func TestQueries(t *testing.T) {
	for _, c := range []struct {
		name, rules           string
		extended              []string
		isEmpty, filePatterns bool
		shadowed              []string
	}{
		{name: "no rules", isEmpty: true},
		{name: "empty file", rules: "rules: []", isEmpty: true},
		{name: "presets", rules: "extends: [backport, helm]", extended: []string{"backport", "helm"}, filePatterns: true},
		{name: "rule for all files", rules: "rules: [{fields: {a: ours}}]"},
		{name: "rule for some files", rules: "rules: [{files: a.yaml, fields: {a: ours}}]", filePatterns: true},
		{name: "custom resource definitions", rules: "crds: [crds/*.yaml]"},
		{name: "generated files", rules: "generated: [{files: [out/**], by: make}]"},
		{
			name: "rule that never applies", rules: "rules:\n- fields: {a.*: ours}\n- fields: {a.b: theirs}",
			shadowed: []string{`rules.yaml:3:12: the rule for "a.b" never applies; the rule for "a.*" at line 2 takes precedence`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := parseRules(t, c.rules)
			if got := program.Extended(rules); !slices.Equal(got, c.extended) {
				t.Errorf("Extended: %q, want %q", got, c.extended)
			}
			if got := program.IsEmpty(rules); got != c.isEmpty {
				t.Errorf("IsEmpty: %t", got)
			}
			if got := program.HasFilePatterns(rules); got != c.filePatterns {
				t.Errorf("HasFilePatterns: %t", got)
			}
			if got := program.Shadowed(rules); !slices.Equal(got, c.shadowed) {
				t.Errorf("Shadowed: %q, want %q", got, c.shadowed)
			}
		})
	}
}

// TestPresets checks that the team's file can include each preset, and that each is described.
func TestPresets(t *testing.T) {
	presets := program.Presets()
	for _, p := range presets {
		rules := parseRules(t, "extends: "+p.Name)
		if got := program.Extended(rules); !slices.Equal(got, []string{p.Name}) || program.IsEmpty(rules) {
			t.Errorf("%s: %q", p.Name, got)
		}
		if p.About == "" {
			t.Errorf("%s has no description", p.Name)
		}
	}
	patterns := map[string]bool{"helm": true, "backport": false} // whether the preset is recommended for some files
	for _, p := range presets {
		if want, ok := patterns[p.Name]; ok && want != (len(p.Files) > 0) {
			t.Errorf("%s: patterns %q", p.Name, p.Files)
		}
		delete(patterns, p.Name)
	}
	if len(patterns) > 0 {
		t.Errorf("no presets: %v", patterns)
	}
	presets[0].Name = "changed"
	if program.Presets()[0].Name == "changed" {
		t.Error("the slice is not new")
	}
}

func TestHasNextVersion(t *testing.T) {
	for _, c := range []struct {
		name, rules, path string
		want              bool
	}{
		{"no rules", "", "a.yaml", false},
		{"policy next", "rules: [{fields: {version: next}}]", "a.yaml", true},
		{"other policy", "rules: [{fields: {version: highest}}]", "a.yaml", false},
		{"labels only", "rules: [{fields: {metadata.labels.version: next}}]", "a.yaml", false},
		{"this file", "rules: [{files: a.yaml, fields: {version: next}}]", "a.yaml", true},
		{"other file", "rules: [{files: b.yaml, fields: {version: next}}]", "a.yaml", false},
		{"preset", "extends: helm", "charts/shop/Chart.yaml", true},
		{"preset for other files", "extends: helm", "a.yaml", false},
	} {
		if got := program.HasNextVersion(parseRules(t, c.rules), c.path); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestUnmatched checks the messages for the patterns of the team's file that match nothing in two files, one of which
// cannot be read.
func TestMayDecide(t *testing.T) {
	field := func(names ...string) (c merge.Conflict) {
		for _, n := range names {
			if n == "*" {
				c.Elements = append(c.Elements, merge.PathElement{Item: "name=web"})
			} else {
				c.Elements = append(c.Elements, merge.PathElement{Field: n})
			}
		}
		return c
	}
	for _, c := range []struct {
		name, rules, path string
		conflict          merge.Conflict
		want              bool
	}{
		{"no rules", "", "a.yaml", field("version"), false},
		{"policy", "rules: [{fields: {version: next}}]", "a.yaml", field("version"), true},
		{"other field", "rules: [{fields: {version: next}}]", "a.yaml", field("release"), false},
		{"field above", "rules: [{fields: {spec.version: next}}]", "a.yaml", field("spec"), false},
		{"other file", "rules: [{files: b.yaml, fields: {version: next}}]", "a.yaml", field("version"), false},
		{"kind", "rules: [{kinds: batch/Job, fields: {spec.version: next}}]", "a.yaml", field("spec", "version"), true},
		{"item", "rules: [{fields: {pins.*.version: highest}}]", "a.yaml", field("pins", "*", "version"), true},
		{"resource in a list", "rules: [{fields: {spec.version: next}}]", "a.yaml", field("items", "*", "spec", "version"), true},
		{"counter", "rules: [{restarts: {build.number: version}}]", "a.yaml", field("build", "number"), true},
		{"version of a counter", "rules: [{restarts: {build.number: version}}]", "a.yaml", field("version"), false},
		{"line merge", "rules: [{fields: {\"**\": theirs}}]", "a.yaml", merge.Conflict{Kind: merge.ConflictLine}, false},
	} {
		if got := program.MayDecide(parseRules(t, c.rules), c.path, c.conflict); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

func TestUnmatched(t *testing.T) {
	files := map[string]string{"a.yaml": "kind: Deployment\nspec:\n  replicas: 1\n"}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("cannot be read")
	}
	for _, c := range []struct {
		name, rules string
		want        []string
	}{
		{"no rules", "", nil},
		{"all match", "rules: [{files: a.yaml, kinds: Deployment, fields: {spec.replicas: ours}}]", nil},
		{"no such file", "rules: [{files: c.yaml, fields: {spec: ours}}]", []string{`rules.yaml:1:17: no file of the repository matches "c.yaml"`}},
		{"no such kind", "rules: [{kinds: Service, fields: {spec: ours}}]", []string{`rules.yaml:1:17: no matching file has a resource of kind "Service"`}},
		{"no such field", "rules: [{fields: {spec.image: ours}}]", []string{`rules.yaml:1:19: no field in the matching files has the path "spec.image"`}},
		{"field of a file that cannot be read", "rules: [{files: b.yaml, fields: {spec: ours}}]", []string{`rules.yaml:1:34: no field in the matching files has the path "spec"`}},
	} {
		all, partial := program.Unmatched(parseRules(t, c.rules), []string{"a.yaml", "b.yaml"}, read)
		if got := slices.Concat(all, partial); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDeletedRule(t *testing.T) {
	const both = "rules:\n- {files: [out/**], deleted: own}\n- {files: ['*.yaml'], deleted: upstream}\n- {files: [keep/**], deleted: ask}"
	for _, c := range []struct {
		name, rules, path string
		want              program.Deleted
		ok                bool
	}{
		{"no rules", "", "a.yaml", program.Deleted{}, false},
		{"other entries", "rules: [{fields: {a: ours}}]", "a.yaml", program.Deleted{}, false},
		{"own", both, "out/a.json", program.Deleted{Take: program.TakeOwn, Source: "rules.yaml:2"}, true},
		{"first of two", both, "out/a.yaml", program.Deleted{Take: program.TakeOwn, Source: "rules.yaml:2"}, true},
		{"upstream", both, "a.yaml", program.Deleted{Take: program.TakeUpstream, Source: "rules.yaml:3"}, true},
		{"none", both, "keep/a.json", program.Deleted{Take: program.TakeNone, Source: "rules.yaml:4"}, true},
		{"no pattern", both, "a.json", program.Deleted{}, false},
	} {
		if got, ok := program.DeletedRule(parseRules(t, c.rules), c.path); got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %t, want %+v, %t", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestGeneratedRules(t *testing.T) {
	if got := program.GeneratedRules(nil); got != nil {
		t.Errorf("no rules: %+v", got)
	}
	all := program.GeneratedRules(parseRules(t, "generated:\n- {files: [out/**], from: [values.yaml], by: make out}\n- files: [all/**]\n"))
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for i, want := range []program.Generated{
		{Files: []string{"out/**"}, From: []string{"values.yaml"}, By: "make out", Source: "rules.yaml:2"},
		{Files: []string{"all/**"}, Source: "rules.yaml:3"},
	} {
		g := all[i]
		if !slices.Equal(g.Files, want.Files) || !slices.Equal(g.From, want.From) || g.By != want.By || g.Source != want.Source {
			t.Errorf("rule %d: %+v, want %+v", i, g, want)
		}
	}
	for _, c := range []struct {
		rule         int
		path         string
		makes, needs bool
	}{
		{0, "out/a.yaml", true, false},
		{0, "values.yaml", false, true},
		{0, "other.yaml", false, false},
		{1, "all/a.yaml", true, false},
		{1, "other.yaml", false, true}, // without from, each other file is a source
	} {
		if g := all[c.rule]; g.Makes(c.path) != c.makes || g.Needs(c.path) != c.needs {
			t.Errorf("rule %d, %s: Makes %t, Needs %t", c.rule, c.path, g.Makes(c.path), g.Needs(c.path))
		}
	}
}
