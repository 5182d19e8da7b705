package setup

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// TestInitRules checks that the team's file of Init has no rules, and that its examples are valid without the #.
func TestInitRules(t *testing.T) {
	text := readTemplate("rules.yaml")
	if r, err := merge.ParseRules("f", []byte(text), ""); err != nil || r.Mistakes() != nil || !program.IsEmpty(r) {
		t.Errorf("%v, %v", r, err)
	}
	example := regexp.MustCompile(`(?m)^# ((?:requires|extends|rules|generated):|  +(?:- |[a-zA-Z.]+:(?: |$)))`).ReplaceAllString(text, "$1")
	r, err := merge.ParseRules("f", []byte(example), "")
	if err != nil || !slices.Equal(program.Extended(r), []string{"helm"}) || len(program.GeneratedRules(r)) != 1 || !program.HasFilePatterns(r) {
		t.Errorf("%v\n%s", err, example)
	}
}

// TestInitCI checks that the CI jobs are YAML, and that they use the versions of actions that this repository uses.
func TestInitCI(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	var used string
	for _, file := range []string{"action.yml", filepath.Join(".github", "workflows", "check.yml")} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		used += string(text)
	}
	for _, name := range []string{"github.yml", "gitlab.yml", "pre-commit.yaml"} {
		text := readTemplate(name)
		var data any
		if err := yaml.Unmarshal([]byte(text), &data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, m := range regexp.MustCompile(`uses: .*`).FindAllString(text, -1) {
			if !strings.Contains(used, m) {
				t.Errorf("%s: %s is not a version that this repository uses", name, m)
			}
		}
	}
}

func TestAppendItem(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"repos:\n- a: 1\n", "repos:\n- a: 1\n- b: 2\n  c: 3\n"},
		{"x: 1\nrepos:\n    - a: 1", "x: 1\nrepos:\n    - a: 1\n    - b: 2\n      c: 3\n"},
		{"repos:\n- a: 1\n# end\n", "repos:\n- a: 1\n# end\n- b: 2\n  c: 3\n"},
		{"repos:\n- a: 1\nx: 1\n", ""},
		{"repos: [a]\n", ""},
		{"repos: []\n", ""},
		{"repos:\n- a: |\n    text\n\n", "repos:\n- a: |\n    text\n\n- b: 2\n  c: 3\n"},
		{"repos:\n- a\n---\nx: 1\n", ""},
		{"- repos\n", ""},
		{"repos: [\n", ""},
		{"", ""},
	} {
		got, ok := appendItem([]byte(c.file), "repos", "- b: 2\n  c: 3\n")
		if ok != (c.want != "") || ok && string(got) != c.want {
			t.Errorf("%q: %v, %q", c.file, ok, got)
		}
	}
}
