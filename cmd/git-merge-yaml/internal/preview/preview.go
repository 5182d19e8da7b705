// Package preview merges branches into a base, or the base into them, without a work
// tree: what git merges clean, what the driver alone does, and what is in conflict.
//
// Goals: the answer is that of git with the driver, since it is git that merges;
// nothing is written that was not asked for; a thousand branches take two processes of
// git, and one of sh for each file that both sides changed.
package preview

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// Options say what is merged.
type Options struct {
	Git  git.Git
	Base string // a revision
	// Refs are revisions, and Patterns those of refs; without either, all branches of
	// the repository or, in a work tree, of its remotes.
	Refs, Patterns []string
	Config         string // the file with the team's rules, as an option names it
	Program        string // this one, as sh finds it
	Pairs          bool   // merge also each two that are clean alone
	// Into is true to merge the base into the branches, and to write commits of that.
	Into bool
	// Progress is called with how many of how many were merged; nil is not.
	Progress func(done, all int)
}

// A Preview is what was found.
type Preview struct {
	Base     string
	Commit   git.ID // of the base
	Branches []*Branch
	Pairs    []*Branch // those that are in conflict or failed
	Tried    int       // pairs that touch one file, so that they had to be merged
	run      *run
}

// A run is a preview on its way.
type run struct {
	Options
	git     git.Git
	session *session.Session
	base    git.ID
	scratch string // the folder that goes in the end
	called  string // what people call the base, "" before it is asked
}

// Run makes a preview. Close it once it is not needed.
func Run(ctx context.Context, o Options) (p *Preview, err error) {
	r := &run{Options: o}
	o.Git.Context = ctx
	if r.scratch, err = os.MkdirTemp("", "git-merge-yaml-preview-"); err != nil {
		return nil, err
	}
	p = &Preview{Base: o.Base, run: r}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if r.git, err = o.Git.Scratch(filepath.Join(r.scratch, "repository"), o.Into); err != nil {
		return p, err
	}
	if p.Commit, err = r.commit(o.Base); err != nil {
		return p, err
	}
	r.base = p.Commit
	r.git.Dir = r.scratch // git has its files there while it merges them
	r.session = session.InTree(r.git, session.Options{Config: o.Config, Own: r.own()}, r.base.String())
	if err = r.session.FirstMistake(); err != nil {
		return p, err
	}
	if p.Branches, err = r.branches(); err != nil {
		return p, err
	}
	stop, err := r.serve()
	if err != nil {
		return p, err
	}
	defer stop()
	if err = r.merge(p.Branches); err == nil && o.Pairs {
		err = r.pairs(p)
	}
	return p, err
}

// Close takes away what the preview wrote for itself.
func (p *Preview) Close() error { return os.RemoveAll(p.run.scratch) }
