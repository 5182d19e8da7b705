package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A broken writer stands for a bug outside the merge.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("seeded") }

func TestNoPanicLeavesRun(t *testing.T) {
	var stderr bytes.Buffer
	a := &App{Stdout: broken{}, Stderr: &stderr, Merge: merge.Merge}
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
