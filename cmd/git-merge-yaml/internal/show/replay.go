package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Replay writes a replay for people.
type Replay struct {
	*terminal.Painter
	// Listed says which files are listed, and nil that it is all of them.
	Listed func(*history.Case) bool
	// Details says that each is shown in full: what each side changed, and people beside
	// the driver.
	Details bool
	hidden  int
}

// Case writes one line about c, and its findings and diffs where details are asked for:
//
//	#1 3f2a91c0ab k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func (t *Replay) Case(c *history.Case) error {
	if t.Listed != nil && !t.Listed(c) && !t.Details {
		t.hidden++
		return t.Err
	}
	t.Print(terminal.Faint, "#"+strconv.Itoa(c.Number)+" ")
	t.Print(terminal.Yellow, c.Merge.Short())
	t.Print(terminal.Plain, " ")
	t.Print(terminal.Bold, c.Path)
	t.Print(terminal.Plain, ": git: ")
	t.outcome(c.Git, "")
	t.Print(terminal.Plain, "; driver: ")
	t.outcome(c.Driver, verdict(c.Review))
	if c.Result.Method == merge.Delegated && c.Driver.Failed == "" {
		t.Print(terminal.Plain, ", by lines ("+session.WhyByLines(c.Result.Reason)+")")
	}
	if c.Generated != "" {
		t.Print(terminal.Plain, "; "+c.Generated)
	}
	t.Line()
	if !t.Details {
		return t.Err
	}
	for _, f := range c.Review.Findings {
		t.Print(terminal.Plain, "committed: "+f.String())
		t.Line()
	}
	for _, d := range diffs(c) {
		t.Line()
		t.Print(terminal.Bold, "==== "+d.From+" to "+d.To)
		t.Line()
		if d.Text == "" {
			t.Print(terminal.Plain, "the same")
			t.Line()
		}
		t.Diff(d.Text)
	}
	return t.Err
}

// outcome writes what an engine left, and about the committed file.
func (t *Replay) outcome(o history.Outcome, about string) {
	s, colour := left(o), terminal.Red
	switch {
	case o.Failed != "":
		colour = terminal.Plain
	case o.Clean():
		s, colour = "clean, "+committed[o.Committed], terminal.Green
		if o.Committed == history.Different || o.Committed == history.Absent {
			colour = terminal.Yellow
		}
	}
	t.Print(colour, s)
	if about != "" {
		t.Print(terminal.Plain, ", "+about)
	}
	if o.Defect != "" {
		t.Print(terminal.Red, ", but wrong")
		t.Print(terminal.Plain, " ("+o.Defect+")")
	}
}

// Summary writes what a person can act on.
func (t *Replay) Summary(s history.Summary) error {
	var b strings.Builder
	if t.hidden > 0 {
		fmt.Fprintf(&b, "not listed: %s in which the driver makes no difference (--all-files)\n", terminal.Count(t.hidden, "file"))
	}
	if s.Interrupted {
		b.WriteString("interrupted; until then: ")
	}
	fmt.Fprintf(&b, "%s in %s; %d with a YAML file that both sides changed, %s in all\n",
		terminal.Count(s.Merges, "merge"), terminal.Count(s.Commits, "commit"), s.Touched, terminal.Count(s.Files, "file"))
	for _, l := range leftOut(s) {
		fmt.Fprintf(&b, "left out: %s\n", terminal.Printable(l))
	}
	if n := s.Otherwise.Twice; n > 0 {
		fmt.Fprintf(&b, "%s with one version for two releases, where the policy next is for it\n", terminal.Count(n, "file"))
	}
	if s.Files > 0 {
		table(&b, s)
		totals(&b, s)
		fmt.Fprintf(&b, "\ntook %s", round(s.Time))
		if s.Time >= time.Second { // less is no measure of a rate
			fmt.Fprintf(&b, ": %.0f merges and %.0f files per second", s.PerSecond(s.Merges), s.PerSecond(s.Files))
		}
		b.WriteByte('\n')
	}
	if t.Err == nil {
		_, t.Err = io.WriteString(t.W, b.String())
	}
	return t.Err
}

func table(w io.Writer, s history.Summary) {
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

func totals(w io.Writer, s history.Summary) {
	fmt.Fprintln(w)
	if s.Git.Conflicts > 0 {
		fmt.Fprintf(w, "of %s that git left in conflict, git-merge-yaml resolves %d: %d as people did to the byte, %d to the same data, %d otherwise\n",
			terminal.Count(s.Git.Conflicts, "file"), s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)
	}
	if made := generated(s); made != "" {
		fmt.Fprintf(w, "%s: no merge of them is right\n", made)
	}
	if n := s.Driver.Clean.Different; n > 0 {
		fmt.Fprintf(w, "%d otherwise: %s\n", n, verdicts(s.Otherwise))
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

// A fileDiff is how one version of a case became another one: the hunks of a
// unified diff.
type fileDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"`
}

// diffs are what each side made of the base, the driver of what git leaves, and people
// of what the driver left.
func diffs(c *history.Case) (all []fileDiff) {
	v := map[string][]byte{}
	for _, f := range versions(c) {
		v[f.name] = f.data
	}
	for _, d := range [][2]string{{"base", "ours"}, {"base", "theirs"}, {"git", "driver"}, {"driver", "committed"}} {
		if d[1] != "committed" || !c.Open {
			all = append(all, fileDiff{From: d[0], To: d[1], Text: terminal.Hunks(v[d[0]], v[d[1]])})
		}
	}
	return all
}

// A version is one file of a case.
type version struct {
	name string
	data []byte // nil if there is none
}

// versions are those of a case, in the order in which people read them.
func versions(c *history.Case) []version {
	v := &c.Content
	return []version{{"base", v.Base}, {"ours", v.Ours}, {"theirs", v.Theirs}, {"committed", v.Committed}, {"git", v.Git}, {"driver", v.Driver}}
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
