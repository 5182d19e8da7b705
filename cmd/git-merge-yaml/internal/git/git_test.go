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

// ignoreUserConfig keeps the configuration of the user who runs the tests out of a test.
func ignoreUserConfig(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_ATTR_NOSYSTEM", "1")
}

// TestLocale checks that git runs with English messages and an unchanged LC_ALL if its output is parsed, and that the
// editor and the pager run in the user's language.
func TestLocale(t *testing.T) {
	ignoreUserConfig(t)
	t.Setenv("LANGUAGE", "de")
	t.Setenv("LC_ALL", "C.UTF-8")
	const printLocale = `echo "$LANGUAGE $LC_ALL"`
	file := filepath.Join(t.TempDir(), "output")
	t.Setenv("GIT_EDITOR", printLocale+` >"$1"; :`)
	if err := (Git{}).OpenInEditor(file, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if output, err := os.ReadFile(file); string(output) != "de C.UTF-8\n" {
		t.Errorf("the editor has %q, %v", output, err)
	}
	t.Setenv("GIT_PAGER", "cat; "+printLocale)
	var output strings.Builder
	if err := (Git{}).ShowInPager(strings.NewReader("text "), &output, nil); err != nil || output.String() != "text de C.UTF-8\n" {
		t.Errorf("the pager has %q, %v", output.String(), err)
	}
	if output, err := (Git{}).Line("-c", "alias.say=!"+printLocale, "say"); output != "C C.UTF-8" {
		t.Errorf("what is read has %q, %v", output, err)
	}
}

func TestWebURL(t *testing.T) {
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
		if got := webURL(remote); got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}
