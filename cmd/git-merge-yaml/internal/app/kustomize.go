package app

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const merge2Description = `Writes the fields of SRC into DEST by the rules of kustomize's two-way merge: what SRC has wins, what it has
null is removed from DEST, what DEST alone has stays. Lists without a key are replaced; new items go to the
end. A $patch in SRC deletes, replaces or merges what it stands in.

Exits with 0 if it is done, and with 129, DEST untouched, on any failure.`

func (a *App) merge2Command() *cli.Command {
	return &cli.Command{
		Name:      "merge2",
		Usage:     "write the fields of one file into another",
		UsageText: "git-merge-yaml merge2 [options] [--] SRC DEST",
		Description: describe(merge2Description,
			"Write the fields of a patch into a file", "git merge-yaml merge2 patch.yaml web.yaml",
			"Print that instead", "git merge-yaml merge2 --stdout patch.yaml web.yaml"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing DEST"},
			configFlag(),
		},
		Action: func(c *cli.Context) error {
			files, opts, err := a.twoFiles(c, "SRC DEST")
			if err != nil {
				return err
			}
			res, err := merge.Merge2(files[0], files[1], opts)
			switch {
			case err != nil:
				return err
			case c.Bool("stdout"):
				_, err = c.App.Writer.Write(res.Bytes)
				return err
			case bytes.Equal(res.Bytes, files[1]):
				return nil
			}
			return disk.Replace(c.Args().Get(1), res.Bytes)
		},
	}
}

const applyDescription = `Prints LIVE as kubectl apply of CONFIG would leave it, comments and order kept: what CONFIG says is set, what
was applied last and is not in CONFIG any more is removed, everything else stays. What was applied last is
in an annotation of LIVE unless --last-applied names a file; CONFIG is written there as kubectl does.
Resources pair by kind, namespace and name. Where CONFIG says no namespace, it is that of LIVE.

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
			files, opts, err := a.twoFiles(c, "CONFIG LIVE")
			if err != nil {
				return err
			}
			var last []byte
			if opts.Names[0] = c.String("last-applied"); opts.Names[0] != "" {
				if last, err = disk.Read(opts.Names[0]); err != nil {
					return err
				}
			}
			res, err := merge.ApplyAnnotated(last, files[0], files[1], opts)
			if err == nil {
				_, err = c.App.Writer.Write(res.Bytes)
			}
			return err
		},
	}
}

// twoFiles reads the two files that a command takes, and the team's rules for the second one.
func (a *App) twoFiles(c *cli.Context, names string) (files [][]byte, o merge.Options, err error) {
	if c.NArg() != 2 {
		return nil, o, fmt.Errorf("want two files, %s, got %d (%s)", names, c.NArg(), seeHelp(c))
	}
	if files, err = readFiles(c.Args().Slice()...); err != nil {
		return nil, o, err
	}
	s, err := a.session(c)
	if err != nil {
		return nil, o, err
	}
	o = s.File(s.PathOf(c.Args().Get(1)), nil, files[1], nil, nil).Merging()
	o.Names = [3]string{"", c.Args().Get(1), c.Args().Get(0)}
	return files, o, nil
}

// readFiles reads files that stand on the command line.
func readFiles(names ...string) ([][]byte, error) {
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		if files[i], err = disk.Read(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}
