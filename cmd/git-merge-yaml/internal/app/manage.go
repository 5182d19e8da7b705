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

// setupOptions returns the values of the options that install and uninstall have in common: --global (the default),
// --local or --system, --attributes and --dry-run. It is an error if more than one of the first three is given. The
// value of --attributes is checked by the option itself.
func setupOptions(c *cli.Context) (setup.Options, error) {
	o := setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	scope, err := exclusiveOption(c, "global", "local", "system")
	if scope != "" {
		o.Scope = git.Scope(scope)
	}
	return o, err
}

// install runs the command install, which configures git to call this program as a merge driver or, with --mergetool, a
// tool for git mergetool, and prints the changes. With --dry-run, it only prints. It is an error if another program is
// installed as the driver and --force is not given, or if a file cannot be written.
func install(c *cli.Context) error {
	o, err := setupOptions(c)
	if err != nil {
		return err
	}
	if tool := c.String("mergetool"); tool != "" {
		if c.IsSet("rules") || c.IsSet("pattern") || c.IsSet("attributes") {
			return errors.New("--mergetool cannot be used together with --rules, --pattern or --attributes")
		}
		return setup.InstallMergeTool(c.App.Writer, o, tool)
	}
	rules := c.String("rules")
	if rules == "default" {
		rules = ""
	}
	return setup.Install(c.App.Writer, o, rules, c.StringSlice("pattern"), c.Bool("force"))
}

// uninstall runs the command uninstall, which removes what install wrote from git's configuration and attributes files,
// and the fallback script. It prints the changes, or that there are none; with --dry-run, it only prints. It is an
// error if a file or git's configuration cannot be read or written.
func uninstall(c *cli.Context) error {
	o, err := setupOptions(c)
	if err != nil {
		return err
	}
	return setup.Uninstall(c.App.Writer, o)
}

// initRepository runs the command init, which writes files for a team into the work tree. The arguments select some of
// them: attributes, rules, hook and ci. It shows the changes and asks the user before it writes; with --yes it does not
// ask, and with --dry-run it does not write. The error is errUnresolved if the user declined.
func (a *App) initRepository(c *cli.Context) error {
	for _, part := range c.Args().Slice() {
		if !slices.Contains(setup.InitParts, part) {
			return fmt.Errorf("unknown part %q; use %s", part, joinWithOr(setup.InitParts))
		}
	}
	ask := &terminal.Asker{In: a.Stdin, Out: a.newPainter(terminal.IsTerminal(a.Stdout)), QuitHelp: "quit, and write nothing"}
	return errorUnlessDone(setup.Init(ask, setup.InitOptions{
		Parts: c.Args().Slice(), CI: c.String("ci"), DryRun: c.Bool("dry-run"), Yes: c.Bool("yes"),
	}))
}

// doctor runs the command doctor: it checks everything that git needs to call this program, such as its settings and
// attributes, and prints the results. With --fix, it first repairs the settings. The error is errUnresolved if a
// problem was found that is an error, not only a warning; the program then exits with 1.
func doctor(c *cli.Context) error {
	return errorUnlessDone(setup.Doctor(c.App.Writer, setup.DoctorOptions{Fix: c.Bool("fix"), Branches: c.Bool("branches"), JSON: c.Bool("json")}))
}

// listPresets runs the command rules list, and rules without a subcommand: it prints the presets, which are rules that
// come with this program, and whether the team's rules extend them. It returns an error if there is an argument, or if
// the rules file cannot be used.
//
//	PRESET  IN USE  PURPOSE
//	helm    yes     use the next version of a chart ...
func (a *App) listPresets(c *cli.Context) error {
	if c.Command.Name == "list" {
		if err := rejectArguments(c); err != nil {
			return err
		}
	}
	if c.NArg() > 0 {
		return fmt.Errorf("unknown command %q; use list, show, check, add, remove or schema", "rules "+c.Args().First())
	}
	s := session.New(session.Options{})
	rules, err := s.Rules()
	if err != nil {
		return s.FirstRulesError()
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PRESET\tIN USE\tPURPOSE")
	for _, p := range program.Presets() {
		inUse := "no"
		if slices.Contains(program.Extended(rules), p.Name) {
			inUse = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, inUse, p.About)
	}
	return w.Flush()
}

// showLists runs the command rules show FILE, which prints how the lists of a file are merged: for each, its line,
// path, kind, identifying fields, and the source of that rule. It returns an error if the file is not valid YAML, or if
// the team's rules cannot be used.
//
//	7  spec.ports  map [port, protocol=TCP]  Kubernetes v1 Service
func (a *App) showLists(c *cli.Context) error {
	file := c.Args().First()
	if c.NArg() != 1 {
		return fmt.Errorf("expected one file, got %d; usage: git-merge-yaml rules show FILE", c.NArg())
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
	lists, err := merge.Lists(in, merge.FileOptions{Path: opts.Path, Rules: opts.Rules})
	if err != nil {
		if place, ok := strings.CutPrefix(err.Error(), cmp.Or(opts.Path, "the file")+":"); ok {
			return fmt.Errorf("%s:%s", file, place)
		}
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(lists) == 0 {
		terminal.PrintLine(a.Stderr, "%s: no lists", file)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, l := range lists {
		var identity []string
		if len(l.Separators) > 0 {
			text := "before " + strings.Join(l.Separators, " ")
			if l.After != "" {
				text = "after " + l.After + " " + text
			}
			identity = append(identity, text)
		}
		for _, k := range l.Keys {
			if d, ok := l.Defaults[k]; ok {
				k += "=" + d
			}
			identity = append(identity, k)
		}
		kind := string(l.Kind)
		if len(identity) > 0 {
			kind += " [" + strings.Join(identity, ", ") + "]"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, terminal.EscapeLine(cmp.Or(l.Path, ".")), terminal.EscapeLine(kind), terminal.EscapeLine(l.Source))
	}
	return w.Flush()
}

// checkRules runs the command rules check, which prints the mistakes in the team's rules file, or in that of --config,
// to a.Stderr, and remarks, for example about a rule that matches nothing. The error is errUnresolved if there are
// mistakes or, with --strict, rules without effect. A missing rules file is a mistake only if something names it, or if
// there is a file with a similar name.
func (a *App) checkRules(c *cli.Context) error {
	if c.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; use --config FILE to check another file with rules", c.Args().First())
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
		terminal.PrintLine(c.App.Writer, "nothing to check (no %s at the top of the work tree, and no --config)", session.RulesFileName)
		return nil
	case err == nil:
		definitions, err = s.CheckCRDFiles(rules)
		err = errors.Join(s.RulesMistakes(), err)
	}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			terminal.PrintLine(a.Stderr, "%s", line)
		}
		if rules == nil {
			return errUnresolved
		}
	}
	hasMistakes := err != nil
	var remarks []string // that --strict refuses
	checked := ""
	if misnamed != "" {
		remarks = append(remarks, misnamed+" is ignored; the rules are in "+s.RulesFile())
	}
	if definitions > 0 {
		checked = fmt.Sprintf(" (also checked %s with custom resource definitions)", terminal.CountNoun(definitions, "file"))
	} else if len(rules.CRDs()) > 0 {
		remarks = append(remarks, "crds: no file matches "+strings.Join(rules.CRDs(), " "))
	}
	unmatched, partial, err := s.UnmatchedRules(rules)
	if err != nil {
		return err
	}
	remarks = slices.Concat(remarks, program.Shadowed(rules), unmatched)
	all := slices.Concat(rules.Remarks(), remarks, partial)
	for _, r := range all {
		terminal.PrintLine(a.Stderr, "remark: %s", r)
	}
	if hasMistakes {
		return errUnresolved
	}
	if c.Bool("strict") && len(remarks) > 0 {
		terminal.PrintLine(c.App.Writer, "%s: %s%s", s.RulesFile(), terminal.CountNoun(len(all), "remark"), checked)
		return errUnresolved
	}
	terminal.PrintLine(c.App.Writer, "%s: no mistakes%s", s.RulesFile(), checked)
	return nil
}

// printRulesSchema runs the command rules schema, which prints the JSON Schema of the team's rules file, for editors.
func printRulesSchema(c *cli.Context) error {
	_, err := c.App.Writer.Write(rulesSchema)
	return err
}

// changePresets runs the commands rules add and rules remove, which add presets to the field extends of the team's
// rules file, or remove them, and prints the change and when it takes effect. It creates the file if necessary, and
// deletes it if nothing is left in it. After an error, such as an unknown preset, nothing is changed.
func changePresets(c *cli.Context) error {
	names := c.Args().Slice()
	var known []string
	for _, p := range program.Presets() {
		known = append(known, p.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("expected the name of a preset; use %s", joinWithOr(known))
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("unknown preset %q; use %s", n, joinWithOr(known))
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
		return err
	case len(changed) == 0:
		terminal.PrintLine(c.App.Writer, "%s: nothing to change", name)
		return nil
	}
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		terminal.PrintLine(c.App.Writer, "%s: deleted, because the file contained only %s; commit the deletion to share the change with the team", name, strings.Join(changed, ", "))
	} else {
		terminal.PrintLine(c.App.Writer, "%s: %s %s; commit the file to share the change with the team", name, verb, strings.Join(changed, ", "))
	}
	unmerged, err := tree.Unmerged(nil)
	isUnmerged := func(u git.Unmerged) bool { return u.Path == path }
	switch {
	case err != nil:
	case len(unmerged) == 0:
		terminal.PrintLine(c.App.Writer, "git merge reads the rules from HEAD: the change applies after the commit")
	case slices.ContainsFunc(unmerged, isUnmerged):
		terminal.PrintLine(c.App.Writer, "%s is unmerged, so these rules are not used yet; to use them, run \"git merge-yaml resolve --config %s\"", name, terminal.QuoteForShell(tree.Rel(path)))
	default:
		terminal.PrintLine(c.App.Writer, "to merge the unmerged files with these rules, run \"git merge-yaml resolve\"")
	}
	return nil
}

// resolve runs the command resolve, which merges unmerged YAML files by field after git has stopped with conflicts; the
// arguments select files. The error is errUnresolved if a file is not resolved. It is another error, before anything is
// written, if options contradict each other or the answers cannot be read.
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
		return errors.New("--partial requires --answers")
	case c.Bool("git") && c.NArg() == 0:
		return errors.New("--git requires the paths of the files")
	case c.Bool("git") && (isInteractive || c.Bool("json") || answers != "" || side != "" || c.Bool("no-stage") || c.Bool("markers")):
		return errors.New("--git cannot be used together with --interactive, --json, --answers, --ours, --theirs, --markers or --no-stage")
	case c.Bool("markers") && c.Bool("force"):
		return errors.New("--markers and --force cannot be used together: --markers keeps your edits")
	}
	o := resolve.Options{
		Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr, Colours: a.newPainter(terminal.IsTerminal(a.Stdout)).Colours,
		AcceptAnswers: isInteractive || c.Bool("json") || answers != "", Force: c.Bool("force"), Stage: !c.Bool("no-stage"), Resolve: side, Partial: c.Bool("partial"), LineMerge: c.Bool("git"), Markers: c.Bool("markers"),
	}
	if c.Bool("json") {
		// Stdout gets only JSON, and all other output goes to Stderr
		o.JSON, o.Stdout = &show.JSON{W: a.Stdout}, a.Stderr
	}
	if answers != "" {
		in := a.Stdin
		if answers != "-" {
			f, err := os.Open(answers)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--answers %s: no such file", answers)
			} else if err != nil {
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

// regenerate runs the command regenerate, which runs the commands of the team's rules that generate files, those that
// the merge affected or, with --all, all, and stages the files. With --trust, it only records that this clone may run
// these commands. The error is errUnresolved if nothing was run because a source of a file has conflicts.
func (a *App) regenerate(c *cli.Context) error {
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("trust") && c.Bool("all"):
		return errors.New("--trust and --all cannot be used together: --trust runs no commands")
	case c.Bool("trust"):
		return regenerate.Trust(s, a.Stdout)
	}
	return errorUnlessDone(regenerate.Run(s, regenerate.Options{Stdout: a.Stdout, Stderr: a.Stderr, All: c.Bool("all")}))
}
