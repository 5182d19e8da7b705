package learn

import (
	"io"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

type jsonRule struct {
	Type     string         `json:"type"`
	Number   int            `json:"number"`
	Field    string         `json:"field"`
	Kind     string         `json:"kind,omitempty"`
	Files    string         `json:"files,omitempty"`
	Policy   string         `json:"policy"`
	All      jsonScore      `json:"all"`
	Learned  jsonScore      `json:"learned"`
	Tried    jsonScore      `json:"tried"`
	First    time.Time      `json:"first"`
	Last     time.Time      `json:"last"`
	Taken    map[string]int `json:"taken"`
	Own      int            `json:"own"`
	Upstream int            `json:"upstream"`
	Examples []jsonExample  `json:"examples"`
	// Repositories have its score in each, where there are several.
	Repositories map[string]jsonScore `json:"repositories,omitempty"`
}

type jsonScore struct {
	Right int `json:"right"`
	Wrong int `json:"otherwise"`
	Left  int `json:"left"`
}

type jsonExample struct {
	Merge string    `json:"merge"`
	Time  time.Time `json:"time"`
	Path  string    `json:"path"`
	Right bool      `json:"right"`
}

type jsonSummary struct {
	Type    string `json:"type"`
	Commits int    `json:"commits"`
	Merges  int    `json:"merges"`
	Files   int    `json:"files"`
	Unread  int    `json:"unread"`
	Large   int    `json:"large"`
	// Generated are those of Files that programs make.
	Generated int            `json:"generated"`
	Fields    int            `json:"fields"`
	Taken     map[string]int `json:"taken"`
	Rules     int            `json:"rules"`
}

// WriteJSON writes an object a rule, and one at the end, as docs/learn.md says.
func (l *Learner) WriteJSON(w io.Writer, rules []*Rule) error {
	e := terminal.NewEncoder(w)
	for _, r := range rules {
		if err := e.Encode(r.json()); err != nil {
			return err
		}
	}
	return e.Encode(jsonSummary{"summary", l.Read.Commits, l.Read.Merges, l.Read.Files, l.Read.Unread, l.Read.Large, l.Read.Generated,
		len(l.decisions), l.Taken(), len(rules)})
}

func (r *Rule) json() jsonRule {
	j := jsonRule{
		Type: "rule", Number: r.Number, Field: r.Place.Field, Kind: r.Place.Kind, Files: r.Place.Files, Policy: r.Answer(),
		All: jsonScore(r.All), Learned: jsonScore(r.Learned), Tried: jsonScore(r.Tried),
		First: r.First, Last: r.Last, Taken: r.Taken, Own: r.Own, Upstream: r.Upstream,
	}
	for name, s := range r.Of {
		if j.Repositories == nil {
			j.Repositories = map[string]jsonScore{}
		}
		j.Repositories[name] = jsonScore(s)
	}
	for _, e := range r.Examples {
		j.Examples = append(j.Examples, jsonExample{e.Merge.String(), e.Time, e.Path, e.Right})
	}
	return j
}
