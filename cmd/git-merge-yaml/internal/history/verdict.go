package history

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
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

// review judges what was committed for c or, of a merge that is open, what git leaves
// of a file that both sides made alike.
func (c *Case) review() (r Review) {
	result := c.Content.Committed
	switch {
	case c.Alike && result == nil:
		result = c.File.Ours
	case c.Open:
		return r
	case c.Driver.Committed == Absent:
		return Review{Verdict: Gone}
	case c.Driver.Committed != Different && !c.Alike:
		return r
	}
	found, err := c.File.Findings(result, false)
	r = Review{Verdict: Fine, Findings: found}
	if err != nil {
		return Review{Verdict: Unknown}
	}
	for _, f := range found {
		switch f.Rule {
		case "next":
			r.Verdict = Twice
		case "parses", "markers":
			r.Verdict = Broken
		case "invented", "doubled":
			if r.Verdict == Fine {
				r.Verdict = Adds
			}
		default:
			r.Verdict = Lacks
		}
	}
	return r
}

// Reviewed counts verdicts.
type Reviewed struct {
	Lacks   int `json:"lacks"`
	Adds    int `json:"adds"`
	Broken  int `json:"broken"`
	Gone    int `json:"gone"`
	Twice   int `json:"twice"`
	Fine    int `json:"fine"`
	Unknown int `json:"unknown"`
}

func (r *Reviewed) add(v Verdict) {
	switch v {
	case Lacks:
		r.Lacks++
	case Adds:
		r.Adds++
	case Broken:
		r.Broken++
	case Gone:
		r.Gone++
	case Twice:
		r.Twice++
	case Fine:
		r.Fine++
	case Unknown:
		r.Unknown++
	}
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
