// Package show has the words for merges: what became of a file, what is in conflict and why, what
// rules decided, what a side changed, what a check found. Each is said as text, as JSON,
// as Markdown, or on a page.
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
)

// headline tells in one line how git and the driver merge a file, and how that compares with what
// was committed:
//
//	k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func headline(p *terminal.Painter, c *history.Case) {
	p.Print(terminal.Bold, c.Path, terminal.Plain, ": git: ")
	p.Print(left(c.Git))
	p.Print("; driver: ")
	p.Print(left(c.Driver))
	more := verdict(c.Review)
	if c.Result.Method == merge.Delegated && c.Result.Reason != "" && c.Driver.Failed == "" {
		more += ", by lines (" + c.Result.Reason + ")"
	}
	if c.File.RuleSet != "" {
		more += ", by the rules of " + c.File.RuleSet
	}
	if c.Generated != "" {
		more += "; " + c.Generated
	}
	if session.IsLeft(c.Result) {
		more += ": ours stands, unmerged, until git merge-yaml regenerate makes it again"
	}
	p.Println(more)
}

// left says what an engine leaves of a file.
func left(o history.Outcome) (terminal.Colour, string) {
	switch {
	case o.Failed != "":
		return terminal.Plain, o.Failed
	case !o.Clean():
		return terminal.Red, terminal.CountNoun(o.Conflicts, "conflict") + ", " + terminal.CountNoun(o.Lines, "line")
	}
	said, colour := "clean", terminal.Green
	if o.Committed != "" {
		said += ", " + committed[o.Committed]
	}
	switch {
	case o.Defect != "":
		return terminal.Red, said + ", but wrong (" + o.Defect + ")"
	case o.Committed == history.Different || o.Committed == history.Absent:
		colour = terminal.Yellow
	}
	return colour, said
}

// committed says how what was committed compares with what an engine makes.
var committed = map[history.Equality]string{
	history.EqualBytes: "as committed", history.EqualData: "the data as committed", history.Different: "not as committed",
	history.Absent: "but deleted in the merge",
}

// lineMarkers are so long that no file has them.
const lineMarkers = 200

// conflicts are those of the driver's result; those of a merge by lines have their texts.
func conflicts(c *history.Case) []merge.Conflict {
	all := c.Result.Conflicts
	if c.Result.Method != merge.Delegated || session.IsLeft(c.Result) {
		return all
	}
	marked, n, err := merge.MergeLines(c.File.Base, c.File.Ours, c.File.Theirs, merge.Markers{Style: merge.StyleDiff3, Size: lineMarkers})
	if err != nil || n != len(all) {
		return all
	}
	all = append([]merge.Conflict{}, all...)
	for i, m := range merge.ParseConflicts(marked, lineMarkers) {
		all[i].Base.Text, all[i].Ours.Text, all[i].Theirs.Text = string(m.Base), string(m.Ours), string(m.Theirs)
	}
	return all
}

// why says why there is a conflict in a file.
func why(c *history.Case, x merge.Conflict) string {
	if x.Kind == merge.ConflictRefused && c.Result.Refused != "" {
		return c.Result.Refused
	}
	return x.Why()
}

// place names what is in conflict.
func place(x merge.Conflict) string {
	if x.Kind == merge.ConflictLine && x.Path == "" {
		return "(of the line merge)"
	}
	return driver.PathOrDocument(x.Path)
}

// A version is a text with its name, in the order in which people read them.
type version struct {
	name string
	file []byte
	merge.Version
}

// versions are those of a conflict.
func versions(c *history.Case, x merge.Conflict) []version {
	return []version{{"base", c.File.Base, x.Base}, {"ours", c.File.Ours, x.Ours}, {"theirs", c.File.Theirs, x.Theirs}}
}

// verdict says what is the matter with the committed file, behind how that compares.
func verdict(r history.Review) string {
	said := map[history.Verdict]string{
		history.VerdictMissing: ", which lacks an edit", history.VerdictAdded: ", which has more", history.VerdictBroken: ", which is no YAML",
		history.VerdictSharedVersion: ", which has one version for two releases", history.VerdictOK: ", in which check finds no fault",
	}[r.Verdict]
	if said != "" && len(r.Findings) > 0 && r.Findings[0].Path != "" {
		said += " at " + r.Findings[0].Path
	}
	return said
}

// A tally is a number of something. In what it says, #file is the number of files, and # the number.
type tally struct {
	n    int
	said string
}

// told says each number but 0.
func told(all ...tally) (said []string) {
	for _, t := range all {
		if t.n > 0 {
			in := strings.NewReplacer("#file", terminal.CountNoun(t.n, "file"), "#merge", terminal.CountNoun(t.n, "merge"), "#", strconv.Itoa(t.n))
			said = append(said, in.Replace(t.said))
		}
	}
	return said
}

// verdicts says what became of the files that were committed otherwise.
func verdicts(r history.VerdictCounts) string {
	return strings.Join(told(
		tally{r[history.VerdictMissing], "in # what was committed lacks an edit of one side"},
		tally{r[history.VerdictAdded], "in # it has what neither side wrote"},
		tally{r[history.VerdictBroken], "# is not YAML"},
		tally{r[history.VerdictDeleted], "# is deleted in the merge"},
		tally{r[history.VerdictOK], "in # check finds no fault"},
		tally{r[history.VerdictUnknown], "# cannot be checked"},
	), ", ")
}

// leftOut says what is not in the other numbers of a summary.
func leftOut(s history.Summary) []string {
	stood := ""
	if s.DeletedInMerge+s.KeptInMerge > 0 {
		stood = fmt.Sprintf(": %d deleted in the merge, %d kept", s.DeletedInMerge, s.KeptInMerge)
	}
	lines := told(
		tally{s.Octopus, "#merge of more than two branches, where git calls no driver"},
		tally{s.CutOff, "#merge whose common ancestor this shallow clone has not"},
		tally{s.Deleted, "#file that one side deleted and the other changed, where git calls no driver" + stood},
		tally{s.Collisions, "#file whose name is in conflict"},
		tally{s.Unread, "#merge that could not be read"},
	)
	if s.Unread > 0 {
		lines[len(lines)-1] += ": " + s.Err.Error()
	}
	return lines
}

// generated says how many of the files in conflict a program makes, "" if none.
func generated(s history.Summary) string {
	for _, t := range []history.EngineSummary{s.Driver, s.Git} {
		if t.Generated.Files > 0 {
			return fmt.Sprintf("generated: %d of %s in conflict", t.Generated.Files, terminal.CountNoun(t.Conflicts, "file"))
		}
	}
	return ""
}

// nameConflict says in what way a name is in conflict.
func nameConflict(n history.PathConflict) string {
	if n.File != nil {
		return OneDeleted(*n.File)
	}
	switch n.Kind {
	case history.ModifyDelete, "rename/delete":
		return "one side deleted or moved it, the other changed it"
	}
	return "its name, or that of a folder (" + n.Kind + ")"
}

// deletion names the sides of a file that one deleted and the other one changed, and has what the
// other one made of it.
func deletion(f session.File) (by, other string, kept []byte) {
	if f.Ours == nil {
		return "ours", "theirs", f.Theirs
	}
	return "theirs", "ours", f.Ours
}

// Lost says what one side changed of a file that the other one deleted: `theirs changed
// spec.replicas, spec.paused and 3 more`.
func Lost(f session.File) string {
	const most = 3 // fields that are named
	_, side, kept := deletion(f)
	all, err := f.Changes(kept)
	switch {
	case err != nil:
		return side + " changed it"
	case len(all) == 0:
		return side + " changed its form alone"
	}
	var paths []string
	for i, c := range all {
		if i == most && len(all) > most+1 {
			return fmt.Sprintf("%s changed %s and %d more", side, strings.Join(paths, ", "), len(all)-i)
		}
		paths = append(paths, driver.PathOrDocument(c.Path))
	}
	return side + " changed " + strings.Join(paths, ", ")
}

// OneDeleted says which side deleted a file, and what the other one changed of it.
func OneDeleted(f session.File) string {
	by, _, _ := deletion(f)
	return by + " deleted it, " + Lost(f)
}

// stands is what people did with such a file.
func stands(n history.PathConflict) string {
	if n.DeletedInMerge {
		return "deleted"
	}
	return "kept"
}
