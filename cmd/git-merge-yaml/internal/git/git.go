// Package git runs git. Everything that the command asks of git goes through
// the type Git; nothing here knows YAML or the command line.
package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Git is where and how git is run. The zero value runs it in the current
// directory with the environment of this process.
type Git struct {
	Dir string   // "" is the current directory
	Env []string // added to the environment, as KEY=value
	// Context ends git where it is done before; nil never is.
	Context context.Context
	// Inherited are files that a merge of trees, and what git runs for it, have as 3 and on.
	Inherited []*os.File
}

// An Error is a run of git that failed.
type Error struct {
	Args     []string // without "git"
	ExitCode int      // -1 if git could not be started or was killed
	Stderr   string
	Err      error
	git      Git
}

func (e *Error) Error() string {
	msg := strings.TrimSpace(e.Stderr)
	if msg == "" {
		msg = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.command(), msg)
}

// command is the subcommand's name, without its arguments.
func (e *Error) command() string {
	for i := 0; i < len(e.Args); i++ {
		if e.Args[i] == "-c" {
			i++
			continue
		}
		return e.Args[i]
	}
	return ""
}

func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit code of the run that err describes, -1 if git
// could not be started or was killed, or if err is no *Error.
func ExitCode(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.ExitCode
	}
	return -1
}

// Run runs git with args and returns its stdout, also beside an error, which
// is an *Error.
func (g Git) Run(args ...string) ([]byte, error) { return g.Feed(nil, args...) }

// Feed is Run with something to read on stdin.
func (g Git) Feed(stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(cmp.Or(g.Context, context.Background()), "git", args...)
	cmd.Dir = g.Dir
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	cmd.Env = g.environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.Bytes(), &Error{Args: args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.String(), Err: err, git: g}
	}
	return stdout.Bytes(), nil
}

// environ is the environment of a run whose answer is read: git's texts are in English.
// LC_ALL, by which the filters of files may sort, stays as it is.
func (g Git) environ() []string {
	return append(append(os.Environ(), "LANGUAGE=C", "LC_MESSAGES=C"), g.Env...)
}

// theirEnviron is the environment of a program that people see.
func (g Git) theirEnviron() []string { return append(os.Environ(), g.Env...) }

// At returns a Git for the repository whose work tree is dir, whatever
// repository the environment names.
func At(dir string) Git {
	meta := filepath.Join(dir, ".git")
	return Git{Dir: dir, Env: []string{
		"GIT_DIR=" + meta,
		"GIT_COMMON_DIR=" + meta,
		"GIT_WORK_TREE=" + dir,
		"GIT_INDEX_FILE=" + filepath.Join(meta, "index"),
		"GIT_OBJECT_DIRECTORY=" + filepath.Join(meta, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=",
		"GIT_PREFIX=",
	}}
}

// Line runs git and returns the one line that it prints, without its break.
func (g Git) Line(args ...string) (string, error) {
	out, err := g.Run(args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

// AtLeast reports whether git is of a version, or a later one.
func (g Git) AtLeast(major, minor int) bool {
	version, _ := g.Line("version")
	var m, n int
	fmt.Sscanf(version, "git version %d.%d", &m, &n)
	return m > major || m == major && n >= minor
}

var errFormat = errors.New("git answered in a format that is not known")

// records cuts what git printed with -z.
func records(out []byte) iter.Seq[string] {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, "\x00")
}
