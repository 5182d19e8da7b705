package schema

import (
	"slices"
	"testing"
)

// TestThen: what comes first decides; each answer says where it is from.
func TestThen(t *testing.T) {
	team, err := Parse("team", []byte("rules:\n- fields: {version: theirs}\n  files: [a/Chart.yaml]\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	helm, err := Extend("here", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules        *Rules
		file, source string
		policy       Policy
	}{
		{team.Then(helm), "a/Chart.yaml", "team:2", Theirs},
		{team.Then(helm), "b/Chart.yaml", "here, extends helm", Next},
		{helm.Then(team), "a/Chart.yaml", "here, extends helm", Next},
		{(*Rules)(nil).Then(helm), "a/Chart.yaml", "here, extends helm", Next},
		{team.Then(nil), "b/Chart.yaml", "", NoPolicy},
	} {
		if p, s := c.rules.Field(Place{File: c.file, Path: []string{"version"}}); p != c.policy || s != c.source {
			t.Errorf("%s: %s, %s", c.file, p, s)
		}
	}
	if got := team.Then(helm).Extended(); !slices.Equal(got, []string{"helm"}) {
		t.Errorf("%q", got)
	}
	if _, err := Extend("here", "helm", "hell"); err == nil || err.Error() != `here: there are no rules called "hell"; allowed: helm, locks, backport` {
		t.Errorf("%v", err)
	}
}
