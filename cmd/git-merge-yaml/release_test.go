package main

import (
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestReleaseFiles checks that what .goreleaser.yaml puts into an archive is
// there.
func TestReleaseFiles(t *testing.T) {
	top := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(top, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Archives []struct {
			Files []struct{ Src, Dst string }
		}
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Archives) != 1 || len(config.Archives[0].Files) < 6 {
		t.Fatalf("archives: %+v", config.Archives)
	}
	for _, f := range config.Archives[0].Files {
		if _, err := os.Stat(filepath.Join(top, f.Src)); err != nil {
			t.Errorf("%s: %v", f.Dst, err)
		}
	}
}
