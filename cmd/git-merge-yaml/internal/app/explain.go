package app

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/explain"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const explainDescription = `Says field by field what ours changed, what theirs changed, how the merge puts
them together and by which rule, and what is left in conflict. It writes
nothing.

PATH is a file of the merge that stopped here, unmerged or merged clean, or, with
--merge, one that both sides of a merge that is over changed. BASE OURS THEIRS are any three files.
--markdown lists the conflicts only, for a comment on a pull request; without
files, those of all YAML files that are unmerged.

Exits with 0, whether or not there are conflicts, and with 129 on any failure.`

func (a *App) explainCommand() *cli.Command {
	return &cli.Command{
		Name:  "explain",
		Usage: "say field by field how a file merges",
		UsageText: "git-merge-yaml explain [options] [--] BASE OURS THEIRS\n" +
			"git-merge-yaml explain [options] [--] PATH\ngit-merge-yaml explain [options] --merge COMMIT [--] PATH",
		Description: describe(explainDescription,
			"A file that is in conflict right now", "git merge-yaml explain k8s/web.yaml",
			"Any three files, for another program to read", "git merge-yaml explain --json base.yaml ours.yaml theirs.yaml",
			"A file of a merge that is over", "git merge-yaml explain --merge HEAD k8s/web.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "merge", Usage: "take PATH of the merge `COMMIT`"},
			&cli.StringFlag{Name: "path", Usage: "take the three files for the file at `PATH` of the repository", DefaultText: "where OURS is"},
			&cli.StringFlag{Name: "rules", Usage: "merge by the `RULES` default or kustomize", DefaultText: "what PATH's merge attribute says"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object"},
			&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
		},
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			if c.Bool("json") && c.Bool("markdown") {
				return errors.New("--json and --markdown cannot be used together")
			}
			return a.explain(c, files)
		},
	}
}

// explain accounts for the files that are named or, in Markdown, for all that
// are unmerged.
func (a *App) explain(c *cli.Context, files []string) error {
	s, err := a.session(c)
	if err != nil {
		return err
	}
	path := c.String("path")
	var e *explain.Explanation
	switch {
	case c.String("merge") != "" && len(files) == 1:
		e, err = ofMerge(s, c.String("merge"), path, files[0])
	case c.String("merge") != "":
		err = fmt.Errorf("want one PATH of the merge %s, got %s", c.String("merge"), terminal.Count(len(files), "file"))
	case len(files) == 0 && c.Bool("markdown"):
		return explain.WriteUnmergedMarkdown(a.Stdout, s)
	case len(files) == 1:
		e, err = ofFile(s, path, files[0])
	case len(files) == 3:
		e, err = explain.Files(s, path, [3]string(files))
	default:
		err = fmt.Errorf("want BASE OURS THEIRS or the PATH of an unmerged file, got %s", terminal.Count(len(files), "file"))
	}
	if err != nil {
		return err
	}
	switch {
	case c.Bool("json"):
		return e.WriteJSON(a.Stdout)
	case c.Bool("markdown"):
		return e.WriteMarkdown(a.Stdout)
	}
	return e.WriteText(a.painter(a.Stdout))
}

// ofFile accounts for a file that is unmerged, or that the merge which stopped here has merged.
func ofFile(s *session.Session, path, file string) (*explain.Explanation, error) {
	e, err := explain.Unmerged(s, path, file)
	var merged *explain.NotUnmergedError
	if !errors.As(err, &merged) {
		return e, err
	}
	if _, open := s.Situation([3]string{}).Stopped(); !open {
		return nil, err
	}
	return ofMerge(s, "", path, file)
}

// ofMerge accounts for a file of a merge that is over.
func ofMerge(s *session.Session, commit, path, file string) (*explain.Explanation, error) {
	m, err := mergeToShow(s, commit)
	if err != nil {
		return nil, err
	}
	c, err := caseOf(m, file)
	if err != nil {
		return nil, err
	}
	c.File.Path = cmp.Or(path, c.Path)
	return explain.Of(c.File)
}
