package app

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const checkDescription = `Lists what the result of a merge lost or made up, whoever made it: every edit of either side has to stand
in it, and nothing else. Where both sides changed the same thing, a person decided; there only a result
that has neither edit is told, or with --clean one that has one side alone. Indents, quotes and the
order of fields are not judged.

Of a RANGE, as git log takes one, it checks the YAML files of every merge commit against its parents and
their common ancestor; renames are not followed. HEAD^! is the last merge alone.

Exits with 0 if nothing is lost, with 1 if something is, and with 129 on any failure.`

func (a *App) checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "list what a merge lost, whoever made it",
		UsageText: "git-merge-yaml check [options] RANGE...\n" +
			"git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT",
		Description: describe(checkDescription,
			"What the last merge lost, whoever made it", "git merge-yaml check HEAD^!",
			"What a merge by another program lost", "git merge-yaml check base.yaml ours.yaml theirs.yaml merged.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
			&cli.BoolFlag{Name: "clean", Usage: "find also where both sides changed the same thing and one alone stands"},
			rulesFlag("check", "what the file's merge attribute says"),
			configFlag(),
			ownFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
		},
		Action: a.check,
	}
}

func (a *App) check(c *cli.Context) error {
	s, err := a.session(c)
	if err != nil {
		return err
	}
	k := &checker{json: c.Bool("json"), clean: c.Bool("clean"), session: s}
	err = a.paged(func(p *terminal.Painter) error {
		k.Painter = p
		switch args := c.Args().Slice(); {
		case len(args) == 0:
			return fmt.Errorf("want a RANGE, or four files, BASE OURS THEIRS RESULT (%s)", seeHelp(c))
		case !namesFiles(args):
			return a.walk(s, func(ctx context.Context, o history.Options) error {
				o.Revisions = args
				return k.merges(ctx, asHere(o), a.Stderr)
			})
		case len(args) != 4:
			return fmt.Errorf("want four files, BASE OURS THEIRS RESULT, got %d", len(args))
		default:
			return k.files(args, cmp.Or(c.String("path"), s.PathOf(args[3])))
		}
	})
	if err == nil && k.found {
		err = errLeft
	}
	return err
}

// A checker checks results of merges and prints what it finds.
type checker struct {
	*terminal.Painter
	json, clean bool
	session     *session.Session
	found       bool
}

// files checks the last of four files as the file at path.
func (k *checker) files(names []string, path string) error {
	v, err := readFiles(names...)
	if err != nil {
		return err
	}
	f := k.session.File(path, v[0], v[1], v[2], nil).Now([3]string{}, true)
	if attributes, err := k.session.Git.Attributes([]string{path}, "merge"); err == nil && k.session.RuleSet == "" {
		f.RuleSet, _ = driver.RulesOf(attributes[0]["merge"])
	}
	found, err := f.Findings(v[3], k.clean)
	if err != nil {
		return fmt.Errorf("cannot check %s: %s", names[3], session.WhyByLines(err.Error()))
	}
	return k.findings("", names[3], found)
}

// merges checks the merge commits of a range; what is not checked is said on stderr.
func (k *checker) merges(ctx context.Context, o history.Options, stderr io.Writer) error {
	out := show.JSON{W: k.W}
	s, err := history.Check(ctx, o, k.clean, func(c history.Checked) error {
		switch {
		case c.Deleted != nil && k.json:
			return out.Deleted(c.Merge, *c.Deleted)
		case c.Deleted != nil:
			k.begin(c.Merge, c.Path)
			k.Println(terminal.Plain, show.WhatStood(*c.Deleted))
		case c.Not != "" && c.Path != "":
			say(stderr, c.Merge.Short()+": "+c.Path+": not checked: "+session.WhyByLines(c.Not))
		case c.Not != "":
			say(stderr, c.Merge.Short()+": not checked: "+c.Not)
		case c.Without && k.json:
			if err := out.Without(c.Merge, c.Path); err != nil {
				return err
			}
		case c.Without:
			k.begin(c.Merge, c.Path)
			k.Println(terminal.Plain, "not as the driver merges it: merged without it, or edited since")
		}
		return k.findings(c.Merge, c.Path, c.Findings)
	})
	if err != nil {
		return err
	}
	if !k.json {
		found := "nothing found"
		if s.Findings > 0 {
			found = terminal.Count(s.Findings, "finding") + " in " + terminal.Count(s.Faulty, "file")
		}
		line := terminal.Count(s.Merges, "merge") + " with " + terminal.Count(s.Files, "file") + " to check: " + found
		if s.Deleted > 0 {
			line += "; " + terminal.Count(s.Deleted, "file") + " that one side deleted and the other changed"
		}
		if s.Without > 0 {
			line += "; " + terminal.Count(s.Without, "file") + " not as the driver merges"
		}
		if s.Not > 0 {
			line += fmt.Sprintf("; %d not checked", s.Not)
		}
		k.Println(terminal.Plain, line)
	}
	if s.Short {
		return fmt.Errorf("not all of it was checked: %w (in a job, check out the whole history)", git.ErrShallow)
	}
	return k.Err
}

// findings prints those of a file; commit is "" of files by hand.
func (k *checker) findings(commit git.ID, file string, all []merge.Finding) error {
	for _, f := range all {
		k.found = true
		if k.json {
			if err := (show.JSON{W: k.W}).Finding(commit, file, f); err != nil {
				return err
			}
			continue
		}
		k.begin(commit, file)
		if f.Path != "" {
			k.Print(terminal.Plain, f.Path+": ")
		}
		k.Print(terminal.Red, f.Rule)
		k.Println(terminal.Plain, ": "+f.Detail)
	}
	return k.Err
}

// begin begins a line about a file.
func (k *checker) begin(commit git.ID, file string) {
	if commit != "" {
		k.Print(terminal.Yellow, commit.Short())
		k.Print(terminal.Plain, ": ")
	}
	k.Print(terminal.Bold, file)
	k.Print(terminal.Plain, ": ")
}
