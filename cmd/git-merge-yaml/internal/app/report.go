package app

import (
	"errors"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
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

--anonymous replaces each word of the files, those of keys and comments too, by
another one of the same shape, the same everywhere, and checks that the merge comes
out the same way. Words of keys and kinds on which it depends are kept, and told.

Exits with 0 if the folder is written, and with 129 on any failure.`

func (a *App) reportCommand() *cli.Command {
	return &cli.Command{
		Name:        "report",
		Usage:       "write a folder about one merge, for an issue",
		UsageText:   "git-merge-yaml report [options] [MERGE] [--] PATH",
		Description: reportDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "anonymous", Usage: "replace each word by another one of the same shape"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the folder `DIR`, which must not exist", DefaultText: "merge-report"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
		},
		OnUsageError: usageError,
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
			r, err := reported(s, name, words[len(words)-1], c.Bool("anonymous"))
			if err != nil {
				return err
			}
			if c.Bool("anonymous") {
				if r, err = r.Anonymous(); err != nil {
					return err
				}
			}
			if err := r.Write(dir); err != nil {
				return err
			}
			p := a.painter(a.Stdout)
			for _, line := range r.Said(dir) {
				p.Print(terminal.Plain, line)
				p.Line()
			}
			return p.Err
		},
	}
}

// reported gathers what there is to report of a file.
func reported(s *session.Session, merge, file string, anonymous bool) (*report.Report, error) {
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
		Rules: rules, Own: c.File.OwnSide(), RuleSet: c.File.RuleSet, Generated: c.Generated, Settings: surroundings(c.Path, anonymous),
	}
	return r, nil
}

// surroundings are the settings that may matter, without other programs' names if
// they are to be anonymous.
func surroundings(path string, anonymous bool) []string {
	g := git.Git{}
	version, _ := g.Line("version")
	lines := []string{"git-merge-yaml " + build.Description(), version}
	if tree, err := g.WorkTree(); err == nil {
		if attributes, err := tree.Attributes([]string{path}, "merge"); err == nil {
			lines = append(lines, "merge attribute: "+attributeSaid(attributes[0]["merge"], anonymous))
		}
	}
	if set, err := g.Settings("merge.conflictStyle"); err == nil && set["merge.conflictStyle"] != "" {
		lines = append(lines, "merge.conflictStyle: "+set["merge.conflictStyle"])
	}
	return lines
}

func attributeSaid(attribute string, anonymous bool) string {
	_, known := driver.RulesOf(attribute)
	if anonymous && !known && !slices.Contains([]string{"set", "unset", "unspecified", "text", "binary", "union"}, attribute) {
		return "another program's"
	}
	return attribute
}
