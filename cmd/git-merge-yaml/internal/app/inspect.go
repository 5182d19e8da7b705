package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// explain runs the command explain, which merges the YAML files of one merge again, in memory, with git's line merge
// and with the merge driver. It prints both results for each file: clean or with how many conflicts, which conflicts
// rules decided, and which are left. The merge is the commit that the first argument names or, without one, the merge
// that stopped or that made HEAD. Other arguments select paths. The output has the first of these forms that applies:
//
//	--save DIR    a new folder with the versions, the results and a text for an issue
//	--markdown    the conflicts as Markdown, for a pull request; of a merge that stopped, only the files that are
//	              still unmerged
//	--json        a JSON object a line
//	paths         the changes of both sides and the conflicts, field by field
//	no paths      a few lines for each file
//
// If there are three arguments, at least two exist as files, and the first one is not the name of a commit, they are
// the three versions of one file: base, ours and theirs.
//
// Conflicts are no error. It is an error if options contradict each other, if the folder of --save exists, if there is
// no such merge, if the first argument is neither a commit nor a file, or if paths are given and none of them has
// anything to show. It is also one if the team's rules cannot be used, or if git fails.
func (a *App) explain(c *cli.Context) error {
	if _, err := exclusiveOption(c, "json", "markdown"); err != nil {
		return err
	}
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	save, markdown := c.String("save"), c.Bool("markdown")
	if _, err := os.Lstat(save); err == nil && save != "" {
		return errors.New(save + " already exists; use a new folder for --save")
	}
	before, after := a.splitAtDashes(c)
	merge, paths := "", slices.Concat(before, after)
	if len(before) > 0 {
		if _, err := s.Git.Line("rev-parse", "--verify", "-q", "--end-of-options", before[0]+"^{commit}"); err == nil {
			merge, paths = before[0], paths[1:]
		}
	}
	isThreeFiles := merge == "" && len(paths) == 3 && areFiles(paths)
	return a.withPager(func(p *terminal.Painter) error {
		var e history.Explanation
		if isThreeFiles {
			f, _, err := readFileVersions(c, s, paths[1], paths)
			if err != nil {
				return err
			}
			e.Cases = []*history.Case{history.MergeFile(f)}
		} else if err := a.withProgress(s, func(ctx context.Context, o history.Options) (err error) {
			e, err = history.Explain(ctx, o, merge, paths, markdown)
			isCommitError := len(before) > 0 && (errors.Is(err, git.ErrNotMerge) || err != nil && strings.ContainsAny(before[0], "~^"))
			if isCommitError && merge == "" {
				if _, missing := os.Lstat(before[0]); missing != nil { // it was probably meant as a commit
					return fmt.Errorf("%s: not a commit, and not a file in the work tree", before[0])
				}
			}
			return err
		}); err != nil {
			return err
		}
		switch {
		case save != "":
			rules, _ := s.RulesText() // newCheckedSession has reported their error
			version, _ := s.Git.Line("version")
			if err := show.SaveReport(save, e, rules, "git-merge-yaml "+build.Description(), version); err != nil {
				return err
			}
			p.Println("wrote " + save + " (about.md is the text of the issue); the other files are exact copies: remove secrets before you share the folder")
			return p.Err
		case markdown:
			return show.WriteMarkdown(p.W, e)
		case c.Bool("json"):
			return (&show.JSON{W: p.W}).WriteExplained(e)
		case isThreeFiles, len(paths) > 0:
			return show.PrintFields(p, e)
		}
		return show.PrintOverview(p, e, c.Bool("all-files"))
	})
}

// readFileVersions reads files, which are base, ours and theirs and may be followed by others. files must have at least
// three names. It returns the file to merge, which has the first three as its versions, and the contents of all files.
// The path of the file, by which the team's rules are selected, is the option --path or, without it, the path of name
// from the top of the work tree. The user's own side is that of the operation that git is performing or, if there is
// none, ours.
//
// The file is merged by the rules that --rules names ("kustomize" or "default"). Without that option, it is merged by
// those of the attribute merge of the path in .gitattributes: merge=yaml-kustomize selects the rules of kustomize, and
// any other value the default rules. The error is about the first file that cannot be read.
func readFileVersions(c *cli.Context, s *session.Session, name string, files []string) (f session.File, versions [][]byte, err error) {
	if versions, err = readFiles(files...); err != nil {
		return f, nil, err
	}
	f = s.NewFile(cmp.Or(c.String("path"), s.RepoPath(name)), versions[0], versions[1], versions[2]).InCurrentOperation([3]string{}, true)
	if attributes, err := s.Attributes([]string{f.Path}, "merge"); err == nil && s.RuleSet == "" {
		f.RuleSet, _ = driver.RuleSetForAttribute(attributes[0]["merge"])
	}
	return f, versions, nil
}

// areFiles reports whether at least two of the words are existing files, and not folders. The command then treats all
// of them as files: one that does not exist is an error, and not a revision or a path in the repository. It reports
// false for fewer than two words.
func areFiles(words []string) bool {
	n := 0
	for _, name := range words {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			n++
		}
	}
	return n > 1
}

// diff runs the command diff OLD NEW. It prints the changes between two YAML files field by field, one a line:
//
//	~ spec.replicas: 1 -> 3
//
// If only comments, quotes or the like differ, or if a file is not YAML, it prints a unified diff of the lines instead.
// For /dev/null, the file counts as added or deleted. With --json, it prints a JSON object. It is no error if the files
// differ.
//
// git can also call it as its external diff. The number of arguments decides:
//
//	1      the path of an unmerged file; diff prints only that it is unmerged. Only if git is the caller
//	2      OLD and NEW
//	7      path, old file, its hash and mode, new file, its hash and mode
//	9      the same for a rename, followed by the new path and a description
//
// Any other number is an error. It is also an error if a file cannot be read, or if the team's rules cannot be used.
func (a *App) diff(c *cli.Context) error {
	args := c.Args().Slice()
	path := c.String("path") // from the top of the repository
	var before, after, name string
	switch _, byGit := os.LookupEnv("GIT_DIFF_PATH_COUNTER"); {
	case byGit && len(args) == 1:
		_, err := fmt.Fprintln(c.App.Writer, args[0]+`: unmerged; run "git merge-yaml explain" to list the conflicts`)
		return err
	case len(args) == 2:
		before, after, name = args[0], args[1], args[1]
	case len(args) == 7:
		before, after, name, path = args[1], args[4], args[0], args[0]
	case len(args) == 9:
		before, after, name, path = args[1], args[4], args[0]+" -> "+args[7], args[7]
	default:
		return fmt.Errorf("expected two files (OLD NEW), got %d; %s", len(args), helpHint(c))
	}
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	var versions [2][]byte
	for i, file := range []string{before, after} {
		if file == os.DevNull || file == "/dev/null" {
			continue
		}
		if versions[i], err = disk.Read(file); err != nil {
			return err
		}
	}
	f := s.NewFile(cmp.Or(path, s.RepoPath(after)), versions[0], nil, versions[1])
	if c.Bool("json") {
		err = (&show.JSON{W: c.App.Writer}).WriteDifference(name, f)
	} else {
		err = show.PrintDifference(a.newPainter(terminal.IsTerminal(a.Stdout) || os.Getenv("GIT_PAGER_IN_USE") != ""), name, f) // git diff has started its pager
	}
	isEqual := bytes.Equal(versions[0], versions[1]) && (versions[0] == nil) == (versions[1] == nil)
	return errorUnlessDone(isEqual || !c.Bool("exit-code"), err)
}

// check runs the command check. It looks for mistakes in results of merges: a change of one side that was lost, a
// change that neither side made, a duplicate key, or conflict markers. Each of these is a finding. The arguments are
// one of these:
//
//	BASE OURS THEIRS RESULT    one result of a merge, if at least two of the arguments exist as files
//	a range for git log        all merge commits in it are checked, as in v1..main
//
// It prints a line for each finding or, with --json, a JSON object. For a range, it also prints the files that one side
// deleted, those that were probably merged without the driver and, without --json, a summary.
//
// The error is errUnresolved, with which the program exits with 1 and prints nothing more, if there are findings that
// no trailer of the merge commit accepts.
// Reasons why a file or a merge was not checked are printed to a.Stderr, and lead to another error at the end. If the
// clone is shallow, that error wraps git.ErrShallow. It is also an error if there are no arguments, or if the team's
// rules cannot be used.
func (a *App) check(c *cli.Context) error {
	s := a.newSession(c)
	found := false
	err := a.withPager(func(p *terminal.Painter) error {
		report := func(x history.CheckResult) error {
			found = found || len(x.Findings) > 0 && x.Accepted == ""
			switch {
			case x.NotChecked != "":
				of := strings.TrimSuffix(x.Merge.Short()+": "+x.Path, ": ")
				terminal.PrintLine(a.Stderr, "%s: not checked: %s", of, x.NotChecked)
			case c.Bool("json"):
				return (&show.JSON{W: p.W}).WriteChecked(x)
			}
			return show.PrintChecked(p, x)
		}
		switch args := c.Args().Slice(); {
		case len(args) == 0:
			return fmt.Errorf("expected a RANGE, or four files (BASE OURS THEIRS RESULT); %s", helpHint(c))
		case !areFiles(args):
			return a.withProgress(s, func(ctx context.Context, o history.Options) error {
				o.Revisions, o.UseAttributes = args, true
				sum, err := history.Check(ctx, o, report)
				if err == nil && !c.Bool("json") {
					err = show.PrintCheckSummary(p, sum)
				}
				switch {
				case err != nil:
				case sum.Shallow:
					err = fmt.Errorf("some merges were not checked: %w (in CI, check out the full history)", git.ErrShallow)
				case sum.NotChecked > 0:
					err = errors.New("some merges or files were not checked (see above)")
				}
				return err
			})
		case len(args) != 4:
			return fmt.Errorf("expected four files (BASE OURS THEIRS RESULT), got %d", len(args))
		default:
			a.printRulesNotice(s)
			if err := s.FirstRulesError(); err != nil {
				return err
			}
			f, v, err := readFileVersions(c, s, args[3], args)
			if err != nil {
				return err
			}
			findings, err := f.Findings(v[3])
			if err != nil {
				return fmt.Errorf("cannot check %s: %w", args[3], err)
			}
			if len(findings) == 0 && !c.Bool("json") {
				p.Println(terminal.Bold, args[3], terminal.Plain, ": no findings")
				return p.Err
			}
			return report(history.CheckResult{Path: args[3], Findings: findings})
		}
	})
	return errorUnlessDone(!found, err)
}

// replay runs the command replay, which shows how the merge driver would have merged past merges. It merges the YAML
// files that both sides changed in past merge commits again, in memory, with git's line merge and with the driver. It
// prints a line for each file in which the two results differ, or in which the committed file shows a mistake; with
// --all-files, for each file. A summary with the numbers of conflicts follows. With --json it prints a JSON object a
// line for each file; with --html it also writes an HTML page. The arguments are revisions as for git log, such as
// v1..main, and, after "--", pathspecs. Without revisions, it is HEAD.
//
// Files are printed while it runs, unless the output is a terminal: then all of it is shown at the end with a pager.
// After Ctrl-C, the summary of the merges up to then is printed, and the error is terminal.ErrInterrupted.
//
// If there are no merges, the summary is printed, and that is no error. If a shallow clone has no merge that can be
// replayed, the error wraps git.ErrShallow. It is also an error if --max is below 1, if the team's rules cannot be
// used, if git fails, or if the page cannot be written.
func (a *App) replay(c *cli.Context) error {
	revisions, paths := a.splitAtDashes(c)
	if c.IsSet("max") && c.Int("max") < 1 {
		return fmt.Errorf(`invalid value "%d" for --max; use a number above 0`, c.Int("max"))
	}
	s, err := a.newCheckedSession(c)
	if err != nil {
		return err
	}
	rangeWords := revisions
	if c.Bool("all") {
		rangeWords = append(slices.Clone(rangeWords), "--all")
	}
	page, err := a.newPage(c, s, strings.Join(rangeWords, " "))
	if err != nil {
		return err
	}
	return a.withPager(func(p *terminal.Painter) error {
		var output interface {
			WriteCase(*history.Case) error
			WriteSummary(history.Summary) error
		} = &show.ReplayPrinter{Painter: p, All: c.Bool("all-files")}
		if c.Bool("json") {
			output = &show.JSON{W: p.W}
		}
		var summary history.Summary
		interrupted := a.withProgress(s, func(ctx context.Context, o history.Options) (err error) {
			o.Revisions, o.AllRefs, o.Max, o.Paths = revisions, c.Bool("all"), c.Int("max"), paths
			summary, err = history.Replay(ctx, o, func(c *history.Case) error {
				page.AddCase(c, "")
				return output.WriteCase(c)
			})
			return err
		})
		if interrupted != nil && !errors.Is(interrupted, terminal.ErrInterrupted) {
			return interrupted
		}
		err := cmp.Or(output.WriteSummary(summary), page.WriteReplay(summary), interrupted)
		if err == nil && summary.Shallow && summary.Merges == summary.CutOff {
			err = fmt.Errorf("no merges to replay: %w (in CI, check out the full history)", git.ErrShallow)
		}
		return err
	})
}

// preview runs the command preview BASE [REF...], which shows how branches would merge into the commit BASE. It merges
// each REF separately into BASE, in memory, with git's line merge and with the merge driver. Without REF, it merges
// each remote-tracking branch or, if there are none, each local branch. It prints a line for each branch: clean, in
// conflict, clean only with the driver, merged already, or impossible to merge. The fields in conflict follow. With
// --json it prints JSON; with --html it also writes an HTML page. The repository is not changed.
//
// Conflicts are no error. It is an error if BASE is missing, if BASE or a REF does not exist, or if there is no branch.
// It is also one if the rules cannot be used, if git fails, or if the page cannot be written. After Ctrl-C, the error
// is terminal.ErrInterrupted, and nothing is printed.
func (a *App) preview(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("expected a BASE; usage: git-merge-yaml preview [options] BASE [REF...]")
	}
	s := session.New(session.Options{Config: c.String("config")})
	base := c.Args().First()
	page, err := a.newPage(c, s, base)
	if err != nil {
		return err
	}
	return a.withPager(func(p *terminal.Painter) error {
		var branches []*history.Branch
		err := a.withProgress(s, func(ctx context.Context, o history.Options) (err error) {
			branches, err = history.Preview(ctx, o, base, c.Args().Tail())
			return err
		})
		if err == nil {
			err = page.WritePreview(branches)
		}
		switch {
		case err != nil:
			return err
		case c.Bool("json"):
			return (&show.JSON{W: p.W}).WritePreview(branches)
		}
		return show.PrintPreview(p, base, branches)
	})
}

// newPage returns an empty HTML page for the results of replay or preview. The caller adds the merged files and calls
// WriteReplay or WritePreview, which writes the page to the file of the option --html; a file that exists is replaced.
// Without this option, newPage returns a page that writes nothing, and no error. shownRange is shown in the title of the
// page: the range of a replay, such as "v1..v2", or the base of a preview. It is an error if the folder of the file does
// not exist, so that this is reported before the merges run. Nothing is written yet. After the page is written, a line on
// a.Stderr names the file.
func (a *App) newPage(c *cli.Context, s *session.Session, shownRange string) (*show.Page, error) {
	file := c.String("html")
	if file == "" {
		return &show.Page{}, nil
	}
	_, err := os.Stat(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("--html %s: no such folder", file)
	}
	return &show.Page{
		Repository: s.Git.RepositoryName(), Range: shownRange, Date: time.Now(), Web: s.Git.WebURL(),
		Write: func(page []byte) error {
			err := disk.ReplaceOrCreate(file, page)
			if err == nil {
				terminal.PrintLine(a.Stderr, "wrote %s", file)
			}
			return err
		},
	}, err
}
