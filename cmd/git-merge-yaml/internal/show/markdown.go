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

// Limits of the Markdown text. GitHub accepts comments of up to 65,536 characters.
const (
	maxMarkdownBytes = 60_000 // of the whole text, except for the note that it is incomplete
	maxValueLines    = 40     // of a version
	maxLineBytes     = 300    // of a line of a version, or of inline code
)

// WriteMarkdown writes the conflicts of a merge, and the files that have to be generated again, as a comment for a pull
// request. Without any, it writes nothing or, for a merge of one file, "no conflicts". Text from the repository is
// written as code that it cannot end. If the comment would become too long, its last line has the number of conflicts
// left out.
func WriteMarkdown(w io.Writer, e history.Explanation) error {
	var b strings.Builder
	isFull, missing := false, 0
	// add appends text, which is about this number of conflicts or paths, unless the limit is exceeded.
	add := func(text string, conflicts int) {
		if isFull = isFull || b.Len()+len(text) > maxMarkdownBytes; isFull {
			missing += conflicts
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
		line := "- " + inlineCode(n.Path)
		switch {
		case n.File != nil:
			line += ": " + describePathConflict(n)
		case n.Kind != "":
			line += ": " + n.Kind
		}
		add(line+"\n", 1)
	}
	var generatedFiles []string
	for _, c := range e.Cases {
		all := conflictsWithTexts(c)
		switch {
		case session.NeedsRegeneration(c.Result):
			rule, _ := c.File.GeneratedRule()
			generatedFiles = append(generatedFiles, "- "+inlineCode(c.Path)+": "+inlineCode(rule.By)+"\n")
			continue
		case len(all) > 0:
			heading("### " + inlineCode(c.Path) + ": " + terminal.CountNoun(len(all), "conflict"))
		case len(e.Cases) == 1:
			heading("### " + inlineCode(c.Path) + ": no conflicts")
		}
		if len(all) > 0 && c.Result.Method == merge.MethodDelegated {
			add("Merged by lines: "+inlineCode(c.Result.Reason)+"\n\n", 0)
		}
		if by, ok := c.File.Generator(); ok && len(all) > 0 {
			add(inlineCode(driver.MakerMessage(by))+"\n\n", 0)
		}
		if c.Result.Refused != "" {
			add(inlineCode(c.Result.Refused)+"\n\n", 0)
		}
		for _, x := range all {
			add(conflictItem(c, x), 1)
		}
	}
	if len(generatedFiles) > 0 {
		heading("### Generated: " + terminal.CountNoun(len(generatedFiles), "file"))
		add("Run `git merge-yaml regenerate` after the sources are merged.\n\n", 0)
	}
	for _, line := range generatedFiles {
		add(line, 1)
	}
	if isFull {
		fmt.Fprintf(&b, "\n%s left out, because the comment would be too long; `git merge-yaml explain PATH` lists those of a file.\n", terminal.CountNoun(missing, "more conflict"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// conflictItem returns a list item in Markdown for x, a conflict of c: the path of the field, the reason, the line in
// the result, and the three versions as code blocks. A version without text is written as "none". The item ends with a
// blank line.
func conflictItem(c *history.Case, x merge.Conflict) string {
	why := x.Why()
	if x.Deletion() != "" {
		why = inlineCode(why) // contains paths
	}
	text := fmt.Sprintf("- %s: %s%s\n\n", inlineCode(conflictPlace(x)), why, lineSuffix(x))
	for _, v := range namedVersions(c, x) {
		if v.Text == "" {
			text += "  " + v.name + ": none\n\n"
		} else {
			text += "  " + v.name + ":\n" + codeBlock("  ", v.Text) + "\n"
		}
	}
	return text
}

// codeBlock returns text as a fenced code block with a final line break. Each line begins with indent, so that the
// block can be part of a list item. text cannot end the fence. At most maxValueLines lines are included, each truncated
// to maxLineBytes; the number of the others is written below the block.
func codeBlock(indent, text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	more := len(lines) - maxValueLines
	lines = lines[:min(len(lines), maxValueLines)]
	for i, l := range lines {
		lines[i] = indent + truncateLine(terminal.EscapeLine(strings.TrimSuffix(l, "\r"))) + "\n"
	}
	block := strings.Join(lines, "")
	fence := indent + strings.Repeat("`", max(3, longestBacktickRun(block)+1))
	block = fence + "yaml\n" + block + fence + "\n"
	if more > 0 {
		block += fmt.Sprintf("\n%s... %s more\n", indent, terminal.CountNoun(more, "line"))
	}
	return block
}

// inlineCode returns text as inline code, between more backticks than text contains in a row. Unprintable characters
// are escaped, so that the result is one line, and text is truncated to maxLineBytes. Blanks separate the backticks
// from a text that is empty, or that begins or ends with a blank or a backtick.
//
//	a     `a`
//	a`b   ``a`b``
func inlineCode(text string) string {
	text = truncateLine(terminal.EscapeLine(text))
	quote := strings.Repeat("`", longestBacktickRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) != text || text == "" {
		text = " " + text + " "
	}
	return quote + text + quote
}

// longestBacktickRun returns the length of the longest run of backticks in text, that is of backticks in a row; 0 if
// there are none.
func longestBacktickRun(text string) int {
	most, run := 0, 0
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// truncateLine returns line, cut after maxLineBytes with an ellipsis if it is longer, and otherwise line itself. It
// does not cut inside of a character, so that a few bytes less may remain; the ellipsis is not counted.
func truncateLine(line string) string {
	if len(line) <= maxLineBytes {
		return line
	}
	end := maxLineBytes
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// SaveReport writes the files of a merge to the folder dir, for an issue: the versions, the results, the team's rules,
// case.json, and about.md with the text of the issue. programs are lines of that text, such as git's version. If e has
// several files, each gets its own folder in dir. Folders are created, and existing files replaced. rules may be nil.
// It is an error if e has no files.
func SaveReport(dir string, e history.Explanation, rules []byte, programs ...string) error {
	if len(e.Cases) == 0 {
		return errors.New("nothing to save: no YAML file changed on both sides")
	}
	for _, c := range e.Cases {
		to := dir
		if len(e.Cases) > 1 {
			to = filepath.Join(dir, fmt.Sprintf("%04d-%s", c.Number, terminal.EscapeLine(path.Base(c.Path))))
		}
		object, err := json.Marshal(newCaseObject(c))
		if err != nil {
			return err
		}
		err = writeFiles(to, map[string][]byte{
			"base.yaml":      c.File.Base,
			"ours.yaml":      c.File.Ours,
			"theirs.yaml":    c.File.Theirs,
			"committed.yaml": c.Content.Committed,
			"git.yaml":       c.Content.Git,
			"driver.yaml":    c.Content.Driver,
			"case.json":      append(object, '\n'),
			"about.md":       reportText(c, rules, programs),
			savedRulesName:   rules,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFiles creates the folder dir and writes files, from names to contents, to it. A file that is nil is not written.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, data := range files {
		if data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// savedRulesName is the name of the file with the team's rules in a saved folder.
const savedRulesName = ".git-merge-yaml.yaml"

// reportText returns the content of about.md, the text of an issue about the merge of c: the results, the conflicts,
// and the command that repeats the merge in the folder of the saved versions. programs are lines about the versions of
// programs, such as git's. rules is the content of the team's rules file, or nil.
func reportText(c *history.Case, rules []byte, programs []string) []byte {
	var b, line bytes.Buffer
	printHeadline(&terminal.Painter{W: &line}, c)
	fmt.Fprintf(&b, "# Merge of %s\n\n", inlineCode(c.Path))
	for _, s := range append([]string{strings.TrimSpace(line.String()), c.Result.Refused}, programs...) {
		if s != "" {
			fmt.Fprintf(&b, "- %s\n", inlineCode(s))
		}
	}
	for _, x := range c.Result.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s)%s\n", inlineCode(conflictPlace(x)), x.Kind, lineSuffix(x))
	}
	for _, x := range c.Result.Resolved {
		fmt.Fprintf(&b, "- resolved: %s by %s\n", inlineCode(conflictPlace(x)), inlineCode(x.By.String()))
	}
	for _, x := range c.Result.Combined {
		fmt.Fprintf(&b, "- combined: %s\n", inlineCode(x.String()))
	}
	for _, g := range c.Result.GuessedOrders {
		fmt.Fprintf(&b, "- combined: %s\n", inlineCode(g.String()))
	}
	options := ""
	if c.File.RuleSet != "" {
		options = " --rules " + terminal.QuoteForShell(c.File.RuleSet)
	}
	if rules != nil {
		options += " --config " + savedRulesName
		for side, own := range situation.OwnByName {
			if own == c.File.OwnSide() {
				options += " --own " + side
			}
		}
	}
	fmt.Fprintf(&b, "\ndriver.yaml is the output of this command in this folder:\n\n    git merge-yaml -p --path %s%s base.yaml ours.yaml theirs.yaml\n\ngit.yaml is git's line merge",
		terminal.EscapeLine(terminal.QuoteForShell(c.Path)), options)
	if c.Content.Committed != nil {
		b.WriteString(", committed.yaml is the committed file")
	}
	b.WriteString(".\n\nExpected result:\n")
	return b.Bytes()
}
