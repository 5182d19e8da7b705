package app

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const merge2Description = `Writes the fields of SRC into DEST by the rules of kustomize's two-way merge: what
SRC has wins, what it has null is removed from DEST, what DEST alone has stays.
Lists without a key are replaced; new items go to the end. A $patch in SRC deletes,
replaces or merges what it stands in.

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
			files, err := twoFiles(c, "SRC DEST")
			if err != nil {
				return err
			}
			opts, err := a.optionsFor(c, c.Args().Get(1), files[1])
			if err != nil {
				return err
			}
			opts.Names = [3]string{"", c.Args().Get(1), c.Args().Get(0)}
			res, err := merge.Merge2(files[0], files[1], opts)
			if err != nil {
				return err
			}
			if c.Bool("stdout") {
				return a.print(res.Bytes)
			}
			if bytes.Equal(res.Bytes, files[1]) {
				return nil
			}
			return disk.Replace(c.Args().Get(1), res.Bytes)
		},
	}
}

// twoFiles reads the two files that a command takes.
func twoFiles(c *cli.Context, names string) ([][]byte, error) {
	if c.NArg() != 2 {
		return nil, fmt.Errorf("want two files, %s, got %d (%s)", names, c.NArg(), seeHelp(c))
	}
	return readFiles(c.Args().Slice())
}

// readFiles reads files that stand on the command line.
func readFiles(names []string) ([][]byte, error) {
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		if files[i], err = disk.Read(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// optionsFor are the team's rules for a file.
func (a *App) optionsFor(c *cli.Context, name string, text []byte) (merge.Options, error) {
	s, err := a.session(c)
	if err != nil {
		return merge.Options{}, err
	}
	return s.File(s.PathOf(name), nil, text, nil, nil).Merging(), nil
}
