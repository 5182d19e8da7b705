// Package git runs git. Everything that the command asks of git goes through
// the type Git; nothing here knows YAML or the command line.
package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Git is where and how git is run. The zero value runs it in the current
// directory with the environment of this process.
type Git struct {
	Dir string   // "" is the current directory
	Env []string // added to the environment, as KEY=value
	// Context ends git where it is done before; nil never is.
	Context context.Context
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
	args := e.Args
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return fmt.Sprintf("git %s: %s", args[0], msg) // the subcommand, without its arguments
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
func (g Git) Feed(stdin []byte, args ...string) (out []byte, err error) {
	err = g.stream(stdin, args, func(r *bufio.Reader) (err error) {
		out, err = io.ReadAll(r)
		return err
	})
	return out, err
}

// stream runs git with args and gives what it prints to read, while it prints. An error of
// read ends git and is returned; one of git, an *Error, comes before read's about its end.
func (g Git) stream(stdin []byte, args []string, read func(*bufio.Reader) error) error {
	outer := cmp.Or(g.Context, context.Background())
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	cmd := g.command(ctx, args)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &Error{Args: args, ExitCode: -1, Err: err, git: g}
	}
	err = read(bufio.NewReaderSize(out, 64<<10))
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		cancel()
		_ = cmd.Wait() // what ended it is known
		return cmp.Or(outer.Err(), err)
	}
	if failed := cmd.Wait(); failed != nil {
		return &Error{Args: args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.String(), Err: cmp.Or(outer.Err(), failed), git: g}
	}
	return err
}

// command is a run of git whose answer is read: git's texts are in English. LC_ALL, by which
// the filters of files may sort, stays as it is.
func (g Git) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = g.Dir
	cmd.Env = append(append(os.Environ(), "LANGUAGE=C", "LC_MESSAGES=C"), g.Env...)
	return cmd
}

// with is g with more in its environment, as KEY=value.
func (g Git) with(env ...string) Git {
	g.Env = slices.Concat(g.Env, env)
	return g
}

// asIs makes git see objects as they were written, without what refs/replace says: history is
// told as it is.
func (g Git) asIs() Git { return g.with("GIT_NO_REPLACE_OBJECTS=1") }

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

// Paths runs git and returns the paths, or what else it prints with -z, also beside an error.
func (g Git) Paths(args ...string) ([]string, error) {
	out, err := g.Run(args...)
	return records(out), err
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
func records(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// tuples cuts what git printed with -z into n fields each.
func tuples(out []byte, n int) (all [][]string, err error) {
	for t := range slices.Chunk(records(out), n) {
		if len(t) != n {
			return nil, errFormat
		}
		all = append(all, t)
	}
	return all, nil
}

// Edit opens a file in the editor that git would open for a message
// (GIT_EDITOR, core.editor, VISUAL, EDITOR) and waits until it is closed.
func (g Git) Edit(file string, stdin io.Reader, stdout, stderr io.Writer) error {
	editor, err := g.show("GIT_EDITOR", stdin, stdout, stderr, nil, file)
	if err != nil && editor != "" {
		return fmt.Errorf("the editor %s failed: %w", editor, err)
	}
	return err
}

// Page shows text with the pager that git would take (GIT_PAGER, core.pager,
// PAGER, less), and waits until it is closed.
func (g Git) Page(text io.Reader, stdout, stderr io.Writer) error {
	var env []string
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // as git has it
		if _, ok := os.LookupEnv(name); !ok {
			env = append(env, name+"="+value)
		}
	}
	_, err := g.show("GIT_PAGER", text, stdout, stderr, env)
	return err
}

// show runs the program that git has in a variable, "" if it has none: people see it, in their
// language. Git runs it as it runs its own, by the shell that it came with.
func (g Git) show(variable string, stdin io.Reader, stdout, stderr io.Writer, env []string, args ...string) (program string, err error) {
	if program, err = g.Line("var", variable); err != nil {
		return "", err
	}
	cmd := exec.Command("git", append([]string{"-c", "alias.shown-program=!" + program, "shown-program"}, args...)...)
	cmd.Dir, cmd.Env = g.Dir, slices.Concat(os.Environ(), g.Env, env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return program, cmd.Run()
}
