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

// MergeFile merges f with git's line merge and with the driver, and returns both results. The file belongs to no
// commit: the case is Uncommitted, and has no Merge, Parents or Bases.
func MergeFile(f session.File) *Case {
	return (&Case{Path: f.Path, File: f, Uncommitted: true}).mergeAndReview()
}

// mergeAndReview merges c with both engines, evaluates the results, and returns c.
func (c *Case) mergeAndReview() *Case {
	c.mergeWithGit()
	c.mergeWithDriver()
	c.evaluate()
	return c
}

// mergeFiles merges files of m with both engines and appends them to m.cases: the unmerged files, and then, by path and as
// trivial cases, the files of Options.ExtraPaths and those of m.identicalChanges in which two releases share a version
// (VerdictSharedVersion). A file of the second group is left out if ours or theirs does not contain it.
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
		if isExtra || c.Review.Verdict == VerdictSharedVersion {
			m.cases = append(m.cases, c)
		}
	}
	return nil
}

// readDeletions reads the versions of the modify/delete conflicts of m into PathConflict.File, and sets DeletedInMerge. A
// conflict in which a version is not a regular file gets no File.
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

// IsModifyDelete reports whether u has the stages of a modify/delete conflict: the base and exactly one side, both of them
// regular files. git does not leave such a path unmerged unless that side changed the file.
func IsModifyDelete(u git.Unmerged) bool {
	remaining := cmp.Or(u.Ours, u.Theirs)
	return u.Base.ID != "" && (u.Ours.ID == "") != (u.Theirs.ID == "") && u.Base.Mode.IsFile() && remaining.Mode.IsFile()
}

// mergeUnmerged returns the case of a file that both sides changed. In a preview, the merge attribute decides whether the
// driver merges the file at all. If it does not, both outcomes are those of git with that attribute:
//
//	merge attribute     outcome
//	-merge, binary      Failed
//	union               clean
//	any other           that of the line merge
//
// If the line merge has conflicts, Driver.Failed is set, too. The content is that of the line merge in all these cases.
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
	c.mergeWithGit()
	switch attribute {
	case "unset", "binary":
		c.Git.Failed = "its merge attribute lets nobody merge it"
	case "union":
		c.Git.Conflicts, c.Git.Lines = 0, 0
	}
	if c.Driver = c.Git; c.Git.Conflicts > 0 {
		c.Driver.Failed = "it is not merged as YAML"
	}
	c.Content.Driver = c.Content.Git
	c.evaluate()
	return c, nil
}

// committedID returns the id of the committed file at the path of u. It returns "" if m is not committed, or if the commit
// does not contain a regular file at that path.
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

// readVersions returns base, ours, theirs and the committed version of a file, each read by its path from the commits of
// m. A version is nil if the commit does not contain the file. If there are several bases, readVersions uses the last one
// in which the file is the same as in one of the sides, or else the first one that contains the file.
//
// It is for files that git merged without merging their content. A file that was renamed is not found in the commits
// in which it has another path.
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
	for _, base := range contents[3:] {
		if versions[0] == nil || isSameFile(base, versions[1]) || isSameFile(base, versions[2]) {
			versions[0] = base
		}
	}
	return versions, nil
}

// isSameFile reports whether a and b are identical, or both nil. An empty file is not the same as a missing one.
func isSameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// newCase returns the case of a file of m before it is merged. versions are base, ours, theirs and the committed version.
// The committed version is ignored if m is not committed: for a merge that stopped, m.ID is the commit of ours.
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

// sessionFile returns the merge of a file of m in the session, with its rule set and with the side that is the user's own:
//
//	preview                        as the options of the session say (see Preview)
//	a merge or pick that stopped   what git is doing now decides
//	a pick                         theirs: the picked commit
//	a merge commit                 its message and its first parent decide
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
		f.FindOwn = func() merge.Own { return merge.OwnTheirs }
		return f
	}
	return f.InFinishedMerge(m.Subject, m.Parents[0])
}

// mergeWithGit merges c by lines like git merge without a driver, and sets c.Content.Git and the counts of c.Git. It sets
// only c.Git.Failed if the file cannot be merged by lines, for example because it is binary.
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

// mergeWithDriver merges c like git merge with the driver, and sets c.Result, c.Content.Driver and c.Driver. It sets
// only c.Driver.Failed if the driver fails, or if c.Git.Failed is set.
//
// It also sets c.Git.Defect if git's line merge is clean and the driver rejected it. mergeWithGit has to run before.
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
	if c.Git.Clean() && res.Method == merge.Structural && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

// isMergedByOther reports whether git does not merge a path with this program, given the value of its merge attribute. A
// YAML file without an attribute is treated as if it had the attribute of this program.
func isMergedByOther(path, attribute string) bool {
	_, isOurs := driver.RuleSetForAttribute(attribute)
	return !isOurs && (attribute != "unspecified" || !driver.IsYAMLPath(path))
}

// evaluate compares clean results with the committed file, reviews the committed file, and, if a result is not clean, looks
// for the program that generates the file. It sets Committed of both outcomes, c.Review and c.Generated.
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

// compareToCommitted compares a clean result with the committed file. It never returns NotCompared; files that differ and
// cannot be parsed are Different.
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

// reviewCommitted checks the committed file if the driver's clean result has different values, or if c is trivial. A
// trivial case without a committed file is checked with the content of ours instead: git leaves it unchanged. For all
// other cases the review is empty.
//
// If the check has several findings, the verdict is that of the last one, except that VerdictAdded never replaces another
// verdict:
//
//	rule of the finding   verdict
//	next                  VerdictSharedVersion
//	parses, markers       VerdictBroken
//	invented, doubled     VerdictAdded
//	any other             VerdictMissing
//	no findings           VerdictOK
func (c *Case) reviewCommitted() Review {
	result := c.Content.Committed
	switch {
	case c.Trivial && result == nil:
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
	for _, f := range findings {
		switch f.Rule {
		case "next":
			verdict = VerdictSharedVersion
		case "parses", "markers":
			verdict = VerdictBroken
		case "invented", "doubled":
			if verdict == VerdictOK {
				verdict = VerdictAdded
			}
		default:
			verdict = VerdictMissing
		}
	}
	return Review{verdict, findings}
}
