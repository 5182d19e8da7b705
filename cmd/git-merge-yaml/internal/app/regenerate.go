package app

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/regenerate"
)

const regenerateDescription = `Makes the files again that programs make and that a merge left in conflict, or merged clean without
those programs, by the commands under generated in .git-merge-yaml.yaml: in the middle of a merge,
rebase, cherry-pick, revert, stash pop or am, once what they are made from is merged.

It says what it would run. Rules come with commits, so none runs that this clone was not told to trust:
--trust lets it run the rules as they are now, until they change. What is trusted stands in
.git/merge-yaml/trusted. Commands see PATH, HOME and the like of the environment.

What they made is staged once all of them have succeeded, and not before. Files that change and are
none of a rule's are named, and not staged.

Exits with 0 if all of it is made, with 1 if something has to be merged before,
with 130 after Ctrl-C, and with 129 on any failure.`

func (a *App) regenerateCommand() *cli.Command {
	return &cli.Command{
		Name:      "regenerate",
		Usage:     "make generated files again that a merge left in conflict",
		UsageText: "git-merge-yaml regenerate [options]",
		Description: describe(regenerateDescription,
			"After a merge that stopped: make again what is generated", "git merge-yaml regenerate",
			"Let this clone do so, as long as the rules are these", "git merge-yaml regenerate --trust"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "make all files of all rules, whether a merge left them or not"},
			&cli.BoolFlag{Name: "trust", Usage: "run nothing, but let this clone run the rules as they are now"},
			configFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			s, err := a.session(c)
			if err != nil {
				return err
			}
			if c.Bool("trust") {
				if c.Bool("all") {
					return errors.New("--trust stands alone: it runs nothing")
				}
				return regenerate.Trust(s, a.Stdout)
			}
			err = regenerate.Files(s, regenerate.Options{Stdout: a.Stdout, Stderr: a.Stderr, All: c.Bool("all")})
			if errors.Is(err, regenerate.ErrLeft) {
				return errLeft
			}
			return err
		},
	}
}
