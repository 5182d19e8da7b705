package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// setupOptions returns the options of the command line that install and uninstall have in common: --global or --local
// (the scope of the settings), --attributes (the attributes file) and --dry-run.
func setupOptions(c *cli.Context) (setup.Options, error) {
	o := setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	scope, err := exclusiveOption(c, "global", "local", "system")
	if scope != "" {
		o.Scope = git.Scope(scope)
	}
	return o, err
}

// install runs the command install: it configures git to call this program as a merge driver. It writes settings into
// git's configuration, and lines that assign files to the driver, such as `*.yaml merge=yaml`, into an attributes
// file. With --rules, it does this for a driver that merges by other rules.
func install(c *cli.Context) error {
	o, err := setupOptions(c)
	if err != nil {
		return err
	}
	if tool := c.String("mergetool"); tool != "" {
		if c.IsSet("rules") || c.IsSet("pattern") || c.IsSet("attributes") {
			return errors.New("--mergetool can only be combined with --local and --dry-run")
		}
		return setup.InstallMergeTool(c.App.Writer, o, tool)
	}
	rules := c.String("rules")
	if rules == "default" {
		rules = ""
	}
	return setup.Install(c.App.Writer, o, rules, c.StringSlice("pattern"), c.Bool("force"))
}

// uninstall runs the command uninstall: it removes the settings and the lines in attributes files that install wrote.
func uninstall(c *cli.Context) error {
	o, err := setupOptions(c)
	if err != nil {
		return err
	}
	return setup.Uninstall(c.App.Writer, o)
}

// initRepository runs the command init. The error is errUnresolved if the user did not want the files.
func (a *App) initRepository(c *cli.Context) error {
	for _, part := range c.Args().Slice() {
		if !slices.Contains(setup.InitParts, part) {
			return fmt.Errorf("init %s: want %s (%s)", part, strings.Join(setup.InitParts, ", "), helpHint(c))
		}
	}
	ask := &terminal.Asker{In: a.Stdin, Out: a.newPainter(terminal.IsTerminal(a.Stdout))}
	return errorUnlessDone(setup.Init(ask, setup.InitOptions{
		Parts: c.Args().Slice(), CI: c.String("ci"), DryRun: c.Bool("dry-run"), Yes: c.Bool("yes"),
	}))
}

// doctor runs the command doctor: it checks everything that git needs to call this program and prints the results,
// with --fix after it repaired the settings. The error is errUnresolved if a problem was found that is an error, not
// only a warning.
func doctor(c *cli.Context) error {
	return errorUnlessDone(setup.Doctor(c.App.Writer, setup.DoctorOptions{Fix: c.Bool("fix"), Branches: c.Bool("branches"), JSON: c.Bool("json")}))
}

// listPresets runs the command rules list: it prints a line for each preset, with its name, yes or no, and its
// purpose. A preset is a set of rules of this program, such as helm. yes means that the file with the team's rules
// includes it in its field extends. It returns an error if the rules contain mistakes.
func (a *App) listPresets(c *cli.Context) error {
	if c.NArg() > 0 {
		return fmt.Errorf("rules %s: want list, show, check, add, remove or schema", c.Args().First())
	}
	s := session.New(session.Options{})
	rules, err := s.Rules()
	if err != nil {
		return s.FirstRulesError()
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, p := range program.Presets() {
		inUse := "no"
		if slices.Contains(program.Extended(rules), p.Name) {
			inUse = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, inUse, p.About)
	}
	return w.Flush()
}

// showLists runs the command rules show: it prints a line for each list in a file, with its line number, its path, its
// kind with the fields that identify items, and the source of that rule.
//
//	7  spec.ports  map [port, protocol=TCP]  Kubernetes v1 Service
func (a *App) showLists(c *cli.Context) error {
	file := c.Args().First()
	if c.NArg() != 1 {
		return fmt.Errorf("want one file, got %d: git-merge-yaml rules show FILE", c.NArg())
	}
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	in, err := disk.Read(file)
	if err != nil {
		return err
	}
	opts := s.NewFile(cmp.Or(c.String("path"), s.RepoPath(file)), nil, in, nil).MergeOptions()
	lists, err := merge.Lists(in, merge.ListsOptions{Path: opts.Path, Rules: opts.Rules})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(lists) == 0 {
		terminal.PrintLine(a.Stderr, "%s: has no lists", file)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		var identity []string
		for _, k := range l.Keys {
			if d, ok := l.Defaults[k]; ok {
				k += "=" + d
			}
			identity = append(identity, k)
		}
		if len(l.Separators) > 0 {
			identity = []string{"before " + strings.Join(l.Separators, " ")}
		}
		kind := string(l.Kind)
		if len(identity) > 0 {
			kind += " [" + strings.Join(identity, ", ") + "]"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.EscapeLine(cmp.Or(l.Path, ".")), terminal.EscapeLine(kind), terminal.EscapeLine(l.Source))
	}
	return w.Flush()
}

// checkRules runs the command rules check: it reads the team's rules and the custom resource definitions that they
// name. It prints the mistakes in them to a.Stderr, and remarks about names and rules that have no effect, for example a
// path that no file of the repository has. Remarks are not mistakes. The error is errUnresolved if there are mistakes
// or, with --strict, such remarks.
func (a *App) checkRules(c *cli.Context) error {
	if c.NArg() > 0 {
		return fmt.Errorf("rules check takes no file, got %s (--config names one with rules)", c.Args().First())
	}
	s := session.New(session.Options{Config: c.String("config")})
	rules, err := s.Rules()
	definitions, misnamed := 0, ""
	if s.Config == "" {
		misnamed = s.MisnamedRulesFile()
	}
	switch {
	case err == nil && rules == nil && misnamed != "":
		err = errors.New(s.RulesNotice())
	case err == nil && rules == nil:
		terminal.PrintLine(c.App.Writer, "there is no %s at the top of the work tree and no --config: nothing to check", session.RulesFileName)
		return nil
	case err == nil:
		definitions, err = s.CheckCRDFiles(rules)
		err = errors.Join(s.RulesMistakes(), err)
	}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			terminal.PrintLine(a.Stderr, "%s", line)
		}
		return errUnresolved
	}
	var remarks []string // that --strict refuses
	checked := ""
	if misnamed != "" {
		remarks = append(remarks, misnamed+" is not used; the rules come from "+s.RulesFile())
	}
	if definitions > 0 {
		checked = fmt.Sprintf(", nor in %s with definitions", terminal.CountNoun(definitions, "file"))
	} else if len(rules.CRDs()) > 0 {
		remarks = append(remarks, "crds: no file matches "+strings.Join(rules.CRDs(), " "))
	}
	unmatched, err := s.UnmatchedRules(rules)
	if err != nil {
		return err
	}
	remarks = slices.Concat(remarks, program.Shadowed(rules), unmatched)
	for _, r := range append(rules.Remarks(), remarks...) {
		terminal.PrintLine(a.Stderr, "remark: %s", r)
	}
	if c.Bool("strict") && len(remarks) > 0 {
		terminal.PrintLine(c.App.Writer, "%s: %s%s", s.RulesFile(), terminal.CountNoun(len(remarks), "remark"), checked)
		return errUnresolved
	}
	terminal.PrintLine(c.App.Writer, "%s: no mistakes%s", s.RulesFile(), checked)
	return nil
}

// printRulesSchema runs the command rules schema.
func printRulesSchema(c *cli.Context) error {
	_, err := c.App.Writer.Write(rulesSchema)
	return err
}

// changePresets runs the commands rules add and rules remove: it adds presets to the file with the team's rules, or
// removes them, and prints when the change takes effect.
func changePresets(c *cli.Context) error {
	names := c.Args().Slice()
	var known []string
	for _, p := range program.Presets() {
		known = append(known, p.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("rules %s: want a name: %s", c.Command.Name, strings.Join(known, ", "))
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("rules %s: unknown preset %q; presets: %s", c.Command.Name, n, strings.Join(known, ", "))
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
	verb, add := "no longer extends", c.Command.Name == "add"
	if add {
		verb = "extends"
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
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		terminal.PrintLine(c.App.Writer, "%s: deleted, because it contained only %s; commit the deletion to share it with the team", name, strings.Join(changed, ", "))
	} else {
		terminal.PrintLine(c.App.Writer, "%s: %s %s; commit it to share it with the team", name, verb, strings.Join(changed, ", "))
	}
	unmerged, err := tree.Unmerged(nil)
	isUnmerged := func(u git.Unmerged) bool { return u.Path == path }
	switch {
	case err != nil:
	case len(unmerged) == 0:
		terminal.PrintLine(c.App.Writer, "git merge reads the rules from HEAD: commit this change first")
	case slices.ContainsFunc(unmerged, isUnmerged):
		terminal.PrintLine(c.App.Writer, "%s is unmerged and not used yet; git merge-yaml resolve --config %s merges with what it says", name, terminal.QuoteForShell(tree.Rel(path)))
	default:
		terminal.PrintLine(c.App.Writer, "git merge-yaml resolve merges the unmerged files again with these rules")
	}
	return nil
}

// resolve runs the command resolve. It merges the unmerged files of the index, or those that the arguments name, and
// stages those that merge without conflicts. With --interactive, the user is asked about the remaining conflicts; with
// --answers, the answers are read from a file; with --json, the conflicts are printed as questions. If the team's
// rules contain mistakes, files are merged by lines. The error is errUnresolved if files remain unresolved.
func (a *App) resolve(c *cli.Context) error {
	side, err := exclusiveOption(c, "ours", "theirs")
	if err != nil {
		return err
	}
	isInteractive, answers := c.Bool("interactive"), c.String("answers")
	switch {
	case isInteractive && (c.Bool("json") || answers != ""):
		return errors.New("--interactive cannot be used together with --json or --answers")
	case c.Bool("partial") && answers == "":
		return errors.New("--partial needs --answers")
	case c.Bool("git") && c.NArg() == 0:
		return errors.New("--git needs the paths of the files")
	case c.Bool("git") && (isInteractive || c.Bool("json") || answers != "" || side != "" || c.Bool("no-stage")):
		return errors.New("--git can only be used together with --force")
	}
	o := resolve.Options{
		Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr, Colours: a.newPainter(terminal.IsTerminal(a.Stdout)).Colours,
		AcceptAnswers: isInteractive || c.Bool("json") || answers != "", Force: c.Bool("force"), Stage: !c.Bool("no-stage"), Resolve: side, Partial: c.Bool("partial"), LineMerge: c.Bool("git"),
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
	s, _ := a.newCheckedSession(c) // if the rules cannot be used, files are merged by lines
	return errorUnlessDone(resolve.Run(s, c.Args().Slice(), o))
}

// regenerate runs the command regenerate. It runs the commands that the team's rules name for generated files, to
// write these files again after a merge, and stages the result. With --trust, it runs nothing, but records that this
// clone may run the commands of the current rules. The error is errUnresolved if nothing was run because files from
// which others are generated are still unmerged.
func (a *App) regenerate(c *cli.Context) error {
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("trust") && c.Bool("all"):
		return errors.New("--trust cannot be combined with other options: it runs nothing")
	case c.Bool("trust"):
		return regenerate.Trust(s, a.Stdout)
	}
	return errorUnlessDone(regenerate.Run(s, regenerate.Options{Stdout: a.Stdout, Stderr: a.Stderr, All: c.Bool("all")}))
}
