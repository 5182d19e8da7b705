package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const rulesDescription = `Lists the presets: sets of rules that come with the program and that nobody has
who did not ask for them. yes stands behind those that count here.

rules add asks for them: in the team's file, .git-merge-yaml.yaml, for all who
have it; with --global in your own git configuration, for you alone and in every
repository (` + team.ExtendsKey + `). rules add generated looks for files here that programs
make, and writes into the team's file which ones and, where it is known, by what.

Exits with 0, and with 129 on any failure.`

func (a *App) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:        "rules",
		Usage:       "list the sets of rules that come with the program, and adopt them",
		UsageText:   "git-merge-yaml rules\ngit-merge-yaml rules add [--global] NAME...",
		Description: rulesDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "global", Usage: "with add, for you in every repository, and not in the team's file"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			switch {
			case len(words) == 0 && c.Bool("global"):
				return errors.New("--global says where add writes: git-merge-yaml rules add --global NAME")
			case len(words) == 0:
				return a.listPresets()
			case words[0] != "add":
				return fmt.Errorf("rules %s: want add, or nothing to list the presets", words[0])
			}
			names := words[1:]
			if len(names) == 0 {
				return fmt.Errorf("rules add: want a name: %s", strings.Join(presetNames(), ", "))
			}
			return a.addRules(names, c.Bool("global"))
		},
	}
}

// addRules adopts presets; what is generated is looked for in the repository.
func (a *App) addRules(names []string, globally bool) error {
	presets := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == generatedName })
	if len(presets) > 0 {
		if _, err := merge.ExtendRules("rules add", presets...); err != nil {
			return err
		}
	}
	find := len(presets) < len(names)
	switch {
	case find && globally:
		return errors.New("rules add --global generated: what is generated is a repository's own; leave --global out")
	case globally:
		return a.addGlobally(presets)
	case len(presets) > 0:
		if err := a.addToTeam(presets); err != nil {
			return err
		}
	}
	if find {
		return a.addGenerated()
	}
	return nil
}

func presetNames() (names []string) {
	for _, p := range merge.Presets() {
		names = append(names, p.Name)
	}
	return append(names, generatedName)
}

// listPresets tells of each preset what it is for, and whether it counts here.
func (a *App) listPresets() error {
	s := session.New(session.Options{})
	rules, err := s.Rules()
	if err != nil {
		return s.FirstMistake()
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, p := range merge.Presets() {
		counts := "no"
		if slices.Contains(rules.Extended(), p.Name) {
			counts = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, counts, p.About)
	}
	counts := "no"
	if len(rules.Generated()) > 0 {
		counts = "yes"
	}
	fmt.Fprintf(w, "%s\t%s\t%s\n", generatedName, counts, "what programs make here, as far as it can be found, and by what it is made again (docs/generated.md)")
	return w.Flush()
}

// addToTeam makes the team's file extend presets.
func (a *App) addToTeam(names []string) error {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		return fmt.Errorf("%w; with --global it is written into your own git configuration", err)
	}
	file, err := team.RulesFile(tree)
	if err != nil {
		return err
	}
	added, err := team.AddPresets(file, names...)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	a.tellAdded(filepath.Base(file), added, "; commit it for others to have it")
	if open, err := tree.Unmerged(nil); len(added) > 0 && len(open) > 0 && err == nil {
		fmt.Fprintln(a.Stdout, "git merge-yaml resolve merges again, with these rules, what is unmerged here")
	}
	return nil
}

// driverKey is the setting without which git refuses to merge if it has another one of the
// driver's.
const driverKey = "merge." + driver.Name + ".driver"

// addGlobally makes the user's git configuration name presets.
func (a *App) addGlobally(names []string) error {
	g := git.Git{}
	if line, err := g.Settings(driverKey); err != nil || line[driverKey] == "" {
		return errors.New("git does not know the driver yet: git merge-yaml install, then this again")
	}
	have, err := g.Config(git.Global, team.ExtendsKey)
	if err != nil {
		return err
	}
	all := team.SplitPresets(have)
	added := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(all, n) })
	if len(added) > 0 {
		if err := g.SetConfig(git.Global, team.ExtendsKey, strings.Join(append(all, added...), ",")); err != nil {
			return err
		}
	}
	a.tellAdded(team.ExtendsKey+" (git config --global)", added, ", in every repository of yours")
	return nil
}

// tellAdded says what extends presets now.
func (a *App) tellAdded(where string, added []string, more string) {
	line := where + ": extends " + strings.Join(added, ", ") + more
	if len(added) == 0 {
		line = where + ": nothing to change"
	}
	fmt.Fprintln(a.Stdout, terminal.Printable(line))
}
