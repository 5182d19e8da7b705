package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// TestReleaseFiles checks that all files exist that .goreleaser.yaml puts into archives and packages, and that all
// builds have the build tag.
func TestReleaseFiles(t *testing.T) {
	top := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(top, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Builds   []struct{ Tags []string }
		Archives []struct {
			Files []struct{ Src, Dst string }
		}
		NFPMs []struct {
			Contents []struct{ Src, Dst string }
		} `yaml:"nfpms"`
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Archives) != 1 || len(config.Archives[0].Files) < 6 {
		t.Fatalf("archives: %+v", config.Archives)
	}
	if len(config.NFPMs) != 1 || len(config.NFPMs[0].Contents) < 6 {
		t.Fatalf("packages: %+v", config.NFPMs)
	}
	if len(config.Builds) != 2 {
		t.Fatalf("builds: %+v", config.Builds)
	}
	for i, b := range config.Builds {
		if !slices.Contains(b.Tags, scripttest.BuildTag) {
			t.Errorf("build %d has not the tag %s", i, scripttest.BuildTag)
		}
	}
	completions := t.TempDir()
	if out, err := exec.Command("sh", filepath.Join(top, "scripts", "release", "completions.sh"), filepath.Join(completions, "completions")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range append(config.Archives[0].Files, config.NFPMs[0].Contents...) {
		from := top
		if strings.HasPrefix(f.Src, "completions/") {
			from = completions
		}
		if info, err := os.Stat(filepath.Join(from, f.Src)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", f.Dst, info, err)
		}
	}
}

// usesPattern matches a line of a workflow that runs another action or workflow.
var usesPattern = regexp.MustCompile(`(?m)^\s*-?\s*uses: *(\S+)`)

// TestActionsArePinned checks the workflows and the action of this repository. They must refer to actions of others by
// commit, because a tag can be moved. The default token of a workflow must have only read access.
func TestActionsArePinned(t *testing.T) {
	top := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(top, ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("workflows: %q, %v", files, err)
	}
	for _, f := range append(files, filepath.Join(top, "action.yml")) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var parsed map[string]any
		if err := yaml.Unmarshal(data, &parsed); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		if got := fmt.Sprint(parsed["permissions"]); parsed["jobs"] != nil && got != "map[contents:read]" {
			t.Errorf("%s: the permissions of its jobs are %s unless they say others", f, got)
		}
		for _, m := range usesPattern.FindAllSubmatch(data, -1) {
			own := bytes.HasPrefix(m[1], []byte("./")) || bytes.HasPrefix(m[1], []byte("git-merge-yaml/git-merge-yaml@")) // the name that callers of the workflow use
			if !own && !regexp.MustCompile(`@[0-9a-f]{40}$`).Match(m[1]) {
				t.Errorf("%s: %s is not pinned by commit", f, m[1])
			}
		}
	}
}

// releaseReference matches a reference to a release, or to all releases with a major version.
var releaseReference = regexp.MustCompile(`git-merge-yaml/git-merge-yaml(?:/.github/workflows/check.yml)?(?:@v|:)([0-9]+)|update-with-base@v?([0-9]+)|re[fv]: v([0-9]+)`)

// TestReleaseReferences checks that the references in documents and templates, such as a tag v0 or an image :0, are to
// the major version of the newest release in the changelog. Before the first release, that is 0. The job that has a
// token pins a commit.
func TestReleaseReferences(t *testing.T) {
	top := filepath.Join("..", "..")
	log, err := os.ReadFile(filepath.Join(top, "docs", "changelog.md"))
	if err != nil {
		t.Fatal(err)
	}
	major := "0"
	if m := regexp.MustCompile(`(?m)^## \[([0-9]+)\.`).FindSubmatch(log); m != nil {
		major = string(m[1])
	}
	for file, want := range map[string]int{
		"docs/teams.md": 1, "templates/update-with-base.yml": 2, ".github/workflows/check.yml": 2,
	} {
		data, err := os.ReadFile(filepath.Join(top, file))
		if err != nil {
			t.Fatal(err)
		}
		found := releaseReference.FindAllStringSubmatch(string(data), -1)
		if len(found) != want {
			t.Errorf("%s: %q, want %d", file, found, want)
		}
		for _, m := range found {
			if m[1]+m[2]+m[3] != major {
				t.Errorf("%s: %s is none of version %s", file, m[0], major)
			}
		}
	}
	job, err := os.ReadFile(filepath.Join(top, "docs", "ci", "update.yml"))
	if err != nil || !regexp.MustCompile(`(?m)uses: git-merge-yaml/git-merge-yaml@[0-9a-f]{40} `).Match(job) {
		t.Errorf("docs/ci/update.yml does not pin a commit (%v)", err)
	}
}
