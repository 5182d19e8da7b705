package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSelected(t *testing.T) {
	g := repository(t, twoFiles)
	if err := os.Mkdir(filepath.Join(g.Dir, "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		folder string
		specs  []string
		path   string
		want   bool
	}{
		{"", []string{"a"}, "a/b.yaml", true},
		{"", []string{"a/"}, "a/b.yaml", true},
		{"", []string{"a"}, "ab.yaml", false},
		{"", []string{"*.yaml"}, "a/b.yaml", true},
		{"", []string{"b.yaml"}, "a/b.yaml", false},
		{"a", []string{"b.yaml"}, "a/b.yaml", true},
		{"a", []string{"."}, "b.yaml", false},
		{"a", []string{"../b.yaml"}, "b.yaml", true},
		{"a", []string{":/b.yaml"}, "b.yaml", true},
		{"", []string{":!a"}, "a/b.yaml", false},
		{"", []string{":!a"}, "b.yaml", true},
		{"", []string{"a", ":!/a/b"}, "a/b/c.yaml", false},
		{"", []string{":(glob)*.yaml"}, "a/b.yaml", false},
		{"", []string{"*.yaml"}, "a\nb.yaml", true},
	} {
		from := g
		from.Dir = filepath.Join(g.Dir, c.folder)
		got, err := from.Selected([]string{c.path}, c.specs, filepath.Join(t.TempDir(), "index"))
		if err != nil || (len(got) == 1 && got[0] == c.path) != c.want {
			t.Errorf("%q in %q: %q, %v", c.specs, c.folder, got, err)
		}
	}
	if got, err := g.Selected([]string{"a", "b"}, []string{":(none)b"}, filepath.Join(t.TempDir(), "index")); err == nil {
		t.Errorf("magic that is none: %q", got)
	}
}
