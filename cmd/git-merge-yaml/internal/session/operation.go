package session

import (
	"bytes"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// OwnVariable says in the environment which side is one's own in what git does now.
const OwnVariable = "GIT_MERGE_YAML_OWN"

// Now makes the own side of f the one in what git is doing: ours where something is
// merged into one's branch; theirs where one's commits are put on another one (rebase,
// cherry-pick, revert, am), where a stash is applied, and where a branch is merged into
// the default one.
//
// Git does not tell a driver what it is run for. What it leaves to be seen are its
// environment, the state of rebases and picks, the labels of ours, base and theirs
// (since git 2.44), and the lock of the index. Alone says that the caller is nobody that
// is known to have a merge under way: then ours is own if git has none either.
func (f File) Now(labels [3]string, alone bool) File {
	f.Own = func() merge.Own { return f.now(labels, alone) }
	return f
}

func (f File) now(labels [3]string, alone bool) merge.Own {
	if own, said := Sides[os.Getenv(OwnVariable)]; said {
		return own
	}
	dir, err := f.Git.Line("rev-parse", "--absolute-git-dir")
	if err != nil {
		if alone {
			return merge.OwnOurs
		}
		return merge.OwnUnknown
	}
	s := state{git: f.Git, dir: dir, labels: labels, configured: Sides[f.OwnSetting()]}
	switch s.operation() {
	case merging:
		return s.merged()
	case picking:
		return merge.OwnTheirs
	case trees:
		return s.ofTrees(f)
	case none:
		if alone {
			return merge.OwnOurs
		}
		// A stash that was applied, and stopped, leaves nothing else behind.
		if _, stashed := f.Git.Stash(f.Path, f.Theirs); stashed {
			return merge.OwnTheirs
		}
	}
	return merge.OwnUnknown
}

// operation is what git is doing.
type operation int

const (
	none    operation = iota // nothing that can be seen
	merging                  // two branches
	picking                  // a commit, a patch or a stash is put on HEAD
	trees                    // two commits, whatever is checked out: merge-tree
	other                    // something that has no own side, or cannot be told
)

func (s state) operation() operation {
	action, _, _ := strings.Cut(os.Getenv("GIT_REFLOG_ACTION"), " ")
	rebasing := s.has("rebase-merge") || s.has("rebase-apply")
	switch {
	case s.labels[0] == "Temporary merge branch 1": // of two common ancestors
		return other
	case s.labels[2] == "Stashed changes":
		return picking
	case action == "merge" || action == "pull" && !rebasing:
		if s.has("MERGE_AUTOSTASH") && s.labels[0] != "HEAD" {
			return other // the merge, or the stash on top of it
		}
		return merging
	case rebasing && s.mergesAgain():
		return other
	case rebasing || s.has("CHERRY_PICK_HEAD") || s.has("REVERT_HEAD"):
		return picking
	case s.has("MERGE_HEAD"):
		return merging
	}
	return s.unseen()
}

// unseen is what goes on where nothing says so. A pick of one commit, a revert
// and a stash leave nothing but the lock of the index, which merge-tree does not
// take.
func (s state) unseen() operation {
	_, called := os.LookupEnv("GIT_PREFIX") // by git, as a driver
	switch {
	case !called:
		return none
	case !s.has("index.lock"):
		return trees
	}
	switch s.labels[0] {
	case "ours", "HEAD": // no labels, or those of a pick
		return picking
	}
	if s.labels[2] == "local" { // checkout -m
		return picking
	}
	return other
}

// mergesAgain reports whether a rebase is at a merge that it makes anew.
func (s state) mergesAgain() bool {
	done := strings.TrimRight(s.read("rebase-merge/done"), "\n")
	command, _, _ := strings.Cut(done[strings.LastIndexByte(done, '\n')+1:], " ")
	return command == "merge" || command == "m"
}

// ofTrees is the own side of a merge of two commits of which git tells nothing but,
// maybe, the labels: where a side has the version of the default branch, the other
// one is own.
func (s state) ofTrees(f File) merge.Own {
	for _, ref := range branches(s.git, s.defaults()) {
		there, err := s.git.Run("cat-file", "blob", ref+":"+f.Path)
		switch {
		case err != nil || f.Path == "":
		case bytes.Equal(there, f.Ours):
			return merge.OwnTheirs
		case bytes.Equal(there, f.Theirs):
			return merge.OwnOurs
		}
	}
	return merge.OwnUnknown
}
