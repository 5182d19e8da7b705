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

// newRepositoryWithProgram creates an empty repository and makes it the current directory. The home folder has no
// configuration, and the test binary is on the PATH under the name of this program.
func newRepositoryWithProgram(t *testing.T) git.Git {
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

// config returns the value of key in scope.
func config(t *testing.T, g git.Git, scope git.Scope, key string) string {
	t.Helper()
	all, err := g.Settings(scope, key)
	if err != nil {
		t.Fatal(err)
	}
	return all[key]
}

// TestInstall checks that Install prints and makes its changes, has nothing to do when it is repeated, and is undone by
// Uninstall.
func TestInstall(t *testing.T) {
	for _, c := range []struct {
		name, rules, file string
		options           Options
		patterns          []string
		line              string // in the file
	}{
		{"tracked attributes", "", ".gitattributes", Options{Scope: git.Local}, nil, "*.yaml merge=yaml"},
		{"global attributes", "", "../.config/git/attributes", Options{Scope: git.Global}, nil, "*.yaml merge=yaml"},
		{"info attributes", "", ".git/info/attributes", Options{Scope: git.Local, Attributes: "info"}, []string{"k8s/*.yaml"}, "k8s/*.yaml merge=yaml"},
		{"other rules", "kustomize", ".gitattributes", Options{Scope: git.Local}, []string{"k/*.yml"}, "k/*.yml merge=yaml-kustomize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRepositoryWithProgram(t)
			key := "merge.yaml.driver"
			if c.rules != "" {
				key = "merge.yaml-kustomize.driver"
			}
			var output strings.Builder
			install := func(want string) {
				t.Helper()
				output.Reset()
				if err := Install(&output, c.options, c.rules, c.patterns, false); err != nil || !strings.Contains(output.String(), want) {
					t.Fatalf("%v, %s", err, output.String())
				}
			}
			c.options.DryRun = true
			install("would set " + key)
			if config(t, g, c.options.Scope, key) != "" {
				t.Error("a dry run set the driver")
			}
			c.options.DryRun = false
			install("set " + key)
			if line := config(t, g, c.options.Scope, key); !gitattrs.RunsGitMergeYAML(line) || c.rules != "" && !strings.Contains(line, "--rules "+c.rules) {
				t.Errorf("the driver is %q", line)
			}
			if b, err := os.ReadFile(c.file); err != nil || !strings.Contains(string(b), c.line) {
				t.Errorf("%s: %v\n%s", c.file, err, b)
			}
			install("nothing to change")
			output.Reset()
			if err := Uninstall(&output, c.options); err != nil || !strings.Contains(output.String(), "unset "+key) {
				t.Fatalf("%v, %s", err, output.String())
			}
			if b, err := os.ReadFile(c.file); config(t, g, c.options.Scope, key) != "" || err == nil && strings.Contains(string(b), "merge=yaml") {
				t.Errorf("not removed: %s", b)
			}
		})
	}
}

// TestOtherProgramsDriver checks that the driver of another program is kept, unless Install is forced to replace it.
func TestOtherProgramsDriver(t *testing.T) {
	g := newRepositoryWithProgram(t)
	if err := g.SetConfig(git.Local, "merge.yaml.driver", "other %O %A %B"); err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	err := Install(&output, Options{Scope: git.Local}, "", nil, false)
	if err == nil || !strings.Contains(err.Error(), "runs another program: other") {
		t.Errorf("%v", err)
	}
	if err := Uninstall(&output, Options{Scope: git.Local}); err != nil || !strings.Contains(output.String(), "which runs another program") {
		t.Errorf("%v, %s", err, output.String())
	}
	if got := config(t, g, git.Local, "merge.yaml.driver"); got != "other %O %A %B" {
		t.Errorf("it is %q now", got)
	}
	if err := Install(&output, Options{Scope: git.Local}, "", nil, true); err != nil || !gitattrs.RunsGitMergeYAML(config(t, g, git.Local, "merge.yaml.driver")) {
		t.Errorf("forced: %v", err)
	}
}

// TestInstallErrors checks the errors that are about the options and the directory.
func TestInstallErrors(t *testing.T) {
	newRepositoryWithProgram(t)
	for _, c := range []struct {
		options  Options
		rules    string
		patterns []string
		want     string
	}{
		{Options{Scope: git.Local}, "", []string{"!a.yaml"}, "!a.yaml"},
		{Options{Scope: git.Local, Attributes: "info"}, "kustomize", nil, "requires --pattern"},
	} {
		var output strings.Builder
		if err := Install(&output, c.options, c.rules, c.patterns, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.patterns, err)
		}
	}
	t.Chdir(t.TempDir())
	if err := Install(&strings.Builder{}, Options{Scope: git.Local}, "", nil, false); err == nil || !strings.Contains(err.Error(), "--local: ") {
		t.Errorf("outside of a repository: %v", err)
	}
}
