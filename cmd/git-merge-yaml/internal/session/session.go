// Package session tells in what situation files are merged here: by which rules,
// and which side is one's own work. It is found out in one place, so that the
// driver, and every command that repeats, checks or explains what it does, give one
// answer.
//
// A Session is where a command runs, a File one merge there.
package session

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Library is merge.Merge; tests put in one that fails.
type Library = func(base, ours, theirs []byte, opts merge.Options) (merge.Result, error)

// Options are what a command line says of a session. The zero value leaves all of it
// to git and the repository.
type Options struct {
	Config  string // the file with the team's rules, "" for what the repository says
	RuleSet string // kustomize or default; "" is default, or what an attribute says
	Own     string // ours, theirs, or "" for what git can tell
}

// A Session is a repository, or the lack of one, in which files are merged. One with
// nothing but a Library is that of a driver, which git calls at the top of the work tree
// or in a bare repository. What it needs to know is read when it is asked for, once.
type Session struct {
	Options
	Git     git.Git // at the top of the work tree
	Library Library
	// Into is what git calls the commit that is merged into; a bare repository has
	// its rules there. "" is HEAD.
	Into string

	tree    *git.WorkTree // nil outside of work trees, and for a driver
	treeErr error         // why a command has none
	onePast
	rulesOnce sync.Once
	rules     *merge.Rules
	rulesName string
	rulesErr  error
	read      *repo.Repo
}

// New is the session of a command in the current directory.
func New(o Options) *Session { return in(git.Git{}, o) }

// InTree is the session of merges into a commit, whatever is checked out; g sees the
// repository as one without a work tree.
func InTree(g git.Git, o Options, into string) *Session {
	return &Session{Options: o, Library: merge.Merge, Git: g, Into: into, treeErr: git.ErrNoWorkTree}
}

func in(g git.Git, o Options) *Session {
	s := &Session{Options: o, Library: merge.Merge, Git: g}
	if s.tree, s.treeErr = s.Git.WorkTree(); s.tree != nil {
		s.Git = s.tree.Git
	}
	return s
}

// WorkTree is where the files are, or why there are none.
func (s *Session) WorkTree() (*git.WorkTree, error) { return s.tree, s.treeErr }

// FirstMistake is the error of Rules for what does not list mistakes: it tells the
// first, and how many there are.
func (s *Session) FirstMistake() error {
	if _, err := s.Rules(); err != nil {
		return errors.New(team.Mistakes(err))
	}
	return nil
}

// WithoutRules is s in a repository whose team has none.
func (s *Session) WithoutRules() *Session {
	plain := &Session{Options: s.Options, Git: s.Git, tree: s.tree, treeErr: s.treeErr, Library: s.Library}
	plain.rulesOnce.Do(func() {})
	return plain
}

// WithCommittedRules is s with the rules of HEAD, whatever was made of these since.
func (s *Session) WithCommittedRules() *Session {
	before, at := s.WithoutRules(), s.place()
	at.Committed = true
	if rules, _, err := at.Rules(); err == nil {
		before.rules = rules
	}
	return before
}

// conflictStyle is how git is configured to write conflicts.
const conflictStyle = "merge.conflictStyle"

// OwnKey is what git is configured to about the side that is one's own, where nothing else
// tells it: on a server that merges requests into a target, theirs.
const OwnKey = "merge.yaml.own"

// repo is what git knows of the repository.
func (s *Session) repo() *repo.Repo {
	if s.read == nil {
		s.read = repo.At(s.Git)
	}
	return s.read
}

// OwnSetting is the value of OwnKey.
func (s *Session) OwnSetting() string { return s.repo().Value(OwnKey) }

// ConflictStyle is how git is configured to write conflicts, "" for its default.
func (s *Session) ConflictStyle() string { return s.repo().Value(conflictStyle) }

// Rules are the team's, nil if there are none. The error joins all mistakes in them.
func (s *Session) Rules() (*merge.Rules, error) {
	s.rulesOnce.Do(func() { s.rules, s.rulesName, s.rulesErr = s.place().Rules() })
	return s.rules, s.rulesErr
}

// RulesFile is what people call the file with the team's rules.
func (s *Session) RulesFile() string {
	_, _ = s.Rules()
	return s.rulesName
}

// MisnamedRules is a file at the top of the work tree that is called as the team's file is
// but for its ending, and so is not read; "" if there is none.
func (s *Session) MisnamedRules() string {
	other := strings.TrimSuffix(team.File, ".yaml") + ".yml"
	if s.tree == nil || !exists(s.tree.File(other)) {
		return ""
	}
	return other
}

// Files are those that git knows in the work tree, and those that it would add.
func (s *Session) Files() ([]string, error) {
	out, err := s.Git.Run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), err
}

// Unmatched is what the rules name and the files of the work tree have not, or those of the
// commit where there is none.
func (s *Session) Unmatched() ([]string, error) {
	rules, err := s.Rules()
	if err != nil || s.tree == nil && !errors.Is(s.treeErr, git.ErrNoWorkTree) {
		return nil, err
	}
	var files []string
	read := func(path string) ([]byte, error) {
		data, err := os.ReadFile(s.tree.File(path))
		if err == nil && len(merge.ParseConflicts(data, 0)) > 0 { // it says what it said before the merge
			return s.Git.Run("show", "HEAD:"+path)
		}
		return data, err
	}
	if s.tree != nil && s.repo().Value(team.SparseKey) != "true" {
		files, err = s.Files()
	} else {
		var committed []git.File
		committed, err = s.Git.Files(cmp.Or(s.Into, "HEAD"))
		ids := map[string]git.ID{}
		for _, f := range committed {
			files, ids[f.Path] = append(files, f.Path), f.ID
		}
		objects := s.Git.Objects()
		defer objects.Close()
		read = func(path string) ([]byte, error) { return objects.Blob(ids[path]) }
	}
	return rules.Unmatched(files, func(path string) ([]byte, error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yaml", ".yml", ".json":
			return read(path)
		}
		return nil, fs.ErrInvalid
	}), err
}

// RulesSource is the file with the team's rules as it is, nil if there is none.
func (s *Session) RulesSource() ([]byte, error) {
	if rules, err := s.Rules(); rules == nil {
		return nil, err
	}
	return s.place().Source()
}

// CheckDefinitions reads the definitions of custom resources that the rules name,
// and returns in how many files they are. Outside of repositories there are none.
// The error joins all mistakes in them.
func (s *Session) CheckDefinitions() (int, error) { return s.place().CheckDefinitions(s.rules) }

func (s *Session) place() team.Place {
	bare := errors.Is(s.treeErr, git.ErrNoWorkTree)
	return team.Place{
		Git: s.Git, Config: s.Config, Into: s.Into, Repo: s.repo(),
		Bare: bare, Outside: s.treeErr != nil && !bare,
	}
}

// PathOf returns the path of a file in the repository; outside of a work tree the
// file's own.
func (s *Session) PathOf(file string) string {
	slashed := path.Clean(filepath.ToSlash(file))
	if s.tree == nil || filepath.IsAbs(file) {
		return slashed
	}
	return path.Join(s.tree.Prefix, slashed)
}

// exists reports whether there is a file.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
