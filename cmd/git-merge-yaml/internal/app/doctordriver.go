package app

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
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
		d.failure("git", "install git anew", "git does not run: %v", err)
		return false
	}
	version = strings.TrimPrefix(version, "git version ")
	var major, minor int
	fmt.Sscanf(version, "%d.%d", &major, &minor)
	switch n := 1000*major + minor; {
	case n < 2017:
		d.warning("git", "install git 2.17 or later", "version %s, older than any that this program was tried with", version)
	case n < 2042:
		d.ok("git", "version %s (before 2.44 markers say ours, base and theirs instead of branches; from 2.42 on a driver that dies ends the whole merge, but not the driver line of install)", version)
	case n < 2044:
		d.ok("git", "version %s (before 2.44 markers say ours, base and theirs instead of branches)", version)
	default:
		d.ok("git", "version %s", version)
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
	case strings.Contains(err.Error(), "dubious ownership"):
		_, command, _ := strings.Cut(err.Error(), "\n\n\t")
		d.failure("repository", strings.TrimSpace(command), "it belongs to somebody else, so that git does not read it")
	case strings.Contains(err.Error(), "not a git repository"):
		d.ok("repository", "none here, so this is about your own configuration")
	default:
		d.failure("repository", "git status", "git cannot read it: %v", err)
	}
}

// readDriver reads the settings of the driver.
func (d *doctor) readDriver() {
	driver := gitattrs.Driver{Name: driverName}
	all, err := d.git.ConfigValues(driver.Key(""))
	if err != nil {
		d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
	}
	for _, s := range all {
		if s.Key == driver.Key("driver") {
			d.driver = append(d.driver, s)
		} else {
			d.others = append(d.others, s)
		}
	}
}

// line returns the driver line that counts.
func (d *doctor) line() git.ConfigValue {
	if len(d.driver) == 0 {
		return git.ConfigValue{}
	}
	return d.driver[len(d.driver)-1]
}

// install is the command that mends the driver line.
func (d *doctor) install() string {
	if d.line().Scope == string(git.Local) {
		return d.self + " install --local"
	}
	return d.self + " install"
}

// checkDriver looks at the driver line, and reports whether it is this
// program's.
func (d *doctor) checkDriver() bool {
	line := d.line()
	switch {
	case line.Value == "" && len(d.others) > 0:
		d.failure("driver", d.install(), "%s is set (%s), but not merge.%s.driver: git refuses to merge files that have merge=%s",
			d.others[0].Key, where(d.others[0]), driverName, driverName)
		return false
	case line.Value == "":
		d.failure("driver", d.install(), "merge.%s.driver is not set: git merges YAML files by lines", driverName)
		return false
	case !gitattrs.Own(line.Value):
		d.failure("driver", d.install()+" --force", "merge.%s.driver (%s) is another program's: %s", driverName, where(line), line.Value)
		return false
	}
	d.checkLine(line)
	d.checkScopes(line)
	d.checkOthers()
	return true
}

// checkLine looks at the text of the driver line.
func (d *doctor) checkLine(line git.ConfigValue) {
	current := gitattrs.Driver{Name: driverName, Program: program(d.git)}.Settings()[0].Value
	switch {
	case line.Value == current:
		d.ok("driver", "merge.%s.driver (%s) is what install writes", driverName, where(line))
	case !gitattrs.HasFallback(line.Value):
		d.warning("driver", d.install(), "merge.%s.driver (%s) has no fallback: if the program is missing or dies, ours stays without markers", driverName, where(line))
	default:
		d.warning("driver", d.install(), "merge.%s.driver (%s) is not the line that this version and place of the program installs", driverName, where(line))
	}
}

// checkScopes looks for driver lines that do not count.
func (d *doctor) checkScopes(line git.ConfigValue) {
	for _, s := range d.driver[:len(d.driver)-1] {
		if s.Value != line.Value {
			d.warning("driver", unset(s), "merge.%s.driver is also set in %s, which does not count before %s: %s", driverName, where(s), where(line), s.Value)
		}
	}
}

// checkOthers looks at the other settings of the driver.
func (d *doctor) checkOthers() {
	i := slices.IndexFunc(d.others, func(s git.ConfigValue) bool { return s.Key == "merge."+driverName+".recursive" })
	if i < 0 || d.others[i].Value == driverName {
		return
	}
	d.warning("driver", unset(d.others[i]), "merge.%s.recursive=%s (%s) merges common ancestors otherwise: what was reverted may come back, or conflicts grow", driverName, d.others[i].Value, where(d.others[i]))
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
func (d *doctor) checkProgram() bool {
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
	if called != versionText() {
		d.warning("program", d.install(), "the driver line runs version %s (%s), this is version %s", called, path, versionText())
		return true
	}
	d.ok("program", "%s, version %s", path, called)
	return true
}
