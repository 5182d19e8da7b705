package history

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Of is the merge of a file that stands alone: of files by hand.
func Of(f session.File) *Case {
	return (&Case{Path: f.Path, File: f, Open: true}).merge()
}

// merge merges by both engines.
func (c *Case) merge() *Case {
	c.line()
	c.field()
	c.judge()
	return c
}

// cases merges the files of m by both engines: those that both sides changed, those that
// Options.Also names, and those that have one version for two releases.
func (w *walk) cases(m *Merge) error {
	isMerged := map[string]bool{}
	for _, u := range m.files {
		isMerged[u.Path] = true
		c, err := w.contested(m, u)
		if err != nil {
			return err
		}
		m.cases = append(m.cases, c)
	}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.alike, w.Also)))) {
		also := slices.Contains(w.Also, path)
		if isMerged[path] || !also && !m.known.wants(path) {
			continue
		}
		v, err := w.versions(m, path)
		if err != nil {
			return err
		}
		if v[1] == nil || v[2] == nil {
			continue
		}
		c := w.newCase(m, path, v)
		c.Alike = true
		c.merge()
		if also || c.Review.Verdict == Twice {
			m.cases = append(m.cases, c)
		}
	}
	return nil
}

// readDeleted reads the files that one side of m deleted, and that the other one changed.
func (w *walk) readDeleted(m *Merge) error {
	for i := range m.Names {
		n := &m.Names[i]
		u := n.stages
		if n.Kind != Deleted {
			continue
		}
		d, differs := m.diff[n.Path]
		if n.Gone = differs && d.To.ID == ""; !IsDeletion(u) {
			continue
		}
		v, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
		if err != nil {
			return err
		}
		f := w.file(m, n.Path, v[0], v[1], v[2])
		n.File = &f
	}
	return nil
}

// IsDeletion reports whether one side deleted a file, and the other one changed it.
func IsDeletion(u git.Unmerged) bool {
	there := cmp.Or(u.Ours, u.Theirs)
	return u.Base.ID != "" && (u.Ours.ID == "") != (u.Theirs.ID == "") && u.Base.Mode.IsFile() && there.Mode.IsFile()
}

// contested merges a file that both sides changed.
func (w *walk) contested(m *Merge, u git.Unmerged) (*Case, error) {
	v, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID, m.committed(u))
	if err != nil {
		return nil, err
	}
	c := w.newCase(m, u.Path, [4][]byte(v))
	attribute := m.known[u.Path].merge
	if !m.isToCome || !isOthers(u.Path, attribute) {
		return c.merge(), nil
	}
	c.line()
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
	c.judge()
	return c, nil
}

// committed is the file that was committed in the place of u, "" where there is none.
func (m *Merge) committed(u git.Unmerged) git.ID {
	d, differs := m.diff[u.Path]
	switch {
	case m.Open || differs && !d.To.Mode.IsFile():
		return ""
	case differs:
		return d.To.ID
	}
	return u.Ours.ID
}

// versions are base, ours, theirs and what was committed of a file that git merges without
// asking anybody: both sides made it the same, or one alone changed it. Of several bases it is
// the one that a side has kept.
func (w *walk) versions(m *Merge, path string) (v [4][]byte, err error) {
	names := []string{m.Ours.String() + ":" + path, m.Theirs.String() + ":" + path, m.ID.String() + ":" + path}
	for _, b := range m.Bases {
		names = append(names, b.String()+":"+path)
	}
	all, err := w.objects.Named(names...)
	if err != nil {
		return v, err
	}
	v = [4][]byte{nil, all[0], all[1], all[2]}
	for _, base := range all[3:] {
		if v[0] == nil || same(base, v[1]) || same(base, v[2]) {
			v[0] = base
		}
	}
	return v, nil
}

// same reports whether two files are, or are not there both.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// newCase is a file before it is merged: base, ours, theirs, and what was committed.
func (w *walk) newCase(m *Merge, path string, v [4][]byte) *Case {
	c := &Case{
		Merge: m.ID, Time: m.Time, Parents: [2]git.ID{m.Parents[0], m.Parents[1]}, Bases: m.Bases, Path: path, Open: m.Open,
		File: w.file(m, path, v[0], v[1], v[2]),
	}
	if !m.Open {
		c.Content.Committed = v[3]
	}
	return c
}

// file is the merge of a file in a commit, by what is known of that one: a picked
// commit is one's own, and what stopped is what git does now.
func (w *walk) file(m *Merge, path string, base, ours, theirs []byte) session.File {
	f := w.Session.NewFile(path, base, ours, theirs)
	if w.attributes != nil {
		f.RuleSet, _ = driver.RulesOf(m.known[path].merge)
	}
	switch {
	case m.isToCome:
		return f
	case m.Open:
		return f.InCurrentOperation([3]string{}, false)
	case m.Pick:
		f.FindOwn = func() merge.Own { return merge.OwnTheirs }
		return f
	}
	return f.InFinishedMerge(m.Subject, m.Parents[0])
}

// line merges as git does.
func (c *Case) line() {
	merged, conflicts, err := merge.MergeLines(c.File.Base, c.File.Ours, c.File.Theirs, merge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"})
	if err != nil {
		c.Git.Failed = err.Error()
		return
	}
	c.Content.Git = merged
	c.Git.Conflicts, c.Git.Lines = conflicts, merge.LinesInConflict(merged, 0)
}

// field merges as git does with the driver, what it can merge by lines.
func (c *Case) field() {
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
		if i == 0 || x.Line != res.Conflicts[i-1].Line { // those that touch share their markers
			c.Driver.Conflicts++
		}
	}
	if !res.Clean() {
		c.Driver.Conflicts = max(1, c.Driver.Conflicts) // a file that is left as it is has no place for one
		c.Driver.Lines = merge.LinesInConflict(res.Bytes, 0)
	}
	if c.Git.Clean() && res.Method == merge.Structural && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

// isOthers reports whether the attribute of a path has it merged otherwise than by
// this program: by lines, or not at all.
func isOthers(path, attribute string) bool {
	_, ours := driver.RulesOf(attribute)
	return !ours && (attribute != "unspecified" || !driver.IsYAML(path))
}

// judge compares what both engines merged with what was committed, reviews that, and says what
// makes the file.
func (c *Case) judge() {
	if c.Git.Clean() && !c.Open {
		c.Git.Committed = c.compare(c.Content.Git)
	}
	if c.Driver.Clean() && !c.Open {
		c.Driver.Committed = c.compare(c.Content.Driver)
	}
	c.Review = c.review()
	if !c.Git.Clean() || !c.Driver.Clean() {
		if by, ok := c.File.Generator(); ok {
			c.Generated = by.String()
		}
	}
}

// compare compares a result with the committed file.
func (c *Case) compare(merged []byte) Equality {
	switch {
	case c.Content.Committed == nil:
		return Absent
	case bytes.Equal(merged, c.Content.Committed):
		return EqualBytes
	}
	changes, err := merge.Changes(c.Content.Committed, merged, c.File.MergeOptions())
	if err == nil && len(changes) == 0 {
		return EqualData
	}
	return Different
}

// review judges what was committed or, of a merge that is open, what git leaves
// of a file that both sides made alike.
func (c *Case) review() Review {
	result := c.Content.Committed
	switch {
	case c.Alike && result == nil:
		result = c.File.Ours
	case c.Driver.Committed == Absent:
		return Review{Verdict: Gone}
	case c.Open || c.Driver.Committed != Different && !c.Alike:
		return Review{}
	}
	found, err := c.File.Findings(result)
	if err != nil {
		return Review{Verdict: Unknown}
	}
	verdict := Fine
	for _, f := range found {
		switch f.Rule {
		case "next":
			verdict = Twice
		case "parses", "markers":
			verdict = Broken
		case "invented", "doubled":
			if verdict == Fine {
				verdict = Adds
			}
		default:
			verdict = Lacks
		}
	}
	return Review{verdict, found}
}
