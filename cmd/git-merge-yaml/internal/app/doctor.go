package app

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

const doctorDescription = `Looks at git, its configuration, the attributes of the YAML files of this
repository and the program itself, and makes a merge with them in a scratch
repository. Each problem comes with the command that fixes it, and the last line says
what to do next. It changes nothing, but with --fix, which runs install again for a
driver that is not as install writes it.

--branches also names the branches that are older than the line in .gitattributes:
git takes the attributes of the branch that is merged into.

Exits with 0 if no check is an error, with 1 if one is, and with 129 on wrong
usage.`

func (a *App) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "check that git will merge YAML files with this program",
		UsageText: "git-merge-yaml doctor [options]",
		Description: describe(doctorDescription,
			"Check this repository, and what git knows of the program", "git merge-yaml doctor",
			"Check another repository", "git -C ../shop merge-yaml doctor"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "install again what is not as install writes it"},
			&cli.BoolFlag{Name: "branches", Usage: "also name the branches that do not give YAML files to the driver"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return fmt.Errorf("doctor takes no arguments, got %s", c.Args().First())
			}
			return a.reporting(func(out io.Writer) error {
				ok, err := setup.Doctor(out, setup.Checks{Fix: c.Bool("fix"), Branches: c.Bool("branches")})
				if err == nil && !ok {
					err = errFound
				}
				return err
			})
		},
	}
}
