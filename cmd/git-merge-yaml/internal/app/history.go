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
