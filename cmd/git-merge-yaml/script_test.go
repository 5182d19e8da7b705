package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/app"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"git-merge-yaml":        runAndLinger,
		"git-merge-yaml-panics": func() { os.Exit(newPanickingApp().Run(os.Args[1:])) },
	})
}

// runAndLinger runs the program and exits with its code. If LINGER is set, it waits a moment before the exit:
// testscript closes the terminal when the program ends, and would lose output that it has not yet read.
func runAndLinger() {
	code := app.Main()
	if os.Getenv("LINGER") != "" {
		time.Sleep(50 * time.Millisecond)
	}
	os.Exit(code)
}

// newPanickingApp returns the program with a merge function that panics.
func newPanickingApp() *app.App {
	a := app.New()
	a.Merge = func(_, _, _ []byte, _ merge.Options) (merge.Result, error) { panic("seeded") }
	return a
}

// TestScript runs the scripts of testdata/script with git, each with a separate home folder without configuration.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		Setup:               setup,
		Cmds:                commands,
		Condition:           evalCondition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// evalCondition evaluates a condition of a script: [root] if the tests run as root, [ci] if CI is set, and [german]
// if git has German messages. For another name it returns an error.
func evalCondition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "ci":
		return os.Getenv("CI") != "", nil
	case "german":
		git := exec.Command("git", "rev-parse", "--verify", "no-such-commit")
		git.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LANGUAGE=de")
		out, _ := git.CombinedOutput()
		return len(out) > 0 && !strings.Contains(string(out), "fatal: "), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// setup sets the environment of a script: an empty home folder, a fixed author and date, and the path of the
// repository as ROOT.
func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, ".home")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	e.Setenv("ROOT", root)
	e.Setenv("GOHOME", os.Getenv("HOME"))
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		e.Setenv("GIT_"+who+"_NAME", "A")
		e.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
		e.Setenv("GIT_"+who+"_DATE", "2026-01-01T00:00:00Z")
	}
	e.Setenv("HOME", home)
	e.Setenv("USERPROFILE", home)
	e.Setenv("XDG_CONFIG_HOME", "")
	e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	e.Setenv("GIT_EDITOR", "true")
	e.Setenv("GIT_MERGE_YAML", "")
	for _, name := range []string{"LANG", "LANGUAGE", "LC_ALL"} { // keep the language of the user
		e.Setenv(name, os.Getenv(name))
	}
	return os.MkdirAll(home, 0o777)
}
