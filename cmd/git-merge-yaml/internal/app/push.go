package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/install"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/push"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const pushDescription = `Pushes HEAD to BRANCH of REMOTE, for bots that push to one branch at once. Where
the push is refused because the branch has moved, it fetches it, puts the commits
on it with the driver, as a rebase does, and pushes again, after a moment that is
chosen at random. It never overwrites anything.

What is checked out changes only once the push has succeeded. If anything is in
conflict it stops, prints the conflicts as Markdown, and leaves all as it was.

Exits with 0 if HEAD is pushed, with 1 on a conflict, and with 129 on any failure,
the branch having moved before the last push among them.`

func (a *App) pushCommand() *cli.Command {
	return &cli.Command{
		Name:        "push",
		Usage:       "push to a branch that others push to, on top of theirs",
		UsageText:   "git-merge-yaml push [options] [--] REMOTE BRANCH",
		Description: pushDescription,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "tries", Usage: "give up after `N` pushes", Value: 20},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args) != 2 {
				return fmt.Errorf("want a REMOTE and a BRANCH, got %d words: git-merge-yaml push [options] REMOTE BRANCH", len(args))
			}
			if err := wantPositive(c, "tries"); err != nil {
				return err
			}
			return a.push(push.Options{
				Remote: args[0], Branch: args[1], Tries: c.Int("tries"), Program: install.Program(git.Git{}), Report: a.Stdout,
			})
		},
	}
}

func (a *App) push(o push.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	head, tries, err := push.Run(ctx, o)
	switch {
	case ctx.Err() != nil:
		return terminal.ErrInterrupted
	case errors.Is(err, push.ErrConflict):
		fmt.Fprintf(a.Stderr, "%s of %s has moved, and does not merge with HEAD: nothing is pushed; to decide: git pull --rebase %s %s\n",
			o.Branch, o.Remote, o.Remote, o.Branch)
		return errConflicts
	case err != nil:
		return err
	}
	after := ""
	if tries > 1 {
		after = fmt.Sprintf(", after %d pushes", tries)
	}
	fmt.Fprintf(a.Stderr, "pushed %s to %s of %s%s\n", head[:min(10, len(head))], o.Branch, o.Remote, after)
	return nil
}
