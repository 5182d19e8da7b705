package app

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/regenerate"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/resolve"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

func (a *App) resolve(c *cli.Context) error {
	opts, err := sessionOptions(c)
	if err != nil {
		return err
	}
	side, err := oneOption(c, "ours", "theirs")
	if err != nil {
		return err
	}
	asks, answers := c.Bool("interactive"), c.String("answers")
	switch {
	case asks && (c.Bool("json") || answers != ""):
		return errors.New("--interactive cannot be used together with --json or --answers")
	case c.Bool("partial") && answers == "":
		return errors.New("--partial needs --answers")
	}
	o := resolve.Options{
		Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr, Colours: a.painter(terminal.Is(a.Stdout)).Colours,
		Ask: asks || c.Bool("json") || answers != "", Force: c.Bool("force"), Stage: !c.Bool("no-stage"), Resolve: side, Partial: c.Bool("partial"),
	}
	if c.Bool("json") {
		o.JSON, o.Stdout = &show.JSON{W: a.Stdout}, a.Stderr
	}
	if answers != "" {
		in := a.Stdin
		if answers != "-" {
			f, err := os.Open(answers)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		if o.Answers, err = resolve.ReadAnswers(in); err != nil {
			return err
		}
	}
	s := session.New(opts) // which merges by lines where the team's rules have mistakes
	s.Library = a.Merge
	all, err := resolve.Files(s, c.Args().Slice(), o)
	if err == nil && !all {
		err = errLeft
	}
	return err
}

func (a *App) regenerate(c *cli.Context) error {
	s, err := a.session(c)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("trust") && c.Bool("all"):
		return errors.New("--trust stands alone: it runs nothing")
	case c.Bool("trust"):
		return regenerate.Trust(s, a.Stdout)
	}
	err = regenerate.Files(s, regenerate.Options{Stdout: a.Stdout, Stderr: a.Stderr, All: c.Bool("all")})
	if errors.Is(err, regenerate.ErrLeft) {
		return errLeft
	}
	return err
}
