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
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// RulesFileName is the name of the file with the team's rules, at the top of a work tree.
const RulesFileName = ".git-merge-yaml.yaml"

// ConfigKey is the configuration key for the path of a rules file. That file is used if the repository has no file
// RulesFileName.
const ConfigKey = "merge.yaml.config"

// RulesFromKey is the configuration key for a commit from which rules and attributes are read, whatever is merged. It
// is for jobs that merge into branches of other users.
const RulesFromKey = "merge.yaml.rulesFrom"

// maxRulesBytes is the size limit of a file with rules. It is far above the size of real files, and small enough to
// parse such a file in milliseconds in each merge.
const maxRulesBytes = 64 << 10

// Rules returns the team's rules, or nil if the team has no rules. The error joins all mistakes in them, one a line;
// the rules are then nil. They are read on the first call, and the custom resource definitions that they name when a
// merge needs them.
func (s *Session) Rules() (*merge.Rules, error) {
	s.rulesOnce.Do(func() { s.rules, s.rulesName, s.rulesErr = s.readRules() })
	return s.rules, s.rulesErr
}

// RulesFile returns the name of the file with the team's rules, for messages. If the repository has no rules, it is
// RulesFileName. Outside of a repository, or if the setting RulesFromKey names a commit that does not exist, it is
// RulesFromKey.
func (s *Session) RulesFile() string {
	_, _ = s.Rules()
	return s.rulesName
}

// FirstRulesError returns the first mistake in the team's rules, and the number of the others, for commands that do not
// list all of them. It returns nil if the rules have no mistakes, or if there are no rules.
func (s *Session) FirstRulesError() error {
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

// readRules reads the team's rules and sets up how their custom resource definitions are read. name is the name of the
// file for messages.
func (s *Session) readRules() (rules *merge.Rules, name string, err error) {
	data, name, err := s.readRulesFile()
	if err != nil || data == nil {
		return nil, name, err
	}
	rules, err = merge.ParseRules(name, data, build.Version())
	if from, _ := s.rulesSource(); err == nil && from != nil && len(rules.CRDs()) > 0 {
		err = rules.ReadCRDs(func() ([]merge.File, error) { return from.readCRDFiles(rules) })
	}
	if err != nil {
		return nil, name, err
	}
	return rules, name, nil
}

// RulesText returns the content of the file with the team's rules, or nil if it does not exist. It reads the file
// again.
func (s *Session) RulesText() ([]byte, error) {
	data, _, err := s.readRulesFile()
	return data, err
}

// readRulesFile returns the content of the file with the team's rules, nil if it does not exist, and the name of the
// file for messages. It is the first that is given or exists:
//
//   - the file that the user named (Options.Config), on disk
//   - RulesFileName in the rules source
//   - the file that the setting ConfigKey names: in the rules source if its path is in the work tree, otherwise on disk
func (s *Session) readRulesFile() (data []byte, name string, err error) {
	if s.Config != "" {
		data, err = readRulesAt(s.Config)
		return data, filepath.ToSlash(s.Config), err
	}
	from, err := s.rulesSource()
	if from == nil || err != nil {
		return nil, RulesFromKey, err
	}
	data, err = from.read(RulesFileName, maxRulesBytes)
	if err == nil {
		return data, RulesFileName, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, RulesFileName, fmt.Errorf("%s: %w", RulesFileName, err)
	}
	if name = s.Repo().ConfigPath(ConfigKey); name == "" {
		return nil, RulesFileName, nil
	}
	path, isInside := from.repoPath(name)
	if !isInside {
		data, err = readRulesAt(path)
		return data, name, err
	}
	data, err = from.read(path, maxRulesBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: no such file", name)
	case err != nil:
		err = fmt.Errorf("%s: %w", name, err)
	}
	return data, name, err
}

// readRulesAt reads a file with rules from disk, for a path that the user or git's configuration named. It is an error
// if the file does not exist or is larger than maxRulesBytes.
func readRulesAt(file string) ([]byte, error) {
	f, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", file)
	case err != nil:
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRulesBytes+1)) // a device or a pipe has no size
	if err == nil && len(data) > maxRulesBytes {
		err = fmt.Errorf("%s: larger than %d bytes", file, maxRulesBytes)
	}
	return data, err
}

// CheckCRDFiles reads the files with custom resource definitions that rules name, adds the definitions to rules, and
// returns the number of files. The number is 0 outside of a repository and if no file matches. If a file cannot be
// read, the error is about the first such file; otherwise it joins all mistakes in the files.
func (s *Session) CheckCRDFiles(rules *merge.Rules) (int, error) {
	from, err := s.rulesSource()
	if len(rules.CRDs()) == 0 || from == nil || err != nil {
		return 0, err
	}
	files, err := from.readCRDFiles(rules)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}

// UnmatchedRules returns a message for each file pattern and each path in rules that nothing in the repository matches
// (see program.Unmatched). It reads the files of the rules source, and returns nil outside of a repository.
func (s *Session) UnmatchedRules(rules *merge.Rules) ([]string, error) {
	from, err := s.rulesSource()
	if from == nil || err != nil {
		return nil, err
	}
	paths, read, done, err := from.listFiles()
	if err != nil {
		return nil, err
	}
	defer done()
	return program.Unmatched(rules, paths, func(path string) ([]byte, error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yaml", ".yml", ".json":
		default:
			return nil, fs.ErrInvalid
		}
		return read(path, maxCRDBytes)
	}), nil
}
