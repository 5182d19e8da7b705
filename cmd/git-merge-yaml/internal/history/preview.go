package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A State is what becomes of a merge that is to come.
type State string

// The states.
const (
	Merged   State = "merged"   // it is in the base already
	Clean    State = "clean"    // with git and the driver alike
	ByDriver State = "driver"   // clean with the driver alone
	Mended   State = "mended"   // git's clean merge is wrong, and the driver's another one
	Conflict State = "conflict" // with both
	Failed   State = "failed"   // no common ancestor, say
)

// IsClean reports whether a merge in this state may be committed.
func (s State) IsClean() bool { return s == Clean || s == ByDriver || s == Mended }

// A Branch is what is merged into the base, or, with another one, on top of that.
type Branch struct {
	Name, With string
	Commit     git.ID
	State      State
	Why        string // it failed
	Names      []Name // that are in conflict
	Cases      []*Case

	merge *Merge
}

// Previewing says what is merged, and into what.
type Previewing struct {
	Options
	Base string // a revision
	// Refs are revisions, and Patterns those of refs; without either, all branches of
	// the repository or, in a work tree, of its remotes.
	Refs, Patterns []string
	Pairs          bool // merge also each two that are clean alone
}

// A Preview is what would become of branches.
type Preview struct {
	Base            string
	Branches, Pairs []*Branch // of pairs those that are not clean
	Tried           int       // pairs that touch one file, so that they had to be merged
}

// NewPreview merges branches into a base. Options.Session is that of the commit.
func NewPreview(ctx context.Context, o Previewing) (*Preview, error) {
	g := o.Session.Git
	base, err := commitOf(g, o.Base)
	if err != nil {
		return nil, err
	}
	p := &Preview{Base: o.Base}
	if p.Branches, err = o.branches(g, base); err != nil {
		return nil, err
	}
	o.Want = func(string) bool { return true }
	o.Picks, o.ReadDeleted = []git.Merge{}, true
	w, err := open(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.Session = session.InTree(w.git, session.Options{Config: o.Session.Config, Own: "theirs"}, base.String())
	if err := w.Session.FirstMistake(); err != nil {
		return nil, err
	}
	if w.Attributes, err = attributesOf(g, base, filepath.Join(w.folder, "index")); err != nil {
		return nil, err
	}
	if err := w.preview(ctx, p.Branches, func(b *Branch) git.ID { return base }); err != nil || !o.Pairs {
		return p, err
	}
	return p, w.pairs(ctx, p, base)
}

// attributesOf reads the merge attributes that paths have in a commit, as git reads them where
// it is checked out, through an index in a file.
func attributesOf(g git.Git, commit git.ID, index string) (func([]string) ([]map[string]string, error), error) {
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_INDEX_FILE="+index)
	if _, err := g.Run("read-tree", commit.String()); err != nil {
		return nil, err
	}
	return func(paths []string) ([]map[string]string, error) { return g.CachedAttributes(paths, "merge") }, nil
}

// preview merges branches into what onto says of each.
func (w *walk) preview(ctx context.Context, branches []*Branch, onto func(*Branch) git.ID) error {
	of := map[*Merge]*Branch{}
	w.merges = nil
	for _, b := range branches {
		if b.State != Merged {
			b.merge = &Merge{Commit: git.Commit{ID: b.Commit, Parents: []git.ID{onto(b), b.Commit}}, Ours: onto(b), Theirs: b.Commit, Open: true, isToCome: true}
			of[b.merge] = b
			w.merges = append(w.merges, b.merge)
		}
	}
	seen := 0
	return inOrder(ctx, w, (*walk).cases, func(m *Merge) error {
		b := of[m]
		kept := *m
		b.merge, b.Cases, b.Names = &kept, m.cases, m.Names
		b.State, b.Why = b.judge()
		w.progress(seen, -1)
		seen++
		return nil
	})
}

// judge says what becomes of a branch.
func (b *Branch) judge() (State, string) {
	switch m := b.merge; {
	case m.Err != nil:
		return Failed, m.Err.Error()
	case m.CutOff:
		return Failed, notHere
	case len(m.Bases) == 0:
		return Failed, "refusing to merge unrelated histories"
	case len(b.Names) > 0:
		return Conflict, ""
	}
	state := Clean
	for _, c := range b.Cases {
		switch {
		case !c.Driver.Clean():
			return Conflict, ""
		case !c.Git.Clean():
			state = ByDriver
		case state == Clean && string(c.Content.Git) != string(c.Content.Driver):
			state = Mended
		}
	}
	return state, ""
}

// pairs merges each two branches that are clean alone, the second on top of the first:
// those that change a file in common. Others are clean together too.
func (w *walk) pairs(ctx context.Context, p *Preview, base git.ID) error {
	clean := slices.DeleteFunc(slices.Clone(p.Branches), func(b *Branch) bool { return !b.State.IsClean() })
	tops, err := w.committing(clean)
	if err != nil || len(clean) == 0 {
		return err
	}
	root, err := w.git.TreesOf(append([]git.ID{base}, tops...))
	if err != nil {
		return err
	}
	var sides [][2]git.ID
	for _, tree := range root[1:] {
		sides = append(sides, [2]git.ID{root[0], tree})
	}
	changed, err := w.git.DiffTrees(sides)
	if err != nil {
		return err
	}
	var all []*Branch
	onto := map[*Branch]git.ID{}
	for i, a := range clean {
		for k, b := range clean[i+1:] {
			for path := range changed[i] {
				if _, both := changed[i+1+k][path]; both {
					pair := &Branch{Name: a.Name, With: b.Name, Commit: b.Commit}
					all, onto[pair] = append(all, pair), tops[i]
					break
				}
			}
		}
	}
	p.Tried = len(all)
	err = w.preview(ctx, all, func(b *Branch) git.ID { return onto[b] })
	p.Pairs = slices.DeleteFunc(all, func(b *Branch) bool { return b.State.IsClean() })
	return err
}

// committing makes the merges of branches commits, which no ref of the repository has.
func (w *walk) committing(branches []*Branch) ([]git.ID, error) {
	var made []git.NewCommit
	for _, b := range branches {
		c := git.NewCommit{Parents: b.merge.Parents, Tree: b.merge.trees[byLine], Files: map[string]git.NewFile{}}
		for i, f := range b.merge.files {
			c.Files[f.path] = git.NewFile{Mode: f.by[byLine].Mode(), Content: b.Cases[i].Content.Driver}
		}
		made = append(made, c)
	}
	return w.git.Commit(made)
}

// branches are what is to be merged; those that are in the base already are Merged.
func (o Previewing) branches(g git.Git, base git.ID) (all []*Branch, err error) {
	patterns := o.Patterns
	if len(o.Refs)+len(patterns) == 0 {
		patterns = []string{"refs/remotes/"}
		if bare, err := g.IsBare(); err == nil && bare {
			patterns = []string{"refs/heads/"}
		}
	}
	if len(patterns) > 0 {
		if all, err = matching(g, patterns, base); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Refs {
		id, err := commitOf(g, name)
		if err != nil {
			return nil, err
		}
		all = append(all, &Branch{Name: name, Commit: id})
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing to merge: no ref matches")
	}
	missing := map[git.ID]bool{}
	args := []string{"^" + base.String()}
	for _, b := range all {
		args = append(args, b.Commit.String())
	}
	err = g.Commits(args, func(c git.Commit) bool { missing[c.ID] = true; return true })
	for _, b := range all {
		if !missing[b.Commit] {
			b.State = Merged
		}
	}
	return all, err
}

// matching are the refs that match patterns, but for the base.
func matching(g git.Git, patterns []string, base git.ID) (all []*Branch, err error) {
	args := append([]string{"for-each-ref", "--format=%(refname)%00%(objectname)%00%(*objectname)%00%(symref)"}, patterns...)
	out, err := g.Run(args...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) != 4 || f[3] != "" { // HEAD of a remote is another one's name
			continue
		}
		if f[2] != "" { // a tag
			f[1] = f[2]
		}
		id, err := git.ParseID(f[1])
		if err != nil {
			return nil, err
		}
		if id != base {
			name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(f[0], "refs/heads/"), "refs/remotes/"), "refs/")
			all = append(all, &Branch{Name: name, Commit: id})
		}
	}
	return all, nil
}

func commitOf(g git.Git, name string) (git.ID, error) {
	line, err := g.Line("rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no commit %s here (git branch --all lists the branches)", name)
	}
	return git.ParseID(line)
}

// isOthers reports whether the attribute of a path has it merged otherwise than by
// this program: by lines, or not at all.
func isOthers(path, attribute string) bool {
	_, ours := driver.RulesOf(attribute)
	return !ours && (attribute != "unspecified" || !driver.IsYAML(path))
}
