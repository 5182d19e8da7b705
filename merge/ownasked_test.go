package merge_test

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestOwnIsAsked: whose side is own is asked where a version needs it, and nowhere else:
// to find out takes longer than most merges.
func TestOwnIsAsked(t *testing.T) {
	rules, err := merge.ExtendRules("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, base, ours, theirs string
		asked                    bool
	}{
		{"a.yaml", "size: 1\n", "size: 2\n", "size: 3\n", false},
		{"web/Chart.yaml", "name: web\n", "name: b\n", "name: c\n", false},
		{"web/Chart.yaml", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.1.0\n", true},
		{"web/Chart.yaml", "name: web\nversion: 1.0.0\n", "name: b\nversion: 1.0.1\n", "name: c\nversion: 1.0.1\n", true},
	} {
		asked := false
		own := func() merge.Own { asked = true; return merge.OwnOurs }
		if _, err := merge.Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), merge.Options{Path: c.path, Rules: rules, Own: own}); err != nil {
			t.Fatal(err)
		}
		if asked != c.asked {
			t.Errorf("%s: %q and %q: asked %v", c.path, c.ours, c.theirs, asked)
		}
	}
}
