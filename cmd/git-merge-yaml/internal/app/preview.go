package app

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const previewDescription = `Merges each branch into BASE without a work tree, by git and by git with the
driver, in a clone or a bare mirror, and says which are clean, which are so with
the driver alone, and which fields are in conflict. Rules and attributes are those of
BASE. Nothing is written.

REF is a branch or any other revision. Without REF and --refs, it is all branches
of the remotes or, in a bare repository, all branches.

Exits with 0, whatever is in conflict, and with 129 on any failure. It needs git 2.39 or
later.`

func (a *App) previewCommand() *cli.Command {
	return &cli.Command{
		Name:      "preview",
		Usage:     "show which branches merge into another one",
		UsageText: "git-merge-yaml preview [options] [--] BASE [REF...]",
		Description: describe(previewDescription,
			"Which branches of the remotes merge into main", "git merge-yaml preview main",
			"For another program to read, some branches", "git merge-yaml preview --json --pairs main side HEAD"),
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "refs", Usage: "merge the refs that `PATTERN` names, as for git for-each-ref: refs/pull/*/head"},
			&cli.BoolFlag{Name: "pairs", Usage: "merge also each two branches that are clean alone"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.StringFlag{Name: "html", Usage: "write a page with all branches, and a matrix of the pairs, to `FILE`"},
			configFlag(),
			a.colourFlag(),
		},
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args) == 0 {
				return errors.New("want the BASE into which branches are merged: git-merge-yaml preview [options] BASE [REF...]")
			}
			s := session.New(session.Options{Config: c.String("config")})
			o := history.Previewing{
				Options: history.Options{Session: s, Program: setup.Program(git.Git{})},
				Base:    args[0], Refs: args[1:], Patterns: c.StringSlice("refs"), Pairs: c.Bool("pairs"),
			}
			return a.preview(o, c.Bool("json"), c.String("html"))
		},
	}
}

func (a *App) preview(o history.Previewing, asJSON bool, page string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var write func([]byte) error
	if page != "" {
		var err error
		if write, err = pageWriter(page); err != nil {
			return err
		}
	}
	bar := newProgress(a.Stderr)
	o.Progress = bar.update
	p, err := history.NewPreview(ctx, o)
	bar.clear()
	switch {
	case ctx.Err() != nil:
		return terminal.ErrInterrupted
	case err != nil:
		return err
	}
	if page != "" {
		h := &show.Page{Repository: o.Session.Git.Name(), Range: "merges with " + o.Base, Date: time.Now(), Web: o.Session.Git.Web(), Write: write}
		if err := h.Preview(p, o.Pairs); err != nil {
			return err
		}
	}
	return a.paged(func(w *terminal.Painter) error {
		if asJSON {
			return show.JSON{W: w.W}.Preview(p)
		}
		return show.Preview(w, p, o.Pairs)
	})
}
