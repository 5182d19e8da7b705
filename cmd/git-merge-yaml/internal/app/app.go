// Package app is the command line of git-merge-yaml: it parses, has the packages beside it act,
// and prints.
//
// Git calls the program for every file that both sides changed, so what a
// merge does not need is not built before it is asked for.
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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An App is the program with what it touches of the outside. Files and git
// processes aside, it reads Stdin and writes to Stdout and Stderr only.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Merge is merge.Merge; tests put in one that fails.
	Merge session.Library

	behind int // arguments that stand behind a --
}

// New returns the program as main runs it.
func New() *App {
	return &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Merge: merge.Merge}
}

// Main runs the program with the arguments of the process and returns its
// exit code.
func Main() int {
	// Most merges end before a heap of 32 MB is full, and do not pay for a collection.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(512 << 20)
	growStack()
	return New().Run(os.Args[1:])
}

// growStack makes the stack as large as this frame while little is on it. A merge of 2 KB would grow it four
// times with all that a recursion has put there, which took a tenth of its time.
//
//go:noinline
func growStack() {
	if len(os.Args) == 0 { // never: a frame has room for its variables whether or not it comes to them
		var room [124 << 10]byte // of more than 128 KB, none would be on the stack
		os.Stderr.Write(room[:])
	}
}

// Run runs the program with args, its own name left out, and returns the exit
// code. It never exits, and no panic leaves it.
func (a *App) Run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = a.exit(driver.PanicError(r))
		}
	}()
	c, words := a.commandLine(args)
	out := bufio.NewWriter(a.Stdout)
	c.Writer = out
	err := c.Run(words)
	if failed := out.Flush(); failed != nil { // a report that nobody can read is no success
		err = fmt.Errorf("cannot print the result: %w", failed)
	}
	return a.exit(err)
}

// The exit codes, as git reads them from a merge driver. Git 2.42 and later
// give up the whole merge on a code above 128, older ones leave the file
// unmerged; the driver line of install runs git's line merge instead.
const (
	exitClean  = 0   // done; a merge without conflicts
	exitLeft   = 1   // a merge whose result has conflicts; a check that found something
	exitFailed = 129 // nothing done: wrong usage, unreadable input, failed output
	// exitInterrupted is what shells call an end by Ctrl-C. No merge ends with it.
	exitInterrupted = 130
)

// errLeft is the outcome of a merge that left conflicts, or of a check that found something; it
// has been reported by then.
var errLeft = errors.New("something is left")

// outcome is errLeft where something did not fail, and is not done.
func outcome(done bool, err error) error {
	if err == nil && !done {
		return errLeft
	}
	return err
}

// exit says err to the user, with what to do where git does not say it or says it of its own
// commands, and returns the code for it.
func (a *App) exit(err error) int {
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errLeft):
		return exitLeft
	}
	err = git.Explain(err)
	message, next := err.Error(), ""
	failed, _ := errors.AsType[*git.Error](err)
	_, unknown := errors.AsType[*git.UnknownPathError](err)
	switch {
	case unknown:
		next = "git status lists the files that are unmerged"
	case errors.Is(err, git.ErrNoRepository):
		next = "run it inside of a repository, or as git -C FOLDER merge-yaml"
	case errors.Is(err, git.ErrNoWorkTree):
		next = "run it where the files of the repository are"
	case errors.Is(err, exec.ErrNotFound):
		next = "install git: https://git-scm.com/downloads"
	case failed != nil && strings.Contains(failed.Stderr, "bad revision"):
		next = "git log lists the commits that there are"
	}
	if next != "" {
		first, _, _ := strings.Cut(message, "\n")
		message = first + " (" + next + ")"
	}
	fmt.Fprintf(a.Stderr, "git-merge-yaml: %s\n", terminal.EscapeLine(message))
	if errors.Is(err, terminal.ErrInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// painter writes to stdout, in colours as git's color.ui has it. Seen says that a person sees it.
func (a *App) painter(seen bool) *terminal.Painter {
	p := &terminal.Painter{W: a.Stdout, Colours: seen && terminal.ColoursAllowed()}
	switch repo.Open(git.Git{}).ConfigValue("color.ui") {
	case "always":
		p.Colours = true
	case "never", "false", "no", "off", "0":
		p.Colours = false
	}
	return p
}

// paged gives do a painter to stdout. Where that is a terminal, what was painted
// is shown at the end, by the pager that git would take.
func (a *App) paged(do func(*terminal.Painter) error) error {
	p := a.painter(terminal.IsTerminal(a.Stdout))
	if !terminal.IsTerminal(a.Stdout) {
		return do(p)
	}
	var text bytes.Buffer
	p.W = &text
	err := do(p)
	if text.Len() == 0 {
		return err
	}
	rest := bytes.NewReader(text.Bytes())
	failed := git.Git{}.ShowInPager(rest, a.Stdout, a.Stderr)
	if _, ran := errors.AsType[*exec.ExitError](failed); failed != nil && !ran {
		_, failed = io.Copy(a.Stdout, rest) // there is no git, or no shell
		return cmp.Or(err, failed)
	}
	return err // a pager that is left early is no failure
}

// walk runs what merges many files in s, until it is done or Ctrl-C ends it. Where stderr is a
// terminal, it says there meanwhile how far it is, in a line that goes at the end.
func (a *App) walk(s *session.Session, do func(ctx context.Context, o history.Options) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	next, shown := time.Now().Add(atFirst), false
	o := history.Options{Session: s}
	o.Progress = func(seen, merges, files int) {
		if now := time.Now(); terminal.IsTerminal(a.Stderr) && now.After(next) {
			next, shown = now.Add(100*time.Millisecond), true
			fmt.Fprintf(a.Stderr, "\r%d of %d merges, %s\x1b[K", seen, merges, terminal.CountNoun(files, "file"))
		}
	}
	err := do(ctx, o)
	if shown {
		fmt.Fprint(a.Stderr, "\r\x1b[K")
	}
	if ctx.Err() != nil {
		return terminal.ErrInterrupted
	}
	return err
}

// atFirst is how long a walk may take without saying how far it is.
const atFirst = 700 * time.Millisecond
