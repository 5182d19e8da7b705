package app

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// groups are the subcommands as the help shows them.
func (a *App) groups() []commandGroup {
	return []commandGroup{
		{"Everyday commands", []*cli.Command{
			a.installCommand(), a.uninstallCommand(), a.doctorCommand(), a.resolveCommand(), a.regenerateCommand(), a.reviewCommand(),
			a.explainCommand(), a.diffCommand(), a.checkCommand(), a.listsCommand(), a.rulesCommand(), a.replayCommand(),
			a.previewCommand(), a.reportCommand(), a.completionCommand(),
		}},
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

// helpName is the command that the library has of its own.
const helpName = "help"

// isCommand reports whether words begin with a command.
func (a *App) isCommand(words []string) bool {
	return words[0] == helpName || a.command(words) != nil
}

// command returns the command that words begin with, nil if that is none.
func (a *App) command(words []string) *cli.Command {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return nil // without making them
	}
	return commandOf(a.commands(), words)
}

// suggestCommand is a hint at the command that word was meant to be, else "".
func (a *App) suggestCommand(word string) string {
	names := []string{"help"}
	for _, c := range a.commands() {
		names = append(names, c.Name)
	}
	return didYouMean("", nearest(word, names))
}
