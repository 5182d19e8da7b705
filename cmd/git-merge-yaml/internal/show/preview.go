package show

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// colours are those of the states of branches.
var colours = map[history.State]terminal.Colour{
	history.Merged: terminal.Faint, history.Clean: terminal.Green, history.ByDriver: terminal.Green, history.Mended: terminal.Yellow,
	history.Conflict: terminal.Red, history.Failed: terminal.Red,
}

// Preview writes a line per branch, with what is in conflict below it, and a summary.
func Preview(w *terminal.Painter, p *history.Preview, pairs bool) error {
	counts := map[history.State]int{}
	for _, b := range p.Branches {
		counts[b.State]++
		writeBranch(w, b)
	}
	for _, b := range p.Pairs {
		writeBranch(w, b)
	}
	branches := "branches"
	if len(p.Branches) == 1 {
		branches = "branch"
	}
	w.Print(terminal.Plain, fmt.Sprintf("%s and %d %s: %d clean, %d more with the driver, %d in conflict",
		p.Base, len(p.Branches), branches, counts[history.Clean]+counts[history.Mended], counts[history.ByDriver], counts[history.Conflict]))
	for _, s := range []history.State{history.Merged, history.Failed} {
		if counts[s] > 0 {
			w.Print(terminal.Plain, fmt.Sprintf(", %d %s", counts[s], states[s]))
		}
	}
	if pairs {
		w.Print(terminal.Plain, fmt.Sprintf("; pairs that touch one file: %d, in conflict: %d", p.Tried, len(p.Pairs)))
	}
	w.Line()
	return w.Err
}

func writeBranch(w *terminal.Painter, b *history.Branch) {
	w.Print(terminal.Bold, b.Name)
	if b.With != "" {
		w.Print(terminal.Plain, " with ")
		w.Print(terminal.Bold, b.With)
	}
	w.Print(terminal.Plain, ": ")
	w.Print(colours[b.State], states[b.State])
	if b.Why != "" {
		w.Print(terminal.Plain, ": "+b.Why)
	}
	w.Line()
	for _, line := range branchConflicts(b) {
		w.Print(terminal.Plain, "  "+line.Path+": "+line.Why)
		w.Line()
	}
}

// A branchConflict is what is in conflict about a file, or about a field of it.
type branchConflict struct{ Path, Why string }

func branchConflicts(b *history.Branch) (all []branchConflict) {
	if b.State != history.Conflict {
		return nil
	}
	for _, n := range b.Names {
		all = append(all, branchConflict{n.Path, nameConflict(n)})
	}
	for _, c := range b.Cases {
		switch {
		case c.Driver.Clean():
		case c.Driver.Failed != "":
			all = append(all, branchConflict{c.Path, c.Driver.Failed})
		case c.Result.Method == merge.Delegated:
			all = append(all, branchConflict{c.Path, "merged by lines: " + session.WhyByLines(c.Result.Reason)})
		default:
			for _, x := range c.Result.Conflicts {
				all = append(all, branchConflict{c.Path, driver.PathOrDocument(x.Path) + ": " + why(c, x)})
			}
		}
	}
	return all
}
