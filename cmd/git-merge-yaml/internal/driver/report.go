package driver

import (
	"cmp"
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
// of rules which nobody adopted and that would decide. Where git locks nothing (merge-tree), one merge
// is not told from the next, and all say it.
func (m *Merger) Report(name string, res merge.Result) (lines []string) {
	isFirst := func(about string) bool {
		return m.Path == "" || !m.Situation(m.Labels).Locked() || m.OncePerOperation(m.Labels, about, func() bool { return true })
	}
	rule, generated := m.GeneratedRule()
	if generated && session.NeedsRegeneration(res) && isFirst(rule.Source) {
		lines = append(lines, GeneratedMessage(name, rule))
	}
	rules, err := m.Rules()
	if err != nil && res.Reason == m.FirstRulesError().Error() && !isFirst("mistake") {
		res.Reason = ""
	}
	if !generated || m.Resolve != "" { // how that merged, nobody will see
		lines = append(lines, m.Messages(name, res)...)
	}
	if err == nil && m.Path == "" && rules.NamesFiles() {
		lines = append(lines, fmt.Sprintf("%s: without --path it is none of the files that entries of %s are for", name, m.RulesFile()))
	}
	conflicts := !res.Clean() && !session.NeedsRegeneration(res) && res.Method == merge.Structural
	if conflicts && m.Resolve == "" && m.Path != "" {
		m.OncePerOperation(m.Labels, "advice", func() bool {
			a, ok := m.Advice(res.Conflicts)
			if ok {
				lines = append(lines, AdviceMessage(name, a))
			}
			return ok
		})
	}
	return lines
}

// Messages are those of a merge, with who made the file if it is in conflict.
func (m *Merger) Messages(name string, res merge.Result) []string {
	f := m.File
	if f.Path == "" {
		f.Path = name
	}
	// Of a stash or a patch, git leaves too little for the command that shows a merge.
	shown := m.Path != "" && slices.Contains([]situation.Operation{
		situation.Merge, situation.Rebase, situation.CherryPick, situation.Revert,
	}, m.Situation(m.Labels).Operation)
	var by session.Generator
	made := false
	if f.IsMergedLockFile() || !res.Clean() { // else it is not told
		by, made = f.Generator()
	}
	if f.IsMergedLockFile() && res.Method != merge.Trivial { // in one line, since nothing of it is proven
		all := len(res.Resolved)
		res.Resolved = slices.DeleteFunc(slices.Clone(res.Resolved), func(c merge.Conflict) bool { return c.By.Preset == "locks" })
		line := name + ": the packages of both sides, not proven"
		if chosen := all - len(res.Resolved); chosen > 0 {
			line += "; the higher version of " + terminal.CountNoun(chosen, "package") + " that both changed"
		}
		if made {
			line += ": " + by.Command + " writes it anew"
		}
		return append(messages(name, res, shown, ""), line)
	}
	maker := ""
	if made {
		maker = " [" + MakerMessage(by) + "]"
	}
	lines := messages(name, res, shown, maker)
	decided := 0 // by -X, which git says to drivers only now and then
	for _, c := range res.Resolved {
		if m.favoured && c.By.Side == m.Resolve {
			decided++
		}
	}
	if decided > 0 {
		lines = append(lines, fmt.Sprintf("%s: decided %s for %s, as -X %s says", name, terminal.CountNoun(decided, "conflict"), m.Resolve, m.Resolve))
	}
	return lines
}

// messages are what is to be said of the merge of the file at path: what is left
// to do, what git would not have done, and why YAML was not merged as YAML. Shown says
// that git merge-yaml explain can show it, unlike a merge by hand of any three files. Maker stands behind
// the first conflict.
func messages(path string, res merge.Result, shown bool, maker string) (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, path+fmt.Sprintf(format, args...)) }
	encrypted := slices.ContainsFunc(res.Conflicts, func(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted })
	switch {
	case res.Reason != "" && res.Method == merge.Delegated:
		say(": merged by lines: %s", res.Reason)
	case res.Reason != "" && res.LineConflicts == 0 && !encrypted:
		say(": git's line merge would be wrong (%s); merged by field", res.Reason)
	case res.Reason != "":
		say(": %s", res.Reason)
	case res.Clean() && res.Method == merge.Structural && res.LineConflicts > 0:
		hint := ""
		if shown {
			hint = " (git merge-yaml explain)"
		}
		say(": merged by field: resolved %s of git's line merge%s", terminal.CountNoun(res.LineConflicts, "conflict"), hint)
	}
	if res.Refused != "" {
		say(": %s", res.Refused)
	}
	for _, f := range res.Followed {
		say(": followed %s to %s", f.From, f.To)
	}
	for _, c := range res.Combined {
		say(": %s", CombinedMessage(c))
	}
	for _, c := range res.Resolved {
		if c.By.Policy != "" || c.By.Rules != "" { // --ours and the like are quiet, as git's
			say("%s: %s", at(c), Decision(c))
		}
	}
	for _, c := range res.Conflicts { // path:line: conflict: field (why), without what is unknown, was said before, or goes without saying
		line, why := "", c.Why()
		if c.Line > 0 {
			line = fmt.Sprintf(":%d", c.Line)
		}
		switch c.Kind {
		case "", merge.ConflictValue, merge.ConflictLine, merge.ConflictRefused, merge.ConflictEncrypted:
			why = c.Deletion()
		}
		if why != "" {
			why = " (" + why + ")"
		}
		say("%s: conflict%s%s%s", line, at(c), why, maker)
		maker = ""
	}
	return lines
}

// at is `: field`, or nothing for a whole document.
func at(c merge.Conflict) string {
	if c.Path == "" {
		return ""
	}
	return ": " + c.Path
}

// Decision says what stands where a rule decided, and by which.
func Decision(c merge.Conflict) string {
	if c.By.Rules != "" {
		lost, side, line := c.Ours, "ours", ""
		if c.Took == "ours" {
			lost, side = c.Theirs, "theirs"
		}
		if lost.Line > 0 {
			line = fmt.Sprintf(" at its line %d", lost.Line)
		}
		return fmt.Sprintf("took %s, dropped what %s changed%s (%s)", c.Took, side, line, c.By)
	}
	bumped := ""
	if c.Wrote != "" && c.Took == "" && c.Kind == merge.ConflictValue && c.Ours == c.Theirs {
		bumped = "both sides bumped it to the same version: "
	}
	return bumped + deed(c, "took", "wrote", "kept") + " by " + c.By.String()
}

// deed is what a decision does: take theirs' value, write 1.4.1, keep both sides' values.
func deed(c merge.Conflict, take, write, keep string) string {
	switch {
	case c.Took != "":
		return take + " " + c.Took + "' value"
	case c.Wrote != "":
		return write + " " + c.Wrote
	}
	return keep + " both sides' values"
}

// AdviceMessage says what a preset that nobody adopted would decide, and how to adopt it.
func AdviceMessage(path string, a session.Advice) string {
	more := ""
	if a.More > 0 {
		more = fmt.Sprintf(" and decide %d more", a.More)
	}
	return fmt.Sprintf("%s%s: the policy %s (extends %s) would %s here%s: git merge-yaml rules add %s",
		path, at(a.Conflict), a.By.Policy, a.By.Preset, deed(a.Conflict, "take", "write", "keep"), more, a.By.Preset)
}

// CombinedMessage returns the message about a reference of which each side changed another part, with its path.
func CombinedMessage(c merge.Combination) string {
	return fmt.Sprintf("%s: %s is in neither side (each changed a part of it)", c.Path, c.Value)
}

// PathOrDocument is a path for people: that of a whole document is "".
func PathOrDocument(path string) string { return cmp.Or(path, "(the whole document)") }

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
func MakerMessage(by session.Generator) string {
	s := by.String() + ": "
	if by.Command != "" {
		return s + by.Command + " writes it anew"
	}
	return s + "make it again once its sources are merged"
}
