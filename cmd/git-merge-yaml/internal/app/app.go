// Package app is the command line of git-merge-yaml. It parses arguments, calls the packages that do the work, prints
// results and errors, and chooses the exit code. It is the only package that imports the library for command lines.
//
// An App is one run of the program. Its methods with the names of commands, such as explain, run these commands; the
// method merge is the merge driver, which runs if the arguments do not begin with a command. Git starts the program for
// each file that both sides changed, so the start has to be fast: only what the given arguments need is set up.
//
// For example,
//
//	var out bytes.Buffer
//	a := &app.App{Stdout: &out, Stderr: os.Stderr, Merge: merge.Merge}
//	code := a.Run([]string{"-p", "base.yaml", "ours.yaml", "theirs.yaml"})
//
// merges three files, writes the result to out, and sets code to 0 or, if there are conflicts, to 1.
package app

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
	"os/signal"
	"runtime/debug"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An App is a run of the program, with its input and output. Except for files and git processes, it reads only Stdin
// and writes only to Stdout and Stderr.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Merge merges YAML files. It is merge.Merge, except in tests that need a merge to fail.
	Merge session.Library

	argsAfterDashes int // the number of arguments after a "--" of the user; set by moveOptionsFirst
}

// New returns an App with the input and output of the process.
func New() *App {
	return &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Merge: merge.Merge}
}

// Main runs the program with the arguments of the process and returns its exit code, with which the caller has to end
// the process: 0, 1, 129 or 130. It also tunes the garbage collector for the process.
func Main() int {
	// The first garbage collection runs when the heap has about 32 MB: eight times Go's default. A merge of 2 KB
	// allocates 0.5 MB, one of 100 KB 1.3 MB and one of 5 MB 25 MB, so that most merges end without a collection. Near
	// the memory limit, collections are as frequent as necessary.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1 << 30)
	growStack()
	return New().Run(os.Args[1:])
}

// growStack makes the stack large enough for a merge while it is almost empty. Otherwise, a merge of a file of 2 KB
// grows it four times, and each time all frames of a deep recursion are copied, which takes a tenth of the time of the
// merge.
//
//go:noinline
func growStack() {
	if len(os.Args) == 0 { // never true; the stack is made large enough for room anyway
		var room [124 << 10]byte // variables above 128 KB would be on the heap
		os.Stderr.Write(room[:])
	}
}

// Run runs the program with args, the arguments without the name of the program, and returns the exit code. Results are
// written to a.Stdout and to files, errors to a.Stderr.
//
//	0      success; a merge without conflicts
//	1      a merge with conflicts, a check with findings, or unresolved files
//	129    a failure, such as wrong usage, or a panic
//	130    interrupted by Ctrl-C
func (a *App) Run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = a.reportError(driver.PanicError(r))
		}
	}()
	c, cliArgs := a.buildCLI(args)
	out := bufio.NewWriter(a.Stdout)
	c.Writer = out
	err := c.Run(cliArgs)
	if flushErr := out.Flush(); flushErr != nil { // the output is incomplete, so this must not exit with 0
		err = fmt.Errorf("cannot print the result: %w", flushErr)
	}
	return a.reportError(err)
}

// The exit codes. Git reads them from the merge driver: with a code above 128, git 2.42 and later stop the whole merge,
// and older versions leave the file unmerged without markers. The driver command that install configures runs git's
// line merge in this case.
const (
	exitClean      = 0   // success; a merge without conflicts
	exitUnresolved = 1   // a merge with conflicts; a check with findings; unresolved files
	exitFailed     = 129 // a failure, such as wrong usage, input that cannot be read, or output that cannot be written
	// exitInterrupted is the code after Ctrl-C, as in shells. The merge driver does not return it.
	exitInterrupted = 130
)

// errUnresolved is the error of a command that leads to exitUnresolved. It is not printed, because the command has
// printed conflicts or findings before.
var errUnresolved = errors.New("something is left")

// errorUnlessDone returns the error of a command: err if it is not nil, errUnresolved if done is false, and otherwise
// nil. errUnresolved makes the program exit with 1 and print nothing more. The arguments are the two results of a
// function such as resolve.Run, which reports whether everything was resolved.
func errorUnlessDone(done bool, err error) error {
	if err == nil && !done {
		return errUnresolved
	}
	return err
}

// reportError prints err to a.Stderr, in one line with a hint on how to continue if there is one, and returns the exit
// code of the program. An error that wraps one of these counts as that one:
//
//	nil                        0; nothing is printed
//	errUnresolved              1; nothing is printed
//	terminal.ErrInterrupted    130
//	any other error            129
func (a *App) reportError(err error) int {
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errUnresolved):
		return exitUnresolved
	}
	err = git.Explain(err)
	message, hint := err.Error(), ""
	gitErr, _ := errors.AsType[*git.Error](err)
	_, isUnknownPath := errors.AsType[*git.UnknownPathError](err)
	switch {
	case isUnknownPath:
		hint = `run "git status" to list the unmerged files`
	case errors.Is(err, git.ErrNoRepository):
		hint = `change to a repository, or use "git -C FOLDER merge-yaml"`
	case errors.Is(err, git.ErrNotOwned):
		message = git.ErrNotOwned.Error()
		if command := git.SafeDirectoryCommand(err); command != "" {
			hint = `run "` + command + `"`
		}
	case errors.Is(err, git.ErrNoWorkTree):
		hint = "change to the folder with the files of the repository"
	case errors.Is(err, exec.ErrNotFound):
		hint = "install git: https://git-scm.com/downloads"
	case gitErr != nil && strings.Contains(gitErr.Stderr, "bad revision"):
		hint = `run "git log --oneline --all" to list the commits`
	}
	if hint != "" {
		first, _, _ := strings.Cut(message, "\n")
		message = first + "; " + hint
	}
	fmt.Fprintf(a.Stderr, "git-merge-yaml: %s\n", terminal.EscapeLine(message))
	if errors.Is(err, terminal.ErrInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// newPainter returns a Painter, which writes text in colours, for a.Stdout. Git's setting color.ui decides about
// colours:
//
//	always                      colours
//	never, false, no, off, 0    no colours
//	any other, or not set       colours if toTerminal is true and the environment allows them (NO_COLOR, TERM)
//
// Outside of a repository, it is the setting of the user.
func (a *App) newPainter(toTerminal bool) *terminal.Painter {
	p := &terminal.Painter{W: a.Stdout, Colours: toTerminal && terminal.ColoursAllowed()}
	switch git.Open(git.Git{}).ConfigValue("color.ui") {
	case "always":
		p.Colours = true
	case "never", "false", "no", "off", "0":
		p.Colours = false
	}
	return p
}

// withPager calls print with a Painter and shows what it prints. If a.Stdout is a terminal, it shows the output with
// git's pager after print has returned, even if print failed; without a pager, it writes the output to a.Stdout.
// Otherwise print writes to a.Stdout directly. The error is that of print or of writing.
func (a *App) withPager(print func(*terminal.Painter) error) error {
	p := a.newPainter(terminal.IsTerminal(a.Stdout))
	if !terminal.IsTerminal(a.Stdout) {
		return print(p)
	}
	var text bytes.Buffer
	p.W = &text
	err := print(p)
	if text.Len() == 0 {
		return err
	}
	if (git.Git{}).ShowInPager(bytes.NewReader(text.Bytes()), a.Stdout, a.Stderr) != nil {
		_, writeErr := a.Stdout.Write(text.Bytes())
		return cmp.Or(err, writeErr)
	}
	return err
}

// withProgress calls run, which may take long and can be interrupted by Ctrl-C. It passes a context that Ctrl-C
// cancels, and options for package history that contain s. If a.Stderr is a terminal, it shows the progress there after
// progressDelay, as in "12 of 80 merges, 31 files". It returns the error of run or, after Ctrl-C, always
// terminal.ErrInterrupted.
func (a *App) withProgress(s *session.Session, run func(ctx context.Context, o history.Options) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	nextUpdate, shown := time.Now().Add(progressDelay), false
	o := history.Options{Session: s, OnSession: a.printRulesNotice}
	o.Progress = func(seen, merges, files int) {
		if now := time.Now(); terminal.IsTerminal(a.Stderr) && now.After(nextUpdate) {
			nextUpdate, shown = now.Add(100*time.Millisecond), true
			fmt.Fprintf(a.Stderr, "\r%d of %d merges, %s\x1b[K", seen, merges, terminal.CountNoun(files, "file"))
		}
	}
	err := run(ctx, o)
	if shown {
		fmt.Fprint(a.Stderr, "\r\x1b[K")
	}
	if ctx.Err() != nil {
		return terminal.ErrInterrupted
	}
	return err
}

// progressDelay is the time after which withProgress begins to show the progress.
const progressDelay = 700 * time.Millisecond
