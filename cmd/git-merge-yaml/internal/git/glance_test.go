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
	set := "[merge]\n\tconflictStyle = diff3\n"
	main := map[string]string{".git/HEAD": "", ".git/config": set, ".git/objects/info": ""}
	linked := map[string]string{
		"main/.git/HEAD": "", "main/.git/config": set, "main/.git/objects/info": "",
		"main/.git/worktrees/a/HEAD": "", "main/.git/worktrees/a/commondir": "../..\n",
		"a/.git": "gitdir: ../main/.git/worktrees/a\n", "a/b/c": "",
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		dir   string
		env   []string // name, value, ...
		sure  bool
		set   bool
	}{
		{"no repository", nil, ".", nil, true, false},
		{"the top of a work tree", main, ".", nil, true, true},
		{"a folder of it", main, "folder", nil, true, true},
		{"the repository itself", main, ".git", nil, true, true},
		{"by its name", main, ".", []string{"GIT_DIR", ".git"}, true, true},
		{"a linked work tree", linked, "a/b", nil, true, true},
		{"its own settings", map[string]string{
			"main/.git/HEAD": "", "main/.git/config": "", "main/.git/objects/info": "",
			"main/.git/worktrees/a/HEAD": "", "main/.git/worktrees/a/commondir": "../..\n", "main/.git/worktrees/a/config.worktree": set,
			"a/.git": "gitdir: ../main/.git/worktrees/a\n",
		}, "a", nil, true, true},
		{"a link that leads nowhere", map[string]string{".git": "gitdir: nowhere\n"}, ".", nil, false, true},
		{"no link", map[string]string{".git": "x"}, ".", nil, false, true},
		{"a bare repository", map[string]string{"HEAD": "", "config": set, "objects/info": ""}, ".", nil, true, true},
		{"a bare repository that sets nothing", map[string]string{"HEAD": "", "config": "", "objects/info": ""}, ".", nil, true, false},
		{"a file called HEAD", map[string]string{"HEAD": ""}, ".", nil, false, true},
		{"objects elsewhere", map[string]string{".git/HEAD": "", ".git/config": ""}, ".", nil, false, true},
		{"a common folder from outside", main, ".", []string{"GIT_COMMON_DIR", ".git"}, false, true},
		{"a setting for one run", nil, ".", []string{"GIT_CONFIG_PARAMETERS", "'merge.conflictstyle'='diff3'"}, true, true},
		{"another", nil, ".", []string{"GIT_CONFIG_PARAMETERS", "'merge.yaml.driver'='x'"}, true, false},
		{"a file for one run", nil, ".", []string{"GIT_CONFIG_PARAMETERS", "'Include.path=x'"}, true, true},
		{"a counted setting", nil, ".", []string{"GIT_CONFIG_COUNT", "2", "GIT_CONFIG_KEY_0", "a.b", "GIT_CONFIG_KEY_1", "merge.conflictStyle"}, true, true},
		{"other counted ones", nil, ".", []string{"GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "a.b", "GIT_CONFIG_KEY_1", "merge.conflictStyle"}, true, false},
		{"a count that is none", nil, ".", []string{"GIT_CONFIG_COUNT", "x"}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			if err := os.MkdirAll(filepath.Join(top, c.dir), 0o777); err != nil {
				t.Fatal(err)
			}
			for name, content := range c.files {
				writeFile(t, filepath.Join(top, name), content)
			}
			for i := 0; i < len(c.env); i += 2 {
				t.Setenv(c.env[i], c.env[i+1])
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
