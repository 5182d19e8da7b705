package driver

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TraceKey is the name of an environment variable that switches the log of merges on. Its value is 1 or true to write
// the lines of TraceLine to stderr, or the absolute path of a file to which they are appended. The lines are those of
// TraceJSON if the name of the file ends in .jsonl.
const TraceKey = "GIT_MERGE_YAML_TRACE"

// A traceEntry is a line of TraceJSON. The schema is docs/trace.schema.json.
type traceEntry struct {
	Time         string          `json:"time"`
	Milliseconds float64         `json:"milliseconds"`
	Operation    string          `json:"operation"`
	Path         string          `json:"path"`
	Outcome      string          `json:"outcome"` // clean, conflict or failed
	Method       string          `json:"method,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	Ancestors    bool            `json:"ancestors,omitempty"`
	GitConflicts *int            `json:"git_conflicts,omitempty"` // nil if the line merge was not computed
	RuleSet      string          `json:"rule_set,omitempty"`
	Rules        string          `json:"rules,omitempty"`
	Conflicts    []traceDecision `json:"conflicts"`
	Decisions    []traceDecision `json:"decisions"`
}

// A traceDecision is a conflict that is left, or that a rule decided.
type traceDecision struct {
	Path string `json:"path"`
	Text string `json:"text"` // the reason of the conflict, or the decision
}

// TraceJSON returns one object of JSON for the log about a merge, a traceEntry, without a line break. The arguments and
// the information are those of TraceLine, with the operation of git, and without the guesses about renames and orders.
// Of the content of the file, it has names of fields, values of keys in paths, versions in decisions, and words of an
// error.
func (m *Merger) TraceJSON(name string, res merge.Result, err error, lineMergeOnly bool, end time.Time, took time.Duration) string {
	e := traceEntry{
		Time: end.UTC().Format(timeFormat), Milliseconds: float64(took.Microseconds()) / 1000, Operation: m.situation().Operation.String(),
		Path: name, Outcome: "clean", Ancestors: m.MergesAncestors(), RuleSet: m.RuleSet, Conflicts: []traceDecision{}, Decisions: []traceDecision{},
	}
	switch {
	case err != nil:
		e.Outcome, e.Reason = "failed", err.Error()
	default:
		e.Method = map[merge.Method]string{merge.MethodTrivial: "side", merge.MethodLine: "line merge", merge.MethodField: "fields", merge.MethodDelegated: "lines"}[res.Method]
		if e.Reason = res.Reason; lineMergeOnly {
			e.Method, e.Reason = "lines", "disabled by GIT_MERGE_YAML"
		}
		if !res.Clean() {
			e.Outcome = "conflict"
		}
		if res.Method != merge.MethodLine && !lineMergeOnly && res.LineConflicts >= 0 {
			e.GitConflicts = &res.LineConflicts
		}
		if rules, err := m.Rules(); err == nil && rules != nil && !lineMergeOnly {
			e.Rules = m.RulesFile()
		}
		for _, c := range res.Conflicts {
			e.Conflicts = append(e.Conflicts, traceDecision{PathOrDocument(c.Path), c.Why()})
		}
		for _, c := range res.Resolved {
			e.Decisions = append(e.Decisions, traceDecision{PathOrDocument(c.Path), m.describeDecision(c)})
		}
	}
	text, encodeErr := terminal.EncodeJSON(e)
	if encodeErr != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

// describeDecision returns a clause about a conflict that a rule or an option decided.
func (m *Merger) describeDecision(c merge.Conflict) string {
	if c.By.Policy != "" || c.By.Rules != "" {
		return DecisionMessage(c)
	}
	return "resolved with " + m.Resolve
}

// timeFormat is the format of times in the log.
const timeFormat = "2006-01-02T15:04:05.000Z"

// TraceLine returns one line for the log about a merge, without a line break; unprintable characters are escaped. end
// is when the merge of the file called name ended, and took how long it took. res and err are the results of Run, and
// lineMergeOnly is its argument.
//
//	2026-01-31T09:00:00.120Z 3.4ms web.yaml: merged by field, clean; git's line merge: 2 conflicts; rules: .git-merge-yaml.yaml; image: took ours' value by policy highest (.git-merge-yaml.yaml:7)
func (m *Merger) TraceLine(name string, res merge.Result, err error, lineMergeOnly bool, end time.Time, took time.Duration) string {
	line := fmt.Sprintf("%s %.1fms %s: ", end.UTC().Format(timeFormat), float64(took.Microseconds())/1000, name)
	if err != nil {
		return terminal.EscapeLine(line + "failed: " + err.Error())
	}
	way := map[merge.Method]string{
		merge.MethodTrivial: "took the side that has all changes", merge.MethodLine: "git's line merge", merge.MethodField: "merged by field", merge.MethodDelegated: "merged by lines",
	}[res.Method]
	if lineMergeOnly {
		way = "disabled by GIT_MERGE_YAML, merged by lines"
	}
	if m.MergesAncestors() {
		way = "merge of common ancestors: " + way
	}
	parts := []string{way + ", clean"}
	if !res.Clean() {
		parts[0] = way + ", " + terminal.CountNoun(len(res.Conflicts), "conflict")
	}
	if res.Reason != "" {
		parts[0] += " (" + res.Reason + ")"
	}
	if res.Method != merge.MethodLine && !lineMergeOnly && res.LineConflicts >= 0 {
		parts = append(parts, "git's line merge: "+terminal.CountNoun(res.LineConflicts, "conflict"))
	}
	if lineMergeOnly {
		return terminal.EscapeLine(line + strings.Join(parts, "; "))
	}
	if m.RuleSet != "" {
		parts = append(parts, "rule set "+m.RuleSet)
	}
	if rules, err := m.Rules(); err == nil && rules != nil {
		parts = append(parts, "rules: "+m.RulesFile())
	}
	for _, f := range res.Followed {
		parts = append(parts, "followed the rename or move of "+f.From+" to "+f.To)
	}
	for _, g := range res.GuessedOrders {
		parts = append(parts, g.String())
	}
	for _, c := range res.Resolved {
		parts = append(parts, PathOrDocument(c.Path)+": "+m.describeDecision(c))
	}
	for _, c := range res.Conflicts {
		parts = append(parts, PathOrDocument(c.Path)+": conflict: "+c.Why())
	}
	return terminal.EscapeLine(line + strings.Join(parts, "; "))
}
