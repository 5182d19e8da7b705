package history

import (
	"bytes"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Case is a file that both sides of a merge changed.
type Case struct {
	// Number counts the cases of a run from 1.
	Number  int
	Merge   git.ID    // ours, of what is no commit yet
	Time    time.Time // when it was made
	Parents [2]git.ID
	Bases   []git.ID // the newest first; none of unrelated histories
	Path    string   // in the merge
	Git     Outcome
	Driver  Outcome
	Review  Review // of what was committed, where the driver merges otherwise
	Content Content
	// Generated says what makes the file, and by what that is known, if it is in conflict and a
	// program does.
	Generated string
	File      session.File // as the driver merges it
	Result    merge.Result // of that
	Open      bool         // it is of no commit yet
	Alike     bool         // both sides made the same of it, so that git asks nobody
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
	Conflicts int `json:"conflicts"`
	Lines     int `json:"lines"`
	// Committed compares a clean result with what was committed.
	Committed Equality `json:"committed,omitempty"`
	// Defect says what is wrong with git's clean result.
	Defect string `json:"defect,omitempty"`
	// Failed says why there is no result: the file is binary, say, or there is
	// nothing to merge.
	Failed string `json:"failed,omitempty"`
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
	Undecided  Equality = ""       // of a result with conflicts
)

// A Verdict is what merge.Check says of a file that was committed otherwise than
// the driver merges it, or that both sides made alike; "" of any other file.
type Verdict string

// The verdicts.
const (
	Lacks   Verdict = "lacks"   // it has not every edit of the sides
	Adds    Verdict = "adds"    // it has all of them, and more
	Broken  Verdict = "broken"  // it is no YAML, or has conflict markers
	Gone    Verdict = "gone"    // the merge has no such file
	Fine    Verdict = "fine"    // nothing is found: the driver may be wrong
	Twice   Verdict = "twice"   // it has one version for two releases
	Unknown Verdict = "unknown" // a version is no YAML, and the driver merged by lines
)

// A Review is a verdict and what it is about.
type Review struct {
	Verdict  Verdict         `json:"verdict"`
	Findings []merge.Finding `json:"findings,omitempty"`
}

// Notable reports whether c is worth a look: the driver makes a difference, or
// people committed something else.
func (c *Case) Notable() bool {
	if c.Git.Defect != "" || c.Review.Verdict != "" || c.Git.Clean() != c.Driver.Clean() {
		return true
	}
	if c.Driver.Clean() {
		return !bytes.Equal(c.Content.Git, c.Content.Driver)
	}
	return c.Git.Conflicts != c.Driver.Conflicts || c.Git.Lines != c.Driver.Lines
}
