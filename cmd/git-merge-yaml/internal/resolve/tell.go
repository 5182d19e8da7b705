package resolve

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A resolver merges unmerged files of a work tree anew.
type resolver struct {
	Options
	in      *here.Session
	tree    *git.WorkTree
	objects *git.Objects
	left    bool // something is not resolved
	advised bool // a preset that nobody adopted was told of
}

func (r *resolver) say(line string) { fmt.Fprintln(r.Stdout, terminal.Printable(line)) }

// tell says how a file ended on stdout, and on stderr what a driver would say.
func (r *resolver) tell(f *unmergedFile) {
	name := r.tree.Rel(f.Path)
	switch {
	case f.skip != "":
		r.left = true
		r.say(name + ": skipped: " + f.skip)
		return
	case f.staged:
		r.say(name + ": resolved")
	case f.clean():
		r.left = r.left || r.Stage
		r.say(name + ": resolved, not staged")
	default:
		r.left = true
		r.say(name + ": " + terminal.Count(len(f.result.Conflicts), "conflict") + " left")
	}
	said := f.result
	said.LineConflicts = 0 // stdout has it
	if f.asked != nil {
		said.Conflicts = nil // they have been shown
	}
	lines := f.merger("").Messages(name, said)
	if !r.advised {
		if a, ok := f.merger("").File().Advice(said.Conflicts); ok {
			r.advised = true
			lines = append(lines, driver.AdviceMessage(name, a))
		}
	}
	for _, line := range lines {
		fmt.Fprintln(r.Stderr, terminal.Printable(line))
	}
}
