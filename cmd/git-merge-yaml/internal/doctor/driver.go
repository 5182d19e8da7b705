package doctor

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/install"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

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
	var major, minor int
	fmt.Sscanf(version, "%d.%d", &major, &minor)
	switch n := 1000*major + minor; {
	case n < 2017:
		d.warning("git", "install git 2.17 or later", "version %s, older than any that this program was tried with", version)
	default:
		d.ok("git", "version %s (it tells drivers of -X ours and -X theirs in a rebase and in git pull, not in git merge)", version)
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

// checkDrivers looks at the default driver, and at others that are set.
func (d *doctor) checkDrivers() {
	for _, of := range driver.All {
		d.drivers = append(d.drivers, d.readDriver(of))
	}
	for _, c := range d.drivers {
		if c.isSet() || c.needed() {
			c.check()
		}
	}
}

// readDriver reads the settings of a driver.
func (d *doctor) readDriver(of driver.Driver) *checkedDriver {
	c := &checkedDriver{doctor: d, Driver: of}
	all, err := d.git.ConfigValues(c.key(""))
	if err != nil {
		d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
	}
	for _, s := range all {
		if s.Key == c.key("driver") {
			c.lines = append(c.lines, s)
		} else {
			c.others = append(c.others, s)
		}
	}
	return c
}

// check looks at all settings, at the program, and at merges with it.
func (d *checkedDriver) check() {
	if d.checkDriver() && d.checkProgram() {
		d.checkMerge()
	}
}

// checkDriver looks at the driver line, and reports whether it is this
// program's.
func (d *checkedDriver) checkDriver() bool {
	line := d.line()
	switch {
	case line.Value == "" && len(d.others) > 0:
		d.failure("driver", d.install(), "%s is set (%s), but not %s: git refuses to merge files that have merge=%s",
			d.others[0].Key, where(d.others[0]), d.key("driver"), d.Name)
		return false
	case line.Value == "":
		d.failure("driver", d.install(), "%s is not set: git merges YAML files by lines", d.key("driver"))
		return false
	case !gitattrs.Own(line.Value):
		d.failure("driver", d.install()+" --force", "%s (%s) is another program's: %s", d.key("driver"), where(line), line.Value)
		return false
	}
	d.checkLine(line)
	d.checkScopes(line)
	d.checkOthers()
	return true
}

// checkLine looks at the text of the driver line, and at the fallback that it
// runs.
func (d *checkedDriver) checkLine(line git.ConfigValue) {
	key := d.key("driver")
	switch d.installed(line.Value) {
	case install.BareName:
		d.ok("driver", "%s (%s) is what install --bare-name writes", key, where(line))
	case "":
		switch fallback := gitattrs.Fallback(line.Value); {
		case fallback == "":
			d.warning("driver", d.install(),
				"%s (%s) has no fallback: if the program is missing or dies, ours stays without markers", key, where(line))
		case fallback != "driver" && d.value(d.key(fallback)) == "":
			d.warning("driver", d.install(), "%s (%s) runs %s if the program is missing or dies, but that is not set", key,
				where(line), d.key(fallback))
		default:
			d.warning("driver", d.install(), "%s (%s) was written by another version or path of git-merge-yaml", key, where(line))
		}
	default:
		d.ok("driver", "%s (%s) is what install writes", key, where(line))
	}
}

// installed returns how a driver line that install writes calls the program, ""
// for any other line.
func (d *checkedDriver) installed(line string) string {
	programs := []string{install.Program(d.git)}
	if install.IsOnPath(d.git) {
		programs = append(programs, install.BareName)
	}
	for _, p := range programs {
		settings := gitattrs.Driver{Name: d.Name, Program: p, Rules: d.Rules}.Settings()
		if settings[0].Value == line && !slices.ContainsFunc(settings[1:], d.lacks) {
			return p
		}
	}
	return ""
}

// lacks reports whether a setting of d has another value, or none.
func (d *checkedDriver) lacks(s gitattrs.Setting) bool { return d.value(s.Key) != s.Value }

// value returns the value that counts of another setting than the driver line.
func (d *checkedDriver) value(key string) string {
	for _, s := range slices.Backward(d.others) {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// checkScopes looks for driver lines that do not count.
func (d *checkedDriver) checkScopes(line git.ConfigValue) {
	for _, s := range d.lines[:len(d.lines)-1] {
		if s.Value != line.Value {
			d.warning("driver", unset(s), "%s is also set in %s, which does not count before %s: %s", s.Key, where(s), where(line), s.Value)
		}
	}
}

// checkOthers looks at the other settings of the driver.
func (d *checkedDriver) checkOthers() {
	i := slices.IndexFunc(d.others, func(s git.ConfigValue) bool { return s.Key == d.key("recursive") })
	if i < 0 || d.others[i].Value == d.Name {
		return
	}
	d.warning("driver", unset(d.others[i]),
		"%s=%s (%s) merges common ancestors otherwise: what was reverted may come back, or conflicts grow",
		d.key("recursive"), d.others[i].Value, where(d.others[i]))
}

// where names the file of a setting.
func where(s git.ConfigValue) string {
	return s.Scope + ", " + strings.TrimPrefix(s.Origin, "file:")
}

// unset is the command that removes a setting.
func unset(s git.ConfigValue) string {
	return fmt.Sprintf("git config --%s --unset-all %s", s.Scope, s.Key)
}

// checkProgram runs the program that the driver line calls, as git would, and
// reports whether it ran.
func (d *checkedDriver) checkProgram() bool {
	word := gitattrs.Program(d.line().Value)
	said, err := d.git.Shell(word + " --version")
	if err != nil {
		d.failure("program", d.install(), "sh, as git runs it, cannot run %s: %v", word, err)
		return false
	}
	path := d.git.Which(word)
	if path == "" {
		path = word
	}
	_, called, _ := strings.Cut(said, " version ")
	if called != build.Description() {
		d.warning("program", d.install(), "the driver line runs version %s (%s), this is version %s", called, path, build.Description())
		return true
	}
	d.ok("program", "%s, version %s", path, called)
	return true
}
