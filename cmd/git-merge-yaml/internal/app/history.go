package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const replayDescription = `Finds the merges of a history in which both sides changed a YAML file, merges these files again, by lines
as git does and by field, and compares both with what was committed. It changes nothing.

REVISION RANGE is as for git log (main, v1..v2), HEAD if there is none. PATHSPEC limits it to some of
the YAML files, or names others by their extension: '*.json'.

It lists the files in which the driver makes a difference, or people committed something else, and says
what check finds in these. explain MERGE PATH shows one in full.

Exits with 0, whatever it finds, with 130 after Ctrl-C, which ends it with what it has seen so far, and
with 129 on any failure.`

func (a *App) replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "show how it would have merged the past merges of a history",
		UsageText: "git-merge-yaml replay [options] [REVISION RANGE...] [-- PATHSPEC...]",
		Description: describe(replayDescription,
			"The last hundred merges of this branch", "git merge-yaml replay --max 100",
			"A page about those of main below k8s/", "git merge-yaml replay --html replay.html main -- k8s/"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "the history of all branches and tags"},
			&cli.IntFlag{Name: "max", Usage: "only the newest `N` merges"},
			&cli.BoolFlag{Name: "all-files", Usage: "list also files in which the driver makes no difference"},
			&cli.StringFlag{Name: "save", Usage: "write all versions of each file to a folder in `DIR`"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.StringFlag{Name: "html", Usage: "write a page with all files to `FILE`"},
			rulesFlag("merge", "default"),
			configFlag(),
			ownFlag(),
		},
		Action: a.replay,
	}
}

// A replayWriter is one form of what a replay says.
type replayWriter interface {
	Case(*history.Case) error
	Summary(history.Summary) error
}

// replay writes as it goes; on a terminal, for a pager, at its end. When it is interrupted, it
// ends with what there is.
func (a *App) replay(c *cli.Context) error {
	revisions, paths := a.splitAtDashes(c)
	if c.Bool("all") {
		revisions = append(revisions, "--all")
	}
	if c.IsSet("max") && c.Int("max") < 1 {
		return fmt.Errorf("--max %d: want a number above 0", c.Int("max"))
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		forms := []replayWriter{&show.Replay{Painter: p, All: c.Bool("all-files")}}
		if c.Bool("json") {
			forms[0] = show.JSON{W: p.W}
		}
		if dir := c.String("save"); dir != "" {
			forms = append(forms, show.Save{Dir: dir})
		}
		if file := c.String("html"); file != "" {
			page, err := newPage(s, file, strings.Join(revisions, " "))
			if err != nil {
				return err
			}
			forms = append(forms, page)
		}
		var summary history.Summary
		err := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			o.Revisions, o.Max, o.Want = revisions, c.Int("max"), history.Select(paths)
			summary, err = history.Replay(ctx, o, func(c *history.Case) error {
				for _, f := range forms {
					if err := f.Case(c); err != nil {
						return err
					}
				}
				return nil
			})
			return err
		})
		if err != nil && !errors.Is(err, terminal.ErrInterrupted) {
			return err
		}
		for _, f := range forms {
			if err := f.Summary(summary); err != nil {
				return err
			}
		}
		return err
	})
}

const previewDescription = `Merges each branch into BASE without a work tree, by git and by git with the driver, in a clone or a bare
mirror, and says which are clean, which are so with the driver alone, and which fields are in conflict.
Rules and attributes are those of BASE. Nothing is written. REF is a branch or any other revision; without
it, it is all branches of the remotes or, where there are none, all branches.

Exits with 0, whatever is in conflict, and with 129 on any failure. It needs git 2.39 or later.`

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
	err := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
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

// newPage is a page about merges in file, which is written whole. That its folder is not there
// is told before the merges are done.
func newPage(s *session.Session, file, of string) (*show.Page, error) {
	_, err := os.Stat(filepath.Dir(file))
	return &show.Page{
		Repository: s.Git.Name(), Range: of, Date: time.Now(), Web: s.Git.Web(),
		Write: func(page []byte) error { return disk.ReplaceOrMake(file, page) },
	}, err
}
