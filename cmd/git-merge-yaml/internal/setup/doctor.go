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

// DoctorOptions are the options of [Doctor].
type DoctorOptions struct {
	Fix      bool // reinstall drivers whose settings are not those that Install writes
	Branches bool // also check the .gitattributes of all branches: see checkBranches
}

// A doctor runs checks, prints their results and counts the errors.
type doctor struct {
	out         io.Writer // its errors are left to the caller
	git         git.Git
	program     string           // the program in driver lines, as returned by driver.ProgramPath
	commandName string           // by which users call the program, as in "git merge-yaml"
	drivers     []*checkedDriver // the driver of the default rules first
	errorCount  int
	nextStep    string           // fix of the first error, or else of the first warning
	repairable  []*checkedDriver // drivers with problems that Install fixes
}

// A checkedDriver is one of the drivers that this program can be, and its settings in git's configuration.
type checkedDriver struct {
	gitattrs.Driver
	settings       []git.ConfigValue // of all scopes, in the order in which git reads them
	scope          git.Scope         // for Install: Local if the driver is set there, otherwise Global
	installCommand string            // that sets this driver in scope
}

// setting returns the effective value of key, which is the last one that git reads. It returns the zero value if key
// is not set.
func (c *checkedDriver) setting(key string) (effective git.ConfigValue) {
	for _, s := range c.settings {
		if s.Key == key {
			effective = s
		}
	}
	return effective
}

// isSet reports whether git's configuration has at least one setting of the driver.
func (c *checkedDriver) isSet() bool { return len(c.settings) > 0 }

// Doctor checks everything that git needs to call this program, and prints the results and the next step to out:
//
//	ok       driver: merge.yaml.driver (local, .git/config) is what install writes
//	ok       merge: a merge in a scratch repository came out right
//	warning  attributes: 1 YAML file (a.yaml): no merge attribute, so git merges by lines
//	         fix: ...
//	next: ...
//
// It reports whether no check found an error; warnings do not count. With Fix, it first reinstalls the drivers with
// problems that [Install] fixes. The error is that of Install; the checks are then not printed.
func Doctor(out io.Writer, o DoctorOptions) (ok bool, err error) {
	d := &doctor{out: out}
	if o.Fix {
		silent := &doctor{out: io.Discard}
		silent.runChecks()
		for _, c := range silent.repairable {
			install := Options{Scope: c.scope}
			if c.isSet() { // its files were chosen when it was installed
				install.Attributes = "none"
			}
			if err := Install(out, install, c.Rules, nil, false); err != nil {
				return false, err
			}
		}
	}
	d.runChecks()
	if o.Branches {
		d.checkBranches()
	}
	next := cmp.Or(d.nextStep, "nothing: git merges YAML files with this program")
	if len(d.repairable) > 0 {
		next += "; " + d.commandName + " doctor --fix does it"
	}
	fmt.Fprintln(out, "next:", terminal.EscapeLine(next))
	return d.errorCount == 0, nil
}

// runChecks runs all checks except checkBranches. It stops after the first one if git does not run. It sets d.git to
// run at the top of the work tree.
func (d *doctor) runChecks() {
	version, err := d.git.Line("version")
	version = strings.TrimPrefix(version, "git version ")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		d.failure("git", "install git, or add its folder to the PATH", "git is not on the PATH")
		return
	case err != nil:
		d.failure("git", "reinstall git", "git does not run: %v", err)
		return
	case d.git.IsAtLeast(2, 17):
		d.ok("git", "version %s (it tells drivers of -X ours and -X theirs in a rebase and in git pull, not in git merge)", version)
	default:
		d.warning("git", "install git 2.17 or later", "version %s, older than any that this program was tried with", version)
	}
	byName := false
	d.commandName = "git merge-yaml"
	if d.program, byName = driver.ProgramPath(); !byName {
		d.commandName = terminal.QuoteForShell(d.program)
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
	case errors.Is(err, git.ErrNoRepository): // the user's configuration can still be checked
		d.ok("repository", "none here, so this is about your own configuration")
	default:
		d.failure("repository", "git status", "git cannot read it: %v", err)
	}
	d.checkDrivers()
	switch {
	case tree != nil:
		d.checkAttributes()
		d.checkRules()
	case bare:
		d.checkBareAttributes()
		d.checkRules()
	}
}

// ok prints that a check found no problem. topic is the subject of the check, such as "driver".
func (d *doctor) ok(topic, format string, args ...any) { d.report("ok", topic, "", format, args...) }

// warning prints a problem that does not count as an error, and how to fix it.
func (d *doctor) warning(topic, fix, format string, args ...any) {
	d.report("warning", topic, fix, format, args...)
}

// failure prints an error and how to fix it, and counts it. The fix of the first error becomes the next step, even
// after warnings.
func (d *doctor) failure(topic, fix, format string, args ...any) {
	if d.errorCount++; d.errorCount == 1 {
		d.nextStep = fix
	}
	d.report("error", topic, fix, format, args...)
}

// report prints the result of a check and, unless fix is "", how to fix the problem. The first fix becomes the next
// step. If the fix is the install command of a driver, the driver is added to d.repairable.
func (d *doctor) report(level, topic, fix, format string, args ...any) {
	fmt.Fprintf(d.out, "%-8s %s: %s\n", level, topic, terminal.EscapeLine(fmt.Sprintf(format, args...)))
	if fix == "" {
		return
	}
	fmt.Fprintf(d.out, "%-8s fix: %s\n", "", terminal.EscapeLine(fix))
	d.nextStep = cmp.Or(d.nextStep, fix)
	for _, c := range d.drivers {
		if topic == "driver" && fix == c.installCommand && !slices.Contains(d.repairable, c) {
			d.repairable = append(d.repairable, c)
		}
	}
}

// checkDrivers reads the settings of all drivers into d.drivers, and checks the drivers that are set, or the default
// driver if none is.
func (d *doctor) checkDrivers() {
	for _, base := range driver.Drivers {
		c := &checkedDriver{Driver: base, scope: git.Global, installCommand: d.commandName + " install"}
		var err error
		if c.settings, err = d.git.ConfigValues(base.Key("")); err != nil {
			d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
		}
		if c.setting(base.Key("driver")).Scope == git.Local {
			c.scope, c.installCommand = git.Local, c.installCommand+" --local"
		}
		if c.Rules != "" {
			c.installCommand += " --rules " + c.Rules
		}
		d.drivers = append(d.drivers, c)
	}
	for _, c := range d.drivers {
		if (c.isSet() || d.isRequired(c)) && d.checkDriver(c) {
			d.checkTrialMerge(c)
		}
	}
}

// isRequired reports whether c is the driver of the default rules and no driver is set, so that c has to be
// installed.
func (d *doctor) isRequired(c *checkedDriver) bool {
	return c.Rules == "" && !slices.ContainsFunc(d.drivers, (*checkedDriver).isSet)
}

// checkDriver compares the settings of a driver with those that Install writes. It reports whether git runs this
// program for the driver; the settings may differ from Install's.
func (d *doctor) checkDriver(c *checkedDriver) bool {
	c.Program = d.program
	expected := c.Settings()
	key := expected[0].Key
	line := c.setting(key)
	place := func(s git.ConfigValue) string { return string(s.Scope) + ", " + strings.TrimPrefix(s.Origin, "file:") }
	differs := func(s gitattrs.Setting) bool { return c.setting(s.Key).Value != s.Value }
	switch {
	case line.Value == "" && c.isSet():
		d.failure("driver", c.installCommand, "%s is set (%s), but not %s: git refuses to merge files that have merge=%s",
			c.settings[0].Key, place(c.settings[0]), key, c.Name)
		return false
	case line.Value == "":
		d.failure("driver", c.installCommand, "%s is not set: git merges YAML files by lines", key)
		return false
	case !gitattrs.RunsGitMergeYAML(line.Value):
		d.failure("driver", c.installCommand+" --force", "%s (%s) is another program's: %s", key, place(line), line.Value)
		return false
	case slices.ContainsFunc(expected, differs):
		d.warning("driver", c.installCommand, "%s (%s) is not what this version of install writes", key, place(line))
	default:
		d.ok("driver", "%s (%s) is what install writes", key, place(line))
	}
	return true
}

// checkRules reads the team's rules as a merge does, and checks the setting for the user's own side.
func (d *doctor) checkRules() {
	s := session.New(session.Options{})
	if own := s.Repo().ConfigValue(session.OwnKey); own != "" && own != "ours" && own != "theirs" {
		d.warning("own", "git config "+session.OwnKey+" theirs", "%s is %s: want ours or theirs; it counts for nothing", session.OwnKey, own)
	}
	rules, _ := s.Rules()
	if err := s.FirstRulesError(); err != nil {
		d.failure("rules", "edit "+s.RulesFile()+", or the setting "+session.ConfigKey+" that names it",
			"%s; until then YAML files are merged by lines", err)
	} else if notice := s.RulesNotice(); notice != "" {
		if name := s.MisnamedRulesFile(); rules == nil && name != "" {
			d.warning("rules", "git mv "+name+" "+session.RulesFileName, "%s", notice)
		} else {
			d.failure("rules", d.commandName+" rules check lists all mistakes; edit "+s.RulesFile(), "%s", notice)
		}
	} else if rules != nil {
		d.ok("rules", "%s", s.RulesFile())
	}
}
