package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// An Explanation is one merge, or several merges of one rebase, with its files.
type Explanation struct {
	Name          string // the name of the merge for users: the abbreviated id of the commit, or a phrase
	Cases         []*Case
	PathConflicts []PathConflict // of a committed merge, only those with a File
	Summary       Summary
}

// Explain merges a commit again, with git's line merge and with the merge driver, and returns its files with both
// results: those that paths select, or all YAML files. rev is a merge, or a commit that a rebase, a cherry-pick or a
// revert created. "" means the operation that stopped in this work tree or, if none did, HEAD. unmergedOnly leaves out
// files that are not unmerged in a stopped operation. It fails if rev is another commit (git.ErrNotMerge), or if there
// is nothing to show for paths.
func Explain(ctx context.Context, o Options, rev string, paths []string, unmergedOnly bool) (e Explanation, err error) {
	var index []git.Unmerged
	if rev == "" {
		if o.GivenMerges, index, e.Name, err = findStopped(o.Session); err != nil {
			return e, err
		}
	}
	stopped := e.Name != ""
	if !stopped {
		if o.GivenMerges, e.Name, err = findMerges(o.Session, rev); err != nil {
			return e, err
		}
	}
	o.Paths, o.UseAttributes = paths, true
	for _, p := range paths {
		o.ExtraPaths = append(o.ExtraPaths, o.Session.RepoPath(p))
	}
	if o.GivenMerges != nil {
		e.Summary, err = Replay(ctx, o, func(c *Case) error {
			e.Cases = append(e.Cases, c)
			return nil
		})
		if err = cmp.Or(err, e.Summary.Err); err != nil {
			return e, err
		}
		e.PathConflicts = e.Summary.Deletions
	}
	if stopped {
		remaining := map[string]bool{} // unmerged paths without a case
		for _, u := range index {
			remaining[u.Path] = true
		}
		e.Cases = slices.DeleteFunc(e.Cases, func(c *Case) bool {
			isUnmerged := remaining[c.Path]
			if isUnmerged && c.Trivial { // a symbolic link, for example
				return true
			}
			delete(remaining, c.Path)
			return unmergedOnly && !isUnmerged
		})
		cases, conflicts, err := mergeStages(ctx, o, slices.DeleteFunc(index, func(u git.Unmerged) bool { return !remaining[u.Path] }))
		if err != nil {
			return e, err
		}
		e.Cases, e.PathConflicts = append(e.Cases, cases...), conflicts
		e.Summary.Files += len(cases)
		if o.GivenMerges == nil {
			e.Summary.Deletions = slices.DeleteFunc(slices.Clone(conflicts), func(n PathConflict) bool { return n.File == nil })
		}
	}
	switch {
	case len(paths) > 0 && len(e.Cases)+len(e.PathConflicts) == 0:
		err = fmt.Errorf("%s: missing on one or both sides: %s", e.Name, strings.Join(paths, " "))
	case len(paths) > 0 && len(e.Cases) == 0 && e.PathConflicts[0].File == nil:
		err = fmt.Errorf("%s: %s", e.PathConflicts[0].Path, e.PathConflicts[0].Kind)
	}
	return e, err
}

// findStopped returns what stopped with conflicts in the work tree of s. merges has the merge; it is nil if the
// operation has no commits, such as a stash. index are the unmerged paths of the index. name is the name of the
// operation for users; it is "" if nothing stopped and no path is unmerged.
func findStopped(s *session.Session) (merges []git.Merge, index []git.Unmerged, name string, err error) {
	if tree, noTree := s.WorkTree(); noTree == nil { // a bare repository has no index
		if index, err = tree.Unmerged(nil); err != nil {
			return nil, nil, "", err
		}
	}
	m, stopped := s.Situation([3]string{}).StoppedMerge()
	switch {
	case stopped:
		return []git.Merge{m}, index, "the merge that stopped", nil
	case len(index) > 0:
		name = "the unmerged files"
	}
	return nil, index, name, nil
}

// findMerges returns the merges behind the commit rev, and their name for users. If rev is "", they are those of HEAD,
// with all commits of its rebase or cherry-pick. The error wraps git.ErrNotMerge, with a hint, if there are none.
func findMerges(s *session.Session, rev string) (merges []git.Merge, name string, err error) {
	merges, err = s.Git.MergesOf(rev)
	switch {
	case errors.Is(err, git.ErrNotMerge):
		hint := `run "git log --merges" to list merges`
		if _, hasStopped := s.Situation([3]string{}).StoppedMerge(); hasStopped {
			hint = fmt.Sprintf(`omit %s to explain the merge that stopped`, rev)
		}
		return nil, "", fmt.Errorf("%w, and git has no record of a cherry-pick, rebase, revert or squashed merge that created the commit; %s", err, hint)
	case err != nil:
		return nil, "", err
	}
	if name = merges[0].Commit.Short(); len(merges) > 1 {
		name += fmt.Sprintf(" and %d more", len(merges)-1)
	}
	return merges, name, nil
}

// mergeStages merges unmerged paths of the index by their stages, because their operation, such as a stash, may have no
// commits. It returns a case for each file that can be merged, numbered from 1, and a PathConflict for each other path,
// whose Kind can also be a phrase for the user, or "". Paths that Options.Paths does not select are left out. The error
// is that of git.
func mergeStages(ctx context.Context, o Options, unmerged []git.Unmerged) ([]*Case, []PathConflict, error) {
	o.AllFiles, o.ExtraPaths = true, nil
	w, err := newWalk(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer w.close()
	w.objects = w.git.Objects()
	m := &mergeJob{Commit: git.Commit{Parents: make([]git.ID, 2)}, Uncommitted: true}
	if m.attributes, err = w.readPathAttributes(nil, []gitResult{{MergedTree: git.MergedTree{Unmerged: unmerged}}}); err != nil {
		return nil, nil, err
	}
	for _, u := range unmerged {
		_, isOwnDriver := driver.RuleSetForAttribute(m.attributes[u.Path].value)
		switch reason := NotMergeableReason(u); {
		case !m.attributes.isSelected(u.Path):
		case !isOwnDriver && !driver.IsYAMLPath(u.Path):
			// git merges it without this program
			m.PathConflicts = append(m.PathConflicts, PathConflict{Path: u.Path})
		case IsModifyDelete(u):
			m.PathConflicts = append(m.PathConflicts, PathConflict{Path: u.Path, Kind: ModifyDelete, stages: u})
		case reason != "":
			m.PathConflicts = append(m.PathConflicts, PathConflict{Path: u.Path, Kind: reason})
		default:
			m.unmerged = append(m.unmerged, u)
		}
	}
	err = cmp.Or(w.readDeletions(m), w.mergeFiles(m))
	for i, c := range m.cases {
		c.Number = i + 1
	}
	return m.cases, m.PathConflicts, err
}

// NotMergeableReason returns a phrase that tells the user why the content of an unmerged path cannot be merged, such as
// "added by us, or renamed to this name". It returns "" if it can be merged: both sides have a regular file. The base
// may be missing. A modify/delete conflict gets the phrase of an added file, so call IsModifyDelete first.
func NotMergeableReason(u git.Unmerged) string {
	for _, s := range []git.Stage{u.Base, u.Ours, u.Theirs} {
		if s.ID != "" && !s.Mode.IsFile() {
			return "one side has a symbolic link or a submodule"
		}
	}
	switch hasOurs, hasTheirs := u.Ours.ID != "", u.Theirs.ID != ""; {
	case hasOurs && hasTheirs:
		return ""
	case hasOurs:
		return "added by us, or renamed to this name"
	case hasTheirs:
		return "added by them, or renamed to this name"
	}
	return "deleted or renamed by both sides"
}
