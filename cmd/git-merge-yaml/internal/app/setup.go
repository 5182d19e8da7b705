package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A setup is what install and uninstall have in common: where they work, and
// the changes that they are about to make.
type setup struct {
	app        *App
	git        git.Git
	scope      git.Scope
	attributes string // tracked, info, global, none, or "" for what fits the scope
	dryRun     bool
	changes    []change
}

// A change is one step of an installation, told before or after it is made.
type change struct {
	what string // in the infinitive: set merge.yaml.driver
	make func() error
}

func setupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "global", Usage: "for all repositories of this user (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "for this repository"},
		&cli.StringFlag{Name: "attributes", Usage: "the `FILE` for the patterns: tracked (.gitattributes), info (.git/info/attributes), global or none", DefaultText: "global, with --local tracked"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only say what would change"},
	}
}

func (a *App) newSetup(c *cli.Context) (*setup, error) {
	s := &setup{app: a, scope: git.Global, attributes: c.String("attributes"), dryRun: c.Bool("dry-run")}
	switch {
	case c.NArg() > 0:
		return nil, fmt.Errorf("%s takes options only, got %s (%s)", c.Command.Name, c.Args().First(), seeHelp(c))
	case c.Bool("global") && c.Bool("local"):
		return nil, errors.New("--global and --local exclude each other")
	case c.Bool("local"):
		s.scope = git.Local
		if _, err := s.git.IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	switch s.attributes {
	case "", "tracked", "info", "global", "none":
		return s, nil
	}
	return nil, fmt.Errorf("--attributes %s: want tracked, info, global or none", s.attributes)
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

// editFile plans to give a file new content; nil is no file.
func (s *setup) editFile(path, what string, content []byte) {
	s.change(what, func() error {
		if content == nil {
			return os.Remove(path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return disk.ReplaceOrMake(path, content)
	})
}

// set plans to set a key, unless it has the value already.
func (s *setup) set(setting gitattrs.Setting) error {
	have, err := s.git.Config(s.scope, setting.Key)
	if err != nil || have == setting.Value {
		return err
	}
	what := fmt.Sprintf("set %s (git config --%s) to: %s", setting.Key, s.scope, setting.Value)
	if have != "" && !gitattrs.Own(have) {
		what += " -- it was: " + have
	}
	s.change(what, func() error {
		return s.git.SetConfig(s.scope, setting.Key, setting.Value)
	})
	return nil
}

// unset plans to remove a key, if it is there.
func (s *setup) unset(key string) error {
	have, err := s.git.Config(s.scope, key)
	if err != nil || have == "" {
		return err
	}
	s.change(fmt.Sprintf("unset %s (git config --%s)", key, s.scope), func() error {
		return s.git.UnsetConfig(s.scope, key)
	})
	return nil
}

// apply makes the changes and says each, or with --dry-run only says them.
func (s *setup) apply() error {
	for _, c := range s.changes {
		if s.dryRun {
			s.say("would " + c.what)
			continue
		}
		if err := c.make(); err != nil {
			return fmt.Errorf("could not %s: %w", c.what, err)
		}
		s.say(c.what)
	}
	if len(s.changes) == 0 {
		s.say("nothing to change")
	}
	return nil
}

func (s *setup) say(line string) { fmt.Fprintln(s.app.Stdout, terminal.Printable(line)) }
