package ident

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestFindMoved checks at how many places FindMoved finds a mapping of ten leaves, or of fewer.
func TestFindMoved(t *testing.T) {
	const ten = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9\nj: 10\n"
	below := func(key, lines string) string {
		return key + ":\n  " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n  ") + "\n"
	}
	for _, c := range []struct {
		name, mapping, file string
		want                int
	}{
		{"the file itself", ten, ten, 1},
		{"below a key", ten, below("x", ten), 1},
		{"below a list item", ten, "- name: a\n" + strings.ReplaceAll("\n"+below("y", ten), "\n", "\n  ") + "\n", 1},
		{"two places", ten, below("x", ten) + below("y", ten), 2},
		{"nine of ten leaves", ten, below("x", strings.Replace(ten, "a: 1", "a: 2", 1)), 1},
		{"eight of ten leaves", ten, below("x", strings.NewReplacer("a: 1", "a: 2", "b: 2", "b: 3").Replace(ten)), 0},
		{"more leaves", ten, below("x", ten+"k: 1\nl: 2\nm: 3\nn: 4\no: 5\n"), 1},
		{"at other paths", ten, below("x", strings.ReplaceAll(ten, "a: 1", "z: 1\ny: 1\nx: 1")), 1},
		{"in flow style", ten, "x: {" + strings.ReplaceAll(strings.TrimSpace(ten), "\n", ", ") + "}\n", 0},
		{"nine leaves", ten[5:], below("x", ten[5:]), 0},
		{"boilerplate is not counted", "kind: A\n" + ten[5:], below("x", "kind: A\n"+ten[5:]), 0},
	} {
		parse := func(s string) *syntax.Node {
			st, err := syntax.Parse(text.New([]byte(s)))
			if err != nil {
				t.Fatal(c.name, err)
			}
			return st.Docs[0].Root
		}
		if got := len(NewHasher().FindMoved(parse(c.mapping), parse(c.file))); got != c.want {
			t.Errorf("%s: found at %d places, want %d", c.name, got, c.want)
		}
	}
}
