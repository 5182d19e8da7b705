// Package git reads repositories and changes their index and configuration. It runs the git program and parses its
// output: history, objects, the index, the configuration, attributes, and merges of commits without a work tree. It
// does not parse YAML, and it does not know the commands of this program.
//
// A [Git] holds the directory and the environment to run git in; almost every function is a method of it. A
// [WorkTree] is a Git at the top of a work tree, with paths as in the index. [Objects] reads blobs through one
// long-running process, and an [IndexLock] stages files while the index is locked. A failed run is an [*Error].
//
// This program prints the subjects of the commits of a branch:
//
//	g := git.Git{Dir: "/srv/shop"}
//	err := g.WalkCommits(nil, []string{"main..topic"}, func(c git.Commit) bool {
//		fmt.Println(c.ID.Short(), c.Subject)
//		return true
//	})
//
// A [Repo] has the settings, HEAD and the names of the refs. It reads their files in this process where that gives what
// git would give, because starting git takes as long as most merges. In a clone in which main is checked out:
//
//	r := git.Open(git.Git{Dir: "/srv/shop"})
//	r.CurrentBranch()                          // "main"
//	r.Remotes()                                // ["origin"]
//	r.SymrefTarget("refs/remotes/origin/HEAD") // "refs/remotes/origin/main"
//	r.ConfigValue("merge.conflictStyle")       // "zdiff3"
//
// Functions that take several objects pass all of them to one git process, because starting a process takes longer
// than most answers.
//
// Terms:
//
//	pick             a commit that git cherry-pick, git rebase or git am made from another commit, or that merge
//	stage            one version of a file in the index, with mode and id; an unmerged path has up to three
//	scope            one of git's configuration files: local (of the repository), global (of the user) or system
//	effective value  of a setting: the last one that git reads in all configuration files
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

// A Git is a directory and an environment in which git is run. The zero value runs git in the current directory with
// the environment of this process. A Git is a small value that can be copied and modified.
type Git struct {
	Dir string   // "" for the current directory
	Env []string // variables added to those of this process, as KEY=value
	// Context, if not nil, kills git when it is done.
	Context context.Context
}

// An Error describes a run of git that failed: git exited with a code other than 0, was killed, or could not be
// started.
type Error struct {
	Args     []string // without "git"
	ExitCode int      // -1 if git could not be started or was killed
	Stderr   string
	Err      error
	git      Git // that ran it
}

// Error returns git's subcommand and its stderr, without options -c of git, such as "git rev-parse: fatal: Needed a
// single revision". If stderr is empty, the underlying error takes its place, as in "git log: exit status 1".
func (e *Error) Error() string {
	msg := strings.TrimSpace(e.Stderr)
	if msg == "" {
		msg = e.Err.Error()
	}
	args := e.Args
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return fmt.Sprintf("git %s: %s", args[0], msg)
}

// Unwrap returns the underlying error: an [*exec.ExitError], the error of starting git, or the error of Git.Context.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns git's exit code if err wraps an *Error. It returns -1 if git could not be started or was killed, or
// if err is nil or wraps no *Error.
func ExitCode(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.ExitCode
	}
	return -1
}

// Run runs git with args and returns its stdout. If git fails, the error is an *Error, and the output printed before
// the failure is returned as well.
func (g Git) Run(args ...string) ([]byte, error) { return g.RunInput(nil, args...) }

// RunInput runs git with args, writes stdin to its standard input, and returns its stdout. If git fails, the error is
// an *Error, and the output printed before the failure is returned as well. If Git.Context is done, the error wraps
// that of the context.
func (g Git) RunInput(stdin []byte, args ...string) (out []byte, err error) {
	err = g.runStreaming(stdin, args, func(r *bufio.Reader) (err error) {
		out, err = io.ReadAll(r)
		return err
	})
	return out, err
}

// runStreaming runs git with args, calls read with its stdout while git is running, and waits until git has exited. If
// git fails, the error is an *Error. If read fails before the end of the output, git is killed, and the error is that
// of read. read should consume all of the output, because git may fail if it cannot write the rest.
func (g Git) runStreaming(stdin []byte, args []string, read func(*bufio.Reader) error) error {
	parent := cmp.Or(g.Context, context.Background())
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	cmd := g.newCommand(ctx, args)
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
		_ = cmd.Wait() // fails because of cancel
		return cmp.Or(parent.Err(), err)
	}
	if waitErr := cmd.Wait(); waitErr != nil {
		return &Error{Args: args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.String(), Err: cmp.Or(parent.Err(), waitErr), git: g}
	}
	return err
}

// newCommand returns the command for a run of git whose output is parsed. Messages of git are in English whatever the
// user's language is. LC_ALL is not changed, because filters that git runs may depend on it, for example to sort.
func (g Git) newCommand(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = g.Dir
	cmd.Env = append(append(os.Environ(), "LANGUAGE=C", "LC_MESSAGES=C"), g.Env...)
	return cmd
}

// withEnv returns a copy of g with further environment variables, given as KEY=value.
func (g Git) withEnv(env ...string) Git {
	g.Env = slices.Concat(g.Env, env)
	return g
}

// withoutReplaceRefs returns a copy of g that ignores replacements of objects (refs/replace), so that commits are
// read as they were written.
func (g Git) withoutReplaceRefs() Git { return g.withEnv("GIT_NO_REPLACE_OBJECTS=1") }

// ForWorkTree returns a Git for the repository at dir/.git with the work tree dir. They need not exist yet: nothing is
// run or checked. The environment variables by which git may be pointed at another repository, such as GIT_DIR and
// GIT_INDEX_FILE, have no effect on it.
func ForWorkTree(dir string) Git {
	gitDir := filepath.Join(dir, ".git")
	return Git{Dir: dir, Env: []string{
		"GIT_DIR=" + gitDir,
		"GIT_COMMON_DIR=" + gitDir,
		"GIT_WORK_TREE=" + dir,
		"GIT_INDEX_FILE=" + filepath.Join(gitDir, "index"),
		"GIT_OBJECT_DIRECTORY=" + filepath.Join(gitDir, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=",
		"GIT_PREFIX=",
	}}
}

// Line runs git and returns its stdout without the line break at the end. It is for commands that print a single line.
// If git fails, the error is an *Error, and the output printed before the failure is returned as well.
func (g Git) Line(args ...string) (string, error) {
	out, err := g.Run(args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

// Paths runs git with args, which have to include -z, and returns the paths or other NUL-terminated records that it
// prints, or nil if it prints none. If git fails, the error is an *Error, and the output printed before the failure is
// returned as well.
func (g Git) Paths(args ...string) ([]string, error) {
	out, err := g.Run(args...)
	return splitNUL(out), err
}

// IsAtLeast reports whether the version of git is major.minor or later: IsAtLeast(2, 39) is true for 2.39.1 and 3.0. It
// runs git each time. It reports false if git does not run, or prints no version.
func (g Git) IsAtLeast(major, minor int) bool {
	version, _ := g.Line("version")
	var m, n int
	fmt.Sscanf(version, "git version %d.%d", &m, &n)
	return m > major || m == major && n >= minor
}

// errUnexpectedOutput is returned if git prints something that this package cannot parse.
var errUnexpectedOutput = errors.New("unexpected output of git")

// splitNUL splits the output of a git command with -z into its NUL-terminated records, in order. It returns nil if
// there are none. The last record need not end with NUL.
func splitNUL(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// splitTuples splits the output of a git command with -z into tuples of n records, in order. It returns nil if there is
// no output. It returns nil and errUnexpectedOutput if the number of records is not a multiple of n.
func splitTuples(out []byte, n int) (tuples [][]string, err error) {
	for tuple := range slices.Chunk(splitNUL(out), n) {
		if len(tuple) != n {
			return nil, errUnexpectedOutput
		}
		tuples = append(tuples, tuple)
	}
	return tuples, nil
}

// OpenInEditor opens a file in the editor that git uses for commit messages (GIT_EDITOR, core.editor, VISUAL, EDITOR),
// and waits until the editor exits. It returns the error of git if git has no editor, and an error with the command of
// the editor if the editor fails.
func (g Git) OpenInEditor(file string, stdin io.Reader, stdout, stderr io.Writer) error {
	editor, err := g.runUserProgram("GIT_EDITOR", stdin, stdout, stderr, nil, file)
	if err != nil && editor != "" {
		return fmt.Errorf("the editor %s failed: %w; to use another editor, set core.editor", editor, err)
	}
	if err != nil {
		return fmt.Errorf("no editor (%w); set core.editor or EDITOR", err)
	}
	return nil
}

// ShowInPager shows text in the pager that git uses (GIT_PAGER, core.pager, PAGER, less), and waits until the pager
// exits. Like git, it sets the options of less and lv in LESS and LV if these are not set. The error is that the pager
// could not be started; the exit status of a pager that ran is ignored, because a user may quit it early.
func (g Git) ShowInPager(text io.Reader, stdout, stderr io.Writer) error {
	var env []string
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
		if _, ok := os.LookupEnv(name); !ok {
			env = append(env, name+"="+value)
		}
	}
	_, err := g.runUserProgram("GIT_PAGER", text, stdout, stderr, env)
	exit, ran := errors.AsType[*exec.ExitError](err)
	// 126 and 127 are the shell's status for a program that it cannot run, and 128 is git's
	if ran && (exit.ExitCode() < 126 || exit.ExitCode() > 128) {
		return nil
	}
	return err
}

// runUserProgram runs the program that `git var` prints for a variable, GIT_EDITOR or GIT_PAGER, with args, and waits
// until it exits. In a work tree, it runs in the top folder; paths in args are relative to that. It keeps the user's
// language; env is added to its environment. It returns the program and its error, or "" and the error of `git var`.
func (g Git) runUserProgram(variable string, stdin io.Reader, stdout, stderr io.Writer, env []string, args ...string) (program string, err error) {
	if program, err = g.Line("var", variable); err != nil {
		return "", err
	}
	// As an alias, so that git runs it with the same shell as its own editor and pager. On Windows, this is the
	// shell that is installed with git.
	cmd := exec.Command("git", append([]string{"-c", "alias.shown-program=!" + program, "shown-program"}, args...)...)
	cmd.Dir, cmd.Env = g.Dir, slices.Concat(os.Environ(), g.Env, env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return program, cmd.Run()
}
