package schema

import (
	"strings"
	"testing"
	"time"
)

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
