package replay

import (
	"bytes"
	"cmp"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// judge merges a file with both engines and compares the results with the one
// in the committed folder.
func (m *merger) judge(c *Case, commit int, p pair, s store, committed git.ID) error {
	shown := cmp.Or(p[byField], p[byLine])
	c.Path, c.From = shown.path, shown.from
	there, err := lookup(s, committed, c.Path)
	if err != nil {
		return err
	}
	in, err := m.read(c, p, s, there)
	if err != nil {
		return err
	}
	c.File = m.file(commit, c.Path, in[byField])
	c.Kind = kindOf(c.Path, c.Content.Ours)
	c.Git.Failed, c.Driver.Failed = nothingToMerge, nothingToMerge
	if p[byLine] != nil {
		m.line(c, in[byLine])
	}
	if p[byField] != nil {
		m.field(c)
	}
	for _, r := range []struct {
		o      *Outcome
		merged []byte
	}{{&c.Git, c.Content.Git}, {&c.Driver, c.Content.Driver}} {
		if r.o.Clean() {
			r.o.Committed = c.compare(r.merged, there.Mode.IsFile())
		}
	}
	c.Review = c.review()
	if !c.Git.Clean() || !c.Driver.Clean() {
		if by, ok := c.File.Maker(); ok {
			c.Generated = by.String()
		}
	}
	return nil
}

// content is a file as an engine merges it.
type content struct{ base, ours, theirs []byte }

// read reads what each engine merges, and what was committed.
func (m *merger) read(c *Case, p pair, s store, committed git.TreeEntry) (in [engines]content, err error) {
	var ids [3*engines + 1]git.ID
	for e, f := range p {
		if f == nil || e > 0 && f == p[byLine] {
			continue
		}
		for i, v := range f.all() {
			ids[3*e+i] = v.ID
		}
	}
	if committed.Mode.IsFile() {
		ids[3*engines] = committed.ID
	}
	blobs, err := s.Blobs(ids[:]...)
	if err != nil {
		return in, err
	}
	for e, f := range p {
		if e > 0 && f == p[byLine] {
			in[e] = in[byLine]
		} else {
			in[e] = content{blobs[3*e], blobs[3*e+1], blobs[3*e+2]}
		}
		if f != nil {
			c.Content.Ours, c.Content.Theirs = in[e].ours, in[e].theirs
		}
	}
	c.Content.GitBase, c.Content.Base, c.Content.Committed = in[byLine].base, in[byField].base, blobs[3*engines]
	return in, nil
}

// file is the merge of a file in a commit, by what is known of that one: a picked
// commit is one's own, and what stopped is what git does now.
func (m *merger) file(commit int, path string, in content) session.File {
	f := m.Session.File(path, in.base, in.ours, in.theirs, nil)
	if m.RuleSetOf != nil {
		f.RuleSet = m.RuleSetOf(path)
	}
	switch p, picked := m.picks[commit]; {
	case picked && p.open:
		return f.Now([3]string{}, false)
	case picked:
		f.Own = func() merge.Own { return merge.OwnTheirs }
		return f
	}
	id := m.graph.ID(commit)
	subject := func() string {
		s, err := m.trees.Subject(id)
		if err != nil { // the run is over, and somebody asks for more of the file
			s, _ = m.Session.Git.Subject(id)
		}
		return s
	}
	return f.Past(subject, m.graph.ID(int(m.graph.Parents(commit)[0])))
}

// line merges as git does.
func (m *merger) line(c *Case, in content) {
	start := time.Now()
	merged, conflicts, err := merge.MergeLines(in.base, in.ours, in.theirs, labels())
	c.Git.Time, c.Git.Failed = time.Since(start), ""
	if err != nil {
		c.Git.Failed = err.Error()
		return
	}
	c.Content.Git = merged
	c.Git.Conflicts, c.Git.Lines = conflicts, merge.LinesInConflict(merged, labels().Size)
}

// field merges as git does with the driver.
func (m *merger) field(c *Case) {
	start := time.Now()
	res, err := c.File.Merge(labels)
	c.Driver.Time, c.Driver.Failed = time.Since(start), ""
	if err != nil {
		c.Driver.Failed = err.Error()
		return
	}
	c.Content.Driver = res.Bytes
	c.Driver.How, c.Driver.Reason, c.Driver.Fields, c.Driver.Decided = res.Method, res.Reason, res.Conflicts, res.Resolved
	c.Driver.Conflicts = places(res.Conflicts)
	if !res.Clean() {
		c.Driver.Conflicts = max(1, c.Driver.Conflicts) // a file that is left as it is has no place for one
		c.Driver.Lines = merge.LinesInConflict(res.Bytes, labels().Size)
	}
	c.chart = c.charted(res)
	sameBase := bytes.Equal(c.Content.GitBase, c.Content.Base)
	if sameBase && c.Git.Clean() && res.Method == merge.Structural && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

func (c *Case) compare(merged []byte, there bool) Equality {
	if !there {
		return Absent
	}
	if bytes.Equal(merged, c.Content.Committed) {
		return EqualBytes
	}
	changes, err := merge.Changes(c.Content.Committed, merged, c.File.Merging().File())
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
