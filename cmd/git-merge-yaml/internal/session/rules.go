package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TeamFile is the name of the file with the team's rules, at the top of a work tree.
const TeamFile = ".git-merge-yaml.yaml"

// ConfigKey names another one in git's configuration.
const ConfigKey = "merge.yaml.config"

// FromKey names, in git's configuration, a commit whose rules and attributes count whatever is merged: where a
// job merges into branches of others.
const FromKey = "merge.yaml.rulesFrom"

// maxRules is the size of a file with rules, in bytes: far above what people write, and read in milliseconds in every merge.
const maxRules = 64 << 10

// Rules are the team's, nil if there are none. The error joins all mistakes in them.
func (s *Session) Rules() (*merge.Rules, error) {
	s.rulesOnce.Do(func() { s.rules, s.rulesName, s.rulesErr = s.readRules() })
	return s.rules, s.rulesErr
}

// RulesFile is what people call the file with the team's rules.
func (s *Session) RulesFile() string {
	_, _ = s.Rules()
	return s.rulesName
}

// FirstMistake is the error of Rules for what does not list mistakes: it tells the
// first, and how many there are.
func (s *Session) FirstMistake() error {
	_, err := s.Rules()
	if err == nil {
		return nil
	}
	first, more, ok := strings.Cut(err.Error(), "\n")
	if ok {
		first += fmt.Sprintf(" (and %s; git merge-yaml rules check lists all)", terminal.CountNoun(1+strings.Count(more, "\n"), "more mistake"))
	}
	return errors.New(first)
}

// readRules reads the rules that count, and the definitions that they name.
func (s *Session) readRules() (rules *merge.Rules, name string, err error) {
	data, name, err := s.readFile()
	if err != nil || data == nil {
		return nil, name, err
	}
	rules, err = merge.ParseRules(name, data, build.Version())
	if from, _ := s.source(); err == nil && from != nil && len(rules.CRDs()) > 0 {
		err = rules.ReadCRDs(func() ([]merge.File, error) { return from.definitions(rules) })
	}
	if err != nil {
		return nil, name, err
	}
	return rules, name, nil
}

// RulesSource returns the text of the rules that count, nil if there are none.
func (s *Session) RulesSource() ([]byte, error) {
	data, _, err := s.readFile()
	return data, err
}

// readFile returns the text of the rules that count, nil if there are none, and the name of their
// file: the one that the user named, else the team's, else the one that git's configuration names.
func (s *Session) readFile() (data []byte, name string, err error) {
	if s.Config != "" {
		data, err = readNamed(s.Config)
		return data, filepath.ToSlash(s.Config), err
	}
	from, err := s.source()
	if from == nil || err != nil {
		return nil, FromKey, err
	}
	data, err = from.read(TeamFile, maxRules)
	if err == nil {
		return data, TeamFile, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, TeamFile, fmt.Errorf("%s: %w", TeamFile, err)
	}
	if name = s.Repo().ConfigPath(ConfigKey); name == "" {
		return nil, TeamFile, nil
	}
	path, isInside := from.inside(name)
	if !isInside {
		data, err = readNamed(path)
		return data, name, err
	}
	data, err = from.read(path, maxRules)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: no such file", name)
	case err != nil:
		err = fmt.Errorf("%s: %w", name, err)
	}
	return data, name, err
}

// readNamed reads a file with rules outside of the repository, or one that the user named.
func readNamed(file string) ([]byte, error) {
	f, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", file)
	case err != nil:
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRules+1)) // a device or a pipe has no size
	if err == nil && len(data) > maxRules {
		err = fmt.Errorf("%s: larger than %d bytes", file, maxRules)
	}
	return data, err
}

// CheckDefinitions reads the definitions of custom resources that rules name, and
// returns in how many files they are. Outside of repositories, and where no file matches,
// there are none. The error joins all mistakes in them.
func (s *Session) CheckDefinitions(rules *merge.Rules) (int, error) {
	from, err := s.source()
	if len(rules.CRDs()) == 0 || from == nil || err != nil {
		return 0, err
	}
	files, err := from.definitions(rules)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}

// Unmatched is what rules name and no file of the work tree has, or none of the commit.
func (s *Session) Unmatched(rules *merge.Rules) ([]string, error) {
	from, err := s.source()
	if from == nil || err != nil {
		return nil, err
	}
	paths, read, done, err := from.list()
	if err != nil {
		return nil, err
	}
	defer done()
	return rules.Unmatched(paths, func(path string) ([]byte, error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yaml", ".yml", ".json":
		default:
			return nil, fs.ErrInvalid
		}
		return read(path, maxCRDBytes)
	}), nil
}
