package situation

import (
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Past is what a repository tells of merges that are over: the names of its default
// branch, and the commits of that one's first-parent line. It is read when it is needed.
type Past struct {
	defaults func() []string
	line     func() map[git.ID]bool
	stopped  func() git.ID // ours of a merge that stopped, "" if none did
}

// NewPast is that of a repository.
func NewPast(g git.Git) *Past {
	r := repo.At(g)
	p := &Past{defaults: sync.OnceValue(func() []string { return defaults(r) })}
	p.stopped = sync.OnceValue(func() git.ID {
		m, _ := Read(g, [3]string{}).Stopped()
		return m.Ours
	})
	p.line = sync.OnceValue(func() map[git.ID]bool {
		line := map[git.ID]bool{}
		for _, id := range g.FirstParents(branches(r, p.defaults())...) {
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
	own := OwnBySubject(subject, p.defaults())
	switch {
	case own != merge.OwnUnknown:
		return own
	case ours == p.stopped():
		return now()
	case len(p.line()) == 0:
		return merge.OwnUnknown
	case p.line()[ours]:
		return merge.OwnTheirs
	}
	return merge.OwnOurs
}

var (
	// pastMerge is how the message of a merge starts that git or GitLab made:
	// Merge remote-tracking branch 'origin/main' into topic.
	pastMerge = lazily(`^Merge (remote-tracking )?branch '([^']+)'(?: of \S+)?(?: into '?([^' ]+)'?)?`)
	// pastRequest is how that of a request starts that GitHub, Gitea or Bitbucket merged.
	pastRequest = lazily(`^(?:Merge pull request [#']|Merged in )`)
)

// OwnBySubject is the own side of a finished merge, by the subject of its message
// and the names of the default branch: as of one that is under way.
func OwnBySubject(subject string, defaults []string) merge.Own {
	if pastRequest().MatchString(subject) {
		return merge.OwnTheirs
	}
	m := pastMerge().FindStringSubmatch(subject)
	if m == nil {
		return merge.OwnUnknown
	}
	theirs := m[2]
	if _, branch, ok := strings.Cut(theirs, "/"); ok && m[1] != "" {
		theirs = branch // without its remote
	}
	switch {
	case slices.Contains(defaults, theirs):
		return merge.OwnOurs
	case m[3] != "" && !slices.Contains(defaults, m[3]):
		return merge.OwnOurs
	}
	return merge.OwnTheirs // into the default branch, which git does not name
}
