// Package session collects the settings with which the files of a repository are merged: the team's rules, the merge
// attributes of paths, and the side that is the user's own work. The merge driver uses it, and so does every command
// that repeats, checks or explains a merge. The package does not merge, and does not write conflict markers; packages
// merge and driver do.
//
// A Session is one run of the program in a repository. A File is one file in three versions, with the session that it
// is merged in. The team's rules are read from the file .git-merge-yaml.yaml, or from another file that the user or
// git's configuration names. During a merge, it is not the file in the work tree, which may be the other branch's
// already. Session.rulesSource lists the cases.
//
// For example, this merges a file as the driver would merge it in the current directory, if the user's own work is the
// branch that is merged:
//
//	s := session.New(session.Options{Own: "theirs"})
//	f := s.NewFile("k8s/web.yaml", base, ours, theirs)
//	result, err := f.Merge(f.MergeOptions())
//
// Terms:
//
//	own side         the side with the user's own work: ours in a merge of main into a branch, theirs in a rebase
//	rule set         the rules of merging: the default ones, or those of kustomize
//	rules source, f  where the team's rules and git attributes are read from: the work tree or a commit
//	preset           rules that come with this program, which a team can add to its own
//	generated text   a file, such as README.md, that a program writes, and that can only be merged by lines
//	note             a file in the git directory, in which one process leaves a text for the next; its topic says when it counts
package session

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Library has the signature of merge.Merge, which is its value except in tests that need a merge to fail.
type Library = func(base, ours, theirs []byte, opts merge.Options) (merge.Result, error)

// Options are the options of a command line. With the zero value, everything is read from git and the repository.
type Options struct {
	Config  string // the file with the team's rules; "" for the file of the repository
	RuleSet string // "kustomize" or "default"; "" for the rule set of the file's merge attribute, or the default rules
	Own     string // the user's own side, "ours" or "theirs"; "" to find it out from git
}

// A Session is one run of the program in a repository, or outside of one. It reads settings on first use and keeps
// them.
//
// New returns the session of a command. The merge driver uses a Session literal without a work tree: git starts a
// driver at the top of the work tree, and WorkTree then returns nil without an error.
type Session struct {
	Options
	Git     git.Git // runs git at the top of the work tree
	Library Library
	Into    string // the commit that is merged into, as git names it to the driver; "" for HEAD

	tree          *git.WorkTree // nil outside of a work tree, and in the driver
	treeErr       error         // the reason that tree is nil; nil in the driver
	rulesFromInto bool          // read the rules from the commit Into
	repo          *git.Repo
	pastOnce      sync.Once
	past          *situation.FinishedMerges // used for finished merges
	sourceOnce    sync.Once
	source        *rulesSource // nil if rules are not read from a repository
	sourceErr     error
	rulesOnce     sync.Once
	rules         *merge.Rules // the team's rules; nil if there are none
	rulesName     string       // the result of RulesFile
	rulesMistakes error        // the result of RulesMistakes
	rulesErr      error
}

// New returns the session of a command that was started in the current directory. It looks for the work tree; if there
// is none, the session has none, and WorkTree returns the reason. New itself does not fail. Rules and settings are not
// read yet.
func New(o Options) *Session {
	s := &Session{Options: o, Library: merge.Merge}
	if s.tree, s.treeErr = s.Git.WorkTree(); s.tree != nil {
		s.Git = s.tree.Git
	}
	return s
}

// WithRulesOf returns a session like s that reads rules, custom resource definitions and attributes from a commit,
// whatever is checked out or being merged. If the user named a rules file (Options.Config), the rules are still read
// from that file.
func (s *Session) WithRulesOf(commit string) *Session {
	return &Session{Options: s.Options, Git: s.Git, Library: s.Library, Into: commit, tree: s.tree, treeErr: s.treeErr, rulesFromInto: true}
}

// WorkTree returns the work tree of the current directory. If there is none, the error is the reason, such as
// git.ErrNoWorkTree. In the driver, both results are nil.
func (s *Session) WorkTree() (*git.WorkTree, error) { return s.tree, s.treeErr }

// Repo returns a reader of the repository's configuration and references. It is never nil, and the same at each call.
func (s *Session) Repo() *git.Repo {
	if s.repo == nil {
		s.repo = git.Open(s.Git)
	}
	return s.repo
}

// OwnKey is the configuration key for the user's own side, "ours" or "theirs". It is used if neither the command line
// nor the operation that git runs determines the side, as on a server that merges pull requests: there it is theirs.
const OwnKey = "merge.yaml.own"

// Situation returns the operation that git runs now, or stopped in. labels are the conflict labels of ours, base and
// theirs that git passed to the driver; they are empty in commands.
func (s *Session) Situation(labels [3]string) *situation.Situation {
	return situation.Read(s.Git, s.Repo(), labels)
}

// OncePerOperation calls report, unless that was done already for this topic in the git operation current. So a mistake
// in the rules is reported once, and not for each file of a merge, although each file has its own process. report
// returns whether it reported anything; only then is it not called again. isReported is its result, or false. If no
// note can be stored, report is called each time.
func OncePerOperation(current *situation.Situation, topic string, report func() bool) (isReported bool) {
	// If the note cannot be read or written, the topic is reported again.
	reported := note{current.NotePath("said"), current.OperationID()}
	reportedTopics := reported.read()
	topic = strconv.Quote(topic) + "\n"
	if strings.Contains("\n"+reportedTopics, "\n"+topic) || !report() {
		return false
	}
	reported.write(reportedTopics + topic)
	return true
}

// UpdateNote replaces the text of the note with this name about the git operation current by what update returns for
// it. Its text is "" at first, and in each new operation. The note is a file in git's directory; if it cannot be
// written, update gets "" again.
func UpdateNote(current *situation.Situation, name string, update func(text string) string) {
	n := note{current.NotePath(name), current.OperationID()}
	n.write(update(n.read()))
}

// RepoPath returns the slash-separated path from the top of the work tree to file, which is relative to the current
// directory. An absolute path, and any path if s has no work tree, is only cleaned. The file need not exist.
//
//	in the folder k8s:  ../charts/web.yaml  ->  charts/web.yaml
func (s *Session) RepoPath(file string) string {
	slashed := path.Clean(filepath.ToSlash(file))
	if s.tree == nil || filepath.IsAbs(file) {
		return slashed
	}
	return path.Join(s.tree.Prefix, slashed)
}
