package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A panicWriter stands in for a bug outside of the merge.
type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("seeded") }

// TestRunRecoversPanics checks that a panic is reported as an error with exitFailed.
func TestRunRecoversPanics(t *testing.T) {
	var stderr bytes.Buffer
	a := &App{Stdout: panicWriter{}, Stderr: &stderr, Merge: merge.Merge}
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte("a: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--help"}, {"-p", file, file, file}} {
		stderr.Reset()
		if code := a.Run(args); code != exitFailed || !strings.Contains(stderr.String(), "seeded") {
			t.Errorf("%q: exit code %d, %s", args, code, &stderr)
		}
	}
}
