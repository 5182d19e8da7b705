package situation

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// OwnByName maps the names of the sides, as in options and settings, to the values of the library. Any other name maps
// to merge.SideUnknown.
var OwnByName = map[string]merge.Side{"ours": merge.SideOurs, "theirs": merge.SideTheirs}

// A File has the properties of a merged file from which an operation of git can be recognized.
type File struct {
	Path         string // from the top of the repository; "" if not known
	Ours, Theirs []byte
}

// OwnSide returns the side that contains the user's own work in the merge of f. It depends on the operation:
//
//	merge                            decided by the branches, see ownSideOfMerge
//	rebase, cherry-pick, revert      theirs
//	git am, git stash pop            theirs
//	git merge-tree                   the side whose file is not that of the default branch
//	none, with standalone            ours
//	none, without standalone         theirs if it is the file of a stash (see FindStash)
//
// In other cases, it is merge.SideUnknown. configured is the side in git's configuration, which counts only in a merge.
func (s *Situation) OwnSide(f File, configured merge.Side, standalone bool) merge.Side {
	switch s.Operation {
	case Merge:
		return s.ownSideOfMerge(configured)
	case Rebase, CherryPick, Revert, Am, Stash, UnknownPick:
		// the user's changes are applied to another commit
		return merge.SideTheirs
	case MergeTree:
		// git merge-tree does not tell which commits it merges: the own side is not the one of the default branch.
		for _, ref := range branchRefs(s.repo, defaultBranchNames(s.repo)) {
			content, err := s.git.Run("cat-file", "blob", ref+":"+f.Path)
			switch {
			case err != nil || f.Path == "":
			case bytes.Equal(content, f.Ours):
				return merge.SideTheirs
			case bytes.Equal(content, f.Theirs):
				return merge.SideOurs
			}
		}
	case None:
		// no operation, even if a stash stopped
		if standalone {
			return merge.SideOurs
		}
		// A stash that stopped with conflicts leaves no trace: theirs is then from it.
		if _, isStash := FindStash(s.git, f.Path, f.Theirs); isStash {
			return merge.SideTheirs
		}
	}
	return merge.SideUnknown
}

// ownSideOfMerge returns the side of a merge in progress that contains the user's own work. configured is the side in
// git's configuration, or merge.SideUnknown. The first line that applies decides:
//
//	main, a default branch, is merged              ours: the user brings a branch up to date
//	HEAD is detached                               merge.SideUnknown
//	another branch is checked out                  configured, or ours without it
//	a branch is merged into main                   theirs
//	a commit or a tag is merged into main          merge.SideUnknown
func (s *Situation) ownSideOfMerge(configured merge.Side) merge.Side {
	defaults, theirs := defaultBranchNames(s.repo), s.theirsBranches()
	isDefault := func(name string) bool { return slices.Contains(defaults, name) }
	head := s.repo.CurrentBranch()
	switch {
	case slices.ContainsFunc(theirs, isDefault):
		// the user brings a branch up to date
		return merge.SideOurs
	// HEAD is detached
	case head == "":
		return merge.SideUnknown
	case !isDefault(head):
		// A server may merge into a branch with a temporary name; there, the setting is theirs.
		return cmp.Or(configured, merge.SideOurs)
	case len(theirs) > 0:
		// a branch is merged into the default one because the work on it is complete
		return merge.SideTheirs
	}
	return merge.SideUnknown // a commit or a tag is merged into the default branch
}

// defaultBranchNames returns names that the default branch may have, such as main, without the remote. The first of
// these sources that exists counts:
//
//   - the HEAD of each remote
//   - in a bare repository, its own HEAD
//   - the setting init.defaultBranch
//   - main and master
func defaultBranchNames(r *git.Repo) (names []string) {
	// the HEAD of each remote, as refs/remotes/origin/HEAD
	for _, head := range r.Refs("refs/remotes/*/HEAD") {
		if name := strings.SplitN(r.SymrefTarget(head), "/", 4); len(name) == 4 {
			names = append(names, name[3])
		}
	}
	if len(names) > 0 {
		return names
	}
	// in a bare repository, its own HEAD
	if bare, err := r.IsBare(); err == nil && bare {
		if name := r.CurrentBranch(); name != "" {
			return []string{name}
		}
	}
	if name := r.ConfigValue("init.defaultBranch"); name != "" {
		return []string{name}
	}
	return []string{"main", "master"}
}

// branchRefs returns the full names of all local and remote-tracking branches with the given names, such as
// refs/heads/main and refs/remotes/origin/main for main. It returns nil if there are none.
func branchRefs(r *git.Repo, names []string) (refs []string) {
	for _, name := range names {
		refs = append(refs, r.Refs("refs/heads/"+name, "refs/remotes/*/"+name)...)
	}
	return refs
}

// lazyRegexp returns a function that compiles a regular expression when it is called for the first time. git starts a
// merge driver for every file, so that starting has to be fast.
func lazyRegexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var (
	// mergeSubject matches the subject that git or GitLab writes for a merge of a branch:
	//
	//	Merge remote-tracking branch 'origin/main' of URL into topic
	//
	// Its groups are remote-tracking, the branch of theirs, and the branch of ours. git leaves out the first for a local
	// branch, and the last for the default branch.
	mergeSubject = lazyRegexp(`^Merge (?:(remote-tracking) )?branch '([^']+)'(?: of \S+)?(?: into '?([^' ]+)'?)?`)
	// requestSubject matches the subject that GitHub, Gitea or Bitbucket writes for the merge of a pull request.
	requestSubject = lazyRegexp(`^(?:Merge pull request [#']|Merged in )`)
	// fetchedBranch matches a line of FETCH_HEAD for a branch to merge. Other lines contain not-for-merge.
	fetchedBranch = lazyRegexp(`(?m)^[0-9a-f]+\t\tbranch '([^']+)'`)
)

// theirsBranches returns the names of the branches that git merge or git pull merges, or was merging when it stopped,
// as far as git records them. A remote-tracking branch is returned with and without its remote: origin/main and main.
// The result is nil if a commit or a tag is merged, and in other operations.
func (s *Situation) theirsBranches() (names []string) {
	switch {
	case s.isReflogAction("pull") || s.isReflogAction("merge") && len(s.reflogAction) == 2 && s.reflogAction[1] == "FETCH_HEAD":
		for _, m := range fetchedBranch().FindAllStringSubmatch(s.readFile("FETCH_HEAD"), -1) {
			names = append(names, m[1])
		}
	case s.isReflogAction("merge"):
		for _, argument := range s.reflogAction[1:] {
			full := s.repo.FullRefName(argument)
			short, isLocal := strings.CutPrefix(full, "refs/heads/")
			short, isRemote := strings.CutPrefix(short, "refs/remotes/")
			if isLocal || isRemote {
				names = append(names, short)
			}
		}
	case s.hasFile("MERGE_HEAD"):
		if m := mergeSubject().FindStringSubmatch(s.readFile("MERGE_MSG")); m != nil {
			names = []string{m[2]}
		}
	}
	for _, n := range names {
		for _, remote := range s.repo.Remotes() {
			if branch, ok := strings.CutPrefix(n, remote+"/"); ok {
				names = append(names, branch)
			}
		}
	}
	return names
}

// FinishedMerges determines, for merge commits of a repository, which side was the user's own work, with its method
// OwnSide. It reads from the repository on first use, and keeps the result.
type FinishedMerges struct {
	defaultBranches []string               // result of defaultBranchNames
	firstParents    func() map[git.ID]bool // commits of the default branches, and the first parents of these, and so on
	stoppedOurs     func() git.ID          // the commit of ours of an operation that stopped, "" if there is none
}

// NewFinishedMerges returns a value that determines which side of a merge commit in the repository r contains the
// user's own work. g runs git in that repository. NewFinishedMerges reads the names of the default branch now, and
// everything else on first use. The result is never nil.
func NewFinishedMerges(g git.Git, r *git.Repo) *FinishedMerges {
	p := &FinishedMerges{defaultBranches: defaultBranchNames(r)}
	p.stoppedOurs = sync.OnceValue(func() git.ID {
		m, _ := Read(g, r, [3]string{}).StoppedMerge()
		return m.Ours
	})
	p.firstParents = sync.OnceValue(func() map[git.ID]bool {
		ids := map[git.ID]bool{}
		for _, id := range g.FirstParentHistory(branchRefs(r, p.defaultBranches)...) {
			ids[id] = true
		}
		return ids
	})
	return p
}

// OwnSide returns the side of a merge commit that contains the user's own work. subject is the first line of its
// message, and ours is its first parent. The first line that applies decides:
//
//	Merge pull request #7 from a/topic              theirs
//	Merge branch 'main' into topic                  ours
//	Merge branch 'topic'                            theirs: it was merged into main
//	the merge is the one that stopped here          the result of currentOwnSide
//	the repository has no default branch            merge.SideUnknown
//	ours is in the history of a default branch      theirs: a branch was merged into it
//	any other merge                                 ours
//
// The last two look only at first parents.
func (p *FinishedMerges) OwnSide(subject string, ours git.ID, currentOwnSide func() merge.Side) merge.Side {
	switch m := mergeSubject().FindStringSubmatch(subject); {
	case requestSubject().MatchString(subject):
		return merge.SideTheirs
	case m != nil:
		theirs, into := m[2], m[3]
		if _, branch, ok := strings.Cut(theirs, "/"); ok && m[1] != "" {
			theirs = branch // without its remote
		}
		// Without "into", git merged into the default branch.
		if slices.Contains(p.defaultBranches, theirs) || into != "" && !slices.Contains(p.defaultBranches, into) {
			return merge.SideOurs
		}
		return merge.SideTheirs
	case ours == p.stoppedOurs():
		return currentOwnSide()
	// any other subject, and no history of a default branch
	case len(p.firstParents()) == 0:
		return merge.SideUnknown
	// a branch was merged into the default one
	case p.firstParents()[ours]:
		return merge.SideTheirs
	}
	return merge.SideOurs
}

// A Side is one of the two sides of an operation that stopped, ours or theirs: its name and its commits.
type Side struct {
	// Name is the name of the side for users, as in "HEAD, branch main"; "" if it is not known.
	Name           string
	revision       string // "" if the side is not a commit
	isSingleCommit bool   // the side is the change of one commit, and not a history
}

// NameSides returns the two sides of the operation that stopped in this work tree, each with its name for users and its
// commit. ours is always HEAD. For git am, theirs has no commit. If nothing stopped, or for a stash (see FindStash),
// theirs is the zero Side.
//
//	merge           "HEAD, branch main"                        "MERGE_HEAD, topic"
//	rebase          "HEAD, the new base of branch topic"       "REBASE_HEAD, a commit of branch topic"
func (s *Situation) NameSides() (ours, theirs Side) {
	ours = Side{Name: "HEAD", revision: "HEAD"}
	if name := s.repo.CurrentBranch(); name != "" {
		ours.Name += ", branch " + name
	}
	stopped, _ := s.findStopped()
	theirs = stopped.theirsSide
	switch stopped.operation {
	case Rebase:
		rebased := "a detached HEAD"
		name := strings.TrimSpace(s.readFile("rebase-merge/head-name") + s.readFile("rebase-apply/head-name"))
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			rebased = "branch " + branch
		}
		ours.Name = "HEAD, the new base of " + rebased
		theirs.Name += rebased
	case Merge:
		listRefs := []string{"for-each-ref", "--points-at", "MERGE_HEAD", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"}
		if out, err := s.git.Line(listRefs...); err == nil && out != "" {
			name, _, _ := strings.Cut(out, "\n")
			theirs.Name += ", " + name
		}
	}
	return ours, theirs
}

// LastCommit returns a line for the user about the commit that last changed the file at path in the history of side,
// such as "8ca51e7 Ann, 2026-01-31, subject". path is from the top of the repository. The commit may be older than the
// common ancestor of the sides. If the side is the change of one commit, as in a rebase, it is that commit. ok is false
// if no commit is found.
func (s *Situation) LastCommit(side Side, path string) (line string, ok bool) {
	if side.revision == "" {
		return "", false
	}
	args := []string{"log", "-1", "--no-show-signature", "--no-color", "--date=short", "--format=%h %an, %ad, %s", side.revision}
	if !side.isSingleCommit {
		args = append(args, "--", ":(top,literal)"+path)
	}
	line, err := s.git.Line(args...)
	return line, err == nil && line != ""
}

// maxStashes is the maximum number of stashes that FindStash reads, newest first.
const maxStashes = 20

// FindStash returns the newest of the last 20 stashes in which the file at path has this content, as git stores it,
// with its name, such as stash@{0}. git keeps no record of a stash whose application stopped with conflicts, so the
// stash can be found only by its content. ok is false if there is none, or if git fails.
func FindStash(g git.Git, path string, content []byte) (stash Side, ok bool) {
	out, _ := g.Run("rev-list", "--walk-reflogs", "--max-count="+strconv.Itoa(maxStashes), "refs/stash", "--")
	names := strings.Fields(string(out))
	if len(names) == 0 {
		return Side{}, false
	}
	for i := range names {
		names[i] += ":" + path
	}
	objects := g.Objects()
	defer objects.Close()
	contents, _ := objects.BlobsByName(names...)
	i := slices.IndexFunc(contents, func(data []byte) bool { return data != nil && bytes.Equal(data, content) })
	if i < 0 {
		return Side{}, false
	}
	name := "stash@{" + strconv.Itoa(i) + "}"
	return Side{Name: name, revision: name, isSingleCommit: true}, true
}

// ContinueCommand returns the command that ends the stopped operation after its conflicts are resolved, such as "git
// rebase --continue". For git merge --squash, it is "git commit". It returns "" if nothing stopped, and for a stash,
// which leaves no trace.
func (s *Situation) ContinueCommand() string {
	stopped, isStopped := s.findStopped()
	switch {
	case isStopped:
		return map[Operation]string{
			Am: "git am --continue", Rebase: "git rebase --continue", CherryPick: "git cherry-pick --continue",
			Revert: "git revert --continue", Merge: "git merge --continue",
		}[stopped.operation]
	case s.hasFile("SQUASH_MSG"):
		return "git commit"
	}
	return ""
}

// StoppedMerge returns the merge with which an operation, such as a rebase, stopped in this work tree. Ours is HEAD,
// and Commit is "", because there is no commit yet. Theirs and Base are as in git.Git.MergesOf. A merge by git merge
// --squash is returned until it is committed. ok is false if nothing stopped, and for operations that merge no commit:
// git am, and a rebase that stopped between two commits.
func (s *Situation) StoppedMerge() (m git.Merge, ok bool) {
	stopped, isStopped := s.findStopped()
	if !isStopped {
		return s.git.SquashedMerge("HEAD", s.readFile("SQUASH_MSG"))
	}
	m, err := s.git.MergeOf("HEAD", stopped.theirs, stopped.base)
	return m, err == nil
}
