package session

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// merged is the own side of a merge of two branches. Where the default branch
// comes in, ours is own, whatever the branch; where another one comes into the
// default branch, that is. A server has names of its own for both, and is configured.
func (s state) merged() merge.Own {
	known, theirs := s.defaults(), s.theirs()
	isDefault := func(name string) bool { return slices.Contains(known, name) }
	head, err := s.git.Line("symbolic-ref", "-q", "--short", "HEAD")
	switch {
	case slices.ContainsFunc(theirs, isDefault):
		return merge.OwnOurs
	case err != nil || head == "":
		return merge.OwnUnknown // a detached HEAD: it may stand for any branch
	case !isDefault(head):
		return cmp.Or(s.configured, merge.OwnOurs)
	case len(theirs) > 0:
		return merge.OwnTheirs
	}
	return merge.OwnUnknown // a commit or a tag, which may be of any branch
}

func (s state) defaults() []string { return defaults(s.git) }

// defaults are the names of the default branch: those that remotes have told; without
// one that of HEAD in a bare repository, else what git is configured to, or main and
// master.
func defaults(g git.Git) (names []string) {
	out, err := g.Run("for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/*/HEAD")
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); err == nil && name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return names
	}
	if bare, err := g.IsBare(); err == nil && bare {
		if name, err := g.Line("symbolic-ref", "-q", "--short", "HEAD"); err == nil {
			return []string{name}
		}
	}
	if name, err := g.Line("config", "init.defaultBranch"); err == nil && name != "" {
		return []string{name}
	}
	return []string{"main", "master"}
}

// branches are the branches of these names, here and of remotes.
func branches(g git.Git, names []string) (refs []string) {
	patterns := []string{"for-each-ref", "--format=%(refname)"}
	for _, name := range names {
		patterns = append(patterns, "refs/heads/"+name, "refs/remotes/*/"+name)
	}
	out, err := g.Run(patterns...)
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

var (
	// mergeMessage is how git's message starts: Merge branch 'main' of URL into topic.
	mergeMessage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^Merge (?:remote-tracking )?branch '([^']+)'`)
	})
	// fetched is a line of FETCH_HEAD that is for the merge.
	fetched = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[0-9a-f]+\t\tbranch '([^']+)'`)
	})
)

// theirs are the branches that what is merged may be, with and without their
// remote; none where it is a commit or a tag.
func (s state) theirs() (names []string) {
	action, args, _ := strings.Cut(os.Getenv("GIT_REFLOG_ACTION"), " ")
	switch {
	case action == "pull" || action == "merge" && args == "FETCH_HEAD":
		names = matches(fetched(), s.read("FETCH_HEAD"))
	case action == "merge":
		names = s.branches(strings.Fields(args))
	case s.has("MERGE_HEAD"):
		names = matches(mergeMessage(), s.read("MERGE_MSG"))
	}
	return append(names, s.withoutRemote(names)...)
}

// matches are what is in the parentheses of re.
func matches(re *regexp.Regexp, text string) (found []string) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// branches are those of names that are branches here or of a remote.
func (s state) branches(names []string) (branches []string) {
	for _, n := range names {
		full, err := s.git.Line("rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", n)
		short, head := strings.CutPrefix(full, "refs/heads/")
		short, remote := strings.CutPrefix(short, "refs/remotes/")
		if err == nil && (head || remote) {
			branches = append(branches, short)
		}
	}
	return branches
}

// withoutRemote returns the branches of names that are those of a remote.
func (s state) withoutRemote(names []string) (branches []string) {
	out, err := s.git.Run("remote")
	if err != nil {
		return nil
	}
	for remote := range strings.Lines(string(out)) {
		for _, n := range names {
			if b, ok := strings.CutPrefix(n, strings.TrimSpace(remote)+"/"); ok {
				branches = append(branches, b)
			}
		}
	}
	return branches
}
