// Package scripttest runs scripts of testdata/script with git and the program, for the tests of several packages. The
// scripts are divided by subject, so that no package takes long. Package testscript of rogpeppe/go-internal describes
// the language of the scripts; scriptcommands.go has further commands.
//
//	func TestMain(m *testing.M)     { scripttest.Main(m, nil) }
//	func TestScript(t *testing.T)   { scripttest.Run(t, "resolve") }
package scripttest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/term"
)

// Main runs the tests of a package that calls Run or Params, and exits. programs are further programs for the scripts.
func Main(m *testing.M, programs map[string]func()) { testscript.Main(testRun{m}, programs) }

// A testRun runs the tests of a testing.M, and then removes the program that they built.
type testRun struct{ *testing.M }

// Run runs the tests and returns the exit code.
func (r testRun) Run() int {
	defer func() { os.RemoveAll(builtDir) }()
	return r.M.Run()
}

// BuildTag is the build tag of releases. It excludes a renderer of manual pages, which the library for the command line
// would otherwise link (docs/dependencies.md).
const BuildTag = "urfave_cli_no_docs"

// builtDir is the folder with the program of BuildProgram, or "" if it was not called.
var builtDir string

// BuildProgram builds the program like a release, and returns the path of the executable. It builds once in a test run,
// and without the profile of a release, for which all packages would be compiled once more. It copies the executable
// with go run, which links it only once for all packages that test with it.
// The scripts start the program thousands of times. They do not use the test binary instead, as testscript would by
// default: its start takes three times as long, because it also initializes the packages that only tests use.
var BuildProgram = sync.OnceValues(func() (program string, err error) {
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
	if err := noteSources(); err != nil {
		return "", err
	}
	flags := []string{"-tags", BuildTag, "-pgo=off", "-buildvcs=false", "-ldflags=-s -w"}
	const path = "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml"
	build := exec.Command("go", slices.Concat([]string{"run", "-exec=cp"}, flags, []string{path, program})...)
	if runtime.GOOS == "windows" {
		build = exec.Command("go", slices.Concat([]string{"build", "-o", program}, flags, []string{path})...)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, os.Chmod(builtDir, 0o755) // other users also run it
})

// noteSources lists the folders with what the scripts test, so that go test does not repeat an old result after a change
// there: it compares only what the test itself has read, not what go build, git or sh read.
func noteSources() error {
	root, err := findRoot()
	for _, name := range []string{"action", "cmd", "gitattrs", "merge", "templates"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, name), func(_ string, _ fs.DirEntry, err error) error { return err }))
	}
	return err
}

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

// subjects has the patterns of the scripts of each subject. The scripts of subject "" are all others.
var subjects = map[string][]string{
	"ci":      {"team_*"},
	"driver":  {"driver*", "fallback_*", "favour*", "labels*", "merge*", "off*", "ways_*"},
	"history": {"check*", "explain*", "preview*", "replay*"},
	"resolve": {"resolve*"},
	"setup":   {"completion*", "doctor*", "init*", "install*"},
}

// subjectOf returns the subject of the script with this file name, by which the scripts are divided among test
// packages: the key of subjects that has a pattern for name. For resolve_undo.txtar, it is "resolve". It returns "" if
// no pattern matches.
func subjectOf(name string) string {
	for subject, patterns := range subjects {
		if slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			return subject
		}
	}
	return ""
}

// Run runs the scripts of a subject, each with a separate home folder without configuration. The subtests have the names
// of the scripts.
func Run(t *testing.T, subject string) {
	files, err := filepath.Glob(filepath.Join(Root(t), "testdata", "script", "*.txtar"))
	files = slices.DeleteFunc(files, func(f string) bool { return subjectOf(filepath.Base(f)) != subject })
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	p := Params()
	p.Files = files
	testscript.Run(t, p)
}

// Params returns the parameters of a test that runs scripts, without the scripts.
func Params() testscript.Params {
	return testscript.Params{Setup: setup, Cmds: commands, Condition: evalCondition, RequireExplicitExec: true, RequireUniqueNames: true}
}

// EnglishParams returns Params for scripts that are made from documents: git's messages are in English in any
// environment, and two files of a script may have the same name.
func EnglishParams() testscript.Params {
	p := Params()
	p.RequireUniqueNames = false
	p.Setup = func(e *testscript.Env) error {
		err := setup(e)
		e.Setenv("LC_ALL", "C")
		e.Setenv("LANGUAGE", "")
		return err
	}
	return p
}

// Root returns the folder of the module, which contains the folder in which the tests of a package run.
func Root(tb testing.TB) string {
	tb.Helper()
	root, err := findRoot()
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

// findRoot returns the result of Root, or an error if no folder above has a go.mod.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("no go.mod in a folder above")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

var long = flag.Bool("long", false, "test large files at their full size and all combinations, as .ci/long does")

// Long reports whether the tests run with the flag -long: at full size, and with all combinations.
func Long() bool { return *long }

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
		if err != nil {
			return false, nil
		}
		defer f.Close()
		return term.IsTerminal(int(f.Fd())), nil // a container may have another file there
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
	program, err := BuildProgram()
	if err != nil {
		return err
	}
	home := filepath.Join(e.WorkDir, ".home")
	root, err := findRoot()
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
