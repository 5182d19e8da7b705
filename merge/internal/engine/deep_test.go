package engine

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
)

// TestDeepIsParsedOnce checks the reason that Merge gives if versions are nested deeper than read.MaxDepth or are not
// YAML: it names the first such version. Brackets within a quoted text do not count as nesting.
func TestDeepIsParsedOnce(t *testing.T) {
	deep := strings.Repeat("[", 2*read.MaxDepth) + strings.Repeat("]", 2*read.MaxDepth) + "\n"
	open := strings.Repeat("[", 2*read.MaxDepth) + "\n"
	text := "a: '" + strings.Repeat(" - [[[[", read.MaxDepth) + "'\n"
	for _, c := range []struct {
		name   string
		raw    [3]string
		reason string
	}{
		{"all", [3]string{deep, deep + "# d\n", deep + "# u\n"}, "base cannot be read as YAML: nested deeper than 1000 levels"},
		{"ours", [3]string{"[]\n", deep, "[1]\n"}, "ours cannot be read as YAML: nested deeper than 1000 levels"},
		{"theirs", [3]string{"[]\n", "[1]\n", deep}, "theirs cannot be read as YAML: nested deeper than 1000 levels"},
		{"theirs, and ours is no YAML", [3]string{"[]\n", "]\n", deep}, "ours cannot be read as YAML: did not find expected node content"},
		{"all, and base is no YAML", [3]string{open, deep, deep + "# u\n"}, "base cannot be read as YAML: line 1: did not find expected node content"},
		{"text that looks so", [3]string{text, text + "b: 1\n", text + "c: 1\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Merge([]byte(c.raw[0]), []byte(c.raw[1]), []byte(c.raw[2]), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if res.Reason != c.reason {
				t.Errorf("the reason is %q; want %q", res.Reason, c.reason)
			}
		})
	}
}
