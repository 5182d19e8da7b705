package team

import (
	"strings"
	"testing"
)

// TestWithPresets: names join those that a file extends, which keeps its bytes.
func TestWithPresets(t *testing.T) {
	for _, c := range []struct{ file, want, added string }{
		{"", "extends: [a, b]\n", "a b"},
		{"# ours\n", "# ours\nextends: [a, b]\n", "a b"},
		{"extends: a # first\n", "extends: [a, b] # first\n", "b"},
		{"extends: [b, a]\n", "extends: [b, a]\n", ""},
		{"extends:\n- c # third\nrules: []\n", "extends:\n- c # third\n- a\n- b\nrules: []\n", "a b"},
	} {
		got, added, err := withPresets([]byte(c.file), []string{"a", "b"})
		if err != nil || string(got) != c.want || strings.Join(added, " ") != c.added {
			t.Errorf("%q: %v, %q\n%s", c.file, err, added, got)
		}
	}
}
