package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestTempFolder holds that what killed runs left is removed, and nothing else.
func TestTempFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} { // TMP on Windows
		t.Setenv(name, dir)
	}
	old := time.Now().Add(-25 * time.Hour)
	for name, at := range map[string]time.Time{
		scratch + "1": old, scratch + "2": time.Now(), scratch + "mine": old, "git-merge-yaml": old,
	} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	made, err := TempFolder()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := []string{"git-merge-yaml", scratch + "2", scratch + "mine", filepath.Base(made)}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
