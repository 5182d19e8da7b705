package team

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// TestWithFallback checks that the first rule is used, and the source of each decision.
func TestWithFallback(t *testing.T) {
	team, err := Parse("team", []byte("rules:\n- fields: {version: theirs}\n  files: [a/Chart.yaml]\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	helm, err := Extend("here", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules    *Rules
		file, by string
	}{
		{team.WithFallback(helm), "a/Chart.yaml", "policy theirs (team:2)"},
		{team.WithFallback(helm), "b/Chart.yaml", "policy next (here, extends helm)"},
		{helm.WithFallback(team), "a/Chart.yaml", "policy next (here, extends helm)"},
		{new(Rules).WithFallback(helm), "a/Chart.yaml", "policy next (here, extends helm)"},
		{team.WithFallback(new(Rules)), "b/Chart.yaml", ""},
	} {
		if got := c.rules.DecisionAt(schema.Place{File: c.file, Path: []string{"version"}}).String(); got != c.by {
			t.Errorf("%s: %s", c.file, got)
		}
	}
	if got := team.WithFallback(helm).PresetNames(); !slices.Equal(got, []string{"helm"}) {
		t.Errorf("%q", got)
	}
	if _, err := Extend("here", "helm", "hell"); err == nil || err.Error() != `here: unknown preset "hell"; did you mean "helm"?` {
		t.Errorf("%v", err)
	}
}
