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

// rulesSchema is the JSON Schema of the file with the team's rules. docs/rules.schema.json is a copy of it.
//
//go:embed rules.schema.json
var rulesSchema []byte

// readDescription returns the help text of a command, such as "resolve", or of the program, "git-merge-yaml". Each
// paragraph is one line, because the library wraps it; only those with examples keep their lines. It panics if there is
// no text for the command.
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

// newProgram returns the command line by which git runs the program as a merge driver: git-merge-yaml [options] BASE
// OURS THEIRS. Running it calls a.merge. It has no commands; buildCLI adds them.
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
			&cli.StringFlag{Name: "path", Usage: "the `PATH` of the file in the repository (%P)"},
			&cli.StringFlag{Name: "marker-size", Usage: "write conflict markers with `N` characters (%L)", DefaultText: "7"},
			&cli.StringSliceFlag{Name: "L", KeepSpace: true, Usage: "the `LABEL` for ours, then for base, then for theirs (%X, %S, %Y)"},
			&cli.StringFlag{Name: "style", Usage: "write conflicts in the style `STYLE`: merge, diff3 or zdiff3", DefaultText: "merge.conflictStyle", Action: requireOneOf("style")},
			&cli.BoolFlag{Name: "ours", Usage: "for conflicts, use our version"},
			&cli.BoolFlag{Name: "theirs", Usage: "for conflicts, use their version"},
			&cli.BoolFlag{Name: "union", Usage: "for conflicts, use both versions; one value that both sides changed stays in conflict"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print only errors"},
		}, sessionFlags("merge", "default")...),
		Action:                    a.merge,
		HideHelpCommand:           true,
		ErrWriter:                 a.Stderr,
		DisableSliceFlagSeparator: true, // -L main,side is one label
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // the default handler exits the process
	}
}

// sessionFlags returns the options --rules, --config and --own, in this order, of commands that merge or check files.
// verb is the verb in the help for --rules, such as "merge". defaultRules is the text in the help for the rules that
// are used without the option, such as "default".
func sessionFlags(verb, defaultRules string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Usage: verb + " with the rule set `RULES`: default, or kustomize (theirs wins, no conflicts, null removes a field)", DefaultText: defaultRules,
			Action: requireOneOf("rules")},
		configFlag(),
		ownFlag(),
	}
}

// configFlag returns the option --config.
func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "read the rules for lists and fields from `FILE`", DefaultText: session.RulesFileName + " or " + session.ConfigKey,
		Action: requireConfigFile}
}

// ownFlag returns the option --own.
func ownFlag() cli.Flag {
	return &cli.StringFlag{Name: "own", Usage: "your own `SIDE`, ours or theirs, for the policies own, upstream and next", DefaultText: "depends on the git operation",
		Action: requireOneOf("own")}
}

// setupFlags returns the options that install and uninstall have in common (--global, --local, --system, --attributes
// and --dry-run), followed by more.
func setupFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "global", Usage: "for all your repositories (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "for this repository only"},
		&cli.BoolFlag{Name: "system", Usage: "for all users of this machine"},
		&cli.StringFlag{Name: "attributes",
			Usage:       "the attributes `FILE` with the patterns: tracked (.gitattributes), info (.git/info/attributes), global, system (/etc/gitattributes) or none",
			DefaultText: "global or system, like the configuration; tracked with --local", Action: requireOneOf("attributes")},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "show the changes, but do not make them"},
	}, more...)
}

// commands returns all commands, such as install and resolve, in the order in which the help lists them, each with its
// options and the method that runs it. Each call returns new commands, which the caller may change. The driver, which
// runs without a command, is not among them.
func (a *App) commands() []*cli.Command {
	all := []*cli.Command{
		{
			Name: "install", Usage: "set up git to merge YAML files with this program", Action: install,
			Flags: setupFlags(
				&cli.StringSliceFlag{Name: "pattern", KeepSpace: true,
					Usage: "merge the files that match `PATTERN`, as in .gitattributes; can be repeated", DefaultText: "*.yaml and *.yml"},
				&cli.StringFlag{Name: "rules", Usage: "the rule set `RULES`: default, or kustomize, which sets up the driver " + driver.KustomizeName +
					" for the files of --pattern or of your own attributes", DefaultText: "default", Action: requireOneOf("rules")},
				&cli.BoolFlag{Name: "force", Usage: "replace a merge driver of another program with the same name"},
				&cli.StringFlag{Name: "mergetool", Usage: "only set up `TOOL` for git mergetool: " + strings.Join(setup.MergeToolNames(), ", "), Action: requireOneOf("mergetool")},
			),
		},
		{
			Name: "uninstall", Usage: "undo install", Action: uninstall,
			Flags: setupFlags(),
		},
		{
			Name: "doctor", Usage: "check that git merges YAML files with this program", Action: doctor,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "fix", Usage: "run install if necessary, and unset harmful settings"},
				&cli.BoolFlag{Name: "branches", Usage: "also list the branches without merge=yaml in .gitattributes"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
			},
		},
		{
			Name: "init", Usage: "add attributes, rules, hooks and a CI job to a repository", ArgsUsage: "[attributes] [rules] [hook] [ci]", Action: a.initRepository,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "ci", Usage: "write the CI job for `HOST`, github or gitlab", DefaultText: "the host of the repository", Action: requireOneOf("ci")},
				&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask before writing"},
				&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "show the changes, but do not make them"},
			},
		},
		{
			Name: "resolve", Usage: "merge the unmerged YAML files of a stopped merge or rebase", ArgsUsage: "[--] [PATH...]", Action: a.resolve,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about the remaining conflicts, one by one"},
				&cli.BoolFlag{Name: "json", Usage: "print the remaining conflicts as JSON, one object per line"},
				&cli.StringFlag{Name: "answers", Usage: "resolve conflicts with the answers in `FILE`, or - for stdin"},
				&cli.BoolFlag{Name: "partial", Usage: "with --answers: write the accepted answers even if others are refused"},
				&cli.BoolFlag{Name: "ours", Usage: "for the remaining conflicts, use our version"},
				&cli.BoolFlag{Name: "theirs", Usage: "for the remaining conflicts, use their version"},
				&cli.BoolFlag{Name: "git", Usage: "write git's own merge of the files in PATH, even if they were merged without conflicts"},
				&cli.BoolFlag{Name: "markers", Usage: "take the versions from the conflict markers in the files, not from git's index"},
				&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
				ownFlag(),
				configFlag(),
				&cli.BoolFlag{Name: "force", Usage: "also merge files that were edited after the merge; the edits are lost"},
			},
		},
		{
			Name: "regenerate", Usage: "regenerate files after a merge", Action: a.regenerate,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "regenerate the files of all rules, even if the merge did not affect them"},
				&cli.BoolFlag{Name: "trust", Usage: "run nothing, but trust the current rules in this clone"},
				configFlag(),
			},
		},
		{
			Name: "explain", Usage: "explain a merge, file by file or field by field", Action: a.explain,
			UsageText: "git-merge-yaml explain [options] [MERGE] [--] [PATH...]\n" +
				"git-merge-yaml explain [options] [--] BASE OURS THEIRS",
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all-files", Usage: "also show files that git merges the same way"},
				&cli.StringFlag{Name: "path", Usage: "merge the three files as the file at `PATH` in the repository", DefaultText: "the path of OURS"},
				&cli.StringFlag{Name: "save", Usage: "write versions, results, settings and a text for an issue to the new folder `DIR`"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
			}, sessionFlags("merge", "that of the merge attribute of PATH")...),
		},
		{
			Name: "diff", Usage: "show the fields that differ between two files", ArgsUsage: "[--] OLD NEW", Action: a.diff,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "compare the files as versions of the file at `PATH` in the repository", DefaultText: "the path of NEW"},
				configFlag(),
				&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 if the files differ"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			},
		},
		{
			Name: "check", Usage: "list changes that a merge lost", Action: a.check,
			UsageText: "git-merge-yaml check [options] RANGE...\n" +
				"git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT",
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "check RESULT as the file at `PATH` in the repository", DefaultText: "its own path"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
			}, sessionFlags("check", "that of the file's merge attribute")...),
		},
		{
			Name: "rules", Usage: "list, show, check and change the rules of the team", Action: a.listPresets,
			UsageText: "git-merge-yaml rules [list]\ngit-merge-yaml rules show [--path PATH] [--config FILE] [--] FILE\n" +
				"git-merge-yaml rules check [--strict] [--config FILE]\ngit-merge-yaml rules add|remove NAME...\ngit-merge-yaml rules schema",
			Subcommands: []*cli.Command{
				{Name: "list", Usage: "list the presets", Action: a.listPresets},
				{
					Name: "show", Usage: "show how the items of the lists in FILE are matched", ArgsUsage: "FILE", Action: a.showLists,
					Flags: []cli.Flag{
						&cli.StringFlag{Name: "path", Usage: "read FILE as the file at `PATH` in the repository", DefaultText: "its own path"},
						configFlag(),
					},
				},
				{Name: "check", Usage: "list the mistakes in the rules", Action: a.checkRules, Flags: []cli.Flag{
					&cli.BoolFlag{Name: "strict", Usage: "also exit with 1 for rules that match nothing or never apply"},
					configFlag(),
				}},
				{Name: "add", Usage: "add presets to the team's file", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "remove", Usage: "remove presets from the team's file", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "schema", Usage: "print the JSON Schema of the team's file, for editors", Action: printRulesSchema, Before: rejectArguments},
			},
		},
		{
			Name: "replay", Usage: "repeat past merges and compare the results", ArgsUsage: "[REVISION RANGE...] [-- PATHSPEC...]", Action: a.replay,
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "read the history of all branches and tags"},
				&cli.IntFlag{Name: "max", Usage: "read only the newest `N` merges"},
				&cli.BoolFlag{Name: "all-files", Usage: "also list files that git and the driver merge the same way"},
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.StringFlag{Name: "html", Usage: "write an HTML page with all files to `FILE`"},
			}, sessionFlags("merge", "default")...),
		},
		{
			Name: "preview", Usage: "show which branches can be merged without conflicts", ArgsUsage: "[--] BASE [REF...]", Action: a.preview,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "json", Usage: "print one JSON object per line"},
				&cli.StringFlag{Name: "html", Usage: "write an HTML page with all branches to `FILE`"},
				configFlag(),
			},
		},
		{
			Name: "merge2", Usage: "merge the fields of one file into another", ArgsUsage: "[--] SRC DEST", Action: a.merge2,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing DEST"},
				configFlag(),
			},
		},
		{
			Name: "apply", Usage: "print the result of kubectl apply for a live resource", ArgsUsage: "[--] CONFIG LIVE", Action: a.apply,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "last-applied", Usage: "read the configuration that was applied last time from `FILE`", DefaultText: "the annotation of LIVE"},
				configFlag(),
			},
		},
		{
			Name: "completion", Usage: "print a script for shell completion", UsageText: "git-merge-yaml completion bash|zsh|fish", Action: printCompletion,
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
