package doctor

import (
	"slices"

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

// install is the command that fixes the driver line.
func (d *checkedDriver) install() string {
	command := d.self + " install"
	if d.line().Scope == string(git.Local) {
		command += " --local"
	}
	if d.Rules != "" {
		command += " --rules " + d.Rules
	}
	return command
}

// install is the command that fixes the default driver, or gives it files.
func (d *doctor) install() string { return d.drivers[0].install() }
