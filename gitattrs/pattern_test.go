package gitattrs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckPatternAgreesWithGit compares CheckPattern with git check-attr, on attributes files that SetPatterns wrote.
// If never is set, git does not match the path, and CheckPattern returns an error.
func TestCheckPatternAgreesWithGit(t *testing.T) {
	dir := t.TempDir()
	hideUserConfiguration(t)
	runGit(t, dir, "init", "-q")
	for _, c := range []struct {
		pattern, path string
		never         bool
	}{
		{"*.yaml", "k8s/web.yaml", false},
		{"k8s/**", "k8s/a/web.yaml", false},
		{"/a.yaml", "a.yaml", false},
		{"**/a.yaml", "x/y/a.yaml", false},
		{"my file.yaml", "my file.yaml", false},
		{`"a".yaml`, `"a".yaml`, false},
		{"#a.yaml", "#a.yaml", false},
		{"[a-c].yaml", "b.yaml", false},
		{"[]x].yaml", "].yaml", false},
		{"[!]x].yaml", "a.yaml", false},
		{"[[:digit:]].yaml", "1.yaml", false},
		{`a\*.yaml`, "a*.yaml", false},
		{`a\ b.yaml`, "a b.yaml", false},
		{"é.yaml", "é.yaml", false},
		{"a\tb.yaml", "a\tb.yaml", false},
		{"", "", true},
		{"!*.yaml", "a.yaml", true},
		{"[attr]x", "[attr]x", true},
		{"k8s/", "k8s/web.yaml", true},
		{"/", "a.yaml", true},
		{"**/", "a/b.yaml", true},
		{"./a.yaml", "a.yaml", true},
		{"k8s/./a.yaml", "k8s/a.yaml", true},
		{"../a.yaml", "a.yaml", true},
		{"x/../a.yaml", "a.yaml", true},
		{"a//b.yaml", "a/b.yaml", true},
		{"[a.yaml", "[a.yaml", true},
		{`a\`, `a\`, true},
		{"[[:digit].yaml", "d.yaml", false},
		{"[[:digits:]].yaml", "1.yaml", true},
	} {
		if err := CheckPattern(c.pattern); (err != nil) != c.never {
			t.Errorf("CheckPattern(%q) = %v", c.pattern, err)
		}
		if c.pattern == "" {
			continue
		}
		file := SetPatterns(nil, "yaml", []string{c.pattern})
		if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), file, 0o666); err != nil {
			t.Fatal(err)
		}
		matches := strings.HasSuffix(runGit(t, dir, "check-attr", "merge", "--", c.path), ": merge: yaml\n")
		if matches == c.never {
			t.Errorf("%q matches %q: %t, by git", c.pattern, c.path, matches)
		}
	}
}

// runGit runs git in dir and returns its stdout. The test fails if git does.
func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

// hideUserConfiguration makes git ignore the configuration of the user and of the system until t ends.
func hideUserConfiguration(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_ATTR_NOSYSTEM", "1")
}

func TestParseLine(t *testing.T) {
	for _, c := range []struct{ line, pattern, attributes string }{
		{"*.yaml merge=yaml\n", "*.yaml", "merge=yaml"},
		{"\xef\xbb\xbf  *.yaml\tmerge=yaml  -text\r\n", "*.yaml", "merge=yaml -text"},
		{`"my file.yaml" !merge`, "my file.yaml", "!merge"},
		{"# *.yaml merge", "", ""},
		{"\n", "", ""},
		{"*.yaml", "*.yaml", ""},
	} {
		if pattern, attributes := ParseLine(c.line); pattern != c.pattern || strings.Join(attributes, " ") != c.attributes {
			t.Errorf("%q: %q, %q", c.line, pattern, attributes)
		}
	}
}

// TestLineLimitOfGit checks the limit that the errors about long patterns state: git ignores lines of an attributes file
// with 2,048 bytes or more, without the line break.
func TestLineLimitOfGit(t *testing.T) {
	dir := t.TempDir()
	hideUserConfiguration(t)
	runGit(t, dir, "init", "-q")
	for _, c := range []struct {
		length int
		want   string
	}{{2047, ": yaml\n"}, {2048, ": unspecified\n"}} {
		path := strings.Repeat("a", c.length-len(" merge=yaml"))
		if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte(path+" merge=yaml\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := runGit(t, dir, "check-attr", "merge", path); !strings.HasSuffix(got, c.want) {
			t.Errorf("a line of %d bytes: %q", c.length, got[len(path):])
		}
		if err := CheckPattern(path); err == nil || !strings.Contains(err.Error(), "git ignores lines of 2,048 ") {
			t.Errorf("a pattern of %d bytes: %v", len(path), err)
		}
	}
}
