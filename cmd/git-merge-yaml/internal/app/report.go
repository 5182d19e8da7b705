package app

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/report"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const reportDescription = `Writes a folder for an issue about the merge of one file: its three versions, what
this program and git make of them, what was committed, the team's rules, the
version and the settings.

MERGE is a merge commit, or one that the reflog knows a rebase or cherry-pick made;
without it PATH is of the merge that stopped here.

The files are as they are in the repository: take out what is secret before you
send the folder.

Exits with 0 if the folder is written, and with 129 on any failure.`

func (a *App) reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write a folder about one merge, for an issue",
		UsageText: "git-merge-yaml report [options] [MERGE] [--] PATH",
		Description: describe(reportDescription,
			"The three versions of a file in the last merge, and what was made of them", "git merge-yaml report HEAD k8s/web.yaml",
			"The same in another folder", "git merge-yaml report -o for-the-issue HEAD k8s/web.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the folder `DIR`, which must not exist", DefaultText: "merge-report"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
		},
		Action: func(c *cli.Context) error {
			before, behind := splitAtDashes(c.Args().Slice())
			words := append(before, behind...)
			if n := len(words); n == 0 || n > 2 || len(behind) > 1 {
				return errors.New("want a PATH, or a MERGE and a PATH")
			}
			name := ""
			if len(words) == 2 {
				name = words[0]
			}
			dir := c.String("output")
			if dir == "" {
				dir = "merge-report"
			}
			if _, err := os.Lstat(dir); err == nil {
				return errors.New(dir + " is there already; --output DIR names another folder")
			}
			s, err := a.session(c)
			if err != nil {
				return err
			}
			r, err := reported(s, name, words[len(words)-1])
			if err != nil {
				return err
			}
			if err := r.Write(dir); err != nil {
				return err
			}
			p := a.painter(a.Stdout)
			p.Print(terminal.Plain, report.Said(dir))
			p.Line()
			return p.Err
		},
	}
}

// reported gathers what there is to report of a file.
func reported(s *session.Session, merge, file string) (*report.Report, error) {
	m, err := mergeToShow(s, merge)
	if err != nil {
		return nil, err
	}
	if merge == "" && !m.open {
		return nil, errors.New("no merge stopped here: want a MERGE and a PATH")
	}
	c, err := caseOf(m, file)
	if err != nil {
		return nil, err
	}
	rules, err := s.RulesSource()
	if err != nil {
		return nil, err
	}
	r := &report.Report{
		Path: c.Path, Base: c.Content.Base, Ours: c.Content.Ours, Theirs: c.Content.Theirs, Committed: c.Content.Committed,
		Rules: rules, Own: c.File.OwnSide(), RuleSet: c.File.RuleSet, Generated: c.Generated, Settings: surroundings(c.Path),
	}
	return r, nil
}

// surroundings are the settings that may matter.
func surroundings(path string) []string {
	g := git.Git{}
	version, _ := g.Line("version")
	lines := []string{"git-merge-yaml " + build.Description(), version}
	if tree, err := g.WorkTree(); err == nil {
		if attributes, err := tree.Attributes([]string{path}, "merge"); err == nil {
			lines = append(lines, "merge attribute: "+attributes[0]["merge"])
		}
	}
	if set, err := g.Settings("merge.conflictStyle"); err == nil && set["merge.conflictStyle"] != "" {
		lines = append(lines, "merge.conflictStyle: "+set["merge.conflictStyle"])
	}
	return lines
}
