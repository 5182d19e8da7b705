package app

import (
	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const applyDescription = `Prints LIVE as kubectl apply of CONFIG would leave it, comments and order kept:
what CONFIG says is set, what was applied last and is not in CONFIG any more is
removed, everything else stays. What was applied last is in an annotation of LIVE
unless --last-applied names a file; CONFIG is written there as kubectl does.

Files of several documents pair their resources by kind, namespace and name.
Where CONFIG says no namespace, it is that of LIVE.

Exits with 0, and with 129 on any failure.`

func (a *App) applyCommand() *cli.Command {
	return &cli.Command{
		Name:      "apply",
		Usage:     "print what kubectl apply would make of a live resource",
		UsageText: "git-merge-yaml apply [options] [--] CONFIG LIVE",
		Description: describe(applyDescription,
			"What kubectl apply would make of a resource", "git merge-yaml apply web.yaml live.yaml",
			"With what was applied last from a file", "git merge-yaml apply --last-applied last.yaml web.yaml live.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "last-applied", Usage: "what was applied last, in `FILE`", DefaultText: "the annotation of LIVE"},
			configFlag(),
		},
		Action: func(c *cli.Context) error {
			files, err := twoFiles(c, "CONFIG LIVE")
			if err != nil {
				return err
			}
			opts, err := a.optionsFor(c, c.Args().Get(1), files[1])
			if err != nil {
				return err
			}
			var last []byte
			if file := c.String("last-applied"); file != "" {
				if last, err = disk.Read(file); err != nil {
					return err
				}
			}
			opts.Names = [3]string{c.String("last-applied"), c.Args().Get(1), c.Args().Get(0)}
			res, err := merge.ApplyAnnotated(last, files[0], files[1], opts)
			if err != nil {
				return err
			}
			return a.print(res.Bytes)
		},
	}
}
