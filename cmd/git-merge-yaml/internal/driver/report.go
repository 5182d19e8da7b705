package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Report is what is to be said of a merge of the file that people call name, but for what was said
// of another file of this merge: of files that a program makes, of a mistake in the team's rules, and
// of rules which nobody adopted and that would decide.
func (m *Merger) Report(name string, res merge.Result) (lines []string) {
	rule, generated := m.File().Rule()
	if generated && session.IsLeft(res) && m.isFirst(rule.Source) {
		lines = append(lines, GeneratedMessage(name, rule))
	}
	rules, err := m.Session.Rules()
	if err != nil && res.Reason == m.FirstMistake().Error() && !m.isFirst("mistake") {
		res.Reason = ""
	}
	if !generated || m.Resolve != "" { // how that merged, nobody will see
		lines = append(lines, m.Messages(name, res)...)
	}
	if err == nil && m.Path == "" && rules.NamesFiles() {
		lines = append(lines, fmt.Sprintf("%s: without --path it is none of the files that entries of %s are for", name, m.RulesFile()))
	}
	conflicts := !res.Clean() && !session.IsLeft(res) && res.Method == merge.Structural
	if conflicts && m.Resolve == "" && m.Path != "" {
		m.Once(m.Labels, "advice", func() bool {
			a, ok := m.File().Advice(res.Conflicts)
			if ok {
				lines = append(lines, AdviceMessage(name, a))
			}
			return ok
		})
	}
	return lines
}

// isFirst reports whether nothing was said about the same before in this merge of git. Where git
// locks nothing (merge-tree), one merge is not told from the next, and all say it.
func (m *Merger) isFirst(about string) (first bool) {
	if m.Path == "" || !m.Situation(m.Labels).Locked() {
		return true
	}
	m.Once(m.Labels, about, func() bool {
		first = true
		return true
	})
	return first
}

// Messages are those of a merge, with who made the file if it is in conflict.
func (m *Merger) Messages(name string, res merge.Result) []string {
	f := m.File()
	if f.Path == "" {
		f.Path = name
	}
	if f.IsLock() && res.Method != merge.Trivial {
		return lockMessages(f, name, res, m.isShown())
	}
	lines := messages(name, res, m.isShown())
	decided := 0 // by -X, which git says to drivers only now and then
	for _, c := range res.Resolved {
		if m.favoured && c.By == m.Resolve {
			decided++
		}
	}
	if decided > 0 {
		lines = append(lines, fmt.Sprintf("%s: decided %s for %s, as -X %s says", name, terminal.Count(decided, "conflict"), m.Resolve, m.Resolve))
	}
	if by, ok := f.Maker(); ok && !res.Clean() {
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, ": conflict") }); i >= 0 {
			lines[i] += " [" + MakerMessage(by) + "]"
		}
	}
	return lines
}

// isShown reports whether the command that the message of a clean merge names can show it:
// of a stash or a patch, git leaves too little.
func (m *Merger) isShown() bool {
	if m.Path == "" {
		return false
	}
	switch m.Situation(m.Labels).Operation {
	case situation.Merge, situation.Rebase, situation.CherryPick, situation.Revert:
		return true
	}
	return false
}

// lockMessages are those of a lock file that the rules for them put together: in one line,
// since nothing of it is proven.
func lockMessages(f session.File, name string, res merge.Result, ofGit bool) []string {
	chosen := 0
	res.Resolved = slices.DeleteFunc(slices.Clone(res.Resolved), func(c merge.Conflict) bool {
		lock := strings.HasSuffix(c.By, "(extends locks)")
		if lock {
			chosen++
		}
		return lock
	})
	lines := messages(name, res, ofGit)
	line := name + ": the packages of both sides, not proven"
	if chosen > 0 {
		line += "; the higher version of " + terminal.Count(chosen, "package") + " that both changed"
	}
	if by, ok := f.Maker(); ok {
		line += ": " + by.Command + " writes it anew"
	}
	return append(lines, line)
}

// messages are what is to be said of the merge of the file at path: what is left
// to do, what git would not have done, and why YAML was not merged as YAML. A merge
// of git can be explained; one by hand, of any three files, cannot.
func messages(path string, res merge.Result, ofGit bool) []string {
	var lines []string
	encrypted := slices.ContainsFunc(res.Conflicts, func(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted })
	switch {
	case res.Reason != "" && res.Method == merge.Delegated:
		lines = append(lines, path+": merged by lines: "+session.WhyByLines(res.Reason))
	case res.Reason != "" && res.LineConflicts == 0 && !encrypted:
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

// GeneratedMessage says what is left of the files of a rule, and what makes them again.
func GeneratedMessage(name string, rule merge.Generated) string {
	once := "once all else is merged"
	if len(rule.From) > 0 {
		once = "once its sources are merged: " + strings.Join(rule.From, ", ")
	}
	if rule.By == "" {
		return fmt.Sprintf("%s and all else that %s says is generated: ours stands, unmerged and without markers; the rule has no command (by:), so make it again and git add it %s",
			name, rule.Source, once)
	}
	return fmt.Sprintf("%s and all else that is generated by `%s` (%s): ours stands, unmerged and without markers; git merge-yaml regenerate makes it again %s",
		name, rule.By, rule.Source, once)
}

// MakerMessage says who made a file, and how it is usually made again.
func MakerMessage(by session.Maker) string {
	s := by.String() + ": "
	if by.Command != "" {
		return s + by.Command + " writes it anew"
	}
	return s + "make it again once its sources are merged"
}
