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

// explain runs the command explain, which shows how git and the merge driver merge the YAML files of one merge, and
// what is left in conflict. The arguments are a commit of the merge (without it, the merge that stopped or that made
// HEAD) and paths, or three files that are merged instead. Conflicts are no error.
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
	// the first argument is a commit or a path
	merge, paths := "", slices.Concat(before, after)
	if len(before) > 0 {
		if _, err := s.Git.Line("rev-parse", "--verify", "-q", "--end-of-options", before[0]+"^{commit}"); err == nil {
			merge, paths = before[0], paths[1:]
		}
	}
	isThreeFiles := merge == "" && len(paths) == 3 && includeTwoFiles(paths)
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
			isCommitError := len(before) > 0 && (errors.Is(err, git.ErrNotMerge) || errors.Is(err, git.ErrOctopus) || err != nil && strings.ContainsAny(before[0], "~^"))
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

// readFileVersions reads files, at least three, and returns their contents as versions, and f, the file to merge with
// the first three. The path of f in the repository selects the team's rules for it: it is the option --path or, without
// it, name. Without --rules, the merge attribute of this path selects the rule set. The error is about the first file
// that cannot be read.
func readFileVersions(c *cli.Context, s *session.Session, name string, files []string) (f session.File, versions [][]byte, err error) {
	if versions, err = readFiles(files...); err != nil {
		return f, nil, err
	}
	f = s.NewFile(cmp.Or(c.String("path"), s.RepoPath(name)), versions[0], versions[1], versions[2]).InCurrentOperation([3]string{}, true)
	// without --rules, the attribute merge=yaml-kustomize selects the rules of kustomize
	if attributes, err := s.Attributes([]string{f.Path}, "merge"); err == nil && s.RuleSet == "" {
		f.RuleSet, _ = driver.RuleSetForAttribute(attributes[0]["merge"])
	}
	return f, versions, nil
}

// includeTwoFiles reports whether at least two of the words are existing files, and not folders. The command then
// treats all of them as files: one that does not exist is an error, and not a revision or a path in the repository.
func includeTwoFiles(words []string) bool {
	n := 0
	for _, name := range words {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			n++
		}
	}
	return n > 1
}

// diff runs the command diff OLD NEW, which prints the changes between two YAML files field by field, or as a unified
// diff if no field differs or a file cannot be read as YAML. git can also call it as its external diff, with other
// arguments. If the files differ, the error is errUnresolved with --exit-code, and otherwise nil.
//
//	~ spec.replicas: 1 -> 3
func (a *App) diff(c *cli.Context) error {
	args := c.Args().Slice()
	path := c.String("path") // from the top of the repository
	var before, after, name string
	switch _, byGit := os.LookupEnv("GIT_DIFF_PATH_COUNTER"); {
	// an unmerged file
	case byGit && len(args) == 1:
		_, err := fmt.Fprintln(c.App.Writer, args[0]+`: unmerged; run "git merge-yaml explain" to list the conflicts`)
		return err
	case len(args) == 2:
		before, after, name = args[0], args[1], args[1]
	// git diff: path, old file, its hash and mode, new file, its hash and mode
	case len(args) == 7:
		before, after, name, path = args[1], args[4], args[0], args[0]
	// of a rename: also the new path and a description
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

// check runs the command check, which looks for mistakes in the results of merges, such as a lost change or a duplicate
// key. The arguments are the files BASE OURS THEIRS RESULT, or a range of commits for git log. The error is
// errUnresolved if there are findings that no trailer of the merge commit accepts, and another one if not all could be
// checked.
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
		case !includeTwoFiles(args):
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

// replay runs the command replay, which merges the YAML files of past merges again, in memory, to show how the driver
// would have merged them. It prints the files in which the driver and git differ, and a summary. The arguments are
// revisions, HEAD without any, and, after "--", pathspecs. After Ctrl-C, it prints the summary up to then and returns
// terminal.ErrInterrupted.
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

// preview runs the command preview BASE [REF...], which shows how each REF would merge into BASE, with git and with the
// driver, in memory. Without REF, it uses the remote-tracking branches or, if there are none, the local ones. It fails
// without BASE; conflicts are no error. Options write a page or print JSON. After Ctrl-C, it returns
// terminal.ErrInterrupted and prints nothing.
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

// newPage returns an empty HTML page, which replay or preview fills and writes to the file of --html; without this
// option, the page writes nothing. shownRange is shown in its title, such as "v1..v2". So that a wrong path is reported
// before the merges run, it returns an error if the folder of the file does not exist.
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
