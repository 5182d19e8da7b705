package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

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
