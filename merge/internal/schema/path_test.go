package schema

import (
	"strings"
	"testing"
	"time"
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

// TestSpelling: what is spelled for a place selects it.
func TestSpelling(t *testing.T) {
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
		got, ok := p.Pattern()
		if !ok || got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
		if read, err := parsePattern(got); err != nil || !read.match(p.Path) {
			t.Errorf("%s: %s does not match it (%v)", c.path, got, err)
		}
	}
	if got, ok := (Place{Path: []string{`'"`}}).Pattern(); ok {
		t.Errorf("both quotes: %s", got)
	}
	for _, c := range [][3]string{
		{"apps/v1", "Deployment", "apps/Deployment"},
		{"v1", "Service", "core/Service"},
		{"example.com/v1", "Thing", "example.com/Thing"},
		{"", "", ""},
		{"Not a group/v1", "Thing", ""},
	} {
		if got := (Place{APIVersion: c[0], Kind: c[1]}).Selector(); got != c[2] {
			t.Errorf("%s %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// What git does is what `git check-attr` says; every row was checked against it.
func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		match, no string // paths, separated by blanks
	}{
		{"a.yaml", "a.yaml x/a.yaml x/y/a.yaml", "aa.yaml a.yaml/b b.yaml"},
		{"/a.yaml", "a.yaml", "x/a.yaml"},
		{"x/a.yaml", "x/a.yaml", "a.yaml y/x/a.yaml"},
		{"/x/a.yaml", "x/a.yaml", "y/x/a.yaml"},
		{"*.yaml", "a.yaml .yaml x/b.yaml", "a.yml yaml"},
		{"x/*.yaml", "x/a.yaml x/.yaml", "x/y/a.yaml a.yaml"},
		{"x/*/a", "x/y/a", "x/a x/y/z/a"},
		{"*", "a x/a", ""},
		{"**", "a x/a x/y/a", ""},
		{"**/a", "a x/a x/y/a", "b xa a/b"},
		{"x/**", "x/a x/y/a", "x y/x/a"},
		{"x/**/a", "x/a x/y/a x/y/z/a", "xa x/ya a"},
		{"**/x/**", "x/a y/x/a y/x/z/a", "x y/x"},
		{"**/x/*/a", "x/b/a y/x/x/b/a", "x/a"},
		{"x/**/**/a", "x/a x/y/a", "a"},
		{"x**", "x xy z/xy", "yx x/a"},
		{"x/***/a", "x/a x/y/z/a", "a"},
		{"[b-a]", "b", "a c"},
		{"a?c", "abc x/axc", "ac a/c abbc"},
		{"x/a?c", "x/abc", "x/a/c"},
		{"[ab].yaml", "a.yaml b.yaml", "c.yaml ab.yaml"},
		{"[!ab].yaml", "c.yaml", "a.yaml b.yaml .yaml"},
		{"[^ab].yaml", "c.yaml", "a.yaml"},
		{"[a-c]", "a b c", "d -"},
		{"[a-]", "a -", "b"},
		{"[]]", "]", "a"},
		{"[!]]", "a", "]"},
		{`[\]a]`, `] a`, `\`},
		{"[[:digit:]x]", "1 x", "a :"},
		{"[[:upper:][:punct:]]", "A -", "a 1"},
		{"[[:xdigit:]]", "f A 0", "g"},
		{`\*.yaml`, "*.yaml", "a.yaml"},
		{`a\?`, "a?", "ab"},
		{"values-*.y*ml", "values-a.yaml values-.yml x/values-b.yxml", "values.yaml"},
		{"*a*b", "ab aab xaxb", "a b ba"},
		{"é?", "éx", "é"},
		{"A", "A", "a"},
	} {
		g, err := parseGlob(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, p := range strings.Fields(c.match) {
			if !g.match(p) {
				t.Errorf("%s does not match %s", c.pattern, p)
			}
		}
		for _, p := range strings.Fields(c.no) {
			if g.match(p) {
				t.Errorf("%s matches %s", c.pattern, p)
			}
		}
	}
}

func TestGlobErrors(t *testing.T) {
	for _, p := range []string{"", "!a", "x/", "/", "x//a", "x**/a", "../a", "x/../a", "./a", "a[b", "a[", "[!", "[]", `a\`, "[a/b]", "[[:digit:]", "[[:digits:]]"} {
		if _, err := parseGlob(p); err == nil {
			t.Errorf("%q is taken", p)
		}
	}
}

func TestGlobTakesNoExponentialTime(t *testing.T) {
	start := time.Now()
	for _, c := range []struct{ pattern, path string }{
		{strings.Repeat("*a", 200), strings.Repeat("a", 2000) + "b"},
		{strings.Repeat("**/a/", 100) + "b", strings.Repeat("a/", 1000) + "c"},
	} {
		if g, err := parseGlob(c.pattern); err != nil || g.match(c.path) {
			t.Errorf("%.20s: %v", c.pattern, err)
		}
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("[[:alpha:]-z]", "a")
	f.Add("a**/[!b]?", "x/y")
	f.Add(`[\`, `\`)
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := parseGlob(pattern)
		if err != nil {
			return
		}
		if g.match(path) && g.base && !g.match("x/"+path) {
			t.Error("a pattern without a slash counts directories")
		}
		if !strings.ContainsAny(pattern, `*?[\`) && g.match(strings.TrimPrefix(pattern, "/")) == false {
			t.Error("a plain pattern does not match itself")
		}
	})
}
