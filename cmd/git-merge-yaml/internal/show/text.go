package show

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// PrintOverview prints each file of a merge, with its conflicts and a diff of at most 40 lines from git's result to the
// driver's, and then the totals. The conflicts of a file that must be regenerated are left out. Unless all is true, a
// clean file is only counted if it is not notable (Case.IsNotable) and combines nothing of both sides. It returns the
// first error of writing to p.
func PrintOverview(p *terminal.Painter, e history.Explanation, all bool) error {
	const maxDiffLines = 40
	printed, skipped := 0, 0
	for _, c := range e.Cases {
		if !all && c.Driver.Clean() && !c.IsNotable() && len(c.Result.Combined) == 0 {
			skipped++
			continue
		}
		printed++
		printHeadline(p, c)
		printCombinations(p, c)
		printDecisions(p, c)
		if !session.NeedsRegeneration(c.Result) { // the headline names the program that generates the file
			for _, x := range c.Result.Conflicts {
				printConflict(p, c, x)
			}
		}
		hunks := strings.SplitAfter(terminal.DiffHunks(c.Content.Git, c.Content.Driver), "\n")
		if more := len(hunks) - 1 - maxDiffLines; more > 0 {
			hunks = append(hunks[:maxDiffLines], fmt.Sprintf(" ... %s more\n", terminal.CountNoun(more, "line")))
		}
		printDiff(p, "git's line merge", "driver", strings.Join(hunks, ""))
		p.Println()
	}
	s := e.Summary
	files := terminal.CountNoun(s.Files, "file") + " changed on both sides"
	switch {
	case s.Files == 0 && printed > 0:
		files = terminal.CountNoun(printed, "file") + " changed identically on both sides"
	case s.Files == 0:
		files = "no YAML file changed on both sides"
	case skipped > 0:
		files += fmt.Sprintf(", %d with the same result as git's line merge", skipped)
	}
	p.Println(e.Name + ": " + files)
	if made := describeGenerated(s); made != "" {
		p.Println(made)
	}
	for _, n := range s.Deletions {
		p.Println(n.Path + ": " + describePathConflict(n))
	}
	if s.Deletions != nil {
		s.Deleted = 0 // listed above
	}
	for _, l := range describeLeftOut(s) {
		p.Println("not merged again: " + l)
	}
	return p.Err
}

// PrintFields prints a merge field by field, for each file: the changes of both sides, the conflicts with their
// versions, decisions, and how the committed file differs from the driver's result. First come the files that one side
// deleted; other path conflicts are left out. It returns the first error of writing to p.
func PrintFields(p *terminal.Painter, e history.Explanation) error {
	for _, n := range e.PathConflicts {
		if n.File != nil {
			by, _, _ := deletionSides(*n.File)
			p.Println(terminal.Bold, n.Path, terminal.Plain, ": deleted by "+pronouns[by])
			_ = PrintChangesOfKept(p, *n.File) // the error is stored in p.Err
		}
	}
	for i, c := range e.Cases {
		if i > 0 {
			p.Println()
		}
		printCaseFields(p, c)
	}
	return p.Err
}

// PrintChangesOfKept prints the changes of the side that kept f, a file that the other side deleted. It returns the
// first error of writing to p.
func PrintChangesOfKept(p *terminal.Painter, f session.File) error {
	_, side, kept := deletionSides(f)
	printSideChanges(p, side, f, kept, nil)
	return p.Err
}

// printCaseFields prints one file of a merge field by field, below a headline: the changes of each side, in which
// conflicts are marked, and then sections such as "conflicts" and "committed differently", unless they are empty. An
// unchanged file has only one line. The conflicts of a file that must be regenerated are not printed. Errors of writing
// are stored in p.Err.
func printCaseFields(p *terminal.Painter, c *history.Case) {
	section := func(title string) {
		p.Println()
		p.Println(terminal.Bold, title)
	}
	if f := c.File; bytes.Equal(f.Base, f.Ours) && bytes.Equal(f.Base, f.Theirs) && (f.Base == nil) == (f.Ours == nil) && (f.Base == nil) == (f.Theirs == nil) {
		p.Println(terminal.Bold, c.Path, terminal.Plain, ": unchanged on both sides")
		return
	}
	printHeadline(p, c)
	isInConflict := func(path string) bool {
		for _, x := range c.Result.Conflicts {
			rest, ok := strings.CutPrefix(path, x.Path)
			if ok && x.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return true
			}
		}
		return false
	}
	p.Println()
	printSideChanges(p, "ours", c.File, c.File.Ours, isInConflict)
	p.Println()
	printSideChanges(p, "theirs", c.File, c.File.Theirs, isInConflict)
	if len(c.Result.Combined)+len(c.Result.GuessedOrders) > 0 {
		section("combined")
		printCombinations(p, c)
	}
	if len(c.Result.Resolved) > 0 || c.Review.Verdict == history.VerdictSharedVersion {
		section("decided")
		printDecisions(p, c)
	}
	if len(c.Result.Conflicts) > 0 && !session.NeedsRegeneration(c.Result) {
		section("conflicts")
		for _, x := range conflictsWithTexts(c) {
			printConflict(p, c, x)
			versions := namedVersions(c, x)
			texts := dedent(versions[0].fileVersion, versions[1].fileVersion, versions[2].fileVersion)
			for i, v := range versions {
				if v.Text == "" {
					p.Println(terminal.Faint, fmt.Sprintf("    %-7s(none)", v.name))
				}
				for line := range strings.Lines(texts[i]) {
					p.Println(fmt.Sprintf("    %-7s%s", v.name, strings.TrimRight(line, "\r\n")))
				}
			}
		}
	}
	if c.Driver.Committed == history.Different {
		section("committed differently")
		for _, f := range c.Review.Findings {
			p.Println(terminal.Red, "  "+f.String())
		}
		printDiff(p, "driver", "committed", terminal.DiffHunks(c.Content.Driver, c.Content.Committed))
	}
}

// printCombinations prints a line for each value that the driver combined from both sides, such as an image with the
// name of one and the tag of the other. A line for each list with additions of both sides whose order it guessed
// follows. Nothing is printed if c has neither.
func printCombinations(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Combined {
		p.Println(terminal.Yellow, "  "+x.String())
	}
	for _, g := range c.Result.GuessedOrders {
		p.Println(terminal.Yellow, "  "+g.String())
	}
}

// printDecisions prints a line for each conflict in c that a rule decided, as in "image: took ours' value by policy
// highest (rules.yaml:2)". If the verdict about the committed file is that two releases got the same version number, it
// also prints a line for each finding of the check. Nothing is printed if there is neither.
func printDecisions(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Resolved {
		p.Println(terminal.Yellow, "  "+driver.PathOrDocument(x.Path)+": "+driver.DecisionMessage(x))
	}
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == history.VerdictSharedVersion {
			p.Println(terminal.Red, "  "+x.String())
		}
	}
}

// printDiff prints hunks, the hunks of a unified diff, below the two lines "--- OLDNAME" and "+++ NEWNAME" with the
// given names. It prints nothing if hunks is "". Errors of writing are stored in p.Err.
func printDiff(p *terminal.Painter, oldName, newName, hunks string) {
	if hunks != "" {
		p.Println(terminal.Bold, "--- "+oldName)
		p.Println(terminal.Bold, "+++ "+newName)
	}
	p.PrintHunks(hunks)
}

// printConflict prints a line about x, a conflict of c: the path of the field, the reason, and the line in the result
// if it is known.
func printConflict(p *terminal.Painter, c *history.Case, x merge.Conflict) {
	p.Println(terminal.Red, "  "+conflictPlace(x), terminal.Plain, ": "+conflictReason(c, x)+lineSuffix(x))
}

// lineSuffix returns ", line 12 of the result" for a conflict in line 12. It returns "" if the line is not known, as in
// a generated file, which has no conflict markers.
func lineSuffix(x merge.Conflict) string {
	if x.Line == 0 {
		return ""
	}
	return fmt.Sprintf(", line %d of the result", x.Line)
}

// A ReplayPrinter prints a replay as text: WriteCase prints a line for each file, WriteSummary the totals.
type ReplayPrinter struct {
	*terminal.Painter
	// If All is true, files in which the driver makes no difference are printed, too.
	All    bool
	hidden int // files that were not printed because All is false
}

// WriteCase prints one line about c, with its number in the replay and the results of git's line merge and of the merge
// driver. Unless t.All is true, a file with nothing to report (Case.IsNotable) is only counted, for WriteSummary. It
// returns the first error of writing.
//
//	#1 3f2a91c0ab k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func (t *ReplayPrinter) WriteCase(c *history.Case) error {
	if !t.All && !c.IsNotable() {
		t.hidden++
		return t.Err
	}
	t.Print(terminal.Faint, fmt.Sprintf("#%d ", c.Number), terminal.Yellow, c.Merge.Short(), terminal.Plain, " ")
	printHeadline(t.Painter, c)
	return t.Err
}

// WriteSummary prints the totals of a replay: the numbers of merges and files, what was left out, and, if there are
// files, a table that compares git's line merge with the merge driver, with sentences about the differences. It returns
// the first error of writing.
func (t *ReplayPrinter) WriteSummary(s history.Summary) error {
	lines := formatCounts(countPhrase{t.hidden, "#file without a difference not listed (use --all-files to list every file)"})
	totals := fmt.Sprintf("%s in %s; YAML files changed on both sides in %d, %s in total",
		terminal.CountNoun(s.Merges, "merge"), terminal.CountNoun(s.Commits, "commit"), s.Touched, terminal.CountNoun(s.Files, "file"))
	if s.Interrupted {
		totals = "interrupted after " + totals
	}
	lines = append(lines, totals)
	for _, l := range describeLeftOut(s) {
		lines = append(lines, "left out: "+l)
	}
	lines = append(lines, formatCounts(countPhrase{s.Verdicts[history.VerdictSharedVersion], "#file with one version for two releases, against the policy next"})...)
	if s.Files > 0 {
		lines = append(lines, "", fmt.Sprintf("%25s%17s", "git", "git-merge-yaml"))
		for _, r := range []struct {
			name        string
			git, driver int
		}{
			{"files clean", s.Git.Clean.All(), s.Driver.Clean.All()},
			{"  as committed", s.Git.Clean.Bytes, s.Driver.Clean.Bytes},
			{"  same data", s.Git.Clean.Data, s.Driver.Clean.Data},
			{"  different", s.Git.Clean.Different, s.Driver.Clean.Different},
			{"files in conflict", s.Git.Conflicts, s.Driver.Conflicts},
			{"  conflicts", s.Git.Places, s.Driver.Places},
			{"  lines", s.Git.Lines, s.Driver.Lines},
			{"generated files", s.Git.Generated.Files, s.Driver.Generated.Files},
			{"  lines", s.Git.Generated.Lines, s.Driver.Generated.Lines},
		} {
			if s.Git.Generated.Files+s.Driver.Generated.Files == 0 && r.name == "generated files" {
				break
			}
			lines = append(lines, fmt.Sprintf("%-18s%7d%17d", r.name, r.git, r.driver))
		}
		lines = append(lines, "")
		lines = append(lines, formatCounts(countPhrase{s.Git.Conflicts, fmt.Sprintf("#file left in conflict by git: git-merge-yaml resolves %d (%d as committed, %d with the same data, %d different)",
			s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)})...)
		if made := describeGenerated(s); made != "" {
			lines = append(lines, made+"; generate these files again instead of merging them")
		}
		lines = append(lines, formatCounts(
			countPhrase{s.Driver.Clean.Different, "# not as committed: " + summarizeVerdicts(s.Verdicts)},
			countPhrase{s.Defects, fmt.Sprintf("#file merged clean but wrong by git (such as a duplicate key or a lost item): git-merge-yaml merges %d of these", s.Mended)},
			countPhrase{s.Worse, "#file clean with git, in conflict with git-merge-yaml"},
			countPhrase{s.Changed, "#file clean with both, with different results"},
		)...)
		if s.Git.Conflicts+s.Defects+s.Worse+s.Changed == 0 {
			lines = append(lines, "git and git-merge-yaml have the same results")
		}
		lines = append(lines, "", fmt.Sprintf("took %s", s.Time.Round(time.Millisecond)))
	}
	for _, l := range lines {
		t.Println(l)
	}
	return t.Err
}

// branchStates are the phrases for the states of a branch, their colours in text, and their CSS classes on a page.
var branchStates = map[history.State]struct {
	text   string
	colour terminal.Colour
	class  string
}{
	history.StateMerged:          {"already merged", terminal.Faint, "same"},
	history.StateClean:           {"clean", terminal.Green, "same"},
	history.StateCleanWithDriver: {"clean with the driver, in conflict without the driver", terminal.Green, "resolved"},
	history.StateConflict:        {"in conflict", terminal.Red, "left"},
	history.StateCleanDiffers:    {"clean with and without the driver, but with different results", terminal.Yellow, "mended"},
	history.StateFailed:          {"cannot be merged", terminal.Red, "worse"},
}

// PrintPreview prints a line for each branch of a preview with the state of its merge into base, such as clean or in
// conflict. The conflicts of the branch follow its line, and the numbers of branches in each state follow at the end.
// It returns the first error of writing to w.
func PrintPreview(w *terminal.Painter, base string, branches []*history.Branch) error {
	for _, b := range branches {
		w.Print(terminal.Bold, b.Name, terminal.Plain, ": ", branchStates[b.State].colour, branchStates[b.State].text)
		if b.Why != "" {
			w.Print(": " + b.Why)
		}
		w.Println()
		for _, x := range listConflicts(b) {
			w.Println("  " + x.Path + ": " + x.Why)
		}
	}
	w.Println("into " + base + ": " + summarizeBranches(branches))
	return w.Err
}

// summarizeBranches returns a phrase with the numbers of branches in each state of a preview. The two states in which
// git's merge is clean are added up. Branches that are merged already and branches that cannot be merged are only
// mentioned if there are any:
//
//	2 clean, 1 clean only with the driver, 0 in conflict, 1 already merged
func summarizeBranches(branches []*history.Branch) string {
	counts := map[history.State]int{}
	for _, b := range branches {
		counts[b.State]++
	}
	phrase := fmt.Sprintf("%d clean, %d clean only with the driver, %d in conflict",
		counts[history.StateClean]+counts[history.StateCleanDiffers], counts[history.StateCleanWithDriver], counts[history.StateConflict])
	return strings.Join(append([]string{phrase}, formatCounts(
		countPhrase{counts[history.StateMerged], "# " + branchStates[history.StateMerged].text}, countPhrase{counts[history.StateFailed], "# " + branchStates[history.StateFailed].text},
	)...), ", ")
}

// A branchConflict is a conflict in a preview, with the path of the file and a phrase about the conflict. Kind is set
// for a conflict about the existence or name of a file, as git prints it ("modify/delete"). It is "" for a conflict in
// a field, and for a file that cannot be merged by field.
type branchConflict struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Why  string `json:"why"`
}

// listPathConflicts returns the conflicts about the existence and the names of files in the merge of b, such as a file
// that one side deleted and the other side changed. It returns nil if there are none.
func listPathConflicts(b *history.Branch) (all []branchConflict) {
	for _, n := range b.PathConflicts {
		all = append(all, branchConflict{n.Path, n.Kind, describePathConflict(n)})
	}
	return all
}

// listConflicts returns all conflicts in the merge of b: first those about the existence and the names of files, then,
// by file, those about contents. A file that could not be merged by field has one conflict with the reason; any other
// file has one for each field in conflict. It returns nil if b is in any state other than history.StateConflict.
func listConflicts(b *history.Branch) []branchConflict {
	if b.State != history.StateConflict {
		return nil
	}
	all := listPathConflicts(b)
	for _, c := range b.Cases {
		switch {
		case c.Driver.Clean():
		case c.Driver.Failed != "":
			all = append(all, branchConflict{c.Path, "", c.Driver.Failed})
		case c.Result.Method == merge.MethodDelegated:
			all = append(all, branchConflict{c.Path, "", "merged by lines: " + c.Result.Reason})
		default:
			for _, x := range c.Result.Conflicts {
				all = append(all, branchConflict{c.Path, "", driver.PathOrDocument(x.Path) + ": " + conflictReason(c, x)})
			}
		}
	}
	return all
}

// PrintChecked prints what a check found in one file, a line each: findings, after the text of a trailer that accepts
// them, and what is not a finding, such as a file that one side deleted. It prints nothing for a file without any of
// these. It returns the first error of writing to p.
func PrintChecked(p *terminal.Painter, c history.CheckResult) error {
	printPath := func() {
		if c.Merge != "" {
			p.Print(terminal.Yellow, c.Merge.Short(), terminal.Plain, ": ")
		}
		p.Print(terminal.Bold, c.Path, terminal.Plain, ": ")
	}
	if c.Deletion != nil {
		printPath()
		p.Println(describePathConflict(*c.Deletion) + "; " + deletionResult(*c.Deletion) + " in the merge")
	}
	if c.WithoutDriver {
		printPath()
		p.Println("differs from the driver's result: merged without the driver, or edited afterwards")
	}
	if c.Unused != nil {
		p.Print(terminal.Yellow, c.Merge.Short(), terminal.Plain, ": "+history.AcceptTrailer+": "+c.Unused.Text+" accepts nothing: "+c.Unused.Problem)
		p.Println()
	}
	if c.Accepted != "" {
		p.Print("accepted in ", terminal.Yellow, c.Merge.Short(), terminal.Plain, ": ", terminal.Bold, c.Path, terminal.Plain, ": "+c.Accepted)
		p.Println()
	}
	for _, f := range c.Findings {
		if c.Accepted != "" {
			p.Print("  ")
		} else {
			printPath()
		}
		if f.Path != "" {
			p.Print(f.Path + ": ")
		}
		p.Println(terminal.Red, f.Rule, terminal.Plain, ": "+f.Detail)
	}
	return p.Err
}

// PrintCheckSummary prints the totals of a check in one line: the numbers of merges, files and findings, and further
// numbers that are not 0, such as that of files that were not checked. If no file of the range was merged on both
// sides, the line says "nothing was checked" instead of "no findings". It returns the first error of writing to p.
func PrintCheckSummary(p *terminal.Painter, s history.CheckSummary) error {
	found := "no findings"
	switch {
	case s.Files == 0:
		found = "nothing was checked"
	case s.Findings > 0:
		found = terminal.CountNoun(s.Findings, "finding") + " in " + terminal.CountNoun(s.Faulty, "file")
	}
	sum := []string{terminal.CountNoun(s.Merges, "merge") + " with " + terminal.CountNoun(s.Files, "file") + ": " + found}
	p.Println(strings.Join(append(sum, formatCounts(
		countPhrase{s.Accepted, "#file accepted by a trailer"},
		countPhrase{s.Deletions, "#file deleted on one side and modified on the other"},
		countPhrase{s.WithoutDriver, "#file different from the driver's result"},
		countPhrase{s.NotChecked, "# not checked"},
	)...), "; "))
	return p.Err
}
