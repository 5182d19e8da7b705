package maker

import (
	"slices"
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct{ made, others, want string }{
		{"out/a.yaml out/b.yaml", "src/a.yaml", "/out/**"},
		{"out/a.yaml", "src/a.yaml", "/out/a.yaml"},
		{"a.yaml b.yaml", "", "/a.yaml /b.yaml"},
		{"out/a.yaml out/b.yaml", "out/c.yaml", "/out/a.yaml /out/b.yaml"},
		{"out/x/a.yaml out/x/b.yaml out/y/a.yaml", "", "/out/**"},
		{"e/a/r/x.yaml e/a/r/y.yaml e/b/r/x.yaml e/b/r/y.yaml", "e/a/values.yaml e/b/values.yaml", "/e/a/r/** /e/b/r/**"},
		{"e/a/r/x.yaml e/a/r/y.yaml e/b/r/x.yaml e/b/r/y.yaml", "e/a/values.yaml e/b/values.yaml e/c/r/x.yaml", "/e/a/r/** /e/b/r/**"},
		{"c/a/README.md c/b/README.md c/d/README.md", "c/a/x.yaml c/b/x.yaml c/d/x.yaml", "/c/a/README.md /c/b/README.md /c/d/README.md"},
		{"c/[a]/README.md", "c/a/README.md", `/c/\[a]/README.md`},
	} {
		if got := Patterns(strings.Fields(c.made), strings.Fields(c.others)); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s without %s: %q, want %s", c.made, c.others, got, c.want)
		}
	}
}
