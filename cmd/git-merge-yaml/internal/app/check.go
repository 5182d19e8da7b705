package app

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

const checkDescription = `Checks the result of a three-way merge, whoever made it, and lists what it lost
or made up: every edit of either side has to stand in it, and nothing else. Where
both sides changed the same thing, a person decided; there only a result that has
neither edit is told. Indents, quotes and the order of fields are not judged.

Of a RANGE, as git log takes one, it checks the YAML files of every merge commit
against its parents and their common ancestor, which is merged first where there are
several; renames are not followed. HEAD^! is the last merge alone.

With --clean the result is that of a program: where both sides changed the same
thing and one of them stands alone, that is found too.

Exits with 0 if nothing is lost, with 1 if something is, and with 129 on any
failure.`

func (a *App) checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "list what a merge lost, whoever made it",
		UsageText: "git-merge-yaml check [options] RANGE...\n" +
			"git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT",
		Description: describe(checkDescription,
			"What the last merge lost, whoever made it", "git merge-yaml check HEAD^!",
			"What a merge by another program lost", "git merge-yaml check base.yaml ours.yaml theirs.yaml merged.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
			&cli.BoolFlag{Name: "clean", Usage: "find also where both sides changed the same thing and one alone stands"},
			&cli.StringFlag{Name: "rules", Usage: "check by the `RULES` default or kustomize", DefaultText: "what the file's merge attribute says"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
		},
		Action: func(c *cli.Context) error {
			s, err := a.session(c)
			if err != nil {
				return err
			}
			k := &resultChecker{App: a, json: c.Bool("json"), clean: c.Bool("clean"), session: s}
			switch args := c.Args().Slice(); {
			case len(args) == 0:
				return fmt.Errorf("want a RANGE, or four files, BASE OURS THEIRS RESULT (%s)", seeHelp(c))
			case !namesFiles(args):
				return k.merges(args)
			case len(args) != 4:
				return fmt.Errorf("want four files, BASE OURS THEIRS RESULT, got %d", len(args))
			default:
				return k.files(args, c.String("path"))
			}
		},
	}
}
