package setup

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A checkedDriver is a driver as git is configured to call it.
type checkedDriver struct {
	*doctor
	driver.Driver
	lines  []git.ConfigValue // the driver lines, the last of which counts
	others []git.ConfigValue // its other settings
}

func (d *checkedDriver) key(setting string) string { return gitattrs.Driver{Name: d.Name}.Key(setting) }

func (d *checkedDriver) isSet() bool { return len(d.lines)+len(d.others) > 0 }

// needed reports whether d is the default driver, and no other one is set.
func (d *checkedDriver) needed() bool {
	return d.Rules == "" && !slices.ContainsFunc(d.drivers, (*checkedDriver).isSet)
}

// line returns the driver line that counts.
func (d *checkedDriver) line() git.ConfigValue {
	if len(d.lines) == 0 {
		return git.ConfigValue{}
	}
	return d.lines[len(d.lines)-1]
}

// scope is where the driver line is, or will be.
func (d *checkedDriver) scope() git.Scope {
	if d.line().Scope == string(git.Local) {
		return git.Local
	}
	return git.Global
}

// install is the command that fixes the driver line.
func (d *checkedDriver) install() string {
	command := d.self + " install"
	if d.scope() == git.Local {
		command += " --local"
	}
	if d.Rules != "" {
		command += " --rules " + d.Rules
	}
	return command
}

// install is the command that fixes the default driver, or gives it files.
func (d *doctor) install() string { return d.drivers[0].install() }

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

// check looks at all settings, and at a merge with them.
func (d *checkedDriver) check() {
	if d.checkDriver() {
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
	return true
}

// checkLine looks at the text of the driver line, and at the settings that it uses.
func (d *checkedDriver) checkLine(line git.ConfigValue) {
	key := d.key("driver")
	switch d.installed(line.Value) {
	case BareName:
		d.ok("driver", "%s (%s) is what install --bare-name writes", key, where(line))
	case "":
		d.warning("driver", d.install(), "%s (%s) is not what this version of install writes", key, where(line))
	default:
		d.ok("driver", "%s (%s) is what install writes", key, where(line))
	}
}

// installed returns how a driver line that install writes calls the program, ""
// for any other line.
func (d *checkedDriver) installed(line string) string {
	programs := []string{Program(d.git)}
	if IsOnPath(d.git) {
		programs = append(programs, BareName)
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

// where names the file of a setting.
func where(s git.ConfigValue) string {
	return s.Scope + ", " + strings.TrimPrefix(s.Origin, "file:")
}
