package show

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An Overview tells the files of one merge in a few lines each: how git merges one, how the
// driver does, and the difference.
type Overview struct {
	*terminal.Painter
	// All tells also the files in which the driver makes no difference.
	All bool

	told, alike int
}

// Case tells one file.
func (w *Overview) Case(c *history.Case) error {
	if !w.All && c.Driver.Clean() && !c.Notable() {
		w.alike++
		return w.Err
	}
	w.told++
	headline(w.Painter, c)
	decisions(w.Painter, c)
	for _, x := range c.Result.Conflicts {
		conflict(w.Painter, c, x)
	}
	hunks := strings.SplitAfter(terminal.Hunks(c.Content.Git, c.Content.Driver), "\n")
	if more := len(hunks) - 1 - mostHunks; more > 0 {
		hunks = append(hunks[:mostHunks], fmt.Sprintf(" ... %s more\n", terminal.Count(more, "line")))
	}
	w.Diff(strings.Join(hunks, ""))
	w.Line()
	return w.Err
}

// mostHunks is how many lines of a diff an overview has.
const mostHunks = 40

// Summary says how many files there were. Name is the merge.
func (w *Overview) Summary(name string, s history.Summary) error {
	files := name + ": " + terminal.Count(s.Files, "file") + " that both sides changed"
	switch {
	case s.Files == 0 && w.told > 0:
		files = name + ": " + terminal.Count(w.told, "file") + " that both sides made alike"
	case s.Files == 0:
		files = name + ": no YAML file that both sides changed"
	case w.alike > 0:
		files += fmt.Sprintf(", %d of them as git merges them", w.alike)
	}
	w.Println(terminal.Plain, files)
	if made := generated(s); made != "" {
		w.Println(terminal.Plain, made)
	}
	for _, n := range s.Lost {
		w.Println(terminal.Plain, n.Path+": "+nameConflict(n))
	}
	for _, l := range leftOut(s) {
		w.Println(terminal.Plain, "left out: "+l)
	}
	return w.Err
}

// File tells a file field by field: what each side changed, what was decided, what is in
// conflict, and what people committed otherwise.
func File(p *terminal.Painter, c *history.Case) error {
	section := func(title string) {
		p.Line()
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
	p.Line()
	sideChanged(p, "ours", c.File, c.File.Ours, contested)
	p.Line()
	sideChanged(p, "theirs", c.File, c.File.Theirs, contested)
	if len(c.Result.Resolved) > 0 || c.Review.Verdict == history.Twice {
		section("decided")
		decisions(p, c)
	}
	if len(c.Result.Conflicts) > 0 && !session.IsLeft(c.Result) {
		section("conflicts")
		for _, x := range conflicts(c) {
			conflict(p, c, x)
			for _, v := range versions(c, x) {
				if text := aligned(v.Version, v.file); text != "" {
					block(p, terminal.Plain, fmt.Sprintf("    %-7s", v.name), text, len(text))
				} else {
					p.Println(terminal.Faint, fmt.Sprintf("    %-7s(none)", v.name))
				}
			}
		}
	}
	if c.Driver.Committed == history.Different {
		section("committed otherwise")
		for _, f := range c.Review.Findings {
			p.Println(terminal.Red, "  "+f.String())
		}
		p.Diff(terminal.Hunks(c.Content.Driver, c.Content.Committed))
	}
	return p.Err
}

// decisions tells what was decided in a file, and versions that stand for two releases.
func decisions(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Resolved {
		p.Println(terminal.Yellow, "  "+driver.PathOrDocument(x.Path)+": "+decision(x))
	}
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == history.Twice {
			p.Println(terminal.Red, "  "+x.String())
		}
	}
}

// conflict tells of a conflict where it is, and why.
func conflict(p *terminal.Painter, c *history.Case, x merge.Conflict) {
	p.Print(terminal.Red, "  "+place(x))
	p.Println(terminal.Plain, fmt.Sprintf(" (%s), line %d of the result", why(c, x), x.Line))
}
