package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/app"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func TestMain(m *testing.M) {
	testscript.Main(testRun{m}, map[string]func(){
		"git-merge-yaml-panics": func() { os.Exit(newPanickingApp().Run(os.Args[1:])) },
	})
}

// A testRun runs the tests of a testing.M, and then removes the program that they built.
type testRun struct{ *testing.M }

// Run runs the tests and returns the exit code.
func (r testRun) Run() int {
	defer func() { os.RemoveAll(builtDir) }()
	return r.M.Run()
}

// builtDir is the folder with the program of buildProgram, or "" if it was not called.
var builtDir string

// buildProgram builds the program like a release, and returns the path of the executable. It builds once in a test run.
// The scripts start the program thousands of times. They do not use the test binary instead, as testscript would by
// default: its start takes three times as long, because it also initializes the packages that only tests use.
var buildProgram = sync.OnceValues(func() (program string, err error) {
	if builtDir, err = os.MkdirTemp("", "git-merge-yaml-test-"); err != nil {
		return "", err
	}
	if err := writeTemplate(filepath.Join(builtDir, templateName)); err != nil {
		return "", err
	}
	program = filepath.Join(builtDir, "git-merge-yaml")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-tags", buildTag, "-buildvcs=false", "-ldflags=-s -w", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, os.Chmod(builtDir, 0o755) // other users also run it
})

// templateName is the folder of the template for new repositories, next to the program.
const templateName = "template"

// writeTemplate writes a template for git init. Repositories made from it have no examples of hooks, and git starts no
// process that looks for something to clean up after each commit.
func writeTemplate(dir string) error {
	return errors.Join(os.MkdirAll(filepath.Join(dir, "hooks"), 0o755), os.MkdirAll(filepath.Join(dir, "info"), 0o755),
		os.WriteFile(filepath.Join(dir, "config"), []byte("[maintenance]\n\tauto = false\n"), 0o644))
}

// commitTime is the time of all commits, in seconds since 1970.
const commitTime = "1767225600"

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

var long = flag.Bool("long", false, "test large files at their full size, as .ci/long does")

// evalCondition evaluates a condition of a script: [root] if the tests run as root, [ci] if CI is set, [long] with the
// flag -long, [tty] if commands can get a terminal, and [german] if git has German messages. For another name it returns
// an error.
func evalCondition(name string) (bool, error) {
	switch name {
	case "long":
		return *long, nil
	case "root":
		return os.Geteuid() == 0, nil
	case "ci":
		return os.Getenv("CI") != "", nil
	case "tty":
		f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
		if err == nil {
			f.Close()
		}
		return err == nil, nil
	case "german":
		git := exec.Command("git", "rev-parse", "--verify", "no-such-commit")
		git.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LANGUAGE=de")
		out, _ := git.CombinedOutput()
		return len(out) > 0 && !strings.Contains(string(out), "fatal: "), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// setup sets the environment of a script: the built program on the PATH, an empty home folder, a fixed author and date,
// and the path of the repository as ROOT. Git does not wait for the disk, because nothing has to outlast a test.
func setup(e *testscript.Env) error {
	program, err := buildProgram()
	if err != nil {
		return err
	}
	home := filepath.Join(e.WorkDir, ".home")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	e.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+e.Getenv("PATH"))
	e.Setenv("GIT_TEST_FSYNC", "false")
	e.Setenv("ROOT", root)
	e.Setenv("GOHOME", os.Getenv("HOME"))
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		e.Setenv("GIT_"+who+"_NAME", "A")
		e.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
		e.Setenv("GIT_"+who+"_DATE", commitTime+" +0000")
	}
	e.Setenv("GIT_TEMPLATE_DIR", filepath.Join(filepath.Dir(program), templateName))
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
