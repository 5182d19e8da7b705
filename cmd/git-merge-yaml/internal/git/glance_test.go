package git

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestMayName(t *testing.T) {
	for _, c := range []struct {
		config string
		want   bool
	}{
		{"[merge \"yaml\"]\n\tconfig = rules.yaml\n", true},
		{"[merge \"yaml\"]\r\n\tCONFIG=rules.yaml\r\n", true},
		{"[merge \"yaml\"] config = rules.yaml\n", true},
		{"[merge \"yaml\"]\nconfig\n", true},
		{"[include]\n\tpath = other\n", true},
		{"  [IncludeIf \"gitdir:x\"]\n\tpath = other\n", true},
		{"[merge \"yaml\"]\n\tdriver = git-merge-yaml %O %A %B\n", false},
		{"[core]\n\tattributesFile = ~/.config/git/attributes\n[extensions]\n\tworktreeConfig = true\n", false},
		{"[merge]\n\tconflictStyle = diff3\n", false},
		{"", false},
	} {
		if got := mayName(bytes.ToLower([]byte(c.config)), "config"); got != c.want {
			t.Errorf("%q: %v", c.config, got)
		}
	}
}

func TestGlance(t *testing.T) {
	config := &glance{sure: true, files: [][]byte{[]byte("[merge]\n\tconflictstyle = diff3\n")}}
	for _, c := range []struct {
		name string
		g    *glance
		key  string
		want bool
	}{
		{"set", config, "merge.conflictStyle", true},
		{"not set", config, "merge.yaml.config", false},
		{"not known", &glance{}, "merge.yaml.config", true},
	} {
		if got := c.g.may(c.key); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestGlanceAt(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	git := []string{".git/HEAD", ".git/config"}
	for _, c := range []struct {
		name  string
		files []string
		dir   string
		sure  bool
		set   bool
	}{
		{"no repository", nil, ".", true, false},
		{"the top of a work tree", git, ".", true, true},
		{"a folder of it", git, "folder", true, true},
		{"a linked work tree", []string{".git"}, ".", false, true},
		{"a bare repository", []string{"HEAD", "config"}, ".", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			if err := os.MkdirAll(filepath.Join(top, c.dir), 0o777); err != nil {
				t.Fatal(err)
			}
			for _, name := range c.files {
				writeFile(t, filepath.Join(top, name), "[merge]\n\tconflictStyle = diff3\n")
			}
			g := glanceAt(filepath.Join(top, c.dir))
			if g.sure != c.sure || g.may("merge.conflictStyle") != c.set {
				t.Errorf("sure %v, may be set %v", g.sure, g.may("merge.conflictStyle"))
			}
		})
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
