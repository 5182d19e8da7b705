package replay

import (
	"context"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Checked is a file of a merge commit as merge.Check finds it.
type Checked struct {
	Merge    git.ID
	Path     string // "" for what is said of the merge
	Findings []merge.Finding
	// Not says why it was not checked, "" if it was.
	Not string
}

// Checks counts what was checked.
type Checks struct {
	Merges, Files, Findings int
	Faulty                  int // files with findings
	Not                     int // merges and files that were not checked
	// Short says that a merge was not, or that merges may not be known: it is a
	// shallow clone.
	Short bool
}

// Check checks the merge commits of a history, the newest first, whoever made
// them: the files that a parent changed, and that the commit has otherwise than
// by taking the only change. Renames are not followed. Taken is true to find
// what a side alone decided where both changed it.
func Check(ctx context.Context, o Options, taken bool, each func(Checked) error) (s Checks, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRun(ctx, o)
	if err := r.open(ctx); err != nil {
		return s, err
	}
	defer r.trees.Close()
	if s.Short, err = r.isCut(ctx); err != nil {
		return s, err
	}
	err = inOrder(ctx, r, func(m *merger, commit int) checkedMerge { return m.check(commit, taken) }, func(c checkedMerge) error {
		if err := s.take(c, each); err != nil {
			return err
		}
		r.progress(s.Merges, s.Files)
		return nil
	})
	return s, err
}

// notHere is why a merge is not checked of which a shallow clone has too little.
const notHere = "its common ancestor is not in this shallow clone"

// isCut reports whether a shallow clone ends within a range, so that nobody knows which
// of its commits are merges.
func (r *run) isCut(ctx context.Context) (bool, error) {
	if len(r.shallow) == 0 || r.Merge != "" {
		return false, nil
	}
	tips, without, err := r.git.Revisions(r.Revisions...)
	if err != nil {
		return false, err
	}
	return r.git.HasAny(ctx, tips, without, r.shallow)
}

// checkedMerge is what was checked of one merge.
type checkedMerge struct {
	files []Checked
	err   error
}

func (s *Checks) take(m checkedMerge, each func(Checked) error) error {
	s.Merges++
	for _, c := range m.files {
		s.Findings += len(c.Findings)
		switch {
		case c.Not != "":
			s.Not++
			s.Short = s.Short || c.Not == notHere
		case len(c.Findings) > 0:
			s.Faulty++
		}
		if c.Path != "" {
			s.Files++
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return m.err
}

// check checks a merge commit.
func (m *merger) check(commit int, taken bool) (c checkedMerge) {
	id := m.graph.ID(commit)
	ours, theirs, bases, kind := m.parents(commit)
	switch kind {
	case octopus:
		return checkedMerge{files: []Checked{{Merge: id, Not: "it merges more than two branches"}}}
	case cutOff:
		return checkedMerge{files: []Checked{{Merge: id, Not: notHere}}}
	}
	roots, s, err := m.ancestors(bases)
	if err != nil {
		return checkedMerge{err: fmt.Errorf("%s: %w", id.Short(), err)}
	}
	if v, ok := s.(*virtual); ok {
		defer v.close()
	}
	w := &checkWalk{store: s, merger: m, commit: commit, taken: taken}
	err = w.folder("", [4]git.ID{roots[byField], m.graph.Tree(ours), m.graph.Tree(theirs), m.graph.Tree(commit)})
	if err != nil {
		err = fmt.Errorf("%s: %w", id.Short(), err)
	}
	return checkedMerge{w.found, err}
}

// A checkWalk checks the files of a merge in four folders: those of base, ours
// and theirs, and the one that was committed.
type checkWalk struct {
	store
	*merger
	commit int
	taken  bool
	found  []Checked
}

func (w *checkWalk) folder(prefix string, ids [4]git.ID) error {
	trees, err := w.Trees(ids[:]...)
	if err != nil {
		return err
	}
	for {
		e, ok := next(trees)
		if !ok {
			return nil
		}
		v := versions{e[0], e[1], e[2]}
		if !isMerged(e) && !(v.alike() && w.bumps(prefix+v.name())) {
			continue
		}
		if err := w.entry(prefix, e); err != nil {
			return err
		}
	}
}

// isMerged reports whether a side changed the base, and the committed version
// is other than what the only change makes of it.
func isMerged(e [4]git.TreeEntry) bool {
	base, ours, theirs, committed := e[0], e[1], e[2], e[3]
	switch {
	case same(base, ours):
		return !same(base, theirs) && !same(committed, theirs)
	case same(base, theirs), same(ours, theirs):
		return !same(committed, ours)
	}
	return true
}

func (w *checkWalk) entry(prefix string, e [4]git.TreeEntry) error {
	var ids [4]git.ID
	name, folder := "", false
	for i, x := range e {
		if x.Name != "" {
			name, folder = x.Name, x.Mode.IsTree()
		}
		if x.Mode.IsTree() || x.Mode.IsFile() {
			ids[i] = x.ID
		}
	}
	if folder {
		return w.folder(prefix+name+"/", ids)
	}
	path := prefix + name
	deleted := ids[0] != "" && (ids[1] == "" || ids[2] == "") || ids[1] == "" && ids[2] == ""
	if deleted || !w.Want(path) {
		return nil // what a parent deleted is no merge of contents
	}
	c, err := w.check(path, ids)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c.Merge, c.Path = w.graph.ID(w.commit), path
	w.found = append(w.found, c)
	return nil
}

func (w *checkWalk) check(path string, ids [4]git.ID) (c Checked, err error) {
	if ids[3] == "" {
		c.Findings = []merge.Finding{{Rule: "lost", Detail: "the file is gone, and no parent deleted it"}}
		return c, nil
	}
	v, err := w.Blobs(ids[:]...)
	if err != nil {
		return c, err
	}
	c.Findings, err = w.file(w.commit, path, content{v[0], v[1], v[2]}).Findings(v[3], w.taken)
	if err != nil {
		c.Not = err.Error()
	}
	return c, nil
}
