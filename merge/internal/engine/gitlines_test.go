package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// mergeLines returns the line merge of git merge, and the number of its conflicts.
func mergeLines(base, ours, theirs []byte, m text.Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.Merge})
}

// TestLineConflicts checks that lineConflicts finds the lines of the conflicts of a line merge.
func TestLineConflicts(t *testing.T) {
	for _, c := range []struct {
		merged string
		size   int
		want   []int // lines of the opening markers of two conflicts
	}{
		{"a\n<<<<<<< x\n=======\n>>>>>>> y\n<<<<<<<\n=======\n>>>>>>>\n", 7, []int{2, 5}},
		{"<<<<<<<\r\n=======\r\n>>>>>>>\r\n<<<<<<< x\r\n=======\r\n>>>>>>>\r\n", 0, []int{1, 4}},
		{" a\n<\n=\nb\n>\n<\n=\nc\n>\n", 1, []int{2, 6}},
		{"<<<<<<<\n=======\n>>>>>>>\n", 7, []int{1, 0}}, // the second conflict has no marker
		{"<\n=\n>\n<\n=\n>\n<\n=\n>\n", 1, []int{1, 4}}, // more markers than conflicts
	} {
		for i, k := range lineConflicts([]byte(c.merged), 2, c.size) {
			if k.Kind != plan.ConflictLine || k.Line != c.want[i] {
				t.Errorf("%q: conflict %d: %+v", c.merged, i, k)
			}
		}
	}
	if got := lineConflicts([]byte("a\n"), 0, 0); got != nil {
		t.Errorf("%+v", got)
	}
}

// TestRender checks that a result can be written again with other markers, as if it had been merged with them: a merge
// by field, one from which parts were elided, a line merge of versions that are not YAML, and a line merge that leaves
// fewer lines in conflict.
func TestRender(t *testing.T) {
	common := strings.Repeat("x: {a: 1, b: 2}\n", 1)
	for i := range 100 {
		common += "k" + strings.Repeat("x", i) + ": {a: 1, b: 2}\n"
	}
	for _, c := range []struct{ name, base, ours, theirs string }{
		{"by field", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 2\n"},
		{"elided", common + "a: 1\nb: 1\n", common + "a: 2\nb: 1\n", common + "a: 3\nb: 2\n"},
		{"not YAML", "a: [\n", "a: [1\n", "a: [2\n"},
		{"clean", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n"},
	} {
		opts := Options{Path: "a.yaml"}
		other := text.Markers{Style: text.StyleDiff3, Size: 9, Base: "o", Ours: "HEAD", Theirs: "topic"}
		first, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), opts)
		if err != nil {
			t.Fatal(err)
		}
		opts.Markers = other
		want, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), opts)
		if err != nil {
			t.Fatal(err)
		}
		if first.Clean() {
			if first.Render != nil {
				t.Errorf("%s: Render is set", c.name)
			}
			continue
		}
		got, conflicts := first.Render(other)
		if string(got) != string(want.Bytes) || !slices.EqualFunc(conflicts, want.Conflicts, func(a, b Conflict) bool { return a.Path == b.Path && a.Line == b.Line }) {
			t.Errorf("%s: got\n%s%+v\nwant\n%s%+v", c.name, got, conflicts, want.Bytes, want.Conflicts)
		}
	}
}
