package schema

import (
	"slices"
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		match, no string // paths separated by blanks, with slashes between the fields of a path
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
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, s := range strings.Fields(c.match) {
			if !p.Matches(strings.Split(s, "/")) {
				t.Errorf("%s does not match %s", c.pattern, s)
			}
		}
		for _, s := range strings.Fields(c.no) {
			if p.Matches(strings.Split(s, "/")) {
				t.Errorf("%s matches %s", c.pattern, s)
			}
		}
	}
	if root, err := ParsePattern("."); err != nil || !root.Matches(nil) || root.Matches([]string{"a"}) {
		t.Errorf("the root: %v %v", root, err)
	}
	if p, _ := ParsePattern("**"); !p.Matches(nil) {
		t.Error("** does not match the root")
	}
	p, err := ParsePattern(`a."b.c/d".'e[0]'`)
	if err != nil || !p.Matches([]string{"a", "b.c/d", "e[0]"}) {
		t.Errorf("quoted names: %v %v", p, err)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, p := range []string{"", "..", "a.", ".a", "a..b", `a."b`, `"a"b`, "a[0]", "a[name=x]", "a*", "***", "a[", "a[*]b", `a.b"c"`} {
		if _, err := ParsePattern(p); err == nil {
			t.Errorf("%q is taken", p)
		}
	}
}

// TestPlacePattern checks that the pattern of a place matches its path.
func TestPlacePattern(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"", "."},
		{"a", "a"},
		{"spec/containers/*/image", "spec.containers[*].image"},
		{"a/*/*", "a[*][*]"},
		{"*/a", "*.a"},
		{"metadata/annotations/example.com|x", `metadata.annotations."example.com|x"`},
		{"a/**", `a."**"`},
		{`a/it's`, `a."it's"`},
		{`a/say "x"`, `a.'say "x"'`},
	} {
		p := Place{}
		if c.path != "" {
			p.Path = strings.Split(c.path, "/")
		}
		got, ok := p.PatternText()
		if !ok || got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
		if read, err := ParsePattern(got); err != nil || !read.Matches(p.Path) {
			t.Errorf("%s: %s does not match it (%v)", c.path, got, err)
		}
	}
	if got, ok := (Place{Path: []string{`'"`}}).PatternText(); ok {
		t.Errorf("both quotes: %s", got)
	}
	for _, c := range [][3]string{
		{"apps/v1", "Deployment", "apps/Deployment"},
		{"v1", "Service", "core/Service"},
		{"example.com/v1", "Thing", "example.com/Thing"},
		{"", "", ""},
		{"Not a group/v1", "Thing", ""},
	} {
		if got := (Place{APIVersion: c[0], Kind: c[1]}).KindSelector(); got != c[2] {
			t.Errorf("%s %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestCovers checks that a pattern that covers another one matches every path that the other one matches.
func TestCovers(t *testing.T) {
	var patterns []string
	steps := []string{"a", "b", "*", "**"}
	for _, a := range steps {
		patterns = append(patterns, a)
		for _, b := range steps {
			patterns = append(patterns, a+"."+b)
			for _, c := range steps {
				patterns = append(patterns, a+"."+b+"."+c)
			}
		}
	}
	paths := [][]string{nil}
	for i := 0; i < len(paths) && len(paths[i]) < 4; i++ {
		for _, name := range []string{"a", "b", "c"} {
			paths = append(paths, append(slices.Clone(paths[i]), name))
		}
	}
	covering := 0
	for _, first := range patterns {
		for _, second := range patterns {
			p, _ := ParsePattern(first)
			q, _ := ParsePattern(second)
			i := slices.IndexFunc(paths, func(path []string) bool { return q.Matches(path) && !p.Matches(path) })
			switch covers := p.Covers(q); {
			case covers && i >= 0:
				t.Errorf("%s covers %s, but does not match %q", first, second, paths[i])
			case covers:
				covering++
			case i < 0 && !strings.Contains(first, "**") && !strings.Contains(second, "**"):
				t.Errorf("%s does not cover %s", first, second)
			}
		}
	}
	if covering < 1000 {
		t.Errorf("only %d of %d pairs", covering, len(patterns)*len(patterns))
	}
	for _, c := range [][2]string{{"**", "a.b"}, {"**.b", "a.b"}, {"a.*", "a.b"}, {"a.**", "a"}, {"**", "**"}, {"**.tag", "image.**.tag"}} {
		p, _ := ParsePattern(c[0])
		q, _ := ParsePattern(c[1])
		if !p.Covers(q) {
			t.Errorf("%s does not cover %s", c[0], c[1])
		}
	}
}
