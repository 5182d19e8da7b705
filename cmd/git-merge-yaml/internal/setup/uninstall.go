package setup

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Uninstall undoes Install, for all rules, and says to out what it
// changes.
func Uninstall(out io.Writer, o Options) error {
	s, err := newInstallation(out, o)
	if err != nil {
		return err
	}
	// First the attributes, so that nothing leads to a driver that is gone.
	for _, kind := range s.attributesForUninstall() {
		if err := s.removeAttributes(kind); err != nil {
			return err
		}
	}
	left := map[string][]string{}
	for _, d := range driver.All {
		keys, err := s.removeSettings(d.Name)
		if err != nil {
			return err
		}
		left[d.Name] = keys
	}
	if err := s.apply(); err != nil {
		return err
	}
	for _, d := range driver.All {
		for _, key := range left[d.Name] {
			s.say(fmt.Sprintf("%s (git config --%s) stays, being yours; where a file has merge=%s, "+
				"git refuses to merge with settings but no driver", key, s.Scope, d.Name))
		}
	}
	return nil
}

// attributesForUninstall are the attributes files that install may have
// changed for the scope.
func (s *installation) attributesForUninstall() []string {
	switch {
	case s.Attributes == "none":
		return nil
	case s.Attributes != "":
		return []string{s.Attributes}
	case s.Scope == git.Global:
		return []string{"global"}
	}
	if bare, _ := s.git.IsBare(); bare {
		return []string{"info"}
	}
	return []string{"tracked", "info"}
}

func (s *installation) removeAttributes(kind string) error {
	path, err := s.attributesFile(kind)
	if err != nil {
		return err
	}
	file, err := disk.ReadIfAny(path)
	if err != nil {
		return err
	}
	switch rest := gitattrs.Remove(file); {
	case bytes.Equal(rest, file):
	case rest == nil:
		s.editFile(path, "remove "+path+", which install had made", nil)
	default:
		s.editFile(path, "remove the block of git-merge-yaml from "+path, rest)
	}
	return nil
}

// removeTools plans to remove what install set for git mergetool and git diff,
// unless it is another program's.
func (s *installation) removeTools(d gitattrs.Driver) error {
	for _, settings := range [][]gitattrs.Setting{d.Tool(), d.Diff()} {
		have, err := s.git.Config(s.Scope, settings[0].Key)
		if err != nil {
			return err
		}
		if !gitattrs.Own(have) {
			continue
		}
		for _, setting := range slices.Backward(settings) {
			if err := s.unset(setting.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeSettings plans to remove the settings that install made, unless the
// driver is another program's, and returns the keys that stay without a driver.
func (s *installation) removeSettings(name string) (left []string, err error) {
	d := gitattrs.Driver{Name: name}
	line, err := s.git.Config(s.Scope, d.Key("driver"))
	if err != nil {
		return nil, err
	}
	if line != "" && !gitattrs.Own(line) {
		s.say(fmt.Sprintf("%s (git config --%s) is another program's and stays: %s", d.Key("driver"), s.Scope, line))
		return nil, nil
	}
	if err := s.removeTools(d); err != nil {
		return nil, err
	}
	settings := d.Settings()
	for _, setting := range slices.Backward(settings) {
		if err := s.unset(setting.Key); err != nil {
			return nil, err
		}
	}
	all, err := s.git.ConfigValues(d.Key(""))
	for _, v := range all {
		own := slices.ContainsFunc(settings, func(set gitattrs.Setting) bool { return set.Key == v.Key })
		if v.Scope == string(s.Scope) && !own && !slices.Contains(left, v.Key) {
			left = append(left, v.Key)
		}
	}
	return left, err
}
