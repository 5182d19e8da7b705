package session

import (
	"bytes"
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

// Rules returns the team's rules, or nil if the team has none. Rules with a mistake are left out; RulesMistakes returns
// the mistakes. The error is the reason why the rules cannot be used at all: for example, the file is not valid YAML or
// requires a newer version of this program. The rules are read on the first call.
func (s *Session) Rules() (*merge.Rules, error) {
	s.rulesOnce.Do(func() { s.rules, s.rulesName, s.rulesMistakes, s.rulesErr = s.readRules() })
	return s.rules, s.rulesErr
}

// RulesMistakes returns the mistakes in the team's rules that Rules leaves out, joined, one a line. It returns nil if
// there are none, and if Rules returns an error.
func (s *Session) RulesMistakes() error {
	_, _ = s.Rules()
	return s.rulesMistakes
}

// RulesNotice returns a message of one line for the user if the team's rules do not apply as they are written: a rule
// has a mistake, or a file with a similar name is not read. It returns "" if there is nothing to say, and if Rules
// returns an error.
//
//	.git-merge-yaml.yaml:7:16: unknown policy "higest"; did you mean "highest"? (this rule is not applied)
func (s *Session) RulesNotice() string {
	switch err := s.RulesMistakes(); {
	case err != nil:
		first, more, hasMore := strings.Cut(err.Error(), "\n")
		effect := "this rule is not applied"
		if program.IsEmpty(s.rules) {
			effect = "no rule of the file is applied"
		}
		if hasMore {
			effect += fmt.Sprintf("; %s, run \"git merge-yaml rules check\"", terminal.CountNoun(1+strings.Count(more, "\n"), "more mistake"))
		}
		return first + " (" + effect + ")"
	case s.rulesErr == nil && s.rules == nil && s.Config == "":
		if name := s.MisnamedRulesFile(); name != "" {
			return misnamedMessage(name)
		}
	}
	return ""
}

// misnamedMessage returns the message that the file of this name is not read, although its name is similar to that of
// the rules file, and how to rename it.
func misnamedMessage(name string) string {
	return fmt.Sprintf("%s is not read; rename it to %s", name, RulesFileName)
}

// MisnamedRulesFile returns the name of a regular file at the top of the work tree whose name is similar to
// .git-merge-yaml.yaml, such as .git-merge-yaml.yml, and which is never read. It returns "" if there is none, or if
// there is no work tree.
func (s *Session) MisnamedRulesFile() string {
	from, err := s.rulesSource()
	if err != nil || from == nil || from.root == "" {
		return ""
	}
	base := strings.TrimSuffix(RulesFileName, ".yaml")
	for _, name := range []string{base + ".yml", base, base + ".json", base[1:] + ".yaml", base[1:] + ".yml"} {
		if info, err := os.Lstat(filepath.Join(from.root, name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// RulesFile returns the name of the file with the team's rules, for messages: .git-merge-yaml.yaml, or the file that
// the option --config or the setting merge.yaml.config names. If no place to read rules from is known, as outside of a
// repository, it is the name of the setting merge.yaml.rulesFrom.
func (s *Session) RulesFile() string {
	_, _ = s.Rules()
	return s.rulesName
}

// FirstRulesError returns an error of one line if the team's rules cannot be used at all, for example because the file
// is not valid YAML. It has the first mistake and, if there are more, their number. It returns nil if only single rules
// have mistakes.
func (s *Session) FirstRulesError() error {
	_, err := s.Rules()
	if err == nil {
		return nil
	}
	first, more, ok := strings.Cut(err.Error(), "\n")
	if ok {
		first += fmt.Sprintf(" (and %s; run \"git merge-yaml rules check\")", terminal.CountNoun(1+strings.Count(more, "\n"), "more mistake"))
	}
	return errors.New(first)
}

// readRules reads and parses the file with the team's rules; rules is nil if there is no such file. name is its name
// for messages. mistakes joins the mistakes of single rules, which are left out of rules. err is the reason why the
// rules cannot be used at all. Files with custom resource definitions are read later, when a merge needs them.
func (s *Session) readRules() (rules *merge.Rules, name string, mistakes, err error) {
	data, name, err := s.readRulesFile()
	if err != nil || data == nil {
		return nil, name, nil, err
	}
	if rules, err = merge.ParseRules(s.rulesPlace(name, data), data, build.Version()); err != nil {
		return nil, name, nil, err
	}
	// The files with custom resource definitions are read when a merge first needs them.
	if from, _ := s.rulesSource(); from != nil && len(rules.CRDs()) > 0 {
		if err := rules.SetCRDReader(func() ([]merge.File, error) { return from.readCRDFiles(rules) }); err != nil {
			return nil, name, nil, err
		}
	}
	return rules, name, rules.Mistakes(), nil
}

// rulesPlace returns the name of the team's file for messages about places in it. data is its content. The name begins
// with the commit from which it was read, as in HEAD:.git-merge-yaml.yaml, unless it was not read from a commit, or the
// file in the work tree is the same.
func (s *Session) rulesPlace(name string, data []byte) string {
	from, _ := s.rulesSource()
	if s.Config != "" || from == nil || from.commit == "" || filepath.IsAbs(name) {
		return name
	}
	if onDisk, err := from.readFromDisk(name, maxRulesBytes); from.root != "" && err == nil && bytes.Equal(onDisk, data) {
		return name
	}
	return from.commitName + ":" + name
}

// UncommittedRulesNotice returns a message for the user if the rules file in the work tree, .git-merge-yaml.yaml, has
// changes without effect, and otherwise "". While git runs a merge, these are changes that HEAD does not have; while a
// merge is stopped, they are staged changes. Line ends of Windows make no difference.
func (s *Session) UncommittedRulesNotice() string {
	from, err := s.rulesSource()
	if err != nil || from == nil || s.Config != "" || from.rulesNote == nil {
		return ""
	}
	onDisk, err := from.readFromDisk(RulesFileName, maxRulesBytes)
	if err != nil {
		return ""
	}
	used, err := from.read(RulesFileName, maxRulesBytes)
	withoutCR := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	switch {
	case err == nil && bytes.Equal(withoutCR(used), withoutCR(onDisk)):
		return ""
	case !from.userEdits:
		return RulesFileName + ": changes that are not committed had no effect in this merge; rules count when they are committed to the branch that is merged into"
	case err == nil || errors.Is(err, fs.ErrNotExist): // FirstRulesError has other errors
		return RulesFileName + ": staged changes have no effect in this merge; its rules are those of HEAD, with edits that are not staged"
	}
	return ""
}

// RulesText returns the content of the file with the team's rules, or nil if it does not exist. It reads the file
// again. The error is the reason why the file cannot be read; the content is not checked for mistakes.
func (s *Session) RulesText() ([]byte, error) {
	data, _, err := s.readRulesFile()
	return data, err
}

// readRulesFile returns the content of the file with the team's rules, and its name for messages. The first of these
// counts that is there: the file s.Config, RulesFileName in the repository, the file that the setting ConfigKey names.
// The content is nil if there is none. It fails if a file named by the user or by a setting does not exist, if the
// setting RulesFromKey names no commit, or if a file cannot be read or is too large.
func (s *Session) readRulesFile() (data []byte, name string, err error) {
	if s.Config != "" {
		data, err = readRulesAt(s.Config)
		return data, filepath.ToSlash(s.Config), err
	}
	from, err := s.rulesSource()
	// outside of a repository, or that setting names no commit
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
	// the repository has no such file
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

// readRulesAt reads a file with rules from disk. file is a path from the option --config or from git's configuration; a
// device or a pipe is allowed. The content of an empty file is not nil. It is an error if the file does not exist,
// cannot be read, or is larger than maxRulesBytes.
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

// CheckCRDFiles reads the files with custom resource definitions (CRDs) that rules name by patterns, adds the
// definitions to rules, and returns the number of files. The error joins all mistakes in the files; those without a
// mistake are added all the same, and all files count. If a file cannot be read, the number is 0 and the error is about
// that file.
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

// UnmatchedRules returns a message for each file pattern, kind and path in rules that nothing in the repository
// matches, such as a misspelled field, and for each policy that decides nothing or, in partial, only conflicts about a
// whole mapping or list. Each begins with a position (.git-merge-yaml.yaml:7:5). Kinds and paths are looked for in
// .yaml, .yml and .json files of the work tree or commit that has the rules. It returns nil outside of a repository. The
// error is that of git.
func (s *Session) UnmatchedRules(rules *merge.Rules) (all, partial []string, err error) {
	from, err := s.rulesSource()
	if from == nil || err != nil {
		return nil, nil, err
	}
	paths, read, done, err := from.listFiles()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	all, partial = program.Unmatched(rules, paths, func(path string) ([]byte, error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yaml", ".yml", ".json":
		default:
			return nil, fs.ErrInvalid
		}
		return read(path, maxCRDBytes)
	})
	return all, partial, nil
}
