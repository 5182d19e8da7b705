package engine

import (
	"strings"
	"testing"
)

// TestCheckBesideConflicts checks that Check finds an edit that the result lost or undid
// next to a conflict: both sides changed one value differently, one side also added or
// deleted something beside it, and the result takes only the value of the other side.
func TestCheckBesideConflicts(t *testing.T) {
	const workflow = ".github/workflows/ci.yml"
	steps := func(version, more string) string {
		return "jobs:\n  test:\n    runs-on: linux\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: \"" + version + "\"\n      - run: npm test\n" + more
	}
	for _, c := range []struct{ name, path, base, ours, theirs, result, lost string }{
		{"a later step", workflow, steps("18", ""), steps("20", ""), steps("22", "      - run: npm run lint\n"), steps("20", ""), "jobs.test.steps[3]: lost: "},
		{"the same, swapped", workflow, steps("18", ""), steps("22", "      - run: npm run lint\n"), steps("20", ""), steps("20", ""), "jobs.test.steps[3]: lost: "},
		{"an item of a list", "", "args:\n- a\n- b\n- c\n", "args:\n- a2\n- b\n- c\n", "args:\n- a3\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n", `"d"`},
		{"an item that one side deleted", "", "args:\n- a\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n", "args:\n- a3\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n- d\n", `args[3]: undone: `},
		{"a line of a text", "", "t: |\n  a\n  b\n  c\n", "t: |\n  a2\n  b\n  c\n", "t: |\n  a3\n  b\n  c\n  d\n", "t: |\n  a2\n  b\n  c\n", `t: lost: `},
		{"a line of a text that one side deleted", "", "t: |\n  a\n  b\n  c\n  d\n", "t: |\n  a2\n  b\n  c\n", "t: |\n  a3\n  b\n  c\n  d\n", "t: |\n  a3\n  b\n  c\n  d\n", `t: undone: `},
		{"a field", "", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 1\nc: 1\n", "a: 2\nb: 1\n", "c"},
		{"a comment", "", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 1 # why\n", "a: 2\nb: 1\n", "# why"},
	} {
		found, err := Check([]byte(c.base), []byte(c.ours), []byte(c.theirs), []byte(c.result), Options{Path: c.path})
		var all []string
		for _, f := range found {
			all = append(all, f.String())
		}
		if said := strings.Join(all, "\n"); err != nil || !strings.Contains(said, c.lost) {
			t.Errorf("%s: %v, found %q, want something of %q", c.name, err, said, c.lost)
		}
	}
}
