package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/learn"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const learnDescription = `Reads what people decided in the merges of a history: in every field that both
sides changed differently, whether they took ours, theirs, base, both, the higher
or the lower one, the next version, or something else. It prints the rules that
would have decided so, each with its evidence. A rule is learned from the earlier
half of the merges that it is about, and tried on the later half; the number that
it is told with is that of the later half. Fields that the team's rules decide
already are left out.

REVISION RANGE is as for git log (main, v1..v2), HEAD if there is none. PATHSPEC
limits it to some of the YAML files, or names others by their extension:
'*.json'. REPOSITORY is the folder of a clone or of a bare mirror: with some of
these, it is their histories that are read, those of HEAD or with --all of all
branches, and a rule says how it did in each.

It decides nothing by itself. --write puts the rules that you choose into the
team's file, .git-merge-yaml.yaml, with the evidence above each as a comment: it
asks about one after the other, or takes those that --rule names.

Exits with 0, whatever it finds, with 130 after Ctrl-C, and with 129 on any
failure.`

func (a *App) learnCommand() *cli.Command {
	return &cli.Command{
		Name:        "learn",
		Usage:       "find rules in what people decided in past merges",
		UsageText:   "git-merge-yaml learn [options] [REVISION RANGE...] [-- PATHSPEC...]\ngit-merge-yaml learn [options] REPOSITORY... [-- PATHSPEC...]",
		Description: learnDescription,
		Flags: append(historyFlags(),
			&cli.BoolFlag{Name: "write", Usage: "write rules into the team's file, asking about each"},
			&cli.IntSliceFlag{Name: "rule", Usage: "with --write, write rule number `N` without asking; may be repeated"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line (docs/learn.schema.json)"},
			configFlag(),
			a.colourFlag(),
		),
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			o := learnOptions{write: c.Bool("write"), rules: c.IntSlice("rule"), json: c.Bool("json")}
			var err error
			if o.Options, err = parseHistory(c); err != nil {
				return err
			}
			switch {
			case o.write && o.json:
				return errors.New("--write and --json cannot be used together")
			case !o.write && len(o.rules) > 0:
				return errors.New("--rule says what --write writes")
			}
			if o.repositories, err = repositories(&o.Options); err != nil {
				return err
			}
			if o.Session, err = a.session(c); err != nil {
				return err
			}
			return a.learn(o)
		},
	}
}

// learnOptions are the parsed options and arguments of learn.
type learnOptions struct {
	replay.Options
	write        bool
	rules        []int // to be written
	json         bool
	repositories []string // none is the one here
}

// repositories takes the folders of repositories out of the revisions; with one there is
// no revision but --all.
func repositories(o *replay.Options) (folders []string, err error) {
	var rest []string
	for _, r := range o.Revisions {
		if git.IsRepository(r) {
			folders = append(folders, r)
		} else {
			rest = append(rest, r)
		}
	}
	if len(folders) > 0 && len(rest) > 0 && !slices.Equal(rest, []string{"--all"}) {
		return nil, fmt.Errorf("%s is the folder of a repository, and %s is none", folders[0], rest[0])
	}
	o.Revisions = rest
	return folders, nil
}

func (a *App) learn(o learnOptions) error {
	l, err := a.decisions(o)
	if err != nil {
		return err
	}
	rules := l.Rules()
	if len(o.repositories) == 0 && o.Want == nil && o.Since == "" && o.Max == 0 { // of a part it is less
		learn.Propose(o.Session, rules)
	}
	switch {
	case o.write:
		return a.writeRules(rules, o.rules)
	case o.json:
		return l.WriteJSON(a.Stdout, rules)
	}
	return a.paged(func(p *terminal.Painter) error {
		for _, r := range rules {
			if err := r.Write(p); err != nil {
				return err
			}
		}
		if err := l.Summary(p, rules); err != nil || l.Read.Merges > 0 || slices.Contains(o.Revisions, "--all") {
			return err
		}
		p.Print(terminal.Plain, "where pull requests are squashed, the merges are in people's branches: --all reads them")
		p.Line()
		return p.Err
	})
}

// decisions reads what people decided, here or in some repositories.
func (a *App) decisions(o learnOptions) (*learn.Learner, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a.collector.rare()
	bar := newProgress(a.Stderr)
	defer bar.clear()
	o.Progress = bar.update
	l := &learn.Learner{Several: len(o.repositories) > 0}
	if !l.Several {
		return l, a.decisionsOf(ctx, l, o.Options, "")
	}
	for _, folder := range o.repositories {
		o.Session = session.At(folder, o.Session.Options)
		if err := o.Session.FirstMistake(); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if err := a.decisionsOf(ctx, l, o.Options, repositoryName(folder)); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	return l, nil
}

// decisionsOf reads those of one repository.
func (a *App) decisionsOf(ctx context.Context, l *learn.Learner, o replay.Options, name string) error {
	read, err := replay.Decisions(ctx, o, func(d replay.Decision) error {
		d.Repository = name
		return l.Add(d)
	})
	l.Read.Add(read)
	if ctx.Err() != nil {
		return terminal.ErrInterrupted
	}
	return err
}

// repositoryName is what people call a repository in a folder: by its own name and that
// of the folder around it, as in acme/shop.
func repositoryName(folder string) string {
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	dir, name := filepath.Split(folder)
	return filepath.Base(dir) + "/" + strings.TrimSuffix(name, ".git")
}

// writeRules writes the rules that a person wants, or those that are named.
func (a *App) writeRules(rules []*learn.Rule, numbers []int) error {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		return err
	}
	out := a.painter(a.Stdout)
	chosen, err := learn.Choose(rules, numbers, &terminal.Asker{In: a.Stdin, Out: out})
	if errors.Is(err, io.EOF) {
		err = nil // enough: what was answered counts
	}
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		out.Print(terminal.Plain, "nothing is written")
		out.Line()
		return out.Err
	}
	name, err := learn.Save(tree, chosen)
	if err != nil {
		return err
	}
	out.Print(terminal.Plain, name+": "+terminal.Count(len(chosen), "rule")+" written; commit it for others to have it")
	out.Line()
	return out.Err
}
