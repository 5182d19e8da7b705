package history

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// MergeFile merges f with git's line merge and with the driver, and returns both results. It fails only in the results:
// if an engine cannot merge f, such as a binary file, the reason is in Case.Git.Failed or Case.Driver.Failed. The file
// belongs to no commit: the case is Uncommitted, and has no Merge, Parents or Bases.
func MergeFile(f session.File) *Case {
	return (&Case{Path: f.Path, File: f, Uncommitted: true}).mergeAndReview()
}

// mergeAndReview merges the file c with git's line merge and with the merge driver, compares both results with the
// committed file, and returns c itself. It sets c.Git, c.Driver, c.Result, c.Content.Git, c.Content.Driver, c.Review
// and c.Generated. If c is not committed, nothing is compared.
func (c *Case) mergeAndReview() *Case {
	c.mergeWithGit()
	c.mergeWithDriver()
	c.evaluate()
	return c
}

// mergeFiles merges the files of m with git's line merge and with the merge driver, and appends a case with both
// results for each to m.cases. First are the files that both sides changed differently. Trivial cases follow, by path:
// those of Options.ExtraPaths, and files with one version number for two releases. If an object cannot be read, it
// returns an error, and m.cases has the cases before it.
func (w *walk) mergeFiles(m *mergeJob) error {
	isMerged := map[string]bool{}
	for _, u := range m.unmerged {
		isMerged[u.Path] = true
		c, err := w.mergeUnmerged(m, u)
		if err != nil {
			return err
		}
		m.cases = append(m.cases, c)
	}
	// Options.ExtraPaths, and files in which two releases may have got the same version number
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.identicalChanges, w.ExtraPaths)))) {
		isExtra := slices.Contains(w.ExtraPaths, path)
		if isMerged[path] || !isExtra && !m.attributes.isSelected(path) {
			continue
		}
		versions, err := w.readVersions(m, path)
		if err != nil {
			return err
		}
		if versions[1] == nil || versions[2] == nil {
			continue
		}
		c := w.newCase(m, path, versions)
		c.Trivial = true
		c.mergeAndReview()
		// Identical changes are only shown if they gave two releases the same version number.
		if isExtra || c.Review.Verdict == VerdictSharedVersion {
			m.cases = append(m.cases, c)
		}
	}
	return nil
}

// readDeletions adds to the modify/delete conflicts in m.PathConflicts what is shown about them. DeletedInMerge becomes
// true if the commit of m does not contain the path. File gets the base and the version of the side that changed the
// file, unless one of them is not a regular file. It returns an error if an object cannot be read.
func (w *walk) readDeletions(m *mergeJob) error {
	for i := range m.PathConflicts {
		n := &m.PathConflicts[i]
		u := n.stages
		if n.Kind != ModifyDelete {
			continue
		}
		d, differs := m.committedDiff[n.Path]
		if n.DeletedInMerge = differs && d.To.ID == ""; !IsModifyDelete(u) {
			continue
		}
		versions, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
		if err != nil {
			return err
		}
		f := w.sessionFile(m, n.Path, versions[0], versions[1], versions[2])
		n.File = &f
	}
	return nil
}

// IsModifyDelete reports whether u is a file that one side deleted and the other side changed (a modify/delete conflict
// of git): the base and exactly one side have a version, and both are regular files. It does not compare the two
// versions, because git leaves such a path unmerged only if that side changed the file.
func IsModifyDelete(u git.Unmerged) bool {
	remaining := cmp.Or(u.Ours, u.Theirs)
	return u.Base.ID != "" && (u.Ours.ID == "") != (u.Theirs.ID == "") && u.Base.Mode.IsFile() && remaining.Mode.IsFile()
}

// mergeUnmerged merges u, a file that both sides changed, with git's line merge and with the merge driver, and returns
// a case with both results. In a preview, a file that git would merge without a driver of this program, for example
// because its merge attribute is union, has git's result for both; if that has conflicts, the driver counts as failed.
// The error is that of reading an object.
func (w *walk) mergeUnmerged(m *mergeJob, u git.Unmerged) (*Case, error) {
	versions, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID, m.committedID(u))
	if err != nil {
		return nil, err
	}
	c := w.newCase(m, u.Path, [4][]byte(versions))
	attribute := m.attributes[u.Path].value
	if !m.isPreview || !isMergedByOther(u.Path, attribute) {
		return c.mergeAndReview(), nil
	}
	// an attribute that names another driver is ignored
	c.mergeWithGit()
	switch attribute {
	case "unset", "binary": // git keeps ours, with a conflict
		c.Git.Failed = "not merged because of the merge attribute"
	case "union":
		c.Git.Conflicts, c.Git.Lines = 0, 0
	}
	// The user cannot resolve these conflicts with this program, so the driver counts as failed.
	if c.Driver = c.Git; c.Git.Conflicts > 0 {
		c.Driver.Failed = "not merged as YAML"
	}
	c.Content.Driver = c.Content.Git
	c.evaluate()
	return c, nil
}

// committedID returns the object id that the merge commit of m has at the path of u, an unmerged path. It returns "" if
// m is not committed, or if the commit has no regular file there.
func (m *mergeJob) committedID(u git.Unmerged) git.ID {
	d, differs := m.committedDiff[u.Path]
	switch {
	case m.Uncommitted || differs && !d.To.Mode.IsFile():
		return ""
	case differs:
		return d.To.ID
	}
	return u.Ours.ID // as in m.mergedTree
}

// readVersions returns base, ours, theirs and the committed version of a file, each read by its path from the commits
// of m; nil if the commit does not contain the file. It is not for files that git merged across a rename, because the
// path must be the same in all commits. The error is that of reading an object.
func (w *walk) readVersions(m *mergeJob, path string) (versions [4][]byte, err error) {
	names := []string{m.Ours.String() + ":" + path, m.Theirs.String() + ":" + path, m.ID.String() + ":" + path}
	for _, b := range m.Bases {
		names = append(names, b.String()+":"+path)
	}
	contents, err := w.objects.BlobsByName(names...)
	if err != nil {
		return versions, err
	}
	versions = [4][]byte{nil, contents[0], contents[1], contents[2]}
	// Of several bases, one that has the file as a side has it is preferred: that side did not change the file
	// since then.
	for _, base := range contents[3:] {
		if versions[0] == nil || isSameFile(base, versions[1]) || isSameFile(base, versions[2]) {
			versions[0] = base
		}
	}
	return versions, nil
}

// isSameFile reports whether a and b are identical, or both nil. An empty file is not the same as a missing one.
func isSameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// newCase returns a Case for the file of the merge m at path, without results: nothing is merged yet. versions are
// base, ours, theirs and the committed version, nil if missing. The committed version is ignored if m is not committed.
// m must have two parents.
func (w *walk) newCase(m *mergeJob, path string, versions [4][]byte) *Case {
	c := &Case{
		Merge: m.ID, Time: m.Time, Parents: [2]git.ID{m.Parents[0], m.Parents[1]}, Bases: m.Bases, Path: path, Uncommitted: m.Uncommitted,
		File: w.sessionFile(m, path, versions[0], versions[1], versions[2]),
	}
	if !m.Uncommitted {
		c.Content.Committed = versions[3]
	}
	return c
}

// sessionFile returns the versions of the file of m at path with the settings for its merge: the rule set of its merge
// attribute, and how to find the user's own side, which some policies prefer. That is theirs for a pick, and the one in
// the options of the session for a preview. For other merges, it depends on the branches or on the operation that
// stopped.
func (w *walk) sessionFile(m *mergeJob, path string, base, ours, theirs []byte) session.File {
	f := w.Session.NewFile(path, base, ours, theirs)
	if w.readAttributes != nil {
		f.RuleSet, _ = driver.RuleSetForAttribute(m.attributes[path].value)
	}
	switch {
	case m.isPreview:
		return f
	case m.Uncommitted:
		return f.InCurrentOperation([3]string{}, false)
	case m.IsPick:
		f.FindOwn = func() merge.Side { return merge.SideTheirs }
		return f
	}
	return f.InFinishedMerge(m.Subject, m.Parents[0])
}

// mergeWithGit merges c by lines, like git merge without a driver. It sets c.Content.Git and, in c.Git, the numbers of
// conflicts and of the lines in them. If the file cannot be merged by lines, for example because it is binary, it sets
// only c.Git.Failed.
func (c *Case) mergeWithGit() {
	res, err := linemerge.Merge(c.File.Base, c.File.Ours, c.File.Theirs, linemerge.Options{
		Markers: linemerge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"},
	})
	if err != nil {
		c.Git.Failed = err.Error()
		return
	}
	c.Content.Git = res.Bytes
	c.Git.Conflicts, c.Git.Lines = res.Conflicts, driver.LinesInConflict(res.Bytes, 0)
}

// mergeWithDriver merges c like git merge with the driver of this program, after mergeWithGit. It sets
// c.Content.Driver, c.Result and the numbers in c.Driver. If the driver or mergeWithGit fails, it sets only
// c.Driver.Failed. If the driver found git's clean result to be wrong, it also sets c.Git.Defect to the reason.
func (c *Case) mergeWithDriver() {
	if c.Driver.Failed = c.Git.Failed; c.Driver.Failed != "" {
		return
	}
	m := driver.Merger{File: c.File, Options: driver.Options{Labels: [3]string{"ours", "base", "theirs"}, Style: "merge"}}
	res, err := m.Run(false)
	if err != nil {
		c.Driver.Failed = err.Error()
		return
	}
	c.Content.Driver, c.Result = res.Bytes, res
	for i, x := range res.Conflicts {
		if i == 0 || x.Line != res.Conflicts[i-1].Line { // adjacent conflicts share their markers and are counted as one
			c.Driver.Conflicts++
		}
	}
	if !res.Clean() {
		c.Driver.Conflicts = max(1, c.Driver.Conflicts) // at least 1, for a file that is left unmerged without markers
		c.Driver.Lines = driver.LinesInConflict(res.Bytes, 0)
	}
	if c.Git.Clean() && res.Method == merge.MethodField && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

// isMergedByOther reports whether git merges the file at path in another way than with this program. attribute is the
// value of its git attribute "merge", or "unspecified". A YAML file without the attribute is treated as if it had that
// of this program.
//
//	path       attribute       result
//	a.yaml     yaml            false
//	a.yaml     unspecified     false
//	a.yaml     union           true
//	a.txt      unspecified     true
func isMergedByOther(path, attribute string) bool {
	_, isOwnDriver := driver.RuleSetForAttribute(attribute)
	return !isOwnDriver && (attribute != "unspecified" || !driver.IsYAMLPath(path))
}

// evaluate compares both results of c with the committed file. It sets Committed in c.Git and c.Driver, each for a
// clean result of a committed merge, and c.Review. Unless both results are clean, it sets c.Generated to a phrase about
// the program that generates the file, if one is known. mergeWithGit and mergeWithDriver must be called first.
func (c *Case) evaluate() {
	if c.Git.Clean() && !c.Uncommitted {
		c.Git.Committed = c.compareToCommitted(c.Content.Git)
	}
	if c.Driver.Clean() && !c.Uncommitted {
		c.Driver.Committed = c.compareToCommitted(c.Content.Driver)
	}
	c.Review = c.reviewCommitted()
	if !c.Git.Clean() || !c.Driver.Clean() {
		if maker, ok := c.File.Generator(); ok {
			c.Generated = maker.String()
		}
	}
}

// compareToCommitted compares merged, a clean result, with the committed file. If one of the two cannot be parsed, it
// returns Different. It never returns NotCompared, so it must not be called if c is not committed.
func (c *Case) compareToCommitted(merged []byte) Equality {
	switch {
	case c.Content.Committed == nil:
		return Absent
	case bytes.Equal(merged, c.Content.Committed):
		return EqualBytes
	}
	changes, err := c.File.ChangesBetween(c.Content.Committed, merged)
	if err == nil && len(changes) == 0 {
		return EqualData
	}
	return Different
}

// reviewCommitted returns whether the committed file of c lost or invented changes, with the findings of merge.Check. A
// file that the commit lacks has VerdictDeleted. The result is the zero Review if the driver's result has conflicts or
// equal values, or if c is not committed. A trivial case is always checked; the version of ours then stands for a
// committed file that is missing.
func (c *Case) reviewCommitted() Review {
	result := c.Content.Committed
	switch {
	case c.Trivial && result == nil:
		// the merge is not committed, or lacks the file
		result = c.File.Ours
	case c.Driver.Committed == Absent:
		return Review{Verdict: VerdictDeleted}
	case c.Uncommitted || c.Driver.Committed != Different && !c.Trivial:
		return Review{}
	}
	findings, err := c.File.Findings(result)
	if err != nil {
		return Review{Verdict: VerdictUnknown}
	}
	verdict := VerdictOK
	// of several findings, the last one decides that is not VerdictAdded
	for _, f := range findings {
		switch f.Rule {
		case "same version":
			verdict = VerdictSharedVersion
		case "unparsable", "conflict markers":
			verdict = VerdictBroken
		// a change that no side made; a verdict from another finding has priority
		case "unexpected", "duplicate", "repeated value":
			if verdict == VerdictOK {
				verdict = VerdictAdded
			}
		default:
			verdict = VerdictMissing
		}
	}
	return Review{verdict, findings}
}
