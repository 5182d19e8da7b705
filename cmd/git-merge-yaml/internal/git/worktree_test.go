package git

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestParseUnmerged(t *testing.T) {
	a, b, c := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	stage := func(hex string) Stage {
		id, err := ParseID(hex)
		if err != nil {
			t.Fatal(err)
		}
		return Stage{0o100644, id}
	}
	for _, c := range []struct {
		out  string
		want []Unmerged
		ok   bool
	}{
		{"", nil, true},
		{"100644 " + a + " 1\tx\x00100644 " + b + " 2\tx\x00100644 " + c + " 3\tx\x00", []Unmerged{{"x", stage(a), stage(b), stage(c)}}, true},
		{"100644 " + b + " 2\tx\ty\nz\x00100644 " + c + " 3\tz\x00", []Unmerged{{Path: "x\ty\nz", Ours: stage(b)}, {Path: "z", Theirs: stage(c)}}, true},
		{"100644 " + b + "\tx\x00", nil, false},
		{"100644 " + b + " 2 x\x00", nil, false},
		{"100644 b 2\tx\x00", nil, false},
		{"file " + b + " 2\tx\x00", nil, false},
	} {
		got, err := parseUnmerged(splitNUL([]byte(c.out)))
		if !reflect.DeepEqual(got, c.want) || (err == nil) != c.ok {
			t.Errorf("%q: %+v, %v", c.out, got, err)
		}
	}
}

// TestWorkTree checks the top and the prefix in folders of a work tree, also if the name of one has a line break.
func TestWorkTree(t *testing.T) {
	g := newRepository(t, "")
	top, err := filepath.EvalSymlinks(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"", "a/b/", "a\nb/c/"} {
		g.Dir = filepath.Join(top, prefix)
		if err := os.MkdirAll(g.Dir, 0o777); err != nil {
			t.Log(err) // a system without line breaks in names
			continue
		}
		if tree, err := g.WorkTree(); err != nil || tree.Prefix != prefix || tree.Top != top {
			t.Errorf("in %q: %+v, %v", prefix, tree, err)
		}
	}
	g.Dir = filepath.Join(top, ".git")
	if _, err := g.WorkTree(); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("in .git: %v", err)
	}
}

func TestUnmergedMode(t *testing.T) {
	const plain, exec = 0o100644, ModeExecutable
	for _, c := range []struct{ base, ours, theirs, want Mode }{
		{plain, plain, exec, exec}, {plain, exec, plain, exec}, {exec, plain, exec, plain}, {0, exec, plain, exec}, {plain, plain, plain, plain},
	} {
		if got := (Unmerged{Base: Stage{Mode: c.base}, Ours: Stage{Mode: c.ours}, Theirs: Stage{Mode: c.theirs}}).Mode(); got != c.want {
			t.Errorf("%+v: %o", c, got)
		}
	}
}

func TestSelectPaths(t *testing.T) {
	g := newRepository(t, twoFiles)
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
		got, err := from.SelectPaths([]string{c.path}, c.specs, filepath.Join(t.TempDir(), "index"))
		if err != nil || (len(got) == 1 && got[0] == c.path) != c.want {
			t.Errorf("%q in %q: %q, %v", c.specs, c.folder, got, err)
		}
	}
	if got, err := g.SelectPaths([]string{"a", "b"}, []string{":(none)b"}, filepath.Join(t.TempDir(), "index")); err == nil {
		t.Errorf("magic that is none: %q", got)
	}
}
