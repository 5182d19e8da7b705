package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func encrypted(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }

// Messages are what is to be said of the merge of the file at path: what is left
// to do, what git would not have done, and why YAML was not merged as YAML. A merge
// of git can be explained; one by hand, of any three files, cannot.
func Messages(path string, res merge.Result, ofGit bool) []string {
	var lines []string
	switch {
	case res.Reason != "" && res.Method == merge.Delegated:
		lines = append(lines, path+": merged by lines: "+session.WhyByLines(res.Reason))
	case res.Reason != "" && res.LineConflicts == 0 && !slices.ContainsFunc(res.Conflicts, encrypted):
		lines = append(lines, fmt.Sprintf("%s: git's line merge would be wrong (%s); merged by field", path, res.Reason))
	case res.Reason != "":
		lines = append(lines, path+": "+res.Reason)
	case res.Clean() && res.Method == merge.Structural && res.LineConflicts > 0:
		line := fmt.Sprintf("%s: merged by field: resolved %s of git's line merge", path, terminal.Count(res.LineConflicts, "conflict"))
		if ofGit {
			line += " (git merge-yaml explain)"
		}
		lines = append(lines, line)
	}
	if res.Refused != "" {
		lines = append(lines, path+": "+res.Refused)
	}
	for _, f := range res.Followed {
		lines = append(lines, fmt.Sprintf("%s: followed %s to %s", path, f.From, f.To))
	}
	for _, c := range res.Resolved {
		if strings.HasPrefix(c.By, "policy ") { // --ours and the like are quiet, as git's
			lines = append(lines, policyMessage(path, c))
		}
		if strings.HasPrefix(c.By, "rules ") {
			lines = append(lines, overrideMessage(path, c))
		}
	}
	for _, c := range res.Conflicts {
		lines = append(lines, conflictMessage(path, c))
	}
	return lines
}

// conflictMessage is `path:line: conflict: field (why)`, without what is unknown, or was
// said before, or goes without saying.
func conflictMessage(path string, c merge.Conflict) string {
	var b strings.Builder
	b.WriteString(path)
	if c.Line > 0 {
		fmt.Fprintf(&b, ":%d", c.Line)
	}
	b.WriteString(": conflict")
	if c.Path != "" {
		b.WriteString(": " + c.Path)
	}
	why := c.Why()
	switch c.Kind {
	case "", merge.ConflictValue, merge.ConflictLine, merge.ConflictRefused, merge.ConflictEncrypted:
		why = c.Deletion()
	}
	if why != "" {
		b.WriteString(" (" + why + ")")
	}
	return b.String()
}

// policyMessage says what the team's rules decided.
func policyMessage(path string, c merge.Conflict) string {
	took := "kept both sides' values"
	switch {
	case c.Took != "":
		took = "took " + c.Took + "' value"
	case c.Wrote != "" && c.Kind == merge.ConflictValue && c.Ours == c.Theirs:
		took = "both sides bumped it to the same version: wrote " + c.Wrote
	case c.Wrote != "":
		took = "wrote " + c.Wrote
	}
	return fmt.Sprintf("%s: %s by %s", place(path, c), took, c.By)
}

// AdviceMessage says what a preset that nobody adopted would decide, and how to adopt it.
func AdviceMessage(path string, a session.Advice) string {
	would := "keep both sides' values"
	switch {
	case a.Took != "":
		would = "take " + a.Took + "' value"
	case a.Wrote != "":
		would = "write " + a.Wrote
	}
	more := ""
	if a.More > 0 {
		more = fmt.Sprintf(" and decide %d more", a.More)
	}
	return fmt.Sprintf("%s: the policy %s (extends %s) would %s here%s: git merge-yaml rules add %s",
		place(path, a.Conflict), a.Policy, a.Preset, would, more, a.Preset)
}

// overrideMessage says which change did not stand, and where it is.
func overrideMessage(path string, c merge.Conflict) string {
	lost, side := c.Ours, "ours"
	if c.Took == "ours" {
		lost, side = c.Theirs, "theirs"
	}
	at := ""
	if lost.Line > 0 {
		at = fmt.Sprintf(" at its line %d", lost.Line)
	}
	return fmt.Sprintf("%s: took %s, dropped what %s changed%s (%s)", place(path, c), c.Took, side, at, c.By)
}

// place is `path: field`, or the path alone for a whole document.
func place(path string, c merge.Conflict) string {
	if c.Path == "" {
		return path
	}
	return path + ": " + c.Path
}

// PathOrDocument is a path for people: that of a whole document is "".
func PathOrDocument(path string) string {
	if path == "" {
		return "(the whole document)"
	}
	return path
}
