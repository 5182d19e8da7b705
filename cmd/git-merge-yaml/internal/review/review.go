// Package review tells what the driver does in a merge, file by file: what git's
// merge would be, which edits it puts together that git cannot, by which rule, and
// the difference between the two results.
//
// The merge is done anew for it, by the rules as they are now.
package review

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Writer tells the files of one merge.
type Writer struct {
	*terminal.Painter
	// Open says that the merge is no commit yet.
	Open bool
	// All tells also the files in which the driver makes no difference.
	All bool

	told, alike int
}

// Case tells one file.
func (w *Writer) Case(c *replay.Case) error {
	if !w.All && w.same(c) {
		w.alike++
		return w.Err
	}
	w.told++
	w.Print(terminal.Bold, c.Path)
	w.Print(terminal.Plain, ": git: "+left(c.Git)+"; ")
	w.Print(terminal.Plain, w.driver(c))
	if c.Generated != "" {
		w.Print(terminal.Plain, "; "+c.Generated)
	}
	w.Line()
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == replay.Twice {
			w.Print(terminal.Red, "  "+x.String())
			w.Line()
		}
	}
	for _, e := range edits(c) {
		w.Print(terminal.Plain, "  "+e)
		w.Line()
	}
	w.decisions(c)
	w.Diff(short(terminal.Hunks(c.Content.Git, c.Content.Driver)))
	w.Line()
	return w.Err
}

// same reports whether git does what the driver does.
func (w *Writer) same(c *replay.Case) bool {
	same := bytes.Equal(c.Content.Git, c.Content.Driver) && c.Review.Verdict != replay.Twice
	return c.Driver.Clean() && same && (w.Open || c.Review.Verdict == "")
}

// left says what git leaves of a file.
func left(o replay.Outcome) string {
	switch {
	case o.Failed != "":
		return o.Failed
	case o.Defect != "":
		return "clean, but wrong (" + o.Defect + ")"
	case o.Clean():
		return "clean"
	}
	return terminal.Count(o.Conflicts, "conflict") + ", " + terminal.Count(o.Lines, "line")
}

// driver says how the driver merges a file, and what became of that.
func (w *Writer) driver(c *replay.Case) string {
	o := c.Driver
	s := "merged by field"
	switch {
	case o.Failed != "":
		return o.Failed
	case o.How == merge.Delegated:
		s = "merged by lines: " + session.WhyByLines(o.Reason)
	case o.How == merge.Trivial:
		s = "both sides made it alike"
	case o.How == merge.ByLine:
		s = "taken as git merges it"
	}
	if !o.Clean() {
		s += ", " + terminal.Count(o.Conflicts, "conflict") + ", " + terminal.Count(o.Lines, "line")
	} else if !w.Open {
		s += ", " + committed[o.Committed]
	}
	return s
}

// committed says how what was committed compares with what the driver makes.
var committed = map[replay.Equality]string{
	replay.EqualBytes: "as committed",
	replay.EqualData:  "the data as committed",
	replay.Different:  "otherwise than committed",
	replay.Absent:     "and deleted in the merge",
}

// decisions tells what rules decided, and what is left.
func (w *Writer) decisions(c *replay.Case) {
	for _, d := range c.Driver.Decided {
		what := "took " + d.Took
		if d.Wrote != "" {
			what = "wrote " + d.Wrote
		}
		w.Print(terminal.Yellow, fmt.Sprintf("  %s: %s by %s", driver.PathOrDocument(d.Path), what, d.By))
		w.Line()
	}
	for _, f := range c.Driver.Fields {
		w.Print(terminal.Red, fmt.Sprintf("  %s: left in conflict (%s)", driver.PathOrDocument(f.Path), f.Why()))
		w.Line()
	}
}

// enough is how many lines of a diff people read here; explain has all.
const enough = 40

func short(hunks string) string {
	lines := strings.SplitAfter(hunks, "\n")
	if len(lines) <= enough+1 {
		return hunks
	}
	return strings.Join(lines[:enough], "") + fmt.Sprintf(" ... %s more\n", terminal.Count(len(lines)-1-enough, "line"))
}

// Summary says how many files there were. Name is the merge.
func (w *Writer) Summary(name string, s replay.Summary) error {
	line := name + ": "
	switch {
	case s.Files == 0 && w.told > 0:
		line += terminal.Count(w.told, "file") + " that both sides made alike"
	case s.Files == 0:
		line += "no YAML file that both sides changed"
	case w.told == 0:
		line += terminal.Count(s.Files, "file") + " that both sides changed, each as git merges it"
	case w.alike > 0:
		line += fmt.Sprintf("%s that both sides changed, %d of them as git merges them", terminal.Count(s.Files, "file"), w.alike)
	default:
		line += terminal.Count(s.Files, "file") + " that both sides changed"
	}
	w.Print(terminal.Plain, line)
	w.Line()
	if generated := s.GeneratedFiles(); generated != "" {
		w.Print(terminal.Plain, generated)
		w.Line()
	}
	for _, l := range s.LeftOut() {
		w.Print(terminal.Plain, "left out: "+l)
		w.Line()
	}
	return w.Err
}

// edits tells the edits of both sides that stand in conflicts of git's merge, and
// by which rule the lists around them are merged.
func edits(c *replay.Case) (lines []string) {
	var ours, theirs [][]byte // in conflict
	for _, x := range merge.ParseConflicts(c.Content.Git, 0) {
		ours, theirs = append(ours, x.Ours), append(theirs, x.Theirs)
	}
	for _, side := range []struct {
		name string
		text []byte
		open [][]byte
	}{{"ours", c.Content.Ours, ours}, {"theirs", c.Content.Theirs, theirs}} {
		changes, err := c.File.Changes(side.text)
		if err != nil {
			return nil
		}
		at := place(side.text, side.open)
		for _, x := range changes {
			if slices.ContainsFunc(at, func(s span) bool { return s.holds(x.To.Line) || x.To.Line == 0 }) {
				lines = append(lines, edit(side.name, x))
			}
		}
	}
	return lines
}

// edit tells one edit of a side.
func edit(side string, c merge.Change) string {
	s := fmt.Sprintf("%-6s %s %s", side, c.Kind, driver.PathOrDocument(c.Path))
	from, to := oneLine(c.From.Text), oneLine(c.To.Text)
	switch {
	case (c.Kind == merge.ChangeModified || c.OfActions()) && from != "" && to != "":
		s += ": " + from + " -> " + to
	case (c.Kind == merge.ChangeAdded || c.OfActions()) && to != "":
		s += ": " + to
	case c.OfActions() && from != "":
		s += ": not " + from
	}
	if c.List != "" {
		s += " [" + c.List + "]"
	}
	return s
}

// oneLine is a value that is one line, or "".
func oneLine(text string) string {
	if text = strings.TrimSpace(text); strings.Contains(text, "\n") {
		return ""
	}
	return text
}
