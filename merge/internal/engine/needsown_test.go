package engine

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// TestNeedsOwn checks that Result.NeedsOwn is set if a conflict is decided by which side is the user's own, here for the
// version of a chart, and not otherwise. Finding out which side it is takes a caller longer than most merges.
func TestNeedsOwn(t *testing.T) {
	rules, err := schema.Extend("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, base, ours, theirs string
		needed                   bool
	}{
		{"a.yaml", "size: 1\n", "size: 2\n", "size: 3\n", false},
		{"web/Chart.yaml", "name: web\n", "name: b\n", "name: c\n", false},
		{"web/Chart.yaml", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.1.0\n", true},
		{"web/Chart.yaml", "name: web\nversion: 1.0.0\n", "name: b\nversion: 1.0.1\n", "name: c\nversion: 1.0.1\n", true},
	} {
		res, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), Options{Path: c.path, Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		if res.NeedsOwn != c.needed {
			t.Errorf("%s: %q and %q: needed %v", c.path, c.ours, c.theirs, res.NeedsOwn)
		}
		res, err = Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), Options{Path: c.path, Rules: rules, Own: OwnOurs})
		if err != nil || res.NeedsOwn {
			t.Errorf("%s: %q and %q: needed although it is known, %v", c.path, c.ours, c.theirs, err)
		}
	}
}

// TestBumpedByLine checks that a version that both sides raised to the same number is raised
// once more in the result, and that the rest of the file is still merged by line.
func TestBumpedByLine(t *testing.T) {
	rules, err := schema.Extend("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	base := "version: 1.0.0\na: 1\nb: 1\nc: 1\nd: 1\n"
	ours := "version: 1.0.1\na: 1\nb: 2\nc: 1\nd: 1\n"
	theirs := "version: 1.0.1\na: 1\nb: 1\nc: 1\nd: 2\n"
	opts := Options{Path: "Chart.yaml", Rules: rules, Own: OwnOurs}
	res, err := Merge([]byte(base), []byte(ours), []byte(theirs), opts)
	if want := "version: 1.0.2\na: 1\nb: 2\nc: 1\nd: 2\n"; err != nil || string(res.Bytes) != want || res.Method != ByLine {
		t.Errorf("%v, %s:\n%s", err, res.Method, res.Bytes)
	}
}
