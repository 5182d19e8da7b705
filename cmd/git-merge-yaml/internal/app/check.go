package app

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

const checkDescription = `Checks the result of a three-way merge, whoever made it, and lists what it lost
or made up: every edit of either side has to stand in it, and nothing else. Where
both sides changed the same thing, a person decided; there only a result that has
neither edit is told. Indents, quotes and the order of fields are not judged.

With --merge it checks the YAML files of a merge commit against its parents and
their common ancestor, which is merged first where there are several; renames are
not followed. With --merges it does so for every merge in a range, as git log
takes one.

With --clean the result is that of a program: where both sides changed the same
thing and one of them stands alone, that is found too.

Exits with 0 if nothing is lost, with 1 if something is, and with 129 on any
failure.`

func (a *App) checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "list what a merge lost, whoever made it",
		UsageText: "git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT\n" +
			"git-merge-yaml check --merge COMMIT [options]\ngit-merge-yaml check --merges RANGE [options]",
		Description: describe(checkDescription,
			"What the last merge lost, whoever made it", "git merge-yaml check --merge HEAD",
			"What a merge by another program lost", "git merge-yaml check base.yaml ours.yaml theirs.yaml merged.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "merge", Usage: "check the merge `COMMIT`"},
			&cli.StringFlag{Name: "merges", Usage: "check every merge commit in `RANGE`"},
			&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
			&cli.BoolFlag{Name: "clean", Usage: "find also where both sides changed the same thing and one alone stands"},
			&cli.StringFlag{Name: "rules", Usage: "check by the `RULES` default or kustomize", DefaultText: "what the file's merge attribute says"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
		},
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			s, err := a.session(c)
			if err != nil {
				return err
			}
			k := &resultChecker{App: a, json: c.Bool("json"), clean: c.Bool("clean"), session: s}
			switch commit, revs := c.String("merge"), c.String("merges"); {
			case commit != "" && revs != "":
				return fmt.Errorf("--merge %s and --merges %s cannot be used together", commit, revs)
			case commit+revs != "" && len(files) > 0:
				return errors.New("--merge or --merges, and files, cannot be used together")
			case commit+revs != "":
				return k.merges(commit, revs)
			case len(files) != 4:
				return fmt.Errorf("want four files, BASE OURS THEIRS RESULT, got %d", len(files))
			}
			return k.files(files, c.String("path"))
		},
	}
}
