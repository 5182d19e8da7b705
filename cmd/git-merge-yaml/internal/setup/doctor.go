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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Checks say what doctor does beside looking.
type Checks struct {
	Fix      bool // install again what is not as install writes it
	Branches bool // name those that are older than the line in .gitattributes
}

// A doctor looks at everything between git and this program.
type doctor struct {
	out     io.Writer // keeps its errors
	git     git.Git
	program string           // how driver lines call this program
	self    string           // how people do
	drivers []*checkedDriver // the default one first
	errors  int
	next    string           // what to do first
	broken  []*checkedDriver // that install mends
}

// A checkedDriver is a driver as git is configured to call it.
type checkedDriver struct {
	gitattrs.Driver
	settings []git.ConfigValue // in the order in which git reads them
	scope    git.Scope         // that install is to work in
	fix      string            // the command that installs it
}

// get is the setting that counts, which is none if it has no key.
func (c *checkedDriver) get(key string) (v git.ConfigValue) {
	for _, s := range c.settings {
		if s.Key == key {
			v = s
		}
	}
	return v
}

func (c *checkedDriver) isSet() bool { return len(c.settings) > 0 }

// Doctor makes all checks, each of which says at least one thing to out, and then what to do
// next. It reports whether none is an error.
func Doctor(out io.Writer, c Checks) (bool, error) {
	d := &doctor{out: out}
	if c.Fix {
		first := &doctor{out: io.Discard}
		first.run()
		for _, k := range first.broken {
			o := Options{Scope: k.scope}
			if k.isSet() { // which files it has was chosen then
				o.Attributes = "none"
			}
			if err := Install(out, o, k.Rules, nil, false); err != nil {
				return false, err
			}
		}
	}
	d.run()
	if c.Branches {
		d.checkBranches()
	}
	next := cmp.Or(d.next, "nothing: git merges YAML files with this program")
	if len(d.broken) > 0 {
		next += "; " + d.self + " doctor --fix does it"
	}
	fmt.Fprintln(out, "next:", terminal.EscapeLine(next))
	return d.errors == 0, nil
}

func (d *doctor) run() {
	version, err := d.git.Line("version")
	version = strings.TrimPrefix(version, "git version ")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		d.failure("git", "install git, or add its folder to the PATH", "git is not on the PATH")
		return
	case err != nil:
		d.failure("git", "reinstall git", "git does not run: %v", err)
		return
	case d.git.AtLeast(2, 17):
		d.ok("git", "version %s (it tells drivers of -X ours and -X theirs in a rebase and in git pull, not in git merge)", version)
	default:
		d.warning("git", "install git 2.17 or later", "version %s, older than any that this program was tried with", version)
	}
	byName := false
	d.self = "git merge-yaml"
	if d.program, byName = driver.Program(); !byName {
		d.self = terminal.QuoteForShell(d.program)
	}
	d.ok("program", "%s, version %s", d.program, build.Description())
	if off := os.Getenv("GIT_MERGE_YAML"); strings.EqualFold(off, "off") {
		d.warning("environment", "unset GIT_MERGE_YAML", "GIT_MERGE_YAML=%s switches the driver off here", off)
	}
	tree, err := d.git.WorkTree()
	bare := errors.Is(err, git.ErrNoWorkTree)
	switch {
	case err == nil:
		d.git = tree.Git
		d.ok("repository", "%s", tree.Top)
	case bare:
		d.ok("repository", "bare")
	case errors.Is(err, git.ErrNotOwned):
		_, command, _ := strings.Cut(err.Error(), "\n\n\t")
		d.failure("repository", strings.TrimSpace(command), "it belongs to somebody else, so that git does not read it")
	case errors.Is(err, git.ErrNoRepository): // there is the user's configuration
		d.ok("repository", "none here, so this is about your own configuration")
	default:
		d.failure("repository", "git status", "git cannot read it: %v", err)
	}
	d.checkDrivers()
	switch {
	case tree != nil:
		d.checkFiles()
		d.checkRules()
	case bare:
		d.checkBare()
		d.checkRules()
	}
}

// ok, warning and failure say how a check ended: what it is about, and what
// there is. Of trouble they say what to do.
func (d *doctor) ok(about, format string, args ...any) { d.say("ok", about, "", format, args...) }

func (d *doctor) warning(about, fix, format string, args ...any) {
	d.say("warning", about, fix, format, args...)
}

func (d *doctor) failure(about, fix, format string, args ...any) {
	if d.errors++; d.errors == 1 {
		d.next = fix // before that of a warning
	}
	d.say("error", about, fix, format, args...)
}

func (d *doctor) say(level, about, fix, format string, args ...any) {
	fmt.Fprintf(d.out, "%-8s %s: %s\n", level, about, terminal.EscapeLine(fmt.Sprintf(format, args...)))
	if fix == "" {
		return
	}
	fmt.Fprintf(d.out, "%-8s fix: %s\n", "", terminal.EscapeLine(fix))
	d.next = cmp.Or(d.next, fix)
	for _, k := range d.drivers {
		if about == "driver" && fix == k.fix && !slices.Contains(d.broken, k) {
			d.broken = append(d.broken, k)
		}
	}
}

// checkDrivers looks at the default driver, and at others that are set.
func (d *doctor) checkDrivers() {
	for _, of := range driver.All {
		c := &checkedDriver{Driver: of, scope: git.Global, fix: d.self + " install"}
		var err error
		if c.settings, err = d.git.ConfigValues(of.Key("")); err != nil {
			d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
		}
		if c.get(of.Key("driver")).Scope == git.Local {
			c.scope, c.fix = git.Local, c.fix+" --local"
		}
		if c.Rules != "" {
			c.fix += " --rules " + c.Rules
		}
		d.drivers = append(d.drivers, c)
	}
	for _, c := range d.drivers {
		if (c.isSet() || d.needs(c)) && d.checkLine(c) {
			d.checkMerge(c)
		}
	}
}

// needs reports whether c is the default driver, and no other one is set.
func (d *doctor) needs(c *checkedDriver) bool {
	return c.Rules == "" && !slices.ContainsFunc(d.drivers, (*checkedDriver).isSet)
}

// checkLine looks at the driver line and the settings that it uses, and reports whether it is
// this program's.
func (d *doctor) checkLine(c *checkedDriver) bool {
	c.Program = d.program
	written := c.Settings()
	key := written[0].Key
	line := c.get(key)
	where := func(s git.ConfigValue) string { return string(s.Scope) + ", " + strings.TrimPrefix(s.Origin, "file:") }
	isOther := func(s gitattrs.Setting) bool { return c.get(s.Key).Value != s.Value }
	switch {
	case line.Value == "" && c.isSet():
		d.failure("driver", c.fix, "%s is set (%s), but not %s: git refuses to merge files that have merge=%s",
			c.settings[0].Key, where(c.settings[0]), key, c.Name)
		return false
	case line.Value == "":
		d.failure("driver", c.fix, "%s is not set: git merges YAML files by lines", key)
		return false
	case !gitattrs.RunsGitMergeYAML(line.Value):
		d.failure("driver", c.fix+" --force", "%s (%s) is another program's: %s", key, where(line), line.Value)
		return false
	case slices.ContainsFunc(written, isOther):
		d.warning("driver", c.fix, "%s (%s) is not what this version of install writes", key, where(line))
	default:
		d.ok("driver", "%s (%s) is what install writes", key, where(line))
	}
	return true
}

// checkRules reads the team's rules as a merge does.
func (d *doctor) checkRules() {
	s := session.New(session.Options{})
	if own := s.Repo().Value(session.OwnKey); own != "" && own != "ours" && own != "theirs" {
		d.warning("own", "git config "+session.OwnKey+" theirs", "%s is %s: want ours or theirs; it counts for nothing", session.OwnKey, own)
	}
	rules, _ := s.Rules()
	if err := s.FirstRulesError(); err != nil {
		d.failure("rules", "edit "+s.RulesFile()+", or the setting "+session.ConfigKey+" that names it",
			"%s; until then YAML files are merged by lines", err)
	} else if rules != nil {
		d.ok("rules", "%s", s.RulesFile())
	}
}
