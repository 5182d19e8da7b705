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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
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

// checkMerge makes a merge in a scratch repository with the settings of a driver.
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
	if err := prepareTrial(g, c); err != nil {
		d.failure("merge", "git init in a new folder", "no scratch repository: %v", err)
		return
	}
	// What the user's configuration must not do here: run hooks, start processes, ask for keys.
	quietly := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "rerere.enabled=false",
		"-c", "merge.verifySignatures=false", "-c", "merge.conflictStyle=merge", "-c", "core.autocrlf=false",
	}
	_, err = g.Run(slices.Concat(quietly, []string{"reset", "-q", "--hard", "ours"})...)
	if err == nil {
		_, err = g.Run(slices.Concat(quietly, []string{"merge", "-q", "--no-ff", "--no-commit", "theirs"})...)
	}
	said := ""
	if git.ExitCode(err) == 1 {
		said, err = strings.TrimSpace(err.(*git.Error).Stderr), nil
	}
	var got []byte
	if err == nil {
		got, err = os.ReadFile(filepath.Join(dir, "web.yaml"))
	}
	if err == nil && merge.EqualButLabels(got, []byte(trials[c.Rules]), 0) {
		by := ""
		if c.Rules != "" {
			by = " by the rules of " + c.Rules
		}
		d.ok("merge", "a merge in a scratch repository came out right%s", by)
		return
	}
	switch {
	case said != "":
	case err != nil:
		said = err.Error()
	default:
		said = fmt.Sprintf("git made %q", got)
	}
	d.failure("merge", c.fix, "a merge in a scratch repository did not come out right: %s", said)
}

// prepareTrial makes a repository with two branches to merge, whose attributes name a driver,
// and whose settings are those of the driver.
func prepareTrial(g git.Git, c *checkedDriver) error {
	if _, err := g.Run("init", "-q", "--template="); err != nil {
		return err
	}
	for _, s := range append(slices.Clone(c.others), c.line) {
		if err := g.SetConfig(git.Local, s.Key, s.Value); err != nil {
			return err
		}
	}
	info := filepath.Join(g.Dir, ".git", "info")
	if err := os.MkdirAll(info, 0o777); err != nil {
		return err
	}
	for name, content := range map[string]string{
		filepath.Join(info, "attributes"): "*.yaml merge=" + c.Name + "\n",
		// Rules of its own, so that the file that the user's configuration names is not asked for.
		filepath.Join(g.Dir, team.File): "rules: []\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return err
		}
	}
	var history bytes.Buffer
	for _, b := range [][3]string{
		{"base", "", "replicas: 2\npaused: false\n"},
		{"ours", "from refs/heads/base\n", "replicas: 3\npaused: false\n"},
		{"theirs", "from refs/heads/base\n", "replicas: 4\npaused: true\n"},
	} {
		fmt.Fprintf(&history, "commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n%sM 100644 inline web.yaml\ndata %d\n%s\n",
			b[0], b[1], len(b[2]), b[2])
	}
	_, err := g.Feed(history.Bytes(), "fast-import", "--quiet")
	return err
}
