package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A resultChecker checks results of merges and prints what it finds.
type resultChecker struct {
	*App
	json, clean bool
	session     *session.Session
	found       bool
}

func (k *resultChecker) files(names []string, path string) error {
	v, err := readFiles(names)
	if err != nil {
		return err
	}
	if path == "" {
		path = k.session.PathOf(names[3])
	}
	f := k.session.File(path, v[0], v[1], v[2], nil).Now([3]string{}, true)
	if attributes, err := k.session.Git.Attributes([]string{path}, "merge"); err == nil && k.session.RuleSet == "" {
		f.RuleSet, _ = driver.RulesOf(attributes[0]["merge"])
	}
	found, err := f.Findings(v[3], k.clean)
	if err != nil {
		return fmt.Errorf("cannot check %s: %s", names[3], session.WhyByLines(err.Error()))
	}
	return k.result(k.print(k.painter(k.Stdout), "", names[3], found))
}

// merges checks the merge commits of a range.
func (k *resultChecker) merges(revisions []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return k.result(k.paged(func(p *terminal.Painter) error {
		bar := newProgress(k.Stderr)
		defer bar.clear()
		o := history.Options{Session: k.session, Revisions: revisions, Progress: bar.update, Program: setup.Program(git.Git{})}
		if k.session.RuleSet == "" {
			o.Attributes = attributesHere(k.session)
		}
		s, err := history.Check(ctx, o, k.clean, func(c history.Checked) error {
			return k.checked(p, c)
		})
		if ctx.Err() != nil {
			return terminal.ErrInterrupted
		}
		if err == nil && !k.json {
			p.Print(terminal.Plain, summaryOfChecks(s))
			p.Line()
		}
		if err == nil && s.Short {
			err = fmt.Errorf("not all of it was checked: %w (in a job, check out the whole history)", git.ErrShallow)
		}
		return errors.Join(err, p.Err)
	}))
}

func (k *resultChecker) checked(p *terminal.Painter, c history.Checked) error {
	switch out := (show.JSON{W: p.W}); {
	case c.Deleted != nil && k.json:
		return out.Deleted(c.Merge, *c.Deleted)
	case c.Deleted != nil:
		return note(p, c, show.WhatStood(*c.Deleted))
	case c.Not != "":
		what := c.Merge.Short()
		if c.Path != "" {
			what += ": " + c.Path
		}
		_, err := fmt.Fprintln(k.Stderr, terminal.Printable(what+": not checked: "+session.WhyByLines(c.Not)))
		return err
	case c.Without && k.json:
		if err := out.Without(c.Merge, c.Path); err != nil {
			return err
		}
	case c.Without:
		if err := note(p, c, "not as the driver merges it: merged without it, or edited since"); err != nil {
			return err
		}
	}
	return k.print(p, c.Merge, c.Path, c.Findings)
}

// note says of a file what is no finding.
func note(p *terminal.Painter, c history.Checked, what string) error {
	p.Print(terminal.Yellow, c.Merge.Short())
	p.Print(terminal.Plain, ": ")
	p.Print(terminal.Bold, c.Path)
	p.Print(terminal.Plain, ": "+what)
	p.Line()
	return p.Err
}

func summaryOfChecks(s history.Checks) string {
	line := fmt.Sprintf("%s with %s to check: ", terminal.Count(s.Merges, "merge"), terminal.Count(s.Files, "file"))
	if s.Findings == 0 {
		line += "nothing found"
	} else {
		line += fmt.Sprintf("%s in %s", terminal.Count(s.Findings, "finding"), terminal.Count(s.Faulty, "file"))
	}
	if s.Deleted > 0 {
		line += "; " + terminal.Count(s.Deleted, "file") + " that one side deleted and the other changed"
	}
	if s.Without > 0 {
		line += "; " + terminal.Count(s.Without, "file") + " not as the driver merges"
	}
	if s.Not > 0 {
		line += fmt.Sprintf("; %d not checked", s.Not)
	}
	return line
}

func (k *resultChecker) print(p *terminal.Painter, commit git.ID, file string, findings []merge.Finding) error {
	for _, f := range findings {
		k.found = true
		if !k.json {
			if commit != "" {
				p.Print(terminal.Yellow, commit.Short())
				p.Print(terminal.Plain, ": ")
			}
			p.Print(terminal.Bold, file)
			p.Print(terminal.Plain, ": ")
			if f.Path != "" {
				p.Print(terminal.Plain, f.Path+": ")
			}
			p.Print(terminal.Red, f.Rule)
			p.Print(terminal.Plain, ": "+f.Detail)
			p.Line()
		} else if err := (show.JSON{W: p.W}).Finding(commit, file, f); err != nil {
			return err
		}
	}
	return p.Err
}

// result is the outcome of all checks, unless printing failed.
func (k *resultChecker) result(err error) error {
	if err == nil && k.found {
		return errFound
	}
	return err
}
