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
)

// An Explanation is one merge, or several merges of one rebase, with its files.
type Explanation struct {
	Name          string // the name of the merge for users: the abbreviated id of the commit, or a phrase
	Cases         []*Case
	PathConflicts []PathConflict // of a committed merge, only those with a File
	Summary       Summary
}

// Explain merges one merge again, with git's line merge and with the merge driver, and returns its files with both
// results: the files at paths or, without paths, all YAML files. rev names a merge commit, or a commit that a rebase, a
// cherry-pick or a revert created. If rev is empty, Explain uses the first of these that exists:
//
//   - the merge, cherry-pick, revert or rebase that stopped in this work tree
//   - unmerged paths in the index, for example of a stash or a patch, for which git records no commits
//   - HEAD, and if HEAD is the last commit that a rebase or cherry-pick created, all commits of that command
//
// In the first two cases, it also returns the other unmerged paths of the index: as cases, or as path conflicts if they
// cannot be merged. With unmergedOnly, it leaves out files that are not unmerged any more. Explanation.Name is then a
// phrase such as "the merge that stopped", and otherwise an id such as "3f2a91c0ab" or "3f2a91c0ab and 2 more".
//
// The error wraps git.ErrNotMerge if rev is a commit of another kind. There is another error if git fails, if an object
// cannot be read, or if ctx is canceled. If paths are given, it is an error if the merge has nothing to show at any of
// them; without paths, it is none if there are no files.
func Explain(ctx context.Context, o Options, rev string, paths []string, unmergedOnly bool) (e Explanation, err error) {
	s, stopped := o.Session, false
	var index []git.Unmerged
	if rev == "" {
		if tree, noTree := s.WorkTree(); noTree == nil { // a bare repository has no index
			if index, err = tree.Unmerged(nil); err != nil {
				return e, err
			}
		}
		var m git.Merge
		if m, stopped = s.Situation([3]string{}).StoppedMerge(); stopped {
			o.GivenMerges, e.Name = []git.Merge{m}, "the merge that stopped"
		} else if stopped = len(index) > 0; stopped {
			e.Name = "the unmerged files"
		}
	}
	if !stopped {
		if o.GivenMerges, err = s.Git.MergesOf(rev); err != nil {
			if errors.Is(err, git.ErrNotMerge) {
				hint := `run "git log --merges" to list merges`
				if _, hasStopped := s.Situation([3]string{}).StoppedMerge(); hasStopped {
					hint = fmt.Sprintf(`omit %s to explain the merge that stopped`, rev)
				}
				err = fmt.Errorf("%w, and git has no record of a cherry-pick, rebase or revert that created the commit; %s", err, hint)
			}
			return e, err
		}
		if e.Name = o.GivenMerges[0].Commit.Short(); len(o.GivenMerges) > 1 {
			e.Name += fmt.Sprintf(" and %d more", len(o.GivenMerges)-1)
		}
	}
	o.Paths, o.UseAttributes = paths, true
	for _, p := range paths {
		o.ExtraPaths = append(o.ExtraPaths, s.RepoPath(p))
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

// mergeStages merges unmerged paths of the index with git's line merge and with the merge driver. It handles the paths
// that Options.Paths selects; without Options.Paths, all of them. It returns a case with both results for each file
// that can be merged, numbered from 1 in the order of unmerged, and a PathConflict for each other path. Both results
// are nil if there are none. Kind of the PathConflict is one of these:
//
//	ModifyDelete    one side deleted the file and the other side changed it
//	""              the file is not YAML and has no merge attribute of this program
//	a phrase        why the content cannot be merged: for example, a version is a symbolic link, or only ours has
//	                a file of this name
//
// The error is that of git, or of reading an object.
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
		_, isOurs := driver.RuleSetForAttribute(m.attributes[u.Path].value)
		switch reason := NotMergeableReason(u); {
		case !m.attributes.isSelected(u.Path):
		case !isOurs && !driver.IsYAMLPath(u.Path):
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

// NotMergeableReason returns a phrase that explains why the content of an unmerged path cannot be merged. It returns ""
// if the content can be merged; the base may be missing. The first reason that applies is returned:
//
//   - a version, also that of the base, is not a regular file but a symbolic link or a submodule
//   - only ours, or only theirs, has a file: "only ours has a file of this name"
//   - neither side has a file
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
