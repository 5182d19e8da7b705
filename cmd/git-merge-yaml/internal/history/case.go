package history

import (
	"bytes"
	"cmp"
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
	File      session.File // base, ours and theirs, as the driver merges them
	Result    merge.Result // of that
	Open      bool         // it is of no commit yet
	Alike     bool         // both sides made the same of it, so that git asks nobody
}

// Content is what became of the versions of a file.
type Content struct {
	Git, Driver []byte // as merged, with markers
	Committed   []byte
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

// A Summary counts what a replay has seen.
type Summary struct {
	// Interrupted is true where the run was ended before all merges were seen.
	Interrupted bool          `json:"interrupted,omitempty"`
	Time        time.Duration `json:"-"`       // of the whole run, which may do several merges at once
	Commits     int           `json:"commits"` // in the history, also those before the first merge
	Merges      int           `json:"merges"`  // replayed or left out
	Octopus     int           `json:"octopus"` // left out: more than two parents
	CutOff      int           `json:"cut_off"` // left out: no common ancestor in a shallow clone
	Unread      int           `json:"unread"`  // left out: an object could not be read
	Err         error         `json:"-"`
	// Touched are the merges with files that both sides changed.
	Touched int `json:"touched"`
	Files   int `json:"files"`
	// Alike are files that both sides made alike, with one version for two releases.
	// They are not among Files, since there was nothing to merge.
	Alike int `json:"-"`
	// Deleted are files that one side deleted and the other changed, which
	// no driver is asked about. They are not among Files.
	Deleted int `json:"deleted"`
	// Gone are those of them that people deleted in the merge, Kept the others.
	Gone int    `json:"-"`
	Kept int    `json:"-"`
	Lost []Name `json:"-"` // all of them, if Options.ReadDeleted
	// Names are files whose names are in conflict: a side renamed one to a name
	// that the other gave to something else. They are not among Files.
	Names  int   `json:"names"`
	Git    Total `json:"git"`
	Driver Total `json:"driver"`
	// Resolved are the files that git left in conflict and the driver did not.
	Resolved Compared `json:"resolved"`
	// Otherwise judges the committed files that the driver merges otherwise.
	Otherwise Reviewed `json:"otherwise"`
	// Left are those that both left in conflict.
	Left int `json:"left"`
	// Defects are the files that git merged clean and wrong: a doubled key, a
	// lost item. Mended are those of them that the driver merged clean.
	Defects int `json:"defects"`
	Mended  int `json:"mended"`
	// Worse are files that git merged clean and right, as far as the driver
	// knows, and the driver left in conflict.
	Worse int `json:"worse"`
	// Changed are files that git merged clean and right, and the driver
	// otherwise.
	Changed int `json:"changed"`
}

// A Total is what one engine left.
type Total struct {
	Clean     Compared  `json:"clean"`
	Conflicts int       `json:"conflicts"` // files in conflict
	Places    int       `json:"places"`    // conflicts in them
	Lines     int       `json:"lines"`     // lines in these
	Generated Generated `json:"generated"`
}

// Generated counts what is in conflict in files that a program makes.
type Generated struct {
	Files int `json:"files"`
	Lines int `json:"lines"`
}

// Compared counts clean results by how they compare with the committed files.
type Compared struct {
	Bytes     int `json:"bytes"`
	Data      int `json:"data"`
	Different int `json:"different"`
}

// All returns how many there are.
func (c Compared) All() int { return c.Bytes + c.Data + c.Different }

func (c *Compared) add(e Equality) {
	switch e {
	case EqualBytes:
		c.Bytes++
	case EqualData:
		c.Data++
	default:
		c.Different++
	}
}

func (t *Total) add(o Outcome, generated bool) {
	if o.Clean() {
		t.Clean.add(o.Committed)
		return
	}
	t.Conflicts++
	t.Places += o.Conflicts
	t.Lines += o.Lines
	if generated {
		t.Generated.Files++
		t.Generated.Lines += o.Lines
	}
}

// merge counts a merge.
func (s *Summary) merge(m *Merge) {
	s.Merges++
	for _, n := range m.Names {
		switch n.Kind {
		case Deleted:
			s.Deleted++
			if n.Gone {
				s.Gone++
			} else if !m.Open {
				s.Kept++
			}
		case Collision:
			s.Names++
		}
		if n.File != nil {
			s.Lost = append(s.Lost, n)
		}
	}
	switch {
	case m.Err != nil:
		s.Unread++
		s.Err = cmp.Or(s.Err, m.Err)
	case m.Octopus:
		s.Octopus++
	case m.CutOff:
		s.CutOff++
	case len(m.files) > 0:
		s.Touched++
	}
}

// add counts a file.
func (s *Summary) add(c *Case) {
	if v := c.Review.Verdict; v != "" {
		s.Otherwise[v]++
	}
	if c.Alike {
		s.Alike++
		return
	}
	s.Files++
	s.Git.add(c.Git, c.Generated != "")
	s.Driver.add(c.Driver, c.Generated != "")
	switch git, driver := c.Git.Clean(), c.Driver.Clean(); {
	case !git && driver:
		s.Resolved.add(c.Driver.Committed)
	case !git:
		s.Left++
	case c.Git.Defect != "":
		s.Defects++
		if driver {
			s.Mended++
		}
	case !driver:
		s.Worse++
	case !bytes.Equal(c.Content.Git, c.Content.Driver):
		s.Changed++
	}
}

// Reviewed counts verdicts, each of which it has.
type Reviewed map[Verdict]int
