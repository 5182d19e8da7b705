package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// caseOf is a file of a repository without rules, as git and the driver merge it.
func caseOf(base, ours, theirs, git, driver string) *replay.Case {
	c := &replay.Case{Path: "web.yaml"}
	c.File = new(session.Session).WithoutRules().File(c.Path, []byte(base), []byte(ours), []byte(theirs), nil)
	c.Content = replay.Content{Base: []byte(base), Ours: []byte(ours), Theirs: []byte(theirs), Git: []byte(git), Driver: []byte(driver)}
	all := merge.ParseConflicts(c.Content.Git, 0)
	c.Git.Conflicts, c.Git.Lines = len(all), merge.LinesInConflict(c.Content.Git, 0)
	c.Driver.How, c.Driver.Committed = merge.Structural, replay.EqualBytes
	return c
}

const (
	base   = "a: 1\nb: 1\nc: 1\n"
	ours   = "a: 2\nb: 1\nc: 1\n"
	theirs = "a: 1\nb: 2\nc: 1\n"
	marked = "<<<<<<< ours\na: 2\nb: 1\n=======\na: 1\nb: 2\n>>>>>>> theirs\nc: 1\n"
	merged = "a: 2\nb: 2\nc: 1\n"
)

func TestCase(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*replay.Case, *Writer)
		want   []string // in what is told; none where nothing is told
	}{
		{"put together", func(*replay.Case, *Writer) {}, []string{
			"web.yaml: git: 1 conflict, 4 lines; merged by field, as committed\n",
			"  ours   modified a: 1 -> 2\n  theirs modified b: 1 -> 2\n", "-<<<<<<< ours\n",
		}},
		{"no commit yet", func(_ *replay.Case, w *Writer) { w.Open = true }, []string{"; merged by field\n"}},
		{"committed otherwise", func(c *replay.Case, _ *Writer) { c.Driver.Committed = replay.Different }, []string{"otherwise than committed"}},
		{"by lines", func(c *replay.Case, _ *Writer) { c.Driver.How, c.Driver.Reason = merge.Delegated, "too large" },
			[]string{"merged by lines: too large, as committed\n"}},
		{"it failed", func(c *replay.Case, _ *Writer) { c.Driver.Failed = "binary" }, []string{"4 lines; binary\n"}},
		{"a conflict is left", func(c *replay.Case, _ *Writer) {
			c.Driver.Conflicts, c.Driver.Lines = 1, 2
			c.Driver.Fields = []merge.Conflict{{Path: "a", Kind: merge.ConflictValue}}
		}, []string{"by field, 1 conflict, 2 lines\n", "  a: left in conflict (both changed it, each to something else)\n"}},
		{"rules decided", func(c *replay.Case, _ *Writer) {
			c.Driver.Decided = []merge.Conflict{{Path: "a", Took: "ours", By: "policy ours (rules:1)"}, {Path: "v", Wrote: "1.2", By: "policy next"}}
		}, []string{"  a: took ours by policy ours (rules:1)\n  v: wrote 1.2 by policy next\n"}},
		{"git is wrong", func(c *replay.Case, _ *Writer) { c.Git = replay.Outcome{Defect: "a key twice"} }, []string{"git: clean, but wrong (a key twice);"}},
		{"as git", func(c *replay.Case, _ *Writer) { c.Content.Git = c.Content.Driver }, nil},
		{"as git, but all is asked for", func(c *replay.Case, w *Writer) {
			c.Content.Git, c.Git, w.All = c.Content.Driver, replay.Outcome{}, true
			c.Driver.How = merge.ByLine
		}, []string{"web.yaml: git: clean; taken as git merges it, as committed\n"}},
	} {
		var b strings.Builder
		w := &Writer{Painter: &terminal.Painter{W: &b}}
		x := caseOf(base, ours, theirs, marked, merged)
		c.change(x, w)
		if err := w.Case(x); err != nil {
			t.Fatal(err)
		}
		if c.want == nil && b.Len() > 0 {
			t.Errorf("%s: told\n%s", c.name, b.String())
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, b.String())
			}
		}
	}
}

// TestPlace holds which lines of a file the conflicts of a side are.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		file  string
		parts []string
		want  string
	}{
		{"a\nb\nc\n", []string{"b\n"}, "[{2 2}]"},
		{"a\nb\na\nb\n", []string{"a\nb\n", "a\nb\n"}, "[{1 2} {3 4}]"},
		{"a\r\nb", []string{"a\n", "b\n"}, "[{1 1} {2 2}]"},
		{"a\n", []string{"", "x\n", "a\n"}, "[{1 1}]"},
		{"a\n", []string{"a\nb\n"}, "[]"},
	} {
		var parts [][]byte
		for _, p := range c.parts {
			parts = append(parts, []byte(p))
		}
		if got := fmt.Sprint(place([]byte(c.file), parts)); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.parts, c.file, got, c.want)
		}
	}
}

func TestEdit(t *testing.T) {
	v := func(s string) merge.Version { return merge.Version{Text: s} }
	for _, c := range []struct {
		of   merge.Change
		want string
	}{
		{merge.Change{Kind: merge.ChangeModified, Path: "a", From: v("1"), To: v("2 ")}, "ours   modified a: 1 -> 2"},
		{merge.Change{Kind: merge.ChangeAdded, Path: "a", To: v("b: 1\nc: 1\n")}, "ours   added a"},
		{merge.Change{Kind: merge.ChangeAdded, Path: "l[0]", To: v("x"), List: "set"}, "ours   added l[0]: x [set]"},
	} {
		if got := edit("ours", c.of); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		told, alike, files int
		want               string
	}{
		{0, 0, 0, "HEAD: no YAML file that both sides changed\n"},
		{0, 2, 2, "HEAD: 2 files that both sides changed, each as git merges it\n"},
		{1, 2, 3, "HEAD: 3 files that both sides changed, 2 of them as git merges them\n"},
		{1, 0, 1, "HEAD: 1 file that both sides changed\n"},
	} {
		var b strings.Builder
		w := &Writer{Painter: &terminal.Painter{W: &b}, told: c.told, alike: c.alike}
		if err := w.Summary("HEAD", replay.Summary{Files: c.files}); err != nil || b.String() != c.want {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
	long := strings.Repeat("x\n", enough+5)
	if got := short(long); !strings.HasSuffix(got, "x\n ... 5 lines more\n") || short("x\n") != "x\n" {
		t.Errorf("%q", got)
	}
}
