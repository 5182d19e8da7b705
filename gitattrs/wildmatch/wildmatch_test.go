package wildmatch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMatchEqualsGit compares Match with git for random patterns and names of the same few characters. Each
// pattern is a line of an attributes file and sets its own attribute.
func TestMatchEqualsGit(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := rand.New(rand.NewPCG(1, 1))
	var lines strings.Builder
	var patterns, attributes []string
	for i := range 1500 {
		p := randomName(r, "a", "b", "c", "-", "*", "*", "?", "[", "[", "[!", "[^", "]", "]", "a-c", `\`, "[:alpha:]", "[:alpha", ":]", "[:no:]")
		patterns, attributes = append(patterns, p), append(attributes, fmt.Sprint("x", i))
		fmt.Fprintf(&lines, "%s x%d\n", p, i)
	}
	var names []string
	for range 150 {
		names = append(names, randomName(r, "a", "b", "c", "-", "*", "?", "[", "]", "!", "^", `\`, ":", "al"))
	}
	matched := 0
	for name, set := range gitCheckAttr(t, lines.String(), names, attributes) {
		for i, p := range patterns {
			want := set[attributes[i]]
			if want {
				matched++
			}
			g, err := Parse(p)
			if got := err == nil && g.Match(name); got != want {
				t.Errorf("%q matches %q: %v, by git %v; %v", p, name, got, want, err)
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches", matched)
	}
}

// randomName returns a concatenation of one to five of parts, starting with one of the first three or any
// other. It adds an "a" in front of "!" and "-", which have a meaning to attributes files and to commands.
func randomName(r *rand.Rand, parts ...string) string {
	s := parts[r.IntN(3)]
	for range r.IntN(4) {
		s += parts[r.IntN(len(parts))]
	}
	if r.IntN(2) == 0 {
		s = parts[r.IntN(len(parts))] + s
	}
	if strings.HasPrefix(s, "!") || strings.HasPrefix(s, "-") {
		return "a" + s
	}
	return s
}

// gitCheckAttr returns, by file name and attribute, whether git sets the attribute for the name if file is
// the content of .gitattributes.
func gitCheckAttr(t *testing.T, file string, names, attributes []string) map[string]map[string]bool {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, append([]string{"check-attr", "-z", "--stdin"}, attributes...)} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(names, "\x00")+"\x00")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if args[0] == "init" {
			continue
		}
		attributesOf := map[string]map[string]bool{}
		fields := strings.Split(string(out), "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			if attributesOf[fields[i]] == nil {
				attributesOf[fields[i]] = map[string]bool{}
			}
			attributesOf[fields[i]][fields[i+1]] = fields[i+2] == "set"
		}
		return attributesOf
	}
	return nil
}

func TestParseErrorMessages(t *testing.T) {
	const bracket = "unclosed [ or unknown class [: :]"
	for pattern, want := range map[string]string{
		"a[b-c]*":      "<nil>",
		"[[:digit]":    "<nil>",
		`a\`:           "backslash at the end",
		"a[b":          bracket,
		`[\`:           bracket,
		"[[:digit:]":   bracket,
		"[[:digits:]]": bracket,
	} {
		_, err := Parse(pattern)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%q: %s, want %s", pattern, got, want)
		}
	}
}

// Each row was compared with the output of `git check-attr`.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern          string
		match, differing string // paths that match and paths that do not, separated by blanks
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
		{"a/**/b/**/c", "a/x/b/b/y/c", "a/b"},
		{"a/**/b/c", "a/b/c", "a/b/b/d"},
	} {
		g, err := Parse(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, p := range strings.Fields(c.match) {
			if !g.Match(p) {
				t.Errorf("%s does not match %s", c.pattern, p)
			}
		}
		for _, p := range strings.Fields(c.differing) {
			if g.Match(p) {
				t.Errorf("%s matches %s", c.pattern, p)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, p := range []string{"", "!a", "x/", "/", "x//a", "x**/a", "../a", "x/../a", "./a", "a[b", "a[", "[!", "[]", `a\`, "[a/b]", "[[:digit:]", "[[:digits:]]", strings.Repeat("a", 1901)} {
		if _, err := Parse(p); err == nil {
			t.Errorf("%q is accepted", p)
		}
	}
}

func TestMatchTime(t *testing.T) {
	start := time.Now()
	for _, c := range []struct{ pattern, path string }{
		{strings.Repeat("*a", 200), strings.Repeat("a", 2000) + "b"},
		{strings.Repeat("**/a/", 100) + "b", strings.Repeat("a/", 1000) + "c"},
	} {
		if g, err := Parse(c.pattern); err != nil || g.Match(c.path) {
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
		g, err := Parse(pattern)
		if err != nil {
			return
		}
		if g.Match(path) && g.baseNameOnly && !g.Match("x/"+path) {
			t.Error("a pattern without a slash does not match in a directory")
		}
		if !strings.ContainsAny(pattern, `*?[\`) && g.Match(strings.TrimPrefix(pattern, "/")) == false {
			t.Error("a plain pattern does not match itself")
		}
	})
}
