package show

import (
	"bytes"
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
	same := bytes.Equal(c.Content.Git, c.Content.Driver) && c.Review.Verdict != history.Twice
	if !w.All && c.Driver.Clean() && same && (c.Open || c.Review.Verdict == "") {
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
	line := name + ": "
	switch files := terminal.Count(s.Files, "file"); {
	case s.Files == 0 && w.told > 0:
		line += terminal.Count(w.told, "file") + " that both sides made alike"
	case s.Files == 0:
		line += "no YAML file that both sides changed"
	case w.told == 0:
		line += files + " that both sides changed, each as git merges it"
	case w.alike > 0:
		line += fmt.Sprintf("%s that both sides changed, %d of them as git merges them", files, w.alike)
	default:
		line += files + " that both sides changed"
	}
	lines := []string{line}
	if made := generated(s); made != "" {
		lines = append(lines, made)
	}
	for _, n := range s.Lost {
		lines = append(lines, n.Path+": "+nameConflict(n))
	}
	for _, l := range leftOut(s) {
		lines = append(lines, "left out: "+l)
	}
	for _, l := range lines {
		w.Print(terminal.Plain, l)
		w.Line()
	}
	return w.Err
}

// File tells a file field by field: what each side changed, what was decided, what is in
// conflict, and what people committed otherwise.
func File(p *terminal.Painter, c *history.Case) error {
	section := func(title string) {
		p.Line()
		p.Print(terminal.Bold, title)
		p.Line()
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
	for _, side := range versions(c, merge.Conflict{})[1:] {
		section(side.name + " changed")
		all, err := c.File.Changes(side.file)
		switch {
		case err != nil:
			p.Print(terminal.Plain, "  not known field by field: "+err.Error())
			p.Line()
		case len(all) == 0:
			p.Print(terminal.Plain, "  nothing but form and comments")
			p.Line()
		}
		changes(p, all, c.File.Base, side.file, contested)
	}
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
					p.Print(terminal.Faint, fmt.Sprintf("    %-7s(none)", v.name))
					p.Line()
				}
			}
		}
	}
	if c.Driver.Committed == history.Different {
		section("committed otherwise")
		for _, f := range c.Review.Findings {
			p.Print(terminal.Red, "  "+f.String())
			p.Line()
		}
		p.Diff(terminal.Hunks(c.Content.Driver, c.Content.Committed))
	}
	return p.Err
}

// decisions tells what was decided in a file, and versions that stand for two releases.
func decisions(p *terminal.Painter, c *history.Case) {
	for _, x := range c.Result.Resolved {
		p.Print(terminal.Yellow, "  "+driver.PathOrDocument(x.Path)+": "+decision(x))
		p.Line()
	}
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == history.Twice {
			p.Print(terminal.Red, "  "+x.String())
			p.Line()
		}
	}
}

// conflict tells of a conflict where it is, and why.
func conflict(p *terminal.Painter, c *history.Case, x merge.Conflict) {
	path := driver.PathOrDocument(x.Path)
	if x.Kind == merge.ConflictLine && x.Path == "" {
		path = "(of the line merge)"
	}
	p.Print(terminal.Red, "  "+path)
	p.Print(terminal.Plain, fmt.Sprintf(" (%s), line %d of the result", why(c, x), x.Line))
	p.Line()
}
