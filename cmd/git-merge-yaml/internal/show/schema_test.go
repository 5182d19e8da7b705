package show

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// mergeFiles returns the merge of three versions that are not in a repository.
func mergeFiles(t *testing.T, base, ours, theirs string) *history.Case {
	t.Helper()
	s := &session.Session{Library: merge.Merge}
	return history.MergeFile(s.NewFile("web.yaml", []byte(base), []byte(ours), []byte(theirs)))
}

// TestSchema checks that the JSON output is valid by the schema, and that the schema rejects unknown fields.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "..", "..", "docs", "merges.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	id := git.ID(make([]byte, 20))
	file := func(base, ours, theirs string) func(*JSON) error {
		e := history.Explanation{Cases: []*history.Case{mergeFiles(t, base, ours, theirs)}}
		return func(j *JSON) error { return j.WriteExplained(e) }
	}
	for _, c := range []struct {
		name, want string
		write      func(j *JSON) error
	}{
		{"a conflict", `"why":"both modified`, file("a: 1\n", "a: 2\n", "a: 3\n")},
		{"trivial", `"how":"trivial"`, file("a: 1\n", "a: 1\n", "a: 3\n")},
		{"by field", `"how":"field"`, file("a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n")},
		{"by lines", `"how":"delegated"`, file("a: 1\nb: {{ x\n", "a: 2\nb: {{ x\n", "a: 3\nb: {{ x\n")},
		{"a list", `"list":"items in order`, file("l: [a]\n", "l: [a, b]\n", "l: []\n")},
		{"a comment", `"comments":{"theirs":{"added":[{"text":"a: 1 # x","line":1}]}}`, file("a: 1\n", "a: 2\n", "a: 1 # x\n")},
		{"no base", `"kind":"added"`, file("", "a: 1\n", "b: 1\n")},
		{"in a merge commit", `"committed":"absent"`, func(j *JSON) error {
			return j.WriteCase(&history.Case{Number: 1, Merge: id, Parents: [2]git.ID{id, id}, Bases: []git.ID{id}, Path: "a",
				Git: history.Outcome{Committed: history.Absent, Defect: "x"}, Driver: history.Outcome{Failed: "binary"}, Review: history.Review{Verdict: history.VerdictDeleted}})
		}},
		{"a summary", `"type":"summary"`, func(j *JSON) error {
			return j.WriteSummary(history.Summary{Interrupted: true, Shallow: true, Verdicts: history.VerdictCounts{
				history.VerdictMissing: 1, history.VerdictAdded: 0, history.VerdictBroken: 0, history.VerdictDeleted: 0, history.VerdictSharedVersion: 0, history.VerdictOK: 0, history.VerdictUnknown: 0,
			}})
		}},
		{"a finding", `"rule":"lost"`, func(j *JSON) error {
			return j.WriteChecked(history.CheckResult{Merge: id, Path: "a.yaml", Findings: []merge.Finding{{Rule: "lost", Detail: "x"}}})
		}},
		{"a branch", `"type":"branch"`, func(j *JSON) error {
			b := &history.Branch{Name: "a", Commit: id, State: history.StateConflict, PathConflicts: []history.PathConflict{{Path: "x", Kind: history.ModifyDelete}},
				Cases: []*history.Case{mergeFiles(t, "a: 1\n", "a: 2\n", "a: 3\n")}}
			return j.WritePreview([]*history.Branch{b})
		}},
		{"a question", `"answers":["ours","text"]`, func(j *JSON) error {
			c := mergeFiles(t, "a: 1\n", "a: 2\n", "a: 3\n").Result.Conflicts[0]
			return j.WriteQuestion(Question{ID: "0123456789abcdef0123456789abcdef", File: "a.yaml", Conflict: Conflict{c, c.Why()}, Before: []string{"b: 1"},
				Answers: []merge.Take{merge.TakeOurs, merge.TakeText}, Unverified: "merged by lines"})
		}},
		{"a refused answer", `"why":"x"`, func(j *JSON) error { return j.WriteRefused("x", "", "", "x") }},
		{"without the driver", `"path":"a.yaml"`, func(j *JSON) error {
			return j.WriteChecked(history.CheckResult{Merge: id, Path: "a.yaml", WithoutDriver: true})
		}},
		{"a difference", `"how":"fields"`, func(j *JSON) error {
			return j.WriteDifference("a.yaml", mergeFiles(t, "a: 1\n", "", "a: 2\n").File)
		}},
		{"a difference of comments", `"how":"form","changes":[],"comments":{"removed":[{"text":"# x","line":1}],"added":[{"text":"# y","line":1}]}`, func(j *JSON) error {
			return j.WriteDifference("a.yaml", mergeFiles(t, "# x\na: 1\n", "", "# y\na: 1\n").File)
		}},
	} {
		var out bytes.Buffer
		if err := c.write(&JSON{W: &out}); err != nil {
			t.Fatal(err)
		}
		validate := func(text string) error {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			return schema.Validate(v)
		}
		if err := validate(out.String()); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %s: want %s; %v", c.name, out.String(), c.want, err)
		}
		if validate(strings.Replace(out.String(), `{"type":`, `{"more":1,"type":`, 1)) == nil {
			t.Errorf("%s: an unknown field is valid", c.name)
		}
	}
}
