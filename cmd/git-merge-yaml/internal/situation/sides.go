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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Sides are the names of sides in the library.
var Sides = map[string]merge.Own{"ours": merge.OwnOurs, "theirs": merge.OwnTheirs}

// A File is what a driver is called for, as far as it tells what git is doing.
type File struct {
	Path         string
	Ours, Theirs []byte
}

// Own is the side that is one's own: ours where something is merged into one's branch;
// theirs where one's commits are put on another one (rebase, cherry-pick, revert, am),
// where a stash is applied, and where a branch is merged into the default one. configured
// is what git is configured to where nothing else tells it. Alone says that the caller is
// nobody that is known to have a merge under way: then ours is own if git has none either.
func (s *Situation) Own(f File, configured merge.Own, alone bool) merge.Own {
	switch s.Operation {
	case Merge:
		return s.ownOfBranches(configured)
	case Rebase, CherryPick, Revert, Am, Stash, Pick:
		return merge.OwnTheirs
	case Trees: // git tells no more: where a side has the version of the default branch, the other one is own
		for _, ref := range branches(s.repo, defaults(s.repo)) {
			there, err := s.git.Run("cat-file", "blob", ref+":"+f.Path)
			switch {
			case err != nil || f.Path == "":
			case bytes.Equal(there, f.Ours):
				return merge.OwnTheirs
			case bytes.Equal(there, f.Theirs):
				return merge.OwnOurs
			}
		}
	case None:
		if alone {
			return merge.OwnOurs
		}
		// A stash that was applied, and stopped, leaves nothing else behind.
		if _, stashed := StashOf(s.git, f.Path, f.Theirs); stashed {
			return merge.OwnTheirs
		}
	}
	return merge.OwnUnknown
}

// ownOfBranches is the own side of a merge of two branches. Where the default branch
// comes in, ours is own, whatever the branch; where another one comes into the
// default branch, that is. A server has names of its own for both, and is configured.
func (s *Situation) ownOfBranches(configured merge.Own) merge.Own {
	known, theirs := defaults(s.repo), s.theirs()
	isDefault := func(name string) bool { return slices.Contains(known, name) }
	head := s.repo.CurrentBranch()
	switch {
	case slices.ContainsFunc(theirs, isDefault):
		return merge.OwnOurs
	case head == "":
		return merge.OwnUnknown // a detached HEAD: it may stand for any branch
	case !isDefault(head):
		return cmp.Or(configured, merge.OwnOurs)
	case len(theirs) > 0:
		return merge.OwnTheirs
	}
	return merge.OwnUnknown // a commit or a tag, which may be of any branch
}

// defaults are the names of the default branch: those that remotes have told; without
// one that of HEAD in a bare repository, else what git is configured to, or main and
// master.
func defaults(r *repo.Repo) (names []string) {
	for _, head := range r.Refs("refs/remotes/*/HEAD") {
		if name := strings.SplitN(r.SymrefTarget(head), "/", 4); len(name) == 4 {
			names = append(names, name[3])
		}
	}
	if len(names) > 0 {
		return names
	}
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

// branches are the branches of these names, here and of remotes.
func branches(r *repo.Repo, names []string) (refs []string) {
	for _, name := range names {
		refs = append(refs, r.Refs("refs/heads/"+name, "refs/remotes/*/"+name)...)
	}
	return refs
}

// lazily compiles an expression when it is needed: a merge driver starts for every file.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var (
	// merges is how the message of a merge starts that git or GitLab made:
	// Merge remote-tracking branch 'origin/main' of URL into topic.
	merges = lazily(`^Merge (?:(remote-tracking) )?branch '([^']+)'(?: of \S+)?(?: into '?([^' ]+)'?)?`)
	// mergesRequest is how that of a request starts that GitHub, Gitea or Bitbucket merged.
	mergesRequest = lazily(`^(?:Merge pull request [#']|Merged in )`)
	// fetched is a line of FETCH_HEAD that is for the merge.
	fetched = lazily(`(?m)^[0-9a-f]+\t\tbranch '([^']+)'`)
)

// theirs are the branches that what is merged may be, with and without their
// remote; none where it is a commit or a tag.
func (s *Situation) theirs() (names []string) {
	switch {
	case s.is("pull") || s.is("merge") && len(s.action) == 2 && s.action[1] == "FETCH_HEAD":
		for _, m := range fetched().FindAllStringSubmatch(s.read("FETCH_HEAD"), -1) {
			names = append(names, m[1])
		}
	case s.is("merge"):
		for _, n := range s.action[1:] {
			full := s.repo.FullRefName(n)
			short, head := strings.CutPrefix(full, "refs/heads/")
			short, remote := strings.CutPrefix(short, "refs/remotes/")
			if head || remote {
				names = append(names, short)
			}
		}
	case s.has("MERGE_HEAD"):
		if m := merges().FindStringSubmatch(s.read("MERGE_MSG")); m != nil {
			names = []string{m[2]}
		}
	}
	for _, n := range names {
		for _, remote := range s.repo.Remotes() {
			if b, ok := strings.CutPrefix(n, remote+"/"); ok {
				names = append(names, b)
			}
		}
	}
	return names
}

// A Past is what a repository tells of merges that are over: the names of its default
// branch, and the commits of that one's first-parent line.
type Past struct {
	defaults []string
	line     func() map[git.ID]bool
	stopped  func() git.ID // ours of a merge that stopped, "" if none did
}

// NewPast is that of a repository.
func NewPast(g git.Git) *Past {
	r := repo.Open(g)
	p := &Past{defaults: defaults(r)}
	p.stopped = sync.OnceValue(func() git.ID {
		m, _ := Read(g, [3]string{}).Stopped()
		return m.Ours
	})
	p.line = sync.OnceValue(func() map[git.ID]bool {
		line := map[git.ID]bool{}
		for _, id := range g.FirstParentHistory(branches(r, p.defaults)...) {
			line[id] = true
		}
		return line
	})
	return p
}

// Own is the own side of a finished merge: what its message says of the branches or,
// where that says nothing, theirs if it was merged into the default branch, whose
// first-parent line has its first parent, else ours. Of a merge that stopped, and is about
// to be committed, it is what now says.
func (p *Past) Own(subject string, ours git.ID, now func() merge.Own) merge.Own {
	switch m := merges().FindStringSubmatch(subject); {
	case mergesRequest().MatchString(subject):
		return merge.OwnTheirs
	case m != nil:
		theirs, into := m[2], m[3]
		if _, branch, ok := strings.Cut(theirs, "/"); ok && m[1] != "" {
			theirs = branch // without its remote
		}
		if slices.Contains(p.defaults, theirs) || into != "" && !slices.Contains(p.defaults, into) {
			return merge.OwnOurs
		}
		return merge.OwnTheirs // into the default branch, which git does not name
	case ours == p.stopped():
		return now()
	case len(p.line()) == 0:
		return merge.OwnUnknown
	case p.line()[ours]:
		return merge.OwnTheirs
	}
	return merge.OwnOurs
}

// A Side is one of the two that are merged.
type Side struct {
	// Name is what git and people call it, as in `HEAD, branch main`; "" is not known.
	Name string
	rev  string // "" if it is no commit
	only bool   // the side is this commit alone, not its history
}

// Sides are those of what stopped. What is not known of theirs has no name: a stash, or a
// merge that left no trace.
func (s *Situation) Sides() (ours, theirs Side) {
	ours = Side{Name: "HEAD", rev: "HEAD"}
	if name := s.repo.CurrentBranch(); name != "" {
		ours.Name += ", branch " + name
	}
	o, _ := s.stopped()
	theirs = o.side
	switch o.operation {
	case Rebase:
		of := "a detached HEAD"
		name := strings.TrimSpace(s.read("rebase-merge/head-name") + s.read("rebase-apply/head-name"))
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			of = "branch " + branch
		}
		ours.Name = "HEAD, on which " + of + " is rebased"
		theirs.Name += of
	case Merge:
		refs := []string{"for-each-ref", "--points-at", "MERGE_HEAD", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"}
		if out, err := s.git.Line(refs...); err == nil && out != "" {
			name, _, _ := strings.Cut(out, "\n")
			theirs.Name += ", " + name
		}
	}
	return ours, theirs
}

// Last describes the last commit of a side that changed the file at path, or the only
// commit of the side: `8ca51e7 Ann, 2026-01-31, subject`.
func (s *Situation) Last(of Side, path string) (line string, ok bool) {
	if of.rev == "" {
		return "", false
	}
	args := []string{"log", "-1", "--no-show-signature", "--no-color", "--date=short", "--format=%h %an, %ad, %s", of.rev}
	if !of.only {
		args = append(args, "--", ":(top,literal)"+path)
	}
	line, err := s.git.Line(args...)
	return line, err == nil && line != ""
}

// maxStashes bounds the stashes that are looked at.
const maxStashes = 20

// StashOf returns the stash in which the file at path has the content.
func StashOf(g git.Git, path string, content []byte) (Side, bool) {
	out, _ := g.Run("rev-list", "--walk-reflogs", "--max-count="+strconv.Itoa(maxStashes), "refs/stash", "--")
	files := strings.Fields(string(out))
	for i := range files {
		files[i] += ":" + path
	}
	objects := g.Objects()
	defer objects.Close()
	all, _ := objects.BlobsByName(files...)
	i := slices.IndexFunc(all, func(data []byte) bool { return data != nil && bytes.Equal(data, content) })
	if i < 0 {
		return Side{}, false
	}
	name := "stash@{" + strconv.Itoa(i) + "}"
	return Side{Name: name, rev: name, only: true}, true
}

// Stopped returns the merge or the pick that stopped, whose Commit is "", and false where
// there is none. Of a revert, the parent is put on HEAD.
func (s *Situation) Stopped() (m git.Merge, ok bool) {
	o, known := s.stopped()
	if !known {
		return m, false
	}
	m, err := s.git.MergeOf("HEAD", o.theirs, o.base)
	return m, err == nil // a rebase may stop where nothing is merged
}
