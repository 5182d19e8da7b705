package show

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A JSON writes one object per line, as docs/merges.schema.json says.
type JSON struct {
	W io.Writer
	// Changes says that what each side changed is written too.
	Changes bool
}

type jsonCase struct {
	Type      string           `json:"type"`
	Number    int              `json:"number,omitempty"`
	Merge     string           `json:"merge,omitempty"`
	Time      *time.Time       `json:"time,omitempty"`
	Parents   []string         `json:"parents,omitempty"`
	Bases     []string         `json:"bases,omitempty"`
	Path      string           `json:"path"`
	How       string           `json:"how,omitempty"`
	Rules     string           `json:"rules,omitempty"`
	Reason    string           `json:"reason,omitempty"`
	Git       jsonOutcome      `json:"git"`
	Driver    jsonOutcome      `json:"driver"`
	Decided   []jsonConflict   `json:"decided"`
	Conflicts []jsonConflict   `json:"conflicts"`
	Review    *jsonReview      `json:"review,omitempty"`
	Generated string           `json:"generated,omitempty"`
	Changes   *jsonSideChanges `json:"changes,omitempty"`
}

type jsonSideChanges struct {
	Ours   []jsonChange `json:"ours"`
	Theirs []jsonChange `json:"theirs"`
}

type jsonReview struct {
	Verdict  history.Verdict `json:"verdict"`
	Findings []jsonFinding   `json:"findings,omitempty"`
}

type jsonFinding struct {
	Path   string `json:"path,omitempty"`
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

type jsonOutcome struct {
	Clean     bool             `json:"clean"`
	Conflicts int              `json:"conflicts"`
	Lines     int              `json:"lines"`
	Committed history.Equality `json:"committed,omitempty"`
	Seconds   float64          `json:"seconds"`
	Defect    string           `json:"defect,omitempty"`
	Failed    string           `json:"failed,omitempty"`
}

// jsonConflict is a conflict with why it stands, or by what it was decided.
type jsonConflict struct {
	Path   string             `json:"path"`
	Kind   merge.ConflictKind `json:"kind"`
	Line   int                `json:"line,omitempty"`
	Why    string             `json:"why,omitempty"`
	By     string             `json:"by,omitempty"`
	Took   string             `json:"took,omitempty"`
	Wrote  string             `json:"wrote,omitempty"`
	Base   *jsonVersion       `json:"base,omitempty"`
	Ours   *jsonVersion       `json:"ours,omitempty"`
	Theirs *jsonVersion       `json:"theirs,omitempty"`
}

type jsonChange struct {
	Path string           `json:"path"`
	Kind merge.ChangeKind `json:"kind"`
	From *jsonVersion     `json:"from,omitempty"`
	To   *jsonVersion     `json:"to,omitempty"`
	List string           `json:"list,omitempty"`
}

type jsonVersion struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// methods are the names of merge.Method.
var methods = [...]string{merge.Trivial: "trivial", merge.ByLine: "line", merge.Structural: "field", merge.Delegated: "delegated"}

// Case writes the object of c.
func (j JSON) Case(c *history.Case) error {
	x := jsonOf(c)
	if j.Changes {
		ours, _ := c.File.Changes(c.File.Ours)
		theirs, _ := c.File.Changes(c.File.Theirs)
		x.Changes = &jsonSideChanges{jsonChanges(ours), jsonChanges(theirs)}
	}
	return terminal.NewEncoder(j.W).Encode(x)
}

func jsonOf(c *history.Case) jsonCase {
	j := jsonCase{
		Type: "file", Number: c.Number, Path: c.Path, Rules: c.File.RuleSet, Reason: c.Result.Reason,
		Git: jsonOutcomeOf(c.Git), Driver: jsonOutcomeOf(c.Driver), Generated: c.Generated,
		Decided: jsonConflicts(c, c.Result.Resolved), Conflicts: jsonConflicts(c, conflicts(c)),
	}
	if c.Driver.Failed == "" {
		j.How = methods[c.Result.Method]
	}
	if c.Merge != "" {
		at := c.Time.UTC()
		j.Merge, j.Time, j.Parents, j.Bases = c.Merge.String(), &at, hex(c.Parents[:]), hex(c.Bases)
	}
	if c.Review.Verdict != "" {
		j.Review = &jsonReview{Verdict: c.Review.Verdict}
		for _, f := range c.Review.Findings {
			j.Review.Findings = append(j.Review.Findings, jsonFinding{f.Path, f.Rule, f.Detail})
		}
	}
	return j
}

func hex(ids []git.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

func jsonOutcomeOf(o history.Outcome) jsonOutcome {
	return jsonOutcome{
		Clean: o.Clean(), Conflicts: o.Conflicts, Lines: o.Lines, Committed: o.Committed, Seconds: seconds(o.Time), Defect: o.Defect, Failed: o.Failed,
	}
}

func jsonConflicts(c *history.Case, all []merge.Conflict) []jsonConflict {
	out := []jsonConflict{}
	for _, x := range all {
		j := jsonConflictOf(x)
		if x.By == "" {
			j.Why = why(c, x)
		}
		out = append(out, j)
	}
	return out
}

func jsonConflictOf(x merge.Conflict) jsonConflict {
	return jsonConflict{x.Path, x.Kind, x.Line, "", x.By, x.Took, x.Wrote, jsonText(x.Base), jsonText(x.Ours), jsonText(x.Theirs)}
}

func jsonChanges(changes []merge.Change) []jsonChange {
	out := []jsonChange{}
	for _, c := range changes {
		out = append(out, jsonChange{c.Path, c.Kind, jsonText(c.From), jsonText(c.To), c.List})
	}
	return out
}

// jsonText is nil for a version that has nothing there.
func jsonText(v merge.Version) *jsonVersion {
	if v.Line == 0 && v.Text == "" {
		return nil
	}
	return &jsonVersion{v.Text, v.Line}
}

type jsonSummary struct {
	Type     string       `json:"type"`
	Partial  bool         `json:"interrupted,omitempty"`
	Seconds  float64      `json:"seconds"`
	PerSec   float64      `json:"files_per_second"`
	Commits  int          `json:"commits"`
	Merges   int          `json:"merges"`
	Octopus  int          `json:"octopus"`
	CutOff   int          `json:"cut_off"`
	Unread   int          `json:"unread"`
	Touched  int          `json:"touched"`
	Files    int          `json:"files"`
	Deleted  int          `json:"deleted"`
	Names    int          `json:"names"`
	Git      jsonTotal    `json:"git"`
	Driver   jsonTotal    `json:"driver"`
	Resolved jsonCompared `json:"resolved"`
	Review   jsonReviewed `json:"otherwise"`
	Left     int          `json:"left"`
	Defects  int          `json:"defects"`
	Mended   int          `json:"mended"`
	Worse    int          `json:"worse"`
	Changed  int          `json:"changed"`
}

type jsonTotal struct {
	Clean     jsonCompared `json:"clean"`
	Conflicts int          `json:"conflicts"`
	Places    int          `json:"places"`
	Lines     int          `json:"lines"`
	Generated jsonMade     `json:"generated"`
	Seconds   float64      `json:"seconds"`
}

type jsonMade struct {
	Files int `json:"files"`
	Lines int `json:"lines"`
}

type jsonCompared struct {
	Bytes     int `json:"bytes"`
	Data      int `json:"data"`
	Different int `json:"different"`
}

type jsonReviewed struct {
	Lacks   int `json:"lacks"`
	Adds    int `json:"adds"`
	Broken  int `json:"broken"`
	Gone    int `json:"gone"`
	Twice   int `json:"twice"`
	Fine    int `json:"fine"`
	Unknown int `json:"unknown"`
}

// Summary writes the last object.
func (j JSON) Summary(s history.Summary) error {
	total := func(t history.Total) jsonTotal {
		return jsonTotal{jsonCompared(t.Clean), t.Conflicts, t.Places, t.Lines, jsonMade(t.Generated), seconds(t.Time)}
	}
	return json.NewEncoder(j.W).Encode(jsonSummary{
		Type: "summary", Partial: s.Interrupted, Seconds: seconds(s.Time), PerSec: math.Round(10*s.PerSecond(s.Files)) / 10,
		Commits: s.Commits, Merges: s.Merges, Octopus: s.Octopus, CutOff: s.CutOff, Unread: s.Unread,
		Touched: s.Touched, Files: s.Files, Deleted: s.Deleted, Names: s.Names, Git: total(s.Git), Driver: total(s.Driver),
		Resolved: jsonCompared(s.Resolved), Review: jsonReviewed(s.Otherwise), Left: s.Left,
		Defects: s.Defects, Mended: s.Mended, Worse: s.Worse, Changed: s.Changed,
	})
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// Finding writes an object of what a check found in a file; commit is "" of files by hand.
func (j JSON) Finding(commit git.ID, file string, f merge.Finding) error {
	return terminal.NewEncoder(j.W).Encode(struct {
		Type   string `json:"type"`
		Commit string `json:"commit,omitempty"`
		File   string `json:"file"`
		Path   string `json:"path"`
		Rule   string `json:"rule"`
		Detail string `json:"detail"`
	}{"finding", commit.String(), file, f.Path, f.Rule, f.Detail})
}

// Without writes an object of a file that was merged without the driver.
func (j JSON) Without(commit git.ID, path string) error {
	return terminal.NewEncoder(j.W).Encode(struct {
		Type   string `json:"type"`
		Commit string `json:"commit"`
		Path   string `json:"path"`
	}{"without", commit.String(), path})
}

type jsonBranch struct {
	Type   string        `json:"type"`
	Name   string        `json:"name"`
	With   string        `json:"with,omitempty"`
	Commit string        `json:"commit"`
	State  history.State `json:"state"`
	Why    string        `json:"why,omitempty"`
	Names  []jsonName    `json:"names,omitempty"`
	Files  []jsonCase    `json:"files,omitempty"`
}

type jsonName struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Why  string `json:"why"`
}

// Preview writes an object per branch, then one per pair that is in conflict.
func (j JSON) Preview(p *history.Preview) error {
	e := terminal.NewEncoder(j.W)
	for _, all := range [][]*history.Branch{p.Branches, p.Pairs} {
		for _, b := range all {
			if err := e.Encode(jsonBranchOf(b)); err != nil {
				return err
			}
		}
	}
	return nil
}

func jsonBranchOf(b *history.Branch) jsonBranch {
	j := jsonBranch{Type: "branch", Name: b.Name, With: b.With, Commit: b.Commit.String(), State: b.State, Why: b.Why}
	if b.With != "" {
		j.Type = "pair"
	}
	for _, n := range b.Names {
		j.Names = append(j.Names, jsonName{n.Path, n.Kind, nameConflict(n)})
	}
	for _, c := range b.Cases {
		if b.State == history.Conflict && !c.Driver.Clean() {
			x := jsonOf(c)
			x.Merge, x.Time, x.Parents, x.Bases = "", nil, nil, nil
			j.Files = append(j.Files, x)
		}
	}
	return j
}
