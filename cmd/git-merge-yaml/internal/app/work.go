package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/regenerate"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/resolve"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// parseSetup reads what install and uninstall have in common.
func parseSetup(c *cli.Context) (setup.Options, error) {
	o := setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	scope, err := oneOption(c, "global", "local")
	if scope == "local" {
		o.Scope = git.Local
	}
	return o, err
}

func install(c *cli.Context) error {
	o, err := parseSetup(c)
	if err != nil {
		return err
	}
	rules := c.String("rules")
	if rules == "default" {
		rules = ""
	}
	return setup.Install(c.App.Writer, o, rules, c.StringSlice("pattern"), c.Bool("force"))
}

func uninstall(c *cli.Context) error {
	o, err := parseSetup(c)
	if err != nil {
		return err
	}
	return setup.Uninstall(c.App.Writer, o)
}

func doctor(c *cli.Context) error {
	return outcome(setup.Doctor(c.App.Writer, setup.DoctorOptions{Fix: c.Bool("fix"), Branches: c.Bool("branches")}))
}

// listPresets tells of each preset what it is for, and whether it counts here.
func (a *App) listPresets(c *cli.Context) error {
	if c.NArg() > 0 {
		return fmt.Errorf("rules %s: want list, show, check, add or remove", c.Args().First())
	}
	s := session.New(session.Options{})
	rules, err := s.Rules()
	if err != nil {
		return s.FirstMistake()
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, p := range merge.Presets() {
		counts := "no"
		if slices.Contains(rules.Extended(), p.Name) {
			counts = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, counts, p.About)
	}
	return w.Flush()
}

// showLists prints the lists of a file, each with what identifies its items, as in
// map [port, protocol=TCP].
func (a *App) showLists(c *cli.Context) error {
	file := c.Args().First()
	if c.NArg() != 1 {
		return fmt.Errorf("want one file, got %d: git-merge-yaml rules show FILE", c.NArg())
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	in, err := disk.Read(file)
	if err != nil {
		return err
	}
	lists, err := merge.Lists(in, s.File(cmp.Or(c.String("path"), s.PathOf(file)), nil, in, nil).Merging())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		var by []string
		for _, k := range l.Keys {
			if d, ok := l.Defaults[k]; ok {
				k += "=" + d
			}
			by = append(by, k)
		}
		if len(l.Separators) > 0 {
			by = []string{"before " + strings.Join(l.Separators, " ")}
		}
		kind := string(l.Kind)
		if len(by) > 0 {
			kind += " [" + strings.Join(by, ", ") + "]"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.EscapeLine(cmp.Or(l.Path, ".")), terminal.EscapeLine(kind), terminal.EscapeLine(l.Source))
	}
	return w.Flush()
}

// checkRules lists the mistakes in the team's rules and in the definitions
// that they name.
func (a *App) checkRules(c *cli.Context) error {
	if c.NArg() > 0 {
		return fmt.Errorf("rules check takes no file, got %s (--config names one with rules)", c.Args().First())
	}
	s := session.New(session.Options{Config: c.String("config")})
	rules, err := s.Rules()
	definitions := 0
	switch {
	case err == nil && rules == nil:
		terminal.PrintLine(c.App.Writer, "there is no %s at the top of the work tree, and no other file is named: nothing to check", session.TeamFile)
		return nil
	case err == nil:
		definitions, err = s.CheckDefinitions(rules)
	}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			terminal.PrintLine(a.Stderr, "%s", line)
		}
		return errLeft
	}
	remarks, checked := rules.Remarks(), ""
	if definitions > 0 {
		checked = fmt.Sprintf(", nor in %s with definitions", terminal.CountNoun(definitions, "file"))
	} else if len(rules.CRDs()) > 0 {
		remarks = append(remarks, "crds: no file matches "+strings.Join(rules.CRDs(), " "))
	}
	unmatched, err := s.Unmatched(rules)
	if err != nil {
		return err
	}
	for _, r := range append(remarks, unmatched...) {
		terminal.PrintLine(a.Stderr, "remark: %s", r)
	}
	terminal.PrintLine(c.App.Writer, "%s: no mistakes%s", s.RulesFile(), checked)
	return nil
}

// changeRules adopts presets in the team's file, or takes them out.
func changeRules(c *cli.Context) error {
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
	s := session.New(session.Options{})
	tree, err := s.WorkTree()
	if err != nil {
		return err
	}
	path := s.RulesFile()
	file := path
	if !filepath.IsAbs(file) {
		file = tree.DiskPath(file)
	}
	does, add := "no longer extends", c.Command.Name == "add"
	if add {
		does = "extends"
	}
	changed, err := session.ChangePresets(file, names, add)
	name := filepath.Base(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(changed) == 0:
		terminal.PrintLine(c.App.Writer, "%s: nothing to change", name)
		return nil
	}
	terminal.PrintLine(c.App.Writer, "%s: %s %s; commit it for others to have it", name, does, strings.Join(changed, ", "))
	open, err := tree.Unmerged(nil)
	isUnmerged := func(u git.Unmerged) bool { return u.Path == path }
	switch {
	case err != nil:
	case len(open) == 0:
		terminal.PrintLine(c.App.Writer, "git merge takes the rules of HEAD, so with this change once it is committed")
	case slices.ContainsFunc(open, isUnmerged):
		terminal.PrintLine(c.App.Writer, "%s is unmerged, so that it does not count yet: git merge-yaml resolve --config %s merges with what it says", name, terminal.QuoteForShell(tree.Rel(path)))
	default:
		terminal.PrintLine(c.App.Writer, "git merge-yaml resolve merges again, with these rules, what is unmerged here")
	}
	return nil
}

func (a *App) resolve(c *cli.Context) error {
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
		Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr, Colours: a.painter(terminal.IsTerminal(a.Stdout)).Colours,
		AcceptAnswers: asks || c.Bool("json") || answers != "", Force: c.Bool("force"), Stage: !c.Bool("no-stage"), Resolve: side, Partial: c.Bool("partial"),
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
	s, _ := a.session(c) // which merges by lines where the team's rules have mistakes
	return outcome(resolve.Run(s, c.Args().Slice(), o))
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
	return outcome(regenerate.Run(s, regenerate.Options{Stdout: a.Stdout, Stderr: a.Stderr, All: c.Bool("all")}))
}
