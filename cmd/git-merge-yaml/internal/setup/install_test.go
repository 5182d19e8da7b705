package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// installable makes a repository the current folder, with a home of its own, and this
// program one that git finds by its name.
func installable(t *testing.T) git.Git {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, driver.ProgramName)); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	repo := filepath.Join(dir, "repo")
	if err := os.Mkdir(repo, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(repo)
	var g git.Git
	if _, err := g.Run("init", "-q"); err != nil {
		t.Fatal(err)
	}
	return g
}

func config(t *testing.T, g git.Git, scope git.Scope, key string) string {
	t.Helper()
	v, err := g.Config(scope, key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestInstall holds that what install does is told, done once, and undone.
func TestInstall(t *testing.T) {
	for _, c := range []struct {
		name, rules, file string
		options           Options
		patterns          []string
		line              string // in the file
	}{
		{"here", "", ".gitattributes", Options{Scope: git.Local}, nil, "*.yaml merge=yaml"},
		{"for oneself", "", "../.config/git/attributes", Options{Scope: git.Global}, nil, "*.yaml merge=yaml"},
		{"in this clone", "", ".git/info/attributes", Options{Scope: git.Local, Attributes: "info"}, []string{"k8s/*.yaml"}, "k8s/*.yaml merge=yaml"},
		{"other rules", "kustomize", ".gitattributes", Options{Scope: git.Local}, []string{"k/*.yml"}, "k/*.yml merge=yaml-kustomize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := installable(t)
			key := "merge.yaml.driver"
			if c.rules != "" {
				key = "merge.yaml-kustomize.driver"
			}
			var said strings.Builder
			try := func(want string) {
				t.Helper()
				said.Reset()
				if err := Install(&said, c.options, c.rules, c.patterns, false); err != nil || !strings.Contains(said.String(), want) {
					t.Fatalf("%v, %s", err, said.String())
				}
			}
			c.options.DryRun = true
			try("would set " + key)
			if config(t, g, c.options.Scope, key) != "" {
				t.Error("a dry run set the driver")
			}
			c.options.DryRun = false
			try("set " + key)
			if line := config(t, g, c.options.Scope, key); !gitattrs.RunsGitMergeYAML(line) || c.rules != "" && !strings.Contains(line, "--rules "+c.rules) {
				t.Errorf("the driver is %q", line)
			}
			if b, err := os.ReadFile(c.file); err != nil || !strings.Contains(string(b), c.line) {
				t.Errorf("%s: %v\n%s", c.file, err, b)
			}
			try("nothing to change")
			said.Reset()
			if err := Uninstall(&said, c.options); err != nil || !strings.Contains(said.String(), "unset "+key) {
				t.Fatalf("%v, %s", err, said.String())
			}
			if b, err := os.ReadFile(c.file); config(t, g, c.options.Scope, key) != "" || err == nil && strings.Contains(string(b), "merge=yaml") {
				t.Errorf("left behind: %s", b)
			}
		})
	}
}

// TestForeign holds that what is another program's stays, unless it is asked for.
func TestForeign(t *testing.T) {
	g := installable(t)
	if err := g.SetConfig(git.Local, "merge.yaml.driver", "other %O %A %B"); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	err := Install(&said, Options{Scope: git.Local}, "", nil, false)
	if err == nil || !strings.Contains(err.Error(), "is another program's: other") {
		t.Errorf("%v", err)
	}
	if err := Uninstall(&said, Options{Scope: git.Local}); err != nil || !strings.Contains(said.String(), "is another program's and stays") {
		t.Errorf("%v, %s", err, said.String())
	}
	if got := config(t, g, git.Local, "merge.yaml.driver"); got != "other %O %A %B" {
		t.Errorf("it is %q now", got)
	}
	if err := Install(&said, Options{Scope: git.Local}, "", nil, true); err != nil || !gitattrs.RunsGitMergeYAML(config(t, g, git.Local, "merge.yaml.driver")) {
		t.Errorf("forced: %v", err)
	}
}

func TestRefused(t *testing.T) {
	installable(t)
	for _, c := range []struct {
		options  Options
		rules    string
		patterns []string
		want     string
	}{
		{Options{Scope: git.Local}, "", []string{"!a.yaml"}, "!a.yaml"},
		{Options{Scope: git.Local, Attributes: "info"}, "kustomize", nil, "there has to be a --pattern"},
	} {
		var said strings.Builder
		if err := Install(&said, c.options, c.rules, c.patterns, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.patterns, err)
		}
	}
	t.Chdir(t.TempDir())
	if err := Install(&strings.Builder{}, Options{Scope: git.Local}, "", nil, false); err == nil || !strings.Contains(err.Error(), "--local: ") {
		t.Errorf("outside of a repository: %v", err)
	}
}
