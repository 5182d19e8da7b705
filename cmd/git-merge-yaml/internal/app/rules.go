package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const rulesDescription = `The rules of a team stand in .git-merge-yaml.yaml at the top of the work tree.
Presets are sets of rules that come with the program, and that nobody has who did
not ask for them; list, which is done without a word behind rules, says which
there are, and which count here.

show prints the lists of a YAML file: the line, the path, how a merge pairs the
items, and where that is known from.

check reads the rules, and the definitions of custom resources that these name,
and lists the mistakes. What is no mistake and yet hardly meant is a remark:
patterns and paths that match nothing in the repository, say.

add asks for presets in the team's file, for all who have it; remove takes them out.

Exits with 0, with 1 if check found a mistake, and with 129 on any failure.`

func (a *App) rulesCommand() *cli.Command {
	list := func(c *cli.Context) error {
		if c.NArg() > 0 {
			return fmt.Errorf("rules %s: want list, show, check, add or remove", c.Args().First())
		}
		return a.listPresets()
	}
	return &cli.Command{
		Name:  "rules",
		Usage: "the rules of the team: list, show, check, add and remove",
		UsageText: "git-merge-yaml rules [list]\ngit-merge-yaml rules show [--path PATH] [--config FILE] [--] FILE\n" +
			"git-merge-yaml rules check [--config FILE]\ngit-merge-yaml rules add|remove NAME...",
		Description: describe(rulesDescription,
			"Which presets there are", "git merge-yaml rules",
			"Bump versions of charts in the merges of all who have this repository", "git merge-yaml rules add helm",
			"By what the items of each list are known", "git merge-yaml rules show k8s/web.yaml",
			"Find mistakes in the rules", "git merge-yaml rules check"),
		Action: list,
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list the presets", Action: list},
			{
				Name: "show", Usage: "show what is known of the lists in FILE", ArgsUsage: "FILE",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "path", Usage: "take FILE for the file at `PATH` of the repository", DefaultText: "where it is"},
					configFlag(),
				},
				Action: func(c *cli.Context) error {
					if c.NArg() != 1 {
						return fmt.Errorf("want one file, got %d: git-merge-yaml rules show FILE", c.NArg())
					}
					s, err := a.session(c)
					if err != nil {
						return err
					}
					return a.showLists(s, c.Args().First(), c.String("path"))
				},
			},
			{
				Name: "check", Usage: "list the mistakes in the rules", Flags: []cli.Flag{configFlag()},
				Action: func(c *cli.Context) error {
					if c.NArg() > 0 {
						return fmt.Errorf("rules check takes no file, got %s (--config names one with rules)", c.Args().First())
					}
					return a.checkRules(session.New(session.Options{Config: c.String("config")}))
				},
			},
			{
				Name: "add", Usage: "adopt presets", ArgsUsage: "NAME...",
				Action: func(c *cli.Context) error { return a.changeRules(c, true) },
			},
			{
				Name: "remove", Usage: "take presets out again", ArgsUsage: "NAME...",
				Action: func(c *cli.Context) error { return a.changeRules(c, false) },
			},
		},
	}
}

// listPresets tells of each preset what it is for, and whether it counts here.
func (a *App) listPresets() error {
	s := session.New(session.Options{})
	rules, err := s.Rules()
	if err != nil {
		return s.FirstMistake()
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	row := func(name string, counts bool, about string) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, map[bool]string{true: "yes", false: "no"}[counts], about)
	}
	for _, p := range merge.Presets() {
		row(p.Name, slices.Contains(rules.Extended(), p.Name), p.About)
	}
	return w.Flush()
}

// showLists prints the lists of a file.
func (a *App) showLists(s *session.Session, file, name string) error {
	in, err := disk.Read(file)
	if err != nil {
		return err
	}
	if name == "" {
		name = s.PathOf(file)
	}
	lists, err := merge.Lists(in, s.File(name, nil, in, nil, nil).Merging())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		path := l.Path
		if path == "" {
			path = "."
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.Printable(path), terminal.Printable(shownKind(l)), terminal.Printable(l.Source))
	}
	return w.Flush()
}

// shownKind is a list's kind with what identifies its items, as in
// map [port, protocol=TCP].
func shownKind(l merge.List) string {
	by := slices.Clone(l.Keys)
	for i, k := range by {
		if d, ok := l.Defaults[k]; ok {
			by[i] = k + "=" + d
		}
	}
	if len(l.Separators) > 0 {
		by = []string{"before " + strings.Join(l.Separators, " ")}
	}
	if len(by) == 0 {
		return string(l.Kind)
	}
	return string(l.Kind) + " [" + strings.Join(by, ", ") + "]"
}

// checkRules lists the mistakes in the team's rules and in the definitions
// that they name.
func (a *App) checkRules(s *session.Session) error {
	found := func(mistakes error) error {
		for line := range strings.SplitSeq(mistakes.Error(), "\n") {
			fmt.Fprintln(a.Stderr, terminal.Printable(line))
		}
		return errFound
	}
	misnamed := ""
	if other := s.Place().Misnamed(); other != "" {
		misnamed = other + " is not read: its name has to be " + team.File
	}
	rules, err := s.Rules()
	switch {
	case err != nil:
		return found(err)
	case rules == nil && misnamed != "":
		return found(errors.New(misnamed))
	case rules == nil:
		fmt.Fprintf(a.Stdout, "there is no %s at the top of the work tree, and no other file is named: nothing to check\n", team.File)
		return nil
	}
	n, err := s.Place().CheckDefinitions(rules)
	if err != nil {
		return found(err)
	}
	remarks, checked := rules.Remarks(), ""
	switch {
	case len(rules.CRDs()) > 0 && n == 0:
		remarks = append(remarks, "crds: no file matches "+strings.Join(rules.CRDs(), " "))
	case n > 0:
		checked = fmt.Sprintf(", nor in %s with definitions", terminal.Count(n, "file"))
	}
	if misnamed != "" {
		remarks = append(remarks, misnamed)
	}
	unmatched, err := s.Place().Unmatched(rules)
	if err != nil {
		return err
	}
	for _, r := range append(remarks, unmatched...) {
		fmt.Fprintln(a.Stderr, terminal.Printable("remark: "+r))
	}
	fmt.Fprintln(a.Stdout, terminal.Printable(s.RulesFile()+": no mistakes"+checked))
	return nil
}

// changeRules adopts presets in the team's file, or takes them out.
func (a *App) changeRules(c *cli.Context, add bool) error {
	names := c.Args().Slice()
	var known []string
	for _, p := range merge.Presets() {
		known = append(known, p.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("rules %s: want a name: %s", c.Command.Name, strings.Join(known, ", "))
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("rules %s: there is no preset called %q; there are %s", c.Command.Name, n, strings.Join(known, ", "))
		}
	}
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		return err
	}
	file, err := team.RulesFile(tree)
	if err != nil {
		return err
	}
	changed, err := team.ChangePresets(file, names, add)
	name := filepath.Base(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(changed) == 0:
		fmt.Fprintln(a.Stdout, terminal.Printable(name+": nothing to change"))
		return nil
	}
	does := map[bool]string{true: "extends ", false: "no longer extends "}[add]
	fmt.Fprintln(a.Stdout, terminal.Printable(name+": "+does+strings.Join(changed, ", ")+"; commit it for others to have it"))
	if open, err := tree.Unmerged(nil); len(open) > 0 && err == nil {
		fmt.Fprintln(a.Stdout, "git merge-yaml resolve merges again, with these rules, what is unmerged here")
	}
	return nil
}
