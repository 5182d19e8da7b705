package replay

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Text writes a replay for people.
type Text struct{ W io.Writer }

// Case writes one line about c:
//
//	#1 3f2a91c0ab k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func (t Text) Case(c *Case) error {
	_, err := fmt.Fprintf(t.W, "#%d %s %s: git: %s; driver: %s\n", c.Number, c.Merge.Short(), terminal.Printable(c.Path), t.outcome(c.Git), t.outcome(c.Driver))
	return err
}

func (t Text) outcome(o Outcome) string {
	var s string
	switch {
	case o.Failed != "":
		return terminal.Printable(o.Failed)
	case o.Clean():
		s = "clean, " + o.Committed.words()
	default:
		s = terminal.Count(o.Conflicts, "conflict") + ", " + terminal.Count(o.Lines, "line")
	}
	if o.Defect != "" {
		s += ", but wrong (" + terminal.Printable(o.Defect) + ")"
	}
	if o.How == merge.Delegated {
		s += ", by lines (" + terminal.Printable(o.Reason) + ")"
	}
	return s
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
func (t Text) Summary(s Summary) error {
	var b strings.Builder
	if s.Interrupted {
		b.WriteString("interrupted; until then: ")
	}
	fmt.Fprintf(&b, "%s in %s; %d with a YAML file that both sides changed, %s in all\n",
		terminal.Count(s.Merges, "merge"), terminal.Count(s.Commits, "commit"), s.Touched, terminal.Count(s.Files, "file"))
	for _, l := range s.leftOut() {
		fmt.Fprintf(&b, "left out: %s\n", terminal.Printable(l))
	}
	if s.Files > 0 {
		table(&b, s)
		findings(&b, s)
		s.Charts.write(&b)
		fmt.Fprintf(&b, "\ntime of all merges: git %s, git-merge-yaml %s; in all %s, %.0f merges and %.0f files per second\n",
			round(s.Git.Time), round(s.Driver.Time), round(s.Time), s.PerSecond(s.Merges), s.PerSecond(s.Files))
	}
	_, err := io.WriteString(t.W, b.String())
	return err
}

// leftOut says what is not in the other numbers.
func (s Summary) leftOut() (lines []string) {
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
	} {
		fmt.Fprintf(w, "%-18s%7d%17d\n", r.name, r.git, r.driver)
	}
}

func findings(w io.Writer, s Summary) {
	fmt.Fprintln(w)
	if s.Git.Conflicts > 0 {
		fmt.Fprintf(w, "of %s that git left in conflict, git-merge-yaml resolves %d: %d as people did to the byte, %d to the same data, %d otherwise\n",
			terminal.Count(s.Git.Conflicts, "file"), s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)
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

// Details is a Text that shows cases in all their versions.
type Details struct{ Text }

// Case writes all versions of c.
func (t Details) Case(c *Case) error {
	if err := t.Text.Case(c); err != nil {
		return err
	}
	for _, f := range c.Content.files() {
		text := ": none\n"
		if f.data != nil {
			text = "\n" + t.lines(f.data)
		}
		if _, err := fmt.Fprintf(t.W, "\n==== %s%s", f.name, text); err != nil {
			return err
		}
	}
	return nil
}

// lines makes every line of a file safe to show, and the last one whole.
func (t Text) lines(data []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSuffix(line, "\n")
		crlf := strings.HasSuffix(text, "\r")
		b.WriteString(terminal.Printable(strings.TrimSuffix(text, "\r")))
		if crlf {
			b.WriteString(`\r`)
		}
		b.WriteByte('\n')
	}
	return b.String()
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
