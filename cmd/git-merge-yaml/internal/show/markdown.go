package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
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

// Markdown writes what is in conflict, for a comment on a pull request: first the
// names of paths that are in conflict otherwise than by their content, last those of files
// that a program is to make again. Nothing in a path or a value can end the code that it
// stands in. Where there is no room, it ends with what is missing.
func Markdown(w io.Writer, e history.Explanation) error {
	var b strings.Builder
	full, missing := false, 0
	// add writes a text of so many conflicts or names, if there is room.
	add := func(text string, n int) {
		if full = full || b.Len()+len(text) > maxMarkdown; full {
			missing += n
			return
		}
		b.WriteString(text)
	}
	heading := func(text string) {
		if b.Len() > 0 {
			text = "\n" + text
		}
		add(text+"\n\n", 0)
	}
	if len(e.PathConflicts) > 0 {
		heading("### Not merged as YAML")
	}
	for _, n := range e.PathConflicts {
		line := "- " + code(n.Path)
		switch {
		case n.File != nil:
			line += ": " + nameConflict(n)
		case n.Kind != "":
			line += ": " + n.Kind
		}
		add(line+"\n", 1)
	}
	var made []string
	for _, c := range e.Cases {
		all := conflicts(c)
		switch {
		case session.IsLeft(c.Result):
			rule, _ := c.File.Rule()
			made = append(made, "- "+code(c.Path)+": "+code(rule.By)+"\n")
			continue
		case len(all) > 0:
			heading("### " + code(c.Path) + ": " + terminal.CountNoun(len(all), "conflict"))
		case len(e.Cases) == 1:
			heading("### " + code(c.Path) + ": no conflicts")
		}
		if len(all) > 0 && c.Result.Method == merge.Delegated {
			add("Merged by lines: "+code(c.Result.Reason)+"\n\n", 0)
		}
		if by, ok := c.File.Maker(); ok && len(all) > 0 {
			add(code(driver.MakerMessage(by))+"\n\n", 0)
		}
		if c.Result.Refused != "" {
			add(code(c.Result.Refused)+"\n\n", 0)
		}
		for _, x := range all {
			add(bullet(c, x), 1)
		}
	}
	if len(made) > 0 {
		heading("### Generated: " + terminal.CountNoun(len(made), "file"))
		add("`git merge-yaml regenerate` makes them again once their sources are merged.\n\n", 0)
	}
	for _, line := range made {
		add(line, 1)
	}
	if full {
		fmt.Fprintf(&b, "\nThere is no room here for %d more; `git merge-yaml explain PATH` shows those of a file.\n", missing)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// bullet is a conflict with its three versions.
func bullet(c *history.Case, x merge.Conflict) string {
	why := x.Why()
	if x.Deletion() != "" {
		why = code(why) // it names fields
	}
	text := fmt.Sprintf("- %s (%s), line %d of the result\n\n", code(place(x)), why, x.Line)
	for _, v := range versions(c, x) {
		if v.Text == "" {
			text += "  " + v.name + ": none\n\n"
		} else {
			text += "  " + v.name + ":\n" + fenced("  ", v.Text) + "\n"
		}
	}
	return text
}

// fenced is text as a block of code in a list item, behind a fence that the text
// does not have.
func fenced(indent, text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	more := len(lines) - maxMarkdownLines
	lines = lines[:min(len(lines), maxMarkdownLines)]
	for i, l := range lines {
		lines[i] = indent + shortened(terminal.EscapeLine(strings.TrimSuffix(l, "\r"))) + "\n"
	}
	block := strings.Join(lines, "")
	fence := indent + strings.Repeat("`", max(3, longestRun(block)+1))
	block = fence + "yaml\n" + block + fence + "\n"
	if more > 0 {
		block += fmt.Sprintf("\n%s... %s more\n", indent, terminal.CountNoun(more, "line"))
	}
	return block
}

// code is text as code within a line.
func code(text string) string {
	text = shortened(terminal.EscapeLine(text))
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

// Save writes a folder for an issue, which has one for each file if there are several: the versions,
// the team's rules, nil if there are none, and about.md, the text, with what made it.
func Save(dir string, e history.Explanation, rules []byte, programs ...string) error {
	if len(e.Cases) == 0 {
		return errors.New("there is nothing to save: no YAML file that both sides changed")
	}
	for _, c := range e.Cases {
		to := dir
		if len(e.Cases) > 1 {
			to = filepath.Join(dir, fmt.Sprintf("%04d-%s", c.Number, terminal.EscapeLine(path.Base(c.Path))))
		}
		object, err := json.Marshal(fileOf(c))
		if err == nil {
			err = os.MkdirAll(to, 0o777)
		}
		v := &c.Content
		for name, data := range map[string][]byte{
			"base.yaml": c.File.Base, "ours.yaml": c.File.Ours, "theirs.yaml": c.File.Theirs, "committed.yaml": v.Committed, "git.yaml": v.Git, "driver.yaml": v.Driver,
			"case.json": append(object, '\n'), "about.md": about(c, rules, programs), rulesName: rules,
		} {
			if data != nil && err == nil {
				err = os.WriteFile(filepath.Join(to, name), data, 0o666)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const rulesName = ".git-merge-yaml.yaml"

// about is the text of an issue about a file.
func about(c *history.Case, rules []byte, programs []string) []byte {
	var b, line bytes.Buffer
	headline(&terminal.Painter{W: &line}, c)
	fmt.Fprintf(&b, "# A merge of %s\n\n", code(c.Path))
	for _, s := range append([]string{strings.TrimSpace(line.String()), c.Result.Refused}, programs...) {
		if s != "" {
			fmt.Fprintf(&b, "- %s\n", code(s))
		}
	}
	for _, x := range c.Result.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s), line %d of the result\n", code(place(x)), x.Kind, x.Line)
	}
	for _, x := range c.Result.Resolved {
		fmt.Fprintf(&b, "- decided: %s by %s\n", code(place(x)), code(x.By.String()))
	}
	for _, x := range c.Result.Combined {
		fmt.Fprintf(&b, "- combined: %s\n", code(driver.CombinedMessage(x)))
	}
	options := ""
	if c.File.RuleSet != "" {
		options = " --rules " + terminal.QuoteForShell(c.File.RuleSet)
	}
	if rules != nil {
		options += " --config " + rulesName
		for side, own := range situation.OwnByName {
			if own == c.File.OwnSide() {
				options += " --own " + side
			}
		}
	}
	fmt.Fprintf(&b, "\ndriver.yaml is what this prints, here:\n\n    git merge-yaml -p --path %s%s base.yaml ours.yaml theirs.yaml\n\ngit.yaml is git's line merge",
		terminal.EscapeLine(terminal.QuoteForShell(c.Path)), options)
	if c.Content.Committed != nil {
		b.WriteString(", committed.yaml what was committed")
	}
	b.WriteString(".\n\nWhat was expected instead:\n")
	return b.Bytes()
}
