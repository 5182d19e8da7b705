package replay

import (
	"bytes"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Case is a file that both sides of a merge changed.
type Case struct {
	// Number counts the cases of a run from 1.
	Number  int
	Merge   git.ID
	Parents [2]git.ID
	Bases   []git.ID // the newest first; none of unrelated histories
	Path    string   // in the merge
	From    string   // the path in the base, where a side renamed it, else ""
	Kind    string   // what the file is, as in Kubernetes, Helm values
	Git     Outcome
	Driver  Outcome
	Content Content
}

// Content is the file in all its versions. GitBase and Base differ only where
// the base is virtual: git merges several bases by lines, the driver by field.
type Content struct {
	GitBase, Base, Ours, Theirs, Committed []byte
	Git, Driver                            []byte // as merged, with markers
}

// An Outcome is what one engine made of a case.
type Outcome struct {
	// Conflicts are the places with markers, Lines the lines inside.
	Conflicts, Lines int
	// Committed compares a clean result with what was committed.
	Committed Equality
	Time      time.Duration
	// Defect says what is wrong with git's clean result.
	Defect string
	// How and Reason are the driver's merge.Result.
	How    merge.Method
	Reason string
	Fields []merge.Conflict
	// Failed says why there is no result: the file is binary.
	Failed string
}

// Clean reports whether there is nothing left to decide.
func (o Outcome) Clean() bool { return o.Conflicts == 0 && o.Failed == "" }

// Equality is how a clean result and the committed file compare.
type Equality string

// The equalities, the best first.
const (
	EqualBytes Equality = "bytes"
	EqualData  Equality = "data" // but for form: comments, quotes, the order of keys
	Different  Equality = "different"
	Absent     Equality = "absent" // the merge has no such file
	Unknown    Equality = ""       // of a result with conflicts
)

// judge merges a file with both engines and compares the results with the one
// in the committed folder.
func (m *merger) judge(c *Case, f file, s store, committed git.ID) (err error) {
	c.Path, c.From = f.path, f.from
	there, err := lookup(s, committed, f.path)
	if err != nil {
		return err
	}
	if !there.Mode.IsFile() {
		there = git.TreeEntry{}
	}
	for _, r := range []struct {
		to *[]byte
		e  git.TreeEntry
	}{
		{&c.Content.GitBase, f.base[byLine]}, {&c.Content.Base, f.base[byField]},
		{&c.Content.Ours, f.ours}, {&c.Content.Theirs, f.theirs}, {&c.Content.Committed, there},
	} {
		if r.e.ID == "" {
			continue
		}
		if *r.to, err = s.Blob(r.e.ID); err != nil {
			return err
		}
	}
	c.Kind = kindOf(c.Path, c.Content.Ours)
	m.line(c)
	m.field(c)
	for _, r := range []struct {
		o      *Outcome
		merged []byte
	}{{&c.Git, c.Content.Git}, {&c.Driver, c.Content.Driver}} {
		if r.o.Clean() {
			r.o.Committed = m.compare(c, r.merged, there.ID != "")
		}
	}
	return nil
}

// line merges as git does.
func (m *merger) line(c *Case) {
	start := time.Now()
	merged, conflicts, err := merge.MergeLines(c.Content.GitBase, c.Content.Ours, c.Content.Theirs, labels())
	c.Git.Time = time.Since(start)
	if err != nil {
		c.Git.Failed = err.Error()
		return
	}
	c.Content.Git = merged
	c.Git.Conflicts, c.Git.Lines = conflicts, markedLines(merged)
}

// field merges as git does with the driver.
func (m *merger) field(c *Case) {
	start := time.Now()
	res, err := merge.Merge(c.Content.Base, c.Content.Ours, c.Content.Theirs, m.options(c.Path, labels))
	c.Driver.Time = time.Since(start)
	if err != nil {
		c.Driver.Failed = err.Error()
		return
	}
	c.Content.Driver = res.Bytes
	c.Driver.How, c.Driver.Reason, c.Driver.Fields = res.Method, res.Reason, res.Conflicts
	c.Driver.Conflicts = len(res.Conflicts)
	if !res.Clean() {
		c.Driver.Lines = markedLines(res.Bytes)
	}
	if c.Git.Clean() && res.Method == merge.Structural && res.LineConflicts == 0 {
		c.Git.Defect = res.Reason
	}
}

// options are those of a merge by the driver.
func (m *merger) options(path string, markers func() merge.Markers) merge.Options {
	return merge.Options{Path: path, Rules: m.Rules, RuleSet: m.RuleSet, Markers: markers}
}

func labels() merge.Markers {
	return merge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
}

func (m *merger) compare(c *Case, merged []byte, there bool) Equality {
	if !there {
		return Absent
	}
	if bytes.Equal(merged, c.Content.Committed) {
		return EqualBytes
	}
	changes, err := merge.Changes(c.Content.Committed, merged, merge.Options{Path: c.Path, Rules: m.Rules})
	if err == nil && len(changes) == 0 {
		return EqualData
	}
	return Different
}

// markedLines counts the lines between markers of seven characters.
func markedLines(text []byte) int {
	n, inside := 0, false
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			inside = true
		case bytes.HasPrefix(line, []byte(">>>>>>> ")):
			inside = false
		case inside && !bytes.Equal(bytes.TrimRight(line, "\r\n"), []byte("=======")):
			n++
		}
	}
	return n
}
