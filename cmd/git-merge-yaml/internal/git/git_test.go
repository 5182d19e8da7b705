package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestError(t *testing.T) {
	_, err := Git{}.Run("-c", "a.b=c", "rev-parse", "--verify", "-q", "no-such-commit")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.ExitCode <= 0 || ExitCode(err) != e.ExitCode {
		t.Fatalf("error %#v", err)
	}
	if _, ok := errors.AsType[*exec.ExitError](err); !ok || !strings.HasPrefix(err.Error(), "git rev-parse: ") {
		t.Error(err)
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

func TestWebAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"":                                      "",
		"../other":                              "",
		"/srv/git/repo.git":                     "",
		"file:///srv/git/repo.git":              "",
		`C:\repo`:                               "",
		"git@example.com:a/b.git":               "https://example.com/a/b",
		"ssh://git@example.com:2222/a/b.git":    "https://example.com/a/b",
		"https://example.com/a/b.git/":          "https://example.com/a/b",
		"https://me:secret@example.com/a/b":     "https://example.com/a/b",
		"http://example.com:8080/a/b.git":       "http://example.com:8080/a/b",
		"https://example.com/a/b?token=x#y":     "https://example.com/a/b",
		"javascript:alert(1)//example.com/a":    "",
		"https://example.com/\"><script>/b.git": "https://example.com/%22%3E%3Cscript%3E/b",
	} {
		if got := webAddress(remote); got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}
