package setup

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A checkedDriver is a driver as git is configured to call it.
type checkedDriver struct {
	driver.Driver
	line   git.ConfigValue   // the driver line that counts
	others []git.ConfigValue // its other settings
	fix    string            // the command that installs it
}

func (c *checkedDriver) isSet() bool { return c.line.Key != "" || len(c.others) > 0 }

// where names the file of a setting.
func where(s git.ConfigValue) string {
	return s.Scope + ", " + strings.TrimPrefix(s.Origin, "file:")
}

// checkDrivers looks at the default driver, and at others that are set.
func (d *doctor) checkDrivers() {
	for _, of := range driver.All {
		c := &checkedDriver{Driver: of, fix: d.self + " install"}
		key := gitattrs.Driver{Name: of.Name}.Key
		all, err := d.git.ConfigValues(key(""))
		if err != nil {
			d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
		}
		for _, s := range all {
			if s.Key == key("driver") {
				c.line = s
			} else {
				c.others = append(c.others, s)
			}
		}
		if c.line.Scope == string(git.Local) {
			c.fix += " --local"
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
	written := gitattrs.Driver{Name: c.Name, Program: d.program, Rules: c.Rules}.Settings()
	key, line := written[0].Key, c.line
	lacks := func(s gitattrs.Setting) bool {
		value := ""
		for _, o := range c.others { // the last one counts
			if o.Key == s.Key {
				value = o.Value
			}
		}
		return value != s.Value
	}
	switch {
	case line.Value == "" && len(c.others) > 0:
		d.failure("driver", c.fix, "%s is set (%s), but not %s: git refuses to merge files that have merge=%s",
			c.others[0].Key, where(c.others[0]), key, c.Name)
		return false
	case line.Value == "":
		d.failure("driver", c.fix, "%s is not set: git merges YAML files by lines", key)
		return false
	case !gitattrs.Own(line.Value):
		d.failure("driver", c.fix+" --force", "%s (%s) is another program's: %s", key, where(line), line.Value)
		return false
	case line.Value != written[0].Value || slices.ContainsFunc(written[1:], lacks):
		d.warning("driver", c.fix, "%s (%s) is not what this version of install writes", key, where(line))
	default:
		d.ok("driver", "%s (%s) is what install writes", key, where(line))
	}
	return true
}

// trials are what has to come out of a merge, by the rules of each driver: a field that only
// a merge by fields can merge, and one in conflict, which theirs wins under kustomize's rules.
var trials = map[string]string{
	"":          "<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\n",
	"kustomize": "replicas: 4\npaused: true\n",
}

// checkMerge makes a merge in a scratch repository, whose attributes name a driver, with the
// settings of that. The rules there are empty, so that no file is asked for that the user's
// configuration names.
func (d *doctor) checkMerge(c *checkedDriver) {
	dir, err := disk.TempFolder()
	if err != nil {
		d.failure("merge", "check TMPDIR", "no scratch repository: %v", err)
		return
	}
	defer os.RemoveAll(dir)
	g := git.At(dir)
	g.Env = append(g.Env, "GIT_MERGE_YAML=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	// What the user's configuration must not do here: run hooks, start processes, ask for keys.
	options := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "rerere.enabled=false",
		"-c", "merge.verifySignatures=false", "-c", "merge.conflictStyle=merge", "-c", "core.autocrlf=false",
	}
	for _, s := range append(slices.Clone(c.others), c.line) {
		options = append(options, "-c", s.Key+"="+s.Value)
	}
	var history bytes.Buffer
	for _, f := range [][4]string{
		{"base", "", ".gitattributes", "*.yaml merge=" + c.Name + "\n"},
		{"base", "", session.TeamFile, "rules: []\n"},
		{"base", "", "web.yaml", "replicas: 2\npaused: false\n"},
		{"ours", "from refs/heads/base\n", "web.yaml", "replicas: 3\npaused: false\n"},
		{"theirs", "from refs/heads/base\n", "web.yaml", "replicas: 4\npaused: true\n"},
	} {
		fmt.Fprintf(&history, "commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n%sM 100644 inline %s\ndata %d\n%s\n",
			f[0], f[1], f[2], len(f[3]), f[3])
	}
	if _, err = g.Run("init", "-q", "--template="); err == nil {
		_, err = g.Feed(history.Bytes(), "fast-import", "--quiet")
	}
	if err != nil {
		d.failure("merge", "git init in a new folder", "no scratch repository: %v", err)
		return
	}
	_, err = g.Run(slices.Concat(options, []string{"reset", "-q", "--hard", "ours"})...)
	if err == nil {
		_, err = g.Run(slices.Concat(options, []string{"merge", "-q", "--no-ff", "--no-commit", "theirs"})...)
	}
	said := ""
	if git.ExitCode(err) == 1 {
		said, err = strings.TrimSpace(err.(*git.Error).Stderr), nil
	}
	var got []byte
	if err == nil {
		got, err = os.ReadFile(filepath.Join(dir, "web.yaml"))
	}
	switch by := ""; {
	case err == nil && merge.EqualButLabels(got, []byte(trials[c.Rules]), 0):
		if c.Rules != "" {
			by = " by the rules of " + c.Rules
		}
		d.ok("merge", "a merge in a scratch repository came out right%s", by)
		return
	case said != "":
	case err != nil:
		said = err.Error()
	default:
		said = fmt.Sprintf("git made %q", got)
	}
	d.failure("merge", c.fix, "a merge in a scratch repository did not come out right: %s", said)
}
