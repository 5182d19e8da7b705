package show

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A Replay writes a replay for people.
type Replay struct {
	*terminal.Painter
	// All lists also the files in which the driver makes no difference.
	All    bool
	hidden int
}

// Case writes one line about c:
//
//	#1 3f2a91c0ab k8s/web.yaml: git: 1 conflict, 4 lines; driver: clean, as committed
func (t *Replay) Case(c *history.Case) error {
	if !t.All && !c.Notable() {
		t.hidden++
		return t.Err
	}
	t.Print(terminal.Faint, fmt.Sprintf("#%d ", c.Number))
	t.Print(terminal.Yellow, c.Merge.Short())
	t.Print(terminal.Plain, " ")
	headline(t.Painter, c)
	return t.Err
}

// Summary writes what a person can act on.
func (t *Replay) Summary(s history.Summary) error {
	if t.Err != nil {
		return t.Err
	}
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
		fmt.Fprintf(&b, "\ntook %s\n", s.Time.Round(time.Millisecond))
	}
	_, t.Err = io.WriteString(t.W, b.String())
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
	for _, l := range []struct {
		n    int
		said string
	}{
		{s.Driver.Clean.Different, fmt.Sprintf("%d otherwise: %s", s.Driver.Clean.Different, verdicts(s.Otherwise))},
		{s.Defects, fmt.Sprintf("of %s that git merged clean but wrong (a doubled key, a lost or misplaced item), git-merge-yaml merges %d",
			terminal.Count(s.Defects, "file"), s.Mended)},
		{s.Worse, terminal.Count(s.Worse, "file") + " that git merged clean: git-merge-yaml leaves a conflict"},
		{s.Changed, terminal.Count(s.Changed, "file") + " that git merged clean: git-merge-yaml merges otherwise"},
	} {
		if l.n > 0 {
			fmt.Fprintln(w, l.said)
		}
	}
	if s.Git.Conflicts+s.Defects+s.Worse+s.Changed == 0 {
		fmt.Fprintln(w, "git merges all of them as git-merge-yaml does")
	}
}
