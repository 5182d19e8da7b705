package driver

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TraceKey is the name of an environment variable that switches the log of merges on. Its value is 1 or true to write
// the lines of TraceLine to stderr, or the absolute path of a file to which they are appended.
const TraceKey = "GIT_MERGE_YAML_TRACE"

// TraceLine returns one line for the log about a merge, without a line break. Unprintable characters are escaped. res
// and err are the results of Run, lineMergeOnly is the argument of Run. The line has these parts, of which the later
// ones are left out if there is nothing to log:
//
//   - when the merge ended (end), how long it took, and the file (name)
//   - how it was merged, and the number of conflicts or "clean". If err is not nil, "failed: " and the error follow
//     instead, and the line ends there
//   - the number of conflicts of git's line merge, if it ran. If lineMergeOnly is set, the line ends before
//   - the rule set, and the team's rules file
//   - renames that were followed, and lists whose order was guessed
//   - the conflicts that rules decided, and those that are left
//
// An example:
//
//	2026-01-31T09:00:00.120Z 3.4ms web.yaml: merged by field, clean; git's line merge: 2 conflicts; rules: .git-merge-yaml.yaml; image: took ours' value by policy highest (.git-merge-yaml.yaml:7)
func (m *Merger) TraceLine(name string, res merge.Result, err error, lineMergeOnly bool, end time.Time, took time.Duration) string {
	line := fmt.Sprintf("%s %.1fms %s: ", end.UTC().Format("2006-01-02T15:04:05.000Z"), float64(took.Microseconds())/1000, name)
	if err != nil {
		return terminal.EscapeLine(line + "failed: " + err.Error())
	}
	way := map[merge.Method]string{
		merge.Trivial: "took the side that has all changes", merge.ByLine: "git's line merge", merge.Structural: "merged by field", merge.Delegated: "merged by lines",
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
	if res.Method != merge.ByLine && !lineMergeOnly && res.LineConflicts >= 0 {
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
		parts = append(parts, GuessedOrderMessage(g))
	}
	for _, c := range res.Resolved {
		decision := "resolved with " + m.Resolve
		if c.By.Policy != "" || c.By.Rules != "" {
			decision = DecisionMessage(c)
		}
		parts = append(parts, PathOrDocument(c.Path)+": "+decision)
	}
	for _, c := range res.Conflicts {
		parts = append(parts, PathOrDocument(c.Path)+": conflict: "+c.Why())
	}
	return terminal.EscapeLine(line + strings.Join(parts, "; "))
}
