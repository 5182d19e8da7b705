package wildmatch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGit compares with git on patterns and names of the same few characters:
// each pattern is a line of an attributes file with an attribute of its own.
func TestGit(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := rand.New(rand.NewPCG(1, 1))
	var lines strings.Builder
	var patterns, attributes []string
	for i := range 1500 {
		p := word(r, "a", "b", "c", "-", "*", "*", "?", "[", "[", "[!", "[^", "]", "]", "a-c", `\`, "[:alpha:]", "[:alpha", ":]", "[:no:]")
		patterns, attributes = append(patterns, p), append(attributes, fmt.Sprint("x", i))
		fmt.Fprintf(&lines, "%s x%d\n", p, i)
	}
	var names []string
	for range 150 {
		names = append(names, word(r, "a", "b", "c", "-", "*", "?", "[", "]", "!", "^", `\`, ":", "al"))
	}
	matched := 0
	for name, set := range checkAttr(t, lines.String(), names, attributes) {
		for i, p := range patterns {
			want := set[attributes[i]]
			if want {
				matched++
			}
			if got := Match(p, name); got != want || want && Check(p) != nil {
				t.Errorf("%q matches %q: %v, by git %v; %v", p, name, got, want, Check(p))
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches", matched)
	}
}

// word is up to four of parts, at least one, that no shell or attributes file
// takes for something else.
func word(r *rand.Rand, parts ...string) string {
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

// checkAttr returns the attributes that git sets for each name.
func checkAttr(t *testing.T, file string, names, attributes []string) map[string]map[string]bool {
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
		set := map[string]map[string]bool{}
		f := strings.Split(string(out), "\x00")
		for i := 0; i+2 < len(f); i += 3 {
			if set[f[i]] == nil {
				set[f[i]] = map[string]bool{}
			}
			set[f[i]][f[i+1]] = f[i+2] == "set"
		}
		return set
	}
	return nil
}

func TestMatchPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true},
		{"a/*", "a/b/c", false},
		{"a/**", "a", false},
		{"a/**", "a/b/c", true},
		{"**/c", "c", true},
		{"a/**/c", "a/c", true},
		{"a/**/b/**/c", "a/x/b/b/y/c", true},
		{"a/**/b/c", "a/b/b/d", false},
	} {
		if got := MatchPath(strings.Split(c.pattern, "/"), strings.Split(c.path, "/")); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.path, got)
		}
	}
}

func TestCheck(t *testing.T) {
	const bracket = "the bracket [ is not closed, or has a class [: :] that is none"
	for pattern, want := range map[string]string{
		"a[b-c]*":      "<nil>",
		"[[:digit]":    "<nil>",
		`a\`:           "a backslash at its end escapes nothing",
		"a[b":          bracket,
		`[\`:           bracket,
		"[[:digit:]":   bracket,
		"[[:digits:]]": bracket,
	} {
		if got := fmt.Sprint(Check(pattern)); got != want {
			t.Errorf("%q: %s, want %s", pattern, got, want)
		}
	}
}
