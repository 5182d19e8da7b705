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

// readDeleted reads the files that one side of m deleted, and that the other one changed.
func (w *walk) readDeleted(m *Merge) error {
	for i, n := range m.Names {
		u := n.stages
		if n.Kind != Deleted || !IsDeletion(u) {
			continue
		}
		v, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
		if err != nil {
			return err
		}
		f := w.file(m, n.Path, v[0], v[1], v[2])
		d, differs := m.diff[n.Path]
		m.Names[i].File, m.Names[i].Gone = &f, differs && d.To.ID == ""
	}
	return nil
}

// IsDeletion reports whether one side deleted a file, and the other one changed it.
func IsDeletion(u git.Unmerged) bool {
	there := cmp.Or(u.Ours, u.Theirs)
	return u.Base.ID != "" && (u.Ours.ID == "") != (u.Theirs.ID == "") && u.Base.Mode.IsFile() && there.Mode.IsFile()
}

// cases merges the files of m by both engines.
func (w *walk) cases(m *Merge) {
	if w.ReadDeleted {
		m.Err = cmp.Or(m.Err, w.readDeleted(m))
	}
	for _, f := range m.files {
		c, err := w.judge(m, f)
		if err != nil {
			m.Err = cmp.Or(m.Err, err)
			return
		}
		m.cases = append(m.cases, c)
	}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.alike, w.Also)))) {
		if slices.ContainsFunc(m.files, func(f file) bool { return f.path == path }) {
			continue
		}
		c, err := w.judgeAlike(m, path)
		if err != nil {
			m.Err = cmp.Or(m.Err, err)
			return
		}
		if c != nil && (c.Review.Verdict == Twice || slices.Contains(w.Also, path)) {
			m.cases = append(m.cases, c)
		}
	}
}

// about is what is known of a file before it is merged.
func (m *Merge) about(path string) *Case {
	return &Case{Merge: m.ID, Time: m.Time, Parents: [2]git.ID{m.Parents[0], m.Parents[1]}, Bases: m.Bases, Path: path, Open: m.Open}
}

// judge merges a file with both engines and compares the results with what was committed.
func (w *walk) judge(m *Merge, f file) (*Case, error) {
	c := m.about(f.path)
	committed, there := m.committed(f)
	ids := make([]git.ID, 5)
	ids[4] = committed
	for e, u := range f.by {
		if u != nil {
			ids[e], ids[2], ids[3] = u.Base.ID, u.Ours.ID, u.Theirs.ID
		}
	}
	v, err := w.objects.Blobs(ids...)
	if err != nil {
		return nil, err
	}
	c.Content = Content{GitBase: v[0], Base: v[1], Ours: v[2], Theirs: v[3], Committed: v[4]}
	c.File = w.file(m, f.path, c.Content.Base, v[2], v[3])
	if f.by[byLine] != nil {
		c.line()
	} else if c.Content.Git, err = w.uncontested(m, byLine, f.path); c.Content.Git == nil {
		c.Git.Failed = nothingToMerge
	}
	if err != nil {
		return nil, err
	}
	switch attribute := w.attribute(f.path); {
	case f.by[byField] == nil:
		if c.Content.Driver, err = w.uncontested(m, byField, f.path); c.Content.Driver == nil {
			c.Driver.Failed = nothingToMerge
		}
		c.Result.Bytes = c.Content.Driver
	case m.isToCome && isOthers(f.path, attribute):
		c.asOthers(attribute)
	default:
		c.field()
	}
	if err != nil {
		return nil, err
	}
	for _, r := range []struct {
		o      *Outcome
		merged []byte
	}{{&c.Git, c.Content.Git}, {&c.Driver, c.Content.Driver}} {
		if r.o.Clean() && !m.Open {
			r.o.Committed = c.compare(r.merged, there)
		}
	}
	c.Review = c.review()
	c.make()
	return c, nil
}

// make says what makes a file that is in conflict.
func (c *Case) make() {
	if by, ok := c.File.Maker(); ok && !(c.Git.Clean() && c.Driver.Clean()) {
		c.Generated = by.String()
	}
}

// uncontested is a file that an engine takes from one side, since over its base the other one
// has not changed it; nil if it has none.
func (w *walk) uncontested(m *Merge, e engine, path string) ([]byte, error) {
	v, err := w.objects.Named(m.trees[e].String() + ":" + path)
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// judgeAlike judges a file that git merges without asking anybody: both sides made it the
// same, or one alone changed it. It is nil if not both sides have it.
func (w *walk) judgeAlike(m *Merge, path string) (*Case, error) {
	base := ""
	if len(m.Bases) > 0 {
		base = m.Bases[0].String() + ":" + path
	}
	v, err := w.objects.Named(base, m.Ours.String()+":"+path, m.ID.String()+":"+path, m.Theirs.String()+":"+path)
	if err != nil || v[1] == nil || v[3] == nil {
		return nil, err
	}
	c := m.about(path)
	c.Alike = true
	c.Content = Content{GitBase: v[0], Base: v[0], Ours: v[1], Theirs: v[3], Committed: v[2]}
	c.File = w.file(m, path, v[0], v[1], v[3])
	c.line()
	c.field()
	if m.Open {
		c.Content.Committed = nil
	} else {
		c.Git.Committed, c.Driver.Committed = c.compare(c.Content.Git, v[2] != nil), c.compare(c.Content.Driver, v[2] != nil)
	}
	c.Review = c.review()
	return c, nil
}

// file is the merge of a file in a commit, by what is known of that one: a picked
// commit is one's own, and what stopped is what git does now.
func (w *walk) file(m *Merge, path string, base, ours, theirs []byte) session.File {
	f := w.Session.File(path, base, ours, theirs, nil)
	if w.Attributes != nil {
		f.RuleSet, _ = driver.RulesOf(w.attribute(path))
	}
	switch {
	case m.isToCome:
		return f
	case m.Open:
		return f.Now([3]string{}, false)
	case m.Pick:
		f.Own = func() merge.Own { return merge.OwnTheirs }
		return f
	}
	subject := m.Subject
	return f.Past(func() string { return subject }, m.Parents[0])
}

// line merges as git does.
func (c *Case) line() {
	merged, conflicts, err := merge.MergeLines(c.Content.GitBase, c.Content.Ours, c.Content.Theirs, labels())
	if c.Git.Failed = ""; err != nil {
		c.Git.Failed = err.Error()
		return
	}
	c.Content.Git = merged
	c.Git.Conflicts, c.Git.Lines = conflicts, merge.LinesInConflict(merged, labels().Size)
}

// field merges as git does with the driver.
func (c *Case) field() {
	res, err := c.File.Merge(labels)
	if c.Driver.Failed = ""; err != nil {
		c.Driver.Failed = err.Error()
		return
	}
	c.Content.Driver, c.Result = res.Bytes, res
	c.Driver.Conflicts = places(res.Conflicts)
	if !res.Clean() {
		c.Driver.Conflicts = max(1, c.Driver.Conflicts) // a file that is left as it is has no place for one
		c.Driver.Lines = merge.LinesInConflict(res.Bytes, labels().Size)
	}
	sameBase := bytes.Equal(c.Content.GitBase, c.Content.Base)
	if sameBase && c.Git.Clean() && res.Method == merge.Structural && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

// asOthers has the file merged as its merge attribute says, which names none of this
// program's drivers.
func (c *Case) asOthers(attribute string) {
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
}

func (c *Case) compare(merged []byte, there bool) Equality {
	if !there {
		return Absent
	}
	if bytes.Equal(merged, c.Content.Committed) {
		return EqualBytes
	}
	changes, err := merge.Changes(c.Content.Committed, merged, c.File.Merging())
	if err == nil && len(changes) == 0 {
		return EqualData
	}
	return Different
}

// nothingToMerge is said of an engine that merges no such file, where the
// other one does.
const nothingToMerge = "not merged: over this base, a side has no such file"

// places is how many markers conflicts have: those that touch share theirs.
func places(conflicts []merge.Conflict) int {
	n, last := 0, 0
	for _, c := range conflicts {
		if c.Line != last {
			n++
		}
		last = c.Line
	}
	return n
}

func labels() merge.Markers {
	return merge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
}
