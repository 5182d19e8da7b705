// Package show presents merges to users and to programs: how git and the driver merge a file, the conflicts and their
// reasons, the decisions of rules, the changes of a side, and the findings of a check. It writes the results of
// packages history and merge, and does not merge anything itself.
//
// There is one output for each purpose. Functions with the prefix Print write text to a terminal.Painter. A JSON writes
// one object a line for programs. WriteMarkdown writes a comment for a pull request, and SaveReport a folder for an
// issue. A Page collects files and writes them as one HTML page. Text from the repository is escaped in all of them.
//
// For example,
//
//	f := s.NewFile("web.yaml", []byte("replicas: 1\n"), nil, []byte("replicas: 2\n"))
//	err := show.PrintDifference(&terminal.Painter{W: os.Stdout}, "web.yaml", f)
//
// prints
//
//	web.yaml
//	  ~ replicas: 1 -> 2
//
// Terms:
//
//	case, c          a history.Case: one file of a merge, with the results of git's line merge and of the driver
//	committed file   the file in the merge commit
//	verdict          whether a committed file lost or invented changes; findings are the details
//	notable          a case that is worth showing, for example because git and the driver differ
//	path conflict    a conflict about the existence, name or mode of a file, not about its content
//	f                the three versions of a file; to show a difference, only two of them are used
package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// pronouns are the words for the sides in git's phrases, such as "deleted by us", by the name of the side.
var pronouns = map[string]string{"ours": "us", "theirs": "them"}

// printHeadline prints one line about the file of c: the results of git's line merge and of the merge driver, each
// compared with the committed file. What else a user has to know about the merge, such as its rule set, follows. Errors
// of writing are stored in p.Err.
//
//	k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func printHeadline(p *terminal.Painter, c *history.Case) {
	p.Print(terminal.Bold, c.Path, terminal.Plain, ": git: ")
	p.Print(describeOutcome(c.Git))
	p.Print("; driver: ")
	p.Print(describeOutcome(c.Driver))
	more := verdictPhrase(c.Review)
	if c.Result.Method == merge.MethodDelegated && c.Result.Reason != "" && c.Driver.Failed == "" {
		more += ", merged by lines (" + c.Result.Reason + ")"
	}
	if c.File.RuleSet != "" {
		more += ", with the rules of " + c.File.RuleSet
	}
	if c.Generated != "" {
		more += "; " + c.Generated
	}
	if session.NeedsRegeneration(c.Result) {
		more += `; kept ours, run "git merge-yaml regenerate"`
	}
	p.Println(more)
}

// describeOutcome returns a phrase for an outcome of git or the driver, after its colour: green, yellow, red or, for a
// failure, none. A clean outcome is compared with the committed file, if there is one.
//
//	1 conflict, 4 lines
//	clean but wrong (REASON), as committed
func describeOutcome(o history.Outcome) (terminal.Colour, string) {
	switch {
	case o.Failed != "":
		return terminal.Plain, o.Failed
	case !o.Clean():
		return terminal.Red, terminal.CountNoun(o.Conflicts, "conflict") + ", " + terminal.CountNoun(o.Lines, "line")
	}
	text, colour := "clean", terminal.Green
	if o.Defect != "" {
		text = "clean but wrong (" + o.Defect + ")"
	}
	if o.Committed != "" {
		text += ", " + equalityPhrases[o.Committed]
	}
	switch {
	case o.Defect != "":
		return terminal.Red, text
	case o.Committed == history.Different || o.Committed == history.Absent:
		colour = terminal.Yellow
	}
	return colour, text
}

// equalityPhrases describe how a clean result compares with the committed file.
var equalityPhrases = map[history.Equality]string{
	history.EqualBytes: "as committed", history.EqualData: "same data as committed", history.Different: "not as committed",
	history.Absent: "but deleted in the merge",
}

// longMarkerSize is the length of conflict markers that do not occur as text of a file.
const longMarkerSize = 200

// conflictsWithTexts returns the conflicts that the merge driver left in c, with the texts of the three versions; for a
// merge by lines, it makes the merge again to find them. If that fails, or gives another number of conflicts, they
// remain empty. The caller must not change the result, which may be c.Result.Conflicts itself.
func conflictsWithTexts(c *history.Case) []merge.Conflict {
	all := c.Result.Conflicts
	if c.Result.Method != merge.MethodDelegated || session.NeedsRegeneration(c.Result) {
		return all
	}
	marked, err := linemerge.Merge(c.File.Base, c.File.Ours, c.File.Theirs, linemerge.Options{
		Markers: linemerge.Markers{Style: linemerge.StyleDiff3, Size: longMarkerSize},
	})
	if err != nil || marked.Conflicts != len(all) {
		return all
	}
	all = append([]merge.Conflict{}, all...)
	for i, m := range linemerge.ParseConflicts(marked.Bytes, longMarkerSize) {
		all[i].Base.Text, all[i].Ours.Text, all[i].Theirs.Text = string(m.Base), string(m.Ours), string(m.Theirs)
	}
	return all
}

// conflictReason returns a phrase with the reason for x, a conflict of c, as in "both modified". If no result
// passed verification, it is the reason for that (c.Result.Refused). It may be "".
func conflictReason(c *history.Case, x merge.Conflict) string {
	if x.Kind == merge.ConflictRefused && c.Result.Refused != "" {
		return c.Result.Refused
	}
	return x.Why()
}

// conflictPlace returns the path of the field, item or document in conflict, as in spec.replicas. If x has no path, it
// returns "(line merge)" for a conflict of the line merge, and otherwise "(the whole document)".
func conflictPlace(x merge.Conflict) string {
	if x.Kind == merge.ConflictLine && x.Path == "" {
		return "(line merge)"
	}
	return driver.PathOrDocument(x.Path)
}

// A namedVersion is one version of a conflict.
type namedVersion struct {
	name string // base, ours or theirs
	fileVersion
}

// namedVersions returns the versions of x, a conflict of c, in the order base, ours, theirs.
func namedVersions(c *history.Case, x merge.Conflict) []namedVersion {
	return []namedVersion{{"base", fileVersion{x.Base, c.File.Base}}, {"ours", fileVersion{x.Ours, c.File.Ours}}, {"theirs", fileVersion{x.Theirs, c.File.Theirs}}}
}

// verdictPhrase returns a clause about what a check found in the committed file, to follow the phrase about the
// driver's result: "; the committed file lacks a change at spec.replicas". The path is that of the first finding; it is
// left out if it is empty. The clause is "" without a verdict, and for VerdictDeleted and VerdictUnknown.
func verdictPhrase(r history.Review) string {
	phrase := map[history.Verdict]string{
		history.VerdictMissing: "; the committed file lacks a change", history.VerdictAdded: "; the committed file has an unexpected change", history.VerdictBroken: "; the committed file is not valid YAML",
		history.VerdictSharedVersion: "; the committed file has one version for two releases", history.VerdictOK: "; check finds no error in the committed file",
	}[r.Verdict]
	if phrase != "" && len(r.Findings) > 0 && r.Findings[0].Path != "" {
		phrase += " at " + r.Findings[0].Path
	}
	return phrase
}

// A countPhrase is a number and a template of a phrase about it. In the template, #file is replaced by the number and
// "file" or "files", #merge by the number and "merge" or "merges", and # by the number only.
//
//	{2, "#file with a conflict about the name"}    2 files with a conflict about the name
type countPhrase struct {
	n        int
	template string
}

// formatCounts returns the phrases of all counts above 0, in order, with the numbers filled in; nil if there are none.
// In a phrase, "#file" and "#merge" become the number with the noun in its singular or plural, and any other "#" the
// number.
//
//	{2, "#file"}, {0, "#merge"}, {1, "# left"}    "2 files", "1 left"
func formatCounts(counts ...countPhrase) (phrases []string) {
	for _, t := range counts {
		if t.n > 0 {
			replacer := strings.NewReplacer("#file", terminal.CountNoun(t.n, "file"), "#merge", terminal.CountNoun(t.n, "merge"), "#", strconv.Itoa(t.n))
			phrases = append(phrases, replacer.Replace(t.template))
		}
	}
	return phrases
}

// summarizeVerdicts returns a phrase with the numbers of committed files by the verdict of a check, as in "2 not valid
// YAML, 1 not checked". Verdicts without files and VerdictSharedVersion are left out. It returns "" if none is left.
func summarizeVerdicts(r history.VerdictCounts) string {
	return strings.Join(formatCounts(
		countPhrase{r[history.VerdictMissing], "# without a change of one side"},
		countPhrase{r[history.VerdictAdded], "# with a change of neither side"},
		countPhrase{r[history.VerdictBroken], "# not valid YAML"},
		countPhrase{r[history.VerdictDeleted], "# deleted in the merge"},
		countPhrase{r[history.VerdictOK], "# without findings of check"},
		countPhrase{r[history.VerdictUnknown], "# not checked"},
	), ", ")
}

// describeLeftOut returns phrases about what a replay could not merge again, or nil if there is nothing. There is one
// with a number for each kind of merge or file, such as "2 merges without a common ancestor in this shallow clone".
// Another one is about the older commits that a shallow clone lacks.
func describeLeftOut(s history.Summary) []string {
	deletedNote := ""
	if s.DeletedInMerge+s.KeptInMerge > 0 {
		deletedNote = fmt.Sprintf(": the merge commit deleted %d and kept %d", s.DeletedInMerge, s.KeptInMerge)
	}
	lines := formatCounts(
		countPhrase{s.Octopus, "#merge of more than two branches, for which git runs no driver"},
		countPhrase{s.CutOff, "#merge without a common ancestor in this shallow clone"},
		countPhrase{s.Deleted, "#file deleted on one side and modified on the other, for which git runs no driver" + deletedNote},
		countPhrase{s.Collisions, "#file with a conflict about the name"},
		countPhrase{s.Unread, "#merge that could not be read"},
	)
	if s.Unread > 0 {
		lines[len(lines)-1] += ": " + s.Err.Error()
	}
	if s.Shallow {
		lines = append(lines, `older commits, which this shallow clone lacks; run "git fetch --unshallow" (in GitHub Actions: fetch-depth: 0)`)
	}
	return lines
}

// describeTotals returns sentences, without a final full stop, about the numbers of a replay that need an explanation,
// such as the files in conflict with git that the driver merges without a conflict. Sentences about 0 files are left
// out.
func describeTotals(s history.Summary) []string {
	verdicts := summarizeVerdicts(s.Verdicts)
	if verdicts != "" {
		verdicts = "; of the committed files: " + verdicts
	}
	engine, generated := "git-merge-yaml", s.Driver
	if generated.Generated.Files == 0 {
		engine, generated = "git", s.Git
	}
	return formatCounts(
		countPhrase{s.Git.Conflicts, fmt.Sprintf("#file in conflict with git: git-merge-yaml merges %d without a conflict (%d as committed, %d with the same data as committed, %d with different data)",
			s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)},
		countPhrase{s.Driver.Clean.All(), fmt.Sprintf("#file without a conflict with git-merge-yaml: %d not as committed%s", s.Driver.Clean.Different, verdicts)},
		countPhrase{s.Defects, fmt.Sprintf("#file merged clean but wrong by git, for example with a duplicate key or without an item: git-merge-yaml merges %d of these without a conflict", s.Mended)},
		countPhrase{s.Worse, "#file in conflict with git-merge-yaml, but not with git"},
		countPhrase{s.Changed, "#file clean with both, with different results"},
		countPhrase{s.Verdicts[history.VerdictSharedVersion], "#file with one version for two releases, against the policy next"},
		countPhrase{generated.Generated.Files, fmt.Sprintf("# generated among the %d files in conflict with %s: run the generator again instead of merging", generated.Conflicts, engine)},
	)
}

// describeGenerated returns a sentence about the files in conflict that a program generates, which should be generated
// again instead: "2 of 5 files in conflict generated by a program: run it again instead of merging". It counts the
// files that the driver leaves in conflict or, if none of them is generated, those that git leaves. It returns "" if
// none of these is generated either.
func describeGenerated(s history.Summary) string {
	for _, t := range []history.EngineSummary{s.Driver, s.Git} {
		if t.Generated.Files > 0 {
			return fmt.Sprintf("%d of %s in conflict generated by a program: run it again instead of merging", t.Generated.Files, terminal.CountNoun(t.Conflicts, "file"))
		}
	}
	return ""
}

// describePathConflict returns a phrase for a conflict about the existence or the name of a file. If n.File is set,
// because one side deleted the file, the phrase is that of DescribeDeletion. Otherwise it depends only on n.Kind.
func describePathConflict(n history.PathConflict) string {
	if n.File != nil {
		return DescribeDeletion(*n.File)
	}
	switch n.Kind {
	case history.ModifyDelete, "rename/delete":
		return "deleted or renamed by one side, modified by the other"
	}
	return "git cannot merge the names of files or folders (" + n.Kind + ")"
}

// deletionSides returns the name of the side that deleted a file ("ours" or "theirs"), the name of the side that
// changed it, and the changed file. One of f.Ours and f.Theirs must be nil; if both are, ours counts as the deleting
// side.
func deletionSides(f session.File) (deletedBy, changedBy string, changed []byte) {
	if f.Ours == nil {
		return "ours", "theirs", f.Theirs
	}
	return "theirs", "ours", f.Ours
}

// DescribeLostChanges returns a phrase with the changes that are lost if f, a file that one side deleted, remains
// deleted. It names at most four changes, and none if the versions cannot be compared as YAML. The version of the side
// that deleted f must be nil.
//
//	modified by them (spec.replicas, spec.paused, added spec.template and 3 more)
//	modified by us (only comments or format)
func DescribeLostChanges(f session.File) string {
	const maxPaths = 3
	_, side, kept := deletionSides(f)
	phrase := "modified by " + pronouns[side]
	all, err := f.Changes(kept)
	switch {
	case err != nil:
		return phrase
	case len(all) == 0:
		return phrase + " (only comments or format)"
	}
	var list []string
	for i, c := range all {
		if i == maxPaths && len(all) > maxPaths+1 {
			return fmt.Sprintf("%s (%s and %d more)", phrase, strings.Join(list, ", "), len(all)-i)
		}
		verb := ""
		if c.Kind != merge.ChangeModified {
			verb = string(c.Kind) + " "
		}
		list = append(list, verb+driver.PathOrDocument(c.Path))
	}
	return phrase + " (" + strings.Join(list, ", ") + ")"
}

// DescribeDeletion returns a phrase about a file that one side deleted and the other side changed, with the changes
// that are lost if it remains deleted (DescribeLostChanges). The version of the side that deleted it must be nil in f.
//
//	deleted by us, modified by them (spec.replicas)
func DescribeDeletion(f session.File) string {
	by, _, _ := deletionSides(f)
	return "deleted by " + pronouns[by] + ", " + DescribeLostChanges(f)
}

// deletionResult returns the state of a file that one side deleted in the merge commit: "deleted" or "kept". It is
// "kept" for a merge that is not committed.
func deletionResult(n history.PathConflict) string {
	if n.DeletedInMerge {
		return "deleted"
	}
	return "kept"
}
