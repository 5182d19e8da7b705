// Package app is the command line of git-merge-yaml: what is typed and what is
// said about it, one file per command. What the larger commands do is in the
// packages beside it.
//
// Git calls the program for every file that both sides changed, so what a
// merge does not need is not built before it is asked for.
package app

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An App is the program with what it touches of the outside. Files and git
// processes aside, it reads Stdin and writes to Stdout and Stderr only.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Merge is merge.Merge; tests put in one that fails.
	Merge session.Library

	collector *collector
	colours   string // what --color says, "" for nothing
}

// New returns the program as main runs it.
func New() *App {
	return &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Merge: merge.Merge}
}

// Main runs the program with the arguments of the process and returns its
// exit code.
func Main() int {
	a := New()
	a.collector = lateCollector()
	growStack(false)
	return a.Run(os.Args[1:])
}

// Run runs the program with args, its own name left out, and returns the exit
// code. It never exits, and no panic leaves it.
func (a *App) Run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = a.exit(driver.Bug(r))
		}
	}()
	return a.exit(a.run(args))
}

// run runs the command that args begin with, or merges. What the library
// prints itself, which is help, is to arrive as well.
func (a *App) run(args []string) error {
	if g, ok := a.driverLine(args); ok {
		return a.merge(g)
	}
	return a.reporting(func(out io.Writer) error {
		c, words := a.cli(args)
		c.Writer = out
		return c.Run(words)
	})
}

// cli returns the command line for args, and these as the library is to read
// them. The commands are known to it only where args begin with one or ask for
// help, so that no file is taken for a command.
func (a *App) cli(args []string) (*cli.App, []string) {
	c, words := a.program(), []string{"git-merge-yaml"}
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch command := a.command(args); {
	case first == helpName:
		c.HideHelpCommand = false
		a.withHelp(c)
		return c, append(words, args...)
	case command != nil:
		a.withHelp(c)
		line := readLine(command.Flags, withColour(args[1:]))
		return c, append(append(words, first), line.ordered(walksHistory(command.Name))...)
	case asksVersion(first):
		c.Version = build.Description()
		return c, append(words, first)
	}
	line := readLine(c.Flags, args)
	if line.closed {
		a.withHelp(c)
	}
	return c, append(words, line.ordered(false)...)
}

// program is the program without a command: the merge driver.
func (a *App) program() *cli.App {
	return &cli.App{
		Name:            "git-merge-yaml",
		HelpName:        "git-merge-yaml",
		Usage:           "merge YAML manifests field by field",
		UsageText:       "git-merge-yaml [options] [--] BASE OURS THEIRS\ngit-merge-yaml COMMAND [options]",
		Description:     mergeDescription,
		Flags:           mergeFlags(),
		Action:          a.mergeCommand,
		HideHelpCommand: true,
		Writer:          a.Stdout,
		ErrWriter:       a.Stderr,
		// -L main,side is one label.
		DisableSliceFlagSeparator: true,
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // exits otherwise
	}
}
