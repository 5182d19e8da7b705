// Package app is the command line of git-merge-yaml, a file per command: it parses,
// has the packages beside it act, and prints.
//
// Git calls the program for every file that both sides changed, so what a
// merge does not need is not built before it is asked for.
package app

import (
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

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

	colours string // what --color says, "" for nothing
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
	return New().Run(os.Args[1:])
}

// Run runs the program with args, its own name left out, and returns the exit
// code. It never exits, and no panic leaves it.
func (a *App) Run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = a.exit(driver.Bug(r))
		}
	}()
	return a.exit(a.reporting(func(out io.Writer) error {
		c, words := a.commandLine(args)
		c.Writer = out
		return c.Run(words)
	}))
}

// commandLine returns the program for args, and these as the library reads them. It has
// commands only where args begin with one, or ask for help: any other word is a file.
func (a *App) commandLine(args []string) (*cli.App, []string) {
	c, words := a.program(), []string{"git-merge-yaml"}
	switch {
	case len(args) == 0, slices.Contains([]string{"help", "--help", "-h", "--version", "-v"}, args[0]):
		c.HideHelpCommand = false
		c.Commands = a.commands()
		c.Version = build.Version()
		return c, append(words, args...)
	case !strings.HasPrefix(args[0], "-"):
		commands := a.commands()
		if path, command := find(commands, args); command != nil {
			c.Commands = commands
			words = append(words, args[:path]...)
			return c, append(words, optionsFirst(command.Flags, args[path:], walksHistory(command.Name))...)
		}
	}
	return c, append(words, optionsFirst(c.Flags, args, false)...)
}

// find returns the command that words name, and how many of them do; nil if none does.
func find(commands []*cli.Command, words []string) (n int, found *cli.Command) {
	for n < len(words) {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(words[n]) })
		if i < 0 {
			break
		}
		found, commands = commands[i], commands[i].Subcommands
		n++
	}
	return n, found
}

// program is the program without a command: the merge driver.
func (a *App) program() *cli.App {
	return &cli.App{
		Name:      "git-merge-yaml",
		HelpName:  "git-merge-yaml",
		Usage:     "merge YAML manifests field by field",
		UsageText: "git-merge-yaml [options] [--] BASE OURS THEIRS\ngit-merge-yaml COMMAND [options]",
		Description: describe(mergeDescription,
			"Merge three files by hand, and print the result", "git merge-yaml -p base.yaml ours.yaml theirs.yaml",
			"Decide conflicts for theirs, and write another file", "git merge-yaml --theirs -o merged.yaml base.yaml ours.yaml theirs.yaml"),
		Compiled:        time.Unix(1, 0), // else the library looks at the program's file
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

// commands are the subcommands, in the order of the help.
func (a *App) commands() []*cli.Command {
	all := []*cli.Command{
		a.installCommand(), a.uninstallCommand(), a.doctorCommand(), a.resolveCommand(), a.regenerateCommand(),
		a.explainCommand(), a.diffCommand(), a.checkCommand(), a.rulesCommand(), a.replayCommand(),
		a.previewCommand(), a.merge2Command(), a.applyCommand(), a.completionCommand(), a.versionCommand(),
	}
	for _, c := range all {
		c.HideHelpCommand = true // a file may be called help, or h
		c.OnUsageError = usageError
		for _, s := range c.Subcommands {
			s.HideHelpCommand, s.OnUsageError = true, usageError
		}
	}
	return all
}

func (a *App) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version", UsageText: "git-merge-yaml version",
		Description: describe("Prints the version, the commit, and what the program was built by and for.\n\nExits with 0.",
			"Which one is this", "git merge-yaml version"),
		Action: func(c *cli.Context) error { cli.VersionPrinter(c); return nil },
	}
}
