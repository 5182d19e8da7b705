package show

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// What is written as Markdown is bounded: GitHub takes no comment of more than
// 65,536 characters.
const (
	maxMarkdown      = 60_000
	maxMarkdownLines = 40  // of a value
	maxMarkdownLine  = 300 // bytes
)

// A markdown is a comment on conflicts. Nothing in a path or a value can end the
// code that it stands in.
type markdown struct {
	strings.Builder
	conflicts, files int // that there is no room for
}

// Markdown writes what is in conflict in files, for a comment on a pull request: first the
// names of paths that are in conflict otherwise than by their content, last those of files that a program is to
// make again.
func Markdown(w io.Writer, files []*history.Case, names []history.Name) error {
	var m markdown
	m.others(names)
	var made []*history.Case
	for _, c := range files {
		if session.IsLeft(c.Result) {
			made = append(made, c)
		} else if !c.Result.Clean() || len(files) == 1 {
			m.file(c)
		}
	}
	m.generated(made)
	return m.write(w)
}

// generated writes the names of unmerged files that a program is to make again, and of how
// many that is.
func (m *markdown) generated(files []*history.Case) {
	if len(files) == 0 {
		return
	}
	m.entry(fmt.Sprintf("### Generated: %s\n\n`git merge-yaml regenerate` makes them again once their sources are merged.\n\n", terminal.Count(len(files), "file")), nil)
	for _, c := range files {
		rule, _ := c.File.Rule()
		if !m.add("- " + code(c.Path) + ": " + code(rule.By) + "\n") {
			m.files++
		}
	}
}

// others writes paths that are in conflict otherwise than by the content of YAML.
func (m *markdown) others(names []history.Name) {
	if len(names) == 0 {
		return
	}
	m.entry("### Not merged as YAML\n\n", nil)
	for _, n := range names {
		line := "- " + code(n.Path)
		switch {
		case n.File != nil:
			line += ": " + nameConflict(n)
		case n.Kind != "":
			line += ": " + n.Kind
		}
		if !m.add(line + "\n") {
			m.files++
		}
	}
}

// file writes a heading, and a bullet for each conflict of a file.
func (m *markdown) file(c *history.Case) {
	said := "no conflicts"
	if n := len(c.Result.Conflicts); n > 0 {
		said = terminal.Count(n, "conflict")
	}
	head := "### " + code(c.Path) + ": " + said + "\n\n"
	if c.Result.Method == merge.Delegated && !c.Result.Clean() {
		head += "Merged by lines: " + code(session.WhyByLines(c.Result.Reason)) + "\n\n"
	}
	if by, ok := c.File.Maker(); ok && !c.Result.Clean() {
		head += code(driver.MakerMessage(by)) + "\n\n"
	}
	if c.Result.Refused != "" {
		head += code(c.Result.Refused) + "\n\n"
	}
	var bullets []string
	for _, x := range conflicts(c) {
		bullets = append(bullets, bullet(x))
	}
	m.entry(head, bullets)
}

// entry writes a heading and its bullets, as many as there is room for, and counts the
// rest.
func (m *markdown) entry(heading string, bullets []string) {
	if m.Len() > 0 {
		heading = "\n" + heading
	}
	if !m.add(heading) {
		m.files++
		m.conflicts += len(bullets)
		return
	}
	for _, b := range bullets {
		if !m.add(b) {
			m.conflicts++
		}
	}
}

// add writes text, and reports whether there was room for it.
func (m *markdown) add(text string) bool {
	if m.Len()+len(text) > maxMarkdown {
		return false
	}
	m.WriteString(text)
	return true
}

func (m *markdown) write(w io.Writer) error {
	if m.conflicts+m.files > 0 {
		fmt.Fprintf(m, "\nThere is no room here for %s; `git merge-yaml explain PATH` shows those of a file.\n", m.left())
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// left says how much there is no room for.
func (m *markdown) left() string {
	var parts []string
	if m.conflicts > 0 {
		parts = append(parts, terminal.Count(m.conflicts, "more conflict"))
	}
	if m.files > 0 {
		parts = append(parts, terminal.Count(m.files, "more file"))
	}
	return strings.Join(parts, " and ")
}

// bullet is a conflict with its three versions.
func bullet(c merge.Conflict) string {
	var b strings.Builder
	name := code(c.Path)
	switch {
	case c.Kind == merge.ConflictLine && c.Path == "":
		name = "lines"
	case c.Path == "":
		name = "the whole document"
	}
	why := c.Why()
	if c.Deletion() != "" {
		why = code(why) // it names fields
	}
	fmt.Fprintf(&b, "- %s (%s), line %d of the result\n\n", name, why, c.Line)
	for _, v := range []struct {
		name string
		merge.Version
	}{{"base", c.Base}, {"ours", c.Ours}, {"theirs", c.Theirs}} {
		if v.Text == "" {
			fmt.Fprintf(&b, "  %s: none\n\n", v.name)
			continue
		}
		fmt.Fprintf(&b, "  %s:\n%s\n", v.name, fenced("  ", v.Text))
	}
	return b.String()
}

// fenced is text as a block of code in a list item, behind a fence that the text
// does not have.
func fenced(indent, text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	more := len(lines) - maxMarkdownLines
	lines = lines[:min(len(lines), maxMarkdownLines)]
	for i, l := range lines {
		lines[i] = shortened(terminal.Printable(strings.TrimSuffix(l, "\r")))
	}
	fence := strings.Repeat("`", max(3, longestRun(strings.Join(lines, "\n"))+1))
	var b strings.Builder
	b.WriteString(indent + fence + "yaml\n")
	for _, l := range lines {
		b.WriteString(indent + l + "\n")
	}
	b.WriteString(indent + fence + "\n")
	if more > 0 {
		fmt.Fprintf(&b, "\n%s... %s more\n", indent, terminal.Count(more, "line"))
	}
	return b.String()
}

// code is text as code within a line.
func code(text string) string {
	text = shortened(terminal.Printable(text))
	quote := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) != text || text == "" {
		text = " " + text + " "
	}
	return quote + text + quote
}

// longestRun returns the number of backticks that stand together at most.
func longestRun(text string) int {
	most, run := 0, 0
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// shortened cuts a line that nobody reads to its end.
func shortened(line string) string {
	if len(line) <= maxMarkdownLine {
		return line
	}
	end := maxMarkdownLine
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}
