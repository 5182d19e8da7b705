// Package situation reads what git is doing where files are merged, or what it stopped in:
// the only reader of MERGE_HEAD and its kind, of git's environment for drivers, and of the
// labels that it gives them. It knows no YAML.
package situation

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
)

// An Operation is what git is doing.
type Operation int

const (
	None       Operation = iota // nothing that can be seen
	Merge                       // of two branches
	Rebase                      // a commit is put on another one
	CherryPick                  // the same
	Revert                      // a commit is taken back
	Am                          // a patch is put on HEAD; a rebase by patches is none
	Stash                       // a stash is put on HEAD
	Pick                        // one of those four or local changes: git does not say which
	Trees                       // two commits, whatever is checked out: merge-tree
	Other                       // something that has no own side, or cannot be told
)

// AncestorLabel is that of ours where git merges two common ancestors, to have one.
const AncestorLabel = "Temporary merge branch 1"

// A Situation is what git is doing in a repository, as far as can be seen without asking it.
type Situation struct {
	Operation Operation

	git         git.Git
	repo        *repo.Repo
	own, common string // the folders of this work tree and of all
	given       [3]string
	action      []string // words of GIT_REFLOG_ACTION
}

// Read reads the situation in a repository. labels are ours, base and theirs as git gives
// them to a driver (since 2.44), or "".
func Read(g git.Git, labels [3]string) *Situation {
	s := &Situation{git: g, repo: repo.Open(g), given: labels, action: strings.Fields(os.Getenv("GIT_REFLOG_ACTION"))}
	var err error
	if s.own, s.common, err = s.repo.GitDirs(); err == nil {
		s.Operation = s.operation()
	}
	return s
}

// A stopped operation is known by a file in git's folder, and what it merges by names of commits.
type stopped struct {
	file         string
	operation    Operation
	theirs, base string // "" is the best common ancestor
	side         Side   // theirs, for people
}

// allStopped are in the order in which they count: a rebase picks, and REBASE_HEAD outlives it.
var allStopped = []stopped{
	{"rebase-apply/applying", Am, "REBASE_HEAD", "REBASE_HEAD^", Side{Name: "the patch that git am applies"}},
	{"rebase-merge", Rebase, "REBASE_HEAD", "REBASE_HEAD^", Side{"REBASE_HEAD, a commit of ", "REBASE_HEAD", true}},
	{"rebase-apply", Rebase, "REBASE_HEAD", "REBASE_HEAD^", Side{"REBASE_HEAD, a commit of ", "REBASE_HEAD", true}},
	{"CHERRY_PICK_HEAD", CherryPick, "CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD^", Side{"CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD", true}},
	{"REVERT_HEAD", Revert, "REVERT_HEAD^", "REVERT_HEAD", Side{"without REVERT_HEAD", "REVERT_HEAD", true}},
	{"MERGE_HEAD", Merge, "MERGE_HEAD", "", Side{"MERGE_HEAD", "MERGE_HEAD", false}},
}

// stopped is the operation that git's folder tells of.
func (s *Situation) stopped() (stopped, bool) {
	i := slices.IndexFunc(allStopped, func(o stopped) bool { return s.has(o.file) })
	if i < 0 {
		return stopped{}, false
	}
	return allStopped[i], true
}

func (s *Situation) operation() Operation {
	o, known := s.stopped()
	rebasing := o.operation == Rebase || o.operation == Am
	command, _ := s.command()
	switch {
	case s.given[0] == AncestorLabel:
		return Other
	case s.given[2] == "Stashed changes":
		return Stash
	case s.is("merge") || s.is("pull") && !rebasing:
		if s.has("MERGE_AUTOSTASH") && s.given[0] != "" && s.given[0] != "HEAD" {
			return Other // the merge, or the stash on top of it
		}
		return Merge
	case o.operation == Rebase && (command == "merge" || command == "m"):
		return Other // a rebase makes a merge again
	case known:
		return o.operation
	case command == "pick" || command == "p":
		return CherryPick
	case command == "revert":
		return Revert
	}
	// A pick of one commit, a revert and a stash leave nothing but the lock of the index,
	// which merge-tree does not take.
	switch {
	case !RunByGit():
		return None
	case !s.has("index.lock"):
		return Trees
	case slices.Contains([]string{"", "ours", "HEAD"}, s.given[0]) || s.given[2] == "local": // of a pick, of checkout -m
		return Pick
	}
	return Other
}

// RunByGit reports whether git started this program: as a driver, or as a hook or an alias.
func RunByGit() bool {
	_, is := os.LookupEnv("GIT_PREFIX")
	return is
}

// is reports whether git was called by this name.
func (s *Situation) is(command string) bool { return len(s.action) > 0 && s.action[0] == command }

// command is the line of its plan that a rebase, or a pick of several commits, is at:
// `pick`, and the commit with its subject. It may have other options between them.
func (s *Situation) command() (name, rest string) {
	line := ""
	if done := strings.TrimRight(s.read("rebase-merge/done"), "\n"); done != "" {
		line = done[strings.LastIndexByte(done, '\n')+1:]
	} else {
		line, _, _ = strings.Cut(s.read("sequencer/todo"), "\n")
	}
	name, rest, _ = strings.Cut(line, " ")
	return name, rest
}

// planned is a commit in a plan, with its subject, before which later git has a #.
var planned = lazily(`(?:^| )([0-9a-f]{4,64}) (?:# )?(.*)$`)

// underWay is the commit of which f has theirs: the one of its plan that a rebase or a pick of
// several commits is at, or what git merge merges. Where one of them stopped or is over,
// people and git do something else: a stash is applied, another commit picked.
func (s *Situation) underWay(f File) (commit, title string, ok bool) {
	switch s.Operation {
	case Merge:
		for _, v := range os.Environ() {
			if rest, is := strings.CutPrefix(v, "GITHEAD_"); is {
				commit, title, _ = strings.Cut(rest, "=")
			}
		}
	case Rebase, CherryPick, Revert:
		if _, rest := s.command(); !s.has("rebase-apply") {
			if m := planned().FindStringSubmatch(rest); m != nil {
				commit, title = m[1], m[2]
			}
			break
		}
		commit = strings.TrimSpace(s.read("rebase-apply/original-commit"))
		title, _, _ = strings.Cut(s.read("rebase-apply/final-commit"), "\n")
	}
	at := commit
	if s.Operation == Revert {
		at += "^"
	}
	if commit == "" || f.Path == "" {
		return "", "", false
	}
	theirs, err := s.git.Run("cat-file", "blob", at+":"+f.Path)
	return commit, title, err == nil && bytes.Equal(theirs, f.Theirs)
}

// favours are the words of options, and of git's notes of them, for -X ours and -X theirs.
var favours = lazily(`(?:^|[\s'"])(?:-X ?|--|--strategy-option[= ]|strategy-option = )(ours|theirs)\b`)

// Favour is the side, ours or theirs, for which -X says that conflicts are decided: the last
// that a rebase, a pick of several commits or git pull leaves to be seen. Of a merge, and of
// a pick of one commit, git leaves nothing.
func (s *Situation) Favour(f File) (side string) {
	said := ""
	switch s.Operation {
	case Merge:
		if s.is("pull") {
			said = strings.Join(s.action, " ")
		}
	case Rebase:
		said = s.read("rebase-merge/strategy_opts")
	case CherryPick, Revert:
		said = s.read("sequencer/opts")
	}
	for _, m := range favours().FindAllStringSubmatch(said, -1) {
		side = m[1]
	}
	if side != "" {
		if _, _, now := s.underWay(f); !now {
			return ""
		}
	}
	return side
}

// Labels are what stands behind the markers of ours, base and theirs in f: what git says or,
// of an older git, what stands behind its own; "" for what is not known.
//
//	rebase: HEAD, parent of 8ca51e7 (subject), 8ca51e7 (subject)
func (s *Situation) Labels(f File) [3]string {
	if s.given != [3]string{} {
		return s.given
	}
	if s.Operation == Am {
		subject, _, _ := strings.Cut(s.read("rebase-apply/final-commit"), "\n")
		return [3]string{"HEAD", "constructed merge base", subject}
	}
	commit, title, ok := s.underWay(f)
	switch {
	case !ok:
		return [3]string{}
	case s.Operation == Merge:
		return [3]string{"HEAD", "", title}
	case s.has("rebase-apply"):
		return [3]string{"HEAD", "constructed merge base", title}
	}
	if short, err := s.git.Line("rev-parse", "--short", "-q", "--verify", commit); err == nil {
		commit = short
	}
	commit += " (" + title + ")"
	if s.Operation == Revert {
		return [3]string{"HEAD", commit, "parent of " + commit}
	}
	return [3]string{"HEAD", "parent of " + commit, commit}
}

// BaseLabel returns the label that git merge gives the base of f: the short name of the common ancestor, or a phrase of git
// if there are several or none. It returns "" in other operations and if it is not known what is merged.
func (s *Situation) BaseLabel(f File) string {
	commit, _, ok := s.underWay(f)
	if s.Operation != Merge || !ok {
		return ""
	}
	all, err := s.git.Line("merge-base", "--all", "HEAD", commit)
	switch {
	case all == "" && git.ExitCode(err) == 1:
		return "empty tree"
	case err != nil:
		return ""
	case strings.Contains(all, "\n"):
		return "merged common ancestors"
	}
	short, _ := s.git.Line("rev-parse", "--short", all)
	return short
}

// Locked reports whether git is writing the index: a merge that it only looks at does not.
func (s *Situation) Locked() bool { return s.has("index.lock") }

// Mark names what git does now, for one who comes again in the same merge: the lock of the
// index, which git makes anew for each merge or, where git takes none, HEAD and the labels.
func (s *Situation) Mark() string {
	if lock, err := os.Stat(filepath.Join(s.own, "index.lock")); err == nil {
		return fmt.Sprintln(lock.ModTime().UnixNano())
	}
	head := s.read("HEAD")
	ref, _ := strings.CutPrefix(strings.TrimSpace(head), "ref: ")
	at, _ := os.ReadFile(filepath.Join(s.common, filepath.FromSlash(ref))) // none if it is packed, or no branch
	return head + string(at) + fmt.Sprintln(strings.Join(s.given[:], " "))
}

// Folder is that of the program's own files in git's.
const Folder = "merge-yaml"

// Note is the path of a file of this program about what git does in this work tree.
func (s *Situation) Note(name string) string { return filepath.Join(s.own, Folder, name) }

func (s *Situation) has(name string) bool {
	if s.own == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(s.own, name))
	return err == nil
}

// read is a file of the git directory, "" if there is none.
func (s *Situation) read(name string) string {
	data, _ := os.ReadFile(filepath.Join(s.own, name))
	return string(data)
}
