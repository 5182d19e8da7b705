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
)

// TestReleaseFiles checks that what .goreleaser.yaml puts into archives and
// packages is there, and that all are built with the tag of start-up.
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
		if !slices.Contains(b.Tags, startUpTag) {
			t.Errorf("build %d has not the tag %s", i, startUpTag)
		}
	}
	made := t.TempDir()
	if out, err := exec.Command("sh", filepath.Join(top, "scripts", "release", "completions.sh"), filepath.Join(made, "completions")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range append(config.Archives[0].Files, config.NFPMs[0].Contents...) {
		from := top
		if strings.HasPrefix(f.Src, "completions/") {
			from = made
		}
		if info, err := os.Stat(filepath.Join(from, f.Src)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", f.Dst, info, err)
		}
	}
}

// uses is a line of a workflow that runs somebody else's action.
var uses = regexp.MustCompile(`(?m)^\s*-?\s*uses: *(\S+)`)

// TestActionsArePinned holds that the workflows run others' actions at a commit,
// since a tag can be moved, with a token that can read unless a job says more, and that the
// action of this repository runs none.
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
		for _, m := range uses.FindAllSubmatch(data, -1) {
			own := bytes.HasPrefix(m[1], []byte("./")) || bytes.HasPrefix(m[1], []byte("git-merge-yaml/git-merge-yaml@")) // as who calls the workflow names it
			if !own && !regexp.MustCompile(`@[0-9a-f]{40}$`).Match(m[1]) {
				t.Errorf("%s: %s is not pinned by commit", f, m[1])
			}
		}
	}
}

// named is a place where users name a release, or all with one first number.
var named = regexp.MustCompile(`git-merge-yaml/git-merge-yaml(?:/.github/workflows/check.yml)?(?:@v|:)([0-9]+)|update-with-base@v?([0-9]+)|re[fv]: v([0-9]+)`)

// TestReleasesThatThereAre holds that what documents and templates tell people to use is
// what a release by the changelog's newest version, before any the first one, leaves: a tag
// v0, an image :0.
func TestReleasesThatThereAre(t *testing.T) {
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
		"docs/ci/update.yml": 1, "docs/teams.md": 4, "templates/update-with-base.yml": 2, ".github/workflows/check.yml": 2,
	} {
		data, err := os.ReadFile(filepath.Join(top, file))
		if err != nil {
			t.Fatal(err)
		}
		found := named.FindAllStringSubmatch(string(data), -1)
		if len(found) != want {
			t.Errorf("%s: %q, want %d", file, found, want)
		}
		for _, m := range found {
			if m[1]+m[2]+m[3] != major {
				t.Errorf("%s: %s is none of version %s", file, m[0], major)
			}
		}
	}
}
