package session

import (
	"strings"
	"testing"
)

// TestEditExtends checks that presets are added and removed, and that the other bytes of the file stay as they are.
func TestEditExtends(t *testing.T) {
	for _, c := range []struct{ file, want, added string }{
		{"", "extends: [a, b]\n", "a b"},
		{"# ours\n", "# ours\nextends: [a, b]\n", "a b"},
		{"extends: a # first\n", "extends: [a, b] # first\n", "b"},
		{"extends: [b, a]\n", "extends: [b, a]\n", ""},
		{"extends:\n- c # third\nrules: []\n", "extends:\n- c # third\n- a\n- b\nrules: []\n", "a b"},
	} {
		got, added, err := editExtends([]byte(c.file), []string{"a", "b"}, true)
		if err != nil || string(got) != c.want || strings.Join(added, " ") != c.added {
			t.Errorf("%q: %v, %q\n%s", c.file, err, added, got)
		}
	}
	for file, want := range map[string]string{
		"extends: a\nrules: []\n":            "rules: []\n",
		"# ours\nextends: [c, b, a] # all\n": "# ours\nextends: [c] # all\n",
		"extends:\n- c\n- a\n":               "extends:\n- c\n",
		"rules: []\n":                        "rules: []\n",
		"extends: a\n":                       "",
		"extends: [a,\n  b]\n":               "",
		"# ours\n\n# all\nextends: a # x\n":  "# ours\n\n# all\n",
	} {
		if got, _, err := editExtends([]byte(file), []string{"a", "b"}, false); err != nil || string(got) != want {
			t.Errorf("%q: %v\n%s", file, err, got)
		}
	}
}
