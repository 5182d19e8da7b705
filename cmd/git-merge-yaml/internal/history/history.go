// Package history merges again, file by file, what git merged or will merge, and compares three results: git's line
// merge, the merge by the driver, and the committed file. It works on past merge commits (Replay, Check), on single
// commits and on a merge that stopped (Explain), and on branches that are not merged yet (Preview). It does not change
// the repository: git runs in a scratch repository that borrows its objects. Only a partial clone keeps the objects
// that git fetches meanwhile.
//
// The results for a file are those that git merge would leave today, with and without the driver, including renames and
// criss-cross histories. Exceptions: octopus merges, because git calls no driver for them; conflicts about names and
// modes, which are only listed; and merges with several common ancestors, for which both engines merge over the
// ancestor that the driver made, although git without the driver would make its own.
//
// A history of any length takes a few git processes and the memory of a few merges: for up to 200 merges at a time, a
// walk asks git merge-tree which files both sides changed. It then merges these files in this process.
//
// The main types are Options (what to merge), Case (a file with its results), Summary and Branch. This lists the
// files that git left in conflict and the driver would have merged:
//
//	o := history.Options{Session: session.New(session.Options{}), Revisions: []string{"v1.0..main"}}
//	summary, err := history.Replay(ctx, o, func(c *history.Case) error {
//		if !c.Git.Clean() && c.Driver.Clean() {
//			fmt.Println(c.Merge.Short(), c.Path, c.Driver.Committed)
//		}
//		return nil
//	})
//
// It prints, for example, "3f2a91c0ab k8s/web.yaml bytes": the driver's result is identical to the committed file.
//
// Terms:
//
//	walk             a run over a list of merges, done in batches
//	job, m           a mergeJob: one merge of the walk, with what git and the driver made of it
//	engine           git's line merge or the merge driver
//	committed file   the file in the merge commit; a merge that stopped or a preview has none
//	pick             the merge behind a cherry-picked, rebased or reverted commit
//	selected path    a path that Options.Paths and AllFiles select
//	trivial case     a file whose content git did not merge, for example because only one side changed it
//	path conflict    a conflict about the existence, name or mode of a file, such as modify/delete
//	verdict          whether a committed file lost or invented changes; findings are the details
//	replaced file    a file that one side removed or replaced by a folder or a symbolic link
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

// Options select merges and the files in them, and determine how they are merged.
type Options struct {
	// Session has the repository, the team's rules and the settings of the driver.
	Session *session.Session
	// Revisions are names or ranges of commits for git log, as in v1..v2 or main. AllRefs adds all references. Without
	// either, HEAD is used.
	Revisions []string
	AllRefs   bool
	// GivenMerges are merged instead of the merge commits of Revisions, unless it is nil. It can hold merges, picked
	// commits, and merges without a commit.
	GivenMerges []git.Merge
	// Max is the maximum number of merges, newest first; 0 means no limit.
	Max int
	// Paths are pathspecs, relative to the current directory, that select files. Of the selected files, those with the
	// extension .yaml or .yml are merged, and those with the extension of a pathspec: *.json selects JSON files. Without
	// Paths, all YAML files are merged, or, with AllFiles, all files.
	Paths    []string
	AllFiles bool
	// ExtraPaths are files, from the top of the repository, that mergeFiles returns as trivial cases even if git had no
	// content to merge. Files that are missing in ours or theirs are left out.
	ExtraPaths []string
	// UseAttributes makes the merge attribute of each file decide by which rule set it is merged. The attributes are those
	// of the session. It has no effect if the session names a rule set.
	UseAttributes bool
	// OnSession is called by Check and Preview, before they merge anything, with the session whose rules apply. It may be
	// nil.
	OnSession func(*session.Session)
	// Progress is called after every merge with the number of merges so far, the number of all merges, and the number of
	// files so far. It may be nil.
	Progress func(seen, merges, files int)
}

// Replay merges files of the selected merge commits again, newest first, with git's line merge and with the merge
// driver, and calls each with both results for every file that both sides changed differently. An error of each ends
// the run and is returned; the summary counts the merges before it. A merge that cannot be read is only counted, in
// Summary.Unread.
func Replay(ctx context.Context, o Options, each func(*Case) error) (s Summary, err error) {
	start := time.Now()
	s.Verdicts = VerdictCounts{VerdictMissing: 0, VerdictAdded: 0, VerdictBroken: 0, VerdictDeleted: 0, VerdictOK: 0, VerdictSharedVersion: 0, VerdictUnknown: 0}
	defer func() { s.Time, s.Interrupted = time.Since(start), ctx.Err() != nil }()
	w, err := openWalk(ctx, o)
	if err != nil {
		return s, err
	}
	defer w.close()
	s.Commits, s.Shallow = w.commits, w.reachedCutOff
	return s, w.processInOrder(w.mergeFiles, func(m *mergeJob) error {
		s.countMerge(m)
		for _, c := range m.cases {
			c.Number = s.Files + s.Trivial + 1
			s.countFile(c)
			if err := each(c); err != nil {
				return err
			}
		}
		w.reportProgress(s.Merges, s.Files)
		return nil
	})
}

// A walk is one run of Replay, Check or Preview over a list of merges, each of which is merged again. Its methods may
// be called for several merges at the same time.
type walk struct {
	Options
	git     git.Git // in a scratch repository, which has the objects of the user's; its context is canceled by close
	cancel  func()
	tempDir string          // contains the scratch repository; deleted by close
	objects *git.Objects    // of the scratch repository
	merges  []*mergeJob     // newest first
	commits int             // number of commits that git log listed
	shallow map[git.ID]bool // commits whose parents are missing because the clone is shallow
	// reachedCutOff is true if git log listed a commit of shallow, so that older merges may be missing.
	reachedCutOff bool
	// readAttributes reads the merge attributes by which files get their rule sets. It is nil if the rule set of the
	// session is used for all files. readWorkTreeAttributes is nil except in a check with the attributes of another commit:
	// it then reads those of the work tree.
	readAttributes, readWorkTreeAttributes attributeReader
	// isCheck is true for Check. Its tips are the newest commits of Revisions.
	isCheck bool
	tips    []git.ID
}

// An attributeReader returns the values of the git attributes names for each of paths, in the order of paths: a map
// from names to values, which are "unspecified", "set", "unset" or a text.
type attributeReader = func(paths []string, names ...string) ([]map[string]string, error)

// newWalk returns a walk without merges that runs git in the repository of o.Session. It creates a temporary directory
// and a context. The caller has to call close, which releases both, even if newWalk returns an error.
func newWalk(ctx context.Context, o Options) (w *walk, err error) {
	w = &walk{Options: o, git: o.Session.Git}
	// A rule set that the user named hides those of the attributes.
	if s := o.Session; o.UseAttributes && s.RuleSet == "" {
		w.readAttributes = s.Attributes
	}
	w.git.Context, w.cancel = context.WithCancel(ctx)
	w.tempDir, err = disk.MakeTempFolder()
	return w, err
}

// openWalk returns a walk with the merges that o selects, newest first: Options.GivenMerges or, if that is nil, merge
// commits that git log lists. Its git runs in a scratch repository that borrows the objects of the user's repository,
// so that merging does not change the latter. The caller has to close the walk, unless there is an error.
func openWalk(ctx context.Context, o Options) (w *walk, err error) {
	if w, err = newWalk(ctx, o); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	original := w.git
	if w.git, err = original.CreateScratchRepository(filepath.Join(w.tempDir, "repository")); err != nil {
		return w, err
	}
	w.objects = w.git.Objects()
	if w.shallow, err = original.ShallowCommits(); err != nil {
		return w, err
	}
	if o.GivenMerges != nil {
		return w, w.addGivenMerges(original)
	}
	var options []string
	revisions := o.Revisions
	switch {
	case o.AllRefs:
		options = []string{"--all"}
	case len(revisions) == 0:
		revisions = []string{"HEAD"}
	}
	err = original.WalkCommits(options, revisions, func(c git.Commit) bool {
		w.commits++
		w.reachedCutOff = w.reachedCutOff || w.shallow[c.ID]
		if len(c.Parents) > 1 {
			m := &mergeJob{Commit: c}
			if m.Octopus = len(c.Parents) > 2; !m.Octopus {
				m.Ours, m.Theirs = c.Parents[0], c.Parents[1]
			}
			w.merges = append(w.merges, m)
		}
		return o.Max == 0 || len(w.merges) < o.Max
	})
	return w, err
}

// addGivenMerges appends a job for each of Options.GivenMerges to w.merges, in the same order. original runs git in the
// user's repository. A merge without a commit gets the id, time and message of the commit of ours. A pick has a base of
// its own, so it becomes a merge of two new commits in the scratch repository that have this base as their parent.
func (w *walk) addGivenMerges(original git.Git) error {
	rebased, err := w.git.ReparentOntoBase(slices.DeleteFunc(slices.Clone(w.GivenMerges), func(g git.Merge) bool { return g.Base == "" }))
	if err != nil {
		return err
	}
	for _, g := range w.GivenMerges {
		m := &mergeJob{Ours: g.Ours, Theirs: g.Theirs, Uncommitted: g.Commit == "", IsPick: g.Base != ""}
		if m.IsPick {
			m.Ours, m.Theirs, m.pickBase = rebased[0][0], rebased[0][1], []git.ID{g.Base}
			rebased = rebased[1:]
		}
		name := cmp.Or(g.Commit, g.Ours)
		err := original.WalkCommits([]string{"--no-walk"}, []string{name.String()}, func(c git.Commit) bool {
			m.Commit, m.Parents = c, []git.ID{g.Ours, g.Theirs}
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

// close stops all git processes of w and deletes its temporary directory with the scratch repository. Errors are
// ignored. w cannot be used afterwards.
func (w *walk) close() {
	w.cancel()
	if w.objects != nil {
		w.objects.Close()
	}
	os.RemoveAll(w.tempDir)
}

// reportProgress calls Options.Progress, unless it is nil, with the numbers of the merges seen so far, of all merges of
// w, and of the files so far.
func (w *walk) reportProgress(seen, files int) {
	if w.Progress != nil {
		w.Progress(seen, len(w.merges), files)
	}
}

// batchSizes are the numbers of merges for which git is run at a time: a small first batch, so that the first results
// appear soon, then large ones. The ids of 200 pairs of commits take 26 KB of arguments; Windows allows 32 KB.
var batchSizes = []int{4, 200}

// processInOrder merges all merges of w again, several at the same time, and delivers them in order. For each merge m,
// it calls runJob(m, work), and then deliver(m): one at a time, in the order of w.merges, even if m.Err is set. deliver
// must not keep m, which is cleared afterwards. The run ends with an error of deliver, of the context, or of git for a
// whole batch; w can then only be closed.
func (w *walk) processInOrder(work, deliver func(*mergeJob) error) (err error) {
	ctx := w.git.Context
	prepared := make(chan *mergeJob, batchSizes[1]) // git prepares a batch while the one before is merged
	var prepareErr error
	go func() {
		defer close(prepared)
		prepareErr = w.prepareInBatches(prepared)
	}()
	// At most 16 merges per processor wait for their delivery, to limit the memory.
	started := make(chan *mergeJob, 16*runtime.GOMAXPROCS(0))
	go w.startJobs(prepared, started, work)
	for m := range started {
		<-m.done
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = deliver(m)
		}
		if err != nil {
			w.cancel()
		}
		*m = mergeJob{} // free its memory: w.merges still points to it
	}
	return cmp.Or(err, ctx.Err(), prepareErr)
}

// startJobs calls runJob with work for each merge m of prepared, at most one per processor at a time. It sends m to
// started when the job starts, and closes m.done when it ends. After the last merge, it closes started.
func (w *walk) startJobs(prepared <-chan *mergeJob, started chan<- *mergeJob, work func(*mergeJob) error) {
	defer close(started)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0)) // has an element for each job that runs
	for m := range prepared {
		m.done = make(chan struct{})
		slots <- struct{}{}
		started <- m
		go func() {
			w.runJob(m, work)
			<-slots
			close(m.done)
		}()
	}
}

// prepareInBatches prepares the merges of w (see prepareMerges), and sends each to prepared, in order. It ends with the
// first error, which is that of git, and if the context is canceled.
func (w *walk) prepareInBatches(prepared chan<- *mergeJob) error {
	rest := w.merges
	for i := 0; len(rest) > 0 && w.git.Context.Err() == nil; i++ {
		n := min(len(rest), batchSizes[min(i, 1)])
		if err := w.prepareMerges(rest[:n]); err != nil {
			return err
		}
		for _, m := range rest[:n] {
			prepared <- m
		}
		rest = rest[n:]
	}
	return nil
}

// runJob reads the deletions of m, and then calls work, unless m.Err is set or the context is canceled. An error
// becomes m.Err.
func (w *walk) runJob(m *mergeJob, work func(*mergeJob) error) {
	for _, step := range [...]func(*mergeJob) error{w.readDeletions, work} {
		if m.Err == nil && w.git.Context.Err() == nil {
			m.Err = step(m)
		}
	}
}
