package explain

import (
	"io"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// jsonExplanation is what docs/explain.schema.json says.
type jsonExplanation struct {
	Path      string         `json:"path"`
	How       string         `json:"how"`
	Rules     string         `json:"rules,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Lines     int            `json:"line_conflicts"`
	Ours      []jsonChange   `json:"ours"`
	Theirs    []jsonChange   `json:"theirs"`
	Decided   []jsonQuestion `json:"decided"`
	Conflicts []jsonQuestion `json:"conflicts"`
	Findings  []jsonFinding  `json:"findings,omitempty"`
}

type jsonFinding struct {
	Path   string `json:"path"`
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

type jsonChange struct {
	Path string           `json:"path"`
	Kind merge.ChangeKind `json:"kind"`
	From *jsonVersion     `json:"from,omitempty"`
	To   *jsonVersion     `json:"to,omitempty"`
	List string           `json:"list,omitempty"`
}

type jsonQuestion struct {
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

type jsonVersion struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

var methodNames = map[merge.Method]string{merge.Trivial: "trivial", merge.ByLine: "line", merge.Structural: "field",
	merge.Delegated: "delegated"}

// WriteJSON writes the account as docs/explain.schema.json says.
func (e *Explanation) WriteJSON(w io.Writer) error {
	var findings []jsonFinding
	for _, x := range e.twice {
		findings = append(findings, jsonFinding{x.Path, x.Rule, x.Detail})
	}
	return terminal.NewEncoder(w).Encode(jsonExplanation{
		Path: e.Path, How: methodNames[e.result.Method], Rules: e.RuleSet, Reason: e.result.Reason, Lines: e.result.LineConflicts,
		Ours: jsonChanges(e.sides[0].changes), Theirs: jsonChanges(e.sides[1].changes),
		Decided: e.questions(e.result.Resolved), Conflicts: e.questions(e.result.Conflicts), Findings: findings,
	})
}

func jsonChanges(changes []merge.Change) []jsonChange {
	out := []jsonChange{}
	for _, c := range changes {
		out = append(out, jsonChange{c.Path, c.Kind, jsonText(c.From), jsonText(c.To), c.List})
	}
	return out
}

func (e *Explanation) questions(conflicts []merge.Conflict) []jsonQuestion {
	out := []jsonQuestion{}
	for _, c := range conflicts {
		q := jsonQuestion{c.Path, c.Kind, c.Line, "", c.By, c.Took, c.Wrote, jsonText(c.Base), jsonText(c.Ours), jsonText(c.Theirs)}
		if c.By == "" {
			q.Why = e.why(c)
		}
		out = append(out, q)
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
