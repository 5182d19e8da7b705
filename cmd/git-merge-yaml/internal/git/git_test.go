package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMergeFile(t *testing.T) {
	dir := t.TempDir()
	noConfiguration(t)
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base, ours := file("base", "a\nb\n"), file("ours", "a\nc\n")
	for _, c := range []struct {
		m         MergeFile
		theirs    string
		want      string
		conflicts int
		exit      int // of the error, 0 for none
	}{
		{MergeFile{}, "a\nb\nd\n", "a\n<<<<<<< o\nc\n=======\nb\nd\n>>>>>>> t\n", 1, 0},
		{MergeFile{}, "e\na\nb\n", "e\na\nc\n", 0, 0},
		{MergeFile{Style: "diff3"}, "a\nd\n", "a\n<<<<<<< o\nc\n||||||| b\nb\n=======\nd\n>>>>>>> t\n", 1, 0},
		{MergeFile{Resolve: "theirs"}, "a\nd\n", "a\nd\n", 0, 0},
		{MergeFile{}, "a\x00\n", "", 0, 255},
	} {
		m := c.m
		m.Base, m.Ours, m.Theirs = base, ours, file("theirs", c.theirs)
		m.Labels, m.MarkerSize = [3]string{"o", "b", "t"}, 7
		got, n, err := Git{}.MergeFile(m)
		if string(got) != c.want || n != c.conflicts || err != nil && ExitCode(err) != c.exit || (err == nil) != (c.exit == 0) {
			t.Errorf("%+v with %q: %q, %d, %v", c.m, c.theirs, got, n, err)
		}
	}
}

func TestError(t *testing.T) {
	_, err := Git{}.Run("-c", "a.b=c", "rev-parse", "--verify", "-q", "no-such-commit")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.ExitCode <= 0 || ExitCode(err) != e.ExitCode {
		t.Fatalf("error %#v", err)
	}
	if _, ok := errors.AsType[*exec.ExitError](err); !ok || e.command() != "rev-parse" {
		t.Errorf("%q: %v", e.command(), err)
	}
	t.Setenv("PATH", "")
	if _, err := (Git{}).Run("version"); !errors.Is(err, exec.ErrNotFound) || ExitCode(err) != -1 {
		t.Errorf("without git: %v", err)
	}
}

// noConfiguration hides the configuration of who runs the tests.
func noConfiguration(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_ATTR_NOSYSTEM", "1")
}

// TestLocale: what is read is in English; a program that people see has their language, and
// what filters do by the locale, they do as for git.
func TestLocale(t *testing.T) {
	noConfiguration(t)
	t.Setenv("LANGUAGE", "de")
	t.Setenv("LC_ALL", "C.UTF-8")
	const say = `echo "$LANGUAGE $LC_ALL"`
	file := filepath.Join(t.TempDir(), "said")
	t.Setenv("GIT_EDITOR", say+` >"$1"; :`)
	if err := (Git{}).Edit(file, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if said, err := os.ReadFile(file); string(said) != "de C.UTF-8\n" {
		t.Errorf("the editor has %q, %v", said, err)
	}
	t.Setenv("GIT_PAGER", "cat; "+say)
	var said strings.Builder
	if err := (Git{}).Page(strings.NewReader("text "), &said, nil); err != nil || said.String() != "text de C.UTF-8\n" {
		t.Errorf("the pager has %q, %v", said.String(), err)
	}
	if said, err := (Git{}).Line("-c", "alias.say=!"+say, "say"); said != "C C.UTF-8" {
		t.Errorf("what is read has %q, %v", said, err)
	}
}
