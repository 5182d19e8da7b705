package schema

import (
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		match, no string // paths with slashes between fields, separated by blanks
	}{
		{"a", "a", "b a/b b/a"},
		{"a.b", "a/b", "a a/b/c"},
		{"a.*", "a/b a/*", "a a/b/c"},
		{"a[*]", "a/* a/b", "a"},
		{"a[*].b", "a/*/b", "a/b"},
		{"a[*][*]", "a/*/*", "a/*"},
		{"jobs.*.steps", "jobs/build/steps", "jobs/steps jobs/a/b/steps"},
		{"**.finalizers", "finalizers metadata/finalizers a/*/finalizers", "finalizers/a a"},
		{"spec.**", "spec spec/a spec/*/b", "x/spec"},
		{"**", "a a/b", ""},
		{"a.**.b", "a/b a/x/b a/x/y/b a/b/b", "a b a/b/c"},
		{"**.a.**.b", "a/b x/a/y/b a/a/b", "b/a"},
		{"**.*.b", "a/b x/a/b", "b"},
		{`a."b.c/d".e`, "", "a/b"},
		{`'*'`, "*", "a"},
	} {
		p, err := parsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, s := range strings.Fields(c.match) {
			if !p.match(strings.Split(s, "/")) {
				t.Errorf("%s does not match %s", c.pattern, s)
			}
		}
		for _, s := range strings.Fields(c.no) {
			if p.match(strings.Split(s, "/")) {
				t.Errorf("%s matches %s", c.pattern, s)
			}
		}
	}
	if root, err := parsePattern("."); err != nil || !root.match(nil) || root.match([]string{"a"}) {
		t.Errorf("the root: %v %v", root, err)
	}
	if p, _ := parsePattern("**"); !p.match(nil) {
		t.Error("** does not match the root")
	}
	p, err := parsePattern(`a."b.c/d".'e[0]'`)
	if err != nil || !p.match([]string{"a", "b.c/d", "e[0]"}) {
		t.Errorf("quoted names: %v %v", p, err)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, p := range []string{"", "..", "a.", ".a", "a..b", `a."b`, `"a"b`, "a[0]", "a[name=x]", "a*", "***", "a[", "a[*]b", `a.b"c"`} {
		if _, err := parsePattern(p); err == nil {
			t.Errorf("%q is taken", p)
		}
	}
}
