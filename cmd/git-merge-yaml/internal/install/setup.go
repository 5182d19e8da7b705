// Package install makes git merge YAML files with this program, and undoes that.
// Each change is planned, then told and made.
package install

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A setup is what install and uninstall have in common: where they work, and
// the changes that they are about to make.
type setup struct {
	Options
	out     io.Writer
	git     git.Git
	changes []change
	missing []string // files and folders that are about to be made, the outer ones first
}

// Options say where something is installed.
type Options struct {
	Scope      git.Scope
	Attributes string // tracked, info, global, none, or "" for what fits the scope
	DryRun     bool   // only say what would change
	BareName   bool   // call the program by its name, not by its full path
	Tool       bool   // set up git mergetool --tool yaml, too
	Diff       bool   // show git diff of the same files field by field, too
	SOPS       bool   // let merges run sops
	// Also are patterns of files that the driver is given beside the others.
	Also []string
}

// A change is one step of an installation, told before or after it is made.
type change struct {
	what string // in the infinitive: set merge.yaml.driver
	make func() error
}

// newSetup returns a setup, unless there is no repository for it.
func newSetup(out io.Writer, o Options) (*setup, error) {
	s := &setup{Options: o, out: out}
	if s.Scope == git.Local {
		if _, err := s.git.IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	return s, nil
}

// attributesFile returns the path of one of git's attributes files.
func (s *setup) attributesFile(kind string) (string, error) {
	switch kind {
	case "tracked":
		return s.git.TrackedAttributes()
	case "info":
		return s.git.InfoAttributes()
	default:
		return s.git.GlobalAttributes()
	}
}

func (s *setup) change(what string, make func() error) {
	s.changes = append(s.changes, change{what, make})
}

// editFile plans to give a file new content; nil is no file. Where path is a link, it
// stays.
func (s *setup) editFile(path, what string, content []byte) {
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
func (s *setup) set(setting gitattrs.Setting) error {
	have, err := s.git.Config(s.Scope, setting.Key)
	if err != nil || have == setting.Value {
		return err
	}
	what := fmt.Sprintf("set %s (git config --%s) to: %s", setting.Key, s.Scope, setting.Value)
	switch program := gitattrs.Program(setting.Value); {
	case strings.Contains(setting.Value, "git merge-file"):
		what = fmt.Sprintf("set %s (git config --%s) to a script that runs git merge-file, should the program fail", setting.Key, s.Scope)
	case program != "":
		what = fmt.Sprintf("set %s (git config --%s) to a line that runs %s", setting.Key, s.Scope, program)
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
func (s *setup) unset(key string) error {
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
func (s *setup) apply() error {
	for _, c := range s.changes {
		if s.DryRun {
			s.say("would " + c.what)
			continue
		}
		err := c.make()
		if errors.Is(err, errStays) {
			continue
		}
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

func (s *setup) say(line string) { fmt.Fprintln(s.out, terminal.Printable(line)) }

// errStays says that something is not to be removed after all.
var errStays = errors.New("something else is in it")
