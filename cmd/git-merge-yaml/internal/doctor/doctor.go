// Package doctor looks at everything between git and this program, and says how
// to fix what is wrong. It changes nothing.
package doctor

import (
	"io"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/install"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Run makes all checks, each of which says at least one thing to out, and
// reports whether none is an error. As JSON it is an object per line.
func Run(out io.Writer, asJSON bool) bool {
	d := &doctor{out: out, json: asJSON}
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
	d.checkSOPS()
	switch {
	case d.tree != nil:
		d.checkFiles()
		d.checkRules()
	case d.bare:
		d.checkBare()
		d.checkRules()
	}
}

// checkEnvironment looks at what this program reads of the environment.
func (d *doctor) checkEnvironment() {
	if off := os.Getenv("GIT_MERGE_YAML"); strings.EqualFold(off, "off") {
		d.warning("environment", "unset GIT_MERGE_YAML", "GIT_MERGE_YAML=%s switches the driver off here", off)
	}
	if own := os.Getenv(situation.OwnVariable); own != "" {
		d.warning("environment", "unset "+situation.OwnVariable, "%s=%s says which side is one's own in every merge here", situation.OwnVariable, own)
	}
}
