package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Overview tells each file in a few lines: how git merges it, how the driver does, and the
// difference; with all, also those in which there is none.
func Overview(p *terminal.Painter, e history.Explanation, all bool) error {
	const mostHunks = 40 // lines of a diff
	told, alike := 0, 0
	for _, c := range e.Cases {
		if !all && c.Driver.Clean() && !c.IsNotable() && len(c.Result.Combined) == 0 {
			alike++
			continue
		}
		told++
		headline(p, c)
		combinations(p, c)
		decisions(p, c)
		for _, x := range c.Result.Conflicts {
			conflict(p, c, x)
		}
		hunks := strings.SplitAfter(terminal.DiffHunks(c.Content.Git, c.Content.Driver), "\n")
		if more := len(hunks) - 1 - mostHunks; more > 0 {
			hunks = append(hunks[:mostHunks], fmt.Sprintf(" ... %s more\n", terminal.CountNoun(more, "line")))
		}
		p.PrintHunks(strings.Join(hunks, ""))
		p.Println()
	}
	s := e.Summary
	files := terminal.CountNoun(s.Files, "file") + " that both sides changed"
	switch {
	case s.Files == 0 && told > 0:
		files = terminal.CountNoun(told, "file") + " that both sides made alike"
	case s.Files == 0:
		files = "no YAML file that both sides changed"
	case alike > 0:
		files += fmt.Sprintf(", %d of them as git merges them", alike)
	}
	p.Println(e.Name + ": " + files)
	if made := generated(s); made != "" {
		p.Println(made)
	}
	for _, n := range s.Deletions {
		p.Println(n.Path + ": " + nameConflict(n))
	}
	for _, l := range leftOut(s) {
		p.Println("left out: " + l)
	}
	return p.Err
}

// Fields tells each file field by field: what each side changed, what was decided, what is in
// conflict, and what people committed otherwise; first those that one side deleted.
func Fields(p *terminal.Painter, e history.Explanation) error {
	for _, n := range e.PathConflicts {
		if n.File != nil {
			_ = Deleted(p, n) // p keeps its error
		}
	}
	for i, c := range e.Cases {
		if i > 0 {
			p.Println()
		}
		fields(p, c)
	}
	return p.Err
}

// Deleted tells a file that one side deleted and the other one changed.
func Deleted(p *terminal.Painter, n history.PathConflict) error {
	by, side, kept := deletion(*n.File)
	p.Println(terminal.Bold, n.Path, terminal.Plain, ": "+by+" deleted the file")
	sideChanged(p, side, *n.File, kept, nil)
	return p.Err
}

func fields(p *terminal.Painter, c *history.Case) {
	section := func(title string) {
		p.Println()
		p.Println(terminal.Bold, title)
	}
	headline(p, c)
	contested := func(path string) bool {
		for _, x := range c.Result.Conflicts {
			rest, ok := strings.CutPrefix(path, x.Path)
			if ok && x.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return true
			}
		}
		return false
	}
	p.Println()
	sideChanged(p, "ours", c.File, c.File.Ours, contested)
	p.Println()
	sideChanged(p, "theirs", c.File, c.File.Theirs, contested)
	if len(c.Result.Combined) > 0 {
		section("combined")
		combinations(p, c)
	}
	if len(c.Result.Resolved) > 0 || c.Review.Verdict == history.VerdictSharedVersion {
		section("decided")
		decisions(p, c)
	}
	if len(c.Result.Conflicts) > 0 && !session.IsLeft(c.Result) {
		section("conflicts")
		for _, x := range conflicts(c) {
			conflict(p, c, x)
			for _, v := range versions(c, x) {
				if v.Text == "" {
					p.Println(terminal.Faint, fmt.Sprintf("    %-7s(none)", v.name))
				}
				for line := range strings.Lines(aligned(v.Version, v.file)) {
					p.Println(fmt.Sprintf("    %-7s%s", v.name, strings.TrimRight(line, "\r\n")))
				}
			}
		}
	}
	if c.Driver.Committed == history.Different {
		section("committed otherwise")
		for _, f := range c.Review.Findings {
			p.Println(terminal.Red, "  "+f.String())
		}
		p.PrintHunks(terminal.DiffHunks(c.Content.Driver, c.Content.Committed))
	}
}

// combinations prints the references of images in a file that neither side wrote.
func combinations(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Combined {
		p.Println(terminal.Yellow, "  "+driver.CombinedMessage(x))
	}
}

// decisions tells what was decided in a file, and versions that stand for two releases.
func decisions(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Resolved {
		p.Println(terminal.Yellow, "  "+driver.PathOrDocument(x.Path)+": "+driver.DecisionMessage(x))
	}
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == history.VerdictSharedVersion {
			p.Println(terminal.Red, "  "+x.String())
		}
	}
}

// conflict tells of a conflict where it is, and why.
func conflict(p *terminal.Painter, c *history.Case, x merge.Conflict) {
	p.Println(terminal.Red, "  "+place(x), terminal.Plain, fmt.Sprintf(" (%s), line %d of the result", why(c, x), x.Line))
}

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
	if !t.All && !c.IsNotable() {
		t.hidden++
		return t.Err
	}
	t.Print(terminal.Faint, fmt.Sprintf("#%d ", c.Number), terminal.Yellow, c.Merge.Short(), terminal.Plain, " ")
	headline(t.Painter, c)
	return t.Err
}

// Summary writes what a person can act on.
func (t *Replay) Summary(s history.Summary) error {
	lines := told(tally{t.hidden, "not listed: #file in which the driver makes no difference (--all-files)"})
	seen := fmt.Sprintf("%s in %s; %d with a YAML file that both sides changed, %s in all",
		terminal.CountNoun(s.Merges, "merge"), terminal.CountNoun(s.Commits, "commit"), s.Touched, terminal.CountNoun(s.Files, "file"))
	if s.Interrupted {
		seen = "interrupted; until then: " + seen
	}
	lines = append(lines, seen)
	for _, l := range leftOut(s) {
		lines = append(lines, "left out: "+l)
	}
	lines = append(lines, told(tally{s.Verdicts[history.VerdictSharedVersion], "#file with one version for two releases, where the policy next is for it"})...)
	if s.Files > 0 {
		lines = append(lines, "", fmt.Sprintf("%25s%17s", "git", "git-merge-yaml"))
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
			lines = append(lines, fmt.Sprintf("%-18s%7d%17d", r.name, r.git, r.driver))
		}
		lines = append(lines, "")
		lines = append(lines, told(tally{s.Git.Conflicts, fmt.Sprintf("of #file that git left in conflict, git-merge-yaml resolves %d: %d as people did to the byte, %d to the same data, %d otherwise",
			s.Resolved.All(), s.Resolved.Bytes, s.Resolved.Data, s.Resolved.Different)})...)
		if made := generated(s); made != "" {
			lines = append(lines, made+": no merge of them is right")
		}
		lines = append(lines, told(
			tally{s.Driver.Clean.Different, "# otherwise: " + verdicts(s.Verdicts)},
			tally{s.Defects, fmt.Sprintf("of #file that git merged clean but wrong (a doubled key, a lost or misplaced item), git-merge-yaml merges %d", s.Mended)},
			tally{s.Worse, "#file that git merged clean: git-merge-yaml leaves a conflict"},
			tally{s.Changed, "#file that git merged clean: git-merge-yaml merges otherwise"},
		)...)
		if s.Git.Conflicts+s.Defects+s.Worse+s.Changed == 0 {
			lines = append(lines, "git merges all of them as git-merge-yaml does")
		}
		lines = append(lines, "", fmt.Sprintf("took %s", s.Time.Round(time.Millisecond)))
	}
	for _, l := range lines {
		t.Println(l)
	}
	return t.Err
}

// states are the words for what becomes of a branch, with their colours here and on a page.
var states = map[history.State]struct {
	words  string
	colour terminal.Colour
	class  string
}{
	history.StateMerged:          {"merged already", terminal.Faint, "same"},
	history.StateClean:           {"clean", terminal.Green, "same"},
	history.StateCleanWithDriver: {"clean with the driver, in conflict without", terminal.Green, "resolved"},
	history.StateConflict:        {"in conflict", terminal.Red, "left"},
	history.StateCleanDiffers:    {"clean, and git's merge would be wrong", terminal.Yellow, "mended"},
	history.StateFailed:          {"cannot be merged", terminal.Red, "worse"},
}

// Preview writes a line per branch, with what is in conflict below it, and a summary.
func Preview(w *terminal.Painter, base string, branches []*history.Branch) error {
	counts := map[history.State]int{}
	for _, b := range branches {
		counts[b.State]++
		w.Print(terminal.Bold, b.Name, terminal.Plain, ": ", states[b.State].colour, states[b.State].words)
		if b.Why != "" {
			w.Print(": " + b.Why)
		}
		w.Println()
		for _, x := range branchConflicts(b) {
			w.Println("  " + x.Path + ": " + x.Why)
		}
	}
	sum := []string{fmt.Sprintf("into %s: %d clean, %d more with the driver, %d in conflict",
		base, counts[history.StateClean]+counts[history.StateCleanDiffers], counts[history.StateCleanWithDriver], counts[history.StateConflict])}
	w.Println(strings.Join(append(sum, told(
		tally{counts[history.StateMerged], "# " + states[history.StateMerged].words}, tally{counts[history.StateFailed], "# " + states[history.StateFailed].words},
	)...), ", "))
	return w.Err
}

// A branchConflict is what is in conflict about a file, or about a field of it.
type branchConflict struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Why  string `json:"why"`
}

func namesOf(b *history.Branch) (all []branchConflict) {
	for _, n := range b.PathConflicts {
		all = append(all, branchConflict{n.Path, n.Kind, nameConflict(n)})
	}
	return all
}

func branchConflicts(b *history.Branch) []branchConflict {
	if b.State != history.StateConflict {
		return nil
	}
	all := namesOf(b)
	for _, c := range b.Cases {
		switch {
		case c.Driver.Clean():
		case c.Driver.Failed != "":
			all = append(all, branchConflict{c.Path, "", c.Driver.Failed})
		case c.Result.Method == merge.Delegated:
			all = append(all, branchConflict{c.Path, "", "merged by lines: " + c.Result.Reason})
		default:
			for _, x := range c.Result.Conflicts {
				all = append(all, branchConflict{c.Path, "", driver.PathOrDocument(x.Path) + ": " + why(c, x)})
			}
		}
	}
	return all
}

// Checked tells what a check found in a file.
func Checked(p *terminal.Painter, c history.CheckResult) error {
	begin := func() {
		if c.Merge != "" {
			p.Print(terminal.Yellow, c.Merge.Short(), terminal.Plain, ": ")
		}
		p.Print(terminal.Bold, c.Path, terminal.Plain, ": ")
	}
	if c.Deletion != nil {
		begin()
		p.Println(nameConflict(*c.Deletion) + "; " + stands(*c.Deletion) + " in the merge")
	}
	if c.WithoutDriver {
		begin()
		p.Println("not as the driver merges it: merged without it, or edited since")
	}
	for _, f := range c.Findings {
		begin()
		if f.Path != "" {
			p.Print(f.Path + ": ")
		}
		p.Println(terminal.Red, f.Rule, terminal.Plain, ": "+f.Detail)
	}
	return p.Err
}

// Checks tells how much was checked.
func Checks(p *terminal.Painter, s history.CheckSummary) error {
	found := "nothing found"
	if s.Findings > 0 {
		found = terminal.CountNoun(s.Findings, "finding") + " in " + terminal.CountNoun(s.Faulty, "file")
	}
	sum := []string{terminal.CountNoun(s.Merges, "merge") + " with " + terminal.CountNoun(s.Files, "file") + " to check: " + found}
	p.Println(strings.Join(append(sum, told(
		tally{s.Deletions, "#file that one side deleted and the other changed"},
		tally{s.WithoutDriver, "#file not as the driver merges"},
		tally{s.NotChecked, "# not checked"},
	)...), "; "))
	return p.Err
}
