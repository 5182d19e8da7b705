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
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// Report returns the messages for the user about res, a result of m: those of Messages, and those about the team's
// rules and about generated files. name is the file in them. Git calls the driver for each file of an operation, and
// locks the index meanwhile. Then messages about the rules are returned only once, and files that were simply merged by
// field are counted, for one message about all of them (see summarize).
func (m *Merger) Report(name string, res merge.Result) (lines []string) {
	isFirst := func(about string) bool {
		return m.Path == "" || !m.situation().IsIndexLocked() || session.OncePerOperation(m.situation(), about, func() bool { return true })
	}
	rule, generated := m.GeneratedRule()
	if generated && session.NeedsRegeneration(res) && isFirst(rule.Source) {
		lines = append(lines, GeneratedMessage(name, rule))
	}
	rules, err := m.Rules()
	if err != nil && res.Reason == m.FirstRulesError().Error() && !isFirst("mistake") {
		res.Reason = ""
	}
	if notice := m.RulesNotice(); notice != "" && isFirst("mistake") {
		lines = append(lines, notice)
	}
	if remarks := rules.Remarks(); len(remarks) > 0 && isFirst("remarks") {
		lines = append(lines, remarks...)
	}
	// the message of a file about which there is nothing else to read
	plain := ""
	if !generated || m.Resolve != "" { // the program will overwrite the result
		messages := m.Messages(name, res)
		if len(messages) == 1 && res.ImprovesLineMerge() && res.Reason == "" {
			plain, messages = messages[0], nil
		}
		lines = append(lines, messages...)
	}
	if err == nil && m.Path == "" && program.HasFilePatterns(rules) {
		lines = append(lines, fmt.Sprintf("%s: rules with \"files\" in %s are not applied, because the path of the file in the repository is unknown; set it with --path", name, m.RulesFile()))
	}
	conflicts := !res.Clean() && !session.NeedsRegeneration(res) && res.Method == merge.MethodField
	if conflicts && m.Resolve == "" && m.Path != "" {
		session.OncePerOperation(m.situation(), "advice", func() bool {
			a, ok := m.Advice(res.Conflicts)
			if ok {
				lines = append(lines, AdviceMessage(name, a))
			}
			return ok
		})
	}
	if len(lines) > 0 {
		if notice := m.UncommittedRulesNotice(); notice != "" && isFirst("uncommitted") {
			lines = append(lines, notice)
		}
	}
	return append(lines, m.summarize(res, plain)...)
}

// Messages returns the messages about the merge with the result res, without line breaks, each beginning with name:
// what was resolved, combined or decided, and a line for each conflict that remains, as in "web.yaml:12: conflict:
// spec.replicas". It returns nil if there is nothing to report.
func (m *Merger) Messages(name string, res merge.Result) []string {
	f := m.File
	if f.Path == "" {
		f.Path = name
	}
	// The command explain cannot show the merge of a stash or a patch, about which git records too little.
	canExplain := m.Path != "" && slices.Contains([]situation.Operation{
		situation.Merge, situation.Rebase, situation.CherryPick, situation.Revert,
	}, m.situation().Operation)
	var maker session.Generator
	hasMaker := false
	if f.IsMergedLockFile() || !res.Clean() { // otherwise it is not in a message
		maker, hasMaker = f.Generator()
	}
	if f.IsMergedLockFile() && res.Method != merge.MethodTrivial { // one message for all packages, because the result is not verified
		resolved := len(res.Resolved)
		res.Resolved = slices.DeleteFunc(slices.Clone(res.Resolved), func(c merge.Conflict) bool { return c.By.Preset == "locks" })
		line := name + ": merged the packages of both sides, not verified"
		if chosen := resolved - len(res.Resolved); chosen > 0 {
			line += "; took the higher version of " + terminal.CountNoun(chosen, "package") + " that both sides changed"
		}
		if hasMaker {
			line += fmt.Sprintf("; run %q to regenerate the file", maker.Command)
		}
		return append(mergeMessages(name, res, canExplain, ""), line)
	}
	makerNote := ""
	if hasMaker {
		makerNote = " [" + MakerMessage(maker) + "]"
	}
	lines := mergeMessages(name, res, canExplain, makerNote)
	favoured := 0 // by -X
	for _, c := range res.Resolved {
		if m.resolveFromGit && c.By.Take == resolveByName[m.Resolve] {
			favoured++
		}
	}
	if favoured > 0 {
		lines = append(lines, fmt.Sprintf("%s: resolved %s with %s (-X %s)", name, terminal.CountNoun(favoured, "conflict"), m.Resolve, m.Resolve))
	}
	return lines
}

// mergeMessages returns the messages of res, each preceded by path; those about conflicts that remain have their line,
// as in "web.yaml:12: conflict: spec.replicas (REASON)". canExplain permits naming the command explain. makerNote, a
// text about the program that generates the file, or "", is appended to the first conflict.
func mergeMessages(path string, res merge.Result, canExplain bool, makerNote string) (lines []string) {
	messages := res.Messages()
	if res.ImprovesLineMerge() && res.Reason == "" && canExplain {
		messages[0] += " (git merge-yaml explain)"
	}
	others := len(messages) - len(res.Conflicts) // the conflicts are last
	for _, m := range messages[:others] {
		lines = append(lines, path+": "+m)
	}
	for i, c := range res.Conflicts { // path:line: conflict: ...
		place := path
		if c.Line > 0 {
			place = fmt.Sprintf("%s:%d", path, c.Line)
		}
		lines = append(lines, place+": "+strings.TrimPrefix(messages[others+i], fmt.Sprintf("line %d: ", c.Line))+makerNote)
		makerNote = ""
	}
	return lines
}

// pathSuffix returns ": " and the path of c, as in ": spec.replicas", or "" if c has no path because it is about a
// whole document.
func pathSuffix(c merge.Conflict) string {
	if c.Path == "" {
		return ""
	}
	return ": " + c.Path
}

// DecisionMessage describes how a rule decided c, without the path: "took theirs' value by policy highest
// (rules.yaml:2)". c must be decided by a policy or a rule set.
func DecisionMessage(c merge.Conflict) string { return strings.TrimPrefix(c.String(), c.Path+": ") }

// describeDecision describes the effect of a rule that would decide the conflict c:
//
//	c.Took is set: the value of one side             take theirs' value
//	c.Wrote is set: a value that neither side has    write 1.4.1
//	neither: the values of both                      keep both sides' values
func describeDecision(c merge.Conflict) string {
	switch {
	case c.Took != "":
		return "take " + string(c.Took) + "' value"
	case c.Wrote != "":
		return "write " + c.Wrote
	}
	return "keep both sides' values"
}

// AdviceMessage describes how a conflict would be decided by a preset, a set of rules that comes with this program and
// that the team does not use yet. It ends with the command that adds the preset to the team's rules:
//
//	web/Chart.yaml: version: the preset helm would write 1.3.0 (policy next); run "git merge-yaml rules add helm"
func AdviceMessage(path string, a session.Advice) string {
	furtherNote := ""
	if a.More > 0 {
		furtherNote = " and resolve " + terminal.CountNoun(a.More, "more conflict")
	}
	return fmt.Sprintf("%s%s: the preset %s would %s (policy %s)%s; run \"git merge-yaml rules add %s\"",
		path, pathSuffix(a.Conflict), a.By.Preset, describeDecision(a.Conflict), a.By.Policy, furtherNote, a.By.Preset)
}

// ChooseSideHint returns how to choose a side of a file that cannot be merged, such as a binary one. path is the path of
// the file for a shell command.
func ChooseSideHint(path string) string {
	name := terminal.QuoteForShell(path)
	return fmt.Sprintf(`run "git checkout --ours %s" or "git checkout --theirs %s", then "git add %s"`, name, name, name)
}

// PathOrDocument returns path, or "(the whole document)" if path is empty.
func PathOrDocument(path string) string { return cmp.Or(path, "(the whole document)") }

// GeneratedMessage returns a message that the file called name, and all other files of the same rule, are left to the
// program that generates them, with what to do after their sources are merged:
//
//	out/f99.yaml and other files generated by `sh render.sh` (.git-merge-yaml.yaml:2): kept ours without conflict markers; run "git merge-yaml regenerate" after the sources are merged (values.yaml, render.sh)
func GeneratedMessage(name string, rule program.Generated) string {
	condition := "after all other files are merged"
	if len(rule.From) > 0 {
		condition = "after the sources are merged (" + strings.Join(rule.From, ", ") + ")"
	}
	if rule.By == "" {
		return fmt.Sprintf("%s and other files of the rule %s: kept ours without conflict markers; generate and stage the files %s (the rule has no command \"by\")",
			name, rule.Source, condition)
	}
	return fmt.Sprintf("%s and other files generated by `%s` (%s): kept ours without conflict markers; run \"git merge-yaml regenerate\" %s",
		name, rule.By, rule.Source, condition)
}

// MakerMessage describes the program that generated a file, and how the file is usually generated again: with the
// command, if it is known, and otherwise without:
//
//	generated by Helm (Chart.lock); run "helm dependency update web" to regenerate the file
//	generated by helm template (# Source:); regenerate the file after the sources are merged
func MakerMessage(maker session.Generator) string {
	if maker.Command != "" {
		return fmt.Sprintf("%s; run %q to regenerate the file", maker, maker.Command)
	}
	return maker.String() + "; regenerate the file after the sources are merged"
}
