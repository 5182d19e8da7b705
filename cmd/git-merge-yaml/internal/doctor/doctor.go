// Package doctor looks at everything between git and this program, and says how
// to fix what is wrong. It changes nothing.
package doctor

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/install"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A doctor looks at everything between git and this program.
type doctor struct {
	out     io.Writer
	git     git.Git
	tree    *git.WorkTree // nil outside of work trees
	bare    bool
	self    string           // how to call this program
	drivers []*checkedDriver // the default one first
	errors  int
}

// Run makes all checks, each of which says at least one thing to out, and
// reports whether none is an error.
func Run(out io.Writer) bool {
	d := &doctor{out: out}
	d.run()
	return d.errors == 0
}

func (d *doctor) run() {
	if !d.checkGit() {
		return
	}
	d.self = "git merge-yaml"
	if !install.IsOnPath(d.git) {
		d.self = gitattrs.Program(gitattrs.Driver{Program: install.Program(d.git)}.Settings()[0].Value)
	}
	d.checkEnvironment()
	d.checkRepository()
	d.checkDrivers()
	switch {
	case d.tree != nil:
		d.checkFiles()
		d.checkRules()
	case d.bare:
		d.checkBare()
		d.checkRules()
	}
}

// ok, warning and failure say how a check ended: what it is about, and what
// there is. Of trouble they say what to do.
func (d *doctor) ok(about, format string, args ...any) {
	d.say("ok", about, fmt.Sprintf(format, args...))
}

func (d *doctor) warning(about, fix, format string, args ...any) {
	d.say("warning", about, fmt.Sprintf(format, args...))
	d.fix(fix)
}

func (d *doctor) failure(about, fix, format string, args ...any) {
	d.errors++
	d.say("error", about, fmt.Sprintf(format, args...))
	d.fix(fix)
}

// hint says what could be better: what there is, and how.
func (d *doctor) hint(about, how, format string, args ...any) {
	d.say("hint", about, fmt.Sprintf(format, args...))
	fmt.Fprintf(d.out, "%-8s how: %s\n", "", terminal.Printable(how))
}

func (d *doctor) say(level, about, text string) {
	fmt.Fprintf(d.out, "%-8s %s: %s\n", level, about, terminal.Printable(text))
}

func (d *doctor) fix(how string) {
	fmt.Fprintf(d.out, "%-8s fix: %s\n", "", terminal.Printable(how))
}

// checkEnvironment looks at what this program reads of the environment.
func (d *doctor) checkEnvironment() {
	if off := os.Getenv("GIT_MERGE_YAML"); strings.EqualFold(off, "off") {
		d.warning("environment", "unset GIT_MERGE_YAML", "GIT_MERGE_YAML=%s switches the driver off here", off)
	}
	if own := os.Getenv(session.OwnVariable); own != "" {
		d.warning("environment", "unset "+session.OwnVariable, "%s=%s says which side is one's own in every merge here", session.OwnVariable, own)
	}
}
