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

// readDescription returns the help text of a command, from the folder help. Line breaks within a paragraph become
// blanks, because the library for command lines wraps the text. Paragraphs with examples, which have a line that begins
// with "  $ ", keep their lines. It panics if there is no text for the command.
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

// newProgram returns the command line of the program without its commands: git-merge-yaml [options] BASE OURS THEIRS,
// by which git runs the program as a merge driver. The options are where the result is written (--stdout, --output),
// the path of the file, the labels, length and style of conflict markers, how conflicts are decided (--ours, --theirs,
// --union), --quiet, and those for rules. buildCLI adds the commands.
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
			&cli.BoolFlag{Name: "ours", Usage: "decide conflicts for ours"},
			&cli.BoolFlag{Name: "theirs", Usage: "decide conflicts for theirs"},
			&cli.BoolFlag{Name: "union", Usage: "keep both sides of a conflict"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing on stderr but errors"},
		}, sessionFlags("merge", "default")...),
		Action:                    a.merge,
		HideHelpCommand:           true,
		ErrWriter:                 a.Stderr,
		DisableSliceFlagSeparator: true, // -L main,side is one label
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // the default handler exits the process
	}
}

// sessionFlags returns the options --rules, --config and --own of commands that merge or check files. verb is the verb
// in the help for --rules, such as "merge". defaultRules is the text in the help for the rules that are used without
// the option, such as "default".
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
	return &cli.StringFlag{Name: "own", Usage: "take `SIDE`, ours or theirs, for one's own where the policies own, upstream and next decide", DefaultText: "what git is doing, or did, says it",
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
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only say what would change"},
	}, more...)
}

// commands returns all commands, such as install and resolve, in the order in which the help lists them, each with its
// options and the method that runs it.
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
				&cli.BoolFlag{Name: "fix", Usage: "install again what is not as install writes it, and unset what harms"},
				&cli.BoolFlag{Name: "branches", Usage: "also name the branches that do not give YAML files to the driver"},
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			},
		},
		{
			Name: "init", Usage: "set a repository up for a team: attributes, rules, hooks and a CI job", ArgsUsage: "[attributes] [rules] [hook] [ci]", Action: a.initRepository,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "ci", Usage: "write the CI job for `HOST`, github or gitlab", DefaultText: "the host that the repository is on", Action: requireOneOf("ci")},
				&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "write without a question"},
				&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only show what would change"},
			},
		},
		{
			Name: "resolve", Usage: "merge the unmerged YAML files of a stopped merge or rebase", ArgsUsage: "[--] [PATH...]", Action: a.resolve,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about the conflicts that are left, one by one"},
				&cli.BoolFlag{Name: "json", Usage: "print the conflicts that are left for a program, an object per line"},
				&cli.StringFlag{Name: "answers", Usage: "decide them by the answers in `FILE`, or - for stdin"},
				&cli.BoolFlag{Name: "partial", Usage: "with --answers: write those that hold, though others are refused"},
				&cli.BoolFlag{Name: "ours", Usage: "decide what else would be in conflict for ours"},
				&cli.BoolFlag{Name: "theirs", Usage: "decide it for theirs"},
				&cli.BoolFlag{Name: "git", Usage: "write git's own merge of the files that PATH names, also of a file that was merged without conflicts"},
				&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
				ownFlag(),
				configFlag(),
				&cli.BoolFlag{Name: "force", Usage: "merge files again that were edited since, and lose the edits"},
			},
		},
		{
			Name: "regenerate", Usage: "make generated files again that a merge left in conflict", Action: a.regenerate,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "make all files of all rules, whether a merge left them or not"},
				&cli.BoolFlag{Name: "trust", Usage: "run nothing, but let this clone run the rules as they are now"},
				configFlag(),
			},
		},
		{
			Name: "explain", Usage: "say how a merge merges, file by file or field by field", Action: a.explain,
			UsageText: "git-merge-yaml explain [options] [MERGE] [--] [PATH...]\n" +
				"git-merge-yaml explain [options] [--] BASE OURS THEIRS",
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all-files", Usage: "show also files that git merges alike"},
				&cli.StringFlag{Name: "path", Usage: "take the three files for the file at `PATH` of the repository", DefaultText: "where OURS is"},
				&cli.StringFlag{Name: "save", Usage: "write the folder `DIR`, which must not exist: versions, results, settings and a text for an issue"},
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
				&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
			}, sessionFlags("merge", "what PATH's merge attribute says")...),
		},
		{
			Name: "diff", Usage: "say field by field how two files differ", ArgsUsage: "[--] OLD NEW", Action: a.diff,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "take the files for the file at `PATH` of the repository", DefaultText: "where NEW is"},
				configFlag(),
				&cli.BoolFlag{Name: "json", Usage: "print an object"},
			},
		},
		{
			Name: "check", Usage: "list what a merge lost, whoever made it", Action: a.check,
			UsageText: "git-merge-yaml check [options] RANGE...\n" +
				"git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT",
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			}, sessionFlags("check", "what the file's merge attribute says")...),
		},
		{
			Name: "rules", Usage: "the rules of the team: list, show, check, add, remove and schema", Action: a.listPresets,
			UsageText: "git-merge-yaml rules [list]\ngit-merge-yaml rules show [--path PATH] [--config FILE] [--] FILE\n" +
				"git-merge-yaml rules check [--strict] [--config FILE]\ngit-merge-yaml rules add|remove NAME...\ngit-merge-yaml rules schema",
			Subcommands: []*cli.Command{
				{Name: "list", Usage: "list the presets", Action: a.listPresets},
				{
					Name: "show", Usage: "show what is known of the lists in FILE", ArgsUsage: "FILE", Action: a.showLists,
					Flags: []cli.Flag{
						&cli.StringFlag{Name: "path", Usage: "take FILE for the file at `PATH` of the repository", DefaultText: "where it is"},
						configFlag(),
					},
				},
				{Name: "check", Usage: "list the mistakes in the rules", Action: a.checkRules, Flags: []cli.Flag{
					&cli.BoolFlag{Name: "strict", Usage: "exit with 1 also for rules that match nothing or never apply"},
					configFlag(),
				}},
				{Name: "add", Usage: "adopt presets", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "remove", Usage: "take presets out again", ArgsUsage: "NAME...", Action: changePresets},
				{Name: "schema", Usage: "print the JSON Schema of the team's file, for editors", Action: printRulesSchema, Before: rejectArguments},
			},
		},
		{
			Name: "replay", Usage: "show how it would have merged the past merges of a history", ArgsUsage: "[REVISION RANGE...] [-- PATHSPEC...]", Action: a.replay,
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "the history of all branches and tags"},
				&cli.IntFlag{Name: "max", Usage: "only the newest `N` merges"},
				&cli.BoolFlag{Name: "all-files", Usage: "list also files in which the driver makes no difference"},
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
				&cli.StringFlag{Name: "html", Usage: "write a page with all files to `FILE`"},
			}, sessionFlags("merge", "default")...),
		},
		{
			Name: "preview", Usage: "show which branches merge into another one", ArgsUsage: "[--] BASE [REF...]", Action: a.preview,
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
				&cli.StringFlag{Name: "html", Usage: "write a page with all branches to `FILE`"},
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
			Name: "apply", Usage: "print what kubectl apply would make of a live resource", ArgsUsage: "[--] CONFIG LIVE", Action: a.apply,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "last-applied", Usage: "what was applied last, in `FILE`", DefaultText: "the annotation of LIVE"},
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
