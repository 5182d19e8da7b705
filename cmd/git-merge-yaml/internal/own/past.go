package own

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

var (
	// pastMerge is how the message of a merge starts that git or GitLab made:
	// Merge remote-tracking branch 'origin/main' into topic.
	pastMerge = lazily(`^Merge (remote-tracking )?branch '([^']+)'(?: of \S+)?(?: into '?([^' ]+)'?)?`)
	// pastRequest is how that of a request starts that GitHub or Bitbucket merged.
	pastRequest = lazily(`^(?:Merge pull request #|Merged in )`)
)

// lazily compiles an expression when it is needed: a merge driver starts for every
// file.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// OfMerge is the own side of a merge that is over, by the subject of its message
// and the names of the default branch: as of one that is under way.
func OfMerge(subject string, defaults []string) merge.Own {
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
