// Package setup makes git merge YAML files with this program, undoes that, and looks at
// everything between the two. Each change is planned, then told and made.
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Options say where something is installed.
type Options struct {
	Scope      git.Scope
	Attributes string // tracked, info, global, none, or "" for what fits the scope
	DryRun     bool   // only say what would change
}

// An installation is what install and uninstall have in common: where they work, and
// the changes that they are about to make.
type installation struct {
	Options
	out     io.Writer
	git     git.Git
	bare    bool
	changes []change
	then    []string // is said behind them
}

// A change is one step of an installation, told before or after it is made.
type change struct {
	what string // in the infinitive: set merge.yaml.driver
	make func() error
}

// newInstallation returns one, unless there is no repository for it.
func newInstallation(out io.Writer, o Options) (s *installation, err error) {
	s = &installation{Options: o, out: out}
	if s.Scope == git.Local {
		if s.bare, err = repo.Open(s.git).IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	return s, s.git.CheckConfigWritable(s.Scope)
}

// Install sets git up to call this program, and says to out what it
// changes. With rules it is the driver that merges by these; force replaces
// another program's driver of its name. Without patterns, only the driver of the
// default rules is given files.
func Install(out io.Writer, o Options, rules string, patterns []string, force bool) error {
	s, err := newInstallation(out, o)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		if err := gitattrs.CheckPattern(p); err != nil {
			return err
		}
	}
	program, _ := driver.Program()
	d := gitattrs.Driver{Name: driver.NameOf(rules), Program: program, Rules: rules}
	have, err := s.git.Config(s.Scope, d.Key("driver"))
	if err != nil {
		return err
	}
	if have != "" && !gitattrs.RunsGitMergeYAML(have) && !force {
		return fmt.Errorf("%s (git config --%s) is another program's: %s; --force replaces it", d.Key("driver"), s.Scope, have)
	}
	for _, setting := range d.Settings() {
		if err := s.set(setting); err != nil {
			return err
		}
	}
	switch {
	case d.Rules == "" || len(patterns) > 0:
		if err := s.addAttributes(d.Name, patterns); err != nil {
			return err
		}
	case s.Attributes != "" && s.Attributes != "none":
		return fmt.Errorf("--attributes %s: with --rules %s there has to be a --pattern to write there", s.Attributes, d.Rules)
	default:
		s.then = append(s.then, "give it files with --pattern, or by lines such as `k8s/*.yaml merge="+d.Name+"` in .gitattributes")
	}
	return s.apply()
}

// Uninstall undoes Install, for all rules, and says to out what it
// changes.
func Uninstall(out io.Writer, o Options) error {
	s, err := newInstallation(out, o)
	if err != nil {
		return err
	}
	// First the attributes, so that nothing leads to a driver that is gone.
	for _, kind := range s.attributes() {
		path, file, err := s.readAttributes(kind)
		if errors.Is(err, git.ErrNoAttributesFile) {
			continue // so install wrote none
		}
		if err != nil {
			return err
		}
		switch rest := gitattrs.RemoveBlock(file); {
		case bytes.Equal(rest, file):
		case rest == nil:
			s.editFile(path, "remove "+path+", which install had made", nil)
		default:
			s.editFile(path, "remove the block of git-merge-yaml from "+path, rest)
		}
	}
	for _, d := range driver.All {
		have, err := s.git.Config(s.Scope, d.Key("driver"))
		if err != nil {
			return err
		}
		if have != "" && !gitattrs.RunsGitMergeYAML(have) {
			terminal.PrintLine(s.out, "%s (git config --%s) is another program's and stays: %s", d.Key("driver"), s.Scope, have)
			continue
		}
		own := map[string]bool{}
		for _, setting := range slices.Backward(d.Settings()) {
			own[setting.Key] = true
			if err := s.set(gitattrs.Setting{Key: setting.Key}); err != nil {
				return err
			}
		}
		all, err := s.git.ConfigValues(d.Key(""))
		if err != nil {
			return err
		}
		for _, v := range all {
			line := fmt.Sprintf("%s (git config --%s) stays, being yours; where a file has merge=%s, git refuses to merge with settings but no driver",
				v.Key, s.Scope, d.Name)
			if v.Scope == s.Scope && !own[v.Key] && !slices.Contains(s.then, line) {
				s.then = append(s.then, line)
			}
		}
	}
	return s.apply()
}

// attributes are the kinds of attributes files that install may have changed for the scope;
// it changes the first.
func (s *installation) attributes() []string {
	switch {
	case s.Attributes == "none":
		return nil
	case s.Attributes != "":
		return []string{s.Attributes}
	case s.Scope == git.Global:
		return []string{"global"}
	case s.bare:
		return []string{"info"}
	}
	return []string{"tracked", "info"}
}

// readAttributes reads one of git's attributes files, nil if it is not there.
func (s *installation) readAttributes(kind string) (path string, file []byte, err error) {
	if path, err = s.git.AttributesFile(kind); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%s is no regular file", path)
	}
	file, err = disk.ReadIfAny(path)
	return path, file, err
}

// addAttributes plans the lines of a driver in the block of an attributes file.
// Where no pattern is given, those that the block has stay.
func (s *installation) addAttributes(name string, patterns []string) error {
	kinds := s.attributes()
	if len(kinds) == 0 {
		return nil
	}
	path, file, err := s.readAttributes(kinds[0])
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = gitattrs.Patterns(file, name)
	}
	if len(patterns) == 0 {
		patterns = []string{"*.yaml", "*.yml"}
	}
	with := gitattrs.SetPatterns(file, name, patterns)
	if bytes.Equal(with, file) {
		return nil
	}
	if info, err := os.Lstat(path); kinds[0] == "tracked" && err == nil && info.Mode().Type() == os.ModeSymlink {
		return fmt.Errorf("the link %s is not followed by git: make it a file, or use --attributes info", filepath.Base(path))
	}
	s.editFile(path, fmt.Sprintf("give %s to the driver (merge=%s in %s)", strings.Join(patterns, " "), name, path), with)
	return nil
}

// editFile plans to give a file new content; nil is no file. Where path is a link, it
// stays.
func (s *installation) editFile(path, what string, content []byte) {
	s.changes = append(s.changes, change{what, func() error {
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
	}})
}

// set plans to give a key of a driver its value, or to remove it if that is "", unless it is so.
func (s *installation) set(setting gitattrs.Setting) error {
	have, err := s.git.Config(s.Scope, setting.Key)
	if err != nil || have == setting.Value {
		return err
	}
	what := fmt.Sprintf("set %s (git config --%s) %s", setting.Key, s.Scope, setting.About)
	switch {
	case setting.Value == "":
		what = "un" + strings.TrimSpace(what)
	case have != "" && !gitattrs.RunsGitMergeYAML(have):
		what += " -- it was: " + have
	}
	s.changes = append(s.changes, change{what, func() error { return s.git.SetConfig(s.Scope, setting.Key, setting.Value) }})
	return nil
}

// apply makes the changes and says each, or with --dry-run only says them.
func (s *installation) apply() error {
	for _, c := range s.changes {
		if s.DryRun {
			terminal.PrintLine(s.out, "would %s", c.what)
			continue
		}
		if err := c.make(); err != nil {
			return fmt.Errorf("could not %s: %w", c.what, err)
		}
		terminal.PrintLine(s.out, "%s", c.what)
	}
	if len(s.changes) == 0 {
		terminal.PrintLine(s.out, "nothing to change")
	}
	for _, line := range s.then {
		terminal.PrintLine(s.out, "%s", line)
	}
	return nil
}
