package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/preview"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const previewDescription = `Merges each branch into BASE without a work tree, by git and by git with the
driver, in a clone or a bare mirror, and says which are clean, which are so with
the driver alone, and which fields are in conflict, with a rule that would settle
them. Rules and attributes are those of BASE. Nothing is written.

REF is a branch or any other revision. Without REF and --refs, it is all branches
of the remotes or, in a bare repository, all branches.

With --update the base is merged into the branches instead, and those in which
that is clean are moved to the merge: branches of this repository or, with --push,
of a remote, by a push that fails if the branch has moved since. What is done stays
done: to go on, run it again.

Exits with 0, whatever is in conflict, with 1 if --update left a branch that is
clean, and with 129 on any failure. It needs git 2.39 or later.`

func (a *App) previewCommand() *cli.Command {
	return &cli.Command{
		Name:  "preview",
		Usage: "show which branches merge into another one",
		UsageText: "git-merge-yaml preview [options] [--] BASE [REF...]\n" +
			"git-merge-yaml preview --update [--push REMOTE] [options] [--] BASE [REF...]",
		Description: describe(previewDescription,
			"Which branches of the remotes merge into main", "git merge-yaml preview main",
			"For another program to read, some branches", "git merge-yaml preview --json --pairs main side HEAD"),
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "refs", Usage: "merge the refs that `PATTERN` names, as for git for-each-ref: refs/pull/*/head"},
			&cli.BoolFlag{Name: "pairs", Usage: "merge also each two branches that are clean alone"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.StringFlag{Name: "html", Usage: "write a page with all branches, and a matrix of the pairs, to `FILE`"},
			&cli.BoolFlag{Name: "update", Usage: "merge BASE into the branches, and move those that are clean"},
			&cli.StringFlag{Name: "push", Usage: "with --update, move the branches of `REMOTE`"},
			configFlag(),
			a.colourFlag(),
		},
		Action: func(c *cli.Context) error {
			o := preview.Options{Patterns: c.StringSlice("refs"), Pairs: c.Bool("pairs"), Into: c.Bool("update")}
			switch args := c.Args().Slice(); {
			case len(args) == 0:
				return errors.New("want the BASE into which branches are merged: git-merge-yaml preview [options] BASE [REF...]")
			case c.String("push") != "" && !o.Into:
				return errors.New("--push goes with --update")
			case o.Into && (o.Pairs || c.String("html") != ""):
				return errors.New("--update goes with neither --pairs nor --html")
			default:
				o.Base, o.Refs = args[0], args[1:]
			}
			if c.String("push") != "" && len(o.Refs)+len(o.Patterns) == 0 {
				o.Patterns = []string{"refs/remotes/" + c.String("push") + "/"}
			}
			var err error
			if o.Config = c.String("config"); o.Config != "" {
				o.Config, err = filepath.Abs(o.Config)
			}
			if err != nil {
				return err
			}
			o.Program = setup.Program(git.Git{})
			return a.preview(o, c.Bool("json"), c.String("html"), c.String("push"))
		},
	}
}

func (a *App) preview(o preview.Options, asJSON bool, page, remote string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bar := newProgress(a.Stderr)
	o.Progress = func(done, all int) { bar.update(done, all, -1) }
	p, err := preview.Run(ctx, o)
	bar.clear()
	switch {
	case ctx.Err() != nil:
		return terminal.ErrInterrupted
	case err != nil:
		return err
	}
	defer p.Close()
	if o.Into {
		return a.updateBranches(ctx, p, remote)
	}
	if page != "" {
		var b bytes.Buffer
		if err := p.WriteHTML(&b); err != nil {
			return err
		}
		if err := os.WriteFile(page, b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return a.paged(func(w *terminal.Painter) error {
		if asJSON {
			return p.WriteJSON(w.W)
		}
		return p.WriteText(w)
	})
}

// updateBranches moves the branches that are clean, and tells each as JSON.
func (a *App) updateBranches(ctx context.Context, p *preview.Preview, remote string) error {
	left := false
	for _, b := range p.Branches {
		commit, why := "", ""
		if b.State.IsClean() {
			if ctx.Err() != nil {
				return terminal.ErrInterrupted
			}
			id, err := p.Update(b, remote)
			if err != nil {
				why, left = err.Error(), true
			} else {
				commit = id.String()
			}
		}
		if err := b.WriteUpdated(a.Stdout, commit, why); err != nil {
			return err
		}
	}
	if left {
		return errFound
	}
	return nil
}
