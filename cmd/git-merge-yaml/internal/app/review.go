package app

import (
	"context"
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/review"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const reviewDescription = `Shows what the driver does in a merge: for each file what git's merge would have
been, which edits of both sides it puts together there and by which rule, what is
left in conflict, and the difference between git's merge and the driver's.

MERGE is a merge commit, or a commit that the reflog knows a rebase or cherry-pick
made. Without it, it is the merge, rebase or pick that stopped here, else HEAD.
PATH limits it to some files. The merge is done anew, by the rules as they are now;
nothing is written.

Exits with 0, whatever there is to see, and with 129 on any failure.`

func (a *App) reviewCommand() *cli.Command {
	return &cli.Command{
		Name:      "review",
		Usage:     "show what the driver did in a merge",
		UsageText: "git-merge-yaml review [options] [MERGE] [--] [PATH...]",
		Description: describe(reviewDescription,
			"What the driver did in the last merge, or does in the one that stopped", "git merge-yaml review",
			"In an earlier one, for one file", "git merge-yaml review HEAD k8s/web.yaml"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all-files", Usage: "show also files that git merges alike"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line, as replay does"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
		},
		Action: func(c *cli.Context) error {
			before, paths := splitAtDashes(c.Args().Slice())
			name := ""
			if len(before) > 0 && isCommit(before[0]) {
				name, before = before[0], before[1:]
			}
			s, err := a.session(c)
			if err != nil {
				return err
			}
			m, err := mergeToShow(s, name)
			if err != nil {
				return err
			}
			if paths = append(before, paths...); len(paths) > 0 {
				if m.Want, err = wantPaths(paths); err != nil {
					return err
				}
			}
			return a.review(m, c.Bool("all-files"), c.Bool("json"))
		},
	}
}

func (a *App) review(m shownMerge, all, asJSON bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return a.paged(func(p *terminal.Painter) error {
		w := &review.Writer{Painter: p, Open: m.open, All: all}
		each := w.Case
		objects := replay.JSON{W: terminal.JSONWriter(p.W)}
		if asJSON {
			each = objects.Case
		}
		s, err := replay.Run(ctx, m.Options, each)
		switch {
		case ctx.Err() != nil:
			return terminal.ErrInterrupted
		case err != nil:
			return err
		case s.Err != nil:
			return s.Err
		case asJSON:
			return objects.Summary(s)
		}
		return w.Summary(m.name, s)
	})
}

// isCommit reports whether a word names a commit.
func isCommit(word string) bool {
	_, err := git.Git{}.Line("rev-parse", "--verify", "-q", "--end-of-options", word+"^{commit}")
	return err == nil
}
