package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// both are decisions of n merges in which people kept what both sides put into a list.
func both(n int, items merge.Items) (all []replay.Decision) {
	for i := n; i > 0; i-- {
		d := decided(i, "a.yaml", "", merge.TakeBoth)
		d.Field, d.Items = "spec.list[*]", items
		d.Offered = append(d.Offered, merge.TakeBoth)
		all = append(all, d)
	}
	return all
}

// oneSide are decisions of n merges in which people took ours at a field of its own each, so
// that no field has enough of them; in every one of them, or but for some.
func oneSide(n, but int, path string) (all []replay.Decision) {
	for i := n; i > 0; i-- {
		taken := merge.TakeOurs
		if i <= but {
			taken = merge.TakeTheirs
		}
		d := decided(i, path, "", taken)
		d.Field, d.Own = fmt.Sprintf("text%d", i), merge.OwnOurs
		all = append(all, d)
	}
	return all
}

// TestKinds: what is learned beside the value of a field, as a team's file has it.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []replay.Decision
		want string
	}{
		{"strings of a list", both(10, merge.ItemsScalars), "rules:\n  - files: [a.yaml]\n    lists:\n      spec.list: set\n"},
		{"mappings of a list", both(10, merge.ItemsMappings), "rules:\n  - files: [a.yaml]\n    fields:\n      spec.list: union\n"},
		{"no list", both(10, ""), "rules: []\n"},
		{"a source language", oneSide(20, 0, "locales/en.yml"), "rules:\n  - files: [en.yml]\n    fields:\n      '**': own\n"},
		{"a file nearly always", oneSide(20, 2, "locales/en.yml"), "rules: []\n"}, // 2 of the earlier 10
	} {
		l := &Learner{}
		for _, d := range c.all {
			_ = l.Add(d)
		}
		var policies []team.Policy
		for _, r := range l.Rules() {
			policies = append(policies, r.policy())
		}
		got, err := team.Policies(policies)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if _, err := merge.ParseRules("team", got, ""); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestSureFirst: what was right nine times of ten in both halves comes first.
func TestSureFirst(t *testing.T) {
	l := learned(merge.OwnOurs) // nineteen of twenty, but nine of ten at least in each half
	for i := 40; i > 0; i-- {
		d := decided(i, "a.yaml", "apps/StatefulSet", []merge.Take{merge.TakeTheirs, merge.TakeOurs}[min(1, i%5/4)])
		d.Own = merge.OwnOurs
		_ = l.Add(d)
	}
	rules := l.Rules()
	if len(rules) != 2 || rules[0].Place.Kind != "apps/Deployment" || rules[1].All.Right < rules[0].All.Right {
		t.Errorf("%+v", rules)
	}
}

// TestSeveral: a rule of several repositories says how it did in each, and is about no
// folder of one.
func TestSeveral(t *testing.T) {
	l := &Learner{Several: true}
	for i := 20; i > 0; i-- {
		d := decided(i, "deep/a.yaml", "", merge.TakeTheirs)
		d.Own, d.Repository = merge.OwnOurs, []string{"acme/shop", "acme/web"}[i%2]
		_ = l.Add(d)
		d.Path, d.Field = fmt.Sprintf("deep/%d.yaml", i), "one"
		_ = l.Add(d)
	}
	rules := l.Rules()
	if len(rules) != 1 || rules[0].Place.Files != "a.yaml" || rules[0].Of["acme/shop"] != (Score{Right: 10}) {
		t.Fatalf("%+v", rules)
	}
	said := strings.Join(rules[0].evidence(), "\n")
	if !strings.Contains(said, "\nacme/shop: right 10 times, otherwise 0 times\nacme/web: right 10 times") || !strings.Contains(said, "acme/shop: deep/a.yaml") {
		t.Errorf("%s", said)
	}
}
