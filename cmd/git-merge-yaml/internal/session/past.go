package session

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

var (
	// pastMerge is how the message of a merge starts that git or GitLab made:
	// Merge remote-tracking branch 'origin/main' into topic.
	pastMerge = lazily(`^Merge (remote-tracking )?branch '([^']+)'(?: of \S+)?(?: into '?([^' ]+)'?)?`)
	// pastRequest is how that of a request starts that GitHub, Gitea or Bitbucket merged.
	pastRequest = lazily(`^(?:Merge pull request [#']|Merged in )`)
)

// lazily compiles an expression when it is needed: a merge driver starts for every
// file.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Past makes the own side of f that of a merge that is over: what its message says of
// the branches or, where that says nothing, theirs if it was merged into the default
// branch, whose first-parent line has its first parent, else ours.
func (f File) Past(subject func() string, ours git.ID) File {
	f.Own = func() merge.Own {
		f.historyOnce.Do(f.readHistory)
		own := bySubject(subject(), f.defaultNames)
		switch {
		case own != merge.OwnUnknown:
			return own
		case ours == f.stopped: // it is about to be committed
			return f.now([3]string{}, false)
		case len(f.defaultLine()) == 0:
			return merge.OwnUnknown
		case f.defaultLine()[ours]:
			return merge.OwnTheirs
		}
		return merge.OwnOurs
	}
	return f
}

// A history is what is known of the default branch, for merges that are over.
type history struct {
	historyOnce  sync.Once
	stopped      git.ID // ours of a merge that stopped, "" if none did
	defaultNames []string
	defaultLine  func() map[git.ID]bool // the commits of its first-parent line
}

func (s *Session) readHistory() {
	s.defaultNames = defaults(s.Git)
	if m, ok, err := s.Git.OpenMerge(); ok && err == nil {
		s.stopped = m.Ours
	}
	s.defaultLine = sync.OnceValue(func() map[git.ID]bool {
		line := map[git.ID]bool{}
		for _, id := range s.Git.FirstParents(branches(s.Git, s.defaultNames)...) {
			line[id] = true
		}
		return line
	})
}

// bySubject is the own side of a merge that is over, by the subject of its message
// and the names of the default branch: as of one that is under way.
func bySubject(subject string, defaults []string) merge.Own {
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
