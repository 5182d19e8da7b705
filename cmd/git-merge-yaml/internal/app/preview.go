package app

import (
	"context"
	"errors"

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

REF is a branch or any other revision. Without REF, it is all branches
of the remotes or, where there are none, all branches.

Exits with 0, whatever is in conflict, and with 129 on any failure. It needs git 2.39 or
later.`

func (a *App) previewCommand() *cli.Command {
	return &cli.Command{
		Name:      "preview",
		Usage:     "show which branches merge into another one",
		UsageText: "git-merge-yaml preview [options] [--] BASE [REF...]",
		Description: describe(previewDescription,
			"Which branches of the remotes merge into main", "git merge-yaml preview main",
			"For another program to read, some branches", "git merge-yaml preview --json main side HEAD"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.StringFlag{Name: "html", Usage: "write a page with all branches to `FILE`"},
			configFlag(),
		},
		Action: a.preview,
	}
}

func (a *App) preview(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("want the BASE into which branches are merged: git-merge-yaml preview [options] BASE [REF...]")
	}
	s := session.New(session.Options{Config: c.String("config")})
	base := c.Args().First()
	var page *show.Page
	if file := c.String("html"); file != "" {
		var err error
		if page, err = newPage(s, file, "merges with "+base); err != nil {
			return err
		}
	}
	var branches []*history.Branch
	err := a.walk(func(ctx context.Context, progress func(seen, merges, files int)) (err error) {
		o := history.Options{Session: s, Program: setup.Program(git.Git{}), Progress: progress}
		branches, err = history.Preview(ctx, history.Previewing{Options: o, Base: base, Refs: c.Args().Tail()})
		return err
	})
	if err == nil && page != nil {
		err = page.Preview(branches)
	}
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		if c.Bool("json") {
			return show.JSON{W: p.W}.Preview(branches)
		}
		return show.Preview(p, base, branches)
	})
}
