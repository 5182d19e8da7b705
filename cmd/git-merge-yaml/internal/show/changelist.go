package show

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// PrintDifference prints the differences between f.Base and f.Theirs, the old and the new version of a file, below the
// heading name: field by field or, if that is not possible or shows nothing, as a line diff. A version is nil if it
// does not exist. f.Ours is not used. It returns the first error of writing to p.
func PrintDifference(p *terminal.Painter, name string, f session.File) error {
	how, all := classifyDifference(f)
	p.Println(terminal.Bold, name, terminal.Plain, map[string]string{
		"equal": ": no difference", "added": ": added", "deleted": ": deleted",
		"lines": ": not valid YAML, compared by line", "form": ": only comments or format differ",
	}[how])
	if how != "fields" && how != "equal" {
		p.PrintHunks(terminal.DiffHunks(f.Base, f.Theirs))
	}
	printChanges(p, all, f.Base, f.Theirs, nil)
	if how == "fields" {
		printChangedComments(p, f.Base, f.Theirs)
	}
	return p.Err
}

// printChangedComments prints the lines with comments that only one of two versions has, below a heading; nothing if
// there are none. Errors of writing are stored in p.Err.
//
//	comments
//	  - image: web:1 # keep until May
//	  + image: web:1 # do not change
func printChangedComments(p *terminal.Painter, before, after []byte) {
	removed, added, err := merge.ChangedComments(before, after)
	if err != nil || len(removed)+len(added) == 0 {
		return
	}
	p.Println(terminal.Bold, "  comments")
	for _, v := range removed {
		p.Println(terminal.Red, "    - "+v.Text)
	}
	for _, v := range added {
		p.Println(terminal.Green, "    + "+v.Text)
	}
}

// classifyDifference returns how f.Base and f.Theirs, the old and the new version of a file, differ, as the word for
// the field "how" in JSON. The changes are nil unless it is "fields".
func classifyDifference(f session.File) (how string, all []merge.Change) {
	all, err := f.Changes(f.Theirs)
	switch {
	case bytes.Equal(f.Base, f.Theirs) && (f.Base == nil) == (f.Theirs == nil):
		return "equal", nil
	case f.Base == nil:
		return "added", nil
	case f.Theirs == nil:
		return "deleted", nil
	case err != nil:
		return "lines", nil
	case len(all) == 0:
		// comments, quotes or the like
		return "form", nil
	}
	return "fields", all
}

// changesHeading returns the heading of a list with the changes of a side: "changed by us" if side is "ours", and
// "changed by them" if side is "theirs".
func changesHeading(side string) string {
	return "changed by " + pronouns[side]
}

// printSideChanges prints what a side ("ours" or "theirs") changed from the base of f to version, below a heading:
// fields, and then comments. If they cannot be compared as YAML, it prints the reason and a line diff. isInConflict,
// which may be nil, tells which paths are marked as in conflict. Errors of writing are stored in p.Err.
func printSideChanges(p *terminal.Painter, side string, f session.File, version []byte, isInConflict func(path string) bool) {
	p.Println(terminal.Bold, changesHeading(side))
	all, err := f.Changes(version)
	switch {
	case err != nil:
		p.Println("  cannot be compared by field: " + err.Error())
		p.PrintHunks(terminal.DiffHunks(f.Base, version))
	case bytes.Equal(f.Base, version):
		p.Println("  no changes")
	case len(all) == 0:
		p.Println("  only comments or format")
	}
	printChanges(p, all, f.Base, version, isInConflict)
	if err == nil {
		printChangedComments(p, f.Base, version)
	}
}

// PrintChangesToDeleted prints the changes that one side made to an entry that the other side deleted, below a heading
// with the side that made them. c is the conflict about it. If neither side deleted the entry, only the heading
// "changed by them" is printed. Errors of writing are stored in p.Err.
//
//	changed by them
//	  ~ resources.limits.cpu: 1 -> 2
func PrintChangesToDeleted(p *terminal.Painter, c merge.Conflict) {
	deletedBy, changes := c.ChangesToDeleted()
	side, kept := "theirs", c.Theirs
	if deletedBy == merge.SideTheirs {
		side, kept = "ours", c.Ours
	}
	p.Println(terminal.Bold, changesHeading(side))
	printChanges(p, changes, []byte(c.Base.Text), []byte(kept.Text), nil)
}

// printChanges prints changes between two files, whose contents are before and after. In a file of several documents,
// there is a heading for each resource. Changes for which isInConflict is true are marked; it may be nil. Errors of
// writing are stored in p.Err.
//
//	Deployment/web
//	  ~ spec.replicas: 1 -> 2
//	  + spec.paused: true (conflict)
func printChanges(p *terminal.Painter, all []merge.Change, before, after []byte, isInConflict func(path string) bool) {
	resource, list := "", ""
	for _, c := range all {
		resourceOfPath, path, ok := strings.Cut(c.Path, ": ")
		indent := "    "
		if !ok || !strings.Contains(resourceOfPath, "/") {
			resourceOfPath, path, indent = "", c.Path, "  "
		}
		if resourceOfPath != resource {
			resource, list = resourceOfPath, ""
			if resourceOfPath != "" {
				p.Println(terminal.Bold, "  "+resourceOfPath)
			}
		}
		sign, colour := changeSign(c)
		p.Print(colour, indent+sign+" "+driver.PathOrDocument(path))
		if c.Kind == merge.ChangeRenamed || c.Kind == merge.ChangeReordered || c.IsOfActions() {
			p.Print(" " + string(c.Kind))
		}
		isOneLine := isSingleLine(c.From.Text) && isSingleLine(c.To.Text) && c.Kind != merge.ChangeReordered
		if isOneLine && !(c.IsOfActions() && c.From.Line+c.To.Line == 0) {
			p.Print(": " + formatValues(c))
		}
		if isInConflict != nil && isInConflict(c.Path) {
			p.Print(terminal.Red, " (conflict)")
		}
		if c.List != "" && c.List != list {
			p.Print(terminal.Faint, "  ["+c.List+"]")
		}
		list = cmp.Or(c.List, list)
		p.Println()
		if !isOneLine {
			printBlockValues(p, indent, dedent(fileVersion{c.From, before})[0], dedent(fileVersion{c.To, after})[0])
		}
	}
}

// changeSign returns the sign before a change, and its colour: those of an addition, a deletion or a modification for a
// change of template actions, such as {{ if }} lines, too.
func changeSign(c merge.Change) (sign string, colour terminal.Colour) {
	switch {
	// only the new version has actions
	case c.Kind == merge.ChangeAdded, c.IsOfActions() && c.From.Text == "" && c.To.Text != "":
		return "+", terminal.Green
	// only the old version has actions
	case c.Kind == merge.ChangeDeleted, c.IsOfActions() && c.To.Text == "" && c.From.Text != "":
		return "-", terminal.Red
	case c.Kind == merge.ChangeRenamed:
		return ">", terminal.Yellow
	case c.Kind == merge.ChangeReordered:
		return "%", terminal.Yellow
	}
	return "~", terminal.Yellow
}

// formatValues returns the values of a change on one line: "old -> new" or, if the change is an addition or a deletion,
// the only value. Both must have at most one line. A value without text is written as "(empty)".
func formatValues(c merge.Change) string {
	from, to := cmp.Or(strings.TrimSpace(c.From.Text), "(empty)"), cmp.Or(strings.TrimSpace(c.To.Text), "(empty)")
	switch {
	case c.From.Line == 0:
		return to
	case c.To.Line == 0:
		return from
	}
	return from + " -> " + to
}

// printBlockValues prints a change of a value with several lines as a diff without context: only the lines that differ
// between from and to, each after "-" or "+". If from or to is empty, the value was added or deleted as a whole; it
// prints the first 12 lines of it and the number of the others. Each line begins with indent and four more blanks.
func printBlockValues(p *terminal.Painter, indent, from, to string) {
	const maxLines = 12
	n := 0
	for line := range strings.Lines(terminal.DiffHunks([]byte(from), []byte(to))) {
		if line[0] != '-' && line[0] != '+' {
			continue
		}
		if n++; n <= maxLines || from != "" && to != "" {
			colour := map[byte]terminal.Colour{'-': terminal.Red, '+': terminal.Green}[line[0]]
			p.Println(colour, indent+"    "+line[:1]+" "+strings.TrimRight(line[1:], "\r\n"))
		}
	}
	if n > maxLines && (from == "" || to == "") {
		p.Println(terminal.Faint, fmt.Sprintf("%s    ... %s more", indent, terminal.CountNoun(n-maxLines, "line")))
	}
}

// isSingleLine reports whether text has at most one line. Line breaks at its end are ignored.
func isSingleLine(text string) bool { return !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

// A fileVersion is one version of an entry, with the whole file that contains the version.
type fileVersion struct {
	merge.Version
	file []byte
}

// dedent returns the texts of versions without the indentation that all their lines have in common. Lines of blanks and
// empty texts do not count. If a text begins in the middle of a line of its file, blanks first take the place of what
// is before it. If a text that is not empty has no line number (Line is 0), all texts are returned unchanged.
//
//	texts in the files        returned
//	  ports:                  ports:
//	    - 1                     - 1
//	  ports: []               ports: []
func dedent(versions ...fileVersion) (texts []string) {
	isUnknown := false
	for _, v := range versions {
		texts = append(texts, v.Text)
		isUnknown = isUnknown || v.Text != "" && v.Line == 0
	}
	if isUnknown {
		return texts
	}
	lines, minIndent := make([][]string, len(versions)), -1
	for i, v := range versions {
		if v.Text == "" {
			continue
		}
		lines[i] = strings.Split(v.Text, "\n")
		fileLines := bytes.SplitN(v.file, []byte("\n"), v.Line+1)
		if v.Line <= len(fileLines) {
			// the columns before the text count as indentation of its first line; -1 if the line does not contain it
			column := strings.Index(string(fileLines[v.Line-1]), lines[i][0])
			lines[i][0] = strings.Repeat(" ", max(column, 0)) + lines[i][0]
		}
		for _, l := range lines[i] {
			if n := len(l) - len(strings.TrimLeft(l, " ")); n < len(l) && (minIndent < 0 || n < minIndent) {
				minIndent = n
			}
		}
	}
	for i := range lines {
		for j, l := range lines[i] {
			lines[i][j] = l[min(max(minIndent, 0), len(l)):]
		}
		texts[i] = strings.Join(lines[i], "\n")
	}
	return texts
}
