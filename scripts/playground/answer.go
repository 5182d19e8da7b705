package main

import (
	"encoding/json"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A question is what stands in the page.
type question struct {
	Base, Ours, Theirs string
	Path               string // of the file, which selects rules
	Rules              string // as in .git-merge-yaml.yaml
	Style              string // of the markers: merge or diff3
}

// An answer is what the page shows.
type answer struct {
	Error     string     `json:"error,omitempty"` // why there is none, with its place
	Merged    string     `json:"merged"`
	How       string     `json:"how"`
	Notes     []string   `json:"notes"`
	Conflicts []conflict `json:"conflicts"`
	Decided   []conflict `json:"decided"` // by the rules
	Git       lines      `json:"git"`
}

// lines is git's own merge.
type lines struct {
	Merged    string `json:"merged"`
	Conflicts int    `json:"conflicts"`
}

// A conflict is one question to people.
type conflict struct {
	Line int    `json:"line"` // in the result, from 1; 0 where it is decided
	Path string `json:"path"`
	Why  string `json:"why"`
}

// respond answers a question in JSON, in JSON.
func respond(data []byte) []byte {
	var q question
	a, err := answer{}, json.Unmarshal(data, &q)
	if err == nil {
		a, err = q.answer()
	}
	if err != nil {
		a = answer{Error: err.Error()}
	}
	out, err := json.Marshal(a)
	if err != nil { // of strings there is none
		panic(err)
	}
	return out
}

// answer merges what q has.
func (q question) answer() (a answer, err error) {
	base, ours, theirs := []byte(q.Base), []byte(q.Ours), []byte(q.Theirs)
	markers := merge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	if q.Style == "diff3" {
		markers.Style = merge.StyleDiff3
	}
	opts := merge.Options{Path: q.Path, Markers: func() merge.Markers { return markers }, Own: func() merge.Own { return merge.OwnOurs }}
	if opts.Rules, err = merge.ParseRules(".git-merge-yaml.yaml", []byte(q.Rules), ""); err != nil {
		return a, err
	}
	res, err := merge.Merge(base, ours, theirs, opts)
	if err != nil {
		return a, err
	}
	a = answer{Merged: string(res.Bytes), How: res.Method.String(), Notes: []string{}, Conflicts: []conflict{}, Decided: []conflict{}}
	for _, c := range res.Conflicts {
		a.Conflicts = append(a.Conflicts, conflict{c.Line, c.Path, c.Why()})
	}
	for _, c := range res.Resolved {
		a.Decided = append(a.Decided, conflict{Path: c.Path, Why: decided(c)})
	}
	switch {
	case res.Reason == "":
	case res.Method == merge.Structural:
		a.Notes = append(a.Notes, "git's line merge would be wrong: "+res.Reason)
	default:
		a.Notes = append(a.Notes, res.Reason)
	}
	if res.Refused != "" {
		a.Notes = append(a.Notes, res.Refused)
	}
	for _, f := range res.Followed {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is called %s on the other side, and was merged with it", f.From, f.To))
	}
	for _, c := range res.Combined {
		a.Notes = append(a.Notes, fmt.Sprintf("%s: %s is in neither side, each changed a part of it", c.Path, c.Value))
	}
	b, n, err := merge.MergeLines(base, ours, theirs, markers)
	a.Git = lines{string(b), n}
	return a, err
}

// decided says what a rule made of a conflict.
func decided(c merge.Conflict) string {
	if c.Wrote != "" {
		return "wrote " + c.Wrote + " by " + c.By.String()
	}
	return "took " + c.Took + " by " + c.By.String()
}
