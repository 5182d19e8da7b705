package engine

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestUnknownValues checks that an option with an undefined value is an error, whether or not the merge uses it.
func TestUnknownValues(t *testing.T) {
	style := text.Markers{Style: 7}
	next, err := team.Parse("rules", []byte("rules:\n- fields: {version: next}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		opts               Options
		want               string // part of the error; "" for no error
	}{
		{"rule set", "a: 1\n", "a: 1\n", "a: 2\n", Options{RuleSet: 7}, "unknown rule set 7"},
		{"resolve", "a: 1\n", "a: 2\n", "a: 3\n", Options{Resolve: 7}, "unknown way 7"},
		{"style, by field", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 2\n", Options{Markers: style}, "unknown style 7"},
		{"style, by line", "a: [\n", "a: [1\n", "a: [2\n", Options{Markers: style}, "unknown style 7"},
		{"style, without a conflict", "a: 1\n", "a: 1\n", "a: 2\n", Options{Markers: style}, "unknown style 7"},
		{"limit", "a: 1\n", "a: 1\n", "a: 2\n", Options{Limits: Limits{MaxBytes: -1}}, "negative limit"},
		{"own", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.2\n", Options{Rules: next, Own: 7}, "unknown own side 7"},
	} {
		_, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), c.opts)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
