package app

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const listsDescription = `Prints the lists of a YAML file: the line, the path, how a merge pairs the items,
and where that is known from (docs/lists.md).

With --check and without FILE it reads the team's rules, and the definitions of
custom resources that these name, and lists the mistakes in them.

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
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			if err := checkOptionsFirst(files, c.Lineage()[1].Args().Slice(), "FILE"); err != nil {
				return err
			}
			place := placeHere(c.String("config"))
			switch {
			case c.Bool("check") && len(files) == 0:
				return a.checkRules(place)
			case c.Bool("check"):
				return errors.New("--check reads the team's rules, and no FILE")
			case len(files) != 1:
				return fmt.Errorf("want one file, got %d: git-merge-yaml lists [options] FILE", len(files))
			}
			return a.lists(place, files[0], c.String("path"), c.Bool("json"))
		},
	}
}

// A placeInRepository is where a command that is no merge driver runs.
type placeInRepository struct {
	tree   *git.WorkTree // nil outside of work trees
	config string        // what --config names
}

func placeHere(config string) placeInRepository {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		tree = nil
	}
	return placeInRepository{tree, config}
}

// top is the top of the work tree, "" outside of one.
func (p placeInRepository) top() string {
	if p.tree == nil {
		return ""
	}
	return p.tree.Top
}

// rules returns the rules of a merge here, nil if there are none, and the
// name of their file.
func (p placeInRepository) rules() (*merge.Rules, string, error) {
	if p.config != "" {
		r, err := namedRules(p.config, p.top())
		return r, p.config, err
	}
	if p.tree == nil {
		return nil, "", nil
	}
	if r, err := teamRules(p.tree.Top); r != nil || err != nil {
		return r, rulesFile, err
	}
	m := &merger{lines: lineMerger{git: p.tree.Git}}
	err := m.readConfiguredRules()
	return m.team, m.setting(rulesKey), err
}

// rulesOrFirstMistake is rules for what does not list mistakes: it tells the
// first, and how many there are.
func (p placeInRepository) rulesOrFirstMistake() (*merge.Rules, error) {
	rules, _, err := p.rules()
	if err != nil {
		return nil, errors.New(mistakes(err))
	}
	return rules, nil
}

// pathOf returns the path of a file in the repository; outside of it the
// file's own.
func (p placeInRepository) pathOf(file string) string {
	slashed := path.Clean(filepath.ToSlash(file))
	if p.tree == nil || filepath.IsAbs(file) {
		return slashed
	}
	return path.Join(p.tree.Prefix, slashed)
}

func (a *App) lists(place placeInRepository, file, name string, asJSON bool) error {
	rules, err := place.rulesOrFirstMistake()
	if err != nil {
		return err
	}
	in, err := disk.Read(file)
	if err != nil {
		return err
	}
	if name == "" {
		name = place.pathOf(file)
	}
	lists, err := merge.Lists(in.Bytes, merge.Options{Path: filepath.ToSlash(name), Rules: rules})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if asJSON {
		return a.listsJSON(lists)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.Printable(shownPath(l.Path)), terminal.Printable(shownKind(l)), terminal.Printable(l.Source))
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
func (a *App) checkRules(place placeInRepository) error {
	rules, name, err := place.rules()
	switch {
	case err != nil:
		return a.found(err)
	case rules == nil:
		fmt.Fprintf(a.Stdout, "there is no %s at the top of the work tree, and no other file is named: nothing to check\n", rulesFile)
		return nil
	}
	checked := ""
	if len(rules.CRDs()) > 0 && place.top() != "" {
		n, err := checkDefinitions(rules, place.top())
		if err != nil {
			return a.found(err)
		}
		checked = fmt.Sprintf(", nor in %s with definitions", terminal.Count(n, "file"))
	}
	fmt.Fprintln(a.Stdout, terminal.Printable(name+": no mistakes"+checked))
	return nil
}

func checkDefinitions(rules *merge.Rules, top string) (int, error) {
	files, err := crdFiles(top, rules)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("crds: no file matches %s", strings.Join(rules.CRDs(), " "))
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}

// found tells mistakes, a line each.
func (a *App) found(mistakes error) error {
	for line := range strings.SplitSeq(mistakes.Error(), "\n") {
		fmt.Fprintln(a.Stderr, terminal.Printable(line))
	}
	return errFound
}
