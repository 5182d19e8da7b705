package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const replayDescription = `Finds the merges of a history in which both sides changed a YAML file, merges
these files again, by lines as git does and by field, and compares both with what
was committed. It changes nothing in the repository.

REVISION RANGE is as for git log (main, v1..v2), HEAD if there is none. PATHSPEC
limits it to some of the YAML files, or names others by their extension: '*.json'.

It lists the files in which the driver makes a difference, or people committed
something else, and says what check finds in these; --all-files lists the rest too.

Exits with 0, whatever it finds, with 130 after Ctrl-C, which ends it with what
it has seen so far, and with 129 on any failure.`

func (a *App) replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "show how it would have merged the past merges of a history",
		UsageText: "git-merge-yaml replay [options] [REVISION RANGE...] [-- PATHSPEC...]",
		Description: describe(replayDescription,
			"The last hundred merges of this branch", "git merge-yaml replay --max 100",
			"A page with what was decided otherwise below k8s/", "git merge-yaml replay --only different --html replay.html main -- k8s/"),
		Flags: append(historyFlags(),
			&cli.StringFlag{Name: "only", Usage: "list only files that have `WHAT`: conflicts (of git or the driver) or different (the driver's result is not what was committed)"},
			&cli.BoolFlag{Name: "all-files", Usage: "list also files in which the driver makes no difference"},
			&cli.IntFlag{Name: "show", Usage: "print file number `N`: what each side changed, and people beside the driver"},
			&cli.StringFlag{Name: "save", Usage: "write all versions of each listed file to a folder in `DIR`"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.StringFlag{Name: "html", Usage: "write a page with all listed files to `FILE`"},
			rulesFlag(),
			configFlag(),
			ownFlag(),
			a.colourFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := a.parseReplay(c)
			if err != nil {
				return err
			}
			return a.replay(o)
		},
	}
}

// replayOptions are the parsed options and arguments of replay.
type replayOptions struct {
	history.Options
	only  string // conflicts, different or ""
	files bool   // all of them
	show  int    // 0 for none
	save  string
	json  bool
	html  string
}

func (a *App) parseReplay(c *cli.Context) (o replayOptions, err error) {
	history, err := parseHistory(c)
	o = replayOptions{
		Options: history,
		only:    c.String("only"),
		files:   c.Bool("all-files"),
		show:    c.Int("show"),
		save:    c.String("save"),
		json:    c.Bool("json"),
		html:    c.String("html"),
	}
	if err == nil {
		err = wantPositive(c, "show")
	}
	if err != nil {
		return o, err
	}
	if !slices.Contains([]string{"", "conflicts", "different"}, o.only) {
		return o, fmt.Errorf("--only %s: want conflicts or different", o.only)
	}
	o.Session, err = a.session(c)
	o.Program = setup.Program(git.Git{})
	return o, err
}

// errShown ends a replay at the file that --show asks for.
var errShown = errors.New("shown")

// replay runs a replay, and writes as it goes; on a terminal, for a pager, at
// its end. When it is interrupted, it ends with what there is.
func (a *App) replay(o replayOptions) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return a.paged(func(p *terminal.Painter) error {
		out, err := o.writers(p)
		if err != nil {
			return err
		}
		return a.replayTo(ctx, o, out)
	})
}

func (a *App) replayTo(ctx context.Context, o replayOptions, out []replayWriter) error {
	bar := newProgress(a.Stderr)
	o.Progress = bar.update
	summary, err := history.Replay(ctx, o.Options, func(c *history.Case) error {
		if o.show > 0 && c.Number != o.show || !o.listed(c) {
			return nil
		}
		for _, w := range out {
			if err := w.Case(c); err != nil {
				return err
			}
		}
		if o.show > 0 {
			return errShown
		}
		return nil
	})
	bar.clear()
	switch {
	case errors.Is(err, errShown):
		return nil
	case err != nil && ctx.Err() == nil:
		return err
	case o.show > 0 && err != nil:
		return terminal.ErrInterrupted
	case o.show > 0:
		return fmt.Errorf("--show %d: there are %s", o.show, terminal.Count(summary.Files+summary.Alike, "file"))
	}
	for _, w := range out {
		if err := w.Summary(summary); err != nil {
			return err
		}
	}
	if summary.Interrupted {
		return terminal.ErrInterrupted
	}
	return nil
}

// listed reports whether --only lets c through.
func (o *replayOptions) listed(c *history.Case) bool {
	switch o.only {
	case "conflicts":
		return !c.Git.Clean() || !c.Driver.Clean()
	case "different":
		return c.Driver.Committed == history.Different || c.Driver.Committed == history.Absent
	}
	return true
}

// A replayWriter is one form of what a replay says.
type replayWriter interface {
	Case(*history.Case) error
	Summary(history.Summary) error
}

// writers returns the forms that are asked for.
func (o replayOptions) writers(p *terminal.Painter) (out []replayWriter, err error) {
	text := &show.Replay{Painter: p, Details: o.show > 0}
	if !o.files && o.only == "" {
		text.Listed = (*history.Case).Notable
	}
	if o.json {
		out = append(out, show.JSON{W: p.W})
	} else {
		out = append(out, text)
	}
	if o.save != "" {
		out = append(out, show.Save{Dir: o.save})
	}
	if o.html != "" {
		write, err := pageWriter(o.html)
		if err != nil {
			return nil, err
		}
		g := git.Git{}
		out = append(out, &show.Page{Repository: g.Name(), Range: strings.Join(o.Revisions, " "), Date: time.Now(), Web: g.Web(), Write: write})
	}
	return out, nil
}

// pageWriter writes a page whole. That its folder is not there is told before the merges are
// done.
func pageWriter(file string) (write func([]byte) error, err error) {
	_, err = os.Stat(filepath.Dir(file))
	return func(page []byte) error { return disk.ReplaceOrMake(file, page) }, err
}
