package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// repository makes a repository with these files the current folder.
func repository(t *testing.T, files map[string]string) git.Git {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_MERGE_YAML", "")
	repo := filepath.Join(dir, "repo")
	if err := os.Mkdir(repo, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(repo)
	var g git.Git
	if _, err := g.Run("init", "-q"); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Run("add", "."); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRun holds what is said of a repository that lacks something. What is said of one
// that lacks nothing, scripts hold, with the program itself.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    map[string]string
		settings [][2]string
		want     []string
		errors   bool
	}{
		{"nothing installed", map[string]string{"a.yaml": "a: 1\n"}, nil, []string{"error    driver: merge.yaml.driver is not set", "fix: "}, true},
		{"settings without a driver", map[string]string{"a.yaml": "a: 1\n"}, [][2]string{{"merge.yaml.name", "x"}},
			[]string{"merge.yaml.name is set (local, ", ", but not merge.yaml.driver"}, true},
		{"attributes without a driver", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml merge=yaml\n"}, nil,
			[]string{"error    driver: merge.yaml.driver is not set", "ok       attributes: 1 of 1 YAML file have merge=yaml"}, true},
		{"attributes without the other driver", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml merge=yaml-kustomize\n"}, nil,
			[]string{"error    attributes: 1 YAML file (a.yaml): merge=yaml-kustomize, but merge.yaml-kustomize.driver is not set"}, true},
		{"another program's", map[string]string{"a.yaml": "a: 1\n"}, [][2]string{{"merge.yaml.driver", "other %O %A %B"}}, []string{"merge.yaml.driver", "other %O"}, true},
		{"never merged", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml -merge\n"}, nil, []string{"-merge or binary, so git never"}, true},
		{"a mistake in the rules", map[string]string{"a.yaml": "a: 1\n", ".git-merge-yaml.yaml": "rule: []\n"}, nil,
			[]string{"error    rules: .git-merge-yaml.yaml:1:1: ", "until then YAML files are merged by lines"}, true},
		{"no YAML", map[string]string{"a.txt": "a\n"}, nil, []string{"no YAML files are tracked here"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := repository(t, c.files)
			for _, s := range c.settings {
				if err := g.SetConfig(git.Local, s[0], s[1]); err != nil {
					t.Fatal(err)
				}
			}
			var said strings.Builder
			if ok, err := Doctor(&said, Checks{}); ok == c.errors || err != nil {
				t.Errorf("reported %v", ok)
			}
			for _, want := range c.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("%q is not in\n%s", want, said.String())
				}
			}
		})
	}
}

func TestSwitchedOff(t *testing.T) {
	repository(t, nil)
	t.Setenv("GIT_MERGE_YAML", "off")
	var said strings.Builder
	if _, err := Doctor(&said, Checks{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "warning  environment: GIT_MERGE_YAML=off switches the driver off here") {
		t.Errorf("%s", said.String())
	}
}

// TestTrial merges with drivers that are right and wrong.
func TestTrial(t *testing.T) {
	repository(t, nil)
	for _, c := range []struct {
		name, line string
		want       string // in what is said
		fails      bool
	}{
		{"what can only be merged by fields", "cp %B %A && exit 0", "a merge in a scratch repository did not come out right", true},
		{"a driver that dies", "exit 3", "did not come out right", true},
		{"by lines", "git merge-file %A %O %B", "did not come out right", true},
		{"right", `printf '<<<<<<< x\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>> y\npaused: true\n' >%A; exit 1`,
			"a merge in a scratch repository came out right", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said strings.Builder
			d := &doctor{out: &said, self: "git merge-yaml"}
			d.checkMerge(&checkedDriver{Driver: driver.Drivers[0], settings: []git.ConfigValue{{Scope: "local", Key: "merge.yaml.driver", Value: c.line}}})
			if !strings.Contains(said.String(), c.want) || (d.errors > 0) != c.fails {
				t.Errorf("%s", said.String())
			}
		})
	}
}
