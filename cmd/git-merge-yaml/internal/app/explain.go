package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const explainDescription = `Says how a merge merges its YAML: for each file that both sides changed, how git
and how the driver merge it, which edits the driver puts together there, what is left in
conflict, and the difference. With PATH it says field by field what ours changed, what
theirs changed, how the merge puts them together and by which rule.

MERGE is a merge commit, or one that a rebase, a cherry-pick or a revert made. Without it,
it is what stopped here, else what made HEAD: a merge, or all commits of a rebase.
BASE OURS THEIRS are any three files. The merge is done anew, by the rules as they are
now; nothing in the repository is written.

--markdown lists the conflicts only, for a comment on a pull request. --save writes what an
issue about the merge needs.

Exits with 0, whether or not there are conflicts, and with 129 on any failure. It needs
git 2.39 or later.`

func (a *App) explainCommand() *cli.Command {
	return &cli.Command{
		Name:  "explain",
		Usage: "say how a merge merges, file by file or field by field",
		UsageText: "git-merge-yaml explain [options] [MERGE] [--] [PATH...]\n" +
			"git-merge-yaml explain [options] [--] BASE OURS THEIRS",
		Description: describe(explainDescription,
			"What the driver did in the last merge, or does in the one that stopped", "git merge-yaml explain",
			"A file that is in conflict right now", "git merge-yaml explain k8s/web.yaml",
			"Any three files, for another program to read", "git merge-yaml explain --json base.yaml ours.yaml theirs.yaml",
			"A file of a finished merge", "git merge-yaml explain HEAD k8s/web.yaml",
			"A folder about one, for an issue", "git merge-yaml explain --save for-the-issue HEAD k8s/web.yaml"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all-files", Usage: "show also files that git merges alike"},
			&cli.StringFlag{Name: "path", Usage: "take the three files for the file at `PATH` of the repository", DefaultText: "where OURS is"},
			&cli.StringFlag{Name: "save", Usage: "write the folder `DIR`, which must not exist: versions, results, settings and a text for an issue"},
			&cli.StringFlag{Name: "rules", Usage: "merge by the `RULES` default or kustomize", DefaultText: "what PATH's merge attribute says"},
			configFlag(),
			ownFlag(),
			a.colourFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
		},
		Action: func(c *cli.Context) error {
			if c.Bool("json") && c.Bool("markdown") {
				return errors.New("--json and --markdown cannot be used together")
			}
			s, err := a.session(c)
			if err != nil {
				return err
			}
			return a.explain(c, s)
		},
	}
}

func (a *App) explain(c *cli.Context, s *session.Session) error {
	before, paths := splitAtDashes(c.Args().Slice())
	words := slices.Concat(before, paths)
	e := &explanation{App: a, session: s, all: c.Bool("all-files"), json: c.Bool("json"), markdown: c.Bool("markdown"), save: c.String("save")}
	if e.save != "" {
		if _, err := os.Lstat(e.save); err == nil {
			return errors.New(e.save + " is there already; --save names a folder that is not")
		}
	}
	name := ""
	switch {
	case len(before) > 0 && isCommit(before[0]):
		name, words = before[0], words[1:]
	case len(words) == 3 && namesFiles(words):
		return e.files(words, c.String("path"))
	}
	return e.merge(name, words)
}

// isCommit reports whether a word names a commit.
func isCommit(word string) bool {
	_, err := git.Git{}.Line("rev-parse", "--verify", "-q", "--end-of-options", word+"^{commit}")
	return err == nil
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

// An explanation gathers the files of a merge and tells them.
type explanation struct {
	*App
	session             *session.Session
	all, json, markdown bool
	save                string

	cases []*history.Case
	names []history.Name
}

// files explains three files by hand.
func (e *explanation) files(names []string, at string) error {
	v, err := readFiles(names)
	if err != nil {
		return err
	}
	if at == "" {
		at = e.session.PathOf(names[1])
	}
	e.cases = []*history.Case{history.Of(e.session.File(at, v[0], v[1], v[2], nil).Now([3]string{}, true))}
	return e.paged(func(p *terminal.Painter) error { return e.tell(p) })
}

// merge explains the files of a merge: those at paths, or all of them.
func (e *explanation) merge(name string, paths []string) error {
	m, err := history.Find(e.session, name)
	switch {
	case errors.Is(err, git.ErrParents):
		return fmt.Errorf("%w, and no pick that git keeps a record of, which a stash is not; git log --merges lists merges", err)
	case err != nil:
		return err
	}
	var want func(string) bool
	if len(paths) > 0 {
		if want, err = wantPaths(paths); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return e.paged(func(p *terminal.Painter) error {
		overview := &show.Overview{Painter: p, All: e.all}
		var s history.Summary
		each := func(c *history.Case) error {
			e.cases = append(e.cases, c)
			if len(paths) == 0 && !e.json && !e.markdown && e.save == "" {
				return overview.Case(c)
			}
			return nil
		}
		if m.Picks != nil {
			o := history.Options{Session: e.session, Picks: m.Picks, Want: want, ReadDeleted: true, Program: setup.Program(git.Git{})}
			for _, p := range paths {
				o.Also = append(o.Also, e.session.PathOf(p))
			}
			if e.session.RuleSet == "" {
				o.Attributes = attributesHere(e.session)
			}
			s, err = history.Replay(ctx, o, each)
		}
		switch {
		case ctx.Err() != nil:
			return terminal.ErrInterrupted
		case err == nil:
			err = s.Err
		}
		e.names = s.Lost
		if err == nil && m.Open {
			err = e.unmerged(m, want, each, &s)
		}
		switch {
		case err != nil:
			return err
		case len(paths) > 0 && len(e.cases)+len(e.names) == 0:
			return fmt.Errorf("%s: not both sides have %s", m.Name, strings.Join(paths, " "))
		case len(paths) > 0 && len(e.cases) == 0 && e.names[0].File == nil:
			return fmt.Errorf("%s: %s", e.names[0].Path, e.names[0].Kind)
		case len(paths) == 0 && !e.json && !e.markdown && e.save == "":
			return overview.Summary(m.Name, s)
		}
		return e.tell(p)
	})
}

// unmerged adds what the index alone has: of a stash, and names that are in conflict. A comment
// is about what is still unmerged.
func (e *explanation) unmerged(m history.Shown, want func(string) bool, each func(*history.Case) error, s *history.Summary) error {
	tree, err := e.session.WorkTree()
	if err != nil {
		return nil // of a bare repository there is no index
	}
	all, err := tree.Unmerged(nil)
	if err != nil {
		return err
	}
	is := map[string]bool{}
	for _, u := range all {
		is[u.Path] = true
	}
	e.cases = slices.DeleteFunc(e.cases, func(c *history.Case) bool { return c.Alike && is[c.Path] }) // a link, say
	known := map[string]bool{}
	for _, c := range e.cases {
		known[c.Path] = true
	}
	if e.markdown {
		e.cases = slices.DeleteFunc(e.cases, func(c *history.Case) bool { return !is[c.Path] })
	}
	all = slices.DeleteFunc(all, func(u git.Unmerged) bool { return known[u.Path] })
	cases, names, err := history.Stages(e.session, all, want)
	if e.names = names; m.Picks == nil {
		s.Lost = slices.DeleteFunc(slices.Clone(names), func(n history.Name) bool { return n.File == nil })
	}
	for _, c := range cases {
		s.Files++
		err = errors.Join(err, each(c))
	}
	return err
}

// tell tells what was gathered, in the form that was asked for.
func (e *explanation) tell(p *terminal.Painter) error {
	switch {
	case e.save != "":
		return e.report(p)
	case e.markdown:
		return show.Markdown(p.W, e.cases, e.names)
	}
	for _, n := range e.names {
		var err error
		switch {
		case n.File == nil:
		case e.json:
			err = show.JSON{W: p.W}.Deleted("", n)
		default:
			err = show.Deleted(p, n)
		}
		if err != nil {
			return err
		}
	}
	for i, c := range e.cases {
		var err error
		switch {
		case e.json:
			err = show.JSON{W: p.W, Changes: true}.Case(c)
		case i > 0:
			p.Line()
			fallthrough
		default:
			err = show.File(p, c)
		}
		if err != nil {
			return err
		}
	}
	return p.Err
}

// report writes the folder for an issue, or one in it for each of several files.
func (e *explanation) report(p *terminal.Painter) error {
	if len(e.cases) == 0 {
		return errors.New("there is nothing to save: no YAML file that both sides changed")
	}
	rules, err := e.session.Place().Source()
	if err != nil {
		return err
	}
	for _, c := range e.cases {
		dir := e.save
		if len(e.cases) > 1 {
			dir = filepath.Join(e.save, fmt.Sprintf("%04d-%s", c.Number, path.Base(c.Path)))
		}
		if err := show.Report(dir, c, show.About{Rules: rules, Settings: surroundings(e.session, c.Path)}); err != nil {
			return err
		}
	}
	p.Print(terminal.Plain, e.save+": written; about.md is the text for the issue. The files are as they are in the repository: take out what is secret")
	p.Line()
	return p.Err
}

// surroundings are the settings that may matter.
func surroundings(s *session.Session, path string) []string {
	version, _ := s.Git.Line("version")
	lines := []string{"git-merge-yaml " + build.Description(), version}
	if attributes, err := s.Git.Attributes([]string{path}, "merge"); err == nil {
		lines = append(lines, "merge attribute: "+attributes[0]["merge"])
	}
	if style := s.ConflictStyle(); style != "" {
		lines = append(lines, "merge.conflictStyle: "+style)
	}
	return lines
}

// attributesHere returns the merge attributes that paths have here and now.
func attributesHere(s *session.Session) func([]string) ([]map[string]string, error) {
	return func(paths []string) ([]map[string]string, error) { return s.Git.Attributes(paths, "merge") }
}
