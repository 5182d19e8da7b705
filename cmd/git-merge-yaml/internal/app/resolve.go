package app

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/resolve"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const resolveDescription = `Merges the unmerged YAML files, or those that PATH names, from the versions that git keeps of
them, and needs no driver. It stages what comes out clean and leaves the conflicts of the rest, in the
middle of a merge, rebase, cherry-pick, revert, stash pop or am. Files that were edited since stay
as they are. To undo it for a file: git checkout -m -- PATH

With -i it then asks about the conflicts that are left, one by one, and takes a side, or a text from
your editor. ? lists the answers. Each is proven, but not in files that are merged by lines, and
saved at once, so that you can stop anywhere and go on later.

--json prints what is left as questions, one object a line. --answers takes the answers from a file, or
- for stdin: {"ID": "ours", "ID": {"text": "..."}}. One that cannot be proven is told with its reason,
and nothing is written then, or with --partial what holds.

A file that one side deleted and the other changed stays as it is, unless a rule of the team's file
(deleted: own or upstream) says which side stands; -i asks.

Exits with 0 if all of these files are resolved, with 1 if any is not, and with 129 on any failure.`

func (a *App) resolveCommand() *cli.Command {
	return &cli.Command{
		Name:      "resolve",
		Usage:     "merge the unmerged YAML files of a stopped merge or rebase",
		UsageText: "git-merge-yaml resolve [options] [--] [PATH...]",
		Description: describe(resolveDescription,
			"After a merge that stopped: merge what is unmerged", "git merge-yaml resolve",
			"One file, to be looked at before it is staged", "git merge-yaml resolve --no-stage k8s/web.yaml",
			"Decide what is left, conflict by conflict", "git merge-yaml resolve -i"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about the conflicts that are left, one by one"},
			&cli.BoolFlag{Name: "json", Usage: "print the conflicts that are left for a program, an object per line"},
			&cli.StringFlag{Name: "answers", Usage: "decide them by the answers in `FILE`, or - for stdin"},
			&cli.BoolFlag{Name: "partial", Usage: "with --answers: write those that hold, though others are refused"},
			&cli.BoolFlag{Name: "ours", Usage: "decide what else would be in conflict for ours"},
			&cli.BoolFlag{Name: "theirs", Usage: "decide it for theirs"},
			&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
			ownFlag(),
			&cli.BoolFlag{Name: "force", Usage: "merge files again that were edited since, and lose the edits"},
		},
		Action: a.resolve,
	}
}

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
		o.JSON, o.Stdout = a.Stdout, a.Stderr
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
