package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// newRepository creates a repository with the given files, all of them staged, and makes it the current directory. The
// home folder has no configuration.
func newRepository(t *testing.T, files map[string]string) git.Git {
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

// TestDoctor checks the report about repositories in which something is missing or wrong. The scripts in testdata check
// the report about a repository without problems, with the installed program.
func TestDoctor(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    map[string]string
		settings [][2]string
		want     []string
		errors   bool // whether the report has errors
	}{
		{"nothing installed", map[string]string{"a.yaml": "a: 1\n"}, nil, []string{"error    driver: merge.yaml.driver is not set", "fix: "}, true},
		{"settings without a driver", map[string]string{"a.yaml": "a: 1\n"}, [][2]string{{"merge.yaml.name", "x"}},
			[]string{"merge.yaml.name is set (local, ", ", but not merge.yaml.driver"}, true},
		{"attributes without a driver", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml merge=yaml\n"}, nil,
			[]string{"error    driver: merge.yaml.driver is not set", "ok       attributes: 1 of 1 YAML file: merge=yaml"}, true},
		{"attributes without the other driver", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml merge=yaml-kustomize\n"}, nil,
			[]string{"error    attributes: 1 YAML file (a.yaml): merge=yaml-kustomize, but merge.yaml-kustomize.driver is not set"}, true},
		{"another program's driver", map[string]string{"a.yaml": "a: 1\n"}, [][2]string{{"merge.yaml.driver", "other %O %A %B"}}, []string{"merge.yaml.driver", "other %O"}, true},
		{"-merge in .gitattributes", map[string]string{"a.yaml": "a: 1\n", ".gitattributes": "*.yaml -merge\n"}, nil, []string{"-merge or binary, so git keeps ours"}, true},
		{"a mistake in the rules", map[string]string{"a.yaml": "a: 1\n", ".git-merge-yaml.yaml": "rule: []\n"}, nil,
			[]string{"error    rules: .git-merge-yaml.yaml:1:1: ", "no rule of the file is applied"}, true},
		{"no YAML", map[string]string{"a.txt": "a\n"}, nil, []string{"no tracked YAML files"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRepository(t, c.files)
			for _, s := range c.settings {
				if err := g.SetConfig(git.Local, s[0], s[1]); err != nil {
					t.Fatal(err)
				}
			}
			var output strings.Builder
			if ok, err := Doctor(&output, DoctorOptions{}); ok == c.errors || err != nil {
				t.Errorf("reported %v", ok)
			}
			for _, want := range c.want {
				if !strings.Contains(output.String(), want) {
					t.Errorf("%q is not in\n%s", want, output.String())
				}
			}
		})
	}
}

func TestDoctorSwitchedOff(t *testing.T) {
	newRepository(t, nil)
	t.Setenv("GIT_MERGE_YAML", "off")
	var output strings.Builder
	if _, err := Doctor(&output, DoctorOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(output.String(), "warning  environment: GIT_MERGE_YAML=off turns off the driver in this shell") {
		t.Errorf("%s", output.String())
	}
}

// TestTrialMerge runs trial merges with working and broken drivers.
func TestTrialMerge(t *testing.T) {
	newRepository(t, nil)
	for _, c := range []struct {
		name, line string
		want       string // in the output
		fails      bool
	}{
		{"a driver that returns theirs", "cp %B %A && exit 0", "the test merge failed: wrong result", true},
		{"a driver that dies", "exit 3", "the test merge failed: wrong result", true},
		{"a driver that prints two lines", "echo one >&2; echo two >&2; cp %B %A; exit 1", "the test merge failed: one; two\n", true},
		{"a driver that merges lines", "git merge-file %A %O %B", "the test merge failed: wrong result", true},
		{"a driver with the expected result", `printf '<<<<<<< x\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>> y\npaused: true\n' >%A; exit 1`,
			"the test merge has the expected result", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var output strings.Builder
			d := &doctor{out: &output, commandName: "git merge-yaml"}
			d.checkTrialMerge(&checkedDriver{Driver: driver.Drivers[0], settings: []git.ConfigValue{{Scope: "local", Key: "merge.yaml.driver", Value: c.line}}})
			if !strings.Contains(output.String(), c.want) || (d.errorCount > 0) != c.fails {
				t.Errorf("%s", output.String())
			}
		})
	}
}
