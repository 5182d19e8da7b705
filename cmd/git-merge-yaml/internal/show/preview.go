package show

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// states are the words for what becomes of a branch, with their colours here and on a page.
var states = map[history.State]struct {
	words  string
	colour terminal.Colour
	class  string
}{
	history.Merged:   {"merged already", terminal.Faint, "same"},
	history.Clean:    {"clean", terminal.Green, "same"},
	history.ByDriver: {"clean with the driver, in conflict without", terminal.Green, "resolved"},
	history.Conflict: {"in conflict", terminal.Red, "left"},
	history.Mended:   {"clean, and git's merge would be wrong", terminal.Yellow, "mended"},
	history.Failed:   {"cannot be merged", terminal.Red, "worse"},
}

// Preview writes a line per branch, with what is in conflict below it, and a summary.
func Preview(w *terminal.Painter, base string, branches []*history.Branch) error {
	counts := map[history.State]int{}
	for _, b := range branches {
		counts[b.State]++
		w.Print(terminal.Bold, b.Name)
		w.Print(terminal.Plain, ": ")
		w.Print(states[b.State].colour, states[b.State].words)
		if b.Why != "" {
			w.Print(terminal.Plain, ": "+b.Why)
		}
		w.Line()
		for _, x := range branchConflicts(b) {
			w.Println(terminal.Plain, "  "+x.Path+": "+x.Why)
		}
	}
	w.Print(terminal.Plain, fmt.Sprintf("into %s: %d clean, %d more with the driver, %d in conflict",
		base, counts[history.Clean]+counts[history.Mended], counts[history.ByDriver], counts[history.Conflict]))
	for _, s := range []history.State{history.Merged, history.Failed} {
		if counts[s] > 0 {
			w.Print(terminal.Plain, fmt.Sprintf(", %d %s", counts[s], states[s].words))
		}
	}
	w.Line()
	return w.Err
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
