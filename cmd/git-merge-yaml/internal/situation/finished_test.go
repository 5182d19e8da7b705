package situation

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestOwnSideOfFinishedMerge checks the own side for subjects of merge commits, in a repository with the default branch main
// and without commits on it.
func TestOwnSideOfFinishedMerge(t *testing.T) {
	p := &FinishedMerges{
		defaultBranches: []string{"main"},
		firstParents:    func() map[git.ID]bool { return nil },
		stoppedOurs:     func() git.ID { return "stopped" },
	}
	for subject, want := range map[string]merge.Side{
		"Merge branch 'main' into topic":                        merge.SideOurs,
		"Merge branch 'main'":                                   merge.SideOurs,
		"Merge branch 'main' of https://example.com/x into a/b": merge.SideOurs,
		"Merge remote-tracking branch 'origin/main' into topic": merge.SideOurs,
		"Merge remote-tracking branch 'upstream/main'":          merge.SideOurs,
		"Merge branch 'topic'":                                  merge.SideTheirs,
		"Merge branch 'topic' into main":                        merge.SideTheirs,
		"Merge branch 'topic' into 'main'":                      merge.SideTheirs,
		"Merge branch 'fix/main' into 'main'":                   merge.SideTheirs,
		"Merge branch 'release' into topic":                     merge.SideOurs,
		"Merge pull request #12 from someone/main":              merge.SideTheirs,
		"Merge pull request 'a topic' (#1) from topic into v1":  merge.SideTheirs,
		"Merged in topic (pull request #3)":                     merge.SideTheirs,
		"Merge tag 'v1.2'":                                      merge.SideUnknown,
		"Bring the charts up to date":                           merge.SideUnknown,
		"":                                                      merge.SideUnknown,
	} {
		if got := p.OwnSide(subject, "ours", nil); got != want {
			t.Errorf("%q: %v, want %v", subject, got, want)
		}
	}
}
