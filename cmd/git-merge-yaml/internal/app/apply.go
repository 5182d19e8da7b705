package app

import (
	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const applyDescription = `Prints LIVE as kubectl apply of CONFIG would leave it, comments and order kept:
what CONFIG says is set, what was applied last and is not in CONFIG any more is
removed, everything else stays. What was applied last is in an annotation of LIVE
unless --last-applied names a file; CONFIG is written there as kubectl does.

Files of several documents pair their resources by kind, namespace and name.
Where CONFIG says no namespace, it is that of LIVE.

--diff shows, as kubectl diff does, what would change, the annotation aside.

Exits with 0, with 1 if --diff found a difference, and with 129 on any failure.`

func (a *App) applyCommand() *cli.Command {
	return &cli.Command{
		Name:      "apply",
		Usage:     "print what kubectl apply would make of a live resource",
		UsageText: "git-merge-yaml apply [options] [--] CONFIG LIVE",
		Description: describe(applyDescription,
			"What kubectl apply would make of a resource", "git merge-yaml apply web.yaml live.yaml",
			"What of it would change, with what was applied last from a file", "git merge-yaml apply --diff --last-applied last.yaml web.yaml live.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "last-applied", Usage: "what was applied last, in `FILE`", DefaultText: "the annotation of LIVE"},
			&cli.BoolFlag{Name: "diff", Usage: "print the changes of LIVE as a unified diff"},
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
			last, err := readLastApplied(c.String("last-applied"))
			if err != nil {
				return err
			}
			opts.Names = [3]string{c.String("last-applied"), c.Args().Get(1), c.Args().Get(0)}
			apply := merge.ApplyAnnotated
			if c.Bool("diff") {
				apply = merge.Apply
			}
			res, err := apply(last, files[0], files[1], opts)
			switch {
			case err != nil:
				return err
			case c.Bool("diff"):
				return a.printDiff(c.Args().Get(1), files[1], res.Bytes)
			}
			return a.print(res.Bytes)
		},
	}
}

// printDiff prints what of a file changed, which errFound tells too.
func (a *App) printDiff(name string, from, to []byte) error {
	name = terminal.Printable(name)
	d := diff.Diff(name, from, name+" (applied)", to)
	if len(d) == 0 {
		return nil
	}
	if err := a.print(d); err != nil {
		return err
	}
	return errFound
}

// readLastApplied reads what was applied last; nil if no file says it.
func readLastApplied(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	return disk.Read(file)
}
