package replay

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A JSON writes one object per line, as docs/replay.schema.json says.
type JSON struct{ W io.Writer }

type jsonCase struct {
	Type    string      `json:"type"`
	Number  int         `json:"number"`
	Merge   string      `json:"merge"`
	Time    time.Time   `json:"time"`
	Parents []string    `json:"parents"`
	Bases   []string    `json:"bases"`
	Path    string      `json:"path"`
	From    string      `json:"from,omitempty"`
	Kind    string      `json:"kind"`
	Git     jsonOutcome `json:"git"`
	Driver  jsonOutcome `json:"driver"`
	Review  *jsonReview `json:"review,omitempty"`
	// Generated says what makes a file that is in conflict.
	Generated string `json:"generated,omitempty"`
}

type jsonReview struct {
	Verdict  Verdict       `json:"verdict"`
	Findings []jsonFinding `json:"findings,omitempty"`
}

type jsonFinding struct {
	Path   string `json:"path,omitempty"`
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

type jsonOutcome struct {
	Clean     bool           `json:"clean"`
	Conflicts int            `json:"conflicts"`
	Lines     int            `json:"lines"`
	Committed Equality       `json:"committed,omitempty"`
	Seconds   float64        `json:"seconds"`
	Defect    string         `json:"defect,omitempty"`
	How       string         `json:"how,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Failed    string         `json:"failed,omitempty"`
	Fields    []jsonConflict `json:"fields,omitempty"`
	Decided   []jsonDecision `json:"decided,omitempty"`
}

type jsonConflict struct {
	Path string             `json:"path,omitempty"`
	Kind merge.ConflictKind `json:"kind"`
	Line int                `json:"line"`
	Why  string             `json:"why"`
}

type jsonDecision struct {
	Path  string `json:"path,omitempty"`
	By    string `json:"by"`
	Took  string `json:"took,omitempty"`
	Wrote string `json:"wrote,omitempty"`
}

// methods are the names of merge.Method.
var methods = [...]string{merge.Trivial: "trivial", merge.ByLine: "line", merge.Structural: "field",
	merge.Delegated: "delegated"}

// Case writes the object of c.
func (j JSON) Case(c *Case) error { return json.NewEncoder(j.W).Encode(c.json()) }

func (c *Case) json() jsonCase {
	j := jsonCase{
		Type: "file", Number: c.Number, Merge: c.Merge.String(), Time: c.Time.UTC(), Parents: hex(c.Parents[:]), Bases: hex(c.Bases),
		Path: c.Path, From: c.From, Kind: c.Kind, Git: c.Git.json(), Driver: c.Driver.json(), Generated: c.Generated,
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

func (o Outcome) json() jsonOutcome {
	j := jsonOutcome{
		Clean: o.Clean(), Conflicts: o.Conflicts, Lines: o.Lines, Committed: o.Committed, Seconds: seconds(o.Time),
		Defect: o.Defect, How: methods[o.How], Reason: o.Reason, Failed: o.Failed,
	}
	for _, c := range o.Fields {
		j.Fields = append(j.Fields, jsonConflict{c.Path, c.Kind, c.Line, c.Why()})
	}
	for _, d := range o.Decided {
		j.Decided = append(j.Decided, jsonDecision{d.Path, d.By, d.Took, d.Wrote})
	}
	return j
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
func (j JSON) Summary(s Summary) error {
	return json.NewEncoder(j.W).Encode(jsonSummary{
		Type: "summary", Partial: s.Interrupted, Seconds: seconds(s.Time), PerSec: math.Round(10*s.PerSecond(s.Files)) / 10,
		Commits: s.Commits, Merges: s.Merges, Octopus: s.Octopus, CutOff: s.CutOff, Unread: s.Unread,
		Touched: s.Touched, Files: s.Files, Deleted: s.Deleted, Names: s.Names, Git: s.Git.json(), Driver: s.Driver.json(),
		Resolved: jsonCompared(s.Resolved), Review: jsonReviewed(s.Otherwise), Left: s.Left,
		Defects: s.Defects, Mended: s.Mended, Worse: s.Worse, Changed: s.Changed,
	})
}

func (t Total) json() jsonTotal {
	return jsonTotal{jsonCompared(t.Clean), t.Conflicts, t.Places, t.Lines, jsonMade(t.Generated), seconds(t.Time)}
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }
