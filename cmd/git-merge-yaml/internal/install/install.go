package install

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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Install sets git up to call this program, and says to out what it
// changes. With rules it is the driver that merges by these; force replaces
// another program's driver of its name. Without patterns, only the driver of the
// default rules is given files.
func Install(out io.Writer, o Options, rules string, patterns []string, force bool) error {
	s, err := newSetup(out, o)
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
func (s *setup) install(d gitattrs.Driver, patterns []string, force bool) error {
	for _, p := range slices.Concat(patterns, s.Also) {
		if err := gitattrs.CheckPattern(p); err != nil {
			return err
		}
	}
	if err := s.setDriver(d, force); err != nil {
		return err
	}
	if err := s.missConfiguration(); err != nil {
		return err
	}
	if d.Rules != "" && len(patterns) == 0 {
		return s.installUnused(d)
	}
	if err := s.addAttributes(d.Name, patterns); err != nil {
		return err
	}
	if err := s.noteMade(d); err != nil {
		return err
	}
	return s.apply()
}

// installUnused installs a driver that attributes files of the user's lead to.
func (s *setup) installUnused(d gitattrs.Driver) error {
	if s.Attributes != "" && s.Attributes != "none" {
		return fmt.Errorf("--attributes %s: with --rules %s there has to be a --pattern to write there", s.Attributes, d.Rules)
	}
	if err := s.noteMade(d); err != nil {
		return err
	}
	if err := s.apply(); err != nil {
		return err
	}
	s.say(fmt.Sprintf("give it files with --pattern, or by lines such as `k8s/*.yaml merge=%s` in .gitattributes", d.Name))
	return nil
}

func (s *setup) setDriver(d gitattrs.Driver, force bool) error {
	if err := s.checkForeign(d.Key("driver"), force); err != nil {
		return err
	}
	if err := s.checkOthers(d, force); err != nil {
		return err
	}
	settings := d.Settings()
	if s.Tool {
		settings = append(settings, d.Tool()...)
	}
	if s.Diff {
		settings = append(settings, d.Diff()...)
	}
	if s.SOPS {
		settings = append(settings, gitattrs.Setting{Key: sops.Key, Value: "true"})
	}
	for _, setting := range settings {
		if err := s.set(setting); err != nil {
			return err
		}
	}
	return nil
}

// checkOthers refuses to take the names of other programs' tools.
func (s *setup) checkOthers(d gitattrs.Driver, force bool) error {
	if s.Tool {
		if err := s.checkForeign(d.Tool()[0].Key, force); err != nil {
			return err
		}
	}
	if s.Diff {
		return s.checkForeign(d.Diff()[0].Key, force)
	}
	return nil
}

// checkForeign refuses to take the name from another program's driver.
func (s *setup) checkForeign(key string, force bool) error {
	have, err := s.git.Config(s.Scope, key)
	if err != nil || have == "" || gitattrs.Own(have) || force {
		return err
	}
	return fmt.Errorf("%s (git config --%s) is another program's: %s; --force replaces it", key, s.Scope, have)
}

// addAttributes plans the lines of a driver in the block of an attributes file.
// Where no pattern is given, those that the block has stay.
func (s *setup) addAttributes(driver string, patterns []string) error {
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
	for _, p := range s.Also {
		if !slices.Contains(patterns, p) {
			patterns = append(patterns, p)
		}
	}
	with := gitattrs.Add(file, driver, patterns)
	if s.Diff {
		with = gitattrs.AddDiff(with, driver, patterns)
	}
	if !bytes.Equal(with, file) {
		if kind == "tracked" && git.IsLink(path) && !s.git.FollowsAttributes() {
			return fmt.Errorf("the link %s is not followed by git: make it a file, or use --attributes info", filepath.Base(path))
		}
		s.missFolders(path)
		s.editFile(path, fmt.Sprintf("give %s to the driver (merge=%s in %s)", strings.Join(patterns, " "), driver, path), with)
	}
	return nil
}

func (s *setup) attributesForInstall() (string, error) {
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
