// Package setup makes git merge YAML files with this program, undoes that, and looks at
// everything between the two. Each change is planned, then told and made.
package setup

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// An installation is what install and uninstall have in common: where they work, and
// the changes that they are about to make.
type installation struct {
	Options
	out     io.Writer
	git     git.Git
	program string // what the settings run
	changes []change
}

// Options say where something is installed.
type Options struct {
	Scope      git.Scope
	Attributes string // tracked, info, global, none, or "" for what fits the scope
	DryRun     bool   // only say what would change
	BareName   bool   // call the program by its name, not by its full path
	Tool       bool   // set up git mergetool --tool yaml, too
	Diff       bool   // show git diff of the same files field by field, too
}

// A change is one step of an installation, told before or after it is made.
type change struct {
	what string // in the infinitive: set merge.yaml.driver
	make func() error
}

// newInstallation returns one, unless there is no repository for it.
func newInstallation(out io.Writer, o Options) (*installation, error) {
	s := &installation{Options: o, out: out}
	if s.Scope == git.Local {
		if _, err := s.git.IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	return s, nil
}

// attributesFile returns the path of one of git's attributes files.
func (s *installation) attributesFile(kind string) (string, error) {
	switch kind {
	case "tracked":
		return s.git.TrackedAttributes()
	case "info":
		return s.git.InfoAttributes()
	default:
		return s.git.GlobalAttributes()
	}
}

func (s *installation) change(what string, make func() error) {
	s.changes = append(s.changes, change{what, make})
}

// editFile plans to give a file new content; nil is no file. Where path is a link, it
// stays.
func (s *installation) editFile(path, what string, content []byte) {
	s.change(what, func() error {
		if content == nil {
			target, err := filepath.EvalSymlinks(path)
			if err != nil {
				return err
			}
			return os.Remove(target)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return disk.ReplaceOrMake(path, content)
	})
}

// set plans to set a key, unless it has the value already.
func (s *installation) set(setting gitattrs.Setting) error {
	have, err := s.git.Config(s.Scope, setting.Key)
	if err != nil || have == setting.Value {
		return err
	}
	what := fmt.Sprintf("set %s (git config --%s) to: %s", setting.Key, s.Scope, setting.Value)
	switch {
	case strings.Contains(setting.Value, "git merge-file"):
		what = fmt.Sprintf("set %s (git config --%s) to a script that runs git merge-file, should the program fail", setting.Key, s.Scope)
	case strings.Contains(setting.Value, "%A"):
		what = fmt.Sprintf("set %s (git config --%s) to a line that runs %s", setting.Key, s.Scope, s.program)
	}
	if have != "" && !gitattrs.Own(have) {
		what += " -- it was: " + have
	}
	s.change(what, func() error {
		return s.git.SetConfig(s.Scope, setting.Key, setting.Value)
	})
	return nil
}

// unset plans to remove a key, if it is there.
func (s *installation) unset(key string) error {
	have, err := s.git.Config(s.Scope, key)
	if err != nil || have == "" {
		return err
	}
	s.change(fmt.Sprintf("unset %s (git config --%s)", key, s.Scope), func() error {
		return s.git.UnsetConfig(s.Scope, key)
	})
	return nil
}

// apply makes the changes and says each, or with --dry-run only says them.
func (s *installation) apply() error {
	for _, c := range s.changes {
		if s.DryRun {
			s.say("would " + c.what)
			continue
		}
		err := c.make()
		if err != nil {
			return fmt.Errorf("could not %s: %w", c.what, err)
		}
		s.say(c.what)
	}
	if len(s.changes) == 0 {
		s.say("nothing to change")
	}
	return nil
}

func (s *installation) say(line string) { fmt.Fprintln(s.out, terminal.Printable(line)) }

// Install sets git up to call this program, and says to out what it
// changes. With rules it is the driver that merges by these; force replaces
// another program's driver of its name. Without patterns, only the driver of the
// default rules is given files.
func Install(out io.Writer, o Options, rules string, patterns []string, force bool) error {
	s, err := newInstallation(out, o)
	if err != nil {
		return err
	}
	d := gitattrs.Driver{Name: driver.NameOf(rules), Program: Program(s.git), Rules: rules}
	if o.BareName {
		if !IsOnPath(s.git) {
			return fmt.Errorf("--bare-name: git does not find this program as %s; add its folder to the PATH first", BareName)
		}
		d.Program = BareName
	}
	return s.install(d, patterns, force)
}

// install plans the settings, then the attributes that lead to them.
func (s *installation) install(d gitattrs.Driver, patterns []string, force bool) error {
	for _, p := range patterns {
		if err := gitattrs.CheckPattern(p); err != nil {
			return err
		}
	}
	if err := s.setDriver(d, force); err != nil {
		return err
	}
	if d.Rules == "" || len(patterns) > 0 {
		if err := s.addAttributes(d.Name, patterns); err != nil {
			return err
		}
		return s.apply()
	}
	if s.Attributes != "" && s.Attributes != "none" {
		return fmt.Errorf("--attributes %s: with --rules %s there has to be a --pattern to write there", s.Attributes, d.Rules)
	}
	if err := s.apply(); err != nil {
		return err
	}
	s.say(fmt.Sprintf("give it files with --pattern, or by lines such as `k8s/*.yaml merge=%s` in .gitattributes", d.Name))
	return nil
}

func (s *installation) setDriver(d gitattrs.Driver, force bool) error {
	s.program = d.Program
	groups := [][]gitattrs.Setting{d.Settings()}
	if s.Tool {
		groups = append(groups, d.Tool())
	}
	if s.Diff {
		groups = append(groups, d.Diff())
	}
	for _, g := range groups { // the first of each names a program
		if err := s.checkForeign(g[0].Key, force); err != nil {
			return err
		}
	}
	for _, setting := range slices.Concat(groups...) {
		if err := s.set(setting); err != nil {
			return err
		}
	}
	return nil
}

// checkForeign refuses to take the name from another program's driver.
func (s *installation) checkForeign(key string, force bool) error {
	have, err := s.git.Config(s.Scope, key)
	if err != nil || have == "" || gitattrs.Own(have) || force {
		return err
	}
	return fmt.Errorf("%s (git config --%s) is another program's: %s; --force replaces it", key, s.Scope, have)
}

// addAttributes plans the lines of a driver in the block of an attributes file.
// Where no pattern is given, those that the block has stay.
func (s *installation) addAttributes(driver string, patterns []string) error {
	kind, err := s.attributesForInstall()
	if err != nil || kind == "none" {
		return err
	}
	path, err := s.attributesFile(kind)
	if err != nil {
		return err
	}
	file, err := disk.ReadIfAny(path)
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns, _ = gitattrs.Patterns(file, driver)
	}
	if len(patterns) == 0 {
		patterns = []string{"*.yaml", "*.yml"}
	}
	with := gitattrs.Add(file, driver, patterns)
	if s.Diff {
		with = gitattrs.AddDiff(with, driver, patterns)
	}
	if !bytes.Equal(with, file) {
		if info, err := os.Lstat(path); kind == "tracked" && err == nil && info.Mode().Type() == os.ModeSymlink {
			return fmt.Errorf("the link %s is not followed by git: make it a file, or use --attributes info", filepath.Base(path))
		}
		s.editFile(path, fmt.Sprintf("give %s to the driver (merge=%s in %s)", strings.Join(patterns, " "), driver, path), with)
	}
	return nil
}

func (s *installation) attributesForInstall() (string, error) {
	switch {
	case s.Attributes != "":
		return s.Attributes, nil
	case s.Scope == git.Global:
		return "global", nil
	}
	bare, err := s.git.IsBare()
	if bare {
		return "info", err
	}
	return "tracked", err
}

// Program returns how a driver line calls this program: by its full path, since
// programs with windows may have another PATH than a terminal. Where sh finds
// the program by its name, the path is the one it finds: that of a package
// manager's link stays when the version behind it changes.
func Program(g git.Git) string {
	self, err := os.Executable()
	if err != nil {
		return BareName
	}
	if found := g.Which(BareName); sameFile(self, found) && filepath.IsAbs(found) {
		self = found
	}
	return filepath.ToSlash(self)
}

// BareName is the program's name, by which sh finds it on the PATH.
const BareName = "git-merge-yaml"

// IsOnPath reports whether sh finds this program by its name.
func IsOnPath(g git.Git) bool {
	self, err := os.Executable()
	return err == nil && sameFile(self, g.Which(BareName))
}

func sameFile(a, b string) bool {
	ia, err := os.Stat(a)
	if err != nil {
		return false
	}
	ib, err := os.Stat(b)
	return err == nil && os.SameFile(ia, ib)
}
