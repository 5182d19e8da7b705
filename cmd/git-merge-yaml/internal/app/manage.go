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

// setupOptions returns the values of the options that install and uninstall have in common: whose configuration is
// changed (--global, which is the default, --local or --system), the file for lines such as `*.yaml merge=yaml`
// (--attributes, "" if it is not given), and --dry-run. It is an error if more than one of the first three is given;
// the other values are valid then.
func setupOptions(c *cli.Context) (setup.Options, error) {
	o := setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	scope, err := exclusiveOption(c, "global", "local", "system")
	if scope != "" {
		o.Scope = git.Scope(scope)
	}
	return o, err
}

// install runs the command install, which configures git to call this program as a merge driver, and prints the
// changes. With --dry-run, it only prints. What it installs depends on the options:
//
//	neither                the driver yaml, and lines that assign files to it, such as `*.yaml merge=yaml`
//	--rules kustomize      the driver yaml-kustomize, which merges by the rules of kustomize; lines only for --pattern
//	--mergetool TOOL       only a tool, such as vimdiff, for git mergetool
//
// The settings merge.yaml.* or mergetool.* are written into git's configuration, and the lines into an attributes file.
// It is an error if --mergetool is combined with --rules, --pattern or --attributes. It is also one if another program
// is installed as the driver and --force is not given, or if a file cannot be written.
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

// uninstall runs the command uninstall. It removes what the command install wrote: the settings merge.yaml.*, those of
// merge.yaml-kustomize.* and of tools for git mergetool in git's configuration, the lines `*.yaml merge=yaml` in
// attributes files, and the fallback script. It prints the changes, or that there are none; with --dry-run, it only
// prints. It is an error if a file or git's configuration cannot be read or written.
func uninstall(c *cli.Context) error {
	o, err := setupOptions(c)
	if err != nil {
		return err
	}
	return setup.Uninstall(c.App.Writer, o)
}

// initRepository runs the command init, which writes files for a team into the work tree: .gitattributes, a file for
// the team's rules, hooks of pre-commit, and a CI job. The arguments select some of these: attributes, rules, hook and
// ci; without arguments, all are written. It shows the changes as a diff and asks the user before it writes. With --yes
// it does not ask, and with --dry-run it does not write.
//
// The error is errUnresolved, with which the program exits with 1 and prints nothing, if the user declined. It is
// another error if an argument is none of these words, if there is no work tree, or if a file cannot be read or
// written.
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

// listPresets runs the command rules list, which prints a table of the presets: the name, yes or no, and the purpose. A
// preset is a set of rules of this program, such as helm. A team uses it by its name in the field extends of the rules
// file; yes means that the team does. Without a rules file, all lines have no. It returns an error if there is an
// argument, or if the rules file cannot be used.
//
//	PRESET  IN USE  PURPOSE
//	helm    yes     use the next version of a chart that both sides bumped, and the higher version of a dependency
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

// showLists runs the command rules show FILE: it prints a line for each list in a file, with its line number, its path,
// its kind with the fields that identify items, and the source of that rule. A list that is the whole document has the
// path ".". If there are no lists, it prints that to a.Stderr.
//
//	7  spec.ports  map [port, protocol=TCP]  Kubernetes v1 Service
//
// It returns an error if there is not exactly one argument, if the file cannot be read or is not valid YAML, or if the
// team's rules cannot be used.
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
	lists, err := merge.Lists(in, merge.ListsOptions{Path: opts.Path, Rules: opts.Rules})
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

// checkRules runs the command rules check. It reads the team's rules file (or the file of --config), and the custom
// resource definitions that it names, and prints the mistakes in them to a.Stderr. If there are none, it also prints
// remarks there, among them
//
//   - a path, kind or file pattern of the rules that nothing in the repository matches
//   - a rule that never applies because an earlier one always does
//   - a file with a similar name, such as .git-merge-yaml.yml, that is not read
//
// The last line, on the output, says that there are no mistakes or, with --strict, the number of these remarks. If
// there is no rules file, it says so, which is no error.
//
// The error is errUnresolved, with which the program exits with 1, if there are mistakes or, with --strict, such
// remarks. It is another error if there is an argument, or if git fails.
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
		return errUnresolved
	}
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

// printRulesSchema runs the command rules schema, which prints the JSON Schema of the team's rules file, for editors.
func printRulesSchema(c *cli.Context) error {
	_, err := c.App.Writer.Write(rulesSchema)
	return err
}

// changePresets runs the commands rules add and rules remove. A preset is a set of rules of this program, such as helm.
// changePresets adds the presets that the arguments name to the field extends of the team's rules file, or removes them
// from it, and prints the change and when it takes effect. If nothing has to be changed, it prints that. It creates the
// file if necessary, and deletes it if nothing is left in it.
//
// It is an error if there is no argument, if there is no such preset, if there is no work tree, or if the file has
// mistakes or cannot be written. Nothing is changed then.
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

// resolve runs the command resolve, after a merge, rebase or the like has stopped with conflicts. It merges the
// unmerged YAML files, or those that the arguments name, again by field, writes them, and stages those without
// conflicts (not with --no-stage). The remaining conflicts are left between markers, unless an option decides them:
//
//	--interactive       the user answers them at the terminal
//	--json              they are printed, one JSON object a line, for a program to answer
//	--answers FILE      they are answered by this file; "-" is a.Stdin
//	--ours, --theirs    they are decided for one side
//	--git               git's own line merge of the files is written instead
//
// With --json, a.Stdout gets only JSON, and all other output goes to a.Stderr. If the team's rules cannot be used,
// files are merged by lines. The error is errUnresolved, with which the program exits with 1, if a file is not
// resolved. It is another error, and nothing is written, if options contradict each other, or if the answers cannot be
// read. It is also one if there is no work tree or git fails.
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

// regenerate runs the command regenerate. Some files are generated by a program, for example a README that is made from
// values.yaml; the team's rules list such files, the files from which they are generated (their sources), and the
// command for it. After a merge, regenerate runs the commands that the merge affects, or all with --all, so that the
// files are written again, and stages the files. With --trust, it runs nothing, but records that this clone may run the
// commands of the current rules.
//
// The error is errUnresolved, with which the program exits with 1, if nothing was run because a source has unresolved
// conflicts. It is another error if the rules cannot be used, list no generated files or are not trusted, if a command
// fails, or if --trust and --all are combined.
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
