package main

import (
	"encoding/json"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// A request is the input of the page.
type request struct {
	Base, Ours, Theirs string
	Path               string // path of the file, which selects rules
	Rules              string // content of .git-merge-yaml.yaml
	Style              string // conflict style: merge or diff3
}

// A response is the output of the page.
type response struct {
	Error     string     `json:"error,omitempty"` // why there is no result, with the place in the input
	Merged    string     `json:"merged"`
	How       string     `json:"how"`
	Notes     []string   `json:"notes"`
	Conflicts []conflict `json:"conflicts"`
	Decided   []conflict `json:"decided"` // by the rules
	Git       lineMerge  `json:"git"`
}

// A lineMerge is the result of git without the driver.
type lineMerge struct {
	Merged    string `json:"merged"`
	Conflicts int    `json:"conflicts"`
}

// A conflict is a conflict in the result, or one that a rule decided.
type conflict struct {
	Line int    `json:"line"` // line in the result, from 1; 0 if a rule decided it
	Path string `json:"path"`
	Why  string `json:"why"`
}

// mergeJSON merges the versions of a request in JSON and returns the response in JSON. If the request or its
// rules cannot be parsed, or the merge fails, only the field error of the response is set.
func mergeJSON(data []byte) []byte {
	var req request
	resp, err := response{}, json.Unmarshal(data, &req)
	if err == nil {
		resp, err = req.merge()
	}
	if err != nil {
		resp = response{Error: err.Error()}
	}
	out, err := json.Marshal(resp)
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return out
}

// merge merges the versions of req by field with the rules of req and, for comparison, by lines like git. It
// returns an error if the rules are not valid or a merge fails.
func (req request) merge() (resp response, err error) {
	base, ours, theirs := []byte(req.Base), []byte(req.Ours), []byte(req.Theirs)
	markers := linemerge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	if req.Style == "diff3" {
		markers.Style = linemerge.StyleDiff3
	}
	opts := merge.Options{Path: req.Path, Own: merge.SideOurs}
	if opts.Rules, err = merge.ParseRules(".git-merge-yaml.yaml", []byte(req.Rules), ""); err != nil {
		return resp, err
	}
	if err := opts.Rules.Mistakes(); err != nil {
		return resp, err
	}
	res, err := merge.Merge(base, ours, theirs, opts)
	if err != nil {
		return resp, err
	}
	resp = response{Merged: string(res.Bytes), How: string(res.Method), Notes: []string{}, Conflicts: []conflict{}, Decided: []conflict{}}
	for _, c := range res.Conflicts {
		resp.Conflicts = append(resp.Conflicts, conflict{c.Line, c.Path, c.Why()})
	}
	for _, c := range res.Resolved {
		resp.Decided = append(resp.Decided, conflict{Path: c.Path, Why: describeDecision(c)})
	}
	switch {
	case res.Reason == "":
	case res.Method == merge.MethodField:
		resp.Notes = append(resp.Notes, "git's line merge would be wrong: "+res.Reason)
	default:
		resp.Notes = append(resp.Notes, res.Reason)
	}
	if res.Refused != "" {
		resp.Notes = append(resp.Notes, res.Refused)
	}
	for _, f := range res.Followed {
		resp.Notes = append(resp.Notes, fmt.Sprintf("%s is called %s on the other side, and was merged with it", f.From, f.To))
	}
	for _, c := range res.Combined {
		resp.Notes = append(resp.Notes, fmt.Sprintf("%s: %s is in neither side, each changed a part of it", c.Path, c.Value))
	}
	git, err := linemerge.Merge(base, ours, theirs, linemerge.Options{Markers: markers})
	resp.Git = lineMerge{string(git.Bytes), git.Conflicts}
	return resp, err
}

// describeDecision returns how a rule decided a conflict: "took ours by policy highest", or "wrote" with a new
// value.
func describeDecision(c merge.Conflict) string {
	if c.Wrote != "" {
		return "wrote " + c.Wrote + " by " + c.By.String()
	}
	return "took " + string(c.Took) + " by " + c.By.String()
}
