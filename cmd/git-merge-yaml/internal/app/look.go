package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

func (a *App) explain(c *cli.Context) error {
	if _, err := oneOption(c, "json", "markdown"); err != nil {
		return err
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	save, markdown := c.String("save"), c.Bool("markdown")
	if _, err := os.Lstat(save); err == nil && save != "" {
		return errors.New(save + " is there already; --save names a folder that is not")
	}
	before, behind := a.splitAtDashes(c)
	name, words := "", slices.Concat(before, behind)
	if len(before) > 0 {
		if _, err := s.Git.Line("rev-parse", "--verify", "-q", "--end-of-options", before[0]+"^{commit}"); err == nil {
			name, words = before[0], words[1:]
		}
	}
	byHand := name == "" && len(words) == 3 && namesFiles(words)
	return a.paged(func(p *terminal.Painter) error {
		var e history.Explanation
		if byHand {
			f, _, err := fileOf(c, s, words[1], words)
			if err != nil {
				return err
			}
			e.Cases = []*history.Case{history.MergeFile(f)}
		} else if err := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			e, err = history.Explain(ctx, o, name, words, markdown)
			return err
		}); err != nil {
			return err
		}
		switch {
		case save != "":
			rules, _ := s.RulesSource() // which were read before
			version, _ := s.Git.Line("version")
			if err := show.Save(save, e, rules, "git-merge-yaml "+build.Description(), version); err != nil {
				return err
			}
			p.Println(save + ": written; about.md is the text for the issue. The files are as they are in the repository: take out what is secret")
			return p.Err
		case markdown:
			return show.Markdown(p.W, e)
		case c.Bool("json"):
			return (&show.JSON{W: p.W}).Explained(e)
		case byHand, len(words) > 0:
			return show.Fields(p, e)
		}
		return show.Overview(p, e, c.Bool("all-files"))
	})
}

// fileOf is the merge of three files that stand on the command line, and all of these. It is that
// of the file at --path or, without it, at the name; its merge attribute says the rules unless an option does.
func fileOf(c *cli.Context, s *session.Session, name string, files []string) (f session.File, versions [][]byte, err error) {
	if versions, err = readFiles(files...); err != nil {
		return f, nil, err
	}
	f = s.File(cmp.Or(c.String("path"), s.PathOf(name)), versions[0], versions[1], versions[2]).Now([3]string{}, true)
	if attributes, err := s.Attributes([]string{f.Path}, "merge"); err == nil && s.RuleSet == "" {
		f.RuleSet, _ = driver.RuleSetForAttribute(attributes[0]["merge"])
	}
	return f, versions, nil
}

// namesFiles reports whether words are files by hand: two of them are there at least.
func namesFiles(words []string) bool {
	n := 0
	for _, name := range words {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			n++
		}
	}
	return n > 1
}

// diff compares two files, or what git gives an external diff: path, old file, its hash and mode,
// the same of the new one, and for a rename its new path and what happened.
func (a *App) diff(c *cli.Context) error {
	args := c.Args().Slice()
	path := c.String("path") // in the repository
	var before, after, name string
	switch _, byGit := os.LookupEnv("GIT_DIFF_PATH_COUNTER"); {
	case byGit && len(args) == 1:
		_, err := fmt.Fprintln(c.App.Writer, args[0]+": unmerged; git merge-yaml explain says what is in conflict")
		return err
	case len(args) == 2:
		before, after, name = args[0], args[1], args[1]
	case len(args) == 7:
		before, after, name, path = args[1], args[4], args[0], args[0]
	case len(args) == 9:
		before, after, name, path = args[1], args[4], args[0]+" -> "+args[7], args[7]
	default:
		return fmt.Errorf("want two files, OLD NEW, got %d (%s)", len(args), seeHelp(c))
	}
	s, err := a.session(c)
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
	f := s.File(cmp.Or(path, s.PathOf(after)), versions[0], nil, versions[1])
	if c.Bool("json") {
		return (&show.JSON{W: c.App.Writer}).Difference(name, f)
	}
	return show.Difference(a.painter(terminal.IsTerminal(a.Stdout) || os.Getenv("GIT_PAGER_IN_USE") != ""), name, f) // git diff's own pager
}

// check checks the result of a merge by hand, or those of the merge commits of a range; what is not
// checked is said on stderr.
func (a *App) check(c *cli.Context) error {
	s := a.newSession(c)
	found := false
	err := a.paged(func(p *terminal.Painter) error {
		tell := func(x history.CheckResult) error {
			found = found || len(x.Findings) > 0
			switch {
			case x.NotChecked != "":
				of := strings.TrimSuffix(x.Merge.Short()+": "+x.Path, ": ")
				terminal.PrintLine(a.Stderr, "%s: not checked: %s", of, x.NotChecked)
			case c.Bool("json"):
				return (&show.JSON{W: p.W}).Checked(x)
			}
			return show.Checked(p, x)
		}
		switch args := c.Args().Slice(); {
		case len(args) == 0:
			return fmt.Errorf("want a RANGE, or four files, BASE OURS THEIRS RESULT (%s)", seeHelp(c))
		case !namesFiles(args):
			return a.walk(s, func(ctx context.Context, o history.Options) error {
				o.Revisions, o.UseAttributes = args, true
				sum, err := history.Check(ctx, o, tell)
				if err == nil && !c.Bool("json") {
					err = show.Checks(p, sum)
				}
				switch {
				case err != nil:
				case sum.Shallow:
					err = fmt.Errorf("not all of it was checked: %w (in a job, check out the whole history)", git.ErrShallow)
				case sum.NotChecked > 0:
					err = errors.New("not all of it was checked; what was not is listed above")
				}
				return err
			})
		case len(args) != 4:
			return fmt.Errorf("want four files, BASE OURS THEIRS RESULT, got %d", len(args))
		default:
			if err := s.FirstMistake(); err != nil {
				return err
			}
			f, v, err := fileOf(c, s, args[3], args)
			if err != nil {
				return err
			}
			findings, err := f.Findings(v[3])
			if err != nil {
				return fmt.Errorf("cannot check %s: %w", args[3], err)
			}
			return tell(history.CheckResult{Path: args[3], Findings: findings})
		}
	})
	return outcome(!found, err)
}

// replay writes as it goes; on a terminal, for a pager, at its end. When it is interrupted, it
// ends with what there is.
func (a *App) replay(c *cli.Context) error {
	revisions, paths := a.splitAtDashes(c)
	if c.IsSet("max") && c.Int("max") < 1 {
		return fmt.Errorf("--max %d: want a number above 0", c.Int("max"))
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	of := revisions
	if c.Bool("all") {
		of = append(slices.Clone(of), "--all")
	}
	page, err := newPage(c, s, strings.Join(of, " "))
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		var told interface {
			Case(*history.Case) error
			Summary(history.Summary) error
		} = &show.Replay{Painter: p, All: c.Bool("all-files")}
		if c.Bool("json") {
			told = &show.JSON{W: p.W}
		}
		var summary history.Summary
		interrupted := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			o.Revisions, o.AllRefs, o.Max, o.Paths = revisions, c.Bool("all"), c.Int("max"), paths
			summary, err = history.Replay(ctx, o, func(c *history.Case) error {
				page.Case(c, "")
				return told.Case(c)
			})
			return err
		})
		if interrupted != nil && !errors.Is(interrupted, terminal.ErrInterrupted) {
			return interrupted
		}
		return cmp.Or(told.Summary(summary), page.Summary(summary), interrupted)
	})
}

func (a *App) preview(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("want the BASE into which branches are merged: git-merge-yaml preview [options] BASE [REF...]")
	}
	s := session.New(session.Options{Config: c.String("config")})
	base := c.Args().First()
	page, err := newPage(c, s, "merges with "+base)
	if err != nil {
		return err
	}
	return a.paged(func(p *terminal.Painter) error {
		var branches []*history.Branch
		err := a.walk(s, func(ctx context.Context, o history.Options) (err error) {
			branches, err = history.Preview(ctx, o, base, c.Args().Tail())
			return err
		})
		if err == nil {
			err = page.Preview(branches)
		}
		switch {
		case err != nil:
			return err
		case c.Bool("json"):
			return (&show.JSON{W: p.W}).Preview(branches)
		}
		return show.Preview(p, base, branches)
	})
}

// newPage is a page about merges in the file of --html, which is written whole, if there is one. That its folder is
// not there is told before the merges are done.
func newPage(c *cli.Context, s *session.Session, of string) (*show.Page, error) {
	file := c.String("html")
	if file == "" {
		return &show.Page{}, nil
	}
	_, err := os.Stat(filepath.Dir(file))
	return &show.Page{
		Repository: s.Git.RepositoryName(), Range: of, Date: time.Now(), Web: s.Git.WebURL(),
		Write: func(page []byte) error { return disk.ReplaceOrCreate(file, page) },
	}, err
}
