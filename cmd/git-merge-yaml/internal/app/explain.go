package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const explainDescription = `Says for each YAML file that both sides of a merge changed how git and how the driver merge it, what is
left in conflict, and the difference. With PATH it says field by field what ours changed, what theirs
changed, what is in conflict, by which rule, and what people committed otherwise.

MERGE is a merge commit, or one that a rebase, a cherry-pick or a revert made. Without it, it is what
stopped here, else what made HEAD. BASE OURS THEIRS are any three files. The merge is done anew, by the
rules as they are now; nothing in the repository is written.

--markdown lists the conflicts only, for a comment on a pull request. --save writes what an issue needs.

Exits with 0, whether or not there are conflicts, and with 129 on any failure. It needs git 2.39 or later.`

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
			rulesFlag("merge", "what PATH's merge attribute says"),
			configFlag(),
			ownFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
			&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
		},
		Action: a.explain,
	}
}

func (a *App) explain(c *cli.Context) error {
	if _, err := oneOption(c, "json", "markdown"); err != nil {
		return err
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	e := &explanation{App: a, session: s, json: c.Bool("json"), markdown: c.Bool("markdown"), save: c.String("save")}
	if _, err := os.Lstat(e.save); err == nil && e.save != "" {
		return errors.New(e.save + " is there already; --save names a folder that is not")
	}
	before, behind := a.splitAtDashes(c)
	name, words := "", slices.Concat(before, behind)
	switch {
	case len(before) > 0 && isCommit(before[0]):
		name, words = before[0], words[1:]
	case len(words) == 3 && namesFiles(words):
		v, err := readFiles(words...)
		if err != nil {
			return err
		}
		at := cmp.Or(c.String("path"), s.PathOf(words[1]))
		e.cases = []*history.Case{history.Of(s.File(at, v[0], v[1], v[2], nil).Now([3]string{}, true))}
		return a.paged(e.tell)
	}
	return e.merge(name, words, c.Bool("all-files"))
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
	session        *session.Session
	json, markdown bool
	save           string

	cases []*history.Case
	names []history.Name
}

// merge explains the files of a merge: those at paths, or all of them in a few lines each.
func (e *explanation) merge(name string, paths []string, all bool) error {
	m, err := history.Find(e.session, name)
	switch {
	case errors.Is(err, git.ErrParents):
		return fmt.Errorf("%w, and no pick that git keeps a record of, which a stash is not; git log --merges lists merges", err)
	case err != nil:
		return err
	}
	want := history.Select(paths)
	brief := len(paths) == 0 && !e.json && !e.markdown && e.save == ""
	return e.paged(func(p *terminal.Painter) error {
		overview := &show.Overview{Painter: p, All: all}
		each := func(c *history.Case) error {
			e.cases = append(e.cases, c)
			if brief {
				return overview.Case(c)
			}
			return nil
		}
		var s history.Summary
		err := e.walk(e.session, func(ctx context.Context, o history.Options) (err error) {
			if m.Picks == nil {
				return nil
			}
			o.Picks, o.Want = m.Picks, want
			for _, p := range paths {
				o.Also = append(o.Also, e.session.PathOf(p))
			}
			s, err = history.Replay(ctx, asHere(o), each)
			return cmp.Or(err, s.Err)
		})
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
		case brief:
			return overview.Summary(m.Name, s)
		}
		return e.tell(p)
	})
}

// unmerged adds what the index alone has: of a stash, and names that are in conflict. A comment
// is about what is still unmerged.
func (e *explanation) unmerged(m history.Shown, want history.Selection, each func(*history.Case) error, s *history.Summary) error {
	tree, err := e.session.WorkTree()
	if err != nil {
		return nil // of a bare repository there is no index
	}
	all, err := tree.Unmerged(nil)
	if err != nil {
		return err
	}
	rest := map[string]bool{}
	for _, u := range all {
		rest[u.Path] = true
	}
	e.cases = slices.DeleteFunc(e.cases, func(c *history.Case) bool {
		isUnmerged := rest[c.Path]
		if isUnmerged && c.Alike { // a link, say
			return true
		}
		delete(rest, c.Path)
		return e.markdown && !isUnmerged
	})
	all = slices.DeleteFunc(all, func(u git.Unmerged) bool { return !rest[u.Path] })
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
	var err error
	for _, n := range e.names {
		switch {
		case n.File == nil:
		case e.json:
			err = errors.Join(err, show.JSON{W: p.W}.Deleted("", n))
		default:
			err = errors.Join(err, show.Deleted(p, n))
		}
	}
	for i, c := range e.cases {
		switch {
		case e.json:
			err = errors.Join(err, show.JSON{W: p.W, Changes: true}.Case(c))
		case i > 0:
			p.Line()
			fallthrough
		default:
			err = errors.Join(err, show.File(p, c))
		}
	}
	return err
}

// report writes the folder for an issue, or one in it for each of several files.
func (e *explanation) report(p *terminal.Painter) error {
	if len(e.cases) == 0 {
		return errors.New("there is nothing to save: no YAML file that both sides changed")
	}
	rules, err := e.session.RulesSource()
	if err != nil {
		return err
	}
	version, _ := e.session.Git.Line("version")
	for _, c := range e.cases {
		dir := e.save
		if len(e.cases) > 1 {
			dir = filepath.Join(e.save, fmt.Sprintf("%04d-%s", c.Number, path.Base(c.Path)))
		}
		if err := show.Report(dir, c, rules, "git-merge-yaml "+build.Description(), version); err != nil {
			return err
		}
	}
	p.Println(terminal.Plain, e.save+": written; about.md is the text for the issue. The files are as they are in the repository: take out what is secret")
	return p.Err
}
