package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A State is the outcome of merging a branch into the base.
type State string

// Values of State.
const (
	StateMerged          State = "merged"   // the base contains the branch already
	StateClean           State = "clean"    // clean with git and with the driver
	StateCleanWithDriver State = "driver"   // clean with the driver, in conflict with git
	StateCleanDiffers    State = "mended"   // clean with both, with different content
	StateConflict        State = "conflict" // in conflict with the driver, or in conflict about paths
	StateFailed          State = "failed"   // cannot be merged: no common ancestor, for example
)

// A Branch is a commit to merge into the base, and the outcome. Names, conflicts and cases are only set if it was
// merged.
type Branch struct {
	Name          string         `json:"name"` // the name of a branch, or the revision that the caller passed
	Commit        git.ID         `json:"commit"`
	State         State          `json:"state"`
	Why           string         `json:"why,omitempty"` // reason of StateFailed
	PathConflicts []PathConflict `json:"-"`
	Cases         []*Case        `json:"-"` // the files that both sides changed
}

// Preview merges each of revs, or each of the branches of listBranches without revs, into a base commit, without
// changing the repository. It returns a Branch for each in the same order, even if the branch cannot be merged. Rules
// and attributes are those of the base. If there is an error, branches without a State were not merged.
func Preview(ctx context.Context, o Options, base string, revs []string) ([]*Branch, error) {
	g := o.Session.Git
	baseCommit, err := resolveCommit(g, base)
	if err != nil {
		return nil, err
	}
	branches, err := listBranches(g, baseCommit, revs)
	if err != nil {
		return nil, err
	}
	o.GivenMerges, o.AllFiles = []git.Merge{}, true // the jobs are added below
	w, err := openWalk(ctx, o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.Session = o.Session.WithRulesOf(baseCommit.String())
	w.Session.Options = session.Options{Config: o.Session.Config, Own: "theirs"}
	if o.OnSession != nil {
		o.OnSession(w.Session)
	}
	if err := w.Session.FirstRulesError(); err != nil {
		return nil, err
	}
	w.readAttributes = w.Session.Attributes
	branchOf := map[*mergeJob]*Branch{}
	for _, b := range branches {
		if b.State != StateMerged {
			m := &mergeJob{Commit: git.Commit{ID: b.Commit, Parents: []git.ID{baseCommit, b.Commit}}, Ours: baseCommit, Theirs: b.Commit, Uncommitted: true, isPreview: true}
			branchOf[m] = b
			w.merges = append(w.merges, m)
		}
	}
	seen, files := 0, 0
	return branches, w.processInOrder(w.mergeFiles, func(m *mergeJob) error {
		b := branchOf[m]
		b.Cases, b.PathConflicts = m.cases, m.PathConflicts
		b.State, b.Why = b.stateAfter(m)
		seen, files = seen+1, files+len(m.cases)
		w.reportProgress(seen, files)
		return nil
	})
}

// stateAfter returns the state of the branch b after the job m merged it into the base: failed, in conflict, or clean.
// The worst state that a file or path of the merge causes counts. reason is why the merge failed, otherwise "". It
// reads b.Cases and b.PathConflicts, and sets nothing.
func (b *Branch) stateAfter(m *mergeJob) (_ State, reason string) {
	switch {
	case m.Err != nil:
		return StateFailed, m.Err.Error()
	case m.CutOff:
		return StateFailed, cutOffReason
	case len(m.Bases) == 0:
		return StateFailed, "refusing to merge unrelated histories"
	case len(b.PathConflicts) > 0:
		return StateConflict, ""
	}
	state := StateClean
	for _, c := range b.Cases {
		switch {
		case !c.Driver.Clean():
			return StateConflict, ""
		case !c.Git.Clean():
			state = StateCleanWithDriver
		case state == StateClean && !bytes.Equal(c.Content.Git, c.Content.Driver):
			state = StateCleanDiffers
		}
	}
	return state, ""
}

// listBranches returns the commits to merge into base. They are those that revs name, in this order. Without revs, they
// are the remote-tracking branches or, if there are none, the local ones; branches that point to base are left out. A
// commit that base contains already has StateMerged; the others have no state. It is an error if there is no commit.
func listBranches(g git.Git, base git.ID, revs []string) (all []*Branch, err error) {
	for _, prefix := range []string{"refs/remotes/", "refs/heads/"} {
		if len(revs)+len(all) > 0 {
			break
		}
		out, err := g.Run("for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", prefix)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
			if len(f) != 3 || f[2] != "" { // a symbolic reference, as HEAD of a remote: the branch is listed, too
				continue
			}
			id, err := git.ParseID(f[1])
			if err != nil {
				return nil, err
			}
			if id != base {
				all = append(all, &Branch{Name: strings.TrimPrefix(f[0], prefix), Commit: id})
			}
		}
	}
	for _, rev := range revs {
		id, err := resolveCommit(g, rev)
		if err != nil {
			return nil, err
		}
		all = append(all, &Branch{Name: rev, Commit: id})
	}
	if len(all) == 0 {
		return nil, errors.New("no branch to merge into BASE; name one as REF, or run \"git fetch\"")
	}
	missing := map[git.ID]bool{}
	args := []string{"^" + base.String()}
	for _, b := range all {
		args = append(args, b.Commit.String())
	}
	err = g.WalkCommits(nil, args, func(c git.Commit) bool { missing[c.ID] = true; return true })
	for _, b := range all {
		if !missing[b.Commit] {
			b.State = StateMerged
		}
	}
	return all, err
}

// resolveCommit returns the id of the commit that a revision names, such as a branch, a tag or an abbreviated id. It
// returns an error if there is none, or if git fails.
func resolveCommit(g git.Git, rev string) (git.ID, error) {
	line, err := g.Line("rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("no commit %s; run \"git branch --all\" to list the branches", rev)
	}
	return git.ParseID(line)
}
