// Package situation finds out what git is doing in a repository: the operation that runs this program as a merge
// driver, or the operation that stopped there because of conflicts. From this it derives which side is the user's own
// work, how git labels the sides, and which commits are merged.
//
// No other package reads MERGE_HEAD and similar files, GIT_REFLOG_ACTION and the other variables that git sets for
// drivers, or the labels that git passes to them. The package never writes, and does not look at YAML.
//
// A Situation is the state now; FinishedMerges answers one of the questions for merge commits. For example, after
//
//	git switch topic && git rebase main
//
// stopped with a conflict:
//
//	s := situation.Read(g, git.Open(g), [3]string{})
//	s.Operation                             // Rebase
//	s.OwnSide(f, merge.SideUnknown, false)   // merge.SideTheirs: a rebase applies the user's commits as theirs
//	ours, theirs := s.NameSides()
//	ours.Name                               // "HEAD, the new base of branch topic"
//	theirs.Name                             // "REBASE_HEAD, a commit of branch topic"
//	s.StoppedMerge()                        // the commit of topic into HEAD, with its parent as the base
//
// Terms:
//
//	operation        what git does: a merge, a rebase, a cherry-pick and so on
//	stopped          git has left conflicts to the user, who continues the operation later
//	running          git is in the operation now, and calls this program as a merge driver
//	own side         the side with the user's own work: ours in a merge of main into a branch, theirs in a rebase
//	label            the text after a conflict marker, such as HEAD
//	f                the merged file, with the contents of both sides
package situation

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// An Operation is a kind of git command that merges.
type Operation int

const (
	None        Operation = iota // no operation is recognized
	Merge                        // merge of two branches
	Rebase                       // rebase: applies a commit to another one
	CherryPick                   // cherry-pick: applies a commit to HEAD
	Revert                       // revert: applies the inverse of a commit
	Am                           // am: applies a patch to HEAD; not a rebase that uses patches
	Stash                        // stash apply or pop: applies a stash to HEAD
	UnknownPick                  // cherry-pick, revert, stash apply or checkout --merge: git does not tell which
	MergeTree                    // merge-tree: merges two commits, independently of HEAD and the work tree
	Other                        // an operation in which no side is the user's own, or one that is not recognized
)

// String returns the name of the operation for logs, such as "cherry-pick".
func (o Operation) String() string {
	return [...]string{"none", "merge", "rebase", "cherry-pick", "revert", "am", "stash", "pick", "merge-tree", "other"}[o]
}

// VirtualBaseLabel is the label of ours when git merges two common ancestors, to use the result as the base.
const VirtualBaseLabel = "Temporary merge branch 1"

// A Situation is the operation, such as a rebase, that git is running or that stopped in a repository. Its methods
// read files of git and run git commands; if these fail, they return the zero value.
type Situation struct {
	Operation Operation

	git               git.Git
	repo              *git.Repo
	gitDir, commonDir string    // the git directory of this work tree, and of all work trees; "" outside of repositories
	labels            [3]string // from Read
	reflogAction      []string  // words of the environment variable GIT_REFLOG_ACTION, such as "merge topic"

	// the argument of the last call of commitOfTheirs, nil before it, and its results
	theirsFile *File
	theirs     theirsCommit
	theirsOK   bool
}

// Read returns the operation, such as a rebase, that git is running in the repository r, or that stopped there. g runs
// git in that repository; outside of one, the Operation is None. labels are the texts after the conflict markers of
// ours, base and theirs, which git passes to a merge driver since version 2.44; "" if not known.
func Read(g git.Git, r *git.Repo, labels [3]string) *Situation {
	s := &Situation{git: g, repo: r, labels: labels, reflogAction: strings.Fields(os.Getenv("GIT_REFLOG_ACTION"))}
	var err error
	if s.gitDir, s.commonDir, err = s.repo.GitDirs(); err == nil {
		s.Operation = s.detectOperation()
	}
	return s
}

// A stoppedOperation describes an operation that stopped: how to recognize it, and the revisions that it merges into
// HEAD.
type stoppedOperation struct {
	marker       string // a file or directory in the git directory that exists while the operation is in progress
	operation    Operation
	theirs, base string // revisions; base is "" for the best common ancestor
	theirsSide   Side   // NameSides completes its Name
}

// stoppedOperations are in order of precedence. The rebases come before CHERRY_PICK_HEAD because a rebase creates that
// file, too. REBASE_HEAD is not a marker because git keeps it after the rebase. git am deletes it, so that the
// revisions of Am do not exist.
var stoppedOperations = []stoppedOperation{
	{"rebase-apply/applying", Am, "REBASE_HEAD", "REBASE_HEAD^", Side{Name: "the patch that git am applies"}},
	{"rebase-merge", Rebase, "REBASE_HEAD", "REBASE_HEAD^", Side{"REBASE_HEAD, a commit of ", "REBASE_HEAD", true}},
	{"rebase-apply", Rebase, "REBASE_HEAD", "REBASE_HEAD^", Side{"REBASE_HEAD, a commit of ", "REBASE_HEAD", true}},
	{"CHERRY_PICK_HEAD", CherryPick, "CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD^", Side{"CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD", true}},
	{"REVERT_HEAD", Revert, "REVERT_HEAD^", "REVERT_HEAD", Side{"revert of REVERT_HEAD", "REVERT_HEAD", true}},
	{"MERGE_HEAD", Merge, "MERGE_HEAD", "", Side{"MERGE_HEAD", "MERGE_HEAD", false}},
}

// findStopped returns the operation, such as a rebase, that stopped in this work tree or is still running, with the
// names of the commits that it merges. It recognizes the operation by the files that git keeps in its directory
// meanwhile, such as MERGE_HEAD. If there are files of several, the first of stoppedOperations counts. ok is false if
// there is none.
func (s *Situation) findStopped() (o stoppedOperation, ok bool) {
	i := slices.IndexFunc(stoppedOperations, func(o stoppedOperation) bool { return s.hasFile(o.marker) })
	if i < 0 {
		return stoppedOperation{}, false
	}
	return stoppedOperations[i], true
}

// detectOperation returns the operation that git is running or that stopped, or None if there is none. Git does not
// tell a driver which one it is, so it is derived from files in the git directory, the environment of this process, and
// the labels for conflict markers. If several operations look the same, it is UnknownPick or Other.
func (s *Situation) detectOperation() Operation {
	stopped, isStopped := s.findStopped()
	isRebasing := stopped.operation == Rebase || stopped.operation == Am
	command, _ := s.currentTodo()
	switch {
	// Git merges two common ancestors, to use the result as the base.
	case s.labels[0] == VirtualBaseLabel:
		return Other
	case s.labels[2] == "Stashed changes":
		return Stash
	case s.isReflogAction("merge") || s.isReflogAction("pull") && !isRebasing:
		if s.hasFile("MERGE_AUTOSTASH") && s.labels[0] != "" && s.labels[0] != "HEAD" {
			return Other // the merge, or the autostash that is applied after it
		}
		return Merge
	// The rebase repeats a merge.
	case stopped.operation == Rebase && (command == "merge" || command == "m"):
		return Other
	// no other operation is running meanwhile, as far as this can be known
	case isStopped:
		return stopped.operation
	case command == "pick" || command == "p":
		return CherryPick
	case command == "revert":
		return Revert
	}
	switch {
	case !IsRunByGit():
		return None
	// Only git merge-tree does not lock the index.
	case !s.hasFile("index.lock"):
		return MergeTree
	case slices.Contains([]string{"", "ours", "HEAD"}, s.labels[0]) || s.labels[2] == "local": // of a pick, of checkout --merge
		return UnknownPick
	}
	return Other
}

// IsRunByGit reports whether git started this process, as a merge driver, a hook or an alias: whether GIT_PREFIX is
// set.
func IsRunByGit() bool {
	_, ok := os.LookupEnv("GIT_PREFIX")
	return ok
}

// isReflogAction reports whether the first word of GIT_REFLOG_ACTION is command. git merge and git pull set it.
func (s *Situation) isReflogAction(command string) bool {
	return len(s.reflogAction) > 0 && s.reflogAction[0] == command
}

// currentTodo returns the command and the rest of the line of the todo list that git is executing, in a rebase, or in a
// cherry-pick or revert of several commits. Both are "" if there is no todo list, as for a rebase that uses patches.
//
//	pick 8ca51e7 # subject    "pick", "8ca51e7 # subject"
func (s *Situation) currentTodo() (command, rest string) {
	line := ""
	// a rebase has already moved the line to the end of this file
	if done := strings.TrimRight(s.readFile("rebase-merge/done"), "\n"); done != "" {
		line = done[strings.LastIndexByte(done, '\n')+1:]
	} else {
		line, _, _ = strings.Cut(s.readFile("sequencer/todo"), "\n")
	}
	command, rest, _ = strings.Cut(line, " ")
	return command, rest
}

// todoCommit matches the commit and the subject in a line of a todo list. Newer versions of git
// write "# " before the subject.
var todoCommit = lazyRegexp(`(?:^| )([0-9a-f]{4,64}) (?:# )?(.*)$`)

// A theirsCommit is the commit that an operation merges as theirs (in a revert, the commit that is reverted).
type theirsCommit struct {
	revision string // an id, which may be abbreviated, or a name such as MERGE_HEAD
	title    string // the name of the branch in a merge, otherwise the subject
	// merge has the ids of what is merged, without Base in a merge of branches. It is zero if one of them does not
	// exist, such as the parent of a first commit.
	merge git.Merge
	bases []git.ID // the best common ancestors in a merge of branches
}

// commitOfTheirs returns the commit that the operation merges as theirs. f tells whether it is the right one: its file
// at f.Path (for a revert, the file in its parent) must be f.Theirs, because the user may run another operation while
// one is stopped. ok is false if no such commit is found. Successive calls for the same file run git once.
func (s *Situation) commitOfTheirs(f File) (t theirsCommit, ok bool) {
	if last := s.theirsFile; last == nil || last.Path != f.Path || !bytes.Equal(last.Theirs, f.Theirs) {
		s.theirs, s.theirsOK = s.findCommitOfTheirs(f)
		s.theirsFile = &f
	}
	return s.theirs, s.theirsOK
}

// findCommitOfTheirs determines the results of commitOfTheirs. It runs git once for all ids, and before that for the
// title of a stopped operation that is not a merge.
func (s *Situation) findCommitOfTheirs(f File) (t theirsCommit, ok bool) {
	t.revision, t.title = s.recordedTheirs()
	if stopped, isStopped := s.findStopped(); t.revision == "" && isStopped && stopped.operation == s.Operation && !s.IsIndexLocked() {
		t.revision = stopped.theirsSide.revision
		t.title = s.titleOfStopped(t.revision)
	}
	if t.revision == "" || f.Path == "" {
		return theirsCommit{}, false
	}
	theirs, base := t.revision, t.revision+"^"
	if s.Operation == Revert {
		theirs, base = base, theirs
	}
	names := []string{theirs + ":" + f.Path, theirs + "^{commit}", "HEAD^{commit}", base + "^{commit}"}
	if s.Operation == Merge {
		names = []string{theirs + ":" + f.Path, "HEAD..." + theirs} // theirs, HEAD, and the best common ancestors
	}
	ids := s.git.ParseRevisions(names...)
	switch {
	case len(ids) >= 3 && s.Operation == Merge:
		t.merge, t.bases = git.Merge{Theirs: ids[1], Ours: ids[2]}, ids[3:]
	case len(ids) == len(names):
		t.merge = git.Merge{Theirs: ids[1], Ours: ids[2], Base: ids[3]}
	}
	// The user may run another operation, such as git stash apply, while this one is stopped.
	return t, len(ids) > 0 && ids[0].IsBlob(f.Theirs)
}

// recordedTheirs returns the revision and the title of the commit that the running operation merges as theirs. Git
// records them in a variable of the environment for a merge, and in its own files, such as the list of commits, for a
// rebase, cherry-pick or revert. Both are "" if git records none.
func (s *Situation) recordedTheirs() (revision, title string) {
	switch s.Operation {
	case Merge:
		for _, variable := range os.Environ() {
			if rest, isHead := strings.CutPrefix(variable, "GITHEAD_"); isHead {
				revision, title, _ = strings.Cut(rest, "=")
			}
		}
	case Rebase, CherryPick, Revert:
		if _, rest := s.currentTodo(); !s.hasFile("rebase-apply") {
			if m := todoCommit().FindStringSubmatch(rest); m != nil {
				revision, title = m[1], m[2]
			}
			break
		}
		revision = strings.TrimSpace(s.readFile("rebase-apply/original-commit"))
		title, _, _ = strings.Cut(s.readFile("rebase-apply/final-commit"), "\n")
	}
	return revision, title
}

// titleOfStopped returns the title of the commit revision that a stopped operation merges as theirs, for the labels of
// conflict markers: the name of the branch in a merge, and the first line of the message in other operations. For a
// merge without a branch, it is the id of the commit.
func (s *Situation) titleOfStopped(revision string) (title string) {
	if s.Operation != Merge {
		title, _ = s.git.Line("log", "-1", "--no-show-signature", "--format=%s", revision)
		return title
	}
	if names := s.theirsBranches(); len(names) > 0 {
		return names[0]
	}
	return strings.TrimSpace(s.readFile(revision)) // of MERGE_HEAD
}

// RunningMerge returns the merge of two commits, running or stopped, in which git merges the file f. Ours is HEAD, and
// Theirs is the commit whose file is f.Theirs; a stash is found by this content, too. ok is false if that commit is not
// known, for example while git runs a cherry-pick of a single commit, or if there is not exactly one base.
func (s *Situation) RunningMerge(f File) (m git.Merge, ok bool) {
	t, ok := s.commitOfTheirs(f)
	switch {
	case !ok && (s.Operation == UnknownPick || s.Operation == Stash):
		stash, isStash := FindStash(s.git, f.Path, f.Theirs)
		if !isStash {
			return m, false
		}
		m, err := s.git.MergeOf("HEAD", stash.revision, stash.revision+"^")
		return m, err == nil
	case ok && len(t.bases) == 1:
		t.merge.Base = t.bases[0]
	}
	return t.merge, ok && t.merge.Base != ""
}

// favourOption matches -X ours and -X theirs, as written on a command line or in the files in which git stores the
// options of a rebase or cherry-pick.
var favourOption = lazyRegexp(`(?:^|[\s'"])(?:-X ?|--|--strategy-option[= ]|strategy-option = )(ours|theirs)\b`)

// FavouredSide returns the side for which git's option -X decides all conflicts, "ours" or "theirs", so that the driver
// decides them in the same way. It returns "" if there is no such option, or if it is not known: git does not record it
// for git merge, nor for a cherry-pick of one commit. It is also "" if f does not belong to the operation (see
// commitOfTheirs).
func (s *Situation) FavouredSide(f File) (side string) {
	options := ""
	switch s.Operation {
	case Merge:
		if s.isReflogAction("pull") {
			options = strings.Join(s.reflogAction, " ")
		}
	case Rebase:
		options = s.readFile("rebase-merge/strategy_opts")
	case CherryPick, Revert:
		options = s.readFile("sequencer/opts")
	}
	if options == "" { // so that the expression is not compiled
		return ""
	}
	for _, m := range favourOption().FindAllStringSubmatch(options, -1) {
		side = m[1]
	}
	if side != "" {
		if _, ok := s.commitOfTheirs(f); !ok {
			return ""
		}
	}
	return side
}

// Labels returns the texts after the conflict markers of ours, base and theirs in the merge of f, in this order. They
// are the labels passed to Read or, if there are none, those that git would write. All are "" if it is not known which
// commit is merged. For a merge, the base is left to BaseLabel.
//
//	rebase, cherry-pick            HEAD   parent of 8ca51e7 (title)  8ca51e7 (title)
//	revert                         HEAD   8ca51e7 (title)            parent of 8ca51e7 (title)
func (s *Situation) Labels(f File) [3]string {
	if s.labels != [3]string{} {
		return s.labels
	}
	if s.Operation == Am {
		subject, _, _ := strings.Cut(s.readFile("rebase-apply/final-commit"), "\n")
		return [3]string{"HEAD", "constructed merge base", subject}
	}
	t, ok := s.commitOfTheirs(f)
	switch {
	case !ok:
		return [3]string{}
	case s.Operation == Merge:
		return [3]string{"HEAD", "", t.title}
	case s.hasFile("rebase-apply"):
		return [3]string{"HEAD", "constructed merge base", t.title}
	}
	commit := t.revision
	if short, err := s.git.Line("rev-parse", "--short", "-q", "--verify", commit); err == nil {
		commit = short
	}
	commit += " (" + t.title + ")"
	if s.Operation == Revert {
		return [3]string{"HEAD", commit, "parent of " + commit}
	}
	return [3]string{"HEAD", "parent of " + commit, commit}
}

// BaseLabel returns the text that git merge writes after the conflict marker of the base, for the merged file f. It is
// the abbreviated id of the common ancestor, "merged common ancestors" if there are several, or "empty tree". It
// returns "" if the operation is not a merge, if the merged commit is not known, or if git fails.
func (s *Situation) BaseLabel(f File) string {
	t, ok := s.commitOfTheirs(f)
	switch {
	case s.Operation != Merge || !ok || t.merge.Ours == "":
		return ""
	case len(t.bases) == 0:
		return "empty tree"
	case len(t.bases) > 1:
		return "merged common ancestors"
	}
	short, _ := s.git.Line("rev-parse", "--short", t.bases[0].String())
	return short
}

// IsIndexLocked reports whether the file index.lock exists: git is writing the index. git merge-tree does not lock it.
func (s *Situation) IsIndexLocked() bool { return s.hasFile("index.lock") }

// OperationID returns a string that identifies git's current operation: it is the same in all processes that git starts
// for the files of one operation, and differs in another one. The string has no other meaning. Operations that do not
// lock the index, such as git merge-tree, differ only in HEAD and the labels passed to Read.
func (s *Situation) OperationID() string {
	// Git creates index.lock for each operation.
	if lock, err := os.Stat(filepath.Join(s.gitDir, "index.lock")); err == nil {
		return fmt.Sprintln(lock.ModTime().UnixNano())
	}
	return s.readFile("HEAD") + s.repo.HeadCommit() + "\n" + fmt.Sprintln(strings.Join(s.labels[:], " "))
}

// NotesDir is the name of the directory for files of this program, in a git directory.
const NotesDir = "merge-yaml"

// NotePath returns the path of a file with notes of this program about this work tree: merge-yaml/NAME in its git
// directory. It does not create the file, which need not exist. It returns "" outside of repositories.
func (s *Situation) NotePath(name string) string {
	if s.gitDir == "" {
		return ""
	}
	return filepath.Join(s.gitDir, NotesDir, name)
}

// hasFile reports whether the git directory of this work tree contains a file or directory of this name, such as
// MERGE_HEAD or rebase-merge/done. It reports false outside of repositories.
func (s *Situation) hasFile(name string) bool {
	if s.gitDir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(s.gitDir, name))
	return err == nil
}

// readFile returns the content of a file in the git directory of this work tree, such as rebase-merge/done, with its
// line breaks. It returns "" if there is no such file, if it cannot be read or is empty, and outside of repositories.
func (s *Situation) readFile(name string) string {
	if s.gitDir == "" {
		return ""
	}
	data, _ := os.ReadFile(filepath.Join(s.gitDir, name))
	return string(data)
}
