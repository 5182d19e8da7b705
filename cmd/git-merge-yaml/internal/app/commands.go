package app

import (
	"embed"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

// assets are the completion scripts and the help texts.
//
//go:embed completion help
var assets embed.FS

// rulesSchema is the JSON Schema of the team's file. docs/rules.schema.json is a copy of it.
//
//go:embed rules.schema.json
var rulesSchema []byte

// readDescription returns the help text of a command, from the folder help. Each paragraph becomes one line, which the
// library wraps. Paragraphs with examples keep their lines; the script test examples.txtar runs them.
func readDescription(command string) string {
	text, err := assets.ReadFile("help/" + command + ".txt")
	if err != nil {
		panic(err) // the file is embedded, so it can be missing only by mistake
	}
	parts := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for i, p := range parts {
		if !strings.Contains(p, "\n  $ ") {
			parts[i] = strings.Join(strings.Fields(p), " ")
		}
	}
	return strings.Join(parts, "\n\n")
}

// newProgram returns the program as it runs if the arguments do not begin with a command: the merge driver, which
// merges the files BASE OURS THEIRS. Its options select the output, the labels and style of conflict markers, how
// conflicts are decided, and the team's rules.
func (a *App) newProgram() *cli.App {
	return &cli.App{
		Name:      "git-merge-yaml",
		HelpName:  "git-merge-yaml",
		Usage:     "merge YAML manifests field by field",
		UsageText: "git-merge-yaml [options] [--] BASE OURS THEIRS\ngit-merge-yaml COMMAND [options]",
		Compiled:  time.Unix(1, 0), // otherwise the library reads the date of the program's file
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing OURS"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the result to `FILE` instead of replacing OURS"},
			&cli.StringFlag{Name: "path", Usage: "the `PATH` of the file in its repository (%P)"},
			&cli.StringFlag{Name: "marker-size", Usage: "write markers of `N` characters (%L)", DefaultText: "7"},
			&cli.StringSliceFlag{Name: "L", KeepSpace: true, Usage: "`LABEL` of ours, then of base, then of theirs (%X, %S, %Y)"},
			&cli.StringFlag{Name: "style", Usage: "write conflicts in `STYLE`: merge, diff3 or zdiff3", DefaultText: "merge.conflictStyle", Action: requireOneOf("style")},
			&cli.BoolFlag{Name: "ours", Usage: "resolve conflicts with ours"},
			&cli.BoolFlag{Name: "theirs", Usage: "resolve conflicts with theirs"},
			&cli.BoolFlag{Name: "union", Usage: "keep both sides of a conflict"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print only errors to stderr"},
		}, sessionFlags("merge", "default")...),
		Action:                    a.merge,
		HideHelpCommand:           true,
		ErrWriter:                 a.Stderr,
		DisableSliceFlagSeparator: true, // -L main,side is one label
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // the default handler exits the process
	}
}

// sessionFlags returns the options --rules, --config and --own of commands that merge or check files. verb and
// defaultRules are words of the help for --rules: the action of the command, and the rules that it uses without the
// option.
func sessionFlags(verb, defaultRules string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Usage: verb + " by `RULES`: default, or kustomize (theirs wins, no conflicts, null clears)", DefaultText: defaultRules,
			Action: requireOneOf("rules")},
		configFlag(),
		ownFlag(),
	}
}

// configFlag returns the option --config.
func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "read the rules of lists and fields from `FILE`", DefaultText: session.RulesFileName + " or " + session.ConfigKey,
		Action: requireConfigFile}
}

// ownFlag returns the option --own.
func ownFlag() cli.Flag {
	return &cli.StringFlag{Name: "own", Usage: "your own side, `SIDE` ours or theirs, for the policies own, upstream and next", DefaultText: "known from git's current or last operation",
		Action: requireOneOf("own")}
}

// setupFlags returns the options that install and uninstall have in common, followed by more.
func setupFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "global", Usage: "for all repositories of this user (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "for this repository"},
		&cli.BoolFlag{Name: "system", Usage: "for all users of this machine"},
		&cli.StringFlag{Name: "attributes",
			Usage:       "the `FILE` for the patterns: tracked (.gitattributes), info (.git/info/attributes), global, system (/etc/gitattributes) or none",
			DefaultText: "that of --global or --system; with --local tracked", Action: requireOneOf("attributes")},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "print the changes without making them"},
	}, more...)
}

// commands returns the commands in the order of the help.
func (a *App) commands() []*cli.Command {
	all := []*cli.Command{
		{
			Name: "install", Usage: "make git merge YAML files with this program", Action: install,
			Flags: setupFlags(
				&cli.StringSliceFlag{Name: "pattern", KeepSpace: true,
					Usage: "give git the files of `PATTERN`, as in .gitattributes; repeatable", DefaultText: "*.yaml and *.yml"},
				&cli.StringFlag{Name: "rules", Usage: "with `RULES` kustomize: set up the driver " + driver.KustomizeName +
					", for the files of --pattern or of attributes of yours", DefaultText: "default", Action: requireOneOf("rules")},
				&cli.BoolFlag{Name: "force", Usage: "replace another program's merge driver of that name"},
				&cli.StringFlag{Name: "mergetool", Usage: "only make `TOOL` known to git mergetool: " + strings.Join(setup.MergeToolNames(), ", "), Action: requireOneOf("mergetool")},
			),
		},
		{
			Name: "uninstall", Usage: "undo install", Action: uninstall,
			Flags: setupFlags(),
		},
		{
			Name: "doctor", Usage: "check that git will merge YAML files with this program", Action: doctor,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "fix", Usage: "repair git's configuration: reinstall the driver, unset harmful settings"},
				&cli.BoolFlag{Name: "branches", Usage: "also list the branches whose .gitattributes do not name the driver"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
			},
		},
		{
			Name: "init", Usage: "set a repository up for a team: attributes, rules, hooks and a CI job", ArgsUsage: "[attributes] [rules] [hook] [ci]", Action: a.initRepository,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "ci", Usage: "write the CI job for `HOST`, github or gitlab", DefaultText: "the host that the repository is on", Action: requireOneOf("ci")},
				&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "write without a question"},
				&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "print the changes without making them"},
			},
		},
		{
			Name: "resolve", Usage: "merge the unmerged YAML files of a stopped merge or rebase", ArgsUsage: "[--] [PATH...]", Action: a.resolve,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "prompt for each remaining conflict"},
				&cli.BoolFlag{Name: "json", Usage: "print the remaining conflicts as JSON, one object per line"},
				&cli.StringFlag{Name: "answers", Usage: "resolve conflicts with the answers in `FILE`, or - for stdin"},
				&cli.BoolFlag{Name: "partial", Usage: "with --answers: write the accepted answers even if others are refused"},
				&cli.BoolFlag{Name: "ours", Usage: "resolve the remaining conflicts with ours"},
				&cli.BoolFlag{Name: "theirs", Usage: "resolve them with theirs"},
				&cli.BoolFlag{Name: "git", Usage: "write git's own merge to the files in PATH, even if they were merged without conflicts"},
				&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
				ownFlag(),
				configFlag(),
				&cli.BoolFlag{Name: "force", Usage: "merge edited files again; the edits are lost"},
			},
		},
		{
			Name: "regenerate", Usage: "regenerate the generated files that a merge left in conflict", Action: a.regenerate,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "regenerate the files of all rules, not only those in conflict"},
				&cli.BoolFlag{Name: "trust", Usage: "allow the current rules to run in this clone, without running them"},
				configFlag(),
			},
		},
		{
			Name: "explain", Usage: "explain how files are merged, by file or by field", Action: a.explain,
			UsageText: "git-merge-yaml explain [options] [MERGE] [--] [PATH...]\n" +
				"git-merge-yaml explain [options] [--] BASE OURS THEIRS",
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all-files", Usage: "also show files that git merges to the same result"},
				&cli.StringFlag{Name: "path", Usage: "the `PATH` of the three files in the repository, for rules", DefaultText: "where OURS is"},
				&cli.StringFlag{Name: "save", Usage: "write the folder `DIR`, which must not exist: versions, results, settings and a text for an issue"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
			}, sessionFlags("merge", "the rules of PATH's merge attribute")...),
		},
		{
			Name: "diff", Usage: "compare two files field by field", ArgsUsage: "[--] OLD NEW", Action: a.diff,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "the `PATH` of the files in the repository, for rules", DefaultText: "where NEW is"},
				configFlag(),
				&cli.BoolFlag{Name: "json", Usage: "print an object"},
			},
		},
		{
			Name: "check", Usage: "list what a merge lost or changed wrongly", Action: a.check,
			UsageText: "git-merge-yaml check [options] RANGE...\n" +
				"git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT",
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "the `PATH` of RESULT in the repository, for rules", DefaultText: "where it is"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
			}, sessionFlags("check", "the rules of the file's merge attribute")...),
		},
		{
			Name: "rules", Usage: "the rules of the team: list, show, check, add, remove and schema", Action: a.listPresets,
			UsageText: "git-merge-yaml rules [list]\ngit-merge-yaml rules show [--path PATH] [--config FILE] [--] FILE\n" +
				"git-merge-yaml rules check [--strict] [--config FILE]\ngit-merge-yaml rules add|remove NAME...\ngit-merge-yaml rules schema",
			Subcommands: []*cli.Command{
				{Name: "list", Usage: "list the presets", Action: a.listPresets},
				{
					Name: "show", Usage: "show how the lists in FILE are merged", ArgsUsage: "FILE", Action: a.showLists,
					Flags: []cli.Flag{
						&cli.StringFlag{Name: "path", Usage: "the `PATH` of FILE in the repository, for rules", DefaultText: "where it is"},
						configFlag(),
					},
				},
				{Name: "check", Usage: "list mistakes in the rules", Action: a.checkRules, Flags: []cli.Flag{
					&cli.BoolFlag{Name: "strict", Usage: "exit with 1 also for rules that match nothing or never apply"},
					configFlag(),
				}},
				{Name: "add", Usage: "adopt presets", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "remove", Usage: "remove presets", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "schema", Usage: "print the JSON Schema of the team's file, for editors", Action: printRulesSchema, Before: rejectArguments},
			},
		},
		{
			Name: "replay", Usage: "show how it would have merged the past merges of a history", ArgsUsage: "[REVISION RANGE...] [-- PATHSPEC...]", Action: a.replay,
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "the history of all branches and tags"},
				&cli.IntFlag{Name: "max", Usage: "only the newest `N` merges"},
				&cli.BoolFlag{Name: "all-files", Usage: "also list files that git and the driver merge to the same result"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.StringFlag{Name: "html", Usage: "write an HTML page with all files to `FILE`"},
			}, sessionFlags("merge", "default")...),
		},
		{
			Name: "preview", Usage: "show which branches merge into another one", ArgsUsage: "[--] BASE [REF...]", Action: a.preview,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.StringFlag{Name: "html", Usage: "write an HTML page with all branches to `FILE`"},
				configFlag(),
			},
		},
		{
			Name: "merge2", Usage: "write the fields of one file into another", ArgsUsage: "[--] SRC DEST", Action: a.merge2,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing DEST"},
				configFlag(),
			},
		},
		{
			Name: "apply", Usage: "print the live resource after kubectl apply", ArgsUsage: "[--] CONFIG LIVE", Action: a.apply,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "last-applied", Usage: "the last applied configuration, in `FILE`", DefaultText: "the annotation of LIVE"},
				configFlag(),
			},
		},
		{
			Name: "completion", Usage: "print the completion of a shell", UsageText: "git-merge-yaml completion bash|zsh|fish", Action: printCompletion,
		},
		{
			Name: "version", Usage: "print the version", UsageText: "git-merge-yaml version",
			Action: func(c *cli.Context) error { cli.VersionPrinter(c); return nil },
		},
	}
	for _, c := range all {
		if c.UsageText == "" && c.ArgsUsage == "" {
			c.Before = rejectArguments
		}
		if c.UsageText == "" {
			c.UsageText = strings.TrimSpace("git-merge-yaml " + c.Name + " [options] " + c.ArgsUsage)
		}
		for _, x := range append(c.Subcommands, c) {
			x.HideHelpCommand = true // the first argument may be a file with the name help or h
			x.OnUsageError = usageError
		}
	}
	return all
}
