package app

import (
	"cmp"
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
	page, err := newPage(c, s, strings.Join(revisions, " "))
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		var told interface {
			Case(*history.Case) error
			Summary(history.Summary) error
		} = &show.Replay{Painter: p, All: c.Bool("all-files")}
		if c.Bool("json") {
			told = &show.JSON{W: p.W}
		}
		var summary history.Summary
		interrupted := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			o.Revisions, o.Max, o.Want = revisions, c.Int("max"), history.Select(paths)
			summary, err = history.Replay(ctx, o, func(c *history.Case) error {
				page.Case(c, "")
				return told.Case(c)
			})
			return err
		})
		if interrupted != nil && !errors.Is(interrupted, terminal.ErrInterrupted) {
			return interrupted
		}
		return cmp.Or(told.Summary(summary), page.Summary(summary), interrupted)
	})
}

func (a *App) preview(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("want the BASE into which branches are merged: git-merge-yaml preview [options] BASE [REF...]")
	}
	s := session.New(session.Options{Config: c.String("config")})
	base := c.Args().First()
	page, err := newPage(c, s, "merges with "+base)
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		var branches []*history.Branch
		err := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			branches, err = history.Preview(ctx, history.Previewing{Options: o, Base: base, Refs: c.Args().Tail()})
			return err
		})
		switch err = cmp.Or(err, page.Preview(branches)); {
		case err != nil:
			return err
		case c.Bool("json"):
			return (&show.JSON{W: p.W}).Preview(branches)
		}
		return show.Preview(p, base, branches)
	})
}

// newPage is a page about merges in the file of --html, which is written whole, if there is one. That its folder is
// not there is told before the merges are done.
func newPage(c *cli.Context, s *session.Session, of string) (*show.Page, error) {
	file := c.String("html")
	if file == "" {
		return &show.Page{}, nil
	}
	_, err := os.Stat(filepath.Dir(file))
	return &show.Page{
		Repository: s.Git.Name(), Range: of, Date: time.Now(), Web: s.Git.Web(),
		Write: func(page []byte) error { return disk.ReplaceOrMake(file, page) },
	}, err
}
