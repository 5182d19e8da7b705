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
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An App is the program with what it touches of the outside. Files and git
// processes aside, it reads Stdin and writes to Stdout and Stderr only.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Merge is merge.Merge; tests put in one that fails.
	Merge driver.Library

	collector *collector
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
	return a.exit(a.cli(args).Run(append([]string{"git-merge-yaml"}, args...)))
}

// cli returns the command line for args. The commands are known to it only
// where args begin with one or ask for help, so that no file is taken for a
// command.
func (a *App) cli(args []string) *cli.App {
	c := &cli.App{
		Name:            "git-merge-yaml",
		HelpName:        "git-merge-yaml",
		Usage:           "merge YAML manifests field by field",
		UsageText:       "git-merge-yaml [options] [--] BASE OURS THEIRS\ngit-merge-yaml COMMAND [options]",
		Description:     mergeDescription,
		Flags:           mergeFlags(),
		Action:          func(c *cli.Context) error { return a.mergeCommand(c, args) },
		HideHelpCommand: true,
		Writer:          a.Stdout,
		ErrWriter:       a.Stderr,
		// -L main,side is one label.
		DisableSliceFlagSeparator: true,
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // exits otherwise
	}
	if len(args) == 0 {
		return c
	}
	switch {
	case slices.Contains([]string{"help", "-h", "--help", "-help"}, args[0]):
		c.Commands, c.HideHelpCommand = a.commands(), false
		a.withHelp(c)
	case slices.Contains([]string{"-v", "--version", "-version"}, args[0]):
		c.Version = build.Description()
	case a.command(args) != nil:
		c.Commands = a.commands()
		a.withHelp(c)
	}
	return c
}

// groups are the subcommands as the help shows them.
func (a *App) groups() []commandGroup {
	return []commandGroup{
		{"Everyday commands", []*cli.Command{a.installCommand(), a.uninstallCommand(), a.doctorCommand(), a.resolveCommand(), a.explainCommand(), a.checkCommand(), a.listsCommand(), a.replayCommand(), a.completionCommand()}},
		{"Commands that merge by the documented rules of other tools", []*cli.Command{a.merge2Command(), a.applyCommand()}},
	}
}

// commands are the subcommands, in the order of the help.
func (a *App) commands() []*cli.Command {
	var all []*cli.Command
	for _, g := range a.groups() {
		all = append(all, g.commands...)
	}
	for _, c := range all {
		c.HideHelpCommand = true // a file may be called help, or h
	}
	return all
}

// command returns the command that words begin with, nil if that is none.
func (a *App) command(words []string) *cli.Command {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return nil
	}
	for _, c := range a.commands() {
		if c.HasName(words[0]) {
			return c
		}
	}
	return nil
}
