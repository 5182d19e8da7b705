package bump

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestFindRestarts checks which counters FindRestarts finds, and what UndoCounting writes into the side that only counted
// on. Each case is checked with both orders of the sides.
func TestFindRestarts(t *testing.T) {
	rules, err := team.Parse("rules", []byte("rules:\n- restarts: {a.epoch: [a.version, version], build: version}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                  string
		base, bumped, counted string
		want                  string // counted after UndoCounting; "" if no counter is found
	}{
		{"with a new version", "version: 1\nbuild: 2\n", "version: 2\nbuild: 0\n", "version: 1\nbuild: 3\n", "version: 1\nbuild: 2\n"},
		{"the new version has the old counter", "version: 1\nbuild: 0\n", "version: 2\nbuild: 0\n", "version: 1\nbuild: 1\n", "version: 1\nbuild: 0\n"},
		{"the format is kept", "version: 1\nbuild: '2' # b\n", "version: 2\nbuild: '0'\n", "version: 1\nbuild:   '3' # c\n", "version: 1\nbuild:   '2' # c\n"},
		{"nested", "a:\n  version: 1\n  epoch: 2\n", "a:\n  version: 2\n  epoch: 0\n", "a:\n  version: 1\n  epoch: 3\n", "a:\n  version: 1\n  epoch: 2\n"},
		{"the second version", "version: 1\na: {epoch: 2}\n", "version: 2\na: {epoch: 0}\n", "version: 1\na: {epoch: 3}\n", "version: 1\na: {epoch: 2}\n"},
		{"two counters", "version: 1\nbuild: 2\na: {epoch: 2}\n", "version: 2\nbuild: 0\na: {epoch: 0}\n", "version: 1\nbuild: 3\na: {epoch: 4}\n", "version: 1\nbuild: 2\na: {epoch: 2}\n"},
		{"the first counter", "version: 1\n", "version: 2\n", "version: 1\nbuild: 1\nb: 1\n", "version: 1\nb: 1\n"},
		{"the first counter, beside other fields", "{version: 1}\n", "{version: 2}\n", "{version: 1, build: 1}\n", ""},
		{"the counter is gone with the version", "version: 1\nbuild: 2\n", "version: 2\n", "version: 1\nbuild: 3\n", "version: 1\nbuild: 2\n"},
		{"the other side removed the counter", "version: 1\nbuild: 2\n", "version: 2\nbuild: 0\n", "version: 1\n", ""},
		{"both sides have a new version", "version: 1\nbuild: 2\n", "version: 2\nbuild: 0\n", "version: 3\nbuild: 3\n", ""},
		{"both sides count", "version: 1\nbuild: 2\n", "version: 1\nbuild: 3\n", "version: 1\nbuild: 4\n", ""},
		{"the same counter", "version: 1\nbuild: 2\n", "version: 2\nbuild: 3\n", "version: 1\nbuild: 3\n", ""},
		{"another counter", "version: 1\ncount: 2\n", "version: 2\ncount: 0\n", "version: 1\ncount: 3\n", ""},
		{"the second document", "c: 1\n---\nversion: 1\nbuild: 2\n", "c: 1\n---\nversion: 2\nbuild: 0\n", "c: 1\n---\nversion: 1\nbuild: 3\n", "c: 1\n---\nversion: 1\nbuild: 2\n"},
		{"a variable of Jinja", "{% set v = 1 %}\n{% set n = 2 %}\nversion: {{ v }}\nbuild: {{ n }}\n", "{% set v = 2 %}\n{% set n = 0 %}\nversion: {{ v }}\nbuild: {{ n }}\n",
			"{% set v = 1 %}\n{% set n = 3 %}\nversion: {{ v }}\nbuild: {{ n }}\n", "{% set v = 1 %}\n{% set n = 2 %}\nversion: {{ v }}\nbuild: {{ n }}\n"},
		{"a variable that is set twice", "{% set v = 1 %}\n{% set v = 1 %}\nversion: {{ v }}\nbuild: 2\n", "{% set v = 2 %}\n{% set v = 1 %}\nversion: {{ v }}\nbuild: 0\n",
			"{% set v = 1 %}\n{% set v = 1 %}\nversion: {{ v }}\nbuild: 3\n", ""},
		{"not YAML", "version: 1\nbuild: 2\n", "version: 2\nbuild: [\n", "version: 1\nbuild: 3\n", ""},
	} {
		for _, bumped := range three.Sides {
			raw := [3][]byte{[]byte(c.base)}
			raw[bumped], raw[bumped.Other()] = []byte(c.bumped), []byte(c.counted)
			found := FindRestarts(raw, "file.yaml", rules)
			if (len(found) > 0) != (c.want != "") {
				t.Errorf("%s: found %v", c.name, found)
				continue
			}
			got := UndoCounting(raw, found)
			want := c.want
			if want == "" {
				want = c.counted
			}
			for _, x := range found {
				if x.Side != bumped || x.By.String() != "policy restarts (rules:2)" {
					t.Errorf("%s: %v %s", c.name, x.Side, x.By)
				}
			}
			if string(got[three.Original]) != c.base || string(got[bumped]) != c.bumped || string(got[bumped.Other()]) != want {
				t.Errorf("%s: %q", c.name, got)
			}
		}
	}
}

// TestRestartsWithMistake checks that a counter with a mistake in a path is left out, also if the file is a scalar.
func TestRestartsWithMistake(t *testing.T) {
	for _, rule := range []string{"{'*.a': b}", "{a: '*.b'}", "{a: [b, '*.c']}", "{a: []}"} {
		rules, err := team.Parse("rules", []byte("rules: [{fields: {x: ours}, restarts: "+rule+"}]"), "")
		if err == nil {
			t.Errorf("%s: no mistake", rule)
		}
		if found := FindRestarts([3][]byte{[]byte("1\n"), []byte("2\n"), []byte("3\n")}, "f.yaml", rules); found != nil {
			t.Errorf("%s: %v", rule, found)
		}
		if rules.HasRestarts("f.yaml") {
			t.Errorf("%s: the rule is kept", rule)
		}
	}
}
