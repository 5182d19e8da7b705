package history

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A CheckResult is the result of checking one file of a merge commit, or the reason why a merge commit was not checked.
type CheckResult struct {
	Merge    git.ID
	Path     string // from the top of the repository; "" if the result is about the whole merge
	Findings []merge.Finding
	// WithoutDriver is true if the file has the attribute for the driver but was probably merged without it: git leaves a
	// conflict, the driver merges clean, and the committed file has different values. A user who edited the driver's
	// result looks the same.
	WithoutDriver bool
	// NotChecked is the reason why the file or the merge was not checked, "" if it was.
	NotChecked string
	// Accepted is the reason for which a trailer of the merge commit accepts the findings, "" if none does.
	Accepted string
	// Unused is a trailer of the merge commit that should accept findings and does not. The other fields except Merge are
	// then zero. It is nil in all other results.
	Unused *UnusedTrailer
	// Deletion is a modify/delete conflict. It is only reported: both to delete and to keep the file are correct. The
	// other fields except Merge and Path are then zero. It is nil in all other results.
	Deletion *PathConflict
}

// A CheckSummary has the counts of a check.
type CheckSummary struct {
	Merges, Files, Findings int // Files includes files that were not checked, but not Deletions
	Faulty                  int // files with findings
	Accepted                int // files with findings that a trailer accepts; these are not counted in Findings and Faulty
	NotChecked              int // merges and files that were not checked
	Deletions               int // modify/delete conflicts
	WithoutDriver           int // files that were probably merged without the driver
	// Shallow is true if the clone is shallow and a merge was not checked for that reason, or older merges may be missing.
	Shallow bool
}

// Check looks for lost and invented changes in the committed merges that o selects, newest first. It calls each with a
// result for every checked file, for every modify/delete conflict, which is no finding, and for every file or merge
// that could not be checked. An error of each ends the check and is returned; s counts the results before it.
func Check(ctx context.Context, o Options, each func(CheckResult) error) (s CheckSummary, err error) {
	session := o.Session
	base, tips, err := session.Git.RangeEnds(o.Revisions)
	if err != nil {
		return s, err
	}
	if base != "" { // as in main..topic: a branch must not change the rules and attributes of its own check
		o.Session = session.WithRulesOf(base.String())
	}
	if o.OnSession != nil {
		o.OnSession(o.Session)
	}
	if err := o.Session.FirstRulesError(); err != nil {
		return s, err
	}
	w, err := openWalk(ctx, o)
	if err != nil {
		return s, err
	}
	w.isCheck, w.tips = true, tips
	if base != "" {
		w.readWorkTreeAttributes = session.Attributes
	}
	defer w.close()
	s.Shallow = w.reachedCutOff
	err = w.processInOrder(w.checkMerge, func(m *mergeJob) error {
		s.Merges++
		w.acceptByTrailers(m)
		if m.Err != nil {
			m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, NotChecked: m.Err.Error()})
		}
		for _, c := range m.checkResults {
			s.count(c)
			if err := each(c); err != nil {
				return err
			}
		}
		w.reportProgress(s.Merges, s.Files)
		return nil
	})
	return s, err
}

// cutOffReason is the reason given for a merge that isCutOff reports.
const cutOffReason = `no common ancestor in this shallow clone; run "git fetch --unshallow"`

// count adds one result of a check to the totals s. A trailer that accepts nothing is not counted, and a modify/delete
// conflict only in Deletions. Any other result counts in Files, unless it is about a whole merge, and in at most one of
// NotChecked, Accepted and Faulty.
func (s *CheckSummary) count(c CheckResult) {
	switch {
	case c.Unused != nil:
		return
	case c.Deletion != nil:
		s.Deletions++
		return
	case c.NotChecked != "":
		s.NotChecked++
		s.Shallow = s.Shallow || c.NotChecked == cutOffReason
	case c.Accepted != "":
		s.Accepted++
	case len(c.Findings) > 0:
		s.Faulty++
		s.Findings += len(c.Findings)
	}
	if c.Path != "" {
		s.Files++
	}
	if c.WithoutDriver {
		s.WithoutDriver++
	}
}

// checkMerge checks the selected files of the merge m for lost and invented changes, and appends the results to
// m.checkResults: first the modify/delete conflicts, which are only reported, then the others by path. What cannot be
// checked gets a result with the reason. It checks files that
//
//   - git left in conflict
//   - are in another state in the commit than in git's merge
//   - may need two versions (see findIdenticalChanges)
func (w *walk) checkMerge(m *mergeJob) error {
	for _, n := range m.PathConflicts {
		if n.File != nil {
			m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, Path: n.Path, Deletion: &n})
		}
	}
	switch {
	case m.Octopus:
		m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, NotChecked: git.ErrOctopus.Error()})
		return nil
	case m.CutOff:
		m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, NotChecked: cutOffReason})
		return nil
	}
	deletions := len(m.checkResults)
	checked := map[string]bool{}
	replaced, err := w.checkReplaced(m)
	if err != nil {
		return err
	}
	for _, n := range m.PathConflicts {
		if n.Kind == renameCollision {
			replaced = append(replaced, CheckResult{Merge: m.ID, Path: n.Path, NotChecked: "a renamed file and another one have this name"})
		}
	}
	for _, result := range replaced {
		checked[result.Path] = true
	}
	m.checkResults = append(m.checkResults, replaced...)
	for _, u := range m.unmerged {
		if checked[u.Path] {
			continue
		}
		versions, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID, m.committedID(u))
		if err != nil {
			return err
		}
		checked[u.Path] = true
		m.checkResults = append(m.checkResults, w.checkFile(m, u.Path, [4][]byte(versions)))
	}
	// Files that git merged without a conflict, but that the commit has in another state or that may need two
	// versions.
	for _, path := range slices.Concat(m.identicalChanges, slices.Sorted(maps.Keys(m.committedDiff))) {
		d, differs := m.committedDiff[path]
		if checked[path] || !m.attributes.isSelected(path) || differs && !d.From.Mode.IsFile() {
			continue
		}
		versions, err := w.readVersions(m, path)
		if err != nil {
			return err
		}
		if differs && !d.To.Mode.IsFile() { // deleted, or a symbolic link, for example
			versions[3] = nil
		}
		base, ours, theirs := versions[0], versions[1], versions[2]
		isInBothSides := ours != nil && theirs != nil
		isAdded := base == nil && (ours != nil || theirs != nil)
		isUnchanged := isSameFile(base, ours) && isSameFile(base, theirs)
		if (isInBothSides || isAdded) && !isUnchanged {
			checked[path] = true
			m.checkResults = append(m.checkResults, w.checkFile(m, path, versions))
		}
	}
	slices.SortFunc(m.checkResults[deletions:], func(a, b CheckResult) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// checkFile returns the result for a file of the merge m that no side deleted. versions are base, ours, theirs and the
// committed file, which is nil if it is missing.
func (w *walk) checkFile(m *mergeJob, path string, versions [4][]byte) CheckResult {
	result := CheckResult{Merge: m.ID, Path: path}
	c := w.newCase(m, path, versions)
	if versions[3] == nil {
		result.Findings = []merge.Finding{{Rule: "lost", Detail: "the file is missing, although neither parent deleted the file"}}
		return result
	}
	var err error
	if result.Findings, err = c.File.Findings(versions[3]); err != nil {
		result.NotChecked = err.Error()
		return result
	}
	if m.attributes[path].isOwnDriver {
		// This is also true if a user edited the driver's clean result.
		if c.mergeWithGit(); c.Git.Conflicts > 0 {
			c.mergeWithDriver()
			result.WithoutDriver = c.Driver.Clean() && c.compareToCommitted(c.Content.Driver) == Different
		}
	}
	return result
}
