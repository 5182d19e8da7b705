package app

import (
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// describe is a text, each paragraph in one line for the library to break, with examples
// behind it: what each does, and its line. testdata/script/examples.txtar runs them.
func describe(text string, examples ...string) string {
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		all = append(all, strings.Join(strings.Fields(part), " "))
	}
	for i := 0; i < len(examples); i += 2 {
		all = append(all, examples[i]+":\n  $ "+examples[i+1])
	}
	return strings.Join(all, "\n\n")
}

// program is the program without a command: the merge driver.
func (a *App) program() *cli.App {
	return &cli.App{
		Name:      "git-merge-yaml",
		HelpName:  "git-merge-yaml",
		Usage:     "merge YAML manifests field by field",
		UsageText: "git-merge-yaml [options] [--] BASE OURS THEIRS\ngit-merge-yaml COMMAND [options]",
		Description: describe(`Merges the changes from BASE to OURS and from BASE to THEIRS, and replaces OURS by the result. BASE OURS THEIRS
is the order of %O %A %B, in which git calls a merge driver; git merge-file has OURS first.

GIT_MERGE_YAML=off in the environment turns it into git's own merge by lines.

Exits with 0 if the result is clean, with 1 if it has conflicts (marked in the file, listed on stderr), and
with 129, OURS untouched, on any failure.`,
			"Merge three files by hand, and print the result", "git merge-yaml -p base.yaml ours.yaml theirs.yaml",
			"Decide conflicts for theirs, and write another file", "git merge-yaml --theirs -o merged.yaml base.yaml ours.yaml theirs.yaml"),
		Compiled: time.Unix(1, 0), // else the library looks at the program's file
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing OURS"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the result to `FILE` instead of replacing OURS"},
			&cli.StringFlag{Name: "path", Usage: "the `PATH` of the file in its repository (%P)"},
			&cli.StringFlag{Name: "marker-size", Usage: "write markers of `N` characters (%L)", DefaultText: "7"},
			&cli.StringSliceFlag{Name: "L", KeepSpace: true, Usage: "`LABEL` of ours, then of base, then of theirs (%X, %S, %Y)"},
			&cli.StringFlag{Name: "style", Usage: "write conflicts in `STYLE`: merge, diff3 or zdiff3", DefaultText: "merge.conflictStyle", Action: oneOf("style", "merge", "diff3", "zdiff3")},
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
		ExitErrHandler:            func(*cli.Context, error) {}, // exits otherwise
	}
}

// sessionFlags are those of what merges files anew. It does so by the default rules, or others.
func sessionFlags(does, otherwise string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Usage: does + " by `RULES`: default, or kustomize (theirs wins, no conflicts, null clears)", DefaultText: otherwise,
			Action: oneOf("rules", "default", "kustomize")},
		configFlag(),
		ownFlag(),
	}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "read the rules of lists and fields from `FILE`", DefaultText: session.TeamFile + " or " + session.ConfigKey}
}

func ownFlag() cli.Flag {
	return &cli.StringFlag{Name: "own", Usage: "take `SIDE`, ours or theirs, for one's own where the policies own, upstream and next decide", DefaultText: "what git is doing, or did, says it",
		Action: oneOf("own", "ours", "theirs")}
}

func setupFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "global", Usage: "for all repositories of this user (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "for this repository"},
		&cli.StringFlag{Name: "attributes",
			Usage:       "the `FILE` for the patterns: tracked (.gitattributes), info (.git/info/attributes), global or none",
			DefaultText: "global, with --local tracked", Action: oneOf("attributes", "tracked", "info", "global", "none")},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only say what would change"},
	}, more...)
}

// commands are the subcommands, in the order of the help.
func (a *App) commands() []*cli.Command {
	all := []*cli.Command{
		{
			Name: "install", Usage: "make git merge YAML files with this program", Action: install,
			Description: describe(`Sets merge.yaml.driver in git's configuration to a line that runs this program, or git's own
merge if that fails, and names the YAML files in an attributes file. It says what it changes.
Run again, it updates what it wrote.

Exits with 0 if that is done, and with 129 on any failure.`,
				"For all repositories of this user", "git merge-yaml install",
				"For this repository, and files of other names", "git merge-yaml install --local --pattern '*.yaml' --pattern '*.kubeconfig'"),
			Flags: setupFlags(
				&cli.StringSliceFlag{Name: "pattern", KeepSpace: true,
					Usage: "give git the files of `PATTERN`, as in .gitattributes; repeatable", DefaultText: "*.yaml and *.yml"},
				&cli.StringFlag{Name: "rules", Usage: "with `RULES` kustomize: set up the driver " + driver.KustomizeName +
					", for the files of --pattern or of attributes of yours", DefaultText: "default", Action: oneOf("rules", "default", "kustomize")},
				&cli.BoolFlag{Name: "force", Usage: "replace another program's merge driver of that name"},
			),
		},
		{
			Name: "uninstall", Usage: "undo install", Action: uninstall,
			Description: describe(`Removes the settings and the patterns that install wrote, and nothing else. Git itself may leave
an empty section, or an empty file. The program stays; scripts/install.sh --uninstall removes it.

Exits with 0 if that is done, and with 129 on any failure.`,
				"Undo install", "git merge-yaml uninstall",
				"Say what undoing install --local would change", "git merge-yaml uninstall --local --dry-run"),
			Flags: setupFlags(),
		},
		{
			Name: "doctor", Usage: "check that git will merge YAML files with this program", Action: doctor,
			Description: describe(`Looks at git, its configuration, the attributes of the YAML files of this repository and the
program itself, and makes a merge with them in a scratch repository. Each problem comes with the
command that fixes it. It changes nothing, but with --fix, which runs install again for a driver
that is not as install writes it.

--branches also names the branches that are older than the line in .gitattributes: git takes the
attributes of the branch that is merged into.

Exits with 0 if no check is an error, with 1 if one is, and with 129 on wrong usage.`,
				"Check this repository, and what git knows of the program", "git merge-yaml doctor",
				"Check another repository", "git -C ../shop merge-yaml doctor"),
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "fix", Usage: "install again what is not as install writes it"},
				&cli.BoolFlag{Name: "branches", Usage: "also name the branches that do not give YAML files to the driver"},
			},
		},
		{
			Name: "resolve", Usage: "merge the unmerged YAML files of a stopped merge or rebase", ArgsUsage: "[--] [PATH...]", Action: a.resolve,
			Description: describe(`Merges the unmerged YAML files, or those that PATH names, from the versions that git keeps of
them, and needs no driver. It stages what comes out clean and leaves the conflicts of the rest, in the
middle of a merge, rebase, cherry-pick, revert, stash pop or am. Files that were edited since stay
as they are. To undo it for a file: git checkout -m -- PATH

With -i it then asks about the conflicts that are left, one by one, and takes a side, or a text from
your editor. ? lists the answers. Each is proven, but not in files that are merged by lines, and
saved at once, so that you can stop anywhere and go on later.

--json prints what is left as questions, one object a line. --answers takes the answers from a file, or
- for stdin: {"ID": "ours", "ID": {"text": "..."}}. One that cannot be proven is told with its reason,
and nothing is written then, or with --partial what holds.

A file that one side deleted and the other changed stays as it is, unless a rule of the team's file
(deleted: own or upstream) says which side stands; -i asks.

Exits with 0 if all of these files are resolved, with 1 if any is not, and with 129 on any failure.`,
				"After a merge that stopped: merge what is unmerged", "git merge-yaml resolve",
				"One file, to be looked at before it is staged", "git merge-yaml resolve --no-stage k8s/web.yaml",
				"Decide what is left, conflict by conflict", "git merge-yaml resolve -i"),
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about the conflicts that are left, one by one"},
				&cli.BoolFlag{Name: "json", Usage: "print the conflicts that are left for a program, an object per line"},
				&cli.StringFlag{Name: "answers", Usage: "decide them by the answers in `FILE`, or - for stdin"},
				&cli.BoolFlag{Name: "partial", Usage: "with --answers: write those that hold, though others are refused"},
				&cli.BoolFlag{Name: "ours", Usage: "decide what else would be in conflict for ours"},
				&cli.BoolFlag{Name: "theirs", Usage: "decide it for theirs"},
				&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
				ownFlag(),
				&cli.BoolFlag{Name: "force", Usage: "merge files again that were edited since, and lose the edits"},
			},
		},
		{
			Name: "regenerate", Usage: "make generated files again that a merge left in conflict", Action: a.regenerate,
			Description: describe(`Makes the files again that programs make and that a merge left in conflict, or merged clean without
those programs, by the commands under generated in .git-merge-yaml.yaml: in the middle of a merge,
rebase, cherry-pick, revert, stash pop or am, once what they are made from is merged.

It says what it would run. Rules come with commits, so none runs that this clone was not told to trust:
--trust lets it run the rules as they are now, until they change. What is trusted stands in
.git/merge-yaml/trusted. Commands see PATH, HOME and the like of the environment.

What they made is staged once all of them have succeeded, and not before. Files that change and are
none of a rule's are named, and not staged.

Exits with 0 if all of it is made, with 1 if something has to be merged before,
with 130 after Ctrl-C, and with 129 on any failure.`,
				"After a merge that stopped: make again what is generated", "git merge-yaml regenerate",
				"Let this clone do so, as long as the rules are these", "git merge-yaml regenerate --trust"),
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
			Description: describe(`Says for each YAML file that both sides of a merge changed how git and how the driver merge it, what is
left in conflict, and the difference. With PATH it says field by field what ours changed, what theirs
changed, what is in conflict, by which rule, and what people committed otherwise.

MERGE is a merge commit, or one that a rebase, a cherry-pick or a revert made. Without it, it is what
stopped here, else what made HEAD. BASE OURS THEIRS are any three files. The merge is done anew, by the
rules as they are now; nothing in the repository is written.

--markdown lists the conflicts only, for a comment on a pull request. --save writes what an issue needs.

Exits with 0, whether or not there are conflicts, and with 129 on any failure. It needs git 2.39 or later.`,
				"What the driver did in the last merge, or does in the one that stopped", "git merge-yaml explain",
				"A file that is in conflict right now", "git merge-yaml explain k8s/web.yaml",
				"Any three files, for another program to read", "git merge-yaml explain --json base.yaml ours.yaml theirs.yaml",
				"A file of a finished merge", "git merge-yaml explain HEAD k8s/web.yaml",
				"A folder about one, for an issue", "git merge-yaml explain --save for-the-issue HEAD k8s/web.yaml"),
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
			Description: describe(`Says field by field what NEW changed, in the words of explain. What is not data (comments, quotes, the order of
keys), and files that are not YAML, it shows by lines. git config diff.yaml.command 'git-merge-yaml diff --' has
git diff show so the files with the attribute diff=yaml.

Exits with 0, whether or not there are differences, and with 129 on any failure.`,
				"What differs between two files", "git merge-yaml diff base.yaml ours.yaml",
				"Between two environments, by the rules for one of them", "git merge-yaml diff --path k8s/web.yaml base.yaml theirs.yaml"),
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
			Description: describe(`Lists what the result of a merge lost or made up, whoever made it: every edit of either side has to stand
in it, and nothing else. Where both sides changed the same thing, a person decided; there only a result
that has neither edit is told. Indents, quotes and the order of fields are not judged.

Of a RANGE, as git log takes one, it checks the YAML files of every merge commit against its parents and
their common ancestor; renames are not followed. HEAD^! is the last merge alone.

Exits with 0 if nothing is lost, with 1 if something is, and with 129 on any failure.`,
				"What the last merge lost, whoever made it", "git merge-yaml check HEAD^!",
				"What a merge by another program lost", "git merge-yaml check base.yaml ours.yaml theirs.yaml merged.yaml"),
			Flags: append([]cli.Flag{
				&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			}, sessionFlags("check", "what the file's merge attribute says")...),
		},
		{
			Name: "rules", Usage: "the rules of the team: list, show, check, add and remove", Action: a.listPresets,
			UsageText: "git-merge-yaml rules [list]\ngit-merge-yaml rules show [--path PATH] [--config FILE] [--] FILE\n" +
				"git-merge-yaml rules check [--config FILE]\ngit-merge-yaml rules add|remove NAME...",
			Description: describe(`The rules of a team stand in .git-merge-yaml.yaml at the top of the work tree. Presets are sets of rules
that come with the program, for those who ask for them; list, or no word, says which there are, and
which count here. add asks for presets in the team's file, for all who have it; remove takes them out.

show prints the lists of a YAML file: the line, the path, how a merge pairs the items, and where that is
known from. check lists the mistakes in the rules, and in the definitions of custom resources that these
name. What is no mistake and yet hardly meant is a remark: patterns that match nothing here, say.

Exits with 0, with 1 if check found a mistake, and with 129 on any failure.`,
				"Which presets there are", "git merge-yaml rules",
				"Bump versions of charts in the merges of all who have this repository", "git merge-yaml rules add helm",
				"By what the items of each list are known", "git merge-yaml rules show k8s/web.yaml",
				"Find mistakes in the rules", "git merge-yaml rules check"),
			Subcommands: []*cli.Command{
				{Name: "list", Usage: "list the presets", Action: a.listPresets},
				{
					Name: "show", Usage: "show what is known of the lists in FILE", ArgsUsage: "FILE", Action: a.showLists,
					Flags: []cli.Flag{
						&cli.StringFlag{Name: "path", Usage: "take FILE for the file at `PATH` of the repository", DefaultText: "where it is"},
						configFlag(),
					},
				},
				{Name: "check", Usage: "list the mistakes in the rules", Flags: []cli.Flag{configFlag()}, Action: a.checkRules},
				{Name: "add", Usage: "adopt presets", ArgsUsage: "NAME...", Action: changeRules},
				{Name: "remove", Usage: "take presets out again", ArgsUsage: "NAME...", Action: changeRules},
			},
		},
		{
			Name: "replay", Usage: "show how it would have merged the past merges of a history", ArgsUsage: "[REVISION RANGE...] [-- PATHSPEC...]", Action: a.replay,
			Description: describe(`Finds the merges of a history in which both sides changed a YAML file, merges these files again, by lines
as git does and by field, and compares both with what was committed. It changes nothing.

REVISION RANGE is as for git log (main, v1..v2), HEAD if there is none. PATHSPEC limits it to some of
the YAML files, or names others by their extension: '*.json'.

It lists the files in which the driver makes a difference, or people committed something else, and says
what check finds in these. explain MERGE PATH shows one in full.

Exits with 0, whatever it finds, with 130 after Ctrl-C, which ends it with what it has seen so far, and
with 129 on any failure.`,
				"The last hundred merges of this branch", "git merge-yaml replay --max 100",
				"A page about those of main below k8s/", "git merge-yaml replay --html replay.html main -- k8s/"),
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
			Description: describe(`Merges each branch into BASE without a work tree, by git and by git with the driver, in a clone or a bare
mirror, and says which are clean, which are so with the driver alone, and which fields are in conflict.
Rules and attributes are those of BASE. Nothing is written. REF is a branch or any other revision; without
it, it is all branches of the remotes or, where there are none, all branches.

Exits with 0, whatever is in conflict, and with 129 on any failure. It needs git 2.39 or later.`,
				"Which branches of the remotes merge into main", "git merge-yaml preview main",
				"For another program to read, some branches", "git merge-yaml preview --json main side HEAD"),
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
				&cli.StringFlag{Name: "html", Usage: "write a page with all branches to `FILE`"},
				configFlag(),
			},
		},
		{
			Name: "merge2", Usage: "write the fields of one file into another", ArgsUsage: "[--] SRC DEST", Action: a.merge2,
			Description: describe(`Writes the fields of SRC into DEST by the rules of kustomize's two-way merge: what SRC has wins, what it has
null is removed from DEST, what DEST alone has stays. Lists without a key are replaced; new items go to the
end. A $patch in SRC deletes, replaces or merges what it stands in.

Exits with 0 if it is done, and with 129, DEST untouched, on any failure.`,
				"Write the fields of a patch into a file", "git merge-yaml merge2 patch.yaml web.yaml",
				"Print that instead", "git merge-yaml merge2 --stdout patch.yaml web.yaml"),
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing DEST"},
				configFlag(),
			},
		},
		{
			Name: "apply", Usage: "print what kubectl apply would make of a live resource", ArgsUsage: "[--] CONFIG LIVE", Action: a.apply,
			Description: describe(`Prints LIVE as kubectl apply of CONFIG would leave it, comments and order kept: what CONFIG says is set, what
was applied last and is not in CONFIG any more is removed, everything else stays. What was applied last is
in an annotation of LIVE unless --last-applied names a file; CONFIG is written there as kubectl does.
Resources pair by kind, namespace and name. Where CONFIG says no namespace, it is that of LIVE.

Exits with 0, and with 129 on any failure.`,
				"What kubectl apply would make of a resource", "git merge-yaml apply web.yaml live.yaml",
				"With what was applied last from a file", "git merge-yaml apply --last-applied last.yaml web.yaml live.yaml"),
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "last-applied", Usage: "what was applied last, in `FILE`", DefaultText: "the annotation of LIVE"},
				configFlag(),
			},
		},
		{
			Name: "completion", Usage: "print the completion of a shell", UsageText: "git-merge-yaml completion bash|zsh|fish", Action: completion,
			Description: describe(`Prints what the shell needs to complete commands and options, behind git merge-yaml as well
as behind git-merge-yaml. Files are the shell's own. scripts/install.sh puts it where bash (with
bash-completion) and fish find it by themselves; for zsh its folder ~/.local/share/zsh/site-functions
has to be in fpath before compinit.

Exits with 0, and with 129 on any failure.`,
				"For bash, where bash-completion reads it", "git merge-yaml completion bash >>~/.bash_completion",
				"For zsh, in a folder that is in fpath", "git merge-yaml completion zsh >~/.zsh/_git-merge-yaml"),
		},
		{
			Name: "version", Usage: "print the version", UsageText: "git-merge-yaml version",
			Action: func(c *cli.Context) error { cli.VersionPrinter(c); return nil },
			Description: describe("Prints the version, the commit, and what the program was built by and for.\n\nExits with 0.",
				"Which one is this", "git merge-yaml version"),
		},
	}
	for _, c := range all {
		if c.UsageText == "" && c.ArgsUsage == "" {
			c.Before = noArguments
		}
		if c.UsageText == "" {
			c.UsageText = strings.TrimSpace("git-merge-yaml " + c.Name + " [options] " + c.ArgsUsage)
		}
		for _, x := range append(c.Subcommands, c) {
			x.HideHelpCommand = true // a file may be called help, or h
			x.OnUsageError = usageError
		}
	}
	return all
}
