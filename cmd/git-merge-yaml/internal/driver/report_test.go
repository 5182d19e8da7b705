package driver

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func TestMessages(t *testing.T) {
	at := func(line int, path string) []merge.Conflict { return []merge.Conflict{{Line: line, Path: path}} }
	for _, c := range []struct {
		name          string
		res           merge.Result
		want          string // the messages, joined by |
		cannotExplain bool
	}{
		{"equal", merge.Result{Method: merge.MethodTrivial, LineConflicts: -1}, "", false},
		{"by line", merge.Result{Method: merge.MethodLine}, "", false},
		{"better than a wrong line merge", merge.Result{Method: merge.MethodField}, "", false},
		{"resolved", merge.Result{Method: merge.MethodField, LineConflicts: 2}, "f: merged by field: resolved 2 conflicts of git's line merge (git merge-yaml explain)", false},
		{"resolved, and explain is not possible", merge.Result{Method: merge.MethodField, LineConflicts: 2}, "f: merged by field: resolved 2 conflicts of git's line merge", true},
		{"conflict", merge.Result{Method: merge.MethodField, LineConflicts: 1, Conflicts: at(4, "a.b[name=c]")}, "f:4: conflict: a.b[name=c]", false},
		{"whole document", merge.Result{Method: merge.MethodField, Conflicts: at(4, "")}, "f:4: conflict", false},
		{"no line", merge.Result{Method: merge.MethodField, Conflicts: at(0, "a")}, "f: conflict: a", false},
		{"a wrong line merge, and a conflict", merge.Result{Method: merge.MethodField, Reason: "a: doubled", Conflicts: at(1, "a")}, "f: git's line merge would be wrong (a: doubled); the merge by field leaves 1 conflict|f:1: conflict: a", false},
		{"refused", merge.Result{Method: merge.MethodField, LineConflicts: 1, Refused: "a cannot be merged cleanly: b", Conflicts: []merge.Conflict{{Line: 1, Path: "a", Kind: merge.ConflictRefused}}}, "f: a cannot be merged cleanly: b|f:1: conflict: a", false},
		{"deleted", merge.Result{Method: merge.MethodField, LineConflicts: 1, Conflicts: []merge.Conflict{{Line: 1, Path: "a", Kind: merge.ConflictDeleteModify, Theirs: merge.Version{Text: "a: 1"}}}}, "f:1: conflict: a: deleted by us, modified by them", false},
		{"git's clean merge refused", merge.Result{Method: merge.MethodField, Reason: "a: doubled"}, "f: git's line merge would be wrong (a: doubled); merged by field", false},
		{"delegated", merge.Result{Method: merge.MethodDelegated, Reason: "no YAML", LineConflicts: 1, Conflicts: at(1, "")}, "f: merged by lines: no YAML|f:1: conflict", false},
	} {
		if got := strings.Join(mergeMessages("f", c.res, !c.cannotExplain, ""), "|"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOverrideMessages(t *testing.T) {
	kustomize := merge.Decision{Rules: "rules kustomize"}
	res := merge.Result{Method: merge.MethodField, Resolved: []merge.Conflict{
		{Path: "a", Took: "theirs", By: kustomize, Ours: merge.Version{Line: 3}},
		{Path: "A/a", Took: "ours", By: kustomize, Theirs: merge.Version{Line: 5}},
		{Took: "theirs", By: kustomize},
	}}
	want := "f: a: took theirs, discarded ours at line 3 (rules kustomize)" +
		"|f: A/a: took ours, discarded theirs at line 5 (rules kustomize)" +
		"|f: took theirs, discarded ours (rules kustomize)"
	if got := strings.Join(mergeMessages("f", res, true, ""), "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestPolicyMessages(t *testing.T) {
	res := merge.Result{Method: merge.MethodField, Resolved: []merge.Conflict{
		{Path: "a", Took: "theirs", By: merge.Decision{Policy: "highest", Source: "r.yaml:2"}},
		{Path: "b", By: merge.Decision{Policy: "union", Source: "r.yaml:3"}},
		{Path: "c", Took: "ours", By: merge.Decision{Take: merge.TakeOurs}},
	}}
	want := "f: a: took theirs' value by policy highest (r.yaml:2)|f: b: kept both sides' values by policy union (r.yaml:3)"
	if got := strings.Join(mergeMessages("f", res, true, ""), "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
