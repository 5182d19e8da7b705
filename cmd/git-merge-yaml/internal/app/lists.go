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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const listsDescription = `Prints the lists of a YAML file: the line, the path, how a merge pairs the items,
and where that is known from (docs/lists.md).

With --check and without FILE it reads the team's rules, and the definitions of
custom resources that these name, and lists the mistakes in them. What is no
mistake and yet hardly meant is a remark: patterns and paths that match nothing in
the repository, say.

Exits with 0, with 1 if --check found a mistake, and with 129 on any failure.`

func (a *App) listsCommand() *cli.Command {
	return &cli.Command{
		Name:        "lists",
		Usage:       "show what is known of the lists in a file; check the team's rules",
		UsageText:   "git-merge-yaml lists [options] [--] FILE\ngit-merge-yaml lists --check [--config FILE]",
		Description: listsDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "path", Usage: "take FILE for the file at `PATH` of the repository", DefaultText: "where it is"},
			configFlag(),
			&cli.BoolFlag{Name: "check", Usage: "check the team's rules"},
			&cli.BoolFlag{Name: "json", Usage: "print an object per line (docs/lists.schema.json)"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			switch {
			case c.Bool("check") && len(files) == 0:
				return a.checkRules(session.New(session.Options{Config: c.String("config")}))
			case c.Bool("check"):
				return errors.New("--check reads the team's rules, and no FILE")
			case len(files) != 1:
				return fmt.Errorf("want one file, got %d: git-merge-yaml lists [options] FILE", len(files))
			}
			s, err := a.session(c)
			if err != nil {
				return err
			}
			return a.lists(s, files[0], c.String("path"), c.Bool("json"))
		},
	}
}

func (a *App) lists(s *session.Session, file, name string, asJSON bool) error {
	in, err := disk.Read(file)
	if err != nil {
		return err
	}
	if name == "" {
		name = s.PathOf(file)
	}
	opts := s.File(name, nil, in.Bytes, nil, nil).Merging().File()
	lists, err := merge.Lists(in.Bytes, opts)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if asJSON {
		return a.listsJSON(lists)
	}
	if filepath.Base(name) == "Chart.yaml" && !opts.Rules.Bumps(name) {
		fmt.Fprintf(a.Stderr,
			"of a chart: with `extends: helm` in %s, versions that both sides bumped are bumped once more (docs/helm.md)\n",
			team.File)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.Printable(shownPath(l.Path)), terminal.Printable(shownKind(l)),
			terminal.Printable(l.Source))
	}
	return w.Flush()
}

// shownPath is the path of a list, that of the root as rules have it.
func shownPath(p string) string {
	if p == "" {
		return "."
	}
	return p
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

func (a *App) listsJSON(lists []merge.List) error {
	type object struct {
		Line       int               `json:"line"`
		Path       string            `json:"path"`
		Kind       merge.ListKind    `json:"kind"`
		Keys       []string          `json:"keys,omitempty"`
		Defaults   map[string]string `json:"defaults,omitempty"`
		Separators []string          `json:"separators,omitempty"`
		Source     string            `json:"source"`
	}
	e := terminal.NewEncoder(a.Stdout)
	for _, l := range lists {
		if err := e.Encode(object{l.Line, shownPath(l.Path), l.Kind, l.Keys, l.Defaults, l.Separators, l.Source}); err != nil {
			return err
		}
	}
	return nil
}

// checkRules lists the mistakes in the team's rules and in the definitions
// that they name.
func (a *App) checkRules(s *session.Session) error {
	rules, err := s.Rules()
	switch {
	case err != nil:
		return a.found(err)
	case rules == nil && s.MisnamedRules() != "":
		return a.found(fmt.Errorf("%s is not read: its name has to be %s", s.MisnamedRules(), team.File))
	case rules == nil:
		fmt.Fprintf(a.Stdout, "there is no %s at the top of the work tree, and no other file is named: nothing to check\n", team.File)
		return nil
	}
	checked := ""
	n, err := s.CheckDefinitions()
	if err != nil {
		return a.found(err)
	}
	a.remark(rules.Remarks())
	switch {
	case len(rules.CRDs()) > 0 && n == 0:
		a.remark([]string{"crds: no file matches " + strings.Join(rules.CRDs(), " ")})
	case n > 0:
		checked = fmt.Sprintf(", nor in %s with definitions", terminal.Count(n, "file"))
	}
	if other := s.MisnamedRules(); other != "" {
		a.remark([]string{other + " is not read: its name would have to be " + team.File})
	}
	unmatched, err := s.Unmatched()
	if err != nil {
		return err
	}
	a.remark(unmatched)
	fmt.Fprintln(a.Stdout, terminal.Printable(s.RulesFile()+": no mistakes"+checked))
	return nil
}

// remark tells what is no mistake, a line each.
func (a *App) remark(remarks []string) {
	for _, r := range remarks {
		fmt.Fprintln(a.Stderr, terminal.Printable("remark: "+r))
	}
}

// found tells mistakes, a line each.
func (a *App) found(mistakes error) error {
	for line := range strings.SplitSeq(mistakes.Error(), "\n") {
		fmt.Fprintln(a.Stderr, terminal.Printable(line))
	}
	return errFound
}
