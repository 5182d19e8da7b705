package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// Checks say what doctor does beside looking.
type Checks struct {
	JSON     bool // an object per line
	Fix      bool // install again what is not as install writes it
	Branches bool // name those that are older than the line in .gitattributes
}

// Doctor makes all checks, each of which says at least one thing to out, and then what to do
// next. It reports whether none is an error.
func Doctor(out io.Writer, c Checks) (bool, error) {
	d := &doctor{out: out, Checks: c}
	if c.Fix {
		first := &doctor{out: io.Discard}
		first.run()
		for _, k := range first.broken {
			if err := Install(out, Options{Scope: k.scope()}, k.Rules, nil, false); err != nil {
				return false, err
			}
		}
	}
	d.run()
	if c.Branches {
		d.checkBranches()
	}
	if !c.JSON {
		d.sayNext()
	}
	return d.errors == 0, nil
}

// sayNext says which of the fixes comes first.
func (d *doctor) sayNext() {
	next := cmp.Or(d.next, "nothing: git merges YAML files with this program")
	if len(d.broken) > 0 {
		next += "; " + d.self + " doctor --fix does it"
	}
	fmt.Fprintln(d.out, "next:", terminal.Printable(next))
}

func (d *doctor) run() {
	if !d.checkGit() {
		return
	}
	d.self = "git merge-yaml"
	if !IsOnPath(d.git) {
		d.self = terminal.ShellWord(Program(d.git))
	}
	d.ok("program", "%s, version %s", Program(d.git), build.Description())
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

// A doctor looks at everything between git and this program.
type doctor struct {
	Checks
	out     io.Writer // keeps its errors
	git     git.Git
	tree    *git.WorkTree // nil outside of work trees
	bare    bool
	self    string           // how to call this program
	drivers []*checkedDriver // the default one first
	errors  int
	next    string           // what to do first
	broken  []*checkedDriver // that install mends
}

// ok, warning and failure say how a check ended: what it is about, and what
// there is. Of trouble they say what to do.
func (d *doctor) ok(about, format string, args ...any) {
	d.say(said{"ok", about, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warning(about, fix, format string, args ...any) {
	d.say(said{"warning", about, fmt.Sprintf(format, args...), fix})
}

func (d *doctor) failure(about, fix, format string, args ...any) {
	d.errors++
	d.say(said{"error", about, fmt.Sprintf(format, args...), fix})
}

// said is how a check ended.
type said struct {
	Level string `json:"level"`
	About string `json:"about"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"`
}

func (d *doctor) say(s said) {
	if s.Fix != "" && (d.next == "" || s.Level == "error" && d.errors == 1) {
		d.next = s.Fix
	}
	for _, k := range d.drivers {
		if s.Fix == k.install() && !slices.Contains(d.broken, k) {
			d.broken = append(d.broken, k)
		}
	}
	if d.JSON {
		_ = terminal.NewEncoder(d.out).Encode(s) // out keeps its errors
		return
	}
	fmt.Fprintf(d.out, "%-8s %s: %s\n", s.Level, s.About, terminal.Printable(s.Text))
	if s.Fix != "" {
		fmt.Fprintf(d.out, "%-8s fix: %s\n", "", terminal.Printable(s.Fix))
	}
}

// checkGit reports whether there is a git, and says what its version means for
// a driver.
func (d *doctor) checkGit() bool {
	version, err := d.git.Line("version")
	if errors.Is(err, exec.ErrNotFound) {
		d.failure("git", "install git, or add its folder to the PATH", "git is not on the PATH")
		return false
	}
	if err != nil {
		d.failure("git", "reinstall git", "git does not run: %v", err)
		return false
	}
	version = strings.TrimPrefix(version, "git version ")
	if d.git.AtLeast(2, 17) {
		d.ok("git", "version %s (it tells drivers of -X ours and -X theirs in a rebase and in git pull, not in git merge)", version)
	} else {
		d.warning("git", "install git 2.17 or later", "version %s, older than any that this program was tried with", version)
	}
	return true
}

// checkRepository finds out where this is. Outside of a repository there is
// the user's configuration to be checked.
func (d *doctor) checkRepository() {
	tree, err := d.git.WorkTree()
	switch {
	case err == nil:
		d.tree, d.git = tree, tree.Git
		d.ok("repository", "%s", tree.Top)
	case errors.Is(err, git.ErrNoWorkTree):
		d.bare = true
		d.ok("repository", "bare")
	case errors.Is(err, git.ErrNotOwned):
		_, command, _ := strings.Cut(err.Error(), "\n\n\t")
		d.failure("repository", strings.TrimSpace(command), "it belongs to somebody else, so that git does not read it")
	case errors.Is(err, git.ErrNoRepository):
		d.ok("repository", "none here, so this is about your own configuration")
	default:
		d.failure("repository", "git status", "git cannot read it: %v", err)
	}
}
