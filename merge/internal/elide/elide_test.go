package elide

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestFindRuns checks which lines are in runs if the sides changed no line.
func TestFindRuns(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"successive fields", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\n"},
		{"no line ends the last field", "a: 1\n", ""},
		{"a mapping, a list, a literal", "a:\n  b: 1\nc:\n- 1\n- d: 2\n  e: 3\nf: |\n  g\n\n   h\nz: 1\n", "a:\n  b: 1\nc:\n- 1\n- d: 2\n  e: 3\nf: |\n  g\n\n   h\n"},
		{"a field that identifies the document", "kind: a\nb: 1\nz: 1\n", "b: 1\n"},
		{"within a field that identifies the document", "kind:\n  b: 1\n  c: 2\nz: 1\n", "  b: 1\n  c: 2\n"},
		{"an anchor", "a: &a 1\nb:\n  c: *a\nd: 1\nz: 1\n", "d: 1\n"},
		{"a tag, a tab, an escape", "a: !b c\nd:\te\nf: \"\\x41\"\nz: 1\n", ""},
		{"plain and quoted scalars on two lines", "a: b\n  c\nd: \"e\n  f\"\nz: 1\n", "a: b\n  c\n"},
		{"a plain scalar on several lines, not understood", "a: b c\n  d, e.\n  3 f # g\nz: 1\n", ""},
		{"a blank line in a plain scalar", "a: b\n\n  c\nz: 1\n", ""},
		{"a comment in a plain scalar", "a: b # c\n  d\nz: 1\n", ""},
		{"a scalar, then a field in a deeper column", "a: b\n  c: d\nz: 1\n", "  c: d\n"},
		{"plain scalars on two lines in items", "a:\n- b: 1\n  c:\n    d: e\n      f\n- g\n  h\nz: 1\n", "a:\n- b: 1\n  c:\n    d: e\n      f\n- g\n  h\n"},
		{"escapes", "a: \"\\\"b\\\\\"\nc: 'd''e'\nz: 1\n", "a: \"\\\"b\\\\\"\nc: 'd''e'\n"},
		{"an invalid escape", "a: \"\\s\"\nz: 1\n", ""},
		{"items that start with dashes", "a:\n- --b\n- - c\nd: 1\nz: 1\n", "d: 1\n"},
		{"flow collections on one line", "a: {b: c, 'd': \"e\"}\nf: [g, 'h']\ni: []\nz: 1\n", "a: {b: c, 'd': \"e\"}\nf: [g, 'h']\ni: []\n"},
		{"flow collections with words after dashes", "a: [--b, -c=:9]\nz: 1\n", "a: [--b, -c=:9]\n"},
		{"flow collections with dashes before no word", "a: [-, b]\nc: [- d]\nf: [-\"e, g\"]\nz: 1\n", ""},
		{"a nested flow collection", "a: {b: [c]}\nz: 1\n", ""},
		{"a flow collection on two lines", "a: [b,\n  c]\nz: 1\n", ""},
		{"a template", "a: {{ .b }}\nz: 1\n", ""},
		{"an action within a list", "a: 1\nb:\n{{ if .c }}\n- 1\n{{ end }}\nz: 1\n", "a: 1\n"},
		{"a repeated key in a flow mapping", "a: {b: 1, b: 2}\nz: 1\n", "a: {b: 1, b: 2}\n"},
		{"an indentation indicator", "a: |2\n   b\nz: 1\n", ""},
		{"an entry in a column between two others", "a:\n  - b:\n      c: 1\n    d: 2\n e: 1\nz: 1\n", " e: 1\n"},
		{"a comment in the column of the last field", "a:\n  b: 1\n  # c\nz: 1\n", ""},
		{"a comment on the same line", "a: 1 # b\n# c\nz: 1\n", "a: 1 # b\n"},
		{"two documents", "---\nkind: a\nmetadata:\n  name: b\nc: 1\n---\nkind: d\n", "---\nkind: a\nmetadata:\n  name: b\nc: 1\n"},
		{"a document without a name", "---\nkind: a\nc: 1\n---\nd: 1\n", "c: 1\n"},
		{"an encrypted document", "---\nkind: a\nmetadata:\n  name: b\nsops:\n  mac: c\n---\nd: 1\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			for _, r := range findRuns([]byte(c.src), "\n", []text.Span{{Start: 0, End: len(c.src)}}, true) {
				got.WriteString(c.src[r.Start:r.End])
			}
			if got.String() != c.want {
				t.Errorf("found\n%q\nwant\n%q", &got, c.want)
			}
		})
	}
}
