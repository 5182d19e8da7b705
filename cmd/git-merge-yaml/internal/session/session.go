// Package session tells in what situation files are merged here: by which rules, and which
// side is one's own work. The driver, and every command that repeats, checks or explains what
// it does, ask it. A Session is where a command runs, a File one merge there. The team's rules are
// those of a file in the commit that is merged into or, if nothing is merged, in the work tree
// (Session.source); or of one that git's configuration or the user names.
package session

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
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

// A Session is a repository, or the lack of one, in which files are merged. One with nothing
// but a Library is that of a driver. What it needs to know is read when it is asked for, once.
type Session struct {
	Options
	Git     git.Git // at the top of the work tree
	Library Library
	Into    string // what git calls the commit that is merged into, "" for HEAD

	tree       *git.WorkTree // nil outside of work trees, and for a driver
	treeErr    error         // why a command has none
	at         bool          // the rules are those of the commit Into
	read       *repo.Repo
	pastOnce   sync.Once
	past       *situation.FinishedMerges // what the repository tells of merges that are over
	sourceOnce sync.Once                 // what the rules are read from
	from       *source
	sourceErr  error
	rulesOnce  sync.Once // the team's
	rules      *merge.Rules
	rulesName  string
	rulesErr   error
}

// New is the session of a command in the current directory.
func New(o Options) *Session {
	s := &Session{Options: o, Library: merge.Merge}
	if s.tree, s.treeErr = s.Git.WorkTree(); s.tree != nil {
		s.Git = s.tree.Git
	}
	return s
}

// At returns a session like s with the rules, the definitions and the attributes of a commit, whatever
// is checked out or merged.
func (s *Session) At(commit string) *Session {
	return &Session{Options: s.Options, Git: s.Git, Library: s.Library, Into: commit, tree: s.tree, treeErr: s.treeErr, at: true}
}

// WorkTree is where the files are, or why there are none.
func (s *Session) WorkTree() (*git.WorkTree, error) { return s.tree, s.treeErr }

// Repo is what git knows of the repository.
func (s *Session) Repo() *repo.Repo {
	if s.read == nil {
		s.read = repo.Open(s.Git)
	}
	return s.read
}

// OwnKey is what git is configured to about the side that is one's own, where nothing else
// tells it: on a server that merges requests into a target, theirs.
const OwnKey = "merge.yaml.own"

// Situation is what git is doing now. labels are those that git gives a driver.
func (s *Session) Situation(labels [3]string) *situation.Situation {
	return situation.Read(s.Git, labels)
}

// Once calls say unless it has said something about the same in what git does now, be it in
// another process. It reports whether something was said.
func (s *Session) Once(labels [3]string, about string, say func() bool) bool {
	here := s.Situation(labels)
	note, now := here.NotePath("said"), here.OperationID()
	before, _ := os.ReadFile(note)
	said, ok := strings.CutPrefix(string(before), now)
	if !ok {
		said = ""
	}
	about = strconv.Quote(about) + "\n"
	if strings.Contains("\n"+said, "\n"+about) || !say() {
		return false
	}
	if os.MkdirAll(filepath.Dir(note), 0o777) == nil {
		_ = os.WriteFile(note, []byte(now+said+about), 0o666) // else it is said twice
	}
	return true
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
