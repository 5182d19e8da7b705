// Package replay merges the past merges of a repository anew, by lines as git
// does and by field, and compares both with what was committed.
//
// Goals: the outcome of every file is what `git merge` would leave today, with
// and without the driver, criss-cross histories and renames included; nothing
// of the repository is touched; a history takes seconds, and the memory of a
// few merges.
//
// Non-goals: octopus merges, which call no driver; directory renames, which
// merge no content; conflicts about names and modes.
package replay

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// Options say what to replay, and how.
type Options struct {
	// Session says in what repository, and how the driver merges there.
	Session *session.Session
	// Revisions are as git rev-list takes them: v1..v2, main, --all. None is HEAD.
	Revisions []string
	// Merge, if it is not "", is the only merge commit, and Revisions are none.
	Merge string
	// Picks are what to replay in the place of merges, if they are not nil: commits
	// that a rebase made, say, or what stopped. Revisions and Merge are none then.
	Picks []git.Merge
	// Since is a date as git reads it; older merges are left out. "" is no limit.
	Since string
	// Max is the largest number of merges, the newest; 0 is no limit.
	Max int
	// Want reports whether a path, from the top of the repository, is merged;
	// nil wants *.yaml and *.yml.
	Want func(path string) bool
	// RuleSetOf says by which rule set the driver merges the file at a path, as
	// session.File has it; nil is that the session says it.
	RuleSetOf func(path string) string
	// File is the path of a file that is told whatever became of it, if both sides have
	// it; "" is none.
	File string
	// Jobs is the number of merges at work at once; 0 is one per processor.
	Jobs int
	// Progress is called after every merge, with how many were seen so far, of
	// how many, and the files in them; nil is not called.
	Progress func(seen, merges, files int)
}

// Run replays merges, the newest first, and gives each file that both sides
// changed to each, in order, numbered from 1. An error of each ends the run
// and is returned. The summary counts what each has seen, also beside an
// error: that of a context that was cancelled, for one.
func Run(ctx context.Context, o Options, each func(*Case) error) (s Summary, err error) {
	start := time.Now()
	defer func() { s.Time, s.Interrupted = time.Since(start), ctx.Err() != nil }()
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRun(working, o)
	if err := r.open(working); err != nil {
		return s, err
	}
	defer r.trees.Close()
	return r.replay(working, each)
}

// A run is one replay on its way.
type run struct {
	Options
	git    git.Git
	graph  *git.Graph
	merges []int
	// picks are the parents and the ancestor of what is no merge commit.
	picks map[int]pick
	// shallow are the commits whose parents a shallow clone lacks.
	shallow map[git.ID]bool
	// tellsLabels says that git tells a driver what stands behind markers.
	tellsLabels bool
	trees       *treeCache
}

// newRun is a run that ends with ctx.
func newRun(ctx context.Context, o Options) *run {
	r := &run{Options: o, git: o.Session.Git}
	r.git.Context = ctx
	return r
}

// open reads the history.
func (r *run) open(ctx context.Context) error {
	if r.Want == nil {
		r.Want = driver.IsYAML
	}
	if r.Jobs <= 0 {
		r.Jobs = runtime.GOMAXPROCS(0)
	}
	r.trees = newTreeCache(r.git)
	var err error
	if r.shallow, err = r.git.Shallow(); err != nil {
		return err
	}
	r.tellsLabels = r.git.AtLeast(2, 44)
	switch {
	case r.Picks != nil:
		return r.openPicks(ctx)
	case r.Merge != "":
		return r.openMerge(ctx)
	}
	if len(r.Revisions) == 0 {
		r.Revisions = []string{"HEAD"}
	}
	tips, without, err := r.git.Revisions(r.Revisions...)
	if err != nil {
		return err
	}
	graph := make(chan error, 1)
	go func() {
		var err error
		r.graph, err = r.git.Graph(ctx, tips, "")
		graph <- err
	}()
	merges, err := r.git.Merges(ctx, tips, without, r.Since, r.Max)
	if err := errors.Join(<-graph, err); err != nil {
		return err
	}
	for _, id := range merges {
		if c := r.graph.Find(id); c >= 0 {
			r.merges = append(r.merges, c)
		}
	}
	return nil
}

// openMerge reads the history of one merge: with one base, down to that.
func (r *run) openMerge(ctx context.Context) error {
	m, err := r.git.Merge(r.Merge)
	if err != nil {
		return err
	}
	below := git.ID("")
	if len(m.Bases) == 1 {
		below = m.Bases[0]
	}
	if r.graph, err = r.git.Graph(ctx, []git.ID{m.Commit}, below); err != nil {
		return err
	}
	r.merges = []int{r.graph.Find(m.Commit)}
	return nil
}

// A pick is what is merged in the place of a commit's parents. Open says that the
// result is no commit yet.
type pick struct {
	ours, theirs int
	bases        []int
	open         bool
}

// openPicks reads the history of what is no merge commit.
func (r *run) openPicks(ctx context.Context) (err error) {
	if r.graph = (&git.Graph{}); len(r.Picks) == 0 {
		return nil
	}
	var tips []git.ID
	for _, m := range r.Picks {
		tips = append(append(tips, m.Ours, m.Theirs), m.Bases...)
		if m.Commit != "" {
			tips = append(tips, m.Commit)
		}
	}
	if r.graph, err = r.git.Graph(ctx, tips, ""); err != nil {
		return err
	}
	r.picks = map[int]pick{}
	for _, m := range r.Picks {
		p := pick{ours: r.graph.Find(m.Ours), theirs: r.graph.Find(m.Theirs), open: m.Commit == ""}
		for _, b := range m.Bases {
			p.bases = append(p.bases, r.graph.Find(b))
		}
		c := p.ours
		if !p.open {
			c = r.graph.Find(m.Commit)
		}
		if !slices.Contains(append(p.bases, c, p.ours, p.theirs), -1) { // in a shallow clone
			r.merges, r.picks[c] = append(r.merges, c), p
		}
	}
	return nil
}

// found are the files of one merge.
type found struct {
	kind    mergeKind
	cases   []*Case
	deleted int // files that one side deleted and the other changed
	names   int // files whose names are in conflict
	err     error
}

// replay counts and passes on what was found in the merges.
func (r *run) replay(ctx context.Context, each func(*Case) error) (s Summary, err error) {
	s.Commits = r.graph.Len()
	err = inOrder(ctx, r, (*merger).merge, func(f found) error { return r.take(&s, f, each) })
	return s, err
}

// take counts what was found in a merge, and passes it on.
func (r *run) take(s *Summary, f found, each func(*Case) error) error {
	s.merge(f)
	for _, c := range f.cases {
		c.Number = s.Files + s.Alike + 1
		s.add(c)
		if err := each(c); err != nil {
			return err
		}
	}
	r.progress(s.Merges, s.Files)
	return nil
}

func (r *run) progress(seen, files int) {
	if r.Progress != nil {
		r.Progress(seen, len(r.merges), files)
	}
}
