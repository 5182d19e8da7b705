// Package history merges anew: the past merges of a history, one that stopped here, and
// those to come. git merge-tree says which files both sides changed; each of these is
// merged by lines, as git does, and by field, and both are compared with what was committed.
//
// Goals: the outcome of every file is what `git merge` would leave today, with
// and without the driver, criss-cross histories and renames included; nothing
// of the repository is touched; a history takes a few processes of git, and the memory of a
// few merges.
//
// Non-goals: octopus merges, which call no driver; conflicts about names and modes; what git
// without the driver would make of several common ancestors: both merge over the driver's.
package history

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// Options say what to merge anew, and how.
type Options struct {
	// Session says in what repository, and how the driver merges there.
	Session *session.Session
	// Revisions are ranges or names of commits, as in v1..v2 or main. None is HEAD or, with All, every reference.
	Revisions []string
	All       bool
	// Picks are what to merge in the place of the merges of Revisions, if they are not nil:
	// one merge, commits that a rebase made, what stopped.
	Picks []git.Merge
	// Max is the largest number of merges, the newest; 0 is no limit.
	Max int
	// Paths are pathspecs, as seen from the current directory, of the files that are merged. Of
	// those that are not named as YAML, they select such as a pathspec of their extension names, as
	// *.json does. Without any it is all that are named as YAML, or all with Every.
	Paths []string
	Every bool
	// Also are paths that are told whatever became of them, if both sides have them.
	Also []string
	// Here has files merged by the rule sets that their attributes say here and now, unless the
	// session says them.
	Here bool
	// Progress is called after every merge, with how many were seen so far, of
	// how many, and the files in them; nil is not called.
	Progress func(seen, merges, files int)
}

// Replay merges anew, the newest merge first, and gives each file that both sides
// changed to each, in order, numbered from 1. An error of each ends the run
// and is returned. The summary counts what each has seen, also beside an
// error: that of a context that was cancelled, for one.
func Replay(ctx context.Context, o Options, each func(*Case) error) (s Summary, err error) {
	start := time.Now()
	s.Otherwise = Reviewed{Lacks: 0, Adds: 0, Broken: 0, Gone: 0, Fine: 0, Twice: 0, Unknown: 0}
	defer func() { s.Time, s.Interrupted = time.Since(start), ctx.Err() != nil }()
	w, err := open(ctx, o)
	if err != nil {
		return s, err
	}
	defer w.close()
	s.Commits = w.commits
	return s, w.inOrder(w.cases, func(m *Merge) error {
		s.merge(m)
		for _, c := range m.cases {
			c.Number = s.Files + s.Alike + 1
			s.add(c)
			if err := each(c); err != nil {
				return err
			}
		}
		w.progress(s.Merges, s.Files)
		return nil
	})
}

// A walk is one run on its way.
type walk struct {
	Options
	git     git.Git // in a scratch repository; its context ends with the walk
	cancel  func()
	folder  string // of that repository
	objects *git.Objects
	merges  []*Merge
	commits int // that were walked over
	// shallow are the commits whose parents a shallow clone lacks; cut is that the walk
	// came to one.
	shallow map[git.ID]bool
	cut     bool
	// attributes returns attributes of paths, by whose merge the driver has its rule set; nil is
	// that the session says it. here are those of the work tree in a check by a commit's, else nil.
	attributes, here attributes
}

// attributes is session.Session.Attributes.
type attributes = func(paths []string, names ...string) ([]map[string]string, error)

// newWalk is a walk that has no merges yet, in the repository itself.
func newWalk(ctx context.Context, o Options) (w *walk, err error) {
	w = &walk{Options: o, git: o.Session.Git}
	if s := o.Session; o.Here && s.RuleSet == "" {
		w.attributes = s.Attributes
	}
	w.git.Context, w.cancel = context.WithCancel(ctx)
	w.folder, err = disk.TempFolder()
	return w, err
}

// open reads which merges there are.
func open(ctx context.Context, o Options) (w *walk, err error) {
	if w, err = newWalk(ctx, o); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	g := w.git
	if w.git, err = g.CreateScratchRepository(filepath.Join(w.folder, "repository")); err != nil {
		return w, err
	}
	w.objects = w.git.Objects()
	if w.shallow, err = g.ShallowCommits(); err != nil {
		return w, err
	}
	if o.Picks != nil {
		return w, w.openPicks(g)
	}
	var options []string
	revisions := o.Revisions
	switch {
	case o.All:
		options = []string{"--all"}
	case len(revisions) == 0:
		revisions = []string{"HEAD"}
	}
	err = g.WalkCommits(options, revisions, func(c git.Commit) bool {
		w.commits++
		w.cut = w.cut || w.shallow[c.ID]
		if len(c.Parents) > 1 {
			m := &Merge{Commit: c}
			if m.Octopus = len(c.Parents) > 2; !m.Octopus {
				m.Ours, m.Theirs = c.Parents[0], c.Parents[1]
			}
			w.merges = append(w.merges, m)
		}
		return o.Max == 0 || len(w.merges) < o.Max
	})
	return w, err
}

// openPicks takes what is merged in the place of a history.
func (w *walk) openPicks(g git.Git) error {
	rebased, err := w.git.ReparentOntoBase(slices.DeleteFunc(slices.Clone(w.Picks), func(p git.Merge) bool { return p.Base == "" }))
	if err != nil {
		return err
	}
	for _, p := range w.Picks {
		m := &Merge{Ours: p.Ours, Theirs: p.Theirs, Open: p.Commit == "", Pick: p.Base != ""}
		if m.Pick {
			m.Ours, m.Theirs, m.over = rebased[0][0], rebased[0][1], []git.ID{p.Base}
			rebased = rebased[1:]
		}
		at := cmp.Or(p.Commit, p.Ours)
		err := g.WalkCommits([]string{"--no-walk"}, []string{at.String()}, func(c git.Commit) bool {
			m.Commit, m.Parents = c, []git.ID{p.Ours, p.Theirs}
			return true
		})
		if err != nil {
			return err
		}
		w.merges = append(w.merges, m)
	}
	w.commits = len(w.merges)
	return nil
}

func (w *walk) close() {
	w.cancel()
	if w.objects != nil {
		w.objects.Close()
	}
	os.RemoveAll(w.folder)
}

func (w *walk) progress(seen, files int) {
	if w.Progress != nil {
		w.Progress(seen, len(w.merges), files)
	}
}

// sizes are how many merges git is given at once: a few first, so that there is soon
// something to show. Ids of 200 pairs are arguments of 26 KB at most; Windows takes 32.
var sizes = []int{4, 200}

// inOrder asks git about the merges of w, does something with each, several at once, and takes
// them in order, until that is an error. Git is at work on the next ones meanwhile; of no more than
// a few merges is it known what was done, however long one of them takes. When it returns,
// nobody is at work, and after an error w is of no more use.
func (w *walk) inOrder(do, take func(*Merge) error) (err error) {
	ctx, n := w.git.Context, runtime.GOMAXPROCS(0)
	found, begun, busy := make(chan *Merge, sizes[1]), make(chan *Merge, 16*n), make(chan struct{}, n)
	var failed error
	go func() {
		defer close(found)
		for i, rest := 0, w.merges; len(rest) > 0 && ctx.Err() == nil; i++ {
			n := min(len(rest), sizes[min(i, 1)])
			if failed = w.find(rest[:n]); failed != nil {
				return
			}
			for _, m := range rest[:n] {
				found <- m
			}
			rest = rest[n:]
		}
	}()
	go func() {
		defer close(begun)
		for m := range found {
			m.done = make(chan struct{})
			busy <- struct{}{}
			begun <- m
			go func() {
				if ctx.Err() == nil {
					m.Err = cmp.Or(m.Err, w.readDeleted(m), do(m))
				}
				<-busy
				close(m.done)
			}()
		}
	}()
	for m := range begun {
		<-m.done
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = take(m)
		}
		if err != nil {
			w.cancel()
		}
		*m = Merge{} // what it held is of no more use
	}
	return cmp.Or(err, ctx.Err(), failed)
}
