package app

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const applyDescription = `Prints LIVE as kubectl apply of CONFIG would leave it, comments and order kept:
what CONFIG says is set, what was applied last and is not in CONFIG any more is
removed, everything else stays. What was applied last is in an annotation of LIVE
unless --last-applied names a file.

Exits with 0, and with 129 on any failure.`

func (a *App) applyCommand() *cli.Command {
	return &cli.Command{
		Name:        "apply",
		Usage:       "print what kubectl apply would make of a live resource",
		UsageText:   "git-merge-yaml apply [options] [--] CONFIG LIVE",
		Description: applyDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "last-applied", Usage: "what was applied last, in `FILE`", DefaultText: "the annotation of LIVE"},
			configFlag(),
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			files, err := twoFiles(c, "CONFIG LIVE")
			if err != nil {
				return err
			}
			opts, err := optionsFor(c, files[1])
			if err != nil {
				return err
			}
			last, err := lastApplied(c.String("last-applied"), files[1])
			if err != nil {
				return err
			}
			opts.Names = [3]string{c.String("last-applied"), files[1].path, files[0].path}
			// First as it is, so that errors name its own lines.
			if _, err := merge.Apply(last, files[0].bytes, files[1].bytes, opts); err != nil {
				return err
			}
			config, err := merge.Annotate(files[0].bytes, opts)
			if err != nil {
				return err
			}
			res, err := merge.Apply(last, config, files[1].bytes, opts)
			if err != nil {
				return err
			}
			return a.print(res.Bytes)
		},
	}
}

// lastApplied reads what was applied last to live.
func lastApplied(file string, live input) ([]byte, error) {
	if file != "" {
		return os.ReadFile(file)
	}
	last, err := merge.LastApplied(live.bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", live.path, err)
	}
	return last, nil
}
