package replay

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Text writes a replay for people.
type Text struct {
	*terminal.Painter
	// Listed says which files are listed, and nil that it is all of them.
	Listed func(*Case) bool
	hidden int
}

// Case writes one line about c:
//
//	#1 3f2a91c0ab k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func (t *Text) Case(c *Case) error {
	if t.Listed != nil && !t.Listed(c) {
		t.hidden++
		return t.Err
	}
	t.line(c)
	return t.Err
}

func (t *Text) line(c *Case) {
	t.Print(terminal.Faint, "#"+strconv.Itoa(c.Number)+" ")
	t.Print(terminal.Yellow, c.Merge.Short())
	t.Print(terminal.Plain, " ")
	t.Print(terminal.Bold, c.Path)
	t.Print(terminal.Plain, ": git: ")
	t.outcome(c.Git, "")
	t.Print(terminal.Plain, "; driver: ")
	t.outcome(c.Driver, c.Review.words())
	if c.Generated != "" {
		t.Print(terminal.Plain, "; "+c.Generated)
	}
	t.Line()
}

// outcome writes what an engine left, and about the committed file.
func (t *Text) outcome(o Outcome, about string) {
	s, colour := o.Failed, terminal.Plain
	switch {
	case o.Failed != "":
	case o.Clean():
		s, colour = "clean, "+o.Committed.words(), terminal.Green
		if o.Committed == Different || o.Committed == Absent {
			colour = terminal.Yellow
		}
	default:
		s, colour = terminal.Count(o.Conflicts, "conflict")+", "+terminal.Count(o.Lines, "line"), terminal.Red
	}
	t.Print(colour, s)
	if about != "" {
		t.Print(terminal.Plain, ", "+about)
	}
	if o.Defect != "" {
		t.Print(terminal.Red, ", but wrong")
		t.Print(terminal.Plain, " ("+o.Defect+")")
	}
	if o.How == merge.Delegated {
		t.Print(terminal.Plain, ", by lines ("+session.WhyByLines(o.Reason)+")")
	}
}

func (e Equality) words() string {
	switch e {
	case EqualBytes:
		return "as committed"
	case EqualData:
		return "the data as committed"
	case Absent:
		return "but deleted in the merge"
	}
	return "not as committed"
}

// Summary writes what a person can act on.
func (t *Text) Summary(s Summary) error {
	var b strings.Builder
	if t.hidden > 0 {
		fmt.Fprintf(&b, "not listed: %s in which the driver makes no difference (--all-files)\n", terminal.Count(t.hidden, "file"))
	}
	if s.Interrupted {
		b.WriteString("interrupted; until then: ")
	}
	fmt.Fprintf(&b, "%s in %s; %d with a YAML file that both sides changed, %s in all\n",
		terminal.Count(s.Merges, "merge"), terminal.Count(s.Commits, "commit"), s.Touched, terminal.Count(s.Files, "file"))
	for _, l := range s.LeftOut() {
		fmt.Fprintf(&b, "left out: %s\n", terminal.Printable(l))
	}
	if n := s.Otherwise.Twice; n > 0 {
		fmt.Fprintf(&b, "%s with one version for two releases, where the policy next is for it\n", terminal.Count(n, "file"))
	}
	if s.Files > 0 {
		table(&b, s)
		findings(&b, s)
		fmt.Fprintf(&b, "\ntook %s", round(s.Time))
		if s.Time >= time.Second { // less is no measure of a rate
			fmt.Fprintf(&b, ": %.0f merges and %.0f files per second", s.PerSecond(s.Merges), s.PerSecond(s.Files))
		}
		b.WriteByte('\n')
		s.Charts.write(&b)
	}
	if t.Err == nil {
		_, t.Err = io.WriteString(t.W, b.String())
	}
	return t.Err
}

// LeftOut says what is not in the other numbers.
func (s Summary) LeftOut() (lines []string) {
	for _, l := range []struct {
		n   int
		of  string
		why string
	}{
		{s.Octopus, "merge", "of more than two branches, where git calls no driver"},
		{s.CutOff, "merge", "whose common ancestor this shallow clone has not"},
		{s.Deleted, "file", "that one side deleted and the other changed, where git calls no driver"},
		{s.Names, "file", "with a new name that the other side gave to something else"},
	} {
		if l.n > 0 {
			lines = append(lines, terminal.Count(l.n, l.of)+" "+l.why)
		}
	}
	if s.Unread > 0 {
		lines = append(lines, terminal.Count(s.Unread, "merge")+" that could not be read: "+s.Err.Error())
	}
	return lines
}

func table(w io.Writer, s Summary) {
	fmt.Fprintf(w, "\n%25s%17s\n", "git", "git-merge-yaml")
	for _, r := range []struct {
		name        string
		git, driver int
	}{
		{"files clean", s.Git.Clean.All(), s.Driver.Clean.All()},
		{"  as committed", s.Git.Clean.Bytes, s.Driver.Clean.Bytes},
		{"  committed data", s.Git.Clean.Data, s.Driver.Clean.Data},
		{"  otherwise", s.Git.Clean.Different, s.Driver.Clean.Different},
		{"files in conflict", s.Git.Conflicts, s.Driver.Conflicts},
		{"  conflicts", s.Git.Places, s.Driver.Places},
		{"  lines in them", s.Git.Lines, s.Driver.Lines},
		{"of them generated", s.Git.Generated.Files, s.Driver.Generated.Files},
		{"  lines in them", s.Git.Generated.Lines, s.Driver.Generated.Lines},
	} {
		if s.Git.Generated.Files+s.Driver.Generated.Files == 0 && r.name == "of them generated" {
			break
		}
		fmt.Fprintf(w, "%-18s%7d%17d\n", r.name, r.git, r.driver)
	}
}

func findings(w io.Writer, s Summary) {
	fmt.Fprintln(w)
	if s.Git.Conflicts > 0 {
		fmt.Fprintf(w, "of %s that git left in conflict, git-merge-yaml resolves %d: %d as people did to the byte, %d to the same data, %d otherwise\n",
			terminal.Count(s.Git.Conflicts, "file"), s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)
	}
	if generated := s.GeneratedFiles(); generated != "" {
		fmt.Fprintf(w, "%s: no merge of them is right\n", generated)
	}
	if n := s.Driver.Clean.Different; n > 0 {
		fmt.Fprintf(w, "%d otherwise: %s\n", n, s.Otherwise.words())
	}
	if s.Defects > 0 {
		fmt.Fprintf(w, "of %s that git merged clean but wrong (a doubled key, a lost or misplaced item), git-merge-yaml merges %d\n",
			terminal.Count(s.Defects, "file"), s.Mended)
	}
	if s.Worse > 0 {
		fmt.Fprintf(w, "%s that git merged clean: git-merge-yaml leaves a conflict\n", terminal.Count(s.Worse, "file"))
	}
	if s.Changed > 0 {
		fmt.Fprintf(w, "%s that git merged clean: git-merge-yaml merges otherwise\n", terminal.Count(s.Changed, "file"))
	}
	if s.Git.Conflicts+s.Defects+s.Worse+s.Changed == 0 {
		fmt.Fprintln(w, "git merges all of them as git-merge-yaml does")
	}
}

// Details shows cases as what each side changed, and people beside the driver.
type Details struct{ *Text }

// Case writes c, and its findings and diffs.
func (t Details) Case(c *Case) error {
	t.line(c)
	for _, f := range c.Review.Findings {
		t.Print(terminal.Plain, "committed: "+f.String())
		t.Line()
	}
	for _, d := range c.diffs() {
		t.Line()
		t.Print(terminal.Bold, "==== "+d.from+" to "+d.to)
		t.Line()
		if d.text == "" {
			t.Print(terminal.Plain, "the same")
			t.Line()
		}
		t.Diff(d.text)
	}
	return t.Err
}

// A fileDiff is how one version of a case became another one: the hunks of a
// unified diff.
type fileDiff struct{ from, to, text string }

// diffs are what each side made of the base, the driver of what git leaves, and people
// of what the driver left.
func (c *Case) diffs() []fileDiff {
	v := &c.Content
	return []fileDiff{
		diffOf("base", v.Base, "ours", v.Ours), diffOf("base", v.Base, "theirs", v.Theirs),
		diffOf("git", v.Git, "driver", v.Driver), diffOf("driver", v.Driver, "committed", v.Committed),
	}
}

func diffOf(from string, a []byte, to string, b []byte) fileDiff {
	return fileDiff{from, to, terminal.Hunks(a, b)}
}

// A version is one file of a case.
type version struct {
	name string
	data []byte // nil if there is none
}

// files are the versions, in the order in which people read them.
func (c *Content) files() []version {
	return []version{{"base", c.Base}, {"ours", c.Ours}, {"theirs", c.Theirs}, {"committed", c.Committed}, {"git", c.Git}, {"driver", c.Driver}}
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
