package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

const installDescription = `Sets merge.yaml.driver in git's configuration to a line that runs this program,
and git's own merge should that fail; and gives git the YAML files in an
attributes file. Run again, it brings up to date what it wrote. It changes
nothing else, and says what it changes.

Exits with 0 if that is done, and with 129 on any failure.`

func (a *App) installCommand() *cli.Command {
	return &cli.Command{
		Name:        "install",
		Usage:       "make git merge YAML files with this program",
		UsageText:   "git-merge-yaml install [options]",
		Description: installDescription,
		Flags: append(setupFlags(),
			&cli.StringSliceFlag{Name: "pattern", KeepSpace: true, Usage: "give git the files of `PATTERN`, as in .gitattributes; repeatable", DefaultText: "*.yaml and *.yml"},
			&cli.StringFlag{Name: "rules", Usage: "with `RULES` kustomize: set up the driver " + kustomizeName + ", for the files of --pattern or of attributes of yours", DefaultText: "default"},
			&cli.BoolFlag{Name: "force", Usage: "replace another program's merge driver of that name"},
		),
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			s, err := a.newSetup(c)
			if err != nil {
				return err
			}
			rules, err := parseRuleSet(c.String("rules"))
			if err != nil {
				return err
			}
			return s.install(gitattrs.Driver{Name: nameOf(rules), Program: program(s.git), Rules: rules}, c.StringSlice("pattern"), c.Bool("force"))
		},
	}
}

// install plans the settings, then the attributes that lead to them. Without
// patterns, only the driver of the default rules is given files.
func (s *setup) install(d gitattrs.Driver, patterns []string, force bool) error {
	for _, p := range patterns {
		if err := gitattrs.CheckPattern(p); err != nil {
			return err
		}
	}
	if err := s.setDriver(d, force); err != nil {
		return err
	}
	if d.Rules != "" && len(patterns) == 0 {
		return s.installUnused(d)
	}
	if err := s.addAttributes(d.Name, patterns); err != nil {
		return err
	}
	return s.apply()
}

// installUnused installs a driver that attributes files of the user's lead to.
func (s *setup) installUnused(d gitattrs.Driver) error {
	if s.attributes != "" && s.attributes != "none" {
		return fmt.Errorf("--attributes %s: with --rules %s there has to be a --pattern to write there", s.attributes, d.Rules)
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
	for _, setting := range d.Settings() {
		if err := s.set(setting); err != nil {
			return err
		}
	}
	return nil
}

// checkForeign refuses to take the name from another program's driver.
func (s *setup) checkForeign(key string, force bool) error {
	have, err := s.git.Config(s.scope, key)
	if err != nil || have == "" || gitattrs.Own(have) || force {
		return err
	}
	return fmt.Errorf("%s (git config --%s) is another program's: %s; --force replaces it", key, s.scope, have)
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
	with := gitattrs.Add(file, driver, patterns)
	if !bytes.Equal(with, file) {
		s.editFile(path, fmt.Sprintf("give %s to the driver (merge=%s in %s)", strings.Join(patterns, " "), driver, path), with)
	}
	return nil
}

func (s *setup) attributesForInstall() (string, error) {
	switch {
	case s.attributes != "":
		return s.attributes, nil
	case s.scope == git.Global:
		return "global", nil
	}
	bare, err := s.git.IsBare()
	if bare {
		return "info", err
	}
	return "tracked", err
}

// program returns how a driver line calls this program: by its name, if that
// is what sh finds, else by its absolute path.
func program(g git.Git) string {
	self, err := os.Executable()
	if err != nil {
		return "git-merge-yaml"
	}
	if sameFile(self, g.Which("git-merge-yaml")) {
		return "git-merge-yaml"
	}
	return filepath.ToSlash(self)
}

func sameFile(a, b string) bool {
	ia, err := os.Stat(a)
	if err != nil {
		return false
	}
	ib, err := os.Stat(b)
	return err == nil && os.SameFile(ia, ib)
}
