package app

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

const doctorDescription = `Looks at git, its configuration, the attributes of the YAML files of this
repository and the program itself, and makes a merge with them in a scratch
repository. It changes nothing. For all that is wrong it says how to mend it.

Exits with 0 if no check is an error, with 1 if one is, and with 129 on wrong
usage.`

func (a *App) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:         "doctor",
		Usage:        "check that git will merge YAML files with this program",
		UsageText:    "git-merge-yaml doctor",
		Description:  doctorDescription,
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return fmt.Errorf("doctor takes no arguments, got %s", c.Args().First())
			}
			return (&doctor{app: a}).run()
		},
	}
}

// A doctor looks at everything between git and this program.
type doctor struct {
	app     *App
	git     git.Git
	tree    *git.WorkTree // nil outside of work trees
	bare    bool
	self    string           // how to call this program
	drivers []*checkedDriver // the default one first
	errors  int
}

// run makes all checks, each of which says at least one thing.
func (d *doctor) run() error {
	if !d.checkGit() {
		return errConflicts
	}
	d.self = "git merge-yaml"
	if p := program(d.git); p != "git-merge-yaml" {
		d.self = gitattrs.Program(gitattrs.Driver{Program: p}.Settings()[0].Value)
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
	}
	if d.errors > 0 {
		return errConflicts
	}
	return nil
}

// ok, warning and failure say how a check ended: what it is about, and what
// there is. Of trouble they say what to do.
func (d *doctor) ok(about, format string, args ...any) {
	d.say("ok", about, fmt.Sprintf(format, args...))
}

func (d *doctor) warning(about, mend, format string, args ...any) {
	d.say("warning", about, fmt.Sprintf(format, args...))
	d.mend(mend)
}

func (d *doctor) failure(about, mend, format string, args ...any) {
	d.errors++
	d.say("error", about, fmt.Sprintf(format, args...))
	d.mend(mend)
}

func (d *doctor) say(level, about, text string) {
	fmt.Fprintf(d.app.Stdout, "%-8s %s: %s\n", level, about, terminal.Printable(text))
}

func (d *doctor) mend(how string) {
	fmt.Fprintf(d.app.Stdout, "%-8s mend: %s\n", "", terminal.Printable(how))
}

// checkEnvironment looks at what this program reads of the environment.
func (d *doctor) checkEnvironment() {
	if off := os.Getenv("GIT_MERGE_YAML"); strings.EqualFold(off, "off") {
		d.warning("environment", "unset GIT_MERGE_YAML", "GIT_MERGE_YAML=%s switches the driver off here", off)
	}
}
