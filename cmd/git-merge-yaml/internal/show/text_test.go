package show

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// newCase returns a merged file of a repository without rules. git and driver are the results of the merges.
func newCase(base, ours, theirs, git, driver string) *history.Case {
	c := &history.Case{Path: "web.yaml"}
	c.File = new(session.Session).NewFile(c.Path, []byte(base), []byte(ours), []byte(theirs))
	c.Content = history.Content{Git: []byte(git), Driver: []byte(driver)}
	all := linemerge.ParseConflicts(c.Content.Git, 0)
	c.Git.Conflicts = len(all)
	for _, k := range all {
		c.Git.Lines += k.Lines()
	}
	c.Result.Method, c.Driver.Committed = merge.MethodField, history.EqualBytes
	return c
}

const (
	base   = "a: 1\nb: 1\nc: 1\n"
	ours   = "a: 2\nb: 1\nc: 1\n"
	theirs = "a: 1\nb: 2\nc: 1\n"
	marked = "<<<<<<< ours\na: 2\nb: 1\n=======\na: 1\nb: 2\n>>>>>>> theirs\nc: 1\n"
	merged = "a: 2\nb: 2\nc: 1\n"
)

// TestOverview checks the lines of a file, for different outcomes.
func TestOverview(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*history.Case)
		want   []string // parts of the output; nil if only the last line is printed
	}{
		{"merged by field", func(*history.Case) {}, []string{
			"web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed\n",
			"-<<<<<<< ours\n",
		}},
		{"not committed", func(c *history.Case) { c.Uncommitted, c.Driver.Committed = true, "" }, []string{"; driver: clean\n"}},
		{"committed otherwise", func(c *history.Case) { c.Driver.Committed = history.Different }, []string{"not as committed"}},
		{"by lines", func(c *history.Case) { c.Result.Method, c.Result.Reason = merge.MethodDelegated, "too large" },
			[]string{"driver: clean, as committed, merged by lines (too large)\n"}},
		{"failed", func(c *history.Case) { c.Driver.Failed = "binary" }, []string{"4 lines; driver: binary\n"}},
		{"a conflict", func(c *history.Case) {
			c.Driver.Conflicts, c.Driver.Lines = 1, 2
			c.Result.Conflicts = []merge.Conflict{{Path: "a", Kind: merge.ConflictValue, Line: 3}, {Path: "b", Kind: merge.ConflictValue}}
		}, []string{"driver: 1 conflict, 2 lines\n", "  a: both modified, line 3 of the result\n  b: both modified\n--- git's line merge\n+++ driver\n@@ "}},
		{"left to its program", func(c *history.Case) {
			c.Result.Conflicts = []merge.Conflict{{Kind: session.ConflictGenerated, Detail: "kept ours"}}
		}, []string{"; kept ours, run \"git merge-yaml regenerate\"\n--- git's line merge\n"}},
		{"decided by rules", func(c *history.Case) {
			c.Result.Resolved = []merge.Conflict{{Path: "a", Took: "ours", By: merge.Decision{Policy: "ours", Source: "rules:1"}}, {Path: "v", Wrote: "1.2", By: merge.Decision{Policy: "next", Source: "rules:2"}}}
		}, []string{"  a: took ours' value by policy ours (rules:1)\n  v: wrote 1.2 by policy next (rules:2)\n"}},
		{"git's result is wrong", func(c *history.Case) { c.Git = history.Outcome{Defect: "a key twice"} }, []string{"git: clean but wrong (a key twice);"}},
		{"a long diff", func(c *history.Case) { c.Content.Git = []byte(strings.Repeat("x\n", 50)) }, []string{"-x\n ... 14 lines more\n\n"}},
		{"merged as by git", func(c *history.Case) { c.Content.Git, c.Git = c.Content.Driver, history.Outcome{} }, nil},
		{"merged as by git, with all files", func(c *history.Case) {
			c.Content.Git, c.Git = c.Content.Driver, history.Outcome{}
			c.Result.Method = merge.MethodLine
		}, []string{"web.yaml: git: clean; driver: clean, as committed\n"}},
	} {
		var b strings.Builder
		x := newCase(base, ours, theirs, marked, merged)
		c.change(x)
		e := history.Explanation{Name: "HEAD", Cases: []*history.Case{x}, Summary: history.Summary{Files: 1}}
		if err := PrintOverview(&terminal.Painter{W: &b}, e, strings.Contains(c.name, "with all files")); err != nil {
			t.Fatal(err)
		}
		if c.want == nil && b.String() != "HEAD: 1 file changed on both sides, 1 with the same result as git's line merge\n" {
			t.Errorf("%s: printed\n%s", c.name, b.String())
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, b.String())
			}
		}
	}
}

// TestOverviewTotals checks the line with the numbers of files.
func TestOverviewTotals(t *testing.T) {
	same, differs := newCase(base, ours, theirs, merged, merged), newCase(base, ours, theirs, marked, merged)
	for _, c := range []struct {
		cases []*history.Case
		want  string // the last line
	}{
		{nil, "HEAD: no YAML file changed on both sides\n"},
		{[]*history.Case{same, same}, "HEAD: 2 files changed on both sides, 2 with the same result as git's line merge\n"},
		{[]*history.Case{same, differs, same}, "HEAD: 3 files changed on both sides, 2 with the same result as git's line merge\n"},
		{[]*history.Case{differs}, "HEAD: 1 file changed on both sides\n"},
	} {
		var b strings.Builder
		e := history.Explanation{Name: "HEAD", Cases: c.cases, Summary: history.Summary{Files: len(c.cases)}}
		if err := PrintOverview(&terminal.Painter{W: &b}, e, false); err != nil || !strings.HasSuffix(b.String(), c.want) {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}

// TestDedent checks that a text that begins in the middle of a line keeps its relative indentation.
func TestDedent(t *testing.T) {
	file := []byte("c:\n  - name: a\n    ports:\n      - 1\nd: 1\n")
	for _, c := range []struct {
		of   merge.Version
		want string
	}{
		{merge.Version{Text: "name: a\n    ports:\n      - 1\n", Line: 2}, "name: a\nports:\n  - 1\n"},
		{merge.Version{Text: "    ports:\n      - 1\n", Line: 3}, "ports:\n  - 1\n"},
		{merge.Version{Text: "a\nb", Line: 0}, "a\nb"},
		{merge.Version{Text: "a", Line: 1}, "a"},
	} {
		if got := dedent(fileVersion{c.of, file})[0]; got != c.want {
			t.Errorf("%q: %q, want %q", c.of.Text, got, c.want)
		}
	}
}

// TestDedentVersions checks that several versions lose the same number of columns, also those of one line and those
// that are indented otherwise.
func TestDedentVersions(t *testing.T) {
	of := func(text string) fileVersion {
		line := 1
		if text == "" {
			line = 0
		}
		return fileVersion{merge.Version{Text: text, Line: line}, []byte(text)}
	}
	for _, c := range [][2][3]string{
		{{"    a: 1\n", "    a: 2\n", "    a:\n      - 3\n"}, {"a: 1\n", "a: 2\n", "a:\n  - 3\n"}},
		{{"", "  - a\n", "    - b\n    - c\n"}, {"", "- a\n", "  - b\n  - c\n"}},
		{{"a\n", "  b\n", ""}, {"a\n", "  b\n", ""}},
	} {
		if got := dedent(of(c[0][0]), of(c[0][1]), of(c[0][2])); [3]string(got) != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	unknown := fileVersion{merge.Version{Text: "  a\n  b\n"}, nil}
	if got := dedent(unknown, of("  c\n")); got[0] != unknown.Text || got[1] != "  c\n" {
		t.Errorf("unknown line: %q", got)
	}
}

// TestPrintFieldsEscapesValues checks that unprintable characters in values are escaped, with and without colours.
func TestPrintFieldsEscapesValues(t *testing.T) {
	c := mergeFiles(t, "a: 1\n", "a: \"x\u202ey\"\n", "a: 3\n")
	for _, colours := range []bool{false, true} {
		var out strings.Builder
		if err := PrintFields(&terminal.Painter{W: &out, Colours: colours}, history.Explanation{Cases: []*history.Case{c}}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Contains(got, "\u202e") || !strings.Contains(got, `\u202e`) || strings.Contains(got, "\x1b") != colours {
			t.Errorf("colours %v: %q", colours, got)
		}
	}
}
