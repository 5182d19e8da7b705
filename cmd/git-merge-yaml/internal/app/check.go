package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const checkDescription = `Checks the result of a three-way merge, whoever made it, and lists what it lost
or made up: every edit of either side has to stand in it, and nothing else. Where
both sides changed the same thing, a person decided; there only a result that has
neither edit is told. Indents, quotes and the order of fields are not judged.

With --merge it checks the YAML files of a merge commit against its parents and
their merge base; renames are not followed. With --merges it does so for every
merge in a range, as git log takes one; HEAD^! is the last commit alone.

Exits with 0 if nothing is lost, with 1 if something is, and with 129 on any
failure.`

func (a *App) checkCommand() *cli.Command {
	return &cli.Command{
		Name:        "check",
		Usage:       "list what a merge lost, whoever made it",
		UsageText:   "git-merge-yaml check [options] [--] BASE OURS THEIRS RESULT\ngit-merge-yaml check --merge COMMIT [options]\ngit-merge-yaml check --merges RANGE [options]",
		Description: checkDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "merge", Usage: "check the merge `COMMIT`"},
			&cli.StringFlag{Name: "merges", Usage: "check every merge commit in `RANGE`"},
			&cli.StringFlag{Name: "path", Usage: "take RESULT for the file at `PATH` of the repository", DefaultText: "where it is"},
			configFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object per line"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			if err := checkOptionsFirst(files, c.Lineage()[1].Args().Slice(), "BASE OURS THEIRS RESULT"); err != nil {
				return err
			}
			k := &resultChecker{out: a.Stdout, errs: a.Stderr, json: c.Bool("json"), place: team.Here(c.String("config"))}
			var err error
			if k.rules, err = k.place.RulesOrFirstMistake(); err != nil {
				return err
			}
			switch commit, revs := c.String("merge"), c.String("merges"); {
			case commit != "" && revs != "":
				return fmt.Errorf("--merge %s and --merges %s exclude each other", commit, revs)
			case commit+revs != "" && len(files) > 0:
				return errors.New("--merge or --merges, and files, exclude each other")
			case commit != "":
				return k.result(k.commit(commit))
			case revs != "":
				return k.result(k.commits(c.Context, revs))
			case len(files) != 4:
				return fmt.Errorf("want four files, BASE OURS THEIRS RESULT, got %d", len(files))
			}
			return k.files(files, c.String("path"))
		},
	}
}

// A resultChecker checks results of merges and prints what it finds.
type resultChecker struct {
	out, errs io.Writer
	json      bool
	place     team.Place
	rules     *merge.Rules
	from      git.ID // the merge commit, where several are checked
	found     bool
}

func (k *resultChecker) files(names []string, path string) error {
	var v [4][]byte
	for i, name := range names {
		in, err := disk.Read(name)
		if err != nil {
			return err
		}
		v[i] = in.Bytes
	}
	if path == "" {
		path = k.place.PathOf(names[3])
	}
	found, err := merge.Check(v[0], v[1], v[2], v[3], merge.Options{Path: filepath.ToSlash(path), Rules: k.rules})
	if err != nil {
		return fmt.Errorf("cannot check %s: %w", names[3], err)
	}
	return k.result(k.print(names[3], found))
}

// commit checks the files of a merge commit.
func (k *resultChecker) commit(name string) error {
	g := git.Git{}
	m, err := g.Merge(name)
	if err != nil {
		return err
	}
	if len(m.Bases) > 1 {
		fmt.Fprintf(k.errs, "%s has %d merge bases: checked against %s alone, which may find too much\n", name, len(m.Bases), m.Base().Short())
	}
	files, err := g.Merged(m, driver.IsYAML)
	if err != nil {
		return err
	}
	objects := g.Objects()
	defer objects.Close()
	for _, f := range files {
		if err := k.merged(objects, f); err != nil {
			return err
		}
	}
	return nil
}

// commits checks the merges of two branches in a range; what is found is told
// with the commit.
func (k *resultChecker) commits(ctx context.Context, revs string) error {
	g := git.Git{}
	tips, without, err := g.Revisions(revs)
	if err != nil {
		return err
	}
	merges, err := g.Merges(ctx, tips, without, "", 0)
	if err != nil {
		return err
	}
	for _, m := range merges {
		k.from = m
		switch err := k.commit(m.String()); {
		case errors.Is(err, git.ErrParents):
			fmt.Fprintf(k.errs, "%s not checked: it merges more than two branches\n", k.prefix())
		case err != nil:
			return err
		}
	}
	return nil
}

// merged checks one file of a merge commit. What a parent deleted is no merge
// of contents.
func (k *resultChecker) merged(objects *git.Objects, f git.Merged) error {
	switch {
	case f.Ours == "" && f.Base != "" || f.Theirs == "" && f.Base != "":
		return nil
	case f.Base == f.Ours && f.Result == f.Theirs, f.Base == f.Theirs && f.Result == f.Ours, f.Ours == f.Theirs && f.Result == f.Ours:
		return nil
	case f.Result == "":
		return k.print(f.Path, []merge.Finding{{Rule: "lost", Detail: "the file is gone, and no parent deleted it"}})
	}
	var v [4][]byte
	for i, id := range []git.ID{f.Base, f.Ours, f.Theirs, f.Result} {
		if id == "" {
			continue
		}
		var err error
		if v[i], err = objects.Blob(id); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	found, err := merge.Check(v[0], v[1], v[2], v[3], merge.Options{Path: f.Path, Rules: k.rules})
	if err != nil {
		fmt.Fprintln(k.errs, terminal.Printable(f.Path+": not checked: "+err.Error()))
		return nil
	}
	return k.print(f.Path, found)
}

func (k *resultChecker) print(file string, findings []merge.Finding) error {
	e := terminal.NewEncoder(k.out)
	for _, f := range findings {
		k.found = true
		if !k.json {
			if _, err := fmt.Fprintln(k.out, terminal.Printable(k.prefix()+file+": "+f.String())); err != nil {
				return err
			}
			continue
		}
		if err := e.Encode(struct {
			Commit string `json:"commit,omitempty"`
			File   string `json:"file"`
			Path   string `json:"path"`
			Rule   string `json:"rule"`
			Detail string `json:"detail"`
		}{k.from.String(), file, f.Path, f.Rule, f.Detail}); err != nil {
			return err
		}
	}
	return nil
}

func (k *resultChecker) prefix() string {
	if k.from == "" {
		return ""
	}
	return k.from.Short() + ": "
}

// result is the outcome of all checks, unless printing failed.
func (k *resultChecker) result(err error) error {
	if err == nil && k.found {
		return errFound
	}
	return err
}
