package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TeamFile is the name of the file with the team's rules, at the top of a work tree.
const TeamFile = ".git-merge-yaml.yaml"

// ConfigKey names another one in git's configuration.
const ConfigKey = "merge.yaml.config"

// maxRules is far above what people write, and far below what is slow to read in every merge.
const maxRules = 1 << 20

// Rules are the team's, nil if there are none. The error joins all mistakes in them.
func (s *Session) Rules() (*merge.Rules, error) {
	s.rulesOnce.Do(func() { s.rules, s.rulesName, s.rulesErr = s.readRules(s.files()) })
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
		first += fmt.Sprintf(" (and %s; git merge-yaml rules check lists all)", terminal.Count(1+strings.Count(more, "\n"), "more mistake"))
	}
	return errors.New(first)
}

// WithCommittedRules is s with the rules of HEAD, whatever was made of these since; none if they
// have mistakes.
func (s *Session) WithCommittedRules() *Session {
	before := &Session{Options: s.Options, Git: s.Git, tree: s.tree, treeErr: s.treeErr, Library: s.Library}
	before.rulesOnce.Do(func() { before.rules, _, _ = s.readRules(&files{git: s.Git, committed: true}) })
	return before
}

func (s *Session) readRules(f *files) (rules *merge.Rules, name string, err error) {
	data, name, err := s.source(f)
	if err != nil || data == nil {
		return nil, name, err
	}
	rules, err = merge.ParseRules(name, data, build.Version())
	if err == nil && f != nil && len(rules.CRDs()) > 0 {
		err = rules.ReadCRDs(func() ([]merge.File, error) { return f.definitions(rules) })
	}
	if err != nil {
		return nil, name, err
	}
	return rules, name, nil
}

// RulesSource is the file with the rules that count, nil if there is none.
func (s *Session) RulesSource() ([]byte, error) {
	data, _, err := s.source(s.files())
	return data, err
}

// source is the file with the rules that count, nil if there is none, and its name: the one
// that the user named, else the team's, else the one that git's configuration names.
func (s *Session) source(f *files) (data []byte, name string, err error) {
	if s.Config != "" {
		data, err = readNamed(s.Config)
		return data, filepath.ToSlash(s.Config), err
	}
	if f == nil {
		return nil, "", nil
	}
	data, err = f.read(TeamFile, maxRules)
	if err == nil {
		return data, TeamFile, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, TeamFile, fmt.Errorf("%s: %w", TeamFile, err)
	}
	if name = s.Repo().Path(ConfigKey); name == "" {
		return nil, TeamFile, nil
	}
	data, err = f.named(name)
	return data, name, err
}

// readNamed reads a file with rules that somebody named, wherever it is.
func readNamed(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", file)
	case err != nil:
		return nil, err
	case info.Size() > maxRules:
		return nil, fmt.Errorf("%s: larger than %d bytes", file, maxRules)
	}
	return os.ReadFile(file)
}

// CheckDefinitions reads the definitions of custom resources that rules name, and
// returns in how many files they are. Outside of repositories, and where no file matches,
// there are none. The error joins all mistakes in them.
func (s *Session) CheckDefinitions(rules *merge.Rules) (int, error) {
	f := s.files()
	if len(rules.CRDs()) == 0 || f == nil {
		return 0, nil
	}
	files, err := f.definitions(rules)
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
	f := s.files()
	if f == nil {
		return nil, nil
	}
	paths, read, done, err := f.list()
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
		data, err := read(path, maxCRDBytes)
		if err == nil && len(merge.ParseConflicts(data, 0)) > 0 { // it says what it said before the merge
			return s.Git.Run("show", "HEAD:"+path)
		}
		return data, err
	}), nil
}

// files are those of the repository, nil where there is none. Git tells a driver where the
// repository is (GIT_DIR) unless that is in the work tree, as nearly always.
func (s *Session) files() *files {
	noTree := errors.Is(s.treeErr, git.ErrNoWorkTree)
	if s.treeErr != nil && !noTree {
		return nil
	}
	if noTree || s.Git.Dir == "" && os.Getenv("GIT_DIR") != "" {
		switch bare, err := s.Repo().IsBare(); {
		case err != nil || noTree && !bare:
			return nil
		case bare:
			return &files{git: s.Git, into: s.Into, committed: true}
		}
	}
	sparse := s.Repo().Value("core.sparseCheckout") == "true"
	return &files{git: s.Git, top: cmp.Or(s.Git.Dir, "."), committed: sparse}
}
