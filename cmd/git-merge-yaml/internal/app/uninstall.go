package app

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

const uninstallDescription = `Removes the settings and the patterns that install wrote, and nothing else. The
attributes files are as they were before, with what you wrote into them since. Of
git's configuration git itself may leave an empty section, or an empty file.
The program stays, with its manual and completions; scripts/install.sh
--uninstall removes these as well.

Exits with 0 if that is done, and with 129 on any failure.`

func (a *App) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "undo install",
		UsageText: "git-merge-yaml uninstall [options]",
		Description: describe(uninstallDescription,
			"Undo install", "git merge-yaml uninstall",
			"Say what undoing install --local would change", "git merge-yaml uninstall --local --dry-run"),
		Flags: setupFlags(),
		Action: func(c *cli.Context) error {
			o, err := parseSetup(c)
			if err != nil {
				return err
			}
			return a.reporting(func(out io.Writer) error { return setup.Uninstall(out, o) })
		},
	}
}
