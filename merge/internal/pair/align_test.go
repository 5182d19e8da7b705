package pair

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestMatchManyItems checks that items are matched by their names if both sides differ in all items, and there are
// too many of them to compare every item with every other one.
func TestMatchManyItems(t *testing.T) {
	const n = 300
	list := func(item string, version, from int) string {
		var b strings.Builder
		for i := from; i < n; i++ {
			fmt.Fprintf(&b, item, i, version)
		}
		return b.String()
	}
	for _, item := range []string{"- a%d:%d\n", "- {name: a%d, is: {version: %d}}\n"} {
		base, ours := parseVersions(t, list(item, 1, 0)), parseVersions(t, list(item, 2, 1)+"- z\n")
		v := three.Nodes{base.Nodes[three.Original], ours.Nodes[three.Original], base.Nodes[three.Original]}
		m := NewMatcher(nil, "")
		steps := m.PairOrdered(v, schema.List{})
		for _, st := range steps {
			if o, d := st.Index[three.Original], st.Index[three.Dest]; o > 0 && d != o-1 {
				t.Errorf("%d is %d", o, d)
			}
		}
		if len(steps) != n+1 {
			t.Errorf("%d steps", len(steps))
		}
	}
}
