package app

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/resolve"
)

const resolveDescription = `Merges the unmerged YAML files of the repository, or those that PATH names, from
the versions that git keeps of them. No driver needs to be configured. It
stages what comes out clean and leaves the conflicts of the rest, in the middle
of a merge, rebase, cherry-pick, revert, stash pop or am.

Files that were edited since git merged them stay as they are. To undo it for a
file: git checkout -m -- PATH

With -i it then asks about the conflicts that are left, one by one: it shows the
versions and who made them, and takes a side, or a text from your editor. ? lists
the answers. Each is saved at once, so that you can stop anywhere and go on later,
with -i or by hand. It is proven first, but not in files that are merged by lines.

--json prints what is left as questions, one object a line: an id, the versions, the lines
around it, the answers that it takes. --answers takes these from a file, or - for stdin:
{"ID": "ours", "ID": {"text": "..."}}. Each is proven as with -i. One that is refused is
told with its reason, and nothing is written then, or with --partial what holds.

A file that one side deleted and the other changed stays as it is, unless a rule of the
team's file (deleted: own or upstream) says which side stands; -i shows what the other
side changed, and asks.

Exits with 0 if all of these files are resolved, with 1 if any is not, and with
129 on any failure.`

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
			a.colourFlag(),
			&cli.BoolFlag{Name: "force", Usage: "merge files again that were edited since, and lose the edits"},
		},
		Action: func(c *cli.Context) error {
			paths := c.Args().Slice()
			s, err := a.newSession(c)
			if err != nil {
				return err
			}
			side := ""
			switch ours, theirs := c.Bool("ours"), c.Bool("theirs"); {
			case ours && theirs:
				return errors.New("--ours and --theirs cannot be used together")
			case ours:
				side = "ours"
			case theirs:
				side = "theirs"
			}
			o := resolve.Options{
				Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr, Colours: a.painter(a.Stdout).Colours,
				Ask: c.Bool("interactive"), Force: c.Bool("force"), Stage: !c.Bool("no-stage"), Resolve: side, Partial: c.Bool("partial"),
			}
			if err := a.outside(c, &o); err != nil {
				return err
			}
			all, err := resolve.Files(s, paths, o)
			if err == nil && !all {
				err = errConflicts
			}
			return err
		},
	}
}

// outside lets a program read what is asked, and answer it.
func (a *App) outside(c *cli.Context, o *resolve.Options) (err error) {
	name := c.String("answers")
	switch {
	case o.Ask && (c.Bool("json") || name != ""):
		return errors.New("--interactive cannot be used together with --json or --answers")
	case o.Partial && name == "":
		return errors.New("--partial needs --answers")
	}
	if c.Bool("json") {
		o.Ask, o.JSON, o.Stdout = true, a.Stdout, a.Stderr
	}
	if name == "" {
		return nil
	}
	o.Ask = true
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	o.Answers, err = resolve.ReadAnswers(in)
	return err
}
