package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	for _, f := range append(config.Archives[0].Files, config.NFPMs[0].Contents...) {
		if _, err := os.Stat(filepath.Join(top, f.Src)); err != nil {
			t.Errorf("%s: %v", f.Dst, err)
		}
	}
}

// uses is a line of a workflow that runs somebody else's action.
var uses = regexp.MustCompile(`(?m)^\s*-?\s*uses: *(\S+)`)

// TestActionsArePinned holds that the workflows run others' actions at a commit,
// since a tag can be moved, and that the action of this repository runs none.
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
		for _, m := range uses.FindAllSubmatch(data, -1) {
			if !regexp.MustCompile(`@[0-9a-f]{40}$`).Match(m[1]) {
				t.Errorf("%s: %s is not pinned by commit", f, m[1])
			}
		}
	}
}
